import { describe, expect, it } from '@jest/globals';
import { fold, isRefusal, plusMs, type Decision, type Instant } from '../kernel/index.js';
import { decisionTest } from '../kernel/given-when-then.js';
import {
  absorb,
  eraseSubject,
  MOST_IDENTIFIERS,
  provideSubject,
  receive,
  restrict,
  type ReservedIdentifier,
} from './decide.js';
import type { SubjectEvent, SubjectsMerged } from './events.js';
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
      .then((events) => expect(typesOf(events)).toEqual(['IdentifierVerified']));
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
