import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { frozen } from '../../test/laws/histories.js';
import { fold, instantOf, isRefusal, plusMs, type Instant } from '../kernel/index.js';
import { ruleAt } from '../policy/index.js';
import { termsOfRequest } from './dates.js';
import { decideRequest, receiveRequest, type ReceiveRequest, type RequestCommand } from './decide.js';
import { DATA_REQUEST_TYPES, type DataRequestEvent, type DataRequestType } from './events.js';
import { isOpen, nextChoreAt, requestFold, type DataRequest, type RequestState } from './state.js';

const DAY = 86_400_000;
const T0 = instantOf(Date.UTC(2026, 0, 31, 12));
/** When the law of the tests is read: Britain stops the clock since 2026. */
const LAW = '2026-11-01T00:00:00.000Z';
const at = (days: number): Instant => plusMs(T0, days * DAY);
const ID = 'dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S';
interface Place {
  country: string | null;
  region: string | null;
}
const GERMANY: Place = { country: 'DE', region: null };
const BRITAIN: Place = { country: 'GB', region: null };
const CALIFORNIA: Place = { country: 'US', region: 'US-CA' };

const wanted = (
  type: DataRequestType = 'ACCESS',
  where = GERMANY,
  more: Partial<ReceiveRequest> = {},
): ReceiveRequest => ({
  type: 'receive',
  requestId: ID,
  subjectId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  requestType: type,
  regulation: null,
  regulationOfPlace: 'GDPR',
  jurisdiction: where.country === null ? null : { country: where.country },
  terms: termsOfRequest(type, ruleAt(where, LAW)),
  receivedAt: T0,
  source: 'API',
  requester: { type: 'SELF' },
  ...more,
});

/** The request after these commands, each at its day; every one of them must be allowed. */
function after(command: ReceiveRequest, ...steps: (readonly [RequestCommand, number])[]): DataRequest {
  const received = receiveRequest(command, null, T0);
  if (isRefusal(received)) throw new Error(received.code);
  return steps.reduce((state, [step, days]) => {
    const decided = decideRequest(step, state, at(days));
    if (isRefusal(decided)) throw new Error(`${step.type} is refused: ${decided.message}`);
    return fold(requestFold, decided.events, state)!;
  }, fold(requestFold, received.events)!);
}

const decided = (command: RequestCommand, state: RequestState, days: number): string | string[] => {
  const decision = decideRequest(command, state, at(days));
  return isRefusal(decision) ? decision.code : decision.events.map(({ type }) => type);
};
const VERIFY: RequestCommand = { type: 'verify', method: 'OPERATOR' };
const START: RequestCommand = { type: 'start' };
const WAIT: RequestCommand = { type: 'hold', reason: 'AWAITING_REQUESTER' };
const RESUME: RequestCommand = { type: 'resume' };
const BEGIN: RequestCommand = { type: 'beginCompletion', outcome: 'COMPLETED' };
const COMPLETE: RequestCommand = { type: 'complete', effect: { kind: 'NONE' } };
const LOOK: RequestCommand = { type: 'look' };

describe('a data request', () => {
  it('has the dates of its place: a month from 31 January ends with 28 February there', () => {
    const request = after(wanted());
    expect(request).toMatchObject({ state: 'RECEIVED', regulation: 'GDPR', dueAt: '2026-02-28T23:00:00.000Z' });
    expect(request.acknowledgeBy).toBeNull();
  });

  it('is acknowledged and opted out of within business days in California, whichever opt-out it is', () => {
    const types = ['ACCESS', 'OPT_OUT_SALE_SHARE', 'LIMIT_SENSITIVE', 'OPT_OUT_PROFILING'] as const;
    const [access, ...optOuts] = types.map((type) => after(wanted(type, CALIFORNIA)));
    expect(access!.acknowledgeBy).toBe('2026-02-14T08:00:00.000Z');
    expect(access!.dueAt).toBe('2026-03-18T07:00:00.000Z');
    expect(optOuts.map(({ dueAt }) => dueAt)).toEqual(Array(3).fill('2026-02-21T08:00:00.000Z'));
  });

  it('goes its way to the end, and every step is told once', () => {
    const request = after(wanted(), [VERIFY, 1], [START, 2], [WAIT, 3], [RESUME, 4], [BEGIN, 5], [COMPLETE, 6]);
    expect(request.history.map(({ state }) => state)).toEqual([
      'RECEIVED',
      'VERIFIED',
      'IN_PROGRESS',
      'ON_HOLD',
      'IN_PROGRESS',
      'COMPLETED',
    ]);
    expect(request).toMatchObject({ closedAt: at(6), effect: { kind: 'NONE' }, completing: null });
  });

  it('is in the hands of one operator, or of none, while it is open', () => {
    const TAKE: RequestCommand = { type: 'assign', assignee: 'opt_first' };
    const taken = after(wanted(), [TAKE, 1]);
    expect([taken.assignee, taken.state, taken.changedAt]).toEqual(['opt_first', 'RECEIVED', at(1)]);
    expect(decided(TAKE, taken, 2)).toEqual([]);
    const left = after(wanted(), [TAKE, 1], [{ type: 'assign', assignee: null }, 2]);
    expect([left.assignee, decided({ type: 'assign', assignee: null }, left, 3)]).toEqual([undefined, []]);
    const over = after(wanted(), [VERIFY, 1], [BEGIN, 2], [COMPLETE, 3]);
    expect(decided(TAKE, over, 4)).toBe('state_conflict');
  });

  it('keeps every note, also once it is closed, and at most 200 of them', () => {
    const note = (text: string): RequestCommand => ({ type: 'note', note: text, by: 'key_1' });
    const over = after(wanted(), [note('one'), 1], [VERIFY, 1], [BEGIN, 2], [COMPLETE, 3], [note('one'), 4]);
    expect(over).toMatchObject({ state: 'COMPLETED', closedAt: at(3), changedAt: at(4) });
    const [first, last] = [1, 4].map((day) => ({ at: at(day), by: 'key_1', text: 'one' }));
    expect(over.texts.notes).toEqual([first, last]);
    const full = after(wanted(), ...Array.from({ length: 200 }, () => [note('again'), 1] as const));
    expect(decided(note('one more'), full, 2)).toBe('state_conflict');
  });

  it('is not worked on before it is known who sent it, but for opt-outs', () => {
    for (const type of DATA_REQUEST_TYPES) {
      const isOptOut = /^(OPT_OUT|LIMIT)/.test(type);
      expect([type, decided(START, after(wanted(type)), 1)]).toEqual([
        type,
        isOptOut ? ['DataRequestStarted'] : 'state_conflict',
      ]);
      expect([type, decided(BEGIN, after(wanted(type)), 1)]).toEqual([
        type,
        isOptOut ? ['DataRequestCompletionBegun'] : 'state_conflict',
      ]);
    }
  });

  it('expires where nobody proves it in time, and not a moment earlier', () => {
    const waiting = after(wanted('ERASURE', GERMANY, { awaitsProofUntil: at(2) }));
    expect(waiting.state).toBe('AWAITING_VERIFICATION');
    expect(decided(LOOK, waiting, 1.99)).toEqual([]);
    expect(decided(LOOK, waiting, 2)).toEqual(['DataRequestExpired']);
    expect(decided(VERIFY, waiting, 1)).toEqual(['DataRequestVerified']);
  });

  it('waits without its clock only where the law says so and the requester is waited for', () => {
    const held = (where: Place, reason: 'AWAITING_REQUESTER' | 'LEGAL_REVIEW') =>
      after(wanted('ACCESS', where), [VERIFY, 0], [START, 0], [{ type: 'hold', reason }, 5]);
    expect(held(GERMANY, 'AWAITING_REQUESTER').dueAt).toBe('2026-02-28T23:00:00.000Z');
    expect(held(BRITAIN, 'LEGAL_REVIEW').dueAt).toBe('2026-03-01T00:00:00.000Z');
    const paused = held(BRITAIN, 'AWAITING_REQUESTER');
    expect([paused.dueAt, paused.firstDueAt]).toEqual([null, null]);
    expect(decided(LOOK, paused, 200)).toEqual([]);
    const resumed = fold(
      requestFold,
      (decideRequest(RESUME, paused, at(15)) as { events: DataRequestEvent[] }).events,
      paused,
    )!;
    expect(resumed.dueAt).toBe('2026-03-11T00:00:00.000Z');
  });

  it('is extended once, before its first period is over', () => {
    const started = after(wanted(), [VERIFY, 0], [START, 0]);
    const extended = after(wanted(), [VERIFY, 0], [START, 0], [{ type: 'extend' }, 10]);
    expect([extended.firstDueAt, extended.dueAt]).toEqual(['2026-02-28T23:00:00.000Z', '2026-04-30T22:00:00.000Z']);
    expect(decided({ type: 'extend' }, extended, 11)).toBe('state_conflict');
    expect(decided({ type: 'extend' }, started, 29)).toBe('state_conflict');
    const nowhere = after(wanted('ACCESS', { country: 'ID', region: null }));
    expect(decided({ type: 'extend' }, nowhere, 1)).toBe('state_conflict');
  });

  it('is told to be due soon, then overdue, once each, and again for an extended date', () => {
    const started = after(wanted(), [VERIFY, 0], [START, 0]);
    expect(decided(LOOK, started, 21)).toEqual([]);
    expect(decided(LOOK, started, 22)).toEqual(['DataRequestDueSoon']);
    const soon = after(wanted(), [VERIFY, 0], [START, 0], [LOOK, 22]);
    expect(decided(LOOK, soon, 23)).toEqual([]);
    expect(decided(LOOK, soon, 29)).toEqual(['DataRequestOverdue']);
    const over = after(wanted(), [VERIFY, 0], [START, 0], [LOOK, 22], [LOOK, 29]);
    expect(decided(LOOK, over, 30)).toEqual([]);
    expect(nextChoreAt(over)).toBeNull();
    const extended = after(wanted(), [VERIFY, 0], [START, 0], [LOOK, 22], [{ type: 'extend' }, 23]);
    expect(decided(LOOK, extended, 60)).toEqual([]);
    expect(decided(LOOK, extended, 84)).toEqual(['DataRequestDueSoon']);
  });

  it('is touched by nothing else while it is being completed, and goes on where that is refused', () => {
    const completing = after(wanted(), [VERIFY, 0], [START, 0], [BEGIN, 1]);
    for (const command of [
      START,
      WAIT,
      { type: 'extend' },
      { type: 'reject', reasonCode: 'EXCESSIVE' },
    ] as RequestCommand[])
      expect([command.type, decided(command, completing, 2)]).toEqual([command.type, 'state_conflict']);
    expect(decided(BEGIN, completing, 2)).toEqual([]);
    const stopped = after(
      wanted(),
      [VERIFY, 0],
      [START, 0],
      [BEGIN, 1],
      [{ type: 'stopCompletion', code: 'state_conflict' }, 2],
    );
    expect(stopped).toMatchObject({ state: 'IN_PROGRESS', completing: null, stoppedBy: 'state_conflict' });
    expect(decided(BEGIN, stopped, 3)).toEqual(['DataRequestCompletionBegun']);
  });

  it('needs evidence of whoever acts for the subject, and cannot come in tomorrow', () => {
    const refused = (more: Partial<ReceiveRequest>) => {
      const decision = receiveRequest(wanted('ACCESS', GERMANY, more), null, T0);
      return isRefusal(decision) ? decision.code : null;
    };
    expect(refused({ requester: { type: 'AGENT', name: 'A' } })).toBe('validation_failed');
    expect(refused({ requester: { type: 'GUARDIAN', evidence: 'custody 2024-8' } })).toBeNull();
    expect([refused({ receivedAt: at(1) }), refused({ receivedAt: plusMs(T0, 300_000) })]).toEqual([
      'timestamp_in_future',
      null,
    ]);
  });

  it('that is an opt-out may be completed in the same breath, and nothing else that nobody verified', () => {
    const completing = (type: DataRequestType, more: Partial<ReceiveRequest> = {}) =>
      after(wanted(type, GERMANY, { atOnce: true, ...more })).completing !== null;
    expect([completing('OPT_OUT_SALE_SHARE'), completing('WITHDRAW_ALL')]).toEqual([true, false]);
    expect(completing('WITHDRAW_ALL', { verifiedBy: 'PORTAL_TOKEN' })).toBe(true);
    expect(completing('WITHDRAW_ALL', { awaitsProofUntil: at(1) })).toBe(false);
  });

  it('of a subject and type is marked as a duplicate of another one only', () => {
    expect(decided({ type: 'markDuplicate', duplicateOf: ID }, after(wanted()), 1)).toBe('validation_failed');
    expect(decided({ type: 'markDuplicate', duplicateOf: `${ID.slice(0, -1)}T` }, after(wanted()), 1)).toEqual([
      'DataRequestMarkedDuplicate',
    ]);
  });
});

describe('laws of data requests', () => {
  const command = fc.constantFrom<RequestCommand>(
    VERIFY,
    START,
    WAIT,
    { type: 'hold', reason: 'LEGAL_REVIEW', note: 'n' },
    RESUME,
    { type: 'extend', note: 'many' },
    BEGIN,
    { type: 'beginCompletion', outcome: 'PARTIALLY_COMPLETED' },
    COMPLETE,
    { type: 'stopCompletion', code: 'state_conflict' },
    { type: 'reject', reasonCode: 'NO_MATCH' },
    { type: 'cancel', reason: 'OPENED_BY_MISTAKE' },
    { type: 'markDuplicate', duplicateOf: `${ID.slice(0, -1)}T` },
    LOOK,
    LOOK,
  );
  const beginning = fc.record({
    type: fc.constantFrom(...DATA_REQUEST_TYPES),
    where: fc.constantFrom<Place>(
      GERMANY,
      BRITAIN,
      CALIFORNIA,
      { country: 'CO', region: null },
      { country: 'AE', region: null },
    ),
    more: fc.constantFrom<Partial<ReceiveRequest>>(
      {},
      {},
      { awaitsProofUntil: at(3) },
      { verifiedBy: 'EMAIL_CODE' },
      { unproven: { reason: 'ADDRESS_NOT_VERIFIED', identifierId: 'idn_01M7ZE5F2QWQB5CNFD1PADVS8Q' } },
      { atOnce: true },
    ),
  });
  const steps = fc.array(fc.tuple(command, fc.integer({ min: 0, max: 20 * DAY })), { maxLength: 25 });

  /** Every state on the way, the events that led there, and what was refused. */
  function walk(
    { type, where, more }: { type: DataRequestType; where: Place; more: Partial<ReceiveRequest> },
    taken: readonly (readonly [RequestCommand, number])[],
  ) {
    const received = receiveRequest(wanted(type, where, more), null, T0);
    if (isRefusal(received)) throw new Error(received.code);
    const events = [...received.events];
    const states = [fold(requestFold, events)!];
    let now = T0;
    for (const [step, ms] of taken) {
      now = plusMs(now, ms);
      const decision = decideRequest(step, frozen(states.at(-1)!), now);
      if (isRefusal(decision)) continue;
      events.push(...decision.events);
      states.push(fold(requestFold, decision.events, states.at(-1)!)!);
    }
    return { events, states, now };
  }

  it('a history equals its fold, and a command done twice is done once', () => {
    fc.assert(
      fc.property(beginning, steps, command, (begun, taken, last) => {
        const { events, states, now } = walk(begun, taken);
        expect(fold(requestFold, events)).toEqual(states.at(-1));
        const once = decideRequest(last, states.at(-1)!, now);
        if (isRefusal(once)) return;
        const then = fold(requestFold, once.events, states.at(-1)!);
        const again = decideRequest(last, then, now);
        // Overdue may follow due soon; each is noticed once.
        if (last.type !== 'look' && last.type !== 'stopCompletion' && last.type !== 'extend')
          expect(isRefusal(again) ? again.code : again.events).toEqual([]);
        if (last.type === 'extend' && once.events.length > 0) expect(isRefusal(again)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('every state has a way out, and a closed one takes nothing more', () => {
    fc.assert(
      fc.property(beginning, steps, command, (begun, taken, more) => {
        const { states, now } = walk(begun, taken);
        const last = states.at(-1)!;
        if (isOpen(last)) {
          const free = last.completing
            ? fold(requestFold, (decideRequest(COMPLETE, last, now) as { events: DataRequestEvent[] }).events, last)!
            : last;
          if (isOpen(free))
            expect(decided({ type: 'reject', reasonCode: 'EXEMPTION' }, free, 1_000)).toEqual(['DataRequestRejected']);
        } else {
          const decision = decideRequest(more, last, now);
          expect(isRefusal(decision) || decision.events.length === 0).toBe(true);
          expect([last.closedAt !== null, nextChoreAt(last)]).toEqual([true, null]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('its dates never move backwards, but stand still where a pause is recorded', () => {
    fc.assert(
      fc.property(beginning, steps, (begun, taken) => {
        const { states } = walk(begun, taken);
        let known: Instant | null = null;
        for (const { dueAt, pauses, terms } of states) {
          if (dueAt === null) expect(terms.dueDays === null || pauses.some(({ to }) => to === null)).toBe(true);
          else {
            if (known !== null) expect(dueAt >= known).toBe(true);
            known = dueAt;
          }
        }
        for (const { changedAt, history } of states) {
          const times = history.map((reached) => reached.at);
          expect([...times].sort()).toEqual(times);
          expect(changedAt >= times.at(-1)!).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('each date is told as due soon once and as overdue once, however often somebody looks', () => {
    fc.assert(
      fc.property(beginning, steps, (begun, taken) => {
        const { events } = walk(begun, taken);
        const told = events.flatMap(({ type, data }) =>
          /DueSoon|Overdue/.test(type) ? [`${type} ${data.dueAt}`] : [],
        );
        expect(new Set(told).size).toBe(told.length);
      }),
      { numRuns: 200 },
    );
  });
});
