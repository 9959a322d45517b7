import { collector, numbers, someEvents, streamName, type LogUnderTest } from './log-under-test.contract.js';
import { NO_STREAM } from '../port.js';
import { BEGINNING } from '../../kernel/index.js';

/** What the end of a stream means. */
export function describeTombstones({ log }: LogUnderTest): void {
  const readAll = (stream: string) => log().read(stream, { direction: 'forwards', limit: 1000 });
  describe('tombstones', () => {
    it('end a stream for ever and forget its events', async () => {
      const stream = streamName('ended');
      const events = someEvents(3);
      await log().append(stream, NO_STREAM, events);
      await log().tombstone(stream);
      expect(await readAll(stream)).toEqual([]);
      expect(await log().read(stream, { direction: 'backwards', limit: 10 })).toEqual([]);
      for (const expected of [NO_STREAM, 0, 2])
        expect(await log().append(stream, expected, someEvents(1))).toEqual({ outcome: 'deleted' });
      expect(await log().append(stream, NO_STREAM, events)).toEqual({ outcome: 'deleted' });
    });

    it('can be set twice, and touch no other stream', async () => {
      const stream = streamName('ended');
      await log().append(stream, NO_STREAM, someEvents(1));
      await log().append(`${stream}-beside`, NO_STREAM, someEvents(1));
      await log().tombstone(stream);
      await log().tombstone(stream);
      expect(await readAll(`${stream}-beside`)).toHaveLength(1);
    });

    it('do not hold up a subscription', async () => {
      const prefix = streamName('ended');
      await log().append(`${prefix}-a`, NO_STREAM, someEvents(5));
      await log().tombstone(`${prefix}-a`);
      await log().append(`${prefix}-b`, NO_STREAM, someEvents(1, 5));
      const seen = collector();
      const subscription = log().subscribe({ after: BEGINNING, prefixes: [prefix], onBatch: seen.onBatch });
      await seen.until(() => numbers(seen.events).includes(5));
      await subscription.stop();
      expect(numbers(seen.events).at(-1)).toBe(5);
    });
  });
}
