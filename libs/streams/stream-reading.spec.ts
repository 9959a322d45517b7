import { setImmediate as next } from 'node:timers/promises';
import { LogCalls } from '../../test/support/log-calls.js';
import { keepSealed, refusal, UNCHARGED, type DomainEvent, type Work } from '../kernel/index.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Codec, defineEvent } from './codec.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM, type NewEvent } from '../log/port.js';
import { ReplayCost } from './replay-cost.js';
import type { FoldedBefore, StreamFold } from './stream-fold.js';
import { PAGE } from './stream-pages.js';
import { StreamReading } from './stream-reading.js';

type Counted = DomainEvent<'Counted', { n: number }>;
/** Every event that was folded, by its number. */
type Numbers = readonly number[];

const STREAM = 's-1';
const codec = new Codec(['Counted', 'Noted'].map((type) => defineEvent({ type, version: 1, personal: [] })));
const numbers: StreamFold<Numbers, Counted> = {
  on: ['Counted'],
  initial: () => [],
  evolve: (state, { data: { n } }) => [...state, n],
  contended: () => refusal('state_conflict', 'Others were faster.', 'Try again.'),
  givenAt: ({ data: { n } }) => minute(n),
};
const minute = (n: number): string => `2026-11-21T12:${String(n % 60).padStart(2, '0')}:00.000Z`;

let log: LogCalls;
let streams: StreamReading<Numbers, Counted>;
beforeEach(() => {
  log = new LogCalls(new MemoryEventLog());
  streams = new StreamReading(log, codec, numbers);
});
afterEach(() => log.close());

/** Events of the stream, two of others before each: its positions are 2, 5, 8 and so on. Every fourth is not folded. */
async function history(length: number): Promise<void> {
  for (let n = 0; n < length; n++) {
    await log.log.append(`other-${n}`, NO_STREAM, [anEvent('Noted'), anEvent('Noted')]);
    await log.log.append(STREAM, n === 0 ? NO_STREAM : n - 1, [eventOf(n)]);
  }
}
const isFolded = (n: number): boolean => n % 4 !== 3;
const eventOf = (n: number): NewEvent => {
  const event = isFolded(n) ? anEvent('Counted', { n }) : anEvent('Noted');
  return { ...event, metadata: { ...event.metadata, recordedAt: minute(n) } };
};
const foldedBelow = (revision: number): Numbers => [...Array(revision).keys()].filter(isFolded);

describe('the past of a stream', () => {
  it('is the state before any of its events', async () => {
    await history(9);
    for (let revision = 0; revision <= 9; revision++)
      expect(await streams.stateBefore(STREAM, revision)).toEqual(foldedBelow(revision));
  });

  it('is folded on from what is known, where that is not too much', async () => {
    await history(6);
    await streams.load(STREAM);
    for (let n = 6; n < 9; n++) await log.log.append(STREAM, n - 1, [eventOf(n)]);
    const cost = await log.during(async () => expect(await streams.stateBefore(STREAM, 8)).toEqual(foldedBelow(8)));
    expect(cost).toEqual({ reads: 1, events: 3, appends: 0 });
    expect(await streams.stateBefore(STREAM, 5)).toEqual(foldedBelow(5));
    // The last event that is known is the one before: nothing is folded.
    expect(await streams.stateBefore(STREAM, 6)).toEqual(foldedBelow(6));
  });

  it('is folded across the pages of a long stream', async () => {
    const events = Array.from({ length: 1_000 }, (_, n) => eventOf(n));
    await log.log.append(STREAM, NO_STREAM, events);
    for (const revision of [499, 500, 501, 999])
      expect(await streams.stateBefore(STREAM, revision)).toEqual(foldedBelow(revision));
  });

  it('begins with what is known where that holds nothing from beyond a bound, else with nothing', async () => {
    await history(6);
    const begin = async (bound: FoldedBefore) => (await streams.since(STREAM, bound, new ReplayCost())).begin;
    expect(await begin({})).toMatchObject({ revision: -1, state: [] });
    await streams.load(STREAM);
    const begins = async (bound: FoldedBefore) => (await begin(bound)).revision;
    expect(await begins({})).toBe(5);
    expect([await begins({ revision: 5 }), await begins({ revision: 4 })]).toEqual([5, -1]);
    expect([await begins({ position: 17n }), await begins({ position: 16n })]).toEqual([5, -1]);
    // The fifth event is not folded: it was given at no moment.
    expect([await begins({ givenThrough: minute(5) }), await begins({ givenThrough: minute(4) })]).toEqual([5, -1]);
    expect([await begins({ recordedThrough: minute(5) }), await begins({ recordedThrough: minute(4) })]).toEqual([
      5, -1,
    ]);
  });

  it('is folded as far as a bound allows where it is long, and what that came to is known from then on', async () => {
    const events = Array.from({ length: 1_000 }, (_, n) => eventOf(n));
    await log.log.append(STREAM, NO_STREAM, events);
    const { begin, events: rest } = await streams.since(STREAM, { revision: 650 }, new ReplayCost());
    expect(begin).toMatchObject({ revision: 599, state: foldedBelow(600) });
    const revisions: number[] = [];
    for await (const { revision } of rest) revisions.push(revision);
    expect(revisions).toEqual([...Array(1_000).keys()].filter((n) => n >= 600 && isFolded(n)));
    const again = await log.during(() => streams.since(STREAM, { revision: 650 }, new ReplayCost()));
    expect(again.events).toBe(100);
  });

  it('knows which event of a stream was the last before a position', async () => {
    await history(7);
    for (let position = 0; position < 24; position++)
      expect(await streams.revisionBefore(STREAM, BigInt(position))).toBe(
        Math.min(Math.ceil((position - 2) / 3), 7) - 1,
      );
    const cost = await log.during(() => streams.revisionBefore(STREAM, 9n));
    expect(cost.reads).toBeLessThanOrEqual(4);
    expect(await streams.revisionBefore('s-2', 9n)).toBe(-1);
  });
});

describe('a stream that is loaded', () => {
  it('says how many events were read for it', async () => {
    await history(3);
    const read = async (): Promise<number> => {
      let events = 0;
      await streams.load(STREAM, { work: { ...UNCHARGED, folded: (more) => void (events += more) } });
      return events;
    };
    expect(await read()).toBe(3);
    expect(await read()).toBe(0);
    await log.log.append(STREAM, 2, [eventOf(4), eventOf(5)]);
    expect(await read()).toBe(2);
  });

  it('is known from then on without a read', async () => {
    await history(3);
    expect(streams.peek(STREAM)).toBeNull();
    await streams.load(STREAM);
    const cost = await log.during(async () =>
      expect(streams.peek(STREAM)).toMatchObject({ revision: 2, state: foldedBelow(3) }),
    );
    expect(cost.reads).toBe(0);
  });
});

describe('a long stream that several read at the same time, each waiting after its pages', () => {
  const [EVENTS, READERS] = [1_000, 3];
  /** One page of each is all that more than one of them reads, and the last, which is empty. */
  const ONCE = { reads: READERS + EVENTS / PAGE - 1 + READERS, events: EVENTS + (READERS - 1) * PAGE, appends: 0 };
  beforeEach(() =>
    log.log.append(
      STREAM,
      NO_STREAM,
      Array.from({ length: EVENTS }, (_, n) => eventOf(n)),
    ),
  );

  /** What each of them comes to, and what was read for all. Their waits end one after the other. */
  async function together<R>(read: (work: Work) => Promise<R>): Promise<[R[], typeof ONCE]> {
    let turn = Promise.resolve();
    const waiting: Work = { folded: () => (turn = turn.then(() => next())) };
    let answers: R[] = [];
    const cost = await log.during(async () => {
      answers = await Promise.all(Array.from({ length: READERS }, () => read(waiting)));
    });
    return [answers, cost];
  }

  it('is read once for all of them', async () => {
    const [states, cost] = await together(async (work) => (await streams.load(STREAM, { work })).state);
    expect(states).toEqual(Array(READERS).fill(foldedBelow(EVENTS)));
    expect(cost).toEqual(ONCE);
  });

  it('is read once as far as its past that all of them ask about, and each is charged for what it reads itself', async () => {
    const costs: ReplayCost[] = [];
    const [begins, cost] = await together(async (work) => {
      const own = new ReplayCost(work);
      costs.push(own);
      const { begin, events } = await streams.since(STREAM, { revision: EVENTS - 1 }, own);
      for await (const { revision } of events) throw new Error(`${revision} is left`);
      return [begin.revision, begin.state];
    });
    expect(begins).toEqual(Array(READERS).fill([EVENTS - 1, foldedBelow(EVENTS)]));
    expect(cost).toEqual(ONCE);
    expect(costs.reduce((sum, { events }) => sum + events, 0)).toBe(ONCE.events);
  });

  it('never begins beyond the bound of whoever asks about an earlier moment', async () => {
    const bounds = [949, 349, 649];
    const [begins] = await together(async (work) => {
      const bound = { revision: bounds.pop()! };
      const { begin } = await streams.since(STREAM, bound, new ReplayCost(work));
      return [bound.revision, begin.revision, begin.state];
    });
    expect(begins).toEqual([649, 349, 949].map((at) => [at, at - 50, foldedBelow(at - 49)]));
  });

  it('is read whole by each that looks for a key: one that stands on several events may begin on one page and end on the next', async () => {
    const find = [{ digests: ['none'], since: minute(0) }];
    const [, cost] = await together((work) => streams.load(STREAM, { find, work }));
    expect(cost.events).toBeGreaterThanOrEqual(READERS * EVENTS);
  });
});

describe('keys that are asked for', () => {
  const under = (n: number, idempotencyKey: string): NewEvent => {
    const event = eventOf(n);
    return { ...event, metadata: { ...event.metadata, recordedAt: minute(0), idempotencyKey } };
  };

  it('are searched for unless all of them stand on what is read anyway', async () => {
    await log.log.append(STREAM, NO_STREAM, [under(0, 'old'), under(1, 'other')]);
    await streams.load(STREAM);
    await log.log.append(STREAM, 1, [under(2, 'new')]);
    const both = await streams.load(STREAM, { find: [{ digests: ['old', 'new'], since: minute(0) }] });
    expect([...both.keys.keys()].sort()).toEqual(['new', 'old', 'other']);
    await log.log.append(STREAM, 2, [under(3, 'newest')]);
    const cost = await log.during(async () => {
      const { keys } = await streams.load(STREAM, { find: [{ digests: ['newest'], since: minute(0) }] });
      expect([...keys.keys()]).toEqual(['newest']);
    });
    expect(cost).toEqual({ reads: 1, events: 1, appends: 0 });
  });
});

describe('a page of a stream', () => {
  it('begins at its end or at a revision, and says where the next one does', async () => {
    await history(5);
    const page = async (from: number | undefined, limit: number) => {
      const { events, next } = await streams.backwards(STREAM, from, limit, keepSealed(STREAM));
      return [events.map(({ revision }) => revision), next];
    };
    expect(await page(undefined, 2)).toEqual([[4, 3], 2]);
    expect(await page(2, 2)).toEqual([[2, 1], 0]);
    expect(await page(0, 2)).toEqual([[0], null]);
    expect(await page(undefined, 5)).toEqual([[4, 3, 2, 1, 0], null]);
    expect(await streams.backwards('s-2', undefined, 5, keepSealed('s-2'))).toEqual({ events: [], next: null });
  });

  it('of its past holds what is folded, and every event that is read is counted', async () => {
    await history(9);
    const cost = new ReplayCost();
    const revisions: number[] = [];
    for await (const { revision } of (await streams.since(STREAM, { revision: 1 }, cost)).events)
      revisions.push(revision);
    expect([revisions, cost.events]).toEqual([[0, 1, 2, 4, 5, 6, 8], 9]);
  });
});
