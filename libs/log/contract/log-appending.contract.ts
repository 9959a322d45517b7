import { APPEND_BYTES_MAX } from '../append-limits.js';
import {
  anEvent,
  appended,
  numbers,
  someEvents,
  streamName,
  upTo,
  type LogUnderTest,
} from './log-under-test.contract.js';
import { NO_STREAM } from '../port.js';

/** How appends are taken, refused, answered again and kept apart. */
export function describeAppending({ log }: LogUnderTest): void {
  const readAll = (stream: string) => log().read(stream, { direction: 'forwards', limit: 1000 });
  describe('appending', () => {
    it('starts a stream at revision 0 and counts on from there', async () => {
      const stream = streamName();
      expect(await log().append(stream, NO_STREAM, someEvents(1))).toMatchObject({
        outcome: 'appended',
        revision: 0,
        already: false,
      });
      expect(await log().append(stream, 0, someEvents(3, 1))).toMatchObject({
        outcome: 'appended',
        revision: 3,
        already: false,
      });
      expect((await readAll(stream)).map((event) => event.revision)).toEqual([0, 1, 2, 3]);
    });

    it('answers the position of the last event, which is where a reader finds it', async () => {
      const stream = streamName();
      const { position } = appended(await log().append(stream, NO_STREAM, someEvents(3)));
      expect((await readAll(stream)).at(-1)!.position).toBe(position);
    });

    it('conflicts at any other revision than the one that stands, and says which that is', async () => {
      const stream = streamName();
      expect(await log().append(stream, 0, someEvents(1))).toEqual({ outcome: 'conflict', revision: NO_STREAM });
      await log().append(stream, NO_STREAM, someEvents(2));
      for (const expected of [NO_STREAM, 0, 2, 1000])
        expect(await log().append(stream, expected, someEvents(1))).toEqual({ outcome: 'conflict', revision: 1 });
      expect(await readAll(stream)).toHaveLength(2);
    });

    it('answers a repeat with the first answer, also after the stream has moved on', async () => {
      const stream = streamName();
      const events = someEvents(3);
      const first = appended(await log().append(stream, NO_STREAM, events));
      expect(await log().append(stream, NO_STREAM, events)).toEqual({ ...first, already: true });
      await log().append(stream, 2, someEvents(2, 3));
      expect(await log().append(stream, NO_STREAM, events)).toEqual({ ...first, already: true });
      expect(numbers(await readAll(stream))).toEqual(upTo(5));
    });

    it('answers a repeat in the middle of a stream', async () => {
      const stream = streamName();
      await log().append(stream, NO_STREAM, someEvents(2));
      const events = someEvents(2, 2);
      const first = appended(await log().append(stream, 1, events));
      await log().append(stream, 3, someEvents(1, 4));
      expect(await log().append(stream, 1, events)).toEqual({ ...first, already: true });
    });

    it('conflicts when only a part of the events is the same', async () => {
      const stream = streamName();
      const events = someEvents(2);
      await log().append(stream, NO_STREAM, events);
      expect(await log().append(stream, NO_STREAM, [events[0]!, anEvent()])).toEqual({
        outcome: 'conflict',
        revision: 1,
      });
      expect(await log().append(stream, NO_STREAM, [anEvent(), events[1]!])).toEqual({
        outcome: 'conflict',
        revision: 1,
      });
      expect(await log().append(stream, NO_STREAM, [...events, anEvent()])).toEqual({
        outcome: 'conflict',
        revision: 1,
      });
      expect(await log().append(stream, NO_STREAM, [events[1]!, events[0]!])).toEqual({
        outcome: 'conflict',
        revision: 1,
      });
    });

    it('takes the beginning of what was appended as a repeat too', async () => {
      const stream = streamName();
      const events = someEvents(3);
      await log().append(stream, NO_STREAM, events);
      expect(await log().append(stream, NO_STREAM, events.slice(0, 2))).toMatchObject({
        outcome: 'appended',
        revision: 1,
        already: true,
      });
    });

    it('lets exactly one of many concurrent appends to a revision win', async () => {
      const stream = streamName();
      const outcomes = await Promise.all(
        upTo(40).map((n) => log().append(stream, NO_STREAM, [anEvent('Counted', { n })])),
      );
      expect(outcomes.filter((outcome) => outcome.outcome === 'appended')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome.outcome === 'conflict' && outcome.revision === 0)).toHaveLength(39);
      expect(await readAll(stream)).toHaveLength(1);
    });

    it('stores the same append once, however often it is sent at the same time', async () => {
      const stream = streamName();
      const events = someEvents(2);
      const outcomes = (await Promise.all(upTo(20).map(() => log().append(stream, NO_STREAM, events)))).map(appended);
      expect(outcomes.filter((outcome) => !outcome.already)).toHaveLength(1);
      expect(new Set(outcomes.map((outcome) => outcome.position)).size).toBe(1);
      expect(await readAll(stream)).toHaveLength(2);
    });

    it('keeps revisions contiguous when rivals retry until each has appended', async () => {
      const stream = streamName();
      const rival = async (n: number) => {
        for (let at = NO_STREAM; ;) {
          const outcome = await log().append(stream, at, [anEvent('Counted', { n })]);
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
      const outcomes = (await Promise.all(streams.map((stream) => log().append(stream, NO_STREAM, someEvents(2))))).map(
        appended,
      );
      expect(new Set(outcomes.map((outcome) => outcome.position)).size).toBe(100);
      for (const stream of streams) expect(await readAll(stream)).toHaveLength(2);
    });

    it('does not let one conflict touch the appends beside it', async () => {
      const streams = upTo(20).map(() => streamName());
      const outcomes = await Promise.all(
        streams.map((stream, i) => log().append(stream, i % 2 === 0 ? NO_STREAM : 7, someEvents(1))),
      );
      expect(outcomes.map((outcome) => outcome.outcome)).toEqual(
        streams.map((_, i) => (i % 2 === 0 ? 'appended' : 'conflict')),
      );
    });

    it('refuses what is over the limits as a bug, and writes nothing', async () => {
      const stream = streamName();
      await expect(log().append(stream, NO_STREAM, [])).rejects.toThrow(RangeError);
      await expect(log().append(stream, NO_STREAM, someEvents(1001))).rejects.toThrow(RangeError);
      await expect(
        log().append(stream, NO_STREAM, [anEvent('Big', { text: 'x'.repeat(APPEND_BYTES_MAX) })]),
      ).rejects.toThrow(RangeError);
      await expect(log().append(stream, -2, someEvents(1))).rejects.toThrow(RangeError);
      await expect(log().append('', NO_STREAM, someEvents(1))).rejects.toThrow(TypeError);
      await expect(log().append('$system', NO_STREAM, someEvents(1))).rejects.toThrow(TypeError);
      await expect(log().append(stream, NO_STREAM, [anEvent('$tombstone')])).rejects.toThrow(TypeError);
      await expect(log().append(stream, NO_STREAM, [{ ...anEvent(), data: undefined }])).rejects.toThrow(TypeError);
      await expect(log().append(stream, NO_STREAM, [anEvent('Happened', {}, 'no-uuid')])).rejects.toThrow(TypeError);
      expect(await readAll(stream)).toEqual([]);
    });

    it('takes the largest append', async () => {
      const stream = streamName();
      await log().append(stream, NO_STREAM, someEvents(1000));
      expect(numbers(await readAll(stream))).toEqual(upTo(1000));
      const text = 'ü'.repeat((APPEND_BYTES_MAX - 2000) / 2);
      await log().append(stream, 999, [anEvent('Big', { text })]);
      expect((await log().read(stream, { direction: 'backwards', limit: 1 }))[0]!.data).toEqual({ text });
    });
  });
}
