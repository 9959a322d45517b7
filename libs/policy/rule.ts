import type { Instant, PurposeCategory } from '../kernel/index.js';
import type { LocalDate } from './local-date.js';

/** What silence means: denied until the person agrees, granted until they object, granted after a notice, or no rule. */
export const POLICY_MODELS = ['OPT_IN', 'OPT_OUT', 'NOTICE_ONLY', 'NONE'] as const;
export type PolicyModel = (typeof POLICY_MODELS)[number];

/** Global Privacy Control: must be honoured; may be; has no meaning here. */
export const GPC_STANDINGS = ['BINDING', 'ADVISORY', 'IGNORED'] as const;
export type GpcStanding = (typeof GPC_STANDINGS)[number];

export const DOUBLE_OPT_IN = ['REQUIRED', 'RECOMMENDED', 'NONE'] as const;
export const FRAMEWORKS = ['TCF', 'GPP', 'GOOGLE'] as const;

/** Unit of a period. A period of 24 hours ends at its minute, all others at the end of a day. */
export const PERIOD_UNITS = ['MONTHS', 'CALENDAR_DAYS', 'BUSINESS_DAYS', 'PERIODS_OF_24_HOURS'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

export const REQUEST_TYPES = [
  'ACCESS',
  'PORTABILITY',
  'ERASURE',
  'RECTIFICATION',
  'RESTRICTION',
  'OBJECTION',
  'WITHDRAW_ALL',
  'OPT_OUT_SALE_SHARE',
  'OPT_OUT_TARGETED_ADS',
] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

/** An act, with its source. */
export interface Regulation {
  /** Short name: `GDPR`. */
  key: string;
  name: string;
  /** Article, or who says so. */
  source: string;
}

/** How long an answer may take. */
export interface Period {
  /** Null where the law sets none, or none is known. */
  dueDays: number | null;
  unit: PeriodUnit;
  /** By how much it can be extended, in the same unit; null where it cannot, or nothing is known. */
  extensionDays: number | null;
}

export interface RequestPeriods extends Period {
  /** Requests that the sources name. Others can exist all the same. */
  types: readonly RequestType[];
  /** Types with a period of their own. */
  exceptions: readonly (Period & { types: readonly RequestType[] })[];
  /** How soon the controller must confirm that it received a request. */
  acknowledgement: Pick<Period, 'dueDays' | 'unit'> | null;
  /** Whether the period stands still while the controller waits for the person. */
  clockStops: boolean;
}

/** An uncertainty about a rule. */
export interface Doubt {
  /** The field of the answer that is doubted. */
  field: string;
  doubt: string;
}

/** What a place demands from one day on, until its next rule begins. */
export interface Rule {
  /** Its first day, at the place; null where it began before what these data know of. */
  from: LocalDate | null;
  /** The decisive one first; none where no act is known that says so. */
  regulations: readonly Regulation[];
  model: PolicyModel;
  /** Categories whose default is another than that of the model. */
  defaults: Partial<Record<PurposeCategory, 'GRANTED' | 'DENIED'>>;
  gpc: GpcStanding;
  /** Whether people see a banner before anything happens. Absent: where the model is OPT_IN. */
  bannerRequired?: boolean;
  /** Whether refusing must be as easy as agreeing. Absent: where the model is OPT_IN. */
  rejectRequired?: boolean;
  /** Longest life of a grant. */
  consentValidityDays: number | null;
  /** How long a person who refused is not asked again. */
  refusalCooldownDays: number | null;
  ageOfDigitalConsent: number | null;
  doubleOptIn: (typeof DOUBLE_OPT_IN)[number];
  dataRequests: RequestPeriods;
  frameworks: readonly (typeof FRAMEWORKS)[number][];
  /** Section ids of IAB GPP. */
  gppSections: readonly number[];
  /** Not empty: a lawyer should look at the rule. */
  doubts: readonly Doubt[];
}

/** A country or one of its regions, with its rules, the oldest first. */
export interface PolicyPlace {
  /** ISO 3166-1 alpha-2, or ISO 3166-2. */
  code: string;
  name: string;
  /** IANA zone at whose midnight its rules begin: that of the capital where there are several. */
  zone: string;
  rules: readonly Rule[];
}

/** Every field of a rule that a site may change. */
export const RULE_FIELDS = [
  'model',
  'categories',
  'bannerRequired',
  'rejectRequired',
  'consentValidityDays',
  'refusalCooldownDays',
  'signals',
  'doubleOptIn',
  'ageOfDigitalConsent',
] as const;
export type RuleField = (typeof RULE_FIELDS)[number];

/** A change of a site to a rule, as an answer names it. */
export interface OverriddenBy {
  /** The place that the site named: a country or a region. */
  place: string;
  /** The fields that it changed, sorted. */
  fields: readonly RuleField[];
  /** Who decided it. */
  who: string;
  why: string;
  /** Null: always. */
  effectiveFrom: Instant | null;
}
