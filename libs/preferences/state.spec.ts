import { fold, type DomainEvent } from '../kernel/index.js';
import { ON_ITS_OWN } from '../subjects/standing.js';
import type { PreferenceChange, PreferenceConfirmationRequestedData, PreferenceSetData } from './events.js';
import {
  initialPreferences,
  isUntouched,
  preferenceFold,
  shownState,
  type FoldedByPreferences,
  type PreferenceState,
} from './state.js';

const at = (hour: number): string => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;
const NEWS = 'channels.email.topics.news';
const template = { version: 1, locale: 'en', contentHash: 'sha256:0' };
const provenance = { keyId: 'key_x' };

const set = (
  hour: number,
  changes: PreferenceChange[],
  more: Partial<PreferenceSetData> = {},
): FoldedByPreferences => ({
  type: 'PreferenceSet',
  data: {
    recordId: `rec_${hour}`,
    changes,
    ended: [],
    source: 'API',
    givenAt: at(hour),
    recordedAt: at(hour),
    template,
    actor: { type: 'SUBJECT' },
    provenance,
    ...more,
  },
});
const change = (
  state: 'GRANTED' | 'DENIED' | 'PENDING',
  more: Partial<Extract<PreferenceChange, { kind: 'topic' }>> = {},
): PreferenceChange => ({
  kind: 'topic',
  field: NEWS,
  channel: 'email',
  topic: 'news',
  previousState: 'UNSET',
  state,
  wanted: state !== 'DENIED',
  appliedToState: true,
  ...more,
});
const typed = (value: string | null, appliedToState = true): PreferenceChange => ({
  kind: 'field',
  type: 'TEXT',
  field: 'nickname',
  previousState: 'UNSET',
  state: 'SET',
  value,
  appliedToState,
});
const requested = (hour: number, more: Partial<PreferenceConfirmationRequestedData> = {}): FoldedByPreferences => ({
  type: 'PreferenceConfirmationRequested',
  data: {
    requestId: `req_${hour}`,
    tokenHash: 'h',
    fields: [{ field: NEWS, channel: 'email', topic: 'news', previousState: 'UNSET' }],
    ended: [],
    requestedAt: at(hour),
    expiresAt: at(23),
    redirectUrl: 'https://shop.example/',
    template,
    text: { language: 'en', dir: 'ltr', title: 'Confirm', paragraphs: ['News?'], button: 'Yes', footer: 'f' },
    provenance,
    ...more,
  },
});
const confirmed = (hour: number, requestId: string): FoldedByPreferences => ({
  type: 'PreferenceConfirmed',
  data: {
    recordId: `rec_${hour}`,
    requestId,
    fields: [{ field: NEWS, channel: 'email', topic: 'news', previousState: 'PENDING' }],
    confirmedAt: at(hour),
    via: 'PAGE',
    provenance,
  },
});
const expired = (hour: number, requestId: string): FoldedByPreferences => ({
  type: 'PreferenceConfirmationExpired',
  data: { requestId, fields: [], expiredAt: at(hour) },
});
const identifier = (identifierId: string, kind: string, verifiedAt: string | null = null): FoldedByPreferences =>
  ({
    type: 'IdentifierAdded',
    data: {
      identifierId,
      kind,
      value: 'x',
      addedAt: at(1),
      verifiedAt,
      verificationMethod: null,
      primary: true,
      source: 'API',
    },
  }) as FoldedByPreferences;
const verified = (identifierId: string): FoldedByPreferences => ({
  type: 'IdentifierVerified',
  data: { identifierId, method: 'OPERATOR', verifiedAt: at(2) },
});
const after = (...events: FoldedByPreferences[]): PreferenceState => fold(preferenceFold, events);
const news = (...events: FoldedByPreferences[]) => after(...events).topics[NEWS];

describe('kinds that are verified', () => {
  it('are those of identifiers that the subject still has', () => {
    const rectified = (unverifiedKinds: string[]): FoldedByPreferences => ({
      type: 'SubjectRectified',
      data: { rectifiedAt: at(9), removed: [{ identifierId: 'idn_1', kind: 'email' }], unverifiedKinds },
    });
    const known = [identifier('idn_1', 'email'), verified('idn_1')];
    expect(after(...known).verifiedKinds).toEqual(['email']);
    expect(after(...known, rectified([])).verifiedKinds).toEqual(['email']);
    expect(after(...known, rectified(['email'])).verifiedKinds).toEqual([]);
    const gone = after(identifier('idn_1', 'email'), rectified(['email']), verified('idn_1'));
    expect([gone.identifierKinds, gone.verifiedKinds]).toEqual([{}, []]);
  });
});

describe('a topic', () => {
  it('holds the decision with who said it when', () => {
    const state = after(set(3, [change('GRANTED')], { source: 'IMPORT' }));
    expect(state.topics[NEWS]).toEqual({
      state: 'GRANTED',
      recordId: 'rec_3',
      source: 'IMPORT',
      givenAt: at(3),
      confirmedAt: null,
      frequency: null,
      pausedUntil: null,
      pending: null,
    });
    expect(state.updatedAt).toBe(at(3));
  });

  /** What did not apply when it was recorded is weighed again, against what is known now. */
  const late = (decision: 'GRANTED' | 'DENIED') =>
    set(3, [change(decision, { appliedToState: false })], { recordId: 'rec_late', source: 'IMPORT' });

  it('is refused by a refusal that came late, of the very moment of the grant', () =>
    expect(news(set(3, [change('GRANTED')]), late('DENIED'))).toMatchObject({ state: 'DENIED', recordId: 'rec_late' }));

  it('is not granted by a grant that came late, of the very moment of the refusal', () =>
    expect(news(set(3, [change('DENIED')], { source: 'IMPORT' }), late('GRANTED'))).toMatchObject({
      state: 'DENIED',
      recordId: 'rec_3',
    }));

  it('waits where it has to be confirmed, and stays what it was meanwhile', () =>
    expect(news(set(2, [change('DENIED')]), set(3, [change('PENDING')]))).toMatchObject({
      state: 'DENIED',
      recordId: 'rec_2',
      pending: { requestId: null, since: at(3), until: null },
    }));

  it('keeps a link that is open, and begins anew where it has run out', () => {
    const open = requested(2, { expiresAt: at(5) });
    expect(news(open, set(4, [change('PENDING')]))!.pending).toEqual({
      requestId: 'req_2',
      since: at(2),
      until: at(5),
    });
    expect(news(open, set(5, [change('PENDING')]))!.pending).toEqual({ requestId: null, since: at(5), until: null });
  });

  it('takes frequency and pause along, named alone or with the decision, and keeps them where they are not named', () => {
    const named = { frequency: 'WEEKLY', pausedUntil: at(20) };
    expect(news(set(2, [change('GRANTED', named)]))).toMatchObject(named);
    expect(news(set(2, [change('PENDING', named)]))).toMatchObject({ ...named, state: 'UNSET' });
    const { wanted: _, ...alone } = change('GRANTED', named) as Extract<PreferenceChange, { kind: 'topic' }>;
    const first = set(2, [change('GRANTED')]);
    expect(news(first, set(3, [alone]))).toMatchObject({
      ...named,
      state: 'GRANTED',
      recordId: 'rec_2',
      givenAt: at(2),
    });
    expect(news(first, set(3, [alone]), set(4, [change('GRANTED')]))).toMatchObject({ ...named, recordId: 'rec_4' });
    expect(news(first, set(3, [alone]), set(4, [change('GRANTED', { frequency: null })]))).toMatchObject({
      frequency: null,
      pausedUntil: at(20),
    });
  });

  it('is confirmed with the time of the click, and no longer confirmed once it is refused', () => {
    const done = [requested(2), confirmed(3, 'req_2')];
    expect(news(...done)).toMatchObject({ state: 'GRANTED', confirmedAt: at(3), givenAt: at(3), recordId: 'rec_3' });
    expect(news(...done, set(4, [change('GRANTED')]))).toMatchObject({ confirmedAt: at(3), recordId: 'rec_4' });
    expect(news(...done, set(4, [change('DENIED')]))).toMatchObject({ state: 'DENIED', confirmedAt: null });
  });

  it('is confirmed with what was chosen about it before', () => {
    expect(news(set(1, [change('PENDING', { frequency: 'WEEKLY' })]), requested(2), confirmed(3, 'req_2'))).toEqual({
      state: 'GRANTED',
      recordId: 'rec_3',
      source: 'API',
      givenAt: at(3),
      confirmedAt: at(3),
      frequency: 'WEEKLY',
      pausedUntil: null,
      pending: null,
    });
    // The request itself may have been dropped, and with it what it was about.
    expect(news(confirmed(3, 'req_2'))).toMatchObject({ state: 'GRANTED', frequency: null, pausedUntil: null });
  });

  it('is changed by what did not apply only where nothing stands above it any more', () => {
    const late = (hour: number, state: 'GRANTED' | 'DENIED', source: 'API' | 'IMPORT') =>
      set(hour, [change(state, { appliedToState: false })], { source });
    // As it was recorded: something newer stood above it.
    expect(news(set(5, [change('DENIED')]), late(3, 'GRANTED', 'IMPORT'))).toMatchObject({ state: 'DENIED' });
    // Read as of an earlier time, or without a merge, what stood above it is not there.
    expect(news(late(3, 'GRANTED', 'IMPORT'))).toMatchObject({ state: 'GRANTED', recordId: 'rec_3' });
    expect(news(late(3, 'DENIED', 'API'))).toMatchObject({ state: 'DENIED' });
    // A wish of the subject would have had to be confirmed, and its time has passed.
    expect(news(late(3, 'GRANTED', 'API'))).toMatchObject({ state: 'UNSET', recordId: null, givenAt: at(3) });
  });

  it('said twice at one time is refused: the refusal stands, whichever was recorded first', () => {
    const said = (state: 'GRANTED' | 'DENIED', appliedToState: boolean) =>
      set(5, [change(state, { appliedToState })], { source: 'IMPORT', recordId: `rec_${state}` });
    expect(news(said('GRANTED', true), said('DENIED', false))).toMatchObject({
      state: 'DENIED',
      recordId: 'rec_DENIED',
    });
    expect(news(said('DENIED', true), said('GRANTED', false))).toMatchObject({
      state: 'DENIED',
      recordId: 'rec_DENIED',
    });
  });

  it('that is refused takes no frequency that was said at the same time and did not apply', () => {
    const { wanted: _, ...often } = change('DENIED', { frequency: 'DAILY', appliedToState: false }) as Extract<
      PreferenceChange,
      { kind: 'topic' }
    >;
    expect(news(set(5, [change('DENIED')]), set(5, [often]))).toMatchObject({ state: 'DENIED', frequency: null });
    // After the refusal it counts, before it does not.
    expect(news(set(5, [change('DENIED')]), set(6, [often]))).toMatchObject({ state: 'DENIED', frequency: 'DAILY' });
    expect(news(set(5, [change('DENIED')]), set(4, [often]))).toMatchObject({ state: 'DENIED', frequency: null });
  });
});

describe('what a link did', () => {
  const LINK = { collection: { method: 'CONFIRMATION_LINK', surface: 'FORM' } } as const;
  const confirmedOnce = [requested(2), confirmed(3, 'req_2')];
  const left = (hour: number) => set(hour, [change('DENIED')], LINK);
  const undoing = (hour: number, undoes: string, state: 'GRANTED' | 'DENIED') =>
    set(hour, [change(state)], { ...LINK, undoes });

  it('away from a grant is remembered with how it was confirmed, and given back as it was', () => {
    const away = news(...confirmedOnce, left(4));
    expect(away).toMatchObject({ state: 'DENIED', confirmedAt: null, takenAway: { confirmedAt: at(3) } });
    const back = news(...confirmedOnce, left(4), undoing(5, 'rec_4', 'GRANTED'));
    expect(back).toMatchObject({ state: 'GRANTED', recordId: 'rec_5', confirmedAt: at(3) });
    expect(back).not.toHaveProperty('takenAway');
    const unconfirmed = [set(3, [change('GRANTED')]), left(4)];
    expect(news(...unconfirmed)!.takenAway).toEqual({ confirmedAt: null });
    expect(news(...unconfirmed, undoing(5, 'rec_4', 'GRANTED'))!.confirmedAt).toBeNull();
  });

  it('is remembered of no refusal that took nothing away, or that was made in another way', () => {
    expect(news(left(4))).not.toHaveProperty('takenAway');
    expect(news(set(3, [change('DENIED')]), left(4))).not.toHaveProperty('takenAway');
    const toggled = { collection: { method: 'TOGGLE', surface: 'FORM' } } as const;
    expect(news(...confirmedOnce, set(4, [change('DENIED')], toggled))).not.toHaveProperty('takenAway');
    expect(news(...confirmedOnce, set(4, [change('DENIED')]))).not.toHaveProperty('takenAway');
    expect(news(...confirmedOnce, set(4, [change('GRANTED')], LINK))).not.toHaveProperty('takenAway');
  });

  it('is forgotten with the next choice, which brings no confirmation back', () => {
    const away = [...confirmedOnce, left(4)];
    const chosen = news(...away, set(5, [change('GRANTED')]));
    expect(chosen).toMatchObject({ state: 'GRANTED', confirmedAt: null });
    expect(chosen).not.toHaveProperty('takenAway');
    expect(news(...away, left(5))).not.toHaveProperty('takenAway');
    const again = news(...away, requested(5), confirmed(6, 'req_5'));
    expect(again).toMatchObject({ state: 'GRANTED', confirmedAt: at(6) });
    expect(again).not.toHaveProperty('takenAway');
    // A frequency is no choice about the topic.
    const { wanted: _, ...often } = change('DENIED', { frequency: 'DAILY' }) as Extract<
      PreferenceChange,
      { kind: 'topic' }
    >;
    expect(news(...away, set(5, [often]))).toMatchObject({ frequency: 'DAILY', takenAway: { confirmedAt: at(3) } });
  });

  it('to confirm is taken back by a refusal, which nothing can be given back from; its link says when', () => {
    const state = after(...confirmedOnce, requested(4), undoing(5, 'rec_3', 'DENIED'));
    expect(state.topics[NEWS]).toMatchObject({ state: 'DENIED', recordId: 'rec_5', confirmedAt: null });
    expect(state.topics[NEWS]).not.toHaveProperty('takenAway');
    expect(Object.entries(state.requests).map(([id, { undoneAt }]) => [id, undoneAt])).toEqual([
      ['req_2', at(5)],
      ['req_4', undefined],
    ]);
    const kept = after(...confirmedOnce, left(4));
    expect(kept.requests['req_2']).not.toHaveProperty('undoneAt');
  });
});

describe('a request for confirmation', () => {
  it('is remembered with what was shown, and makes its topics wait', () => {
    const state = after(requested(2, { mail: { identifierId: 'idn_1', messageId: 'm', subject: 's' } }));
    expect(state.requests).toEqual({
      req_2: {
        tokenHash: 'h',
        fields: [{ field: NEWS, channel: 'email', topic: 'news' }],
        expiresAt: at(23),
        confirmedAt: null,
        expired: false,
        redirectUrl: 'https://shop.example/',
        text: { language: 'en', dir: 'ltr', title: 'Confirm', paragraphs: ['News?'], button: 'Yes', footer: 'f' },
        identifierId: 'idn_1',
      },
    });
    expect(state.topics[NEWS]).toEqual({
      state: 'UNSET',
      recordId: null,
      source: 'API',
      givenAt: at(2),
      confirmedAt: null,
      frequency: null,
      pausedUntil: null,
      pending: { requestId: 'req_2', since: at(2), until: at(23) },
    });
    expect([state.mails, state.updatedAt]).toEqual([{ idn_1: [at(2)] }, at(2)]);
    expect(after(requested(2)).requests['req_2']!.identifierId).toBeNull();
    expect(after(requested(2)).mails).toEqual({});
  });

  it('counts ten mails to each address', () => {
    const mail = { identifierId: 'idn_1', messageId: 'm', subject: 's' };
    const { mails } = after(
      ...Array.from({ length: 12 }, (_, i) => requested(i, { mail })),
      requested(13, { mail: { ...mail, identifierId: 'idn_2' } }),
    );
    expect(mails).toEqual({ idn_1: Array.from({ length: 10 }, (_, i) => at(i + 2)), idn_2: [at(13)] });
  });

  it('is kept without its text once it was confirmed', () => {
    const state = after(requested(2), confirmed(3, 'req_2'));
    expect(state.requests['req_2']).toMatchObject({
      confirmedAt: at(3),
      expired: false,
      text: { title: 'Confirm', paragraphs: [] },
    });
    expect(state.updatedAt).toBe(at(3));
    expect(after(requested(2), confirmed(3, 'req_9')).requests).toEqual(after(requested(2)).requests);
  });

  it('is kept without its text once it ran out, and leaves what stood before it', () => {
    const state = after(requested(2, { expiresAt: at(5) }), expired(5, 'req_2'));
    expect(state.requests['req_2']).toMatchObject({ expired: true, confirmedAt: null, text: { paragraphs: [] } });
    expect(state.topics[NEWS]!.pending).toEqual({ requestId: null, since: at(2), until: at(5) });
    expect([shownState(state.topics[NEWS], at(6)), state.updatedAt]).toEqual(['EXPIRED', at(5)]);
    expect(news(set(1, [change('DENIED')]), requested(2, { expiresAt: at(5) }), expired(5, 'req_2'))).toMatchObject({
      state: 'DENIED',
      pending: null,
    });
  });

  it('runs out once, and not at all where it was confirmed or is not known', () => {
    const done = after(requested(2), confirmed(3, 'req_2'));
    expect(preferenceFold.evolve(done, expired(5, 'req_2'))).toBe(done);
    expect(preferenceFold.evolve(done, expired(5, 'req_9'))).toBe(done);
  });

  it('is taken back by what ends it, with its wish and with no other one', () => {
    const other = 'channels.email.topics.offers';
    const both = [
      requested(2),
      requested(3, { fields: [{ field: other, channel: 'email', topic: 'offers', previousState: 'UNSET' }] }),
    ];
    const state = after(...both, set(4, [], { ended: ['req_2', 'req_9'] }));
    expect(Object.keys(state.requests)).toEqual(['req_3']);
    expect([state.topics[NEWS]!.pending, state.topics[other]!.pending?.requestId]).toEqual([null, 'req_3']);
    expect(Object.keys(after(...both, requested(5, { ended: ['req_3'] })).requests)).toEqual(['req_2', 'req_5']);
    // One that was confirmed is done and stays.
    expect(Object.keys(after(requested(2), confirmed(3, 'req_2'), set(4, [], { ended: ['req_2'] })).requests)).toEqual([
      'req_2',
    ]);
  });

  it('is not changed by the mail that was sent', () => {
    const state = after(requested(2));
    expect(
      preferenceFold.evolve(state, {
        type: 'PreferenceConfirmationMailed',
        data: {
          requestId: 'req_2',
          messageId: 'm',
          outcome: 'ACCEPTED',
          code: null,
          response: null,
          attempts: 1,
          at: at(3),
        },
      }),
    ).toBe(state);
  });
});

describe('a typed field', () => {
  it('holds what was said last, cleared or not', () => {
    expect(after(set(2, [typed('Ada')])).fields['nickname']).toEqual({
      type: 'TEXT',
      value: 'Ada',
      recordId: 'rec_2',
      source: 'API',
      givenAt: at(2),
    });
    expect(after(set(2, [typed('Ada')]), set(3, [typed(null)])).fields['nickname']).toMatchObject({
      value: null,
      recordId: 'rec_3',
    });
  });
  it('is changed by what did not apply only where nothing stands above it any more', () => {
    expect(after(set(5, [typed('Ada')]), set(3, [typed('Eva', false)])).fields['nickname']!.value).toBe('Ada');
    expect(after(set(3, [typed('Eva', false)])).fields['nickname']!.value).toBe('Eva');
  });
  it('said twice at one time holds what its owner said, else what was said last', () => {
    const imported = (value: string, appliedToState: boolean) =>
      set(5, [typed(value, appliedToState)], { source: 'IMPORT' });
    expect(after(set(5, [typed('Ada')]), imported('Eva', false)).fields['nickname']!.value).toBe('Ada');
    expect(after(imported('Eva', true), set(5, [typed('Ada', false)])).fields['nickname']!.value).toBe('Ada');
    expect(after(imported('Eva', true), imported('Ida', false)).fields['nickname']!.value).toBe('Ida');
  });
});

describe('the global opt-out', () => {
  const opt = (hour: number, wanted: boolean, appliedToState = true) =>
    set(hour, [], {
      globalOptOut: { previousState: 'NONE', state: wanted ? 'ACTIVE' : 'NONE', wanted, appliedToState },
    });
  it('holds since it was said, until it is taken back', () => {
    expect(after(opt(2, true)).globalOptOut).toEqual({ active: true, since: at(2) });
    expect(after(opt(2, true), opt(3, false)).globalOptOut).toEqual({ active: false, since: at(3) });
    expect(after(set(2, [])).globalOptOut).toBeNull();
  });
  it('is changed by what did not apply only where nothing stands above it any more', () => {
    expect(after(opt(5, true), opt(3, false, false)).globalOptOut).toEqual({ active: true, since: at(5) });
    expect(after(opt(3, true, false)).globalOptOut).toEqual({ active: true, since: at(3) });
    expect(after(opt(5, false), opt(5, true, false)).globalOptOut).toEqual({ active: true, since: at(5) });
    expect(after(opt(5, true), opt(5, false, false)).globalOptOut).toEqual({ active: true, since: at(5) });
  });
});

describe('identifiers', () => {
  it('are known by their kind until they are verified, where a channel is verified by that kind', () => {
    const known = after(identifier('idn_1', 'phone'), identifier('idn_2', 'email'), identifier('idn_3', 'user_id'));
    expect([known.identifierKinds, known.verifiedKinds]).toEqual([{ idn_1: 'phone', idn_2: 'email' }, []]);
    const one = preferenceFold.evolve(known, verified('idn_1'));
    expect([one.identifierKinds, one.verifiedKinds]).toEqual([{ idn_2: 'email' }, ['phone']]);
    const two = preferenceFold.evolve(one, verified('idn_2'));
    expect([two.identifierKinds, two.verifiedKinds]).toEqual([{}, ['email', 'phone']]);
    expect(preferenceFold.evolve(two, verified('idn_9'))).toBe(two);
    expect(preferenceFold.evolve(two, identifier('idn_4', 'email', at(2))).verifiedKinds).toEqual(['email', 'phone']);
    expect(after(identifier('idn_4', 'email', at(2)))).toMatchObject({ verifiedKinds: ['email'], identifierKinds: {} });
  });
});

describe('what happens to a subject as a whole', () => {
  const rule = { mergeId: 'mrg_1', survivorId: 's', absorbedId: 'a', policy: 'MOST_RECENT', carryOver: null } as const;
  const merged = (absorbed?: Record<string, unknown>): FoldedByPreferences => ({
    type: 'SubjectsMerged',
    data: { ...rule, role: 'SURVIVOR', mergedAt: at(6), ...(absorbed && { absorbed }) },
  });
  const reverted = (restored?: Record<string, unknown>): FoldedByPreferences => ({
    type: 'SubjectMergeReverted',
    data: {
      mergeId: 'mrg_1',
      role: 'SURVIVOR',
      survivorId: 's',
      absorbedIds: ['a'],
      revertedAt: at(7),
      cause: 'REVERTED',
      ...(restored && { restored }),
    },
  });
  const own = set(2, [change('DENIED')]);
  const { standing: _, identifierKinds: __, updatedAt: ___, ...theirs } = after(set(3, [change('GRANTED')]));

  it('brings what an absorbed subject had, and takes it away again', () => {
    const together = after(own, merged({ preferences: theirs }));
    expect(together).toMatchObject({ topics: { [NEWS]: { state: 'GRANTED' } }, updatedAt: at(6) });
    expect(together.standing).toEqual({ ...ON_ITS_OWN, absorbed: [{ mergeId: 'mrg_1', subjectId: 'a', family: [] }] });
    const { topics } = after(own);
    const apart = preferenceFold.evolve(together, reverted({ preferences: { ...theirs, topics } }));
    expect(apart).toMatchObject({ topics: { [NEWS]: { state: 'DENIED' } }, updatedAt: at(7) });
    expect(apart.standing).toEqual({ ...ON_ITS_OWN, reverted: ['mrg_1'] });
  });

  it('changes only where the subject stands, where nothing was carried or restored', () => {
    const before = after(own);
    for (const event of [merged(), merged({}), reverted(), reverted({})]) {
      const { standing, ...rest } = preferenceFold.evolve(before, event);
      expect(rest).toEqual(before);
      expect(standing).not.toEqual(ON_ITS_OWN);
    }
  });

  it('leaves nothing after an erasure', () =>
    expect(
      preferenceFold.evolve(after(own, requested(3), identifier('idn_1', 'email')), {
        type: 'SubjectErased',
        data: { receiptId: 'r', rootId: 's', erasedTogether: [], erasedAt: at(8), reason: 'OTHER', issuer: '' },
      }),
    ).toEqual({ ...initialPreferences(), standing: { ...ON_ITS_OWN, erasedAt: at(8) } }));

  it('is untouched where nothing happened that could matter', () => {
    expect(isUntouched(initialPreferences())).toBe(true);
    expect(isUntouched(after(identifier('idn_1', 'user_id')))).toBe(true);
    expect(
      [[own], [merged()], [identifier('idn_1', 'email')], [identifier('idn_1', 'email', at(1))]].map((events) =>
        isUntouched(after(...events)),
      ),
    ).toEqual([false, false, false, false]);
  });
});

describe('when what an event says was given', () => {
  it.each<[DomainEvent, string]>([
    [set(2, [], { recordedAt: at(9) }), at(2)],
    [requested(3), at(3)],
    [confirmed(4, 'r'), at(4)],
    [expired(5, 'r'), at(5)],
    [identifier('idn_1', 'email'), at(1)],
    [verified('idn_1'), at(2)],
    [
      {
        type: 'PreferenceConfirmationMailed',
        data: { requestId: 'r', messageId: 'm', outcome: 'FAILED', code: null, response: null, attempts: 1, at: at(6) },
      },
      at(6),
    ],
  ])('is what it names: %j', (event, given) => expect(preferenceFold.givenAt(event as never)).toBe(given));
});
