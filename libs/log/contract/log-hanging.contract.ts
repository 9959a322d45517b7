import { LogUnavailable, NO_STREAM, type EventLog } from '../port.js';
import { anEvent, numbers, someEvents, streamName, upTo, type LogUnderTest } from './log-under-test.contract.js';
import { Codec, defineEvent } from '../../streams/codec.js';
import { Stream } from '../../streams/stream.js';
import { refusal, type DomainEvent } from '../../kernel/index.js';
import { settlesWithin, untilItPasses } from '../../../test/support/timing.js';

type Counted = DomainEvent<'Counted', { n: number }>;

/** What is refused to people is refused within this time, in ms. */
const REFUSED_WITHIN_MS = 2000;

const unavailable = (work: Promise<unknown>): Promise<LogUnavailable> =>
  work.then(
    () => {
      throw new Error('it was answered');
    },
    (error: unknown) => {
      if (!(error instanceof LogUnavailable)) throw error;
      return error;
    },
  );

/** One writer among others of a stream that counts. */
const counting = (log: EventLog): Stream<{ count: number }, Counted> =>
  new Stream(log, new Codec([defineEvent({ type: 'Counted', version: 1, personal: [] })]), {
    on: ['Counted'],
    initial: () => ({ count: 0 }),
    evolve: ({ count }) => ({ count: count + 1 }),
    contended: () => refusal('state_conflict', 'Others were faster.', 'Try again.'),
  });
const countOn = (streams: ReturnType<typeof counting>, stream: string): Promise<unknown> => {
  const { id, metadata } = anEvent();
  return streams.execute(stream, undefined, ({ state }) => ({
    append: [{ id, metadata, event: { type: 'Counted', data: { n: state.count } } }],
    answer: () => state.count,
  }));
};

/** What happens to calls on a log that takes everything and answers nothing, and after it has come to itself. */
export function describeHanging({ opened, hangs }: LogUnderTest): void {
  if (!hangs) return;
  describe('hanging', () => {
    const log = (): EventLog => opened().silence!.log;
    const frozen = async (work: () => Promise<void>): Promise<void> => {
      const silence = opened().silence!;
      await log().head();
      silence.begin();
      try {
        await work();
      } finally {
        silence.end();
      }
    };
    /** Asks until the log answers: its clients connect anew. */
    const answered = <R>(ask: () => Promise<R>): Promise<R> =>
      untilItPasses(ask, (error) => error instanceof LogUnavailable);

    it('refuses appends and reads in time, and repeats are taken once when it answers again', async () => {
      const streams = upTo(60).map(() => streamName('silent'));
      const events = streams.map(() => someEvents(2));
      const append = (i: number) => log().append(streams[i]!, NO_STREAM, events[i]!);
      await frozen(async () => {
        const refused = streams.map((_, i) => unavailable(append(i)));
        const unread = upTo(60).map(() => unavailable(log().read(streamName(), { direction: 'forwards', limit: 1 })));
        expect(await settlesWithin(REFUSED_WITHIN_MS, Promise.all([...refused, ...unread]))).toBe(true);
        await Promise.all([...refused, ...unread]);
      });
      for (const i of upTo(60)) {
        expect(await answered(() => append(i))).toMatchObject({ outcome: 'appended', revision: 1 });
        expect(await answered(() => log().read(streams[i]!, { direction: 'forwards', limit: 10 }))).toHaveLength(2);
      }
    });

    it('refuses by the time that the caller has left', async () => {
      await frozen(async () => {
        const until = performance.now() + 300;
        const refused = [
          unavailable(log().append(streamName(), NO_STREAM, someEvents(1), until)),
          unavailable(log().read(streamName(), { direction: 'forwards', limit: 1, until })),
        ];
        expect(await settlesWithin(900, Promise.all(refused))).toBe(true);
        await Promise.all(refused);
      });
      expect(await answered(() => log().read(streamName(), { direction: 'forwards', limit: 1 }))).toEqual([]);
    });

    it('refuses all that wait for one stream in the time of one, whether or not the stream is known', async () => {
      const stream = streamName('awaited');
      const streams = counting(log());
      await answered(() => countOn(streams, stream));
      await frozen(async () => {
        const others = counting(log());
        const refused = upTo(40).map((n) => unavailable(countOn(n % 2 === 0 ? streams : others, stream)));
        expect(await settlesWithin(REFUSED_WITHIN_MS, Promise.all(refused))).toBe(true);
        await Promise.all(refused);
      });
      const counted = await answered(() => countOn(streams, stream));
      const events = await answered(() => log().read(stream, { direction: 'forwards', limit: 1000 }));
      expect(numbers(events)).toEqual(upTo(events.length));
      expect(events.length).toBeGreaterThan(counted as number);
    });
  });
}
