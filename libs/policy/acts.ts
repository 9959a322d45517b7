import type { Doubt, GpcStanding, Period, PeriodUnit, Regulation, RequestPeriods, RequestType, Rule } from './rule.js';

/*
 * Short forms in which the files of `laws` are written. Every rule says all that it differs in from these.
 */

/** When the sources were read. */
export const AS_OF = '2026-11-21';

/** Sources of an act and its period. */
const SOURCES = {
  P: 'Privacy Guides, directory of data protection authorities (2026)',
  D: 'W3C Data Privacy Vocabulary 2.3, legal extension',
  C: 'Clym, table of deadlines',
  A: 'SetupAnalytics and CookieBeam, overviews',
  S: 'a secondary source',
} as const;

/** `sources`: letters of the table above. */
export const act = (key: string, name: string, sources: string, article?: string): Regulation => ({
  key,
  name,
  source: [
    ...(article ? [article] : []),
    ...[...sources].map((letter) => SOURCES[letter as keyof typeof SOURCES]),
  ].join('; '),
});

export const period = (dueDays: number | null, unit: PeriodUnit, extensionDays: number | null = null): Period => ({
  dueDays,
  unit,
  extensionDays,
});

/** Periods of requests. Where the sources name a period and no right, `ACCESS` stands for them. */
export const requests = (
  { dueDays, unit, extensionDays }: Period,
  types: readonly RequestType[] = ['ACCESS'],
  more: Partial<RequestPeriods> = {},
): RequestPeriods => ({
  dueDays,
  unit,
  extensionDays,
  types,
  exceptions: [],
  acknowledgement: null,
  clockStops: false,
  ...more,
});

export const doubt = (field: string, text: string): Doubt => ({ field, doubt: text });
/** Doubts about fields that the sources call plausible, and that no source confirms. */
export const unconfirmed = (...fields: string[]): Doubt[] =>
  fields.map((field) => doubt(field, 'from general knowledge; no second source confirms it'));

const OPEN = {
  from: null,
  defaults: {},
  ageOfDigitalConsent: null,
  frameworks: [],
  gppSections: [],
  doubts: [],
} as const;

/** A rule says at least its acts and its period. */
type Given = Partial<Rule> & Pick<Rule, 'regulations' | 'dataRequests'>;

/** Longest life of a grant. Our own default: for most places the sources name no limit. */
const VALIDITY_DAYS_MAX = 365;

/** A rule under which silence denies every category but the necessary one. */
export const optIn = (given: Given): Rule => ({
  ...OPEN,
  model: 'OPT_IN',
  gpc: 'IGNORED',
  consentValidityDays: VALIDITY_DAYS_MAX,
  refusalCooldownDays: null,
  doubleOptIn: 'RECOMMENDED',
  ...given,
});

/** A rule under which silence grants every category until the person objects, but for sensitive ones. */
export const optOut = (given: Given & { gpc?: GpcStanding }): Rule => ({
  ...OPEN,
  model: 'OPT_OUT',
  gpc: 'ADVISORY',
  consentValidityDays: null,
  refusalCooldownDays: null,
  doubleOptIn: 'NONE',
  ...given,
});

/** A rule under which a notice grants every category, but for sensitive ones. */
export const noticeOnly = (given: Given): Rule => ({
  ...optOut(given),
  model: 'NOTICE_ONLY',
  gpc: given.gpc ?? 'IGNORED',
});
