import type { Instant } from '../kernel/index.js';
import type { ConsentRecordedData, ConsentStateName, Decision, Source } from './events.js';
import type { VendorChoice } from './vendor-choice.js';

/** The decision that stands for one purpose. */
export interface PurposeConsent {
  state: ConsentStateName;
  recordId: string;
  decision: Decision;
  purposeVersion: number;
  source: Source;
  givenAt: Instant;
  recordedAt: Instant;
  expiresAt: Instant | null;
  /** Collected by an act about this very purpose, not by "accept all" or a script; only such a one overrides GPC. */
  specific: boolean;
}

/** Global Privacy Control as last heard from this subject: kept once per change, never per request. */
export interface GpcSignal {
  active: boolean;
  since: Instant;
}

/** Where a subject was when the newest record was made that says so. */
export interface KnownPlace {
  /** As it was recorded: usually ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 3166-2. */
  region?: string;
  /** When that record was given. */
  since: Instant;
}

/** What consent knows of a subject, whoever the subject belongs to. */
export interface ConsentDecisions {
  purposes: Readonly<Record<string, PurposeConsent>>;
  gpc: GpcSignal | null;
  /** Absent as long as no record names a place. */
  place?: KnownPlace;
  /** Absent as long as nobody decided about a single vendor. */
  vendors?: readonly VendorChoice[];
}

/** What stands for a purpose, whose key may be the name of anything: `constructor` is one. */
export const decisionOn = (
  { purposes }: Pick<ConsentDecisions, 'purposes'>,
  purpose: string,
): PurposeConsent | undefined => (Object.hasOwn(purposes, purpose) ? purposes[purpose] : undefined);

export const SOURCE_RANK: Record<Source, number> = { API: 2, IMPORT: 1, MIGRATION: 0 };
export const isRefusing = (decision: Decision): boolean =>
  decision === 'DENIED' || decision === 'WITHDRAWN' || decision === 'OBJECTED';

/** What a purpose's state is at a moment: a grant past its end is EXPIRED although no event has said so yet. */
export function stateAt(
  consent: Pick<PurposeConsent, 'state' | 'expiresAt'> | undefined,
  at: Instant,
): ConsentStateName {
  if (!consent) return 'NOT_COLLECTED';
  if (expires(consent) && consent.expiresAt! <= at) return 'EXPIRED';
  return consent.state;
}

const expires = (consent: Pick<PurposeConsent, 'state' | 'expiresAt'>): boolean =>
  consent.expiresAt !== null && (consent.state === 'GRANTED' || consent.state === 'ACKNOWLEDGED');

/** The moments at which this state will change by the clock alone. */
export const expiryInstants = (state: ConsentDecisions): Instant[] =>
  Object.values(state.purposes)
    .filter(expires)
    .map((consent) => consent.expiresAt!)
    .sort();

/**
 * Whether a record stands above the one that stands now. Order: givenAt; at equal times a refusal beats a grant;
 * then source API > IMPORT > MIGRATION; then the later in the stream.
 */
export function supersedes(
  next: Pick<ConsentRecordedData, 'givenAt' | 'decision' | 'source'>,
  current: Pick<PurposeConsent, 'givenAt' | 'decision' | 'source'> | undefined,
): boolean {
  if (!current) return true;
  if (next.givenAt !== current.givenAt) return next.givenAt > current.givenAt;
  if (isRefusing(next.decision) !== isRefusing(current.decision)) return isRefusing(next.decision);
  return SOURCE_RANK[next.source] >= SOURCE_RANK[current.source];
}
