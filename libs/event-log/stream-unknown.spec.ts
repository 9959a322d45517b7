import { refusal, type DomainEvent } from '../kernel/index.js';
import { MemoryEventLog } from './adapters/memory.js';
import { Codec, defineEvent, UnknownEvent } from './codec.js';
import { anEvent } from './log.contract.js';
import { NO_STREAM } from './port.js';
import { ReplayCost } from './replay-cost.js';
import { Stream } from './stream.js';

type Counted = DomainEvent<'Counted', { n: number }>;

/** A stream that a newer release has written to, as an older one sees it; `leftOut`: what operators skipped. */
async function olderRelease(leftOut = new Set<bigint>()) {
  const log = new MemoryEventLog();
  await log.append('s-1', NO_STREAM, [
    anEvent('Counted', { n: 1 }),
    anEvent('CountedTwice', { n: 2 }),
    anEvent('Counted', { n: 4 }),
  ]);
  const codec = new Codec([defineEvent({ type: 'Counted', version: 1, personal: [] })], leftOut);
  const streams = new Stream<number, Counted>(log, codec, {
    on: ['Counted'],
    initial: () => 0,
    evolve: (sum, event) => sum + event.data.n,
    contended: () => refusal('state_conflict', 'Others were faster.', 'Try again.'),
  });
  return { log, streams };
}

describe('a stream with an event that only a newer release knows', () => {
  it('is not folded, and nothing is written to it', async () => {
    const { log, streams } = await olderRelease();
    await expect(streams.load('s-1')).rejects.toThrow(UnknownEvent);
    const attempt = () => {
      throw new Error('nothing may be decided');
    };
    await expect(streams.execute('s-1', undefined, attempt)).rejects.toThrow(UnknownEvent);
    expect(await log.read('s-1', { direction: 'forwards', limit: 10 })).toHaveLength(3);
  });

  it('is folded without that event where an operator left it out', async () => {
    const { streams } = await olderRelease(new Set([1n]));
    expect(await streams.load('s-1')).toMatchObject({ revision: 2, state: 5 });
  });

  it('is folded without an event that is known and was left out', async () => {
    const { streams } = await olderRelease(new Set([1n, 2n]));
    expect((await streams.load('s-1')).state).toBe(1);
    const seen: number[] = [];
    for await (const event of streams.forwards('s-1', 0, new ReplayCost())) seen.push(event.revision);
    expect(seen).toEqual([0]);
  });
});
