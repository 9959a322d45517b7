import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold, isRefusal, plusMs, type Decision, type Instant } from '../kernel/index.js';
import { PUBLISHED_BEFORE_MS, revokeSigningKey, rotateSigningKey, SUCCEEDS_WITHIN_MS } from './decide.js';
import type { SigningKeyEvent } from './events.js';
import { keyInForce, signingKeysFold, signsUntil, standingOfKey, type SigningKeysState } from './state.js';

const T0 = '2026-11-21T12:00:00.000Z';
const DAY = PUBLISHED_BEFORE_MS;
const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((n) => n.repeat(43));
const next = (number: number) => ({ number, kid: String(number).repeat(43), x: `x${number}` });
const rotate = (state: SigningKeysState, at: Instant, number = state.live.at(-1)!.number + 1) =>
  rotateSigningKey({ env: 'live', next: next(number), at, reason: null }, state);
const revoke = (state: SigningKeysState, number: number, kid: string, at: Instant) =>
  revokeSigningKey(
    number,
    kid,
    { env: 'live', next: next(state.live.at(-1)!.number + 1), at, reason: 'leaked' },
    state,
  );
function after(state: SigningKeysState, decided: Decision<SigningKeyEvent>): SigningKeysState {
  if (isRefusal(decided)) throw new Error(decided.code);
  return fold(signingKeysFold, decided.events, state);
}
const nothing = signingKeysFold.initial();
const inForce = (state: SigningKeysState, at: Instant): number => keyInForce(state.live, at).number;

/** Of each key how it stands, and until when it signs. */
const standings = ({ live }: SigningKeysState, at: Instant): [string, Instant | null][] =>
  live.map((period) => [standingOfKey(live, period, at), signsUntil(live, period)]);

describe('the list of keys', () => {
  it('says which one signs, which will, which did, and until when', () => {
    expect(standings(nothing, T0)).toEqual([['SIGNING', null]]);
    const begins = plusMs(T0, DAY);
    const rotated = after(nothing, rotate(nothing, T0));
    expect(standings(rotated, T0)).toEqual([
      ['SIGNING', begins],
      ['PUBLISHED', null],
    ]);
    expect(standings(rotated, begins)).toEqual([
      ['RETIRED', begins],
      ['SIGNING', null],
    ]);
    const again = after(rotated, rotate(rotated, begins));
    expect(standings(again, begins)).toEqual([
      ['RETIRED', begins],
      ['SIGNING', plusMs(begins, DAY)],
      ['PUBLISHED', null],
    ]);
  });

  it('names what is compromised, and counts a key that never signed as taking over from none', () => {
    const takesOver = plusMs(T0, SUCCEEDS_WITHIN_MS);
    expect(standings(after(nothing, revoke(nothing, 1, FIRST!, T0)), T0)).toEqual([
      ['REVOKED', takesOver],
      ['PUBLISHED', null],
    ]);
    const rotated = after(nothing, rotate(nothing, T0));
    const withdrawn = after(rotated, revoke(rotated, 2, SECOND!, plusMs(T0, 1)));
    expect(standings(withdrawn, plusMs(T0, 2 * DAY))).toEqual([
      ['SIGNING', null],
      ['REVOKED', plusMs(T0, DAY)],
    ]);
  });

  it('lets the key that was announced later take over where two begin at the same moment', () => {
    const rotated = after(nothing, rotate(nothing, T0));
    const begins = plusMs(T0, DAY);
    const both = after(rotated, revoke(rotated, 1, FIRST!, plusMs(begins, -SUCCEEDS_WITHIN_MS)));
    expect(standings(both, begins)).toEqual([
      ['REVOKED', begins],
      ['RETIRED', begins],
      ['SIGNING', null],
    ]);
  });

  it('says that a key signs from when to when as the keys take turns, whatever is rotated and revoked', () => {
    const step = fc.record({
      afterMs: fc.constantFrom(0, 1, SUCCEEDS_WITHIN_MS, DAY - SUCCEEDS_WITHIN_MS, DAY),
      revoked: fc.option(fc.integer({ min: 1, max: 5 })),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        let [state, at] = [nothing, T0];
        for (const { afterMs, revoked } of steps) {
          at = plusMs(at, afterMs);
          const decided = revoked === null ? rotate(state, at) : revoke(state, revoked, String(revoked).repeat(43), at);
          if (!isRefusal(decided)) state = fold(signingKeysFold, decided.events, state);
        }
        const turns = state.live.flatMap(({ signsFrom }) => signsFrom ?? []);
        for (const moment of [T0, ...turns.flatMap((turn) => [plusMs(turn, -1), turn]), plusMs(at, 2 * DAY)])
          for (const period of state.live) {
            const until = signsUntil(state.live, period);
            const signs = (period.signsFrom ?? '') <= moment && (until === null || moment < until);
            expect([moment, period.number, signs]).toEqual([
              moment,
              period.number,
              keyInForce(state.live, moment) === period,
            ]);
          }
      }),
    );
  });
});

describe('a key that signs receipts', () => {
  it('is the first one for all that was ever recorded, as long as there is no other', () => {
    for (const at of ['1970-01-01T00:00:00.000Z', T0, '2999-01-01T00:00:00.000Z']) expect(inForce(nothing, at)).toBe(1);
  });

  it('signs from a day after it was announced, and only in its environment; what was recorded before keeps its key', () => {
    const rotated = after(nothing, rotate(nothing, T0));
    const begins = plusMs(T0, DAY);
    expect(rotated.live[1]).toEqual({
      number: 2,
      kid: SECOND,
      x: 'x2',
      announcedAt: T0,
      signsFrom: begins,
      revokedAt: null,
    });
    expect([inForce(rotated, T0), inForce(rotated, plusMs(begins, -1)), inForce(rotated, begins)]).toEqual([1, 1, 2]);
    expect(rotated.test).toEqual(nothing.test);
    const again = after(rotated, rotate(rotated, begins));
    expect([T0, begins, plusMs(begins, DAY)].map((at) => inForce(again, at))).toEqual([1, 2, 3]);
  });

  it('is not announced while another one waits, nor under a number that another one has', () => {
    const rotated = after(nothing, rotate(nothing, T0));
    expect(rotate(rotated, plusMs(T0, DAY - 1))).toMatchObject({ refused: true, code: 'state_conflict' });
    expect(rotate(nothing, T0, 3)).toMatchObject({ refused: true, code: 'state_conflict' });
  });

  it('that is compromised while it signs has a successor within seconds, and what it signed stays its own', () => {
    const revoked = after(nothing, revoke(nothing, 1, FIRST!, T0));
    expect(revoked.live).toMatchObject([
      { number: 1, revokedAt: T0 },
      { number: 2, signsFrom: plusMs(T0, SUCCEEDS_WITHIN_MS) },
    ]);
    expect([inForce(revoked, T0), inForce(revoked, plusMs(T0, SUCCEEDS_WITHIN_MS))]).toEqual([1, 2]);
    // Revoked again, nothing changes.
    expect(revoke(revoked, 1, FIRST!, plusMs(T0, DAY))).toEqual({ refused: false, events: [] });
  });

  it('that is compromised before it signs never does; one that signs no longer needs no successor', () => {
    const rotated = after(nothing, rotate(nothing, T0));
    const revoked = after(rotated, revoke(rotated, 2, SECOND!, plusMs(T0, 1)));
    expect(revoked.live).toHaveLength(2);
    expect(inForce(revoked, plusMs(T0, 2 * DAY))).toBe(1);
    expect(inForce(after(revoked, rotate(revoked, plusMs(T0, 2))), plusMs(T0, 2 * DAY))).toBe(3);
    // At the very moment it would begin, its predecessor goes on until the next one does.
    const begins = plusMs(T0, DAY);
    const atOnce = after(rotated, revoke(rotated, 2, SECOND!, begins));
    expect([begins, plusMs(begins, SUCCEEDS_WITHIN_MS)].map((at) => inForce(atOnce, at))).toEqual([1, 3]);
    const past = after(rotated, revoke(rotated, 1, FIRST!, plusMs(T0, DAY)));
    expect(past.live).toHaveLength(2);
    expect([inForce(past, T0), inForce(past, plusMs(T0, DAY))]).toEqual([1, 2]);
  });

  it('that is announced takes over from the successor of a compromised one at its time', () => {
    const rotated = after(nothing, rotate(nothing, T0));
    const revoked = after(rotated, revoke(rotated, 1, FIRST!, plusMs(T0, 1)));
    expect(revoked.live.map(({ kid }) => kid)).toEqual([null, SECOND, THIRD]);
    expect([plusMs(T0, 60_000), plusMs(T0, DAY)].map((at) => inForce(revoked, at))).toEqual([3, 2]);
  });

  it('that nobody knows is not revoked', () =>
    expect(revoke(nothing, 7, FIRST!, T0)).toMatchObject({ refused: true, code: 'key_not_found' }));
});

it('an event of a newer release is not passed over', () =>
  expect(() => signingKeysFold.evolve(nothing, { type: 'SigningKeyLent', data: { env: 'live' } } as never)).toThrow(
    /SigningKeyLent/,
  ));
