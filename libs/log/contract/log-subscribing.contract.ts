import { randomUUID } from 'node:crypto';
import {
  anEvent,
  appended,
  collector,
  membersOf,
  numbers,
  someEvents,
  streamName,
  upTo,
  type LogUnderTest,
} from './log-under-test.contract.js';
import { NO_STREAM } from '../port.js';
import { BEGINNING } from '../../kernel/index.js';

/** What subscriptions deliver, in which order, and when they stop. */
export function describeSubscribing({ log, opened }: LogUnderTest): void {
  const readAll = (stream: string) => log().read(stream, { direction: 'forwards', limit: 1000 });
  describe('subscribing', () => {
    it('delivers what is there, then what comes, in order', async () => {
      const prefix = streamName('live');
      const seen = collector();
      await log().append(`${prefix}-a`, NO_STREAM, someEvents(3));
      const subscription = log().subscribe({ after: BEGINNING, prefixes: [prefix], onBatch: seen.onBatch });
      await seen.until(() => seen.events.length === 3);
      await log().append(`${prefix}-b`, NO_STREAM, someEvents(2, 3));
      await seen.until(() => seen.events.length === 5);
      await subscription.stop();
      expect(numbers(seen.events)).toEqual(upTo(5));
      expect(seen.events.map((event) => event.revision)).toEqual([0, 1, 2, 0, 1]);
      expect(seen.events.slice(0, 3).map(membersOf)).toEqual((await readAll(`${prefix}-a`)).map(membersOf));
    });

    it('starts after a position, exclusively', async () => {
      const prefix = streamName('middle');
      const first = appended(await log().append(prefix, NO_STREAM, someEvents(2)));
      await log().append(prefix, 1, someEvents(3, 2));
      const seen = collector();
      const subscription = log().subscribe({ after: first.position, prefixes: [prefix], onBatch: seen.onBatch });
      await seen.until(() => seen.events.length >= 3);
      await subscription.stop();
      expect(numbers(seen.events)).toEqual([2, 3, 4]);
    });

    it('delivers only the wanted prefixes, each taken literally', async () => {
      const own = randomUUID();
      const after = await log().head();
      for (const [n, stream] of [
        `a_${own}-1`,
        `b%${own}-1`,
        `aX${own}-1`,
        `b${own}-1`,
        `c-a_${own}`,
        `a_${own}`,
      ].entries())
        await log().append(stream, NO_STREAM, [anEvent('Counted', { n })]);
      const seen = collector();
      const subscription = log().subscribe({ after, prefixes: [`a_${own}`, `b%${own}`], onBatch: seen.onBatch });
      await seen.until(() => seen.events.length >= 3);
      await subscription.stop();
      expect(numbers(seen.events)).toEqual([0, 1, 5]);
    });

    it('without prefixes delivers everything', async () => {
      const after = await log().head();
      const seen = collector();
      const subscription = log().subscribe({ after, prefixes: [], onBatch: seen.onBatch });
      const streams = [streamName('x'), streamName('y')];
      for (const stream of streams) await log().append(stream, NO_STREAM, someEvents(1));
      const ours = () => seen.events.filter((event) => streams.includes(event.stream));
      await seen.until(() => ours().length === 2);
      await subscription.stop();
      expect(ours().map((event) => event.stream)).toEqual(streams);
    });

    it('moves `through` past what is not wanted', async () => {
      const after = await log().head();
      await log().append(streamName('unwanted'), NO_STREAM, someEvents(1000));
      const { position } = appended(await log().append(streamName('unwanted'), NO_STREAM, someEvents(1)));
      const seen = collector();
      const subscription = log().subscribe({ after, prefixes: [streamName('wanted')], onBatch: seen.onBatch });
      await seen.until(() => seen.through() >= position);
      await subscription.stop();
      expect(seen.events).toEqual([]);
    });

    it('never lets `through` fall back, nor lag behind the events it came with', async () => {
      const prefix = streamName('through');
      const seen = collector();
      const problems: string[] = [];
      let last = BEGINNING;
      const subscription = log().subscribe({
        after: BEGINNING,
        prefixes: [prefix],
        batchSize: 7,
        onBatch: (events, through) => {
          if (through < last) problems.push(`${through} after ${last}`);
          if (events.some((event) => event.position > through || event.position <= last))
            problems.push(`events outside (${last}, ${through}]`);
          last = through;
          return seen.onBatch(events, through);
        },
      });
      for (const n of upTo(10)) {
        await log().append(streamName('other'), NO_STREAM, someEvents(2));
        await log().append(prefix, n * 5 - 1, someEvents(5, n * 5));
      }
      await seen.until(() => seen.events.length === 50);
      await subscription.stop();
      expect(problems).toEqual([]);
      expect(numbers(seen.events)).toEqual(upTo(50));
    });

    it('keeps batches within their bound', async () => {
      const prefix = streamName('bounded');
      await log().append(prefix, NO_STREAM, someEvents(100));
      const seen = collector();
      const subscription = log().subscribe({
        after: BEGINNING,
        prefixes: [prefix],
        batchSize: 8,
        onBatch: seen.onBatch,
      });
      await seen.until(() => seen.events.length === 100);
      await subscription.stop();
      expect(Math.max(...seen.batches.map((batch) => batch.size))).toBeLessThanOrEqual(8);
    });

    it('waits for each batch to be dealt with before it hands over the next', async () => {
      const prefix = streamName('pressure');
      await log().append(prefix, NO_STREAM, someEvents(30));
      const seen = collector();
      let running = 0;
      let most = 0;
      const subscription = log().subscribe({
        after: BEGINNING,
        prefixes: [prefix],
        batchSize: 3,
        onBatch: async (events, through) => {
          most = Math.max(most, ++running);
          await new Promise(setImmediate);
          running--;
          await seen.onBatch(events, through);
        },
      });
      await seen.until(() => seen.events.length === 30);
      await subscription.stop();
      expect(most).toBe(1);
    });

    it('stops only when the running batch is done, and delivers nothing after', async () => {
      const prefix = streamName('stop');
      await log().append(prefix, NO_STREAM, someEvents(20));
      let release = () => {};
      let entered = () => {};
      const inside = new Promise<void>((resolve) => (entered = resolve));
      const steps: string[] = [];
      let calls = 0;
      const subscription = log().subscribe({
        after: BEGINNING,
        prefixes: [prefix],
        batchSize: 5,
        onBatch: async (events) => {
          if (events.length === 0) return;
          calls++;
          entered();
          await new Promise<void>((resolve) => (release = resolve));
          steps.push('batch done');
        },
      });
      await inside;
      const stopped = subscription.stop().then(() => steps.push('stopped'));
      release();
      await stopped;
      expect(steps).toEqual(['batch done', 'stopped']);
      await log().append(prefix, 19, someEvents(1));
      expect(calls).toBe(1);
      await subscription.stop();
    });

    it('reports a rejection of the handler once and delivers nothing more', async () => {
      const prefix = streamName('failing');
      await log().append(prefix, NO_STREAM, someEvents(10));
      const reports: unknown[] = [];
      let calls = 0;
      const failure = new Error('the handler cannot');
      let subscription!: { stop(): Promise<void> };
      await new Promise<void>((resolve) => {
        subscription = log().subscribe({
          after: BEGINNING,
          prefixes: [prefix],
          batchSize: 2,
          onBatch: async (events) => {
            if (events.length === 0) return;
            calls++;
            throw failure;
          },
          failed: (error) => {
            reports.push(error);
            resolve();
          },
        });
      });
      await log().append(prefix, 9, someEvents(1));
      await subscription.stop();
      expect(reports).toEqual([failure]);
      expect(calls).toBe(1);
    });

    it('skips nothing and repeats nothing while 500 appends race with it', async () => {
      const prefix = streamName('race');
      const { reopen } = opened();
      const writers = reopen ? [log(), await reopen(), await reopen()] : [log()];
      const early = collector();
      const late = collector();
      const first = log().subscribe({
        after: await log().head(),
        prefixes: [prefix],
        batchSize: 20,
        onBatch: early.onBatch,
      });
      const appends = upTo(500).map((n) =>
        writers[n % writers.length]!.append(`${prefix}-${n % 250}`, n < 250 ? NO_STREAM : 0, [
          anEvent('Counted', { n }),
        ]),
      );
      const second = writers
        .at(-1)!
        .subscribe({ after: BEGINNING, prefixes: [prefix], batchSize: 33, onBatch: late.onBatch });
      const outcomes = await Promise.all(appends);
      const stored = outcomes.filter((outcome) => outcome.outcome === 'appended').length;
      const { position: end } = appended(
        await log().append(`${prefix}-end`, NO_STREAM, [anEvent('Counted', { n: -1 })]),
      );
      for (const seen of [early, late]) {
        await seen.until(() => seen.through() >= end);
        expect(seen.events).toHaveLength(stored + 1);
        expect(new Set(seen.events.map((event) => event.id)).size).toBe(stored + 1);
        expect(seen.events.every((event, i) => i === 0 || event.position > seen.events[i - 1]!.position)).toBe(true);
      }
      await first.stop();
      await second.stop();
      for (const writer of writers) if (writer !== log()) await writer.close();
    });
  });
}
