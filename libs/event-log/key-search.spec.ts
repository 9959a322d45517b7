import { instantOf, type Instant } from '../kernel/index.js';
import { CLOCK_LEEWAY_MS, earliestOf, neededSearches, SeenKeys, type KeySearch } from './key-search.js';

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
    const seen = new SeenKeys([]);
    seen.note([event(7, at(0), 'a', 'f'), event(8, at(0)), event(9, at(0), 'a', 'f'), event(10, at(0), 'b')]);
    seen.note([event(9, at(0), 'a', 'f'), event(3, at(0), 'a', 'f'), event(5, at(0), 'a', 'f')]);
    expect([...seen]).toEqual([
      ['a', { fingerprint: 'f', revisions: [3, 5, 7, 9] }],
      ['b', { fingerprint: '', revisions: [10] }],
    ]);
  });

  it('do not count where they are older than the reservation that is asked about, as clocks may differ', () => {
    const seen = new SeenKeys([{ digests: ['a', 'b'], since: at(60) }]);
    const before = instantOf(Date.parse(earliestOf(at(60))) - 1);
    seen.note([event(1, before, 'a'), event(2, earliestOf(at(60)), 'b'), event(3, before, 'c')]);
    expect([...seen.keys()]).toEqual(['b', 'c']);
    expect(earliestOf(at(60))).toBe(at(60 - CLOCK_LEEWAY_MS / 60_000));
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
