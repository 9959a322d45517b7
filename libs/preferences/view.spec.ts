import { nothingChosen, type PreferenceChoices, type Topic } from './topics.js';
import { preferenceRecordView, preferencesView, topicOf, type KnownChannel } from './view.js';
import type { PreferenceSetData } from './events.js';

const AT = '2026-11-21T12:00:00.000Z';
const BEFORE = '2026-11-01T00:00:00.000Z';
const LATER = '2026-11-23T12:00:00.000Z';
const EMAIL: KnownChannel = { key: 'email', verifiedBy: 'email', topics: ['news'] };

const topic = (more: Partial<Topic> = {}): Topic => ({
  state: 'GRANTED',
  recordId: 'rec_1',
  source: 'API',
  givenAt: BEFORE,
  confirmedAt: null,
  frequency: null,
  pausedUntil: null,
  pending: null,
  ...more,
});
const choosing = (more: Partial<PreferenceChoices>): PreferenceChoices => ({ ...nothingChosen(), ...more });
const shown = (choices: PreferenceChoices, template: readonly KnownChannel[] = [EMAIL], at = AT) =>
  preferencesView(
    {
      subjectId: 'sub_1',
      revision: 3,
      updatedAt: BEFORE,
      choices,
      valueOf: (value) => (value === 'forgotten' ? undefined : (value as string | null)),
    },
    template,
    at,
  );
const NEWS = 'channels.email.topics.news';
const news = (one: Topic, more: Partial<PreferenceChoices> = {}, at = AT) =>
  shown(choosing({ topics: { [NEWS]: one }, ...more }), [EMAIL], at).channels['email']!.topics['news'];
const NOTHING = {
  state: 'UNSET',
  since: null,
  confirmedAt: null,
  expiresAt: null,
  frequency: null,
  pausedUntil: null,
  sendable: false,
  blockedBy: 'UNSET',
};

describe('preferences as they are shown', () => {
  it('have every topic of the template, chosen or not', () =>
    expect(shown(nothingChosen())).toEqual({
      subject: { id: 'sub_1' },
      revision: 3,
      updatedAt: BEFORE,
      globalOptOut: { state: 'NONE', since: null },
      channels: { email: { state: 'UNSET', verified: false, topics: { news: NOTHING } } },
      fields: {},
    }));

  it('have those that the template has dropped, by name', () => {
    const { channels } = shown(
      choosing({
        topics: {
          'channels.sms.topics.alerts': topic(),
          'channels.email.topics.old': topic(),
          'channels.email.topics.a': topic(),
        },
      }),
      [EMAIL, { key: 'app', verifiedBy: null, topics: [] }],
    );
    expect(Object.entries(channels).map(([name, channel]) => [name, Object.keys(channel.topics)])).toEqual([
      ['app', []],
      ['email', ['a', 'news', 'old']],
      ['sms', ['alerts']],
    ]);
  });

  it('say of a channel whether the address is verified, where it has to be', () => {
    const verified = (verifiedKinds: string[]) =>
      Object.entries(
        shown(choosing({ verifiedKinds }), [EMAIL, { key: 'app', verifiedBy: null, topics: [] }]).channels,
      ).map(([name, channel]) => [name, channel.verified]);
    expect(verified([])).toEqual([
      ['app', true],
      ['email', false],
    ]);
    expect(verified(['phone'])[1]).toEqual(['email', false]);
    expect(verified(['email'])[1]).toEqual(['email', true]);
  });

  it('say of a channel the most that one of its topics allows', () => {
    const pending = topic({ state: 'UNSET', pending: { requestId: 'r', since: BEFORE, until: LATER } });
    const expired = topic({ state: 'UNSET', pending: { requestId: 'r', since: BEFORE, until: AT } });
    const state = (...topics: Topic[]) =>
      shown(choosing({ topics: Object.fromEntries(topics.map((each, i) => [`channels.email.topics.t${i}`, each])) }))
        .channels['email']!.state;
    const denied = topic({ state: 'DENIED' });
    expect([
      state(),
      state(expired),
      state(expired, denied),
      state(denied, pending, expired),
      state(expired, denied, pending, topic()),
    ]).toEqual(['UNSET', 'EXPIRED', 'DENIED', 'PENDING', 'GRANTED']);
  });

  it('tell of a grant since when it holds, and that it can be sent', () =>
    expect(news(topic({ confirmedAt: LATER, frequency: 'WEEKLY' }))).toEqual({
      state: 'GRANTED',
      since: BEFORE,
      confirmedAt: LATER,
      expiresAt: null,
      frequency: 'WEEKLY',
      pausedUntil: null,
      sendable: true,
      blockedBy: null,
    }));

  it('tell of a wish since when it waits and until when, then that it ran out', () => {
    const wish = topic({
      state: 'UNSET',
      pending: { requestId: 'r', since: '2026-11-21T00:00:00.000Z', until: LATER },
    });
    expect(news(wish)).toEqual({
      ...NOTHING,
      state: 'PENDING',
      since: '2026-11-21T00:00:00.000Z',
      expiresAt: LATER,
      blockedBy: 'PENDING',
    });
    expect(news(wish, {}, LATER)).toEqual({ ...NOTHING, state: 'EXPIRED', since: LATER, blockedBy: 'EXPIRED' });
    expect(news(topic({ state: 'DENIED' }))).toMatchObject({ state: 'DENIED', since: BEFORE, blockedBy: 'DENIED' });
  });

  it('tell of a pause while it lasts', () => {
    expect(news(topic({ pausedUntil: LATER }))).toMatchObject({
      pausedUntil: LATER,
      sendable: false,
      blockedBy: 'PAUSED',
    });
    expect(news(topic({ pausedUntil: AT }))).toMatchObject({ pausedUntil: null, sendable: true, blockedBy: null });
  });

  it('let a global opt-out block everything, until it is taken back', () => {
    const optedOut = (active: boolean) =>
      choosing({ topics: { [NEWS]: topic() }, globalOptOut: { active, since: LATER } });
    expect(shown(optedOut(true))).toMatchObject({
      globalOptOut: { state: 'ACTIVE', since: LATER },
      channels: { email: { topics: { news: { state: 'GRANTED', sendable: false, blockedBy: 'GLOBAL_OPT_OUT' } } } },
    });
    expect(shown(optedOut(false))).toMatchObject({
      globalOptOut: { state: 'NONE', since: LATER },
      channels: { email: { topics: { news: { sendable: true } } } },
    });
  });

  it('have typed fields by name, without those that were cleared or are forgotten', () => {
    const field = (value: string | null) => ({
      type: 'TEXT',
      value,
      recordId: 'rec_1',
      source: 'API' as const,
      givenAt: BEFORE,
    });
    expect(
      Object.entries(
        shown(choosing({ fields: { z: field('1'), b: field(null), a: field('2'), c: field('forgotten') } })).fields,
      ),
    ).toEqual([
      ['a', { type: 'TEXT', value: '2', updatedAt: BEFORE }],
      ['z', { type: 'TEXT', value: '1', updatedAt: BEFORE }],
    ]);
  });

  it('take a path apart into channel and topic', () => {
    expect(topicOf(NEWS)).toEqual({ channel: 'email', topic: 'news' });
    expect(['xchannels.a.topics.b', 'constructor', 'channels..topics.b'].map(topicOf)).toEqual(
      Array.from({ length: 3 }, () => ({ channel: '', topic: '' })),
    );
  });
});

describe('the answer to a write', () => {
  const data: PreferenceSetData = {
    recordId: 'rec_00000000000000000000000001',
    changes: [
      {
        kind: 'topic',
        field: NEWS,
        channel: 'email',
        topic: 'news',
        previousState: 'UNSET',
        state: 'PENDING',
        wanted: true,
        appliedToState: true,
      },
      {
        kind: 'topic',
        field: 'channels.email.topics.offers',
        channel: 'email',
        topic: 'offers',
        previousState: 'GRANTED',
        state: 'GRANTED',
        frequency: 'WEEKLY',
        appliedToState: false,
      },
      {
        kind: 'field',
        type: 'TEXT',
        field: 'nickname',
        previousState: 'UNSET',
        state: 'SET',
        value: 'Ada',
        appliedToState: true,
      },
    ],
    ended: [],
    source: 'IMPORT',
    givenAt: BEFORE,
    recordedAt: AT,
    template: { version: 1, locale: 'en', contentHash: 'sha256:0' },
    actor: { type: 'SUBJECT' },
    provenance: { keyId: 'key_x' },
  };

  it('is what the event says', () =>
    expect(preferenceRecordView('sub_1', 7, data)).toEqual({
      id: 'rec_00000000000000000000000001',
      object: 'preference_record',
      subject: { id: 'sub_1' },
      changes: [
        { field: NEWS, channel: 'email', previousState: 'UNSET', state: 'PENDING', value: true, appliedToState: true },
        {
          field: 'channels.email.topics.offers',
          channel: 'email',
          previousState: 'GRANTED',
          state: 'GRANTED',
          value: null,
          appliedToState: false,
        },
        { field: 'nickname', channel: null, previousState: 'UNSET', state: 'SET', value: 'Ada', appliedToState: true },
      ],
      globalOptOut: null,
      source: 'IMPORT',
      givenAt: BEFORE,
      recordedAt: AT,
      sequence: 7,
      receiptId: 'rct_00000000000000000000000001',
    }));

  it('tells of a global opt-out where it was named', () =>
    expect(
      preferenceRecordView('sub_1', 7, {
        ...data,
        globalOptOut: { previousState: 'NONE', state: 'ACTIVE', wanted: true, appliedToState: true },
      }).globalOptOut,
    ).toEqual({ previousState: 'NONE', state: 'ACTIVE', appliedToState: true }));
});
