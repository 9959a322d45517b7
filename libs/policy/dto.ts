import { PURPOSE_CATEGORIES } from '../kernel/index.js';
import { COUNTRY, REGION } from '../http/country.js';
import { Flag, ListOf, Nested, OneOf, Text, Timestamp, Whole } from '../http/contract/fields.js';
import {
  DOUBLE_OPT_IN,
  FRAMEWORKS,
  GPC_STANDINGS,
  PERIOD_UNITS,
  POLICY_MODELS,
  REQUEST_TYPES,
  RULE_FIELDS,
  type Rule,
} from './rule.js';
import { MATCHED_BY, type MatchedBy } from './timeline.js';

export class PolicyQuery {
  @Text({
    description:
      'Country, ISO 3166-1 alpha-2. Default: the one that the proxy in front names, where it is set up to; else the strictest rule is answered.',
    example: 'US',
    ...COUNTRY,
    optional: true,
  })
  country?: string;
  @Text({
    description: 'Region, ISO 3166-2; where none of its rules is known, that of the country is answered.',
    example: 'US-CA',
    ...REGION,
    optional: true,
  })
  region?: string;
  @Timestamp({ description: 'What applied then, or will. Default: now.', optional: true }) at?: string;
}

export class RegulationDto {
  @Text({ description: 'Short name.', example: 'GDPR', maxLength: 40 }) key!: string;
  @Text({ description: 'Name.', example: 'General Data Protection Regulation (EU) 2016/679', maxLength: 200 })
  name!: string;
  @Text({ description: 'Article, or who says so.', example: 'art. 6, 7, 12 to 22, 99(2)', maxLength: 300 })
  source!: string;
}

export class CategoryPolicyDto {
  @OneOf(PURPOSE_CATEGORIES, { description: 'Category of purposes.', example: 'ANALYTICS' })
  category!: (typeof PURPOSE_CATEGORIES)[number];
  @OneOf(['GRANTED', 'DENIED'], { description: 'What holds until the person chooses.', example: 'DENIED' })
  default!: 'GRANTED' | 'DENIED';
  @Flag({ description: 'Whether it is no choice at all.', example: false }) locked!: boolean;
}

export class PolicySignalsDto {
  @OneOf(GPC_STANDINGS, {
    description: 'Global Privacy Control: must be honoured; may be; has no meaning here.',
    example: 'IGNORED',
  })
  gpc!: Rule['gpc'];
}

const DUE_DAYS = {
  description: 'How many of the unit; null where the law sets no period, or none is known.',
  example: 1,
  min: 1,
  nullable: true,
} as const;
const UNIT = {
  description: 'Periods of 24 hours end at their minute, all others at the end of a day.',
  example: 'MONTHS',
} as const;

export class AcknowledgementDto {
  @Whole({ ...DUE_DAYS, example: 10 }) dueDays!: number | null;
  @OneOf(PERIOD_UNITS, { ...UNIT, example: 'BUSINESS_DAYS' }) unit!: (typeof PERIOD_UNITS)[number];
}

export class PeriodDto {
  @Whole(DUE_DAYS) dueDays!: number | null;
  @OneOf(PERIOD_UNITS, UNIT) unit!: (typeof PERIOD_UNITS)[number];
  @Whole({
    description: 'By how much it can be extended, in the same unit; null where it cannot, or nothing is known.',
    example: 2,
    min: 1,
    nullable: true,
  })
  extensionDays!: number | null;
}

const TYPES = { maxItems: REQUEST_TYPES.length, of: { values: REQUEST_TYPES } } as const;

export class TypedPeriodDto extends PeriodDto {
  @ListOf(() => 'string', { description: 'Requests that it is about.', example: ['RECTIFICATION'], ...TYPES })
  types!: readonly (typeof REQUEST_TYPES)[number][];
}

export class RequestPeriodsDto extends PeriodDto {
  @ListOf(() => 'string', {
    description: 'Requests that the sources name; others can exist all the same.',
    example: ['ACCESS', 'ERASURE'],
    ...TYPES,
  })
  types!: readonly (typeof REQUEST_TYPES)[number][];
  @ListOf(() => TypedPeriodDto, { description: 'Requests with a period of their own.', example: [], maxItems: 10 })
  exceptions!: readonly TypedPeriodDto[];
  @Nested(() => AcknowledgementDto, {
    description: 'Within what the receipt of a request is confirmed; null where nothing is known of it.',
    example: null,
    nullable: true,
  })
  acknowledgement!: AcknowledgementDto | null;
  @Flag({
    description: 'Whether the period stands still while the controller waits for what it needs from the person.',
    example: false,
  })
  clockStops!: boolean;
}

export class DoubtDto {
  @Text({ description: 'The field that is doubted.', example: 'ageOfDigitalConsent', maxLength: 60 }) field!: string;
  @Text({ description: 'Why.', example: 'national law under art. 8(1), from general knowledge', maxLength: 300 })
  doubt!: string;
}

export class OverriddenByDto {
  @Text({ description: 'The country or region that the site named.', example: 'DE', maxLength: 6 }) place!: string;
  @ListOf(() => 'string', {
    description: 'Fields that it changed.',
    example: ['consentValidityDays'],
    maxItems: RULE_FIELDS.length,
    of: { values: RULE_FIELDS },
  })
  fields!: readonly (typeof RULE_FIELDS)[number][];
  @Text({ description: 'Who decided it.', example: 'Data protection officer', maxLength: 200 }) who!: string;
  @Text({ description: 'Why.', example: 'The supervisory authority advises half a year.', maxLength: 1000 })
  why!: string;
  @Timestamp({ description: 'Since when; null: always.', example: null, nullable: true })
  effectiveFrom!: string | null;
}

export class PolicyDto {
  @Text({
    description: 'Place and first day of the rule; `fallback` where none is known.',
    example: 'DE.2018-05-25',
    maxLength: 40,
  })
  id!: string;
  @OneOf(['policy'], { description: 'What this is.', example: 'policy' }) object!: 'policy';
  @Text({
    description: 'The country that was asked about; null where none is known.',
    example: 'DE',
    maxLength: 2,
    nullable: true,
  })
  country!: string | null;
  @Text({
    description: 'The region whose rule it is; null where it is that of the country.',
    example: null,
    maxLength: 6,
    nullable: true,
  })
  region!: string | null;
  @Text({
    description: 'Short name of the decisive act; null where none is known.',
    example: 'GDPR',
    maxLength: 40,
    nullable: true,
  })
  regulation!: string | null;
  @ListOf(() => RegulationDto, { description: 'The acts, the decisive one first.', maxItems: 10 })
  regulations!: readonly RegulationDto[];
  @OneOf(POLICY_MODELS, { description: 'What silence means.', example: 'OPT_IN' }) model!: Rule['model'];
  @Flag({ description: 'Whether people must be asked before anything happens.', example: true })
  bannerRequired!: boolean;
  @Flag({ description: 'Whether refusing must be as easy as agreeing, at the first glance.', example: true })
  rejectRequired!: boolean;
  @ListOf(() => CategoryPolicyDto, { description: 'Every category of purposes.', maxItems: PURPOSE_CATEGORIES.length })
  categories!: readonly CategoryPolicyDto[];
  @Nested(() => PolicySignalsDto, { description: 'Signals of browsers.' }) signals!: PolicySignalsDto;
  @Whole({
    description: 'Longest life of a grant, in days; null where none is known.',
    example: 365,
    min: 1,
    nullable: true,
  })
  consentValidityDays!: number | null;
  @Whole({
    description: 'How long a person who refused is not asked again, in days; null where nothing is known of it.',
    example: null,
    min: 1,
    nullable: true,
  })
  refusalCooldownDays!: number | null;
  @Whole({
    description: 'From which age people consent themselves; null where it is not known.',
    example: 16,
    min: 1,
    nullable: true,
  })
  ageOfDigitalConsent!: number | null;
  @OneOf(DOUBLE_OPT_IN, { description: 'Confirmation of addresses by e-mail.', example: 'RECOMMENDED' })
  doubleOptIn!: Rule['doubleOptIn'];
  @Nested(() => RequestPeriodsDto, { description: 'Requests of people about their data.' })
  dataRequests!: RequestPeriodsDto;
  @ListOf(() => 'string', {
    description: 'Frameworks whose strings are asked for.',
    example: ['TCF', 'GPP', 'GOOGLE'],
    maxItems: FRAMEWORKS.length,
    of: { values: FRAMEWORKS },
  })
  frameworks!: Rule['frameworks'];
  @ListOf(() => 'integer', { description: 'Section ids of IAB GPP.', example: [2], maxItems: 10 })
  gppSections!: readonly number[];
  @OneOf(MATCHED_BY, {
    description: 'FALLBACK: nothing is known of the place at that time; the strictest rule is answered.',
    example: 'COUNTRY',
  })
  matchedBy!: MatchedBy;
  @Timestamp({
    description: 'When it began, at midnight of the place; null where that is not known.',
    example: '2018-05-24T22:00:00.000Z',
    nullable: true,
  })
  effectiveFrom!: string | null;
  @Timestamp({ description: 'When another rule begins; null where none is known.', example: null, nullable: true })
  effectiveTo!: string | null;
  @Text({
    description:
      'SHA-256 of what is demanded. Where it differs from that of an earlier answer, people may have to be asked again.',
    example: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    maxLength: 71,
  })
  fingerprint!: string;
  @ListOf(() => OverriddenByDto, {
    description: 'What the site changed in the rule, the weakest first; empty where it is the law’s own.',
    example: [],
    maxItems: 20,
  })
  overriddenBy!: readonly OverriddenByDto[];
  @Text({ description: 'When the sources were read.', example: '2026-11-21', maxLength: 10, format: 'date' })
  asOf!: string;
  @Flag({ description: 'Whether a lawyer should look at it first: see `doubts`.', example: true })
  review!: boolean;
  @ListOf(() => DoubtDto, { description: 'What is not certain.', maxItems: 20 }) doubts!: readonly DoubtDto[];
  @Flag({ description: 'Always true: these data are an aid, and no legal advice.', example: true })
  notLegalAdvice!: true;
}
