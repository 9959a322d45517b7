import { BEGINNING_OF_TIME, withMembers, type Instant, type SealedValue } from '../kernel/index.js';
import {
  evolveStanding,
  LIFECYCLE,
  standingOf,
  type LifecycleEvent,
  type Standed,
  type SubjectCreated,
  type SubjectFold,
} from '../subjects/index.js';
import type { ConsentEvent, ConsentRecordedData, ConsentStateName, Decision } from './events.js';
import { mergeConsent } from './merge.js';
import { markOf, restingOn } from './precedence.js';
import {
  decisionOn,
  isRefusing,
  saidBy,
  stateAt,
  supersedes,
  type ConsentDecisions,
  type GpcSignal,
  type KnownPlace,
  type PurposeConsent,
} from './purposes.js';
import { withVendorsOf } from './vendors.js';

/** Injection token of the subject streams as this context folds them. */
export const CONSENT_STREAMS = Symbol('ConsentStreams');

export * from './purposes.js';
export type { VendorChoice, VendorFramework } from './vendor-choice.js';

export interface ConsentState extends ConsentDecisions, Standed {
  /** Given when the subject was made: personal, so it stays sealed. It is no decision and stays behind in a merge. */
  ownCountry?: SealedValue | string;
}

const UNSPECIFIC_METHODS: readonly string[] = ['ACCEPT_ALL', 'DISMISS', 'SIGNAL', 'SCRIPT'];

/** The state that a decision leads to from the one before: refusing after a grant is a withdrawal. */
export function transition(previous: ConsentStateName, decision: Decision): ConsentStateName {
  if (decision === 'DENIED') return previous === 'GRANTED' ? 'WITHDRAWN' : 'DENIED';
  return decision;
}

export const initialConsent = (): ConsentState => ({ purposes: {}, gpc: null });

/** What consent folds: its own events, and what happens to the subject as a whole. */
export type FoldedByConsent = ConsentEvent | SubjectCreated | LifecycleEvent;

export function evolveConsent(state: ConsentState, event: FoldedByConsent): ConsentState {
  switch (event.type) {
    case 'SubjectCreated': {
      const { country: ownCountry } = event.data;
      return ownCountry ? { ...state, ownCountry } : state;
    }
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
      if (!restored) return { ...state, standing };
      return { ...restored, ...(state.ownCountry !== undefined && { ownCountry: state.ownCountry }), standing };
    }
    case 'SubjectErased':
      return { ...initialConsent(), standing: evolveStanding(standingOf(state), event) };
  }
}

function recorded(before: ConsentState, record: ConsentRecordedData): ConsentState {
  const state = heard(before, record);
  const current = decisionOn(state, record.purpose);
  const stands = current && !supersedes(record, current) ? beside(current, record) : standing(record, current);
  if (stands === current) return state;
  return { ...state, purposes: { ...state.purposes, [record.purpose]: stands } };
}

/** The decision that stands from now on. */
function standing(record: ConsentRecordedData, current: PurposeConsent | undefined): PurposeConsent {
  return {
    state: transition(stateAt(current, record.givenAt), record.decision),
    recordId: record.recordId,
    decision: record.decision,
    purposeVersion: record.purposeVersion,
    source: record.source,
    givenAt: record.givenAt,
    recordedAt: record.recordedAt,
    expiresAt: record.expiresAt,
    specific: !record.collection || !UNSPECIFIC_METHODS.includes(record.collection.method),
    ...markOf(saidBy(record), current && saidBy(current)),
  };
}

/** What a record leaves behind on the decision that stands instead of it. */
function beside(current: PurposeConsent, record: ConsentRecordedData): PurposeConsent {
  const { recordId, decision, source, recordedAt, undated } = record;
  return undated && isRefusing(current.decision)
    ? { ...current, passedOver: { recordId, decision, source, recordedAt } }
    : restingOn(current, saidBy(record));
}

/** What a record says besides its decision, whether that stands or not. */
function heard(state: ConsentState, record: ConsentRecordedData): ConsentState {
  const gpc = heardGpc(state.gpc, record);
  const place = namedPlace(state.place, record);
  const vendors = withVendorsOf(state.vendors, record);
  if (gpc === state.gpc && place === state.place && vendors === state.vendors) return state;
  return withMembers(state, { gpc, ...(place && { place }), ...(vendors && { vendors }) });
}

function namedPlace(current: KnownPlace | undefined, { jurisdiction, givenAt }: ConsentRecordedData) {
  if (!jurisdiction || (current && givenAt < current.since)) return current;
  const { country, region } = jurisdiction;
  return { country, ...(region !== undefined && { region }), since: givenAt };
}

function heardGpc(current: GpcSignal | null, record: ConsentRecordedData): GpcSignal | null {
  const heard = record.signals?.gpc;
  if (heard === undefined || heard === current?.active) return current;
  // Without a date the claim may be older than the signal.
  if (current?.active && record.undated) return current;
  if (current && record.givenAt < current.since) return current;
  return { active: heard, since: record.givenAt };
}

/** When what an event says was given. */
function givenAt(event: Exclude<FoldedByConsent, LifecycleEvent>): Instant {
  switch (event.type) {
    case 'SubjectCreated':
      // The country of a subject has no date: it holds of decisions that are older than the subject too.
      return BEGINNING_OF_TIME;
    case 'ConsentRecorded':
      return event.data.givenAt;
    case 'ConsentExpired':
      return event.data.expiredAt;
  }
}

export const consentFold = {
  on: ['SubjectCreated', 'ConsentRecorded', 'ConsentExpired', ...LIFECYCLE],
  initial: initialConsent,
  evolve: evolveConsent,
  keepsSealed: true,
  snapshots: { name: 'consent', version: '1' },
  givenAt,
} satisfies SubjectFold<ConsentState, FoldedByConsent>;
