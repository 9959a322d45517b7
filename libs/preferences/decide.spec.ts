import { describe, expect, it } from '@jest/globals';
import type { ResolvedField } from '../catalogue/index.js';
import type { DomainEvent } from '../kernel/index.js';
import { decisionTest } from '../kernel/given-when-then.js';
import { checkPreferences, setPreferences, type SetPreferences, type Wish } from './decide.js';
import type { PreferenceConfirmationRequested, PreferenceConfirmed, PreferenceSet } from './events.js';
import { preferenceFold, shownState } from './state.js';
import { preferencesView } from './view.js';

const AT = '2026-11-21T12:00:00.000Z';
const EARLIER = '2026-11-21T11:00:00.000Z';
const LATER = '2026-11-23T12:00:00.000Z';
const NEWS = 'channels.email.topics.news';
type OptIn = 'NONE' | 'REQUIRED' | 'IF_UNVERIFIED';

const resolved = (doubleOptIn: OptIn): ResolvedField => ({
  kind: 'topic',
  channel: 'email',
  topic: 'news',
  definition: {
    key: 'email_news',
    kind: 'TOGGLE',
    label: {},
    help: null,
    channel: 'email',
    topic: 'news',
    purposeKey: null,
    options: [],
    default: null,
    required: false,
    doubleOptIn,
    validation: {},
  },
});
const wish = (more: Partial<Wish>, doubleOptIn: OptIn = 'REQUIRED'): Wish => ({
  resolved: resolved(doubleOptIn),
  field: NEWS,
  ...more,
});
const command = (wishes: Wish[], more: Partial<SetPreferences> = {}): SetPreferences => ({
  recordId: 'rec_2',
  wishes,
  source: 'API',
  template: { version: 1, locale: 'en', contentHash: 'sha256:0' },
  provenance: { keyId: 'key_x' },
  verifiedBy: { email: 'email' },
  ...more,
});

const set = (state: 'GRANTED' | 'DENIED' | 'PENDING', givenAt = EARLIER): PreferenceSet => ({
  type: 'PreferenceSet',
  data: {
    recordId: 'rec_1',
    changes: [
      {
        kind: 'topic',
        field: NEWS,
        channel: 'email',
        topic: 'news',
        previousState: 'UNSET',
        state,
        wanted: state !== 'DENIED',
        appliedToState: true,
      },
    ],
    ended: [],
    source: 'API',
    givenAt,
    recordedAt: EARLIER,
    template: { version: 1, locale: 'en', contentHash: 'sha256:0' },
    actor: { type: 'SUBJECT' },
    provenance: { keyId: 'key_x' },
  },
});
const requested: PreferenceConfirmationRequested = {
  type: 'PreferenceConfirmationRequested',
  data: {
    requestId: 'rec_r',
    tokenHash: 'h',
    fields: [{ field: NEWS, channel: 'email', topic: 'news', previousState: 'UNSET' }],
    ended: [],
    requestedAt: EARLIER,
    expiresAt: LATER,
    redirectUrl: 'https://shop.example/',
    template: { version: 1, locale: 'en', contentHash: 'sha256:0' },
    text: { language: 'en', dir: 'ltr', title: '', paragraphs: [], button: '', footer: '' },
    provenance: { keyId: 'key_x' },
  },
};
const confirmed: PreferenceConfirmed = {
  type: 'PreferenceConfirmed',
  data: {
    recordId: 'rec_c',
    requestId: 'rec_r',
    fields: requested.data.fields,
    confirmedAt: EARLIER,
    via: 'PAGE',
    provenance: { keyId: 'none' },
  },
};
const verified: DomainEvent[] = [
  {
    type: 'IdentifierAdded',
    data: {
      identifierId: 'idn_1',
      kind: 'email',
      value: 'x',
      addedAt: EARLIER,
      verifiedAt: null,
      verificationMethod: null,
      primary: true,
      source: 'API',
    },
  },
  { type: 'IdentifierVerified', data: { identifierId: 'idn_1', method: 'OPERATOR', verifiedAt: EARLIER } },
];

const given = decisionTest(
  preferenceFold as never,
  (wanted: SetPreferences, state) => setPreferences(wanted, state as never, AT) as never,
) as unknown as (...history: DomainEvent[]) => {
  when(wanted: SetPreferences): { then(check: (events: PreferenceSet[]) => void): void; refuses(code: string): void };
};
const becomes =
  (state: string, more: object = {}) =>
  ([event]: PreferenceSet[]): void =>
    expect(event!.data).toMatchObject({ changes: [{ state }], ...more });

describe('a topic that is wanted', () => {
  it('is granted where nobody has to confirm', () =>
    given()
      .when(command([wish({ value: true }, 'NONE')]))
      .then(becomes('GRANTED')));
  it('waits for its double opt-in', () =>
    given()
      .when(command([wish({ value: true })]))
      .then(becomes('PENDING')));
  it('waits for nothing where an importer vouches for it', () =>
    given()
      .when(command([wish({ value: true })], { source: 'IMPORT' }))
      .then(becomes('GRANTED')));
  it('waits for nothing where the address is known and that is enough', () =>
    given(...verified)
      .when(command([wish({ value: true }, 'IF_UNVERIFIED')]))
      .then(becomes('GRANTED')));
  it('waits for nothing where nobody’s address has to be known', () =>
    given()
      .when(command([wish({ value: true }, 'IF_UNVERIFIED')], { verifiedBy: {} }))
      .then(becomes('GRANTED')));
  it('waits where that is not enough', () =>
    given(...verified)
      .when(command([wish({ value: true })]))
      .then(becomes('PENDING')));
  it('waits where the address is not known', () =>
    given(verified[0]!)
      .when(command([wish({ value: true }, 'IF_UNVERIFIED')]))
      .then(becomes('PENDING')));
  it('stays granted once it was', () =>
    given(requested, confirmed)
      .when(command([wish({ value: true })]))
      .then(becomes('GRANTED')));
  it('waits again after a refusal', () =>
    given(requested, confirmed, set('DENIED', AT))
      .when(command([wish({ value: true })]))
      .then(([event]) =>
        expect(event!.data.changes[0]).toMatchObject({
          previousState: 'DENIED',
          state: 'DENIED',
          appliedToState: false,
        }),
      ));
  it('keeps its link where it is asked for again', () =>
    given(requested)
      .when(command([wish({ value: true })]))
      .then(([event]) => {
        expect(event!.data.ended).toEqual([]);
        expect(
          [requested, event!].reduce(preferenceFold.evolve as never, preferenceFold.initial()).topics[NEWS]!.pending,
        ).toEqual({ requestId: 'rec_r', since: EARLIER, until: LATER });
      }));
});

describe('a topic that is refused', () => {
  it('leaves links about other topics alone', () =>
    given({
      ...requested,
      data: { ...requested.data, fields: [{ ...requested.data.fields[0]!, field: 'channels.email.topics.offers' }] },
    })
      .when(command([wish({ value: false })]))
      .then(becomes('DENIED', { ended: [] })));
  it('is denied where an importer says so now, but not against a clock that ran ahead', () =>
    given(set('GRANTED', '2026-11-21T12:04:00.000Z'))
      .when(command([wish({ value: false })], { source: 'IMPORT' }))
      .then(becomes('GRANTED')));
  it('takes a link along that asks about another topic too', () =>
    given({
      ...requested,
      data: {
        ...requested.data,
        fields: [{ ...requested.data.fields[0]!, field: 'channels.email.topics.offers' }, ...requested.data.fields],
      },
    })
      .when(command([wish({ value: false })]))
      .then(becomes('DENIED', { ended: ['rec_r'] })));
  it('is denied, and takes its open link along', () =>
    given(requested)
      .when(command([wish({ value: false })]))
      .then(becomes('DENIED', { ended: ['rec_r'] })));
  it('is denied even where a clock ran ahead', () =>
    given(set('GRANTED', '2026-11-21T12:04:00.000Z'))
      .when(command([wish({ value: false })]))
      .then(becomes('DENIED')));
  it('stays as it is where the refusal is older than the grant', () =>
    given(set('GRANTED'))
      .when(command([wish({ value: false })], { givenAt: '2026-11-21T10:00:00.000Z' }))
      .then(becomes('GRANTED', { ended: [] })));
  it('is not revived by an older import', () =>
    given(set('DENIED'))
      .when(command([wish({ value: true })], { source: 'IMPORT', givenAt: '2020-01-01T00:00:00.000Z' }))
      .then(becomes('DENIED')));
  it.each(['IMPORT', 'MIGRATION'] as const)('is not revived by an undated %s, also while a link is open', (source) => {
    given(set('DENIED'))
      .when(command([wish({ value: true })], { source }))
      .then(becomes('DENIED', { undated: true }));
    given(set('DENIED'), requested)
      .when(command([wish({ value: true })], { source }))
      .then(([event]) => expect(event!.data.changes).toMatchObject([{ appliedToState: false }]));
  });
});

describe('the global opt-out', () => {
  it('ends every open link', () =>
    given(requested)
      .when(command([], { globalOptOut: true }))
      .then(([event]) =>
        expect(event!.data).toMatchObject({
          ended: ['rec_r'],
          globalOptOut: { previousState: 'NONE', state: 'ACTIVE', appliedToState: true },
        }),
      ));
  it('is what it was where the choice is older', () => {
    const opted = (wanted: boolean): PreferenceSet => ({
      ...set('GRANTED'),
      data: {
        ...set('GRANTED').data,
        changes: [],
        globalOptOut: { previousState: 'NONE', state: wanted ? 'ACTIVE' : 'NONE', wanted, appliedToState: true },
      },
    });
    const older = { givenAt: '2026-11-21T10:00:00.000Z' };
    given(opted(true), requested)
      .when(command([], { ...older, globalOptOut: false }))
      .then(([event]) =>
        expect(event!.data).toMatchObject({
          ended: [],
          globalOptOut: { previousState: 'ACTIVE', state: 'ACTIVE', wanted: false, appliedToState: false },
        }),
      );
    given(opted(false), requested)
      .when(command([], { ...older, globalOptOut: true }))
      .then(([event]) =>
        expect(event!.data).toMatchObject({
          ended: [],
          globalOptOut: { previousState: 'NONE', state: 'NONE', wanted: true, appliedToState: false },
        }),
      );
    given(opted(true), requested)
      .when(command([], { globalOptOut: false }))
      .then(([event]) =>
        expect(event!.data).toMatchObject({
          ended: [],
          globalOptOut: { previousState: 'ACTIVE', state: 'NONE', wanted: false, appliedToState: true },
        }),
      );
  });
  it('is lifted by nothing older', () =>
    given()
      .when(command([], { globalOptOut: false, source: 'IMPORT', givenAt: '2020-01-01T00:00:00.000Z' }))
      .then(([event]) => expect(event!.data.globalOptOut).toMatchObject({ state: 'NONE', appliedToState: true })));
});

describe('a typed field', () => {
  const typed = (value: Wish['value'], more: Partial<Wish> = {}): Wish => ({
    resolved: {
      kind: 'field',
      key: 'nickname',
      definition: { ...resolved('NONE').definition, key: 'nickname', kind: 'TEXT', channel: null, topic: null },
    },
    field: 'nickname',
    ...(value !== undefined && { value }),
    ...more,
  });
  const said = (value: string | null, givenAt = EARLIER): PreferenceSet => ({
    ...set('GRANTED', givenAt),
    data: {
      ...set('GRANTED', givenAt).data,
      changes: [
        {
          kind: 'field',
          type: 'TEXT',
          field: 'nickname',
          previousState: 'UNSET',
          state: 'SET',
          value,
          appliedToState: true,
        },
      ],
    },
  });
  const changed =
    (change: object) =>
    ([event]: PreferenceSet[]): void =>
      expect(event!.data.changes).toEqual([{ kind: 'field', type: 'TEXT', field: 'nickname', ...change }]);

  it('is set, and set to something else', () => {
    given()
      .when(command([typed('Ada')]))
      .then(changed({ previousState: 'UNSET', state: 'SET', value: 'Ada', appliedToState: true }));
    given(said('Ada'))
      .when(command([typed('Eva')]))
      .then(changed({ previousState: 'SET', state: 'SET', value: 'Eva', appliedToState: true }));
  });
  it('is cleared, and set again', () => {
    given(said('Ada'))
      .when(command([typed(null)]))
      .then(changed({ previousState: 'SET', state: 'UNSET', value: null, appliedToState: true }));
    given(said(null))
      .when(command([typed('Ada')]))
      .then(changed({ previousState: 'UNSET', state: 'SET', value: 'Ada', appliedToState: true }));
  });
  it('stays as it is where something newer was said', () => {
    given(said('Ada', AT))
      .when(command([typed(null)], { givenAt: EARLIER }))
      .then(changed({ previousState: 'SET', state: 'SET', value: null, appliedToState: false }));
    given(said(null, AT))
      .when(command([typed('Ada')], { givenAt: EARLIER }))
      .then(changed({ previousState: 'UNSET', state: 'UNSET', value: 'Ada', appliedToState: false }));
  });
  it('is not paused', () =>
    given()
      .when(command([typed('Ada', { pausedUntil: LATER })]))
      .refuses('validation_failed'));
});

describe('what is kept of a choice', () => {
  const event = (more: Partial<SetPreferences>, history: DomainEvent[] = []) => {
    let data: PreferenceSet['data'] | undefined;
    given(...history)
      .when(command([wish({ value: true, frequency: 'WEEKLY', pausedUntil: LATER }, 'NONE')], more))
      .then(([only]) => (data = only!.data));
    return data!;
  };
  it('is everything that was said, and nothing that was not', () => {
    expect(event({})).toEqual({
      recordId: 'rec_2',
      changes: [
        {
          kind: 'topic',
          field: NEWS,
          channel: 'email',
          topic: 'news',
          previousState: 'UNSET',
          state: 'GRANTED',
          wanted: true,
          frequency: 'WEEKLY',
          pausedUntil: LATER,
          appliedToState: true,
        },
      ],
      ended: [],
      source: 'API',
      givenAt: AT,
      recordedAt: AT,
      template: { version: 1, locale: 'en', contentHash: 'sha256:0' },
      actor: { type: 'SUBJECT' },
      provenance: { keyId: 'key_x' },
    });
    expect(Object.keys(event({}))).not.toContain('undoes');
    expect(event({ undoes: 'rec_1' }).undoes).toBe('rec_1');
    expect(
      event({
        actor: { type: 'GUARDIAN' },
        metadata: { campaign: 'x' },
        collection: { method: 'TOGGLE', surface: 'BANNER' },
        givenAt: EARLIER,
      }),
    ).toMatchObject({
      actor: { type: 'GUARDIAN' },
      metadata: { campaign: 'x' },
      collection: { method: 'TOGGLE', surface: 'BANNER' },
      givenAt: EARLIER,
      recordedAt: AT,
    });
  });
  it('is of a page’s address only origin and path', () =>
    expect(
      event({ collection: { method: 'TOGGLE', surface: 'BANNER', url: 'https://shop.example/a?b=c#d' } }).collection,
    ).toEqual({ method: 'TOGGLE', surface: 'BANNER', url: 'https://shop.example/a' }));
  it('says nothing of a decision where only the frequency is chosen', () =>
    given(set('DENIED'))
      .when(command([wish({ frequency: null })]))
      .then(([only]) =>
        expect(only!.data.changes).toEqual([
          {
            kind: 'topic',
            field: NEWS,
            channel: 'email',
            topic: 'news',
            previousState: 'DENIED',
            state: 'DENIED',
            frequency: null,
            appliedToState: true,
          },
        ]),
      ));
});

describe('what needs no history', () => {
  const issueOf = (wanted: SetPreferences) => checkPreferences(wanted, AT)?.issues[0]!.path;
  it('is found with its place', () => {
    expect(issueOf(command([]))).toBe('values');
    expect(issueOf(command([wish({ value: true }), wish({ value: true })]))).toBe('values[1].field');
    expect(issueOf(command([wish({})]))).toBe('values[0]');
    expect(issueOf(command([wish({ pausedUntil: AT })]))).toBe('values[0].pausedUntil');
    const typed: Wish = {
      resolved: { kind: 'field', key: 'a', definition: resolved('NONE').definition },
      field: 'a',
      pausedUntil: LATER,
    };
    expect(issueOf(command([wish({ value: true }), typed]))).toBe('values[1].pausedUntil');
  });
  it.each<[string, SetPreferences]>([
    ['an opt-out alone', command([], { globalOptOut: false })],
    ['a frequency alone', command([wish({ frequency: 'WEEKLY' })])],
    ['the end of a pause', command([wish({ pausedUntil: null })])],
    ['a pause', command([wish({ pausedUntil: '2026-11-21T12:00:00.001Z' })])],
    ['five minutes ahead', command([wish({ value: true })], { givenAt: '2026-11-21T12:05:00.000Z' })],
    ['a day back', command([wish({ value: true })], { givenAt: '2026-11-20T12:00:00.000Z' })],
    ['any time back for an import', command([wish({ value: true })], { givenAt: EARLIER, source: 'IMPORT' })],
    [
      'years back for an import',
      command([wish({ value: true })], { givenAt: '2011-01-01T00:00:00.000Z', source: 'IMPORT' }),
    ],
  ])('is nothing of %s', (_, wanted) => expect(checkPreferences(wanted, AT)).toBeNull());
});

describe('what is refused', () => {
  it.each<[string, SetPreferences, string]>([
    ['nothing at all', command([]), 'validation_failed'],
    ['a topic twice', command([wish({ value: true }), wish({ value: false })]), 'validation_failed'],
    ['a topic of which nothing is said', command([wish({})]), 'validation_failed'],
    ['a pause that is over', command([wish({ pausedUntil: AT })]), 'validation_failed'],
    [
      'a time to come',
      command([wish({ value: true })], { givenAt: '2026-11-21T12:05:00.001Z' }),
      'timestamp_in_future',
    ],
    [
      'a time long past',
      command([wish({ value: true })], { givenAt: '2026-11-20T11:59:59.999Z' }),
      'validation_failed',
    ],
  ])('is %s', (_, wanted, code) => given().when(wanted).refuses(code));
});

describe('what is shown', () => {
  const after = (...events: DomainEvent[]) =>
    events.reduce(preferenceFold.evolve as never, preferenceFold.initial()) as ReturnType<
      typeof preferenceFold.initial
    >;
  it('is PENDING until the link runs out, then EXPIRED', () =>
    expect([EARLIER, LATER].map((at) => shownState(after(requested).topics[NEWS], at))).toEqual([
      'PENDING',
      'EXPIRED',
    ]));
  it('is DENIED again where a wish after a refusal runs out', () =>
    expect(shownState(after(set('DENIED'), requested).topics[NEWS], LATER)).toBe('DENIED'));
  it('is a grant, whatever is asked for beside it', () =>
    expect([EARLIER, LATER].map((at) => shownState(after(set('GRANTED'), requested).topics[NEWS], at))).toEqual([
      'GRANTED',
      'GRANTED',
    ]));

  it('names the first reason why nothing may be sent', () => {
    const view = (...events: DomainEvent[]) =>
      preferencesView(
        { subjectId: 'sub_1', revision: 1, updatedAt: AT, choices: after(...events), valueOf: () => undefined },
        [{ key: 'email', verifiedBy: 'email', topics: ['news'] }],
        AT,
      ).channels['email']!.topics['news'];
    const [granted] = [set('GRANTED')];
    const paused: PreferenceSet = {
      ...granted,
      data: { ...granted.data, changes: [{ ...granted.data.changes[0]!, pausedUntil: LATER } as never] },
    };
    const optedOut: PreferenceSet = {
      ...granted,
      data: {
        ...granted.data,
        changes: [],
        globalOptOut: { previousState: 'NONE', state: 'ACTIVE', wanted: true, appliedToState: true },
      },
    };
    expect(
      [view(), view(set('DENIED')), view(requested), view(granted), view(paused), view(paused, optedOut)].map(
        (topic) => topic!.blockedBy,
      ),
    ).toEqual(['UNSET', 'DENIED', 'PENDING', null, 'PAUSED', 'GLOBAL_OPT_OUT']);
  });
});
