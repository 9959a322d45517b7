import { describe, expect, it } from '@jest/globals';
import { fold, isRefusal, plusMs, type Decision, type Instant } from '../kernel/index.js';
import { decisionTest } from '../kernel/given-when-then.js';
import {
  absorb,
  decline,
  eraseSubject,
  firstSight,
  liftRestriction,
  MOST_IDENTIFIERS,
  provideSubject,
  receive,
  rectifySubject,
  release,
  restrict,
  revertMerge,
  type ReservedIdentifier,
} from './decide.js';
import type { SubjectEvent, SubjectMergeReverted, SubjectsMerged } from './events.js';
import { wholeFold, type MergeFacts, type WholeState } from './parts.js';
import { subjectFold, type SubjectState } from './state.js';

const AT = '2026-11-21T12:00:00.000Z';
const SOON = '2026-12-01T00:00:00.000Z';
const LATER = '2027-12-01T00:00:00.000Z';
const SURVIVOR = 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S';
const ABSORBED = 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T';

type Asking = (state: SubjectState) => Decision<SubjectEvent>;
const given = decisionTest<SubjectState, SubjectEvent, Asking>(subjectFold, (ask, state) => ask(state));

const created: SubjectEvent = { type: 'SubjectCreated', data: { subjectId: SURVIVOR, createdAt: AT } };
const identifier = (n: number, more: Partial<ReservedIdentifier> = {}): ReservedIdentifier => ({
  identifierId: `idn_${n}`,
  reference: { kind: 'user_id', value: `user-${n}` },
  verification: null,
  source: 'API',
  ...more,
});
const several = (from: number, count: number): ReservedIdentifier[] =>
  Array.from({ length: count }, (_, i) => identifier(from + i));
const provide =
  (...identifiers: ReservedIdentifier[]): Asking =>
  (state) =>
    provideSubject({ subjectId: SURVIVOR, createdAt: AT }, identifiers, state);
const having = (...identifiers: ReservedIdentifier[]): SubjectEvent[] => {
  const decided = provide(...identifiers)(subjectFold.initial());
  if (isRefusal(decided)) throw new Error(decided.message);
  return decided.events;
};
const typesOf = (events: readonly SubjectEvent[]): string[] => events.map(({ type }) => type);

describe('identifiers', () => {
  it('make the subject once, and are added once', () => {
    given()
      .when(provide(identifier(1), identifier(2)))
      .then((events) => expect(typesOf(events)).toEqual(['SubjectCreated', 'IdentifierAdded', 'IdentifierAdded']));
    given(...having(identifier(1)))
      .when(provide(identifier(1), identifier(2)))
      .then((events) => expect(typesOf(events)).toEqual(['IdentifierAdded']));
    given(...having(identifier(1)))
      .when(provide(identifier(1)))
      .then((events) => expect(events).toEqual([]));
  });

  it('are primary where they are the first of their kind', () =>
    given(...having(identifier(1)))
      .when(provide(identifier(2), identifier(3, { reference: { kind: 'email', value: 'ada@example.org' } })))
      .then((events) => expect(events).toMatchObject([{ data: { primary: false } }, { data: { primary: true } }])));

  it('are verified once', () => {
    const verifying = provide(identifier(1, { verification: 'OPERATOR' }));
    given(...having(identifier(1)))
      .when(verifying)
      .then((events) =>
        expect(events).toEqual([
          { type: 'IdentifierVerified', data: { identifierId: 'idn_1', method: 'OPERATOR', verifiedAt: AT } },
        ]),
      );
    given(...having(identifier(1, { verification: 'IMPORT' })))
      .when(verifying)
      .then((events) => expect(events).toEqual([]));
  });

  it(`are ${MOST_IDENTIFIERS} at most, at once or in steps`, () => {
    given()
      .when(provide(...several(0, MOST_IDENTIFIERS)))
      .then((events) => expect(events).toHaveLength(MOST_IDENTIFIERS + 1));
    given()
      .when(provide(...several(0, MOST_IDENTIFIERS + 1)))
      .refuses('validation_failed');
    const almost = having(...several(0, MOST_IDENTIFIERS - 1));
    given(...almost)
      .when(provide(identifier(MOST_IDENTIFIERS)))
      .then((events) => expect(events).toHaveLength(1));
    given(...almost)
      .when(provide(...several(MOST_IDENTIFIERS, 2)))
      .refuses('validation_failed');
    const full = having(...several(0, MOST_IDENTIFIERS));
    given(...full)
      .when(provide(identifier(MOST_IDENTIFIERS)))
      .refuses('validation_failed');
    given(...full)
      .when(provide(identifier(0)))
      .then((events) => expect(events).toEqual([]));
  });
});

describe('a rectification', () => {
  const email = (n: number, verification: ReservedIdentifier['verification'] = null): ReservedIdentifier =>
    identifier(n, { reference: { kind: 'email', value: `ada${n}@example.org` }, verification });
  const removing =
    (...ns: number[]): Asking =>
    (state) =>
      rectifySubject({ removed: ns.map((n) => ({ identifierId: `idn_${n}`, kind: 'email' })) }, state, [], LATER);

  it('removes identifiers, and says of which kinds none is verified any more', () => {
    given(...having(email(1, 'OPERATOR'), email(2)))
      .when(removing(1))
      .then((events) =>
        expect(events).toEqual([
          {
            type: 'SubjectRectified',
            data: {
              rectifiedAt: LATER,
              removed: [{ identifierId: 'idn_1', kind: 'email' }],
              unverifiedKinds: ['email'],
            },
          },
        ]),
      );
    given(...having(email(1, 'OPERATOR'), email(2, 'OPERATOR')))
      .when(removing(1))
      .then(([event]) => expect(event!.data).not.toHaveProperty('unverifiedKinds'));
  });

  it('leaves nobody without an identifier, and does nothing where it is so already', () => {
    given(...having(email(1)))
      .when(removing(1))
      .refuses('validation_failed');
    given(...having(email(1), email(2)))
      .when(removing(3))
      .then((events) => expect(events).toEqual([]));
  });

  it('corrects language and country, and changes neither that is not named', () => {
    const correct =
      (wanted: { locale?: string | null; country?: string | null }): Asking =>
      (state) =>
        rectifySubject(wanted, state, [], LATER);
    const changed = having(identifier(1));
    given(...changed)
      .when(correct({ country: 'AT' }))
      .then((events) => {
        expect(events).toEqual([{ type: 'SubjectRectified', data: { rectifiedAt: LATER, country: 'AT' } }]);
        const state = fold(subjectFold, [...changed, ...events]);
        expect([state.country, state.locale, state.identifiers.length]).toEqual(['AT', null, 1]);
        expect(correct({ country: 'AT' })(state)).toEqual(correct({})(state));
        given(...changed, ...events)
          .when(correct({ country: null }))
          .then(([event]) => expect(event!.data).toMatchObject({ country: null }));
      });
  });

  it('reaches identifiers of those who were merged into the subject', () => {
    const { identifiers: family } = fold(subjectFold, having(email(7, 'OPERATOR')));
    given(...having(identifier(1)))
      .when((state) => rectifySubject({ removed: [{ identifierId: 'idn_7', kind: 'email' }] }, state, family, LATER))
      .then(([event]) => expect(event!.data).toMatchObject({ unverifiedKinds: ['email'] }));
  });
});

describe('a hold', () => {
  const held = (until: Instant | null): SubjectEvent => ({
    type: 'SubjectRestricted',
    data: { restrictedAt: AT, until },
  });
  const erase =
    (at: Instant): Asking =>
    (state) =>
      eraseSubject({ receiptId: 'rct_1', rootId: SURVIVOR, reason: 'OTHER', issuer: '', at }, [], state);

  it('keeps a subject from being erased until it ends', () => {
    given(created, held(null)).when(erase(LATER)).refuses('state_conflict');
    given(created, held(SOON))
      .when(erase(plusMs(SOON, -1)))
      .refuses('state_conflict');
    given(created, held(SOON))
      .when(erase(SOON))
      .then((events) => expect(typesOf(events)).toEqual(['SubjectErased']));
  });

  it('is laid once, and again where it is to end at another time', () => {
    const hold =
      (until: Instant | null): Asking =>
      (state) =>
        restrict(until, undefined, state, AT);
    given(created, held(SOON))
      .when(hold(SOON))
      .then((events) => expect(events).toEqual([]));
    given(created, held(SOON))
      .when(hold(null))
      .then((events) => expect(events).toHaveLength(1));
    given(created).when(hold(AT)).refuses('validation_failed');
  });

  it('is laid also where one came with somebody who was absorbed, since that one goes when the merge is reverted', () => {
    const facts = { mergeId: 'mrg_1', survivorId: 'sub_s', absorbedId: 'sub_a', policy: 'MOST_RECENT' as const };
    const came: SubjectEvent = {
      type: 'SubjectsMerged',
      data: {
        ...facts,
        role: 'SURVIVOR',
        carryOver: null,
        mergedAt: AT,
        family: ['sub_a'],
        absorbed: { subject: { restriction: { since: AT, until: null } } },
      },
    };
    given(created, came)
      .when((state) => restrict(null, undefined, state, AT))
      .then((events) => expect(typesOf(events)).toEqual(['SubjectRestricted']));
  });

  const WHOLE = wholeFold([]);
  const merge: MergeFacts = {
    mergeId: 'mrg_1',
    survivorId: SURVIVOR,
    absorbedId: ABSORBED,
    policy: 'MOST_RECENT',
    carryOver: null,
    mergedAt: AT,
  };
  const whole = (...events: SubjectEvent[]): WholeState => fold(WHOLE, events);
  const happenedIn = <E>(decided: { refused: false; events: E[] } | { refused: true; message: string }): E[] => {
    if (decided.refused) throw new Error(decided.message);
    return decided.events;
  };
  const holds = (until: Instant | null | undefined): SubjectEvent[] => (until === undefined ? [] : [held(until)]);

  // `undefined` is no hold, `null` one without an end.
  it.each<[Instant | null | undefined, Instant | null | undefined, Instant | null | undefined]>([
    [null, SOON, null],
    [SOON, null, null],
    [SOON, LATER, LATER],
    [LATER, SOON, LATER],
    [undefined, null, null],
    [null, undefined, null],
    [undefined, SOON, SOON],
    [undefined, undefined, undefined],
  ])('until %p and one until %p are one until %p after a merge', (ours, theirs, expected) => {
    const survivor = whole(created, ...holds(ours));
    const source = whole(created, ...holds(theirs));
    const absorbed = fold(WHOLE, happenedIn<SubjectsMerged>(absorb(merge, source.subject)), source);
    const merged = fold(WHOLE, happenedIn<SubjectsMerged>(receive([], merge, absorbed, survivor)), survivor);
    expect(merged.subject.restriction?.until).toBe(expected);
  });
});

describe('a reference that is seen for the first time', () => {
  it('makes its subject', () =>
    expect(firstSight(SURVIVOR, 'idn_1', { kind: 'email', value: 'ada@example.org' }, AT)).toEqual([
      created,
      {
        type: 'IdentifierAdded',
        data: {
          identifierId: 'idn_1',
          kind: 'email',
          value: 'ada@example.org',
          addedAt: AT,
          verifiedAt: null,
          verificationMethod: null,
          primary: true,
          source: 'API',
        },
      },
    ]));

  it('is verified with it where somebody vouches for it', () =>
    given()
      .when(provide(identifier(1, { verification: 'OPERATOR', source: 'IMPORT' })))
      .then(([, event]) =>
        expect(event!.data).toMatchObject({ verifiedAt: AT, verificationMethod: 'OPERATOR', source: 'IMPORT' }),
      ));
});

describe('a hold that is lifted', () => {
  const lift =
    (reason?: string): Asking =>
    (state) =>
      liftRestriction(reason, state, AT);
  const held: SubjectEvent = { type: 'SubjectRestricted', data: { restrictedAt: AT, until: null } };
  it('says so once, with the reason where there is one', () => {
    given(created, held)
      .when(lift('over'))
      .then((events) =>
        expect(events).toEqual([{ type: 'SubjectRestrictionLifted', data: { liftedAt: AT, reason: 'over' } }]),
      );
    given(created, held)
      .when(lift())
      .then((events) => expect(events).toStrictEqual([{ type: 'SubjectRestrictionLifted', data: { liftedAt: AT } }]));
    given(created)
      .when(lift())
      .then((events) => expect(events).toEqual([]));
  });
  it('was laid with its reason where there is one', () => {
    given(created)
      .when((state) => restrict(SOON, 'dispute', state, AT))
      .then(([event]) => expect(event!.data).toEqual({ restrictedAt: AT, until: SOON, reason: 'dispute' }));
    given(created)
      .when((state) => restrict(null, undefined, state, AT))
      .then((events) =>
        expect(events).toStrictEqual([{ type: 'SubjectRestricted', data: { restrictedAt: AT, until: null } }]),
      );
  });
});

describe('an erasure', () => {
  const erase: Asking = (state) =>
    eraseSubject(
      { receiptId: 'rct_1', rootId: SURVIVOR, reason: 'DATA_SUBJECT_REQUEST', issuer: 'https://x.example', at: AT },
      [ABSORBED],
      state,
    );
  it('says what was erased together, why, and by whom, once', () => {
    given(created)
      .when(erase)
      .then((events) =>
        expect(events).toEqual([
          {
            type: 'SubjectErased',
            data: {
              receiptId: 'rct_1',
              rootId: SURVIVOR,
              erasedTogether: [ABSORBED],
              erasedAt: AT,
              reason: 'DATA_SUBJECT_REQUEST',
              issuer: 'https://x.example',
            },
          },
        ]),
      );
    const decided = erase(fold(subjectFold, [created]));
    given(created, ...(isRefusal(decided) ? [] : decided.events))
      .when(erase)
      .then((events) => expect(events).toEqual([]));
  });
});

describe('a merge', () => {
  const WHOLE = wholeFold([]);
  const merge: MergeFacts = {
    mergeId: 'mrg_1',
    survivorId: SURVIVOR,
    absorbedId: ABSORBED,
    policy: 'MOST_RECENT',
    carryOver: null,
    mergedAt: AT,
  };
  const edge = { mergeId: 'mrg_1', survivorId: SURVIVOR, absorbedId: ABSORBED };
  const closed: SubjectsMerged = { type: 'SubjectsMerged', data: { ...merge, role: 'ABSORBED' } };
  const received: SubjectsMerged = {
    type: 'SubjectsMerged',
    data: { ...merge, role: 'SURVIVOR', family: [ABSORBED], absorbed: {}, conflicts: [] },
  };
  const erased: SubjectEvent = {
    type: 'SubjectErased',
    data: { receiptId: 'r', rootId: SURVIVOR, erasedTogether: [], erasedAt: AT, reason: 'OTHER', issuer: '' },
  };
  const closedByOther: SubjectsMerged = {
    type: 'SubjectsMerged',
    data: { ...merge, mergeId: 'mrg_2', role: 'ABSORBED', survivorId: 'sub_other', absorbedId: SURVIVOR },
  };
  const whole = (...events: SubjectEvent[]): WholeState => fold(WHOLE, events);

  it('closes the subject that is absorbed, once', () => {
    const closing =
      (facts: MergeFacts): Asking =>
      (state) =>
        absorb(facts, state);
    given(created)
      .when(closing(merge))
      .then((events) => expect(events).toEqual([closed]));
    given(created, closed)
      .when(closing(merge))
      .then((events) => expect(events).toEqual([]));
    given(created, closed)
      .when(closing({ ...merge, mergeId: 'mrg_2' }))
      .refuses('merge_conflict');
    given(created, closed)
      .when(closing({ ...merge, survivorId: 'sub_other' }))
      .refuses('merge_conflict');
    given(created)
      .when(closing({ ...merge, absorbedId: SURVIVOR }))
      .refuses('merge_conflict');
    given(created, received)
      .when(closing({ ...merge, survivorId: ABSORBED, absorbedId: SURVIVOR }))
      .refuses('merge_conflict');
    given(created, erased).when(closing(merge)).refuses('subject_erased');
  });

  it('arrives at its survivor once, with the whole family, and not at all where that is closed', () => {
    const below: SubjectsMerged = {
      type: 'SubjectsMerged',
      data: {
        ...merge,
        mergeId: 'mrg_0',
        role: 'SURVIVOR',
        survivorId: ABSORBED,
        absorbedId: 'sub_c',
        family: ['sub_c'],
      },
    };
    const arrives = (...events: SubjectEvent[]) => {
      const decided = receive([], merge, whole(created, below, closed), whole(...events));
      return isRefusal(decided) ? decided : decided.events;
    };
    expect(arrives(created)).toEqual([
      {
        type: 'SubjectsMerged',
        data: {
          ...merge,
          role: 'SURVIVOR',
          family: [ABSORBED, 'sub_c'],
          absorbed: { subject: { restriction: null } },
          conflicts: [],
        },
      },
    ]);
    expect(arrives(created, received)).toEqual([]);
    expect(arrives(created, closedByOther)).toEqual([]);
    expect(arrives(created, erased)).toEqual([]);
  });

  it('is declined by a survivor that is closed, once, and by no other', () => {
    const declining: Asking = (state) => decline(edge, AT, state);
    const declined: SubjectMergeReverted = {
      type: 'SubjectMergeReverted',
      data: {
        mergeId: 'mrg_1',
        role: 'SURVIVOR',
        survivorId: SURVIVOR,
        absorbedIds: [ABSORBED],
        revertedAt: AT,
        cause: 'VOID',
      },
    };
    given(created, closedByOther)
      .when(declining)
      .then((events) => expect(events).toEqual([declined]));
    given(created, closedByOther, declined)
      .when(declining)
      .then((events) => expect(events).toEqual([]));
    given(created, received, closedByOther)
      .when(declining)
      .then((events) => expect(events).toEqual([]));
    given(created)
      .when(declining)
      .then((events) => expect(events).toEqual([]));
  });

  it('is reverted by its survivor, once, and only while that is open', () => {
    const reverting = (reason: string | undefined, ...events: SubjectEvent[]) => {
      const decided = revertMerge(
        [],
        WHOLE,
        { mergeId: 'mrg_1', survivorId: SURVIVOR, at: AT, ...(reason !== undefined && { reason }) },
        whole(...events),
        { state: WHOLE.initial(), events },
      );
      return isRefusal(decided) ? decided.code : decided.events;
    };
    const reverted: SubjectMergeReverted = {
      type: 'SubjectMergeReverted',
      data: {
        mergeId: 'mrg_1',
        role: 'SURVIVOR',
        survivorId: SURVIVOR,
        absorbedIds: [ABSORBED],
        revertedAt: AT,
        cause: 'REVERTED',
        restored: { subject: { restriction: null } },
      },
    };
    expect(reverting(undefined, created, received)).toStrictEqual([reverted]);
    expect(reverting('mistake', created, received)).toEqual([
      { ...reverted, data: { ...reverted.data, reason: 'mistake' } },
    ]);
    expect(reverting(undefined, created)).toEqual([]);
    expect(reverting(undefined, created, received, reverted)).toEqual([]);
    expect(reverting(undefined, created, received, closedByOther)).toBe('state_conflict');
    expect(reverting(undefined, created, received, erased)).toBe('subject_erased');
  });

  it('lets the absorbed subject go, once, and only if it was this merge that closed it', () => {
    const releasing =
      (by = edge): Asking =>
      (state) =>
        release(by, 'VOID', AT, state);
    const opened: SubjectMergeReverted = {
      type: 'SubjectMergeReverted',
      data: {
        mergeId: 'mrg_1',
        role: 'ABSORBED',
        survivorId: SURVIVOR,
        absorbedIds: [ABSORBED],
        revertedAt: AT,
        cause: 'VOID',
      },
    };
    given(created, closed)
      .when(releasing())
      .then((events) => expect(events).toEqual([opened]));
    given(created, closed, opened)
      .when(releasing())
      .then((events) => expect(events).toEqual([]));
    given(created, closed)
      .when(releasing({ ...edge, mergeId: 'mrg_2' }))
      .then((events) => expect(events).toEqual([]));
    given(created, closed)
      .when(releasing({ ...edge, survivorId: 'sub_other' }))
      .then((events) => expect(events).toEqual([]));
    given(created)
      .when(releasing())
      .then((events) => expect(events).toEqual([]));
  });
});
