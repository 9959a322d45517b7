import { LogCalls } from '../../test/support/log-calls.js';
import { instantOf, type Instant } from '../kernel/index.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { CLOCK_LEEWAY_MS, neededSearches, searchKeys, SeenKeys, type KeySearch } from './key-search.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM } from '../log/port.js';

const at = (minute: number): Instant => instantOf(Date.UTC(2026, 10, 21, 12) + minute * 60_000);
const event = (revision: number, recordedAt: Instant, idempotencyKey?: string, fingerprint?: string) => ({
  revision,
  metadata: {
    schemaVersion: 1,
    actor: 'test',
    recordedAt,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(fingerprint !== undefined && { fingerprint }),
  },
});

describe('keys that were seen', () => {
  it('are those of the events, with their revisions in order, each once', () => {
    const seen = new SeenKeys();
    seen.note([event(7, at(0), 'a', 'f'), event(8, at(0)), event(9, at(0), 'a', 'f'), event(10, at(0), 'b')]);
    seen.note([event(9, at(0), 'a', 'f'), event(3, at(0), 'a', 'f'), event(5, at(0), 'a', 'f')]);
    expect([...seen]).toEqual([
      ['a', { fingerprint: 'f', revisions: [3, 5, 7, 9] }],
      ['b', { fingerprint: '', revisions: [10] }],
    ]);
  });
});

describe('searches', () => {
  const search = (digest: string, since: number, until?: number, leasedUntilMs?: number): KeySearch => ({
    digests: [digest],
    since: at(since),
    ...(until !== undefined && { until: at(until) }),
    ...(leasedUntilMs !== undefined && { leasedUntilMs }),
  });
  const needed = (searches: readonly KeySearch[], nowMs = 1000) =>
    neededSearches(searches, nowMs).map(({ digests, since, until }) => [digests.join(''), since, until]);

  it('are not needed while nobody else can have written under the keys', () => {
    expect(needed([search('a', 0, 1, 1001)])).toEqual([]);
    expect(needed([search('a', 0, 1, 1000)])).toEqual([['a', at(0), at(1)]]);
    expect(needed([search('a', 0, 1)])).toEqual([['a', at(0), at(1)]]);
  });

  it('are joined where their windows touch, in order of time', () => {
    expect(needed([search('b', 2, 4), search('a', 0, 2)])).toEqual([['ab', at(0), at(4)]]);
    expect(needed([search('a', 0, 9), search('b', 2, 4)])).toEqual([['ab', at(0), at(9)]]);
    expect(needed([search('a', 0, 2), search('b', 3, 4)])).toEqual([
      ['a', at(0), at(2)],
      ['b', at(3), at(4)],
    ]);
  });

  it('stay open where one of them is', () => {
    expect(needed([search('a', 0), search('b', 2, 4), search('c', 9, 10)])).toEqual([['abc', at(0), undefined]]);
    expect(needed([search('a', 0, 3), search('b', 2), search('c', 9, 10)])).toEqual([['abc', at(0), undefined]]);
    expect(neededSearches([search('a', 0)], 0)).toStrictEqual([{ digests: ['a'], since: at(0) }]);
    expect(neededSearches([search('a', 0), search('b', 1, 2)], 0)).toStrictEqual([
      { digests: ['a', 'b'], since: at(0) },
    ]);
  });
});

describe('looking for keys on a stream', () => {
  const LEEWAY = CLOCK_LEEWAY_MS / 60_000;
  const TAIL = 100;
  const PAGE = 500;
  /** Finding where the window begins takes one read for each halving. */
  const halvings = (length: number): number => Math.ceil(Math.log2(length - TAIL));

  /** Looks on a stream of so many events, one a minute unless `minuteOf` says otherwise; `keyOf`: which stands under which key. */
  async function looked(
    length: number,
    search: Omit<KeySearch, 'digests'> & { digests?: readonly string[] },
    keyOf: (revision: number) => string | undefined = (revision) => `key-${revision}`,
    minuteOf: (revision: number) => number = (revision) => revision,
  ) {
    const log = new LogCalls(new MemoryEventLog());
    const events = Array.from({ length }, (_, revision) => {
      const { metadata } = event(revision, at(minuteOf(revision)), keyOf(revision));
      return { ...anEvent(), metadata };
    });
    for (let i = 0; i < length; i += 1000)
      await log.log.append('s-1', i === 0 ? NO_STREAM : i - 1, events.slice(i, i + 1000));
    const wanted = { digests: ['key'], ...search };
    const seen = new SeenKeys();
    const { reads, events: read } = await log.during(() => searchKeys(log, 's-1', wanted, seen));
    await log.close();
    return { found: seen.get(wanted.digests[0]!)?.revisions, reads, read };
  }
  const only =
    (...revisions: number[]) =>
    (revision: number) =>
      revisions.includes(revision) ? 'key' : undefined;

  it('ends with its last events where those are all there are', async () => {
    expect(await looked(0, { since: at(0) })).toEqual({ found: undefined, reads: 1, read: 0 });
    expect(await looked(TAIL, { since: at(0) })).toEqual({ found: undefined, reads: 1, read: TAIL });
    expect(await looked(TAIL, { since: at(0) }, only(0, 99))).toEqual({ found: [0, 99], reads: 1, read: TAIL });
  });

  it('ends with its last events where the oldest of them is from before the window', async () => {
    // The oldest of the last hundred is that of minute 900, the window begins five minutes earlier than was asked.
    expect(await looked(1000, { since: at(901 + LEEWAY) }, only(899))).toEqual({
      found: undefined,
      reads: 1,
      read: TAIL,
    });
    expect((await looked(1000, { since: at(900 + LEEWAY) }, only(899))).reads).toBeGreaterThan(1);
    const atOnce = () => 0;
    expect((await looked(1000, { since: at(LEEWAY) }, only(10), atOnce)).found).toEqual([10]);
  });

  it('ends with its last events where those hold the key, unless its append may have begun before them', async () => {
    const whole = only(950, 951);
    expect(await looked(1000, { since: at(0) }, whole)).toEqual({ found: [950, 951], reads: 1, read: TAIL });
    const { found } = await looked(1000, { since: at(890) }, only(899, 900, 901));
    expect(found).toEqual([899, 900, 901]);
    // All of the keys.
    const two = await looked(1000, { digests: ['key', 'key-2'], since: at(0) }, (n) =>
      n === 2 ? 'key-2' : only(950)(n),
    );
    expect([two.found, two.reads > 1]).toEqual([[950], true]);
  });

  it('begins with the window, whose beginning is found by halves', async () => {
    for (const length of [1000, 1001, 1777])
      for (const revision of [0, 1, 499, 500, length - TAIL - 1]) {
        const { found, reads, read } = await looked(length, { since: at(revision) }, only(revision));
        expect(found).toEqual([revision]);
        expect(reads).toBeLessThanOrEqual(1 + halvings(length) + 1);
        expect(read).toBeLessThanOrEqual(TAIL + halvings(length) + PAGE);
      }
  });

  it('reads no event twice of those that were read first', async () => {
    const { reads, read } = await looked(300, { since: at(190) }, () => undefined);
    const begins = 190 - LEEWAY;
    expect(read - (reads - 2)).toBe(TAIL + (200 - begins));
  });

  it('ends with the window, however much was recorded after it', async () => {
    const { found, reads } = await looked(3000, { since: at(LEEWAY), until: at(20) }, () => undefined);
    expect([found, reads]).toEqual([undefined, 1 + halvings(3000) + 1]);
    // Without an end it goes on to the last events.
    expect((await looked(3000, { since: at(LEEWAY) }, () => undefined)).reads).toBe(1 + halvings(3000) + 6);
    // What was recorded at its very end still counts, on the page after too.
    expect((await looked(1200, { since: at(0), until: at(0) }, only(700), () => LEEWAY)).found).toEqual([700]);
  });

  it('ends where the key was found, unless its append may go on with the next page', async () => {
    expect((await looked(3000, { since: at(LEEWAY) }, only(10, 11))).reads).toBe(1 + halvings(3000) + 1);
    const over = await looked(3000, { since: at(LEEWAY) }, only(498, 499, 500, 501));
    expect([over.found, over.reads]).toEqual([[498, 499, 500, 501], 1 + halvings(3000) + 2]);
  });
});
