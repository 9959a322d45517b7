import fc from 'fast-check';
import { anEvent, appended, numbers, someEvents, streamName, type LogUnderTest } from './log-under-test.contract.js';
import { NO_STREAM } from '../port.js';
import { BEGINNING } from '../../kernel/index.js';

/** What reads of streams answer, and that JSON comes back as it went in. */
export function describeReading({ log, opened, density, runs }: LogUnderTest): void {
  const readAll = (stream: string) => log().read(stream, { direction: 'forwards', limit: 1000 });
  describe('reading', () => {
    it('answers nothing for a stream that does not exist', async () => {
      expect(await readAll(streamName())).toEqual([]);
      expect(await log().read(streamName(), { direction: 'backwards', limit: 10 })).toEqual([]);
      expect(await log().read(streamName(), { direction: 'backwards', from: 5, limit: 10 })).toEqual([]);
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
      const { position } = appended(await log().append(stream, NO_STREAM, [event]));
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
      await log().append(stream, NO_STREAM, someEvents(10));
      expect(numbers(await log().read(stream, { direction, limit, ...(from === undefined ? {} : { from }) }))).toEqual(
        expected,
      );
    });

    it('refuses a limit outside 1 to 1000', async () => {
      for (const limit of [0, -1, 1001, 1.5])
        await expect(log().read(streamName(), { direction: 'forwards', limit })).rejects.toThrow(RangeError);
    });

    it('does not mix up streams whose names are alike', async () => {
      const stream = streamName();
      const names = [stream, `${stream}x`, stream.toUpperCase(), `${stream}%`, `${stream}_`];
      for (const [n, each] of names.entries()) await log().append(each, NO_STREAM, [anEvent('Counted', { n })]);
      for (const [n, each] of names.entries()) expect(numbers(await readAll(each))).toEqual([n]);
    });

    it('answers a list of its own to each who asks, also at once', async () => {
      const stream = streamName();
      await log().append(stream, NO_STREAM, someEvents(3));
      const [one, other] = await Promise.all([readAll(stream), readAll(stream)]);
      one.length = 0;
      expect([other.length, (await readAll(stream)).length]).toEqual([3, 3]);
    });

    it('knows the head: the position of the last event', async () => {
      const before = await log().head();
      const { position } = appended(await log().append(streamName(), NO_STREAM, someEvents(2)));
      expect(await log().head()).toBe(position);
      expect(position).toBeGreaterThan(before);
      if (density === 'dense') expect(position).toBe(before + 2n);
    });

    it('knows the event at a position, and that none stands before the first nor after the last', async () => {
      const stream = streamName();
      await log().append(stream, NO_STREAM, someEvents(3));
      await log().append(stream, 2, someEvents(1, 3));
      for (const event of await readAll(stream)) expect(await log().at(event.position)).toEqual(event);
      expect(await log().at(BEGINNING)).toBeNull();
      expect(await log().at((await log().head()) + 1_000_000n)).toBeNull();
    });

    it('reads the events at many positions, in the order of the log, and none where none stands', async () => {
      const [one, other] = [streamName(), streamName()];
      await log().append(one, NO_STREAM, someEvents(3));
      await log().append(other, NO_STREAM, someEvents(200));
      await log().append(one, 2, someEvents(2, 3));
      const events = [...(await readAll(one)), ...(await readAll(other))].sort((a, b) =>
        Number(a.position - b.position),
      );
      const positions = events.map(({ position }) => position);
      const last = positions.at(-1)!;
      expect(await log().readAt([...positions].reverse())).toEqual(events);
      const some = events.filter((_, n) => n % 67 === 1);
      expect(await log().readAt([...some, ...some].map(({ position }) => position))).toEqual(some);
      expect(await log().readAt([BEGINNING, last, last + 1_000_000n])).toEqual(events.slice(-1));
      expect(await log().readAt([])).toEqual([]);
      await expect(log().readAt(Array.from({ length: 1_001 }, (_, n) => BigInt(n)))).rejects.toThrow(RangeError);
    });

    it('tells how old the first event after a position is, and that there is none after the last', async () => {
      const { position: before } = appended(await log().append(streamName(), NO_STREAM, someEvents(1)));
      const begun = performance.now();
      const { position: last } = appended(await log().append(streamName(), NO_STREAM, someEvents(2)));
      const age = (await log().ageAfter(before))!;
      expect(age).toBeGreaterThanOrEqual(0);
      // Two clocks may be at work, of which one counts whole milliseconds.
      expect(age).toBeLessThanOrEqual(performance.now() - begun + 2);
      expect(await log().ageAfter(last)).toBeNull();
      expect(log().countsEvents).toBe(density === 'dense');
    });

    it('shows an acknowledged append to every other client at once', async () => {
      const { reopen } = opened();
      if (!reopen) return;
      const other = await reopen();
      const stream = streamName();
      for (let at = NO_STREAM; at < 5; at++) {
        await log().append(stream, at, someEvents(1));
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
      await log().append(stream, NO_STREAM, [anEvent('Held', data)]);
      const [event] = await readAll(stream);
      expect(event!.data).toEqual(data);
      expect(JSON.stringify(event!.data)).toBe(JSON.stringify(data));
    });

    it('whatever it is', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), async (values) => {
          const stream = streamName();
          await log().append(
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
}
