import { randomUUID } from 'node:crypto';
import { LogCalls } from '../../test/support/log-calls.js';
import {
  instantOf,
  isRefusal,
  plusMs,
  refusal,
  type DomainEvent,
  type Instant,
  type Refusal,
} from '../kernel/index.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Codec, defineEvent, UnreadableEvent } from './codec.js';
import { CLOCK_LEEWAY_MS } from './key-search.js';
import { LogUnavailable, NO_STREAM, type NewEvent } from '../log/port.js';
import { ReplayCost } from './replay-cost.js';
import { PAGE } from './stream-pages.js';
import type { StreamFold } from './stream-fold.js';
import { Stream, type Attempt, type ExecuteOptions, type Loaded } from './stream.js';

type Added = DomainEvent<'Added', { n: number }>;
type Sum = { total: number; of: number };

const START = Date.UTC(2026, 10, 21, 12);
const STREAM = 'account-1';
const codec = new Codec(['Added', 'Noted'].map((type) => defineEvent({ type, version: 1, personal: [] })));
const contended = (): Refusal => refusal('state_conflict', 'Others were faster each time.', 'Try again.');
const sum: StreamFold<Sum, Added> = {
  on: ['Added'],
  initial: () => ({ total: 0, of: 0 }),
  evolve: ({ total, of }, { data: { n } }) => ({ total: total + n, of: of + 1 }),
  contended,
};
const tooMuch = refusal('validation_failed', 'That is too much.', 'Add less.');

let log: LogCalls;
let now: Instant;
/** Two processes: each with its own cache, over one log. */
let [here, there]: [Stream<Sum, Added>, Stream<Sum, Added>] = [null!, null!];
beforeEach(() => {
  now = instantOf(START);
  log = new LogCalls(new MemoryEventLog());
  [here, there] = [new Stream(log, codec, sum), new Stream(log, codec, sum)];
});
afterEach(() => log.close());

interface Adding extends ExecuteOptions {
  n?: number;
  most?: number;
  key?: string;
}

/** Adds once under its key; refuses what would lead beyond `most`. */
function add(
  streams: Stream<Sum, Added>,
  { n = 1, most = Infinity, key, ...options }: Adding = {},
): Promise<{ total: number; replayed: boolean } | Refusal> {
  const attempt = ({ state, keys }: Loaded<Sum>): Attempt<{ total: number; replayed: boolean }> | Refusal => {
    if (key !== undefined && keys.has(key)) return { append: [], answer: () => ({ ...state, replayed: true }) };
    if (state.total + n > most) return tooMuch;
    const metadata = { actor: 'test', recordedAt: now, ...(key !== undefined && { idempotencyKey: key }) };
    return {
      append: [{ event: { type: 'Added', data: { n } }, id: randomUUID(), metadata }],
      answer: () => ({ total: state.total + n, replayed: false }),
    };
  };
  return streams.execute(STREAM, undefined, attempt, options);
}

const event = (recordedAt: Instant, key?: string, type = 'Added'): NewEvent => ({
  id: randomUUID(),
  type,
  data: { n: 1 },
  metadata: { schemaVersion: 1, actor: 'test', recordedAt, ...(key !== undefined && { idempotencyKey: key }) },
});

/** A stream of so many events, one a minute; `keyOf`: which of them stands under which key. */
async function history(length: number, keyOf: (i: number) => string | undefined = () => undefined): Promise<void> {
  for (let i = 0; i < length; i += 1000) {
    const events = Array.from({ length: Math.min(1000, length - i) }, (_, j) =>
      event(instantOf(START + (i + j) * 60_000), keyOf(i + j)),
    );
    await log.log.append(STREAM, i === 0 ? NO_STREAM : i - 1, events);
  }
}

const total = async (): Promise<number> => (await new Stream(log, codec, sum).load(STREAM)).state.total;
const unavailable = (outcomeUnknown: boolean): LogUnavailable => new LogUnavailable('no answer', outcomeUnknown);

describe('deciding', () => {
  it('happens on the state that the stream has come to, own writes and those of others', async () => {
    await add(here, { n: 2 });
    await add(there, { n: 3 });
    expect(await add(here, { n: 4 })).toEqual({ total: 9, replayed: false });
  });

  it('reads nothing where this process knows the stream, and one page where it does not', async () => {
    expect(await log.during(() => add(here))).toEqual({ reads: 1, events: 0, appends: 1 });
    expect(await log.during(() => add(here))).toEqual({ reads: 0, events: 0, appends: 1 });
    expect(await log.during(() => add(there))).toEqual({ reads: 1, events: 2, appends: 1 });
  });

  it('reads nothing of a stream that nobody can have written to', async () => {
    expect(await log.during(() => add(here, { isNew: true }))).toEqual({ reads: 0, events: 0, appends: 1 });
  });

  it('refuses on the newest state only', async () => {
    await add(here, { n: 5 });
    await there.load(STREAM);
    await add(here, { n: -5 });
    expect(await add(there, { n: 5, most: 5 })).toEqual({ total: 5, replayed: false });
    expect(await add(here, { n: 5, most: 5 })).toEqual(tooMuch);
  });

  it('counts every event once, however many race', async () => {
    const done = await Promise.all([here, there].flatMap((streams) => Array.from({ length: 3 }, () => add(streams))));
    expect(done.filter(isRefusal)).toEqual([]);
    expect(await total()).toBe(6);
  });

  it('gives up after five tries that others won', async () => {
    log.beforeAppend = async () => {
      log.beforeAppend = async () => undefined;
      const rival = log.log;
      const [last] = await rival.read(STREAM, { direction: 'backwards', limit: 1 });
      await rival.append(STREAM, last?.revision ?? NO_STREAM, [event(now)]);
      log.beforeAppend = always;
    };
    const always = log.beforeAppend;
    expect(await log.during(async () => expect(await add(here)).toEqual(contended()))).toMatchObject({ appends: 5 });
    expect(await total()).toBe(5);
  });

  it('takes turns inside one process, also where one of them fails', async () => {
    const failing = here.execute(STREAM, undefined, () => {
      throw new Error('a bug');
    });
    const done = add(here);
    await expect(failing).rejects.toThrow('a bug');
    expect(await done).toEqual({ total: 1, replayed: false });
    expect(await log.during(() => Promise.all([add(here), add(here)]))).toEqual({ reads: 0, events: 0, appends: 2 });
  });
});

describe('an append whose outcome is not known', () => {
  it('is done where it stands in the log', async () => {
    log.appendWith = async (...append) => {
      log.appendWith = null;
      await log.log.append(...append);
      throw unavailable(true);
    };
    expect(await add(here)).toEqual({ total: 1, replayed: false });
    expect(await total()).toBe(1);
  });

  it('is made again where it does not, as the very same events', async () => {
    const sent: string[] = [];
    log.appendWith = async (stream, expected, events) => {
      sent.push(events[0]!.id);
      if (sent.length < 3) throw unavailable(true);
      return log.log.append(stream, expected, events);
    };
    expect(await add(here)).toEqual({ total: 1, replayed: false });
    expect(new Set(sent).size).toBe(1);
    expect(await total()).toBe(1);
  });

  it('has one effect where the first one arrives late', async () => {
    let first: (() => Promise<unknown>) | null = null;
    log.appendWith = async (...append) => {
      if (first) {
        await first();
        return log.log.append(...append);
      }
      first = () => log.log.append(...append);
      throw unavailable(true);
    };
    expect(await add(here)).toEqual({ total: 1, replayed: false });
    expect(await total()).toBe(1);
  });

  it('is decided anew where somebody else was faster', async () => {
    log.appendWith = async () => {
      log.appendWith = null;
      await log.log.append(STREAM, NO_STREAM, [event(now)]);
      throw unavailable(true);
    };
    expect(await add(here, { most: 1 })).toEqual(tooMuch);
    expect(await total()).toBe(1);
  });

  it('stays unknown where the log never says, and is no reason to try what certainly failed', async () => {
    log.appendWith = async () => {
      throw unavailable(true);
    };
    await expect(add(here)).rejects.toThrow(LogUnavailable);
    log.appendWith = async () => {
      throw unavailable(false);
    };
    expect(await log.during(() => expect(add(here)).rejects.toThrow(LogUnavailable))).toMatchObject({ appends: 1 });
  });
});

describe('folding', () => {
  it('lets events pass that it does not name, and counts their revisions', async () => {
    await log.log.append(STREAM, NO_STREAM, [
      event(now),
      event(now, undefined, 'Noted'),
      event(now, undefined, 'Noted'),
    ]);
    expect(await here.load(STREAM)).toMatchObject({ revision: 2, lastFolded: 0, position: 2n, state: { total: 1 } });
    expect(await add(here)).toEqual({ total: 2, replayed: false });
  });

  it('of every event refuses a stream with one that this release does not know', async () => {
    await log.log.append(STREAM, NO_STREAM, [event(now), event(now, undefined, 'New')]);
    const everything = new Stream(log, codec, { ...sum, on: undefined } as unknown as typeof sum);
    await expect(everything.load(STREAM)).rejects.toThrow(UnreadableEvent);
  });

  it('of nothing begins at the end', async () => {
    await history(2000);
    const nothing = new Stream<null, Added>(log, codec, { on: [], initial: () => null, evolve: () => null, contended });
    const done = await log.during(() =>
      nothing.execute(STREAM, undefined, () => ({
        append: [
          { event: { type: 'Noted', data: {} }, id: randomUUID(), metadata: { actor: 'test', recordedAt: now } },
        ],
        answer: ([noted]) => expect(noted!.revision).toBe(2000),
      })),
    );
    expect(done).toEqual({ reads: 1, events: 1, appends: 1 });
  });

  it('keeps a state in memory that is larger than the cache', async () => {
    type Big = { texts: string[] };
    const by: StreamFold<Big, Added> = {
      initial: () => ({ texts: [] }),
      evolve: ({ texts }) => ({ texts: [...texts, 'x'.repeat(100)] }),
      contended,
    };
    const big = new Stream(log, codec, by, { cachedBytes: 10_000 });
    await history(500);
    await big.load(STREAM);
    expect(await log.during(() => big.load(STREAM))).toEqual({ reads: 1, events: 0, appends: 0 });
    for (let i = 0; i < 10; i++) await big.load(`account-small-${i}`);
    expect(big.peek('account-small-9')).not.toBeNull();
  });
});

/** Around every boundary between two pages of 100. */
const LENGTHS = [99, 100, 101, 199, 200, 201, 731];

describe('a stream of more than one page', () => {
  it.each(LENGTHS)('is folded whole: %i events', async (length) => {
    await history(length);
    expect(await here.load(STREAM)).toMatchObject({ revision: length - 1, state: { total: length, of: length } });
  });

  it.each(LENGTHS)('is caught up with from where this process knows it: %i events more', async (length) => {
    await add(here);
    const events = Array.from({ length }, () => event(now));
    for (let i = 0; i < length; i += 1000) await log.log.append(STREAM, i, events.slice(i, i + 1000));
    expect((await here.load(STREAM)).state.total).toBe(1 + length);
    expect(await add(here)).toEqual({ total: 2 + length, replayed: false });
  });

  it.each(LENGTHS)(
    'is read whole from a moment of its past on, each event once and in order: %i events',
    async (length) => {
      await history(length);
      for (const revision of [-1, 0, 97, 150]) {
        const { begin, events } = await there.since(STREAM, { revision }, new ReplayCost());
        expect(begin.state.total).toBe(begin.revision + 1);
        expect(begin.revision).toBeLessThanOrEqual(revision);
        expect(begin.revision).toBeGreaterThanOrEqual(Math.min(revision, length - 1) - PAGE);
        const revisions: number[] = [];
        for await (const event of events) revisions.push(event.revision);
        expect(revisions).toEqual(
          Array.from({ length: length - begin.revision - 1 }, (_, i) => begin.revision + 1 + i),
        );
      }
    },
  );

  it('is not read again from its beginning where reading it failed on the way', async () => {
    await history(1_700);
    const read = log.log.read.bind(log.log);
    let pages = 0;
    log.log.read = async (...asked) => {
      if (++pages > 2) throw new Error('the log is away');
      return read(...asked);
    };
    await expect(here.load(STREAM)).rejects.toThrow('the log is away');
    pages = -100;
    const again = await log.during(async () => expect((await here.load(STREAM)).state.total).toBe(1_700));
    expect(again.events).toBe(1_500);
  });
});

describe('idempotency keys', () => {
  const at = (i: number): Instant => instantOf(START + i * 60_000);
  const LENGTH = 20_000;
  const keyOf = (i: number): string => `key-${i}`;

  it('are not held: only those of events that were read, and those that were asked for', async () => {
    await history(50, keyOf);
    const find = [{ digests: ['key-7'], since: at(7) }];
    expect((await here.load(STREAM, { find })).keys.size).toBe(50);
    expect((await here.load(STREAM)).keys.size).toBe(0);
    const { keys } = await here.load(STREAM, { find });
    expect(keys.get('key-7')).toEqual({ fingerprint: '', revisions: [7] });
  });

  it('are found by when they were reserved, at a cost that hardly grows', async () => {
    await history(LENGTH, keyOf);
    await here.load(STREAM);
    for (const i of [0, 1, 4_321, LENGTH - 101, LENGTH - 1]) {
      const find = [{ digests: [keyOf(i)], since: at(i), until: plusMs(at(i), 5_000) }];
      const cost = await log.during(async () => {
        const { keys } = await here.load(STREAM, { find });
        expect(keys.get(keyOf(i))?.revisions).toEqual([i]);
      });
      expect(cost.reads).toBeLessThanOrEqual(1 + 1 + Math.ceil(Math.log2(LENGTH)) + 1);
      expect(cost.events).toBeLessThanOrEqual(100 + Math.ceil(Math.log2(LENGTH)) + 500);
    }
  }, 60_000);

  it('that were never used are not found, at no greater cost', async () => {
    await history(LENGTH, keyOf);
    await here.load(STREAM);
    const find = [{ digests: ['never'], since: at(9_000), until: plusMs(at(9_000), 10_000) }];
    const cost = await log.during(async () =>
      expect((await here.load(STREAM, { find })).keys.has('never')).toBe(false),
    );
    expect(cost.events).toBeLessThanOrEqual(100 + Math.ceil(Math.log2(LENGTH)) + 500);
  }, 60_000);

  it('are found where clocks differ, as far as they may', async () => {
    const skewed = CLOCK_LEEWAY_MS - 1;
    const events = Array.from({ length: 300 }, (_, i) => event(at(i), keyOf(i)));
    events[40] = event(plusMs(at(40), -skewed), keyOf(40));
    events[60] = event(plusMs(at(60), skewed), keyOf(60));
    await log.log.append(STREAM, NO_STREAM, events);
    for (const i of [39, 40, 41, 59, 60, 61]) {
      const { keys } = await here.load(STREAM, { find: [{ digests: [keyOf(i)], since: at(i), until: at(i) }] });
      expect(keys.get(keyOf(i))?.revisions).toEqual([i]);
    }
  });

  it('of one append are found together, also across the pages that are read', async () => {
    for (const begins of [0, 1, 198, 199, 295]) {
      await log.log.tombstone(STREAM);
      log = new LogCalls(new MemoryEventLog());
      here = new Stream(log, codec, sum);
      const isUnder = (i: number): boolean => i >= begins && i < begins + 5;
      await log.log.append(
        STREAM,
        NO_STREAM,
        Array.from({ length: 300 }, (_, i) => event(at(i), isUnder(i) ? 'key' : undefined)),
      );
      const { keys } = await here.load(STREAM, {
        find: [{ digests: ['key'], since: at(begins), until: at(begins + 5) }],
      });
      expect(keys.get('key')?.revisions).toEqual([0, 1, 2, 3, 4].map((i) => begins + i));
    }
  });

  it('are found in a window of several pages, wherever in it they stand', async () => {
    const length = 1_731;
    const events = Array.from({ length }, (_, i) => event(at(0), keyOf(i)));
    await log.log.append(STREAM, NO_STREAM, events.slice(0, 1000));
    await log.log.append(STREAM, 999, events.slice(1000));
    for (const i of [0, 499, 500, 501, 999, 1000, 1001, 1500, length - 1]) {
      const { keys } = await here.load(STREAM, { find: [{ digests: [keyOf(i)], since: at(0), until: at(0) }] });
      expect(keys.get(keyOf(i))?.revisions).toEqual([i]);
    }
  });

  it('need no search before anybody else could have used them', async () => {
    await add(here);
    const lease = { digests: ['key'], since: now, leasedUntilMs: performance.now() + 60_000 };
    expect(await log.during(() => add(here, { key: 'key', find: [lease] }))).toMatchObject({ reads: 0 });
  });

  it('of a slow writer are searched for when its lease is over: somebody may have taken the key over', async () => {
    await add(here);
    await add(there, { key: 'key' });
    // Another reader of this process has seen the stream since, so no conflict would say it.
    await here.load(STREAM);
    const lease = { digests: ['key'], since: now, leasedUntilMs: performance.now() - 1 };
    expect(await add(here, { key: 'key', find: [lease] })).toMatchObject({ replayed: true });
    expect(await total()).toBe(2);
  });

  it('that a rival uses while a decision is on its way are seen when the append conflicts', async () => {
    await add(here);
    await there.load(STREAM);
    log.beforeAppend = async () => {
      log.beforeAppend = async () => undefined;
      await add(there, { key: 'key' });
    };
    expect(await add(here, { key: 'key' })).toMatchObject({ replayed: true });
    expect(await total()).toBe(2);
  });
});

describe('reading', () => {
  it('takes any events there are, on whatever side of a page they stand', async () => {
    await history(1_731);
    const clear = { encrypt: (_: string, value: unknown) => value, decrypt: (_: string, value: unknown) => value };
    for (const wanted of [
      [0, 499],
      [0, 500],
      [0, 499, 500, 999, 1000],
      [1, 501, 1001, 1730],
      [1730, 0],
    ]) {
      const events = await here.at(STREAM, wanted, clear);
      expect(events.map(({ revision }) => revision)).toEqual([...wanted].sort((a, b) => a - b));
    }
  });

  it('takes events that stand far apart one by one', async () => {
    await history(5_000);
    const clear = { encrypt: (_: string, value: unknown) => value, decrypt: (_: string, value: unknown) => value };
    const cost = await log.during(async () => {
      const events = await here.at(STREAM, [4_999, 3, 4, 2_500, 3], clear);
      expect(events.map(({ revision }) => revision)).toEqual([3, 4, 2_500, 4_999]);
    });
    expect(cost).toMatchObject({ reads: 3, events: 4 });
  });
});
