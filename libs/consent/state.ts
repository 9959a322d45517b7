import type { Fold, Instant } from '../kernel/index.js';
import type { ConsentEvent, ConsentRecordedData, ConsentStateName, Decision, Source } from './events.js';

/** Injection token of the subject streams as this context folds them. */
export const CONSENT_STREAMS = Symbol('ConsentStreams');

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

export interface ConsentState {
  purposes: Readonly<Record<string, PurposeConsent>>;
  gpc: GpcSignal | null;
}

const SOURCE_RANK: Record<Source, number> = { API: 2, IMPORT: 1, MIGRATION: 0 };
const UNSPECIFIC_METHODS: readonly string[] = ['ACCEPT_ALL', 'DISMISS', 'SIGNAL', 'SCRIPT'];
const isRefusing = (decision: Decision): boolean => decision === 'DENIED' || decision === 'WITHDRAWN' || decision === 'OBJECTED';

/** What a purpose's state is at a moment: a grant past its end is EXPIRED although no event has said so yet. */
export function stateAt(consent: PurposeConsent | undefined, at: Instant): ConsentStateName {
  if (!consent) return 'NOT_COLLECTED';
  if (expires(consent) && consent.expiresAt! <= at) return 'EXPIRED';
  return consent.state;
}

const expires = (consent: PurposeConsent): boolean => consent.expiresAt !== null && (consent.state === 'GRANTED' || consent.state === 'ACKNOWLEDGED');

/** The moments at which this state will change by the clock alone. */
export const expiryInstants = (state: ConsentState): Instant[] =>
  Object.values(state.purposes)
    .filter(expires)
    .map((consent) => consent.expiresAt!)
    .sort();

/**
 * Whether a record stands above the one that stands now. Order: givenAt; at equal times a refusal beats a grant;
 * then source API > IMPORT > MIGRATION; then the later in the stream.
 */
export function supersedes(next: Pick<ConsentRecordedData, 'givenAt' | 'decision' | 'source'>, current: PurposeConsent | undefined): boolean {
  if (!current) return true;
  if (next.givenAt !== current.givenAt) return next.givenAt > current.givenAt;
  if (isRefusing(next.decision) !== isRefusing(current.decision)) return isRefusing(next.decision);
  return SOURCE_RANK[next.source] >= SOURCE_RANK[current.source];
}

/** The state that a decision leads to from the one before: refusing after a grant is a withdrawal. */
export function transition(previous: ConsentStateName, decision: Decision): ConsentStateName {
  if (decision === 'DENIED') return previous === 'GRANTED' ? 'WITHDRAWN' : 'DENIED';
  return decision;
}

export const initialConsent = (): ConsentState => ({ purposes: {}, gpc: null });

export function evolveConsent(state: ConsentState, event: ConsentEvent): ConsentState {
  switch (event.type) {
    case 'ConsentRecorded':
      return recorded(state, event.data);
    case 'ConsentExpired': {
      const current = state.purposes[event.data.purpose];
      if (current?.recordId !== event.data.recordId) return state;
      return { ...state, purposes: { ...state.purposes, [event.data.purpose]: { ...current, state: 'EXPIRED' } } };
    }
  }
}

function recorded(state: ConsentState, record: ConsentRecordedData): ConsentState {
  const gpc = heardGpc(state.gpc, record);
  const current = state.purposes[record.purpose];
  if (!supersedes(record, current)) return gpc === state.gpc ? state : { ...state, gpc };
  const next: PurposeConsent = {
    state: transition(stateAt(current, record.givenAt), record.decision),
    recordId: record.recordId,
    decision: record.decision,
    purposeVersion: record.purposeVersion,
    source: record.source,
    givenAt: record.givenAt,
    recordedAt: record.recordedAt,
    expiresAt: record.expiresAt,
    specific: !record.collection || !UNSPECIFIC_METHODS.includes(record.collection.method),
  };
  return { purposes: { ...state.purposes, [record.purpose]: next }, gpc };
}

function heardGpc(current: GpcSignal | null, record: ConsentRecordedData): GpcSignal | null {
  const heard = record.signals?.gpc;
  if (heard === undefined || heard === current?.active) return current;
  if (current && record.givenAt < current.since) return current;
  return { active: heard, since: record.givenAt };
}

export const consentFold: Fold<ConsentState, ConsentEvent> & { on: readonly ConsentEvent['type'][] } = { on: ['ConsentRecorded', 'ConsentExpired'], initial: initialConsent, evolve: evolveConsent };
