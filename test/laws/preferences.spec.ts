import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { datedThrough } from '../../libs/consent/index.js';
import { fold, instantOf } from '../../libs/kernel/index.js';
import type { PreferenceEvent } from '../../libs/preferences/events.js';
import { mergePreferences, preferenceConflicts } from '../../libs/preferences/merge.js';
import { historyItem } from '../../libs/preferences/read/history-item.js';
import {
  fieldNamed,
  isOpenRequest,
  preferenceFold,
  shownState,
  type PreferenceState,
} from '../../libs/preferences/state.js';
import { CARRY_OVERS, CONFLICT_POLICIES, type MergeRule } from '../../libs/subjects/events.js';
import { frozen, START } from './histories.js';
import {
  FIELD,
  happens,
  livePreferences,
  preferenceHistory,
  preferencesOf,
  preferenceStep,
} from './preference-histories.js';

const LATER = instantOf(START + 48 * 3_600_000);

describe('the fold of preferences', () => {
  it('comes to what each applied change promised, and leaves alone what one did not apply to', () =>
    fc.assert(
      fc.property(preferenceHistory, (events) => {
        let state = preferenceFold.initial();
        for (const event of events) {
          const before = state;
          state = preferenceFold.evolve(state, event);
          if (event.type !== 'PreferenceSet') continue;
          for (const change of event.data.changes) {
            if (change.kind === 'field')
              expect(fieldNamed(state, change.field)?.value ?? null).toEqual(
                change.appliedToState ? change.value : (fieldNamed(before, change.field)?.value ?? null),
              );
            else if (change.appliedToState)
              expect(shownState(state.topics[change.field], event.data.recordedAt)).toBe(change.state);
            else if (event.data.ended.length === 0) {
              const [after, stood] = [state.topics[change.field], before.topics[change.field]];
              // A dated grant beneath one without a date is what that one rests on from then on.
              expect(after && { ...after, undated: null }).toEqual(stood && { ...stood, undated: null });
              if (stood) expect(datedThrough(after!) >= datedThrough(stood)).toBe(true);
            }
          }
        }
      }),
    ));

  it('comes to the states that the history tells of each event by itself', () =>
    fc.assert(
      fc.property(preferenceHistory, (events) => {
        let state = preferenceFold.initial();
        for (const [revision, event] of events.entries()) {
          state = preferenceFold.evolve(state, event);
          const metadata = { schemaVersion: 1, actor: '', recordedAt: LATER };
          const told = historyItem({ ...event, id: '', position: 0n, revision, metadata }, null);
          const data = event.data as unknown as Record<string, string>;
          const at = data['recordedAt'] ?? data['requestedAt'] ?? data['confirmedAt'] ?? data['expiredAt']!;
          for (const each of [
            ...(told.fields ?? []),
            ...(told.changes ?? []).filter(({ channel }) => channel !== null),
          ])
            expect([event.type, each.state]).toEqual([event.type, shownState(state.topics[each.field], at)]);
        }
      }),
      { numRuns: 300 },
    ));

  it('never changes what it was given', () =>
    fc.assert(
      fc.property(preferenceHistory, (events) => {
        let state = frozen(preferenceFold.initial());
        for (const event of events) state = frozen(preferenceFold.evolve(state, event));
      }),
    ));

  it('goes on from what a row of JSON gives back as from what was never stored', () =>
    fc.assert(
      fc.property(preferenceHistory, fc.nat(), (events, cut) => {
        const at = cut % (events.length + 1);
        const stored = JSON.parse(JSON.stringify(fold(preferenceFold, events.slice(0, at)))) as PreferenceState;
        expect(fold(preferenceFold, events.slice(at), stored)).toEqual(fold(preferenceFold, events));
      }),
    ));
});

describe('what a subject wants', () => {
  const wanting = fc.tuple(fc.array(preferenceStep, { maxLength: 20 }), preferenceStep).map(([steps, last]) => {
    const { events, now } = livePreferences(steps, 'one');
    return { state: fold(preferenceFold, events), last, now: now + last.wait * 60_000 };
  });
  const after = (state: PreferenceState, events: readonly PreferenceEvent[]): PreferenceState =>
    fold(preferenceFold, events, state);

  it('is never taken away by a wish that waits for its confirmation', () =>
    fc.assert(
      fc.property(wanting, ({ state, last, now }) => {
        // By a link somebody says no, or takes a yes back.
        if (last.kind === 'leave' || last.kind === 'undo') return;
        const events = happens({ ...last, wanted: true }, 'last', state, now);
        if (events[0]?.type !== 'PreferenceSet' && events[0]?.type !== 'PreferenceConfirmationRequested') return;
        const next = after(state, events);
        for (const [field, { state: stood }] of Object.entries(state.topics))
          if (stood === 'GRANTED') expect(shownState(next.topics[field], instantOf(now))).toBe('GRANTED');
      }),
    ));

  it('is refused at once, always, and no link that was open about it works any more', () =>
    fc.assert(
      fc.property(wanting, ({ state, last, now }) => {
        const next = after(
          state,
          happens({ ...last, kind: 'set', wanted: false, source: 'API', back: null }, 'last', state, now),
        );
        expect(shownState(next.topics[FIELD(last.topic)], instantOf(now))).toBe('DENIED');
        expect(
          Object.values(next.requests).filter(
            (request) => isOpenRequest(request) && request.fields.some(({ field }) => field === FIELD(last.topic)),
          ),
        ).toEqual([]);
      }),
    ));

  it('is refused rather than granted where both are said for the same time, in whatever order', () =>
    fc.assert(
      fc.property(wanting, fc.boolean(), ({ state, last, now }, refusalFirst) => {
        let next = state;
        for (const [i, wanted] of (refusalFirst ? [false, true] : [true, false]).entries())
          next = after(
            next,
            happens({ ...last, kind: 'set', topic: 'free', wanted, source: 'API', back: -4 }, `last/${i}`, next, now),
          );
        expect(shownState(next.topics[FIELD('free')], instantOf(now))).toBe('DENIED');
      }),
    ));

  it('is confirmed once, however often the link is used', () =>
    fc.assert(
      fc.property(wanting, ({ state, last, now }) => {
        const asked = after(state, happens({ ...last, kind: 'request' }, 'asked', state, now));
        const once = happens({ ...last, kind: 'confirm' }, 'once', asked, now + 1);
        const confirmed = after(asked, once);
        for (const { data } of once as Extract<PreferenceEvent, { type: 'PreferenceConfirmed' }>[])
          for (const { field } of data.fields) expect(confirmed.topics[field]!.state).toBe('GRANTED');
        expect(
          Object.values(confirmed.topics).filter(
            ({ pending }) => pending?.requestId && confirmed.requests[pending.requestId]?.confirmedAt,
          ),
        ).toEqual([]);
      }),
    ));
});

describe('merging two subjects’ preferences', () => {
  const [a, b, c] = [preferencesOf('a'), preferencesOf('b'), preferencesOf('c')] as const;
  const policy = fc.constantFrom(...CONFLICT_POLICIES);
  const plain: fc.Arbitrary<MergeRule> = policy.map((chosen) => ({ policy: chosen, carryOver: null, mergedAt: LATER }));
  const rule: fc.Arbitrary<MergeRule> = fc.record({
    policy,
    carryOver: fc.constantFrom(null, ...CARRY_OVERS),
    mergedAt: fc.constant(LATER),
  });
  const choices = ({ topics, fields, globalOptOut, verifiedKinds, requests }: PreferenceState): unknown => ({
    topics,
    fields,
    globalOptOut,
    verifiedKinds,
    requests,
  });

  it('comes to the same whoever is merged into whom, unless the target is to win', () =>
    fc.assert(
      fc.property(
        a,
        b,
        plain.filter((by) => by.policy !== 'TARGET_WINS'),
        (x, y, by) => {
          expect(choices(mergePreferences(x, y, by))).toEqual(choices(mergePreferences(y, x, by)));
        },
      ),
    ));

  it('comes to the same in whatever order three become one', () =>
    fc.assert(
      fc.property(a, b, c, plain, (x, y, z, by) => {
        expect(choices(mergePreferences(mergePreferences(x, y, by), z, by))).toEqual(
          choices(mergePreferences(x, mergePreferences(y, z, by), by)),
        );
      }),
    ));

  it('changes nothing when it is done again, nor with oneself', () =>
    fc.assert(
      fc.property(a, b, rule, (x, y, by) => {
        const once = mergePreferences(frozen(x), frozen(y), by);
        expect(mergePreferences(once, y, by)).toEqual(once);
        expect(mergePreferences(x, x, by)).toEqual(x);
      }),
    ));

  it('loses nothing: what either had stands, or is reported with who was chosen, and never with what was typed', () =>
    fc.assert(
      fc.property(a, b, rule, (x, y, by) => {
        const merged = mergePreferences(x, y, by);
        const conflicts = preferenceConflicts({ id: 'x', state: x }, { id: 'y', state: y }, by);
        for (const field of Object.keys(y.topics)) {
          const [ours, theirs, stands] = [x.topics[field], y.topics[field]!, merged.topics[field]];
          expect([ours, theirs]).toContain(stands);
          const conflict = conflicts.find((each) => each.field === field);
          if (conflict) expect(stands).toBe(conflict.chosen === 'x' ? ours : theirs);
          else if (stands !== theirs) expect(shownState(ours, LATER)).toBe(shownState(theirs, LATER));
        }
        for (const key of Object.keys(y.fields)) {
          const [ours, theirs, stands] = [fieldNamed(x, key), fieldNamed(y, key)!, fieldNamed(merged, key)];
          const conflict = conflicts.find(({ field }) => field === key);
          if (conflict) expect(stands).toBe(conflict.chosen === 'x' ? ours : theirs);
          else expect([ours, stands]).toEqual([undefined, theirs]);
        }
        expect(JSON.stringify(conflicts)).not.toMatch(/"(one|two)"/);
      }),
    ));

  it('lets the latest or the target’s stand, as the policy says', () =>
    fc.assert(
      fc.property(a, b, plain, (x, y, by) => {
        const merged = mergePreferences(x, y, by);
        if (by.policy === 'TARGET_WINS') {
          for (const [field, ours] of Object.entries(x.topics)) expect(merged.topics[field]).toBe(ours);
          for (const key of Object.keys(x.fields)) expect(fieldNamed(merged, key)).toBe(fieldNamed(x, key));
          expect(merged.globalOptOut).toEqual(x.globalOptOut ?? y.globalOptOut);
        }
        for (const key of Object.keys(y.fields)) {
          const [ours, theirs] = [fieldNamed(x, key), fieldNamed(y, key)!];
          if (!ours) expect(fieldNamed(merged, key)).toBe(theirs);
          // What was typed is no permission: the later stands, however strict the merge is.
          else if (by.policy !== 'TARGET_WINS' && ours.givenAt !== theirs.givenAt)
            expect(fieldNamed(merged, key)).toBe(ours.givenAt > theirs.givenAt ? ours : theirs);
        }
        if (by.policy !== 'MOST_RECENT') return;
        for (const [field, theirs] of Object.entries(y.topics)) {
          const ours = x.topics[field] ?? theirs;
          if (ours.state === 'UNSET' || theirs.state === 'UNSET') continue;
          const [mine, other] = [datedThrough(ours), datedThrough(theirs)];
          const latest = mine > other ? [ours] : mine < other ? [theirs] : [ours, theirs];
          expect(latest).toContain(merged.topics[field]);
          if (latest.some(({ state }) => state === 'DENIED')) expect(merged.topics[field]!.state).toBe('DENIED');
        }
        const [ours, theirs] = [x.globalOptOut ?? y.globalOptOut, y.globalOptOut ?? x.globalOptOut];
        if (!ours || !theirs) return;
        const [mine, other] = [ours, theirs].map(({ since, undated }) => datedThrough({ givenAt: since, undated }));
        if (mine === other) expect(merged.globalOptOut?.active).toBe(ours.active || theirs.active);
        else expect(merged.globalOptOut).toEqual(mine! > other! ? ours : theirs);
      }),
      { numRuns: 500 },
    ));

  it('carries over of a visitor’s preferences only what the rule lets follow', () =>
    fc.assert(
      fc.property(
        a,
        b,
        rule.filter(({ carryOver }) => carryOver !== null),
        (x, y, by) => {
          const merged = mergePreferences(x, y, by);
          const chosen = ({ topics, fields, globalOptOut }: PreferenceState): unknown => ({
            topics,
            fields,
            globalOptOut,
          });
          if (by.carryOver === 'NEVER') return expect(chosen(merged)).toEqual(chosen(x));
          if (by.carryOver === 'ALWAYS')
            return expect(chosen(merged)).toEqual(chosen(mergePreferences(x, y, { ...by, carryOver: null })));
          const refusals = by.carryOver === 'IF_DENIED';
          expect(merged.fields).toEqual(x.fields);
          for (const [field, theirs] of Object.entries(y.topics)) {
            const follows = (theirs.state === 'DENIED') === refusals;
            if (!follows) expect(merged.topics[field]).toBe(x.topics[field]);
            else if (!x.topics[field]) expect(merged.topics[field]).toBe(theirs);
          }
          if (y.globalOptOut?.active !== refusals) expect(merged.globalOptOut).toEqual(x.globalOptOut);
          else if (!x.globalOptOut) expect(merged.globalOptOut).toEqual(y.globalOptOut);
        },
      ),
    ));

  it('keeps a refusal where the stricter is to stand', () =>
    fc.assert(
      fc.property(a, b, (x, y) => {
        const merged = mergePreferences(x, y, { policy: 'MOST_RESTRICTIVE', carryOver: null, mergedAt: LATER });
        for (const field of Object.keys({ ...x.topics, ...y.topics }))
          if ([x, y].some(({ topics }) => topics[field]?.state === 'DENIED'))
            expect(merged.topics[field]!.state).toBe('DENIED');
        if (x.globalOptOut?.active || y.globalOptOut?.active) expect(merged.globalOptOut!.active).toBe(true);
      }),
    ));
});
