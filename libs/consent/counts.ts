import { countryOf, type Instant } from '../kernel/index.js';
import { isClosed } from '../subjects/index.js';
import type { ConsentRecordedData } from './events.js';
import { decisionOn, type ConsentState, type FoldedByConsent } from './state.js';

/** The read model that is counted with: its name, and the version of its rows and counts. */
export const CONSENT_ROWS = { name: 'consent_state', version: 2 } as const;

/** What is counted of consent. */
export const CONSENT_COUNTED = ['grants', 'refusals', 'withdrawals', 'expiries'] as const;
export type ConsentCounted = (typeof CONSENT_COUNTED)[number];

/** Of these, what was imported or migrated is counted apart, under `imported_` and the same name. */
export const IMPORTED_COUNTED = ['grants', 'refusals', 'withdrawals'] as const;
type DecisionCounted = (typeof IMPORTED_COUNTED)[number];
type Column = ConsentCounted | `imported_${DecisionCounted}`;
export const CONSENT_COLUMNS: readonly Column[] = [
  ...CONSENT_COUNTED,
  ...IMPORTED_COUNTED.map((name) => `imported_${name}` as const),
];

/**
 * By what decisions are split, one at a time: no cell knows two of them, so cells add up and do not multiply. Each has
 * few values: lists of this service, countries, and versions and languages that the catalogue has.
 */
export const CONSENT_SPLITS = ['country', 'method', 'surface', 'locale', 'bannerVersion', 'purposeVersion'] as const;
export type ConsentSplit = (typeof CONSENT_SPLITS)[number];

/** The split that counts everything: decisions whose country is not known have the value COUNTRY_UNKNOWN. */
export const SPLIT_OF_ALL = 'country' satisfies ConsentSplit;
export const COUNTRY_UNKNOWN = '';

/** Where something is counted, in a site and environment. */
export interface ConsentCell {
  purpose: string;
  split: ConsentSplit;
  /** Of UTC: `2026-11-21`. */
  day: string;
  /** A country of ISO 3166-1, a method, a surface, a language tag or the number of a version. */
  value: string;
}

export interface ConsentAdded {
  cell: ConsentCell;
  to: Column;
  by: 1 | -1;
}

const dayOf = (at: Instant): string => at.slice(0, 10);

/**
 * What an event adds to the counts. A decision counts on the day on which it was recorded, so that days that are over do
 * not change any more. A grant that ends counts in advance on the day of its end; whatever takes its place before that
 * takes this back. So what is counted on days that are over has really run out, and no event has to say so.
 * `at`: when the event was recorded, or the latest event before it where its clock was ahead.
 */
export function consentCounts(
  before: ConsentState | null,
  event: FoldedByConsent,
  after: ConsentState,
  at: Instant,
): ConsentAdded[] {
  const decided = event.type === 'ConsentRecorded' ? decision(event.data, after) : [];
  return [...decided, ...changedEnds(before, event, after, at)];
}

function decision(record: ConsentRecordedData, after: ConsentState): ConsentAdded[] {
  const counted = countedAs(record);
  if (counted === null) return [];
  const to: Column = record.source === 'API' ? counted : `imported_${counted}`;
  const { purpose, recordedAt, jurisdiction, collection, presentation, notice, purposeVersion } = record;
  const day = dayOf(recordedAt);
  // What is sent as language and version of the banner is any text and number: the service's own statement has few.
  const values: Record<ConsentSplit, string | undefined> = {
    country: codeOf(jurisdiction ?? after.place),
    method: collection?.method,
    surface: collection?.surface,
    locale: notice.locale,
    bannerVersion: presentation && String(presentation.banner.version),
    purposeVersion: String(purposeVersion),
  };
  const added: ConsentAdded[] = [];
  for (const split of CONSENT_SPLITS) {
    const value = values[split];
    if (value !== undefined) added.push({ cell: { purpose, split, day, value }, to, by: 1 });
  }
  return added;
}

/** Null: it is none, as who has read a notice was not asked to agree. A refusal after a grant is a withdrawal. */
function countedAs({ decision: decided, state, appliedToState }: ConsentRecordedData): DecisionCounted | null {
  switch (decided) {
    case 'GRANTED':
      return 'grants';
    case 'WITHDRAWN':
      return 'withdrawals';
    case 'DENIED':
      return appliedToState && state === 'WITHDRAWN' ? 'withdrawals' : 'refusals';
    case 'OBJECTED':
      return 'refusals';
    case 'ACKNOWLEDGED':
      return null;
  }
}

function changedEnds(
  before: ConsentState | null,
  event: FoldedByConsent,
  after: ConsentState,
  at: Instant,
): ConsentAdded[] {
  const added: ConsentAdded[] = [];
  const only = onlyPurpose(before, event, after);
  for (const purpose of before ? (only ?? Object.keys(before.purposes)) : []) {
    const cell = endOf(before!, purpose, at);
    if (cell && !isSame(cell, endOf(after, purpose, at))) added.push({ cell, to: 'expiries', by: -1 });
  }
  for (const purpose of only ?? Object.keys(after.purposes)) {
    const cell = endOf(after, purpose, at);
    if (cell && !isSame(cell, before && endOf(before, purpose, at))) added.push({ cell, to: 'expiries', by: 1 });
  }
  return added;
}

/** The one purpose that an event changes; null where it may be several, as when the subject's place is another now. */
function onlyPurpose(
  before: ConsentState | null,
  event: FoldedByConsent,
  after: ConsentState,
): readonly string[] | null {
  const isOfOne = event.type === 'ConsentRecorded' || event.type === 'ConsentExpired';
  return isOfOne && before?.place === after.place ? [event.data.purpose] : null;
}

/**
 * Where the grant that stands for a purpose counts as ended if nothing happens after this moment: on the day of its end, and
 * where its subject was last known to be. Null where none will end. For a subject that was merged its survivor speaks.
 */
function endOf(state: ConsentState, purpose: string, at: Instant): ConsentCell | null {
  const consent = decisionOn(state, purpose);
  if (consent?.state !== 'GRANTED' || consent.expiresAt === null || consent.expiresAt <= at) return null;
  return isClosed(state)
    ? null
    : { purpose, split: SPLIT_OF_ALL, day: dayOf(consent.expiresAt), value: codeOf(state.place) };
}

const isSame = (a: ConsentCell, b: ConsentCell | null): boolean => a.day === b?.day && a.value === b.value;

const codeOf = (place: { country: string } | undefined): string =>
  (place && countryOf(place.country)) ?? COUNTRY_UNKNOWN;
