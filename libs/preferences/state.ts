import { markOf, restingOn, type Said } from '../consent/index.js';
import type { Instant } from '../kernel/index.js';
import {
  evolveStanding,
  LIFECYCLE,
  standingOf,
  type IdentifierAdded,
  type IdentifierVerified,
  type LifecycleEvent,
  type Standed,
  type SubjectFold,
  type SubjectRectified,
} from '../subjects/index.js';
import type {
  PreferenceConfirmationRequestedData,
  PreferenceConfirmedData,
  PreferenceEvent,
  PreferenceSetData,
  TopicChange,
} from './events.js';
import { mergePreferences } from './merge.js';
import {
  fieldNamed,
  fieldStandsAbove,
  isOpenRequest,
  newestRequests,
  nothingChosen,
  standingOptOut,
  standingTopic,
  standsAbove,
  type ConfirmationRequest,
  type PreferenceChoices,
  topicStandsAbove,
  type OptOut,
  type Topic,
} from './topics.js';

/** Injection token of the subject streams as this context folds them. */
export const PREFERENCE_STREAMS = Symbol('PreferenceStreams');

export * from './topics.js';

export interface PreferenceState extends PreferenceChoices, Standed {
  /** Kinds of the identifiers that are not verified yet, by id. */
  identifierKinds: Readonly<Record<string, string>>;
  updatedAt: Instant | null;
}

export type FoldedByPreferences =
  PreferenceEvent | LifecycleEvent | IdentifierAdded | IdentifierVerified | SubjectRectified;

/** As many mails as the longest of the limits counts. */
const MOST_MAILS = 10;

/** Of whom nothing was said, and nothing is known that could matter to what will be. */
export const isUntouched = ({ updatedAt, standing, verifiedKinds, identifierKinds }: PreferenceState): boolean =>
  updatedAt === null &&
  standing === undefined &&
  verifiedKinds.length === 0 &&
  Object.keys(identifierKinds).length === 0;

export const initialPreferences = (): PreferenceState => ({ identifierKinds: {}, updatedAt: null, ...nothingChosen() });

export function evolvePreferences(state: PreferenceState, event: FoldedByPreferences): PreferenceState {
  switch (event.type) {
    case 'PreferenceSet':
      return set(state, event.data);
    case 'PreferenceConfirmationRequested':
      return requested(state, event.data);
    case 'PreferenceConfirmationMailed':
      return state;
    case 'PreferenceConfirmed':
      return confirmed(state, event.data);
    case 'PreferenceConfirmationExpired': {
      const { requestId, expiredAt } = event.data;
      const request = state.requests[requestId];
      return request && isOpenRequest(request)
        ? {
            ...withoutRequests(state, [requestId], ranOut),
            requests: { ...state.requests, [requestId]: { ...answered(request), expired: true } },
            updatedAt: expiredAt,
          }
        : state;
    }
    case 'IdentifierAdded':
      return identified(state, event.data.identifierId, event.data.kind, event.data.verifiedAt !== null);
    case 'IdentifierVerified':
      return identified(state, event.data.identifierId, state.identifierKinds[event.data.identifierId], true);
    case 'SubjectRectified':
      return unidentified(state, event.data);
    case 'SubjectsMerged': {
      const standing = evolveStanding(standingOf(state), event);
      const absorbed = event.data.absorbed?.['preferences'] as PreferenceChoices | undefined;
      return absorbed
        ? { ...mergePreferences(state, absorbed, event.data), updatedAt: event.data.mergedAt, standing }
        : { ...state, standing };
    }
    case 'SubjectMergeReverted': {
      const standing = evolveStanding(standingOf(state), event);
      const restored = event.data.restored?.['preferences'] as PreferenceChoices | undefined;
      return restored ? { ...state, ...restored, updatedAt: event.data.revertedAt, standing } : { ...state, standing };
    }
    case 'SubjectErased':
      return { ...initialPreferences(), standing: evolveStanding(standingOf(state), event) };
  }
}

function set(state: PreferenceState, data: PreferenceSetData): PreferenceState {
  const { recordId, source, givenAt, recordedAt } = data;
  let next = undone(withoutRequests(state, data.ended, takenBack), data);
  for (const change of data.changes) {
    if (change.kind === 'topic')
      next = {
        ...next,
        topics: {
          ...next.topics,
          [change.field]: changedTopic(state.topics[change.field], next.topics[change.field], change, data),
        },
      };
    else if (
      change.appliedToState ||
      fieldStandsAbove(saidIn(data, false), fieldNamed(next, change.field), change.type)
    ) {
      next = {
        ...next,
        fields: {
          ...next.fields,
          [change.field]: {
            ...{ type: change.type, value: change.value, recordId, source, givenAt },
            ...(data.undated && change.type === 'TOGGLE' && { undated: true }),
          },
        },
      };
    }
  }
  return { ...next, globalOptOut: optedOut(next.globalOptOut, data), updatedAt: recordedAt };
}

const saidIn = ({ givenAt, source, undated }: PreferenceSetData, refusing: boolean): Said => ({
  ...{ givenAt, source, refusing },
  ...(undated && { undated }),
});

function optedOut(current: OptOut | null, data: PreferenceSetData): OptOut | null {
  const { globalOptOut, givenAt } = data;
  if (!globalOptOut) return current;
  const said = saidIn(data, globalOptOut.wanted);
  const standing = standingOptOut(current);
  if (current && !globalOptOut.appliedToState && !standsAbove(said, standing)) return restingOn(current, said);
  return { active: globalOptOut.wanted, since: givenAt, ...markOf(said, standing) };
}

/** The confirmation that was taken back, where it was one: its link then says so. */
function undone(state: PreferenceState, { undoes, recordedAt }: PreferenceSetData): PreferenceState {
  if (undoes === undefined) return state;
  const requests = Object.entries(state.requests).map(([id, request]): [string, ConfirmationRequest] => [
    id,
    request.recordId === undoes ? { ...request, undoneAt: recordedAt } : request,
  ]);
  return { ...state, requests: Object.fromEntries(requests) };
}

const newTopic = (givenAt: Instant): Topic => ({
  state: 'UNSET',
  recordId: null,
  source: 'API',
  givenAt,
  confirmedAt: null,
  frequency: null,
  pausedUntil: null,
  pending: null,
});

/**
 * What did not apply when it was recorded may where what stood above it does not count: as of an earlier time, or once a
 * merge is reverted. A wish of then is past by now; what others vouch for is not.
 */
function changedTopic(
  stood: Topic | undefined,
  now: Topic | undefined,
  { wanted, state, frequency, pausedUntil, appliedToState }: TopicChange,
  data: PreferenceSetData,
): Topic {
  const { recordId, source, givenAt, recordedAt, collection, undoes } = data;
  const before = now ?? newTopic(givenAt);
  const said = saidIn(data, wanted === false);
  if (!appliedToState && !topicStandsAbove(said, stood, recordedAt))
    return wanted && source !== 'API' ? restingOn(before, said) : before;
  const more = { ...(frequency !== undefined && { frequency }), ...(pausedUntil !== undefined && { pausedUntil }) };
  if (wanted === undefined || (!appliedToState && wanted && source === 'API')) return { ...before, ...more };
  if (appliedToState && state === 'PENDING')
    return {
      ...before,
      ...more,
      pending: isOpen(before, recordedAt) ? before.pending : { requestId: null, since: givenAt, until: null },
    };
  const isTakenAway =
    !wanted && undoes === undefined && collection?.method === 'CONFIRMATION_LINK' && before.state === 'GRANTED';
  const { takenAway, undated: _, ...kept } = before;
  return {
    ...kept,
    ...more,
    state: wanted ? 'GRANTED' : 'DENIED',
    recordId,
    source,
    givenAt,
    pending: null,
    ...markOf(said, before.state === 'GRANTED' ? standingTopic(before, recordedAt) : null),
    ...(!wanted && { confirmedAt: null }),
    ...(wanted && undoes !== undefined && { confirmedAt: takenAway?.confirmedAt ?? null }),
    ...(isTakenAway && { takenAway: { confirmedAt: before.confirmedAt } }),
  };
}

/** Whether a link is on its way: asking again does not take it back. */
const isOpen = ({ pending }: Topic, at: Instant): boolean =>
  pending !== null && pending.requestId !== null && pending.until !== null && pending.until > at;

function requested(state: PreferenceState, data: PreferenceConfirmationRequestedData): PreferenceState {
  const { requestId, tokenHash, fields, requestedAt, expiresAt, redirectUrl, text, mail } = data;
  const request: ConfirmationRequest = {
    tokenHash,
    fields: fields.map(({ field, channel, topic }) => ({ field, channel, topic })),
    expiresAt,
    confirmedAt: null,
    expired: false,
    redirectUrl,
    text,
    identifierId: mail?.identifierId ?? null,
  };
  let next = withoutRequests(state, data.ended, takenBack);
  const topics = { ...next.topics };
  for (const { field } of fields) {
    topics[field] = {
      ...(topics[field] ?? newTopic(requestedAt)),
      pending: { requestId, since: requestedAt, until: expiresAt },
    };
  }
  next = {
    ...next,
    topics,
    requests: newestRequests({ ...next.requests, [requestId]: request }),
    updatedAt: requestedAt,
  };
  return mail
    ? {
        ...next,
        mails: {
          ...next.mails,
          [mail.identifierId]: [...(next.mails[mail.identifierId] ?? []), requestedAt].slice(-MOST_MAILS),
        },
      }
    : next;
}

function confirmed(
  state: PreferenceState,
  { recordId, requestId, fields, confirmedAt }: PreferenceConfirmedData,
): PreferenceState {
  const topics = { ...state.topics };
  for (const { field } of fields) {
    const { takenAway: _, undated: __, ...before } = topics[field] ?? newTopic(confirmedAt);
    topics[field] = {
      ...before,
      state: 'GRANTED',
      recordId,
      source: 'API',
      givenAt: confirmedAt,
      confirmedAt,
      pending: null,
    };
  }
  const request = state.requests[requestId];
  return {
    ...state,
    topics,
    requests: request
      ? { ...state.requests, [requestId]: { ...answered(request), confirmedAt, recordId } }
      : state.requests,
    updatedAt: confirmedAt,
  };
}

/** What is left to show to a person who opens its link again. */
const answered = (request: ConfirmationRequest): ConfirmationRequest => ({
  ...request,
  text: { ...request.text, paragraphs: [] },
});

/** Takes back open requests; what they asked for is no longer pending. One that was confirmed or ran out is done and stays. */
function withoutRequests(
  state: PreferenceState,
  requestIds: readonly string[],
  end: (topic: Topic) => Topic,
): PreferenceState {
  const open = requestIds.filter((id) => state.requests[id] && isOpenRequest(state.requests[id]));
  if (open.length === 0) return state;
  const requests = Object.fromEntries(Object.entries(state.requests).filter(([id]) => !open.includes(id)));
  const topics = Object.fromEntries(
    Object.entries(state.topics).map(([field, topic]) => [
      field,
      topic.pending?.requestId && open.includes(topic.pending.requestId) ? end(topic) : topic,
    ]),
  );
  return { ...state, requests, topics };
}

const takenBack = (topic: Topic): Topic => ({ ...topic, pending: null });
/** A wish that ran out differs from one that never was: its time has passed. */
const ranOut = (topic: Topic): Topic =>
  topic.state === 'UNSET' && topic.pending
    ? { ...topic, pending: { ...topic.pending, requestId: null } }
    : takenBack(topic);

/** Kinds of identifier that channels are verified by. */
const CHANNEL_KINDS: readonly string[] = ['email', 'phone'];

function identified(
  state: PreferenceState,
  identifierId: string,
  kind: string | undefined,
  verified: boolean,
): PreferenceState {
  if (kind === undefined || !CHANNEL_KINDS.includes(kind)) return state;
  if (!verified) return { ...state, identifierKinds: { ...state.identifierKinds, [identifierId]: kind } };
  return {
    ...state,
    identifierKinds: without(state.identifierKinds, identifierId),
    verifiedKinds: state.verifiedKinds.includes(kind) ? state.verifiedKinds : [...state.verifiedKinds, kind].sort(),
  };
}

function unidentified(
  state: PreferenceState,
  { removed = [], unverifiedKinds = [] }: SubjectRectified['data'],
): PreferenceState {
  if (removed.length === 0) return state;
  return {
    ...state,
    identifierKinds: removed.reduce((kinds, { identifierId }) => without(kinds, identifierId), state.identifierKinds),
    verifiedKinds: state.verifiedKinds.filter((kind) => !unverifiedKinds.includes(kind)),
  };
}

const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([each]) => each !== key));

/** When what an event says was given. */
function givenAt(event: Exclude<FoldedByPreferences, LifecycleEvent>): Instant {
  switch (event.type) {
    case 'PreferenceSet':
      return event.data.givenAt;
    case 'PreferenceConfirmationRequested':
      return event.data.requestedAt;
    case 'PreferenceConfirmationMailed':
      return event.data.at;
    case 'PreferenceConfirmed':
      return event.data.confirmedAt;
    case 'PreferenceConfirmationExpired':
      return event.data.expiredAt;
    case 'IdentifierAdded':
      return event.data.addedAt;
    case 'IdentifierVerified':
      return event.data.verifiedAt;
    case 'SubjectRectified':
      return event.data.rectifiedAt;
  }
}

export const preferenceFold = {
  on: [
    'PreferenceSet',
    'PreferenceConfirmationRequested',
    'PreferenceConfirmed',
    'PreferenceConfirmationExpired',
    'IdentifierAdded',
    'IdentifierVerified',
    'SubjectRectified',
    ...LIFECYCLE,
  ],
  initial: initialPreferences,
  evolve: evolvePreferences,
  keepsSealed: true,
  snapshots: { name: 'preferences', version: '1' },
  givenAt,
} satisfies SubjectFold<PreferenceState, FoldedByPreferences>;
