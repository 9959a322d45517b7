import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { consentConflicts, mergeConsent } from '../../libs/consent/merge.js';
import { consentPart } from '../../libs/consent/part.js';
import { datedThrough } from '../../libs/consent/precedence.js';
import { decisionOn, isRefusing, type ConsentDecisions } from '../../libs/consent/purposes.js';
import { consentFold, type ConsentState } from '../../libs/consent/state.js';
import { decidedVendors } from '../../libs/consent/vendors.js';
import { fold, instantOf, isRefusal, type DomainEvent, type Instant } from '../../libs/kernel/index.js';
import { mergePreferences } from '../../libs/preferences/merge.js';
import { preferencePart } from '../../libs/preferences/part.js';
import { preferenceFold, type PreferenceState } from '../../libs/preferences/state.js';
import { absorb, liftRestriction, receive, restrict, revertMerge } from '../../libs/subjects/decide.js';
import {
  CARRY_OVERS,
  CONFLICT_POLICIES,
  type MergeRule,
  type SubjectEvent,
  type SubjectMergeReverted,
  type SubjectsMerged,
} from '../../libs/subjects/events.js';
import { follow, followToRead } from '../../libs/subjects/follow.js';
import { wholeFold, type MergeFacts, type WholeState } from '../../libs/subjects/parts.js';
import { familyOf, ON_ITS_OWN, standingOf, type Standed, type Standing } from '../../libs/subjects/standing.js';
import { subjectFold } from '../../libs/subjects/state.js';
import { frozen, live, START, step, steps, type Step } from './histories.js';
import { happens, preferenceStep, type PreferenceStep } from './preference-histories.js';

const MERGED_AT = instantOf(START + 4 * 3_600_000);
const consentOf = (name: string): fc.Arbitrary<ConsentState> =>
  steps.map((happened) => frozen(fold(consentFold, live(happened, name))));
const [a, b, c] = [consentOf('a'), consentOf('b'), consentOf('c')] as const;
const policy = fc.constantFrom(...CONFLICT_POLICIES);
const plain: fc.Arbitrary<MergeRule> = policy.map((chosen) => ({
  policy: chosen,
  carryOver: null,
  mergedAt: MERGED_AT,
}));
const rule: fc.Arbitrary<MergeRule> = fc.record({
  policy,
  carryOver: fc.constantFrom(null, ...CARRY_OVERS),
  mergedAt: fc.constant(MERGED_AT),
});
const decisions = ({ purposes, gpc, vendors }: ConsentDecisions): ConsentDecisions => ({
  purposes: { ...purposes },
  gpc,
  ...(vendors && { vendors }),
});

describe('merging two subjects’ consent', () => {
  it('comes to the same whoever is merged into whom, unless the target is to win', () =>
    fc.assert(
      fc.property(
        a,
        b,
        plain.filter((by) => by.policy !== 'TARGET_WINS'),
        (x, y, by) => {
          expect(decisions(mergeConsent(x, y, by))).toEqual(decisions(mergeConsent(y, x, by)));
        },
      ),
    ));

  it('comes to the same in whatever order three become one', () =>
    fc.assert(
      fc.property(a, b, c, plain, (x, y, z, by) => {
        expect(decisions(mergeConsent(mergeConsent(x, y, by), z, by))).toEqual(
          decisions(mergeConsent(x, mergeConsent(y, z, by), by)),
        );
      }),
    ));

  it('changes nothing when it is done again, nor with oneself', () =>
    fc.assert(
      fc.property(a, b, rule, (x, y, by) => {
        const once = mergeConsent(x, y, by);
        expect(mergeConsent(once, y, by)).toEqual(once);
        expect(mergeConsent(x, x, by)).toEqual(x);
      }),
    ));

  it('loses nothing: what either had decided stands, or is reported with who was chosen', () =>
    fc.assert(
      fc.property(a, b, rule, (x, y, by) => {
        const merged = mergeConsent(x, y, by);
        const conflicts = new Map(
          consentConflicts({ id: 'x', state: x }, { id: 'y', state: y }, by).map((conflict) => [
            conflict.purpose,
            conflict,
          ]),
        );
        for (const purpose of new Set([...Object.keys(x.purposes), ...Object.keys(y.purposes)])) {
          const [ours, theirs, stands] = [decisionOn(x, purpose), decisionOn(y, purpose), decisionOn(merged, purpose)];
          const conflict = conflicts.get(purpose);
          expect([ours, theirs]).toContain(stands);
          if (conflict) {
            expect(stands).toBe(conflict.chosen === 'x' ? ours : theirs);
            expect(conflict.values).toHaveLength((ours ? 1 : 0) + (theirs ? 1 : 0));
            expect(conflict.rule).toBe(by.carryOver === null ? by.policy : `CARRY_OVER_${by.carryOver}`);
          } else if (ours && theirs)
            expect(ours.state === 'EXPIRED' || ours.expiresAt !== null || ours.state === theirs.state).toBe(true);
          else expect(stands).toBe(ours ?? theirs);
        }
      }),
    ));

  it('lets stand of each vendor what one of the two decided, and reports what it was chosen over', () =>
    fc.assert(
      fc.property(a, b, rule, (x, y, by) => {
        const [ours, theirs, stand] = [x, y, mergeConsent(x, y, by)].map(({ vendors }) => decidedVendors(vendors));
        const told = consentConflicts({ id: 'x', state: x }, { id: 'y', state: y }, by);
        for (const name of new Set([...ours!.keys(), ...theirs!.keys()])) {
          const [one, other, stands] = [ours!.get(name), theirs!.get(name), stand!.get(name)];
          if (one) expect([one, other]).toContainEqual(stands);
          const isDenied = one?.decision === 'DENIED' || other?.decision === 'DENIED';
          if (by.carryOver === null && by.policy === 'MOST_RESTRICTIVE')
            expect(stands!.decision).toBe(isDenied ? 'DENIED' : 'GRANTED');
          if (by.carryOver === 'NEVER') expect(stands).toEqual(one);
          if (by.carryOver === 'IF_DENIED' && !one)
            expect(stands).toEqual(other!.decision === 'DENIED' ? other : undefined);
          if (stands && one && other && one.decision !== other.decision)
            expect(told).toContainEqual(
              expect.objectContaining({
                field: `vendors.${one.framework}`,
                chosen: stands.recordId === one.recordId ? 'x' : 'y',
              }),
            );
        }
      }),
    ));

  it('lets the refusal, the latest or the target’s stand, as the policy says', () =>
    fc.assert(
      fc.property(a, b, plain, (x, y, by) => {
        const merged = mergeConsent(x, y, by);
        for (const [purpose, ours] of Object.entries(x.purposes)) {
          const theirs = decisionOn(y, purpose) ?? ours;
          const stands = merged.purposes[purpose]!;
          if (by.policy === 'TARGET_WINS') expect(stands).toBe(ours);
          if (by.policy === 'MOST_RECENT')
            expect(datedThrough(stands)).toBe([datedThrough(ours), datedThrough(theirs)].sort()[1]);
          if (by.policy === 'MOST_RESTRICTIVE')
            expect(isRefusing(stands.decision)).toBe(isRefusing(ours.decision) || isRefusing(theirs.decision));
        }
        if (by.policy === 'MOST_RESTRICTIVE')
          expect(merged.gpc?.active ?? false).toBe((x.gpc?.active ?? false) || (y.gpc?.active ?? false));
        if (by.policy === 'TARGET_WINS') expect(merged.gpc).toEqual(x.gpc ?? y.gpc);
        if (by.policy === 'MOST_RECENT' && x.gpc && y.gpc)
          expect(merged.gpc).toEqual(
            x.gpc.since === y.gpc.since
              ? { since: x.gpc.since, active: x.gpc.active || y.gpc.active }
              : x.gpc.since > y.gpc.since
                ? x.gpc
                : y.gpc,
          );
      }),
    ));

  it('carries over of a visitor’s decisions only what the rule lets follow', () =>
    fc.assert(
      fc.property(
        a,
        b,
        rule.filter(({ carryOver }) => carryOver !== null),
        (x, y, by) => {
          const merged = mergeConsent(x, y, by);
          const carried = Object.entries(merged.purposes).filter(
            ([purpose, stands]) => decisionOn(x, purpose) !== stands,
          );
          switch (by.carryOver) {
            case 'NEVER':
              return expect(decisions(merged)).toEqual(decisions(x));
            case 'ALWAYS':
              return expect(decisions(merged)).toEqual(decisions(mergeConsent(x, y, { ...by, carryOver: null })));
            default:
              for (const [, { decision }] of carried) expect(isRefusing(decision)).toBe(by.carryOver === 'IF_DENIED');
              if (merged.gpc !== x.gpc) expect(merged.gpc!.active).toBe(by.carryOver === 'IF_DENIED');
              for (const [purpose, theirs] of Object.entries(y.purposes))
                if (!decisionOn(x, purpose))
                  expect(decisionOn(merged, purpose)).toBe(
                    isRefusing(theirs.decision) === (by.carryOver === 'IF_DENIED') ? theirs : undefined,
                  );
          }
        },
      ),
    ));
});

/** What happens to one subject that absorbs others: decisions, holds, merges of others into it, reverts of those. */
type Doing =
  | ({ do: 'live' } & Life)
  | ({ do: 'merge'; held: Instant | null | undefined; rule: MergeRule } & Life)
  | { do: 'revert'; which: number }
  | { do: 'hold'; until: Instant | null }
  | { do: 'lift' };
/** What a subject decides and wants meanwhile. */
interface Life {
  steps: Step[];
  wishes: PreferenceStep[];
}
const life = { steps: fc.array(step, { maxLength: 5 }), wishes: fc.array(preferenceStep, { maxLength: 5 }) };
/** Without an end, or with one that no story reaches. */
const until = fc.constantFrom(null, instantOf(START + 90 * 86_400_000), instantOf(START + 900 * 86_400_000));
const doing: fc.Arbitrary<Doing> = fc.oneof(
  fc.record({ do: fc.constant('live' as const), ...life }),
  fc.record({ do: fc.constant('merge' as const), ...life, held: fc.oneof(fc.constant(undefined), until), rule }),
  fc.record({ do: fc.constant('revert' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('hold' as const), until }),
  fc.record({ do: fc.constant('lift' as const) }),
);

const PARTS = [consentPart, preferencePart];
const WHOLE = wholeFold(PARTS);
const SURVIVOR = 'sub_survivor';
const created = (subjectId: string): SubjectEvent => ({
  type: 'SubjectCreated',
  data: { subjectId, createdAt: instantOf(START) },
});

interface Told {
  events: DomainEvent[];
  state: WholeState;
  /** The merges that stand, and the events of both sides of each. */
  standing: { mergeId: string; absorbedId: string; received: DomainEvent; before: WholeState; closed: WholeState }[];
}

/** What somebody comes to who lives on from a state, as the decisions tell it. `name` keeps the ids apart. */
function livedOn({ steps, wishes }: Life, name: string, before: WholeState, from: number): DomainEvent[] {
  const happened: DomainEvent[] = live(steps, name, before.parts['consent'] as ConsentState, from);
  let wanted = before.parts['preferences'] as PreferenceState;
  let now = from;
  for (const [i, wish] of wishes.entries()) {
    now += wish.wait * 60_000;
    const events = happens(wish, `${name}/wish/${i}`, wanted, now);
    wanted = fold(preferenceFold, events, wanted);
    happened.push(...events);
  }
  return happened;
}

/** Of holds that end, or do not, the one that holds longest; undefined where there is none. */
const longest = (ends: readonly (Instant | null)[]): Instant | null | undefined =>
  ends.reduce<Instant | null | undefined>(
    (a, b) => (a === undefined ? b : a === null || b === null ? null : a > b ? a : b),
    undefined,
  );

/** What both decided and want, merged without an event. */
const mergedByHand = (target: WholeState, source: WholeState, by: MergeRule): WholeState => ({
  ...target,
  parts: {
    consent: mergeConsent(target.parts['consent'] as ConsentState, source.parts['consent'] as ConsentState, by),
    preferences: mergePreferences(
      target.parts['preferences'] as PreferenceState,
      source.parts['preferences'] as PreferenceState,
      by,
    ),
  },
});

/** The survivor's whole story, told by the decisions; `seen` looks at it after each thing that happened. */
function tell(doings: readonly Doing[], seen: (told: Told) => void): Told {
  const told: Told = { events: [], state: WHOLE.initial(), standing: [] };
  const happen = (events: readonly DomainEvent[]): void => {
    for (const event of events) {
      told.events.push(event);
      told.state = frozen(WHOLE.evolve(told.state, event));
    }
  };
  happen([created(SURVIVOR)]);
  for (const [i, what] of doings.entries()) {
    const at = instantOf(START + i * 60_000);
    if (what.do === 'live') happen(livedOn(what, `own/${i}`, told.state, START + i * 60_000));
    if (what.do === 'hold') happen(events(restrict(what.until, undefined, told.state.subject, at)));
    if (what.do === 'lift') happen(events(liftRestriction(undefined, told.state.subject, at)));
    if (what.do === 'merge') {
      const absorbedId = `sub_${i}`;
      const merge: MergeFacts = { ...what.rule, mergeId: `mrg_${i}`, survivorId: SURVIVOR, absorbedId };
      const before = fold(WHOLE, [
        created(absorbedId),
        ...livedOn(what, `absorbed/${i}`, WHOLE.initial(), START),
        ...(what.held === undefined ? [] : events(restrict(what.held, undefined, subjectFold.initial(), at))),
      ]);
      const closed = fold(WHOLE, events(absorb(merge, before.subject)), before);
      const [received] = events(receive(PARTS, merge, closed, told.state));
      const heldUntil = [told.state, before]
        .flatMap(({ subject }) => subject.restriction ?? [])
        .map((one) => one.until);
      const wanted = content(mergedByHand(told.state, closed, what.rule));
      happen([received!]);
      expect({ ...(content(told.state) as object), held: null }).toEqual({ ...(wanted as object), held: null });
      expect(told.state.subject.restriction?.until).toBe(longest(heldUntil));
      told.standing.push({ mergeId: merge.mergeId, absorbedId, received: received!, before, closed });
    }
    if (what.do === 'revert' && told.standing.length > 0) {
      const [reverted] = told.standing.splice(what.which % told.standing.length, 1);
      happen(
        events(
          revertMerge(PARTS, WHOLE, { mergeId: reverted!.mergeId, survivorId: SURVIVOR, at }, told.state, {
            state: WHOLE.initial(),
            events: told.events,
          }),
        ),
      );
    }
    seen(told);
  }
  return told;
}

function events<E extends DomainEvent>(decided: { refused: false; events: E[] } | { refused: true }): E[] {
  if (decided.refused) throw new Error('refused');
  return decided.events;
}

const content = ({ subject, parts }: WholeState): unknown => {
  const { topics, fields, globalOptOut, verifiedKinds, requests } = parts['preferences'] as PreferenceState;
  return {
    held: subject.restriction,
    ...decisions(parts['consent'] as ConsentState),
    preferences: { topics, fields, globalOptOut, verifiedKinds, requests },
  };
};
const isMergeOrRevert = ({ type }: DomainEvent): boolean =>
  type === 'SubjectsMerged' || type === 'SubjectMergeReverted';

describe('a subject that absorbs others and lets them go', () => {
  const story = fc.array(doing, { maxLength: 14 });

  it('is after each revert what it would be had that merge never been', () =>
    fc.assert(
      fc.property(story, (doings) => {
        tell(doings, ({ events: all, state, standing }) => {
          const still = new Set(standing.map(({ received }) => received));
          expect(content(state)).toEqual(
            content(
              fold(
                WHOLE,
                all.filter((event) => !isMergeOrRevert(event) || still.has(event)),
              ),
            ),
          );
          expect(familyOf(standingOf(state.subject))).toEqual(standing.map(({ absorbedId }) => absorbedId));
        });
      }),
    ));

  it('stands as if alone once everything is reverted, and so do those it had absorbed', () =>
    fc.assert(
      fc.property(story, (doings) => {
        const { standing } = tell(doings, () => undefined);
        const { events: all, state } = tell(
          [...doings, ...standing.map((): Doing => ({ do: 'revert', which: 0 }))],
          () => undefined,
        );
        expect(content(state)).toEqual(
          content(
            fold(
              WHOLE,
              all.filter((event) => !isMergeOrRevert(event)),
            ),
          ),
        );
        for (const { mergeId, absorbedId, before, closed } of standing) {
          const opened: SubjectMergeReverted = {
            type: 'SubjectMergeReverted',
            data: {
              mergeId,
              role: 'ABSORBED',
              survivorId: SURVIVOR,
              absorbedIds: [absorbedId],
              revertedAt: MERGED_AT,
              cause: 'REVERTED',
            },
          };
          const after = WHOLE.evolve(closed, opened);
          expect(content(after)).toEqual(content(before));
          expect(standingOf(after.subject).merged).toBeNull();
        }
      }),
    ));

  it('is merged and reverted once, however often it is told to', () =>
    fc.assert(
      fc.property(story, (doings) => {
        const { state, standing, events: all } = tell(doings, () => undefined);
        for (const { mergeId, absorbedId, received, closed } of standing) {
          const facts = (received as SubjectsMerged).data;
          expect(events(receive(PARTS, facts, closed, state))).toEqual([]);
          expect(events(absorb(facts, closed.subject))).toEqual([]);
          expect(isRefusal(absorb({ ...facts, mergeId: 'mrg_other' }, closed.subject))).toBe(true);
          // Who is held already cannot become the survivor of its own survivor.
          expect(
            isRefusal(
              absorb({ ...facts, mergeId: 'mrg_other', survivorId: absorbedId, absorbedId: SURVIVOR }, state.subject),
            ),
          ).toBe(true);
          const revert = { mergeId, survivorId: SURVIVOR, at: MERGED_AT };
          const reverted = events(revertMerge(PARTS, WHOLE, revert, state, { state: WHOLE.initial(), events: all }));
          const after = fold(WHOLE, reverted, state);
          expect(reverted).toHaveLength(1);
          expect(
            events(revertMerge(PARTS, WHOLE, revert, after, { state: WHOLE.initial(), events: [...all, ...reverted] })),
          ).toEqual([]);
          // A slow one that brings the absorbed state now comes too late.
          expect(events(receive(PARTS, facts, closed, after))).toEqual([]);
        }
      }),
    ));

  it('is folded by each context alone to what all of them fold together', () =>
    fc.assert(
      fc.property(story, (doings) => {
        const { events: all, state } = tell(doings, () => undefined);
        const of = (on: readonly string[]): DomainEvent[] => all.filter(({ type }) => on.includes(type));
        expect(state.subject).toEqual(fold(subjectFold, of(subjectFold.on) as SubjectEvent[]));
        expect(state.parts['consent']).toEqual(fold(consentFold, of(consentFold.on) as never[]));
        expect(state.parts['preferences']).toEqual(fold(preferenceFold, of(preferenceFold.on) as never[]));
        for (const { name } of PARTS)
          expect(standingOf(state.parts[name] as Standed)).toEqual(standingOf(state.subject));
      }),
    ));
});

/** Of each subject the one that it was merged into, and what that one says of it. */
interface Closed {
  into: number;
  mergeId: string;
  fate: 'absorbed' | 'reverted' | 'declined' | null;
}
const closings = fc
  .array(
    fc.option(
      fc.record({
        into: fc.nat(7),
        order: fc.nat(999),
        fate: fc.constantFrom(
          'absorbed' as const,
          'absorbed' as const,
          'reverted' as const,
          'declined' as const,
          null,
          null,
        ),
      }),
      { freq: 4 },
    ),
    { minLength: 8, maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map((one, i): Closed | null =>
      one === null || one.into === i
        ? null
        : { into: one.into, mergeId: `mrg_${String(one.order).padStart(3, '0')}_${i}`, fate: one.fate },
    ),
  )
  // Who is about to be closed knows all that has arrived: the last closing of a ring never arrives.
  .filter((closed) =>
    closed.every(
      (_, i) => ringOf(closed, i).length === 0 || ringOf(closed, i).some((one) => closed[one]!.fate === null),
    ),
  );

/** The ring that a way along merges in force runs into, or is on; empty where it ends. */
function ringOf(closed: readonly (Closed | null)[], from: number): number[] {
  const way: number[] = [];
  for (let at = from; ; at = closed[at]!.into) {
    if (way.includes(at)) return way.slice(way.indexOf(at));
    const step = closed[at];
    if (!step || step.fate === 'reverted' || step.fate === 'declined') return [];
    way.push(at);
  }
}

describe('following merges', () => {
  it('ends at one root for everybody who is part of it, however the merges ran into each other', () =>
    fc.assert(
      fc.asyncProperty(closings, async (closed) => {
        const standing = closed.map((own, i): Standing => {
          const told = closed.flatMap((each, subject) =>
            each?.into === i ? [{ ...each, subjectId: String(subject) }] : [],
          );
          return {
            ...ON_ITS_OWN,
            merged: own && {
              into: String(own.into),
              mergeId: own.mergeId,
              policy: 'MOST_RECENT',
              carryOver: null,
              mergedAt: MERGED_AT,
            },
            absorbed: told
              .filter(({ fate }) => fate === 'absorbed')
              .map(({ mergeId, subjectId }) => ({ mergeId, subjectId, family: [subjectId] })),
            reverted: told.filter(({ fate }) => fate === 'reverted').map(({ mergeId }) => mergeId),
            declined: told
              .filter(({ fate }) => fate === 'declined')
              .map(({ mergeId, subjectId }) => ({ mergeId, subjectId })),
          };
        });
        const load = (subjectId: string): Promise<Standed> =>
          Promise.resolve({ standing: standing[Number(subjectId)]! });
        for (const [i] of closed.entries()) {
          const ring = ringOf(closed, i);
          const pending = ring
            .filter((one) => closed[one]!.fate === null)
            .sort((x, y) => (closed[x]!.mergeId < closed[y]!.mergeId ? -1 : 1));
          const spared = pending.at(-1);
          let root = i;
          for (
            let step = closed[root];
            root !== spared && step && step.fate !== 'reverted' && step.fate !== 'declined';
            step = closed[root]
          )
            root = step.into;
          expect((await followToRead(String(i), load)).root.subjectId).toBe(String(root));
          const followed = await follow(String(i), load);
          if (spared === undefined) expect('root' in followed && followed.root.subjectId).toBe(String(root));
          else
            expect('void' in followed && followed.void).toEqual({
              mergeId: closed[spared]!.mergeId,
              absorbedId: String(spared),
              survivorId: String(closed[spared]!.into),
            });
        }
      }),
      { numRuns: 500 },
    ));
});
