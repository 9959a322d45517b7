import { COUNTRY } from '../http/country.js';
import { ListOf, Numeric, OneOf, Text, Whole } from '../http/contract/fields.js';
import { PERIODS } from './calendar.js';
import { COUNTED, PERIODS_MAX } from './view.js';

const DAY = { maxLength: 10, format: 'date' } as const;
const NUMBER = { min: 0, nullable: true } as const;

export class ConsentStatisticsQuery {
  @Text({ description: 'Key of the purpose.', example: 'analytics', maxLength: 64 }) purpose!: string;
  @Text({
    description: 'Only decisions of one country, ISO 3166-1. Months only: `by` is then `month`.',
    example: 'DE',
    ...COUNTRY,
    optional: true,
  })
  country?: string;
  @Text({
    description: 'From the period that this day of UTC is in. Without it: the last 30 days, 12 weeks or 12 months.',
    example: '2026-11-01',
    ...DAY,
    optional: true,
  })
  from?: string;
  @Text({
    description: 'To the period that this day of UTC is in. Without it: the last day that has counts.',
    example: '2026-11-30',
    ...DAY,
    optional: true,
  })
  to?: string;
  @OneOf(PERIODS, {
    description:
      'What is counted together: a day, a week from Monday to Sunday, or a month. Without it: `day`, and with `country` `month`.',
    example: 'month',
    optional: true,
  })
  by?: (typeof PERIODS)[number];
}

export class StatisticsPeriodDto {
  @Text({ description: 'First day, of UTC.', example: '2026-11-01', ...DAY }) from!: string;
  @Text({ description: 'Last day.', example: '2026-11-30', ...DAY }) to!: string;
  @Whole({ description: 'Decisions GRANTED.', example: 1204, ...NUMBER }) grants!: number | null;
  @Whole({ description: 'Decisions DENIED where nothing was granted before, and OBJECTED.', example: 411, ...NUMBER })
  refusals!: number | null;
  @Whole({ description: 'Decisions WITHDRAWN, and DENIED where it was granted before.', example: 37, ...NUMBER })
  withdrawals!: number | null;
  @Whole({ description: 'Grants that ran out.', example: 12, ...NUMBER }) expiries!: number | null;
  @Numeric({
    description:
      'Grants of grants and refusals, to four digits. Null where one of the two is not shown, or where both are 0.',
    example: 0.7455,
    min: 0,
    max: 1,
    nullable: true,
  })
  grantShare!: number | null;
  @Whole({
    description:
      'How often GET /v1/banner answered a banner with a presentation token that asks for this purpose, 304 included.',
    example: 2950,
    ...NUMBER,
  })
  shown!: number | null;
  @Whole({
    description:
      '`shown` less grants and refusals, wherever they were given. Null where one of them is not shown; never less than 0.',
    example: 1335,
    ...NUMBER,
  })
  unanswered!: number | null;
  @ListOf(() => 'string', {
    description: 'Which counts are null because a reader could compute a number below `smallest` from them.',
    example: [],
    maxItems: COUNTED.length,
    of: { values: COUNTED, maxLength: 20 },
  })
  suppressed!: string[];
}

export class ConsentStatisticsDto {
  @OneOf(['consent_statistics'], { description: 'What this is.', example: 'consent_statistics' }) object!: string;
  @Text({ description: 'Key of the purpose.', example: 'analytics', maxLength: 64 }) purpose!: string;
  @Text({ description: 'Of which country; null: of all.', example: null, ...COUNTRY, nullable: true })
  country!: string | null;
  @OneOf(PERIODS, { description: 'What is counted together.', example: 'month' }) by!: string;
  @Text({ description: 'The last day that has counts.', example: '2026-12-01', ...DAY }) through!: string;
  @Whole({ description: 'Counts that tell of fewer are not shown.', example: 10, min: 1 }) smallest!: number;
  @ListOf(() => StatisticsPeriodDto, { description: 'Whole periods, the earliest first.', maxItems: PERIODS_MAX })
  periods!: StatisticsPeriodDto[];
}
