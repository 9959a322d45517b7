import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type Position } from '../kernel/index.js';
import { until } from '../../test/support/timing.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { anEvent, collector, describeEventLog, someEvents } from '../log/contract/log.contract.js';
import { NO_STREAM, type RecordedEvent } from '../log/port.js';
import { SharingEventLog } from './sharing-log.js';
import { shardOfStream } from '../log/stream-shard.js';

describeEventLog(
  'a log whose followers read together',
  async () => {
    const log = new SharingEventLog(new MemoryEventLog(), { beginAfterMs: 0 });
    // Two that are there all the time, so that everybody else finds a reading to join.
    for (const prefixes of [[], ['contract-']])
      log.subscribe({ after: BEGINNING, prefixes, onBatch: () => Promise.resolve() });
    return { log, close: () => log.close() };
  },
  { density: 'dense' },
);

/** Counts the subscriptions that are open. */
class CountedLog extends MemoryEventLog {
  readonly opened: string[] = [];
  readonly running = new Set<string>();
  override subscribe(options: Parameters<MemoryEventLog['subscribe']>[0]): ReturnType<MemoryEventLog['subscribe']> {
    const name = `${this.opened.length} ${options.prefixes.join()}`;
    this.opened.push(name);
    this.running.add(name);
    const inner = super.subscribe(options);
    return {
      stop: async () => {
        await inner.stop();
        this.running.delete(name);
      },
    };
  }
}
const positions = (events: readonly RecordedEvent[]): Position[] => events.map(({ position }) => position);

describe('followers of one process', () => {
  it('read the log once as soon as they are level, also those that begin later or want something else', async () => {
    const behind = new CountedLog();
    const log = new SharingEventLog(behind, { beginAfterMs: 0 });
    for (let n = 0; n < 50; n++) await log.append(`${'abc'[n % 3]}-${n}`, NO_STREAM, someEvents(10));
    const follow = (...prefixes: string[]) => {
      const seen = collector();
      return { seen, prefixes, subscription: log.subscribe({ after: BEGINNING, prefixes, onBatch: seen.onBatch }) };
    };
    const followers = [follow('a-'), follow('b-', 'a-'), follow('a-')];
    await until(() => log.level === 3);
    expect(behind.running.size).toBe(1);
    followers.push(follow('c-'), follow());
    await until(() => log.level === 5);
    expect(behind.running.size).toBe(1);
    const opened = behind.opened.length;
    for (let n = 0; n < 30; n++) await log.append(`${'abcd'[n % 4]}+${n}`.replace('+', '-x'), NO_STREAM, someEvents(3));
    const head = await log.head();
    for (const { seen } of followers) await until(() => seen.through() >= head);
    expect(behind.opened.length).toBe(opened);
    const all = (await everything(behind)).filter(({ position }) => position <= head);
    for (const { seen, prefixes } of followers)
      expect(positions(seen.events)).toEqual(
        positions(
          all.filter(({ stream }) => prefixes.length === 0 || prefixes.some((each) => stream.startsWith(each))),
        ),
      );
    // What all of them have is not kept.
    await until(() => log.kept === 0);
    // One that is left alone reads for itself.
    for (const { subscription } of followers.slice(1)) await subscription.stop();
    await until(() => log.level === 0);
    await log.append('a-last', NO_STREAM, someEvents(1));
    await followers[0]!.seen.until(() => followers[0]!.seen.events.at(-1)!.stream === 'a-last');
    await log.close();
    expect(behind.running.size).toBe(0);
  });

  it('do not wait for one that stands still, which reads for itself until it is level again', async () => {
    const log = new SharingEventLog(new MemoryEventLog(), { beginAfterMs: 0 });
    let goOn = (): void => undefined;
    let standing: Promise<void> | null = null;
    const slow = collector();
    const subscriptions = [
      log.subscribe({
        after: BEGINNING,
        prefixes: [],
        onBatch: async (events, through) => {
          await standing;
          await slow.onBatch(events, through);
        },
      }),
    ];
    const quick = collector();
    subscriptions.push(log.subscribe({ after: BEGINNING, prefixes: [], onBatch: quick.onBatch }));
    await until(() => log.level === 2);
    standing = new Promise<void>((resolve) => (goOn = resolve));
    for (let n = 0; n < 50; n++) await log.append(`many-${n}`, NO_STREAM, someEvents(100));
    await quick.until(() => quick.events.length === 5_000);
    expect(slow.events.length).toBeLessThan(5_000);
    standing = null;
    goOn();
    await slow.until(() => slow.events.length === 5_000);
    await until(() => log.level === 2);
    for (const { events } of [slow, quick]) expect(positions(events)).toEqual(positions(await everything(log)));
    for (const subscription of subscriptions) await subscription.stop();
    await log.close();
  });

  it('who want a shard read for themselves where the log cuts its shards by itself', async () => {
    const behind = new CountedLog();
    const log = new SharingEventLog(behind, { beginAfterMs: 0, sharesShards: false });
    const onBatch = () => Promise.resolve();
    for (const prefixes of [['a-'], ['b-']]) log.subscribe({ after: BEGINNING, prefixes, onBatch });
    const ofShards = [0, 1].map((index) => {
      const seen = collector();
      log.subscribe({ after: BEGINNING, prefixes: ['c-'], shard: { index, of: 2 }, onBatch: seen.onBatch });
      return seen;
    });
    await until(() => log.level === 2);
    expect([...behind.running].filter((name) => name.endsWith(' c-')).length).toBe(2);
    for (let n = 0; n < 8; n++) await log.append(`c-${n}`, NO_STREAM, [anEvent()]);
    const head = await log.head();
    await until(() => ofShards.every(({ through }) => through() >= head));
    expect(ofShards.flatMap(({ events }) => positions(events)).toSorted((a, b) => Number(a - b)).length).toBe(8);
    await log.close();
  });

  it('each see what they want exactly once and in order, whatever they want, wherever they begin, however slow they are', async () => {
    const followers = fc.array(
      fc.record({
        prefixes: fc.subarray(['a-', 'b-', 'c-1'], { minLength: 0 }),
        after: fc.nat(30),
        batchSize: fc.integer({ min: 1, max: 7 }),
        shard: fc.option(fc.nat(1), { nil: null }),
        takesMs: fc.constantFrom(null, 0, 2),
        comesAfter: fc.nat(20),
      }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(followers, fc.array(fc.nat(8), { minLength: 20, maxLength: 60 }), async (wanted, appends) => {
        const log = new SharingEventLog(new MemoryEventLog(), { beginAfterMs: 0 });
        for (let n = 0; n < 31; n++) await log.append(`${'abc'[n % 3]}-${n}`, NO_STREAM, [anEvent()]);
        const following: { seen: ReturnType<typeof collector>; wants: (event: RecordedEvent) => boolean }[] = [];
        const begin = (of: (typeof wanted)[number]): void => {
          const seen = collector();
          const after = BigInt(of.after);
          log.subscribe({
            after,
            prefixes: of.prefixes,
            batchSize: of.batchSize,
            ...(of.shard !== null && { shard: { index: of.shard, of: 2 } }),
            onBatch: async (events, through) => {
              if (of.takesMs !== null) await pause(of.takesMs);
              await seen.onBatch(events, through);
            },
          });
          const wants = ({ stream, position }: RecordedEvent): boolean =>
            position > after &&
            (of.prefixes.length === 0 || of.prefixes.some((prefix) => stream.startsWith(prefix))) &&
            (of.shard === null || shardOfStream(stream, 2) === of.shard);
          following.push({ seen, wants });
        };
        for (const [n, kind] of appends.entries()) {
          for (const each of wanted) if (each.comesAfter === n) begin(each);
          await log.append(`${'abc'[kind % 3]}-${100 + n}`, NO_STREAM, [anEvent()]);
          if (kind > 5) await pause(kind - 5);
        }
        const head = await log.head();
        await until(() => following.every(({ seen }) => seen.through() >= head));
        const all = await everything(log);
        for (const { seen, wants } of following) {
          expect(positions(seen.events)).toEqual(positions(all.filter(wants)));
          const throughs = seen.batches.map(({ through }) => through);
          expect(throughs).toEqual(throughs.toSorted((a, b) => Number(a - b)));
        }
        await log.close();
      }),
      { numRuns: 40 },
    );
  });
});

/** All that a log holds. */
async function everything(log: Pick<MemoryEventLog, 'head' | 'subscribe'>): Promise<RecordedEvent[]> {
  const head = await log.head();
  const seen = collector();
  const subscription = log.subscribe({ after: BEGINNING, prefixes: [], onBatch: seen.onBatch });
  await until(() => seen.through() >= head);
  await subscription.stop();
  return seen.events.filter(({ position }) => position <= head);
}
