import { describe, expect, it } from '@jest/globals';
import type { ResolvedField } from '../catalogue/index.js';
import type { DomainEvent } from '../kernel/index.js';
import { decisionTest } from '../kernel/given-when-then.js';
import { setPreferences, type SetPreferences, type Wish } from './decide.js';
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
  it('is lifted by nothing older', () =>
    given()
      .when(command([], { globalOptOut: false, source: 'IMPORT', givenAt: '2020-01-01T00:00:00.000Z' }))
      .then(([event]) => expect(event!.data.globalOptOut).toMatchObject({ state: 'NONE', appliedToState: true })));
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
