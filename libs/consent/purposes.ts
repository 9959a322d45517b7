import type { Instant } from '../kernel/index.js';
import type { ConsentRecordedData, ConsentStateName, Decision, Source } from './events.js';
import { standsAbove, type Said, type Undated } from './precedence.js';
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
  /** A grant that a third party claimed without a date. Absent: it has one. */
  undated?: Undated;
  /** The last claim without a date that did not apply, because this is a refusal. */
  passedOver?: Pick<ConsentRecordedData, 'recordId' | 'decision' | 'source' | 'recordedAt'>;
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

/** What consent knows of a subject, without its place among merged subjects. */
export interface ConsentDecisions {
  purposes: Readonly<Record<string, PurposeConsent>>;
  gpc: GpcSignal | null;
  /** Absent as long as no record names a place. */
  place?: KnownPlace;
  /** Absent until a record decides about single vendors. */
  vendors?: readonly VendorChoice[];
}

/** What stands for a purpose, whose key may be the name of anything: `constructor` is one. */
export const decisionOn = (
  { purposes }: Pick<ConsentDecisions, 'purposes'>,
  purpose: string,
): PurposeConsent | undefined => (Object.hasOwn(purposes, purpose) ? purposes[purpose] : undefined);

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

type Decided<U extends true | Undated> = Pick<ConsentRecordedData, 'givenAt' | 'decision' | 'source'> & { undated?: U };

/** A decision, as far as its place among others goes: one that is made, or one that stands. */
export const saidBy = <U extends true | Undated>({
  givenAt,
  decision,
  source,
  undated,
}: Decided<U>): Omit<Said, 'undated'> & { undated?: U } => ({
  ...{ givenAt, source, refusing: isRefusing(decision) },
  ...(undated && { undated }),
});

/** Whether a record stands above the one that stands now. */
export const supersedes = (next: Decided<true>, current: Decided<Undated> | undefined): boolean =>
  standsAbove(saidBy(next), current && saidBy(current));
