import { ENVIRONMENTS, SITE_PATTERN } from '../kernel/index.js';
import { Flag, ListOf, Nested, Numeric, OneOf, Text, Timestamp, Whole } from '../http/contract/fields.js';
import { NEEDS, PLACES_MAX, PUBLISHED_MAX } from './summary.js';

const SHARE = { min: 0, max: 1, nullable: true } as const;
const COUNT = { min: 0 } as const;
const SITE = { example: 'shop', maxLength: 40, pattern: SITE_PATTERN.source } as const;

export class SummaryQuery {
  @Text({ description: 'Only this site.', ...SITE, optional: true }) site?: string;
  @OneOf(ENVIRONMENTS, { description: 'Only this environment.', example: 'live', optional: true })
  env?: (typeof ENVIRONMENTS)[number];
}

class SummaryGrantsDto {
  @Numeric({
    description:
      'Grants of grants and refusals in the last `days` days, over all purposes, to a hundredth. Made of figures that the statistics show; null where there are none.',
    example: 0.62,
    ...SHARE,
  })
  share!: number | null;
  @Numeric({ description: 'The same of as many days before those.', example: 0.58, ...SHARE }) before!: number | null;
  @Whole({ description: 'How many days.', example: 30 }) days!: number;
}

class SummaryRequestsDto {
  @Whole({ description: 'Data requests that are not closed.', example: 3, ...COUNT }) open!: number;
  @Whole({ description: 'Of these: past their due date.', example: 1, ...COUNT }) overdue!: number;
  @Whole({ description: 'Of these: due within seven days.', example: 2, ...COUNT }) dueWithin7Days!: number;
}

class SummaryEndpointsDto {
  @Whole({
    description: 'Endpoints of webhooks whose receivers keep failing, and those that were disabled because of it.',
    example: 1,
    ...COUNT,
  })
  failing!: number;
  @Whole({ description: 'Enabled, and there are events that are not in their queue yet.', example: 0, ...COUNT })
  behind!: number;
}

class LastPublishedDto {
  @Text({ description: '`purpose`, or what document it is.', example: 'purpose', maxLength: 40 }) what!: string;
  @Text({ description: 'Key of the purpose; of a document what it is.', example: 'analytics', maxLength: 100 })
  key!: string;
  @OneOf(['PUBLISH', 'RETIRE'], { description: 'What was done.', example: 'PUBLISH' }) action!: string;
  @Whole({ description: 'Its version afterwards.', example: 2 }) version!: number;
  @Timestamp({ description: 'When.' }) at!: string;
  @Text({ description: 'Who did it.', example: 'operator:opt_first', maxLength: 100, nullable: true })
  by!: string | null;
}

class SummaryNeedDto {
  @OneOf(NEEDS, {
    description:
      'REQUESTS_OVERDUE, REQUESTS_DUE (within seven days), ENDPOINTS_FAILING, RENEWALS (grants that end within 30 days), DRAFT_FOR_APPROVAL (a draft waits for another operator).',
    example: 'REQUESTS_OVERDUE',
  })
  what!: string;
  @Whole({ description: 'How many.', example: 1, min: 1 }) count!: number;
  @Text({
    description: 'Where the console shows them.',
    example: '/console/shop/live/requests?state=OPEN&overdue=true',
    maxLength: 200,
  })
  link!: string;
}

export class PlaceSummaryDto {
  @Text({ description: 'Site.', ...SITE }) site!: string;
  @OneOf(ENVIRONMENTS, { description: 'Environment.', example: 'live' }) env!: string;
  @Nested(() => SummaryGrantsDto, { description: 'How many agree.' }) grants!: SummaryGrantsDto;
  @Nested(() => SummaryRequestsDto, { description: 'Data requests.' }) requests!: SummaryRequestsDto;
  @Nested(() => SummaryEndpointsDto, { description: 'Webhooks.' }) endpoints!: SummaryEndpointsDto;
  @Whole({
    description:
      'Grants that end within 30 days, if nothing happens before. Null where the roles of the caller see no persons there.',
    example: 41,
    nullable: true,
    ...COUNT,
  })
  renewals!: number | null;
  @ListOf(() => LastPublishedDto, {
    description: 'Purposes and documents that were published or retired last, newest first.',
    maxItems: PUBLISHED_MAX,
  })
  lastPublished!: LastPublishedDto[];
  @Numeric({
    description: 'How far the rows are behind the event log, in seconds; null while the log does not answer.',
    example: 0,
    min: 0,
    nullable: true,
  })
  lagSeconds!: number | null;
  @ListOf(() => SummaryNeedDto, {
    description: 'What needs an operator, the most urgent first: of what the roles of the caller may look at.',
    maxItems: NEEDS.length,
  })
  needs!: SummaryNeedDto[];
}

export class SummaryDto {
  @OneOf(['summary'], { description: 'What this is.', example: 'summary' }) object!: string;
  @ListOf(() => PlaceSummaryDto, {
    description: 'Sites by name, each with the environments that the caller reaches.',
    maxItems: PLACES_MAX,
  })
  places!: PlaceSummaryDto[];
  @Flag({ description: `There are more than ${PLACES_MAX}: ask for one site.`, example: false }) isCut!: boolean;
}
