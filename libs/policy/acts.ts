import type { Doubt, GpcStanding, Period, PeriodUnit, Regulation, RequestPeriods, RequestType, Rule } from './rule.js';

/*
 * Short forms in which the files of `laws` are written. Every rule says all that it differs in from these.
 */

/** When the sources were read. */
export const AS_OF = '2026-11-21';

/** Where an act and its period are known from. */
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

/** Where the sources name a period of requests and no right, access stands for them. */
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
/** What the sources call plausible, and nobody has confirmed. */
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

/** No grant is believed for longer. Our own default: the sources name no such limit for most places. */
const VALIDITY_DAYS_MAX = 365;

/** Nothing without asking. */
export const optIn = (given: Given): Rule => ({
  ...OPEN,
  model: 'OPT_IN',
  gpc: 'IGNORED',
  consentValidityDays: VALIDITY_DAYS_MAX,
  refusalCooldownDays: null,
  doubleOptIn: 'RECOMMENDED',
  ...given,
});

/** Everything until somebody objects, but what is sensitive. */
export const optOut = (given: Given & { gpc?: GpcStanding }): Rule => ({
  ...OPEN,
  model: 'OPT_OUT',
  gpc: 'ADVISORY',
  consentValidityDays: null,
  refusalCooldownDays: null,
  doubleOptIn: 'NONE',
  ...given,
});

/** Everything once it was told, but what is sensitive. */
export const noticeOnly = (given: Given): Rule => ({
  ...optOut(given),
  model: 'NOTICE_ONLY',
  gpc: given.gpc ?? 'IGNORED',
});
