import { sameUlid, type Instant } from '../kernel/index.js';
import type { FieldValue, PreferenceChange, PreferenceSetData, TopicState } from './events.js';
import { shownState, type PreferenceChoices, type Topic } from './topics.js';

/**
 * Part of every ETag of preferences. Raise it with any change after which the same events and the same template are
 * answered differently: clients then fetch the answer of an older release again.
 */
export const PREFERENCES_VIEW_VERSION = 1;

/** Why nothing may be sent: the first of them that holds. */
export const BLOCKED_BY = ['GLOBAL_OPT_OUT', 'DENIED', 'PENDING', 'EXPIRED', 'UNSET', 'PAUSED'] as const;

export interface TopicView {
  state: TopicState;
  since: Instant | null;
  confirmedAt: Instant | null;
  expiresAt: Instant | null;
  frequency: string | null;
  pausedUntil: Instant | null;
  sendable: boolean;
  blockedBy: (typeof BLOCKED_BY)[number] | null;
}

export interface ChannelView {
  state: TopicState;
  verified: boolean;
  topics: Record<string, TopicView>;
}

export interface PreferencesView {
  subject: { id: string | null };
  revision: number;
  updatedAt: Instant | null;
  globalOptOut: { state: 'NONE' | 'ACTIVE'; since: Instant | null };
  channels: Record<string, ChannelView>;
  fields: Record<string, { type: string; value: FieldValue; updatedAt: Instant }>;
}

/** A channel as the template has it, with its topics. */
export interface KnownChannel {
  key: string;
  /** The kind of identifier that must be verified; null: the channel reaches the person without an address. */
  verifiedBy: string | null;
  topics: readonly string[];
}

export interface Shown {
  subjectId: string | null;
  revision: number;
  updatedAt: Instant | null;
  choices: PreferenceChoices;
  /** Opens the value of a typed field; undefined where it is forgotten, null where it was cleared. */
  valueOf: (value: unknown) => FieldValue | undefined;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** What a subject wants, channel by channel: every topic of the template, and those that were chosen before it changed. */
export function preferencesView(
  { subjectId, revision, updatedAt, choices, valueOf }: Shown,
  template: readonly KnownChannel[],
  at: Instant,
): PreferencesView {
  const channels: Record<string, ChannelView> = {};
  const known = new Map(template.map((channel) => [channel.key, channel]));
  const topics = new Map(template.map(({ key, topics: names }) => [key, new Set(names)]));
  for (const path of Object.keys(choices.topics)) {
    const { channel, topic } = topicOf(path);
    topics.set(channel, (topics.get(channel) ?? new Set()).add(topic));
  }
  for (const [channel, names] of [...topics].sort(byName)) {
    const views = Object.fromEntries(
      [...names]
        .sort()
        .map((topic) => [topic, topicView(choices.topics[`channels.${channel}.topics.${topic}`], choices, at)]),
    );
    const verifiedBy = known.get(channel)?.verifiedBy ?? null;
    channels[channel] = {
      state: channelState(Object.values(views)),
      verified: verifiedBy === null || choices.verifiedKinds.includes(verifiedBy),
      topics: views,
    };
  }
  const fields: PreferencesView['fields'] = {};
  for (const [key, { type, value, givenAt }] of Object.entries(choices.fields).sort(byName)) {
    const opened = valueOf(value);
    if (opened !== undefined && opened !== null) fields[key] = { type, value: opened, updatedAt: givenAt };
  }
  const { globalOptOut } = choices;
  return {
    subject: { id: subjectId },
    revision,
    updatedAt,
    globalOptOut: { state: globalOptOut?.active ? 'ACTIVE' : 'NONE', since: globalOptOut?.since ?? null },
    channels,
    fields,
  };
}

function topicView(topic: Topic | undefined, { globalOptOut }: PreferenceChoices, at: Instant): TopicView {
  const state = shownState(topic, at);
  const pausedUntil = topic?.pausedUntil && topic.pausedUntil > at ? topic.pausedUntil : null;
  const blockedBy = globalOptOut?.active
    ? 'GLOBAL_OPT_OUT'
    : state !== 'GRANTED'
      ? state
      : pausedUntil !== null
        ? 'PAUSED'
        : null;
  const waiting = state === 'PENDING' ? topic!.pending : null;
  return {
    state,
    since:
      state === 'UNSET' ? null : (waiting?.since ?? (state === 'EXPIRED' ? topic!.pending!.until : topic!.givenAt)),
    confirmedAt: topic?.confirmedAt ?? null,
    expiresAt: waiting?.until ?? null,
    frequency: topic?.frequency ?? null,
    pausedUntil,
    sendable: blockedBy === null,
    blockedBy,
  };
}

/** The most that any of its topics allows. */
function channelState(topics: readonly TopicView[]): TopicState {
  for (const state of ['GRANTED', 'PENDING', 'DENIED', 'EXPIRED'] as const)
    if (topics.some((topic) => topic.state === state)) return state;
  return 'UNSET';
}

export function topicOf(path: string): { channel: string; topic: string } {
  const [, channel = '', topic = ''] = /^channels\.(.+)\.topics\.(.+)$/.exec(path) ?? [];
  return { channel, topic };
}

export interface PreferenceRecordView {
  id: string;
  object: 'preference_record';
  subject: { id: string };
  changes: {
    field: string;
    channel: string | null;
    previousState: string;
    state: string;
    value: FieldValue;
    appliedToState: boolean;
  }[];
  globalOptOut: { previousState: string; state: string; appliedToState: boolean } | null;
  source: string;
  givenAt: Instant;
  recordedAt: Instant;
  sequence: number;
  receiptId: string;
}

/** The answer to a write: built from the stored event alone, so that a replay is the same to the byte. */
export function preferenceRecordView(
  subjectId: string,
  sequence: number,
  data: PreferenceSetData,
): PreferenceRecordView {
  return {
    id: data.recordId,
    object: 'preference_record',
    subject: { id: subjectId },
    changes: data.changes.map(changeView),
    globalOptOut: data.globalOptOut
      ? {
          previousState: data.globalOptOut.previousState,
          state: data.globalOptOut.state,
          appliedToState: data.globalOptOut.appliedToState,
        }
      : null,
    source: data.source,
    givenAt: data.givenAt,
    recordedAt: data.recordedAt,
    sequence,
    receiptId: sameUlid('rct', data.recordId),
  };
}

const changeView = (change: PreferenceChange): PreferenceRecordView['changes'][number] => ({
  field: change.field,
  channel: change.kind === 'topic' ? change.channel : null,
  previousState: change.previousState,
  state: change.state,
  value: change.kind === 'topic' ? (change.wanted ?? null) : change.value,
  appliedToState: change.appliedToState,
});
