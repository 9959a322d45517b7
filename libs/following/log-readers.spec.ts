import { jest } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type Position } from '../kernel/index.js';
import { until } from '../../test/support/timing.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { anEvent, collector, describeEventLog, someEvents } from '../log/contract/log.contract.js';
import { NO_STREAM, type RecordedEvent } from '../log/port.js';
import { SharedEventLog } from './log-readers.js';

describeEventLog(
  'a log whose followers read together',
  async () => {
    const log = new SharedEventLog(new MemoryEventLog());
    // Two that are there all the time, so that every other follower finds a reader to join.
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
    const log = new SharedEventLog(behind);
    for (let n = 0; n < 50; n++) await log.append(`${'abc'[n % 3]}-${n}`, NO_STREAM, someEvents(10));
    const follow = (after: Position, ...prefixes: string[]) => {
      const seen = collector();
      return { seen, after, prefixes, subscription: log.subscribe({ after, prefixes, onBatch: seen.onBatch }) };
    };
    const followers = [follow(BEGINNING, 'a-'), follow(BEGINNING, 'b-', 'a-'), follow(100n, 'a-')];
    // Who begins at one position shares a reader at once; the others do as soon as they have come to the end.
    expect(log.reading).toBe(2);
    const come = async (): Promise<void> => {
      await log.append(
        'd-come',
        (await log.read('d-come', { direction: 'backwards', limit: 1 }))[0]?.revision ?? NO_STREAM,
        [anEvent()],
      );
      const head = await log.head();
      await until(() => followers.every(({ seen }) => seen.through() >= head));
    };
    const share = (): Promise<unknown> =>
      until(async () => {
        await come();
        if (log.reading > 1) return false;
        // The reader that is left may open a subscription for all of them only now.
        await come();
        return behind.running.size === 1;
      });
    await share();
    followers.push(follow(BEGINNING, 'c-'), follow(BEGINNING));
    await share();
    const opened = behind.opened.length;
    for (let n = 0; n < 30; n++) await log.append(`${'abcd'[n % 4]}-x${n}`, NO_STREAM, someEvents(3));
    await come();
    expect(behind.opened.length).toBe(opened);
    const all = await everything(behind);
    for (const { seen, after, prefixes } of followers)
      expect(positions(seen.events)).toEqual(
        positions(
          all.filter(
            ({ stream, position }) =>
              position > after && (prefixes.length === 0 || prefixes.some((each) => stream.startsWith(each))),
          ),
        ),
      );
    for (const { subscription } of followers) await subscription.stop();
    expect([log.reading, behind.running.size]).toEqual([0, 0]);
    await log.close();
  });

  it('do not wait for one that stands still for long, which reads by itself from then on', async () => {
    const log = new SharedEventLog(new MemoryEventLog());
    let goOn = (): void => undefined;
    let standing: Promise<void> | null = null;
    const slow = collector();
    log.subscribe({
      after: BEGINNING,
      prefixes: [],
      onBatch: async (events, through) => {
        await standing;
        await slow.onBatch(events, through);
      },
    });
    const quick = collector();
    log.subscribe({ after: BEGINNING, prefixes: [], onBatch: quick.onBatch });
    expect(log.reading).toBe(1);
    standing = new Promise<void>((resolve) => (goOn = resolve));
    for (let n = 0; n < 50; n++) await log.append(`many-${n}`, NO_STREAM, someEvents(100));
    await quick.until(() => quick.events.length === 5_000);
    expect(slow.events.length).toBe(0);
    standing = null;
    goOn();
    await slow.until(() => slow.events.length === 5_000);
    expect(log.reading).toBe(2);
    for (const { events } of [slow, quick]) expect(positions(events)).toEqual(positions(await everything(log)));
    await log.close();
  });

  it('go on where one of them fails, which is told so', async () => {
    const log = new SharedEventLog(new MemoryEventLog());
    const failed = jest.fn();
    const well = collector();
    log.subscribe({ after: BEGINNING, prefixes: [], onBatch: () => Promise.reject(new Error('ill')), failed });
    log.subscribe({ after: BEGINNING, prefixes: [], onBatch: well.onBatch });
    for (let n = 0; n < 3; n++) await log.append(`many-${n}`, NO_STREAM, someEvents(3));
    await well.until(() => well.events.length === 9);
    expect(failed.mock.calls).toEqual([[new Error('ill')]]);
    expect(log.reading).toBe(1);
    await log.close();
  });

  it('each see what they want exactly once and in order, whatever they want, wherever they begin, however slow they are', async () => {
    const followers = fc.array(
      fc.record({
        prefixes: fc.subarray(['a-', 'b-', 'c-1'], { minLength: 0 }),
        after: fc.nat(30),
        batchSize: fc.integer({ min: 1, max: 7 }),
        takesMs: fc.constantFrom(null, 0, 2),
        comesAfter: fc.nat(20),
      }),
      { minLength: 1, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(followers, fc.array(fc.nat(8), { minLength: 20, maxLength: 60 }), async (wanted, appends) => {
        const log = new SharedEventLog(new MemoryEventLog());
        for (let n = 0; n < 31; n++) await log.append(`${'abc'[n % 3]}-${n}`, NO_STREAM, [anEvent()]);
        const following: { seen: ReturnType<typeof collector>; wants: (event: RecordedEvent) => boolean }[] = [];
        const begin = (of: (typeof wanted)[number]): void => {
          const seen = collector();
          const after = BigInt(of.after);
          log.subscribe({
            after,
            prefixes: of.prefixes,
            batchSize: of.batchSize,
            onBatch: async (events, through) => {
              if (of.takesMs !== null) await pause(of.takesMs);
              await seen.onBatch(events, through);
            },
          });
          const wants = ({ stream, position }: RecordedEvent): boolean =>
            position > after && (of.prefixes.length === 0 || of.prefixes.some((prefix) => stream.startsWith(prefix)));
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
