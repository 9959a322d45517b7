import { COUNTRY } from '../http/country.js';
import { ListOf, Numeric, OneOf, Text, Whole } from '../http/contract/fields.js';
import { PERIODS } from './calendar.js';
import { CONSENT_SPLITS } from '../consent/index.js';
import { COUNTED, IMPORTED, PERIODS_MAX } from './view.js';

const DAY = { maxLength: 10, format: 'date' } as const;
const NUMBER = { min: 0, nullable: true } as const;

export class ConsentStatisticsQuery {
  @ListOf(() => 'string', {
    description: 'Key of a purpose. May be repeated; without it: every purpose that the catalogue ever had.',
    example: ['analytics'],
    maxItems: 100,
    of: { maxLength: 64 },
    optional: true,
  })
  purpose?: string[];
  @OneOf(CONSENT_SPLITS, {
    description:
      'Counts each value of it by itself, in `series`. Months only: `by` is then `month`. One at a time. `locale`: the language of the text that was shown. `bannerVersion`: of decisions that came with a presentation token.',
    example: 'method',
    optional: true,
  })
  split?: (typeof CONSENT_SPLITS)[number];
  @OneOf(IMPORTED, {
    description:
      '`without`, the default: decisions of source API. `only`: records of sources IMPORT and MIGRATION, on the day on which they were recorded.',
    example: 'without',
    optional: true,
  })
  imported?: (typeof IMPORTED)[number];
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
      'What is counted together: a day, a week from Monday to Sunday, or a month. Without it: `day`, and with `country` or `split` `month`.',
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
  @Whole({ description: 'Grants that ran out. Counted without a split and by country.', example: 12, ...NUMBER })
  expiries!: number | null;
  @Numeric({
    description:
      'Grants of grants and refusals, to four digits, of the purposes for which both are shown. Null where there is none, or where both are 0.',
    example: 0.7455,
    min: 0,
    max: 1,
    nullable: true,
  })
  grantShare!: number | null;
  @Whole({
    description:
      'How often GET /v1/banner answered a banner with a presentation token that asks for this purpose, 304 included. Counted without a split, and by country, locale and bannerVersion.',
    example: 2950,
    ...NUMBER,
  })
  shown!: number | null;
  @Whole({
    description:
      '`shown` less grants and refusals, wherever they were given, of the purposes for which all are shown. Null where there is none; of each purpose never less than 0.',
    example: 1335,
    ...NUMBER,
  })
  unanswered!: number | null;
  @ListOf(() => 'string', {
    description:
      'Which counts are null because a reader could compute a number below `smallest` from them. Of several purposes: which are hidden for one of them, so that the number is of the others; null where it is hidden for all.',
    example: [],
    maxItems: COUNTED.length,
    of: { values: COUNTED, maxLength: 20 },
  })
  suppressed!: string[];
}

const PERIODS_LIST = { description: 'Whole periods, the earliest first.', maxItems: PERIODS_MAX } as const;
const PURPOSE = { example: 'analytics', maxLength: 64 } as const;

export class StatisticsSeriesDto {
  @Text({ description: 'Key of the purpose; null: all of `purposes`.', nullable: true, ...PURPOSE })
  purpose!: string | null;
  @Text({
    description:
      'Value of `split`: a country, method, surface, language tag, or number of a version; null without one.',
    example: null,
    maxLength: 64,
    nullable: true,
  })
  value!: string | null;
  @ListOf(() => StatisticsPeriodDto, PERIODS_LIST) periods!: StatisticsPeriodDto[];
}

export class ConsentStatisticsDto {
  @OneOf(['consent_statistics'], { description: 'What this is.', example: 'consent_statistics' }) object!: string;
  @Text({ description: 'Key of the purpose; null where it is not one.', nullable: true, ...PURPOSE })
  purpose!: string | null;
  @ListOf(() => 'string', {
    description: 'Keys of the purposes.',
    example: ['analytics'],
    maxItems: 1_000,
    of: { maxLength: 64 },
  })
  purposes!: string[];
  @Text({ description: 'Of which country; null: of all.', example: null, ...COUNTRY, nullable: true })
  country!: string | null;
  @OneOf(CONSENT_SPLITS, { description: 'What `series` tells apart; null: nothing.', example: null, nullable: true })
  split!: string | null;
  @OneOf(IMPORTED, { description: 'Which decisions.', example: 'without' }) imported!: string;
  @OneOf(PERIODS, { description: 'What is counted together.', example: 'month' }) by!: string;
  @Text({ description: 'The last day that has counts.', example: '2026-12-01', ...DAY }) through!: string;
  @Whole({ description: 'Counts that tell of fewer are not shown.', example: 10, min: 1 }) smallest!: number;
  @ListOf(() => StatisticsPeriodDto, {
    ...PERIODS_LIST,
    description:
      'Whole periods, the earliest first. Of several purposes: the sum of the counts that are shown of each.',
  })
  periods!: StatisticsPeriodDto[];
  @ListOf(() => StatisticsSeriesDto, {
    description:
      'The same periods for each value of `split`; without a split for each purpose, where there are several. Values of which nothing is shown are listed too; what has no value is not.',
    example: [],
    maxItems: 1_000,
  })
  series!: StatisticsSeriesDto[];
}
