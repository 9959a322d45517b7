import type { Instant } from '../kernel/index.js';
import {
  evolveStanding,
  LIFECYCLE,
  standingOf,
  type LifecycleEvent,
  type Standed,
  type SubjectFold,
} from '../subjects/index.js';
import type { ConsentEvent, ConsentRecordedData, ConsentStateName, Decision } from './events.js';
import { mergeConsent } from './merge.js';
import {
  decisionOn,
  stateAt,
  supersedes,
  type ConsentDecisions,
  type GpcSignal,
  type KnownPlace,
  type PurposeConsent,
} from './purposes.js';

/** Injection token of the subject streams as this context folds them. */
export const CONSENT_STREAMS = Symbol('ConsentStreams');

export * from './purposes.js';

export interface ConsentState extends ConsentDecisions, Standed {}

const UNSPECIFIC_METHODS: readonly string[] = ['ACCEPT_ALL', 'DISMISS', 'SIGNAL', 'SCRIPT'];

/** The state that a decision leads to from the one before: refusing after a grant is a withdrawal. */
export function transition(previous: ConsentStateName, decision: Decision): ConsentStateName {
  if (decision === 'DENIED') return previous === 'GRANTED' ? 'WITHDRAWN' : 'DENIED';
  return decision;
}

export const initialConsent = (): ConsentState => ({ purposes: {}, gpc: null });

/** What consent folds: its own events, and what happens to the subject as a whole. */
export type FoldedByConsent = ConsentEvent | LifecycleEvent;

export function evolveConsent(state: ConsentState, event: FoldedByConsent): ConsentState {
  switch (event.type) {
    case 'ConsentRecorded':
      return recorded(state, event.data);
    case 'ConsentExpired': {
      const current = decisionOn(state, event.data.purpose);
      if (current?.recordId !== event.data.recordId) return state;
      return { ...state, purposes: { ...state.purposes, [event.data.purpose]: { ...current, state: 'EXPIRED' } } };
    }
    case 'SubjectsMerged': {
      const standing = evolveStanding(standingOf(state), event);
      const absorbed = event.data.absorbed?.['consent'] as ConsentDecisions | undefined;
      return absorbed ? { ...mergeConsent(state, absorbed, event.data), standing } : { ...state, standing };
    }
    case 'SubjectMergeReverted': {
      const standing = evolveStanding(standingOf(state), event);
      const restored = event.data.restored?.['consent'] as ConsentDecisions | undefined;
      return restored ? { ...restored, standing } : { ...state, standing };
    }
    case 'SubjectErased':
      return { ...initialConsent(), standing: evolveStanding(standingOf(state), event) };
  }
}

function recorded(before: ConsentState, record: ConsentRecordedData): ConsentState {
  const state = heard(before, record);
  const current = decisionOn(state, record.purpose);
  if (!supersedes(record, current)) return state;
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
  return { ...state, purposes: { ...state.purposes, [record.purpose]: next } };
}

/** What a record says besides its decision, whether that stands or not. */
function heard(state: ConsentState, record: ConsentRecordedData): ConsentState {
  const gpc = heardGpc(state.gpc, record);
  const place = namedPlace(state.place, record);
  return gpc === state.gpc && place === state.place ? state : { ...state, gpc, ...(place && { place }) };
}

function namedPlace(current: KnownPlace | undefined, { jurisdiction, givenAt }: ConsentRecordedData) {
  if (!jurisdiction || (current && givenAt < current.since)) return current;
  const { country, region } = jurisdiction;
  return { country, ...(region !== undefined && { region }), since: givenAt };
}

function heardGpc(current: GpcSignal | null, record: ConsentRecordedData): GpcSignal | null {
  const heard = record.signals?.gpc;
  if (heard === undefined || heard === current?.active) return current;
  if (current && record.givenAt < current.since) return current;
  return { active: heard, since: record.givenAt };
}

/** When what an event says was given. */
const givenAt = (event: ConsentEvent): Instant =>
  event.type === 'ConsentRecorded' ? event.data.givenAt : event.data.expiredAt;

export const consentFold = {
  on: ['ConsentRecorded', 'ConsentExpired', ...LIFECYCLE],
  initial: initialConsent,
  evolve: evolveConsent,
  snapshots: { name: 'consent', version: '2' },
  givenAt,
} satisfies SubjectFold<ConsentState, FoldedByConsent>;
