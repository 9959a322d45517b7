import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { APPEND_BYTES_MAX } from './append-limits.js';
import { NO_STREAM, type AppendOutcome, type EventLog, type NewEvent, type RecordedEvent } from './port.js';
import { BEGINNING, type Position } from '../kernel/index.js';

/** One log under test. `reopen` opens a second client of the same log, as another process would. */
export interface OpenedLog {
  log: EventLog;
  reopen?: () => Promise<EventLog>;
  close(): Promise<void>;
}

export interface ContractOptions {
  /** Whether positions are dense; otherwise they only grow. */
  density?: 'dense' | 'growing';
  /** Runs per property: fewer for a log that is far away. */
  runs?: number;
}

/** An event as tests write it: a type and whatever data. */
export function anEvent(type = 'Happened', data: unknown = {}, id: string = randomUUID()): NewEvent {
  return {
    id,
    type,
    data,
    metadata: { schemaVersion: 1, actor: 'system:test', recordedAt: '2026-01-02T03:04:05.678Z' },
  };
}
export const someEvents = (count: number, from = 0): NewEvent[] =>
  Array.from({ length: count }, (_, i) => anEvent('Counted', { n: from + i }));

/** Collects what a subscription delivers; `until` resolves as soon as a condition over it holds. */
export function collector() {
  const events: RecordedEvent[] = [];
  const batches: { size: number; through: Position }[] = [];
  const waiting: { holds: () => boolean; resolve: () => void }[] = [];
  return {
    events,
    batches,
    through: (): Position => batches.at(-1)?.through ?? BEGINNING,
    onBatch: async (batch: RecordedEvent[], through: Position): Promise<void> => {
      events.push(...batch);
      batches.push({ size: batch.length, through });
      for (const entry of [...waiting]) {
        if (!entry.holds()) continue;
        waiting.splice(waiting.indexOf(entry), 1);
        entry.resolve();
      }
    },
    until: (holds: () => boolean): Promise<void> =>
      holds() ? Promise.resolve() : new Promise((resolve) => waiting.push({ holds, resolve })),
  };
}

const numbers = (events: RecordedEvent[]): unknown[] => events.map((event) => (event.data as { n: unknown }).n);
/** All that an event says, also where the log parses it only when it is asked. */
const membersOf = ({ stream, revision, position, id, type, data, metadata }: RecordedEvent): RecordedEvent => ({
  stream,
  revision,
  position,
  id,
  type,
  data,
  metadata,
});
const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, i) => from + i);
const appended = (outcome: AppendOutcome) => {
  if (outcome.outcome !== 'appended') throw new Error(`expected to append, got ${JSON.stringify(outcome)}`);
  return outcome;
};

/** What every event log does, whatever it stores in. The log may be shared and hold other streams already. */
export function describeEventLog(
  name: string,
  open: () => Promise<OpenedLog>,
  { density = 'growing', runs = 25 }: ContractOptions = {},
): void {
  describe(`${name} keeps the promises of an event log`, () => {
    let opened: OpenedLog;
    let log: EventLog;
    const streamName = (kind = 'contract'): string => `${kind}-${randomUUID()}`;
    const readAll = (stream: string) => log.read(stream, { direction: 'forwards', limit: 1000 });

    beforeAll(async () => {
      opened = await open();
      log = opened.log;
    });
    afterAll(async () => {
      await opened?.close();
    });

    describe('appending', () => {
      it('starts a stream at revision 0 and counts on from there', async () => {
        const stream = streamName();
        expect(await log.append(stream, NO_STREAM, someEvents(1))).toMatchObject({
          outcome: 'appended',
          revision: 0,
          already: false,
        });
        expect(await log.append(stream, 0, someEvents(3, 1))).toMatchObject({
          outcome: 'appended',
          revision: 3,
          already: false,
        });
        expect((await readAll(stream)).map((event) => event.revision)).toEqual([0, 1, 2, 3]);
      });

      it('answers the position of the last event, which is where a reader finds it', async () => {
        const stream = streamName();
        const { position } = appended(await log.append(stream, NO_STREAM, someEvents(3)));
        expect((await readAll(stream)).at(-1)!.position).toBe(position);
      });

      it('conflicts at any other revision than the one that stands, and says which that is', async () => {
        const stream = streamName();
        expect(await log.append(stream, 0, someEvents(1))).toEqual({ outcome: 'conflict', revision: NO_STREAM });
        await log.append(stream, NO_STREAM, someEvents(2));
        for (const expected of [NO_STREAM, 0, 2, 1000])
          expect(await log.append(stream, expected, someEvents(1))).toEqual({ outcome: 'conflict', revision: 1 });
        expect(await readAll(stream)).toHaveLength(2);
      });

      it('answers a repeat with the first answer, also after the stream has moved on', async () => {
        const stream = streamName();
        const events = someEvents(3);
        const first = appended(await log.append(stream, NO_STREAM, events));
        expect(await log.append(stream, NO_STREAM, events)).toEqual({ ...first, already: true });
        await log.append(stream, 2, someEvents(2, 3));
        expect(await log.append(stream, NO_STREAM, events)).toEqual({ ...first, already: true });
        expect(numbers(await readAll(stream))).toEqual(upTo(5));
      });

      it('answers a repeat in the middle of a stream', async () => {
        const stream = streamName();
        await log.append(stream, NO_STREAM, someEvents(2));
        const events = someEvents(2, 2);
        const first = appended(await log.append(stream, 1, events));
        await log.append(stream, 3, someEvents(1, 4));
        expect(await log.append(stream, 1, events)).toEqual({ ...first, already: true });
      });

      it('conflicts when only a part of the events is the same', async () => {
        const stream = streamName();
        const events = someEvents(2);
        await log.append(stream, NO_STREAM, events);
        expect(await log.append(stream, NO_STREAM, [events[0]!, anEvent()])).toEqual({
          outcome: 'conflict',
          revision: 1,
        });
        expect(await log.append(stream, NO_STREAM, [anEvent(), events[1]!])).toEqual({
          outcome: 'conflict',
          revision: 1,
        });
        expect(await log.append(stream, NO_STREAM, [...events, anEvent()])).toEqual({
          outcome: 'conflict',
          revision: 1,
        });
        expect(await log.append(stream, NO_STREAM, [events[1]!, events[0]!])).toEqual({
          outcome: 'conflict',
          revision: 1,
        });
      });

      it('takes the beginning of what was appended as a repeat too', async () => {
        const stream = streamName();
        const events = someEvents(3);
        await log.append(stream, NO_STREAM, events);
        expect(await log.append(stream, NO_STREAM, events.slice(0, 2))).toMatchObject({
          outcome: 'appended',
          revision: 1,
          already: true,
        });
      });

      it('lets exactly one of many concurrent appends to a revision win', async () => {
        const stream = streamName();
        const outcomes = await Promise.all(
          upTo(40).map((n) => log.append(stream, NO_STREAM, [anEvent('Counted', { n })])),
        );
        expect(outcomes.filter((outcome) => outcome.outcome === 'appended')).toHaveLength(1);
        expect(outcomes.filter((outcome) => outcome.outcome === 'conflict' && outcome.revision === 0)).toHaveLength(39);
        expect(await readAll(stream)).toHaveLength(1);
      });

      it('stores the same append once, however often it is sent at the same time', async () => {
        const stream = streamName();
        const events = someEvents(2);
        const outcomes = (await Promise.all(upTo(20).map(() => log.append(stream, NO_STREAM, events)))).map(appended);
        expect(outcomes.filter((outcome) => !outcome.already)).toHaveLength(1);
        expect(new Set(outcomes.map((outcome) => outcome.position)).size).toBe(1);
        expect(await readAll(stream)).toHaveLength(2);
      });

      it('keeps revisions contiguous when rivals retry until each has appended', async () => {
        const stream = streamName();
        const rival = async (n: number) => {
          for (let at = NO_STREAM; ;) {
            const outcome = await log.append(stream, at, [anEvent('Counted', { n })]);
            if (outcome.outcome === 'appended') return;
            if (outcome.outcome === 'conflict') at = outcome.revision;
          }
        };
        await Promise.all(upTo(15).map(rival));
        const events = await readAll(stream);
        expect(events.map((event) => event.revision)).toEqual(upTo(15));
        expect(numbers(events).sort((a, b) => Number(a) - Number(b))).toEqual(upTo(15));
      });

      it('takes concurrent appends to many streams, each at its own position', async () => {
        const streams = upTo(100).map(() => streamName());
        const outcomes = (await Promise.all(streams.map((stream) => log.append(stream, NO_STREAM, someEvents(2))))).map(
          appended,
        );
        expect(new Set(outcomes.map((outcome) => outcome.position)).size).toBe(100);
        for (const stream of streams) expect(await readAll(stream)).toHaveLength(2);
      });

      it('does not let one conflict touch the appends beside it', async () => {
        const streams = upTo(20).map(() => streamName());
        const outcomes = await Promise.all(
          streams.map((stream, i) => log.append(stream, i % 2 === 0 ? NO_STREAM : 7, someEvents(1))),
        );
        expect(outcomes.map((outcome) => outcome.outcome)).toEqual(
          streams.map((_, i) => (i % 2 === 0 ? 'appended' : 'conflict')),
        );
      });

      it('refuses what is over the limits as a bug, and writes nothing', async () => {
        const stream = streamName();
        await expect(log.append(stream, NO_STREAM, [])).rejects.toThrow(RangeError);
        await expect(log.append(stream, NO_STREAM, someEvents(1001))).rejects.toThrow(RangeError);
        await expect(
          log.append(stream, NO_STREAM, [anEvent('Big', { text: 'x'.repeat(APPEND_BYTES_MAX) })]),
        ).rejects.toThrow(RangeError);
        await expect(log.append(stream, -2, someEvents(1))).rejects.toThrow(RangeError);
        await expect(log.append('', NO_STREAM, someEvents(1))).rejects.toThrow(TypeError);
        await expect(log.append('$system', NO_STREAM, someEvents(1))).rejects.toThrow(TypeError);
        await expect(log.append(stream, NO_STREAM, [anEvent('$tombstone')])).rejects.toThrow(TypeError);
        await expect(log.append(stream, NO_STREAM, [{ ...anEvent(), data: undefined }])).rejects.toThrow(TypeError);
        await expect(log.append(stream, NO_STREAM, [anEvent('Happened', {}, 'no-uuid')])).rejects.toThrow(TypeError);
        expect(await readAll(stream)).toEqual([]);
      });

      it('takes the largest append', async () => {
        const stream = streamName();
        await log.append(stream, NO_STREAM, someEvents(1000));
        expect(numbers(await readAll(stream))).toEqual(upTo(1000));
        const text = 'ü'.repeat((APPEND_BYTES_MAX - 2000) / 2);
        await log.append(stream, 999, [anEvent('Big', { text })]);
        expect((await log.read(stream, { direction: 'backwards', limit: 1 }))[0]!.data).toEqual({ text });
      });
    });

    describe('reading', () => {
      it('answers nothing for a stream that does not exist', async () => {
        expect(await readAll(streamName())).toEqual([]);
        expect(await log.read(streamName(), { direction: 'backwards', limit: 10 })).toEqual([]);
        expect(await log.read(streamName(), { direction: 'backwards', from: 5, limit: 10 })).toEqual([]);
      });

      it('gives back exactly what was appended, and where it is', async () => {
        const stream = streamName();
        const event = {
          ...anEvent('Détaillé', { a: 1 }),
          metadata: {
            schemaVersion: 3,
            actor: 'key_1',
            requestId: 'req_1',
            idempotencyKey: 'ab',
            fingerprint: 'cd',
            batch: 'ef',
            recordedAt: '2026-01-01T00:00:00.000Z',
          },
        };
        const { position } = appended(await log.append(stream, NO_STREAM, [event]));
        expect(await readAll(stream)).toEqual([{ ...event, stream, revision: 0, position }]);
      });

      it.each<[string, 'forwards' | 'backwards', number | undefined, number, number[]]>([
        ['forwards from the first', 'forwards', undefined, 3, [0, 1, 2]],
        ['forwards from the middle, inclusive', 'forwards', 4, 3, [4, 5, 6]],
        ['forwards to the end', 'forwards', 8, 100, [8, 9]],
        ['forwards from beyond the end', 'forwards', 10, 5, []],
        ['backwards from the last', 'backwards', undefined, 3, [9, 8, 7]],
        ['backwards from the middle, inclusive', 'backwards', 4, 3, [4, 3, 2]],
        ['backwards to the first', 'backwards', 1, 100, [1, 0]],
        ['backwards from beyond the end', 'backwards', 500, 2, [9, 8]],
      ])('reads %s', async (_, direction, from, limit, expected) => {
        const stream = streamName();
        await log.append(stream, NO_STREAM, someEvents(10));
        expect(numbers(await log.read(stream, { direction, limit, ...(from === undefined ? {} : { from }) }))).toEqual(
          expected,
        );
      });

      it('refuses a limit outside 1 to 1000', async () => {
        for (const limit of [0, -1, 1001, 1.5])
          await expect(log.read(streamName(), { direction: 'forwards', limit })).rejects.toThrow(RangeError);
      });

      it('does not mix up streams whose names are alike', async () => {
        const stream = streamName();
        const names = [stream, `${stream}x`, stream.toUpperCase(), `${stream}%`, `${stream}_`];
        for (const [n, each] of names.entries()) await log.append(each, NO_STREAM, [anEvent('Counted', { n })]);
        for (const [n, each] of names.entries()) expect(numbers(await readAll(each))).toEqual([n]);
      });

      it('knows the head: the position of the last event', async () => {
        const before = await log.head();
        const { position } = appended(await log.append(streamName(), NO_STREAM, someEvents(2)));
        expect(await log.head()).toBe(position);
        expect(position).toBeGreaterThan(before);
        if (density === 'dense') expect(position).toBe(before + 2n);
      });

      it('shows an acknowledged append to every other client at once', async () => {
        if (!opened.reopen) return;
        const other = await opened.reopen();
        const stream = streamName();
        for (let at = NO_STREAM; at < 5; at++) {
          await log.append(stream, at, someEvents(1));
          expect(await other.read(stream, { direction: 'forwards', limit: 10 })).toHaveLength(at + 2);
        }
        await other.close();
      });
    });

    describe('JSON comes back as it went in', () => {
      const fidelity: [string, unknown][] = [
        ['nothing inside', {}],
        ['null, false, zero and the empty string', { a: null, b: false, c: 0, d: '', e: [], f: {} }],
        ['numbers at their edges', [Number.MAX_SAFE_INTEGER, -1.5e-300, 1e21, 0.1]],
        ['Unicode of every plane', { 'ключ 🔑': 'naïve – “quotes” \u2028 𝒳 \ud83d\ude00 e\u0301' }],
        ['escapes, control characters and NUL', 'back\\slash "quote" \n\t\u0000\u0001\u007f {curly,} \\u0000'],
        ['a bare value', 'text'],
        ['members in their order', { z: 1, a: 2, 10: 3 }],
        ['something deep', JSON.parse(`${'['.repeat(200)}1${']'.repeat(200)}`)],
      ];
      it.each(fidelity)('%s', async (_, data) => {
        const stream = streamName();
        await log.append(stream, NO_STREAM, [anEvent('Held', data)]);
        const [event] = await readAll(stream);
        expect(event!.data).toEqual(data);
        expect(JSON.stringify(event!.data)).toBe(JSON.stringify(data));
      });

      it('whatever it is', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), async (values) => {
            const stream = streamName();
            await log.append(
              stream,
              NO_STREAM,
              values.map((value) => anEvent('Held', value)),
            );
            expect((await readAll(stream)).map((event) => JSON.stringify(event.data))).toEqual(
              values.map((value) => JSON.stringify(value)),
            );
          }),
          { numRuns: runs },
        );
      });
    });

    describe('subscribing', () => {
      it('delivers what is there, then what comes, in order', async () => {
        const prefix = streamName('live');
        const seen = collector();
        await log.append(`${prefix}-a`, NO_STREAM, someEvents(3));
        const subscription = log.subscribe({ after: BEGINNING, prefixes: [prefix], onBatch: seen.onBatch });
        await seen.until(() => seen.events.length === 3);
        await log.append(`${prefix}-b`, NO_STREAM, someEvents(2, 3));
        await seen.until(() => seen.events.length === 5);
        await subscription.stop();
        expect(numbers(seen.events)).toEqual(upTo(5));
        expect(seen.events.map((event) => event.revision)).toEqual([0, 1, 2, 0, 1]);
        expect(seen.events.slice(0, 3).map(membersOf)).toEqual((await readAll(`${prefix}-a`)).map(membersOf));
      });

      it('starts after a position, exclusively', async () => {
        const prefix = streamName('middle');
        const first = appended(await log.append(prefix, NO_STREAM, someEvents(2)));
        await log.append(prefix, 1, someEvents(3, 2));
        const seen = collector();
        const subscription = log.subscribe({ after: first.position, prefixes: [prefix], onBatch: seen.onBatch });
        await seen.until(() => seen.events.length >= 3);
        await subscription.stop();
        expect(numbers(seen.events)).toEqual([2, 3, 4]);
      });

      it('delivers only the wanted prefixes, each taken literally', async () => {
        const own = randomUUID();
        const after = await log.head();
        for (const [n, stream] of [
          `a_${own}-1`,
          `b%${own}-1`,
          `aX${own}-1`,
          `b${own}-1`,
          `c-a_${own}`,
          `a_${own}`,
        ].entries())
          await log.append(stream, NO_STREAM, [anEvent('Counted', { n })]);
        const seen = collector();
        const subscription = log.subscribe({ after, prefixes: [`a_${own}`, `b%${own}`], onBatch: seen.onBatch });
        await seen.until(() => seen.events.length >= 3);
        await subscription.stop();
        expect(numbers(seen.events)).toEqual([0, 1, 5]);
      });

      it('hands each stream to exactly one shard, and to all of them together everything', async () => {
        const after = await log.head();
        const prefix = streamName('shards');
        const streams = Array.from({ length: 24 }, (_, n) => `${prefix}-${n}`);
        for (const stream of streams) await log.append(stream, NO_STREAM, someEvents(1));
        let position = after;
        for (const stream of streams) ({ position } = appended(await log.append(stream, 0, someEvents(1, 1))));
        const shards = [0, 1, 2].map((index) => {
          const seen = collector();
          const shard = { index, of: 3 };
          return { seen, subscription: log.subscribe({ after, prefixes: [prefix], shard, onBatch: seen.onBatch }) };
        });
        for (const { seen } of shards) await seen.until(() => seen.through() >= position);
        for (const { subscription } of shards) await subscription.stop();
        const owned = shards.map(({ seen }) => [...new Set(seen.events.map(({ stream }) => stream))]);
        expect(owned.flat().sort()).toEqual([...streams].sort());
        expect(owned.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
        for (const { seen } of shards)
          for (const stream of new Set(seen.events.map((event) => event.stream)))
            expect(numbers(seen.events.filter((event) => event.stream === stream))).toEqual([0, 1]);
      });

      it('hands the shards of a group exactly their own events in order, also where one stands still and one begins anew', async () => {
        const after = await log.head();
        const prefix = streamName('group');
        const streams = Array.from({ length: 24 }, (_, n) => `${prefix}-${n}`);
        let position = after;
        for (const from of [0, 4, 8])
          for (const stream of streams)
            ({ position } = appended(await log.append(stream, from - 1, someEvents(4, from))));
        const group = {};
        const follow = (index: number, onBatch: ReturnType<typeof collector>['onBatch']) =>
          log.subscribe({ after, prefixes: [prefix], shard: { index, of: 3, group }, batchSize: 10, onBatch });
        let goOn = (): void => undefined;
        const standing = new Promise<void>((resolve) => (goOn = resolve));
        const slow = collector();
        const [ahead, again] = [collector(), collector()];
        const running = [
          follow(0, async (events, through) => {
            await standing;
            await slow.onBatch(events, through);
          }),
          follow(1, ahead.onBatch),
          follow(2, () => Promise.reject(new Error('it does not begin well'))),
        ];
        running.push(follow(2, again.onBatch));
        for (const seen of [ahead, again]) await seen.until(() => seen.through() >= position);
        goOn();
        await slow.until(() => slow.through() >= position);
        for (const subscription of running) await subscription.stop();
        const shards = [slow, ahead, again];
        const seenStreams = shards.map(({ events }) => [...new Set(events.map(({ stream }) => stream))]);
        expect(seenStreams.flat().sort()).toEqual([...streams].sort());
        for (const { events, batches } of shards) {
          expect(Math.max(...batches.map(({ size }) => size))).toBeLessThanOrEqual(10);
          const positions = events.map((event) => event.position);
          expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
          for (const stream of new Set(events.map((event) => event.stream)))
            expect(numbers(events.filter((event) => event.stream === stream))).toEqual(upTo(12));
        }
      });

      it('without prefixes delivers everything', async () => {
        const after = await log.head();
        const seen = collector();
        const subscription = log.subscribe({ after, prefixes: [], onBatch: seen.onBatch });
        const streams = [streamName('x'), streamName('y')];
        for (const stream of streams) await log.append(stream, NO_STREAM, someEvents(1));
        const ours = () => seen.events.filter((event) => streams.includes(event.stream));
        await seen.until(() => ours().length === 2);
        await subscription.stop();
        expect(ours().map((event) => event.stream)).toEqual(streams);
      });

      it('moves `through` past what is not wanted', async () => {
        const after = await log.head();
        await log.append(streamName('unwanted'), NO_STREAM, someEvents(1000));
        const { position } = appended(await log.append(streamName('unwanted'), NO_STREAM, someEvents(1)));
        const seen = collector();
        const subscription = log.subscribe({ after, prefixes: [streamName('wanted')], onBatch: seen.onBatch });
        await seen.until(() => seen.through() >= position);
        await subscription.stop();
        expect(seen.events).toEqual([]);
      });

      it('never lets `through` fall back, nor lag behind the events it came with', async () => {
        const prefix = streamName('through');
        const seen = collector();
        const problems: string[] = [];
        let last = BEGINNING;
        const subscription = log.subscribe({
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
          await log.append(streamName('other'), NO_STREAM, someEvents(2));
          await log.append(prefix, n * 5 - 1, someEvents(5, n * 5));
        }
        await seen.until(() => seen.events.length === 50);
        await subscription.stop();
        expect(problems).toEqual([]);
        expect(numbers(seen.events)).toEqual(upTo(50));
      });

      it('keeps batches within their bound', async () => {
        const prefix = streamName('bounded');
        await log.append(prefix, NO_STREAM, someEvents(100));
        const seen = collector();
        const subscription = log.subscribe({
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
        await log.append(prefix, NO_STREAM, someEvents(30));
        const seen = collector();
        let running = 0;
        let most = 0;
        const subscription = log.subscribe({
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
        await log.append(prefix, NO_STREAM, someEvents(20));
        let release = () => {};
        let entered = () => {};
        const inside = new Promise<void>((resolve) => (entered = resolve));
        const steps: string[] = [];
        let calls = 0;
        const subscription = log.subscribe({
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
        await log.append(prefix, 19, someEvents(1));
        expect(calls).toBe(1);
        await subscription.stop();
      });

      it('reports a rejection of the handler once and delivers nothing more', async () => {
        const prefix = streamName('failing');
        await log.append(prefix, NO_STREAM, someEvents(10));
        const reports: unknown[] = [];
        let calls = 0;
        const failure = new Error('the handler cannot');
        let subscription!: { stop(): Promise<void> };
        await new Promise<void>((resolve) => {
          subscription = log.subscribe({
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
        await log.append(prefix, 9, someEvents(1));
        await subscription.stop();
        expect(reports).toEqual([failure]);
        expect(calls).toBe(1);
      });

      it('skips nothing and repeats nothing while 500 appends race with it', async () => {
        const prefix = streamName('race');
        const writers = opened.reopen ? [log, await opened.reopen(), await opened.reopen()] : [log];
        const early = collector();
        const late = collector();
        const first = log.subscribe({
          after: await log.head(),
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
          await log.append(`${prefix}-end`, NO_STREAM, [anEvent('Counted', { n: -1 })]),
        );
        for (const seen of [early, late]) {
          await seen.until(() => seen.through() >= end);
          expect(seen.events).toHaveLength(stored + 1);
          expect(new Set(seen.events.map((event) => event.id)).size).toBe(stored + 1);
          expect(seen.events.every((event, i) => i === 0 || event.position > seen.events[i - 1]!.position)).toBe(true);
        }
        await first.stop();
        await second.stop();
        for (const writer of writers) if (writer !== log) await writer.close();
      });
    });

    describe('tombstones', () => {
      it('end a stream for ever and forget its events', async () => {
        const stream = streamName('ended');
        const events = someEvents(3);
        await log.append(stream, NO_STREAM, events);
        await log.tombstone(stream);
        expect(await readAll(stream)).toEqual([]);
        expect(await log.read(stream, { direction: 'backwards', limit: 10 })).toEqual([]);
        for (const expected of [NO_STREAM, 0, 2])
          expect(await log.append(stream, expected, someEvents(1))).toEqual({ outcome: 'deleted' });
        expect(await log.append(stream, NO_STREAM, events)).toEqual({ outcome: 'deleted' });
      });

      it('can be set twice, and touch no other stream', async () => {
        const stream = streamName('ended');
        await log.append(stream, NO_STREAM, someEvents(1));
        await log.append(`${stream}-beside`, NO_STREAM, someEvents(1));
        await log.tombstone(stream);
        await log.tombstone(stream);
        expect(await readAll(`${stream}-beside`)).toHaveLength(1);
      });

      it('do not hold up a subscription', async () => {
        const prefix = streamName('ended');
        await log.append(`${prefix}-a`, NO_STREAM, someEvents(5));
        await log.tombstone(`${prefix}-a`);
        await log.append(`${prefix}-b`, NO_STREAM, someEvents(1, 5));
        const seen = collector();
        const subscription = log.subscribe({ after: BEGINNING, prefixes: [prefix], onBatch: seen.onBatch });
        await seen.until(() => numbers(seen.events).includes(5));
        await subscription.stop();
        expect(numbers(seen.events).at(-1)).toBe(5);
      });
    });

    describe('like the smallest model of a log', () => {
      type Command =
        | { do: 'append'; stream: number; expected: 'right' | number; count: number }
        | { do: 'repeat'; nth: number }
        | { do: 'read'; stream: number; direction: 'forwards' | 'backwards'; from: number | undefined; limit: number };
      const command: fc.Arbitrary<Command> = fc.oneof(
        fc.record({
          do: fc.constant('append' as const),
          stream: fc.nat(2),
          expected: fc.oneof(fc.constant('right' as const), fc.integer({ min: -1, max: 6 })),
          count: fc.integer({ min: 1, max: 4 }),
        }),
        fc.record({ do: fc.constant('repeat' as const), nth: fc.nat(20) }),
        fc.record({
          do: fc.constant('read' as const),
          stream: fc.nat(2),
          direction: fc.constantFrom('forwards' as const, 'backwards' as const),
          from: fc.option(fc.nat(8), { nil: undefined }),
          limit: fc.integer({ min: 1, max: 6 }),
        }),
      );

      it('answers every sequence of commands alike', async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
            const prefix = streamName('model');
            const model: string[][] = [[], [], []];
            const order: string[] = [];
            const sent: { stream: number; expected: number; events: NewEvent[] }[] = [];
            const send = async (stream: number, expected: number, events: NewEvent[]) => {
              const held = model[stream]!;
              const outcome = await log.append(`${prefix}-${stream}`, expected, events);
              if (expected === held.length - 1) {
                expect(outcome).toMatchObject({
                  outcome: 'appended',
                  already: false,
                  revision: held.length - 1 + events.length,
                });
                held.push(...events.map((event) => event.id));
                order.push(...events.map((event) => event.id));
              } else if (events.every((event, i) => held[expected + 1 + i] === event.id)) {
                expect(outcome).toMatchObject({
                  outcome: 'appended',
                  already: true,
                  revision: expected + events.length,
                });
              } else expect(outcome).toEqual({ outcome: 'conflict', revision: held.length - 1 });
            };
            for (const step of commands) {
              if (step.do === 'append') {
                const events = someEvents(step.count);
                const expected = step.expected === 'right' ? model[step.stream]!.length - 1 : step.expected;
                sent.push({ stream: step.stream, expected, events });
                await send(step.stream, expected, events);
              } else if (step.do === 'repeat') {
                const again = sent[step.nth % Math.max(sent.length, 1)];
                // A repeat where the stream is expected to stand now is not one: no log looks for ids there.
                if (again && again.expected !== model[again.stream]!.length - 1)
                  await send(again.stream, again.expected, again.events);
              } else {
                const held = model[step.stream]!;
                const { direction, from, limit } = step;
                const expected =
                  direction === 'forwards'
                    ? held.slice(from ?? 0, (from ?? 0) + limit)
                    : held
                        .slice(0, (from ?? held.length) + 1)
                        .reverse()
                        .slice(0, limit);
                const read = await log.read(`${prefix}-${step.stream}`, {
                  direction,
                  limit,
                  ...(from === undefined ? {} : { from }),
                });
                expect(read.map((event) => event.id)).toEqual(expected);
              }
            }
            if (order.length === 0) return;
            const seen = collector();
            const subscription = log.subscribe({
              after: BEGINNING,
              prefixes: [prefix],
              batchSize: 3,
              onBatch: seen.onBatch,
            });
            await seen.until(() => seen.events.length >= order.length);
            await subscription.stop();
            expect(seen.events.map((event) => event.id)).toEqual(order);
          }),
          { numRuns: runs },
        );
      });
    });
  });
}
