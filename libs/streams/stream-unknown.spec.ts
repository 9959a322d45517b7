import { keepSealed, refusal, type DomainEvent } from '../kernel/index.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Codec, defineEvent, UnknownEvent, UnreadableEvent, type LeftOut } from './codec.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM, NOT_JSON, type NewEvent } from '../log/port.js';
import { ReplayCost } from './replay-cost.js';
import type { StreamFold } from './stream-fold.js';
import { Stream, type Attempt } from './stream.js';

type Counted = DomainEvent<'Counted', { n: number }> | DomainEvent<'Closed', object>;
type Sum = { sum: number; isClosed?: true };

/** What operators left out, which may become more. */
class Skips implements LeftOut {
  private readonly positions = new Map<bigint, string | null>();
  readonly size = 0;

  /** `of`: one projection alone. */
  add(position: bigint, of: string | null = null): void {
    this.positions.set(position, of);
    if (of === null) Object.assign(this, { size: this.size + 1 });
  }

  has(position: bigint, projection?: string): boolean {
    const of = this.positions.get(position);
    return of === null || (of !== undefined && of === projection);
  }
}

const FOLD: StreamFold<Sum, Counted> = {
  on: ['Counted', 'Closed'],
  initial: () => ({ sum: 0 }),
  evolve: (state, event) => {
    if (event.type === 'Closed') return { ...state, isClosed: true };
    if (typeof event.data.n !== 'number') throw new RangeError('no number');
    return { ...state, sum: state.sum + event.data.n };
  },
  isOver: ({ isClosed }) => isClosed === true,
  contended: () => refusal('state_conflict', 'Others were faster.', 'Try again.'),
};

/** A stream as this release sees it: 1, something else, 4. */
async function streamWith(odd: NewEvent, ...more: NewEvent[]) {
  const log = new MemoryEventLog();
  await log.append('s-1', NO_STREAM, [anEvent('Counted', { n: 1 }), odd, anEvent('Counted', { n: 4 }), ...more]);
  const skips = new Skips();
  const codec = new Codec(
    [
      defineEvent({ type: 'Counted', version: 1, personal: ['who'] }),
      defineEvent({ type: 'Closed', version: 1, personal: [] }),
    ],
    skips,
  );
  return {
    log,
    skips,
    streams: new Stream(log, codec, FOLD),
    passing: new Stream(log, codec, { ...FOLD, passesUnreadable: true }),
  };
}

const read = anEvent('Counted', { n: 2 });
const ODD: [what: string, event: NewEvent, error: new (...args: never[]) => Error][] = [
  ['of an unknown type', anEvent('CountedTwice', { n: 2 }), UnknownEvent],
  ['of an unknown version', { ...read, metadata: { ...read.metadata, schemaVersion: 2 } }, UnknownEvent],
  ['that is no JSON', { ...read, data: NOT_JSON }, UnreadableEvent],
  ['that no fold can take in', anEvent('Counted', { n: 'two' }), RangeError],
];

const nothing = (): Attempt<null> => {
  throw new Error('nothing may be decided');
};

describe.each(ODD)('a stream with an event %s', (_, odd, error) => {
  /** The memory log keeps JSON alone: what is no JSON is put in its place as the log is read. */
  const world = async (...more: NewEvent[]) => {
    const set = await streamWith({ ...odd, data: odd.data === NOT_JSON ? {} : odd.data }, ...more);
    const given = set.log.read.bind(set.log);
    set.log.read = async (...asked) =>
      (await given(...asked)).map((event) => (event.id === odd.id ? { ...event, data: odd.data } : event));
    return set;
  };

  it('is not folded, nor replayed, and nothing is written to it', async () => {
    const { log, streams } = await world();
    for (let times = 0; times < 2; times++) await expect(streams.load('s-1')).rejects.toThrow(error);
    await expect(streams.execute('s-1', undefined, nothing)).rejects.toThrow(error);
    expect(streams.peek('s-1')).toBeNull();
    expect(await log.read('s-1', { direction: 'forwards', limit: 10 })).toHaveLength(3);
  });

  it('is folded without that event as soon as it is left out everywhere', async () => {
    const { skips, streams } = await world();
    await expect(streams.load('s-1')).rejects.toThrow(error);
    skips.add(1n, 'tally');
    await expect(streams.load('s-1')).rejects.toThrow(error);
    skips.add(1n);
    expect(await streams.load('s-1')).toMatchObject({ revision: 2, state: { sum: 5 } });
    const replayed: number[] = [];
    const past = await streams.since('s-1', { revision: -1 }, new ReplayCost());
    for await (const event of past.events) replayed.push(event.revision);
    expect(replayed).toEqual([0, 2]);
    const { events, next } = await streams.backwards('s-1', undefined, 10, keepSealed('s-1'));
    expect([events.map(({ revision }) => revision), next]).toEqual([[2, 0], null]);
  });

  it('is folded past it where that must be done in any case, and written to', async () => {
    const { log, passing } = await world();
    expect(await passing.load('s-1')).toMatchObject({ revision: 2, state: { sum: 5 } });
    const { metadata } = anEvent('Closed');
    const close = { event: { type: 'Closed', data: {} }, id: crypto.randomUUID(), metadata };
    expect(await passing.execute('s-1', undefined, () => ({ append: [close], answer: () => 'closed' }))).toBe('closed');
    expect((await log.read('s-1', { direction: 'backwards', limit: 1 }))[0]).toMatchObject({
      revision: 3,
      type: 'Closed',
    });
  });

  it('is folded where all is over anyway', async () => {
    const { streams } = await world(anEvent('Closed'));
    expect(await streams.load('s-1')).toMatchObject({ revision: 3, state: { isClosed: true } });
  });
});

describe('an event that was folded before it was left out', () => {
  it('is in no state any more', async () => {
    const { skips, streams } = await streamWith(read);
    expect((await streams.load('s-1')).state.sum).toBe(7);
    skips.add(2n);
    expect((await streams.load('s-1')).state.sum).toBe(3);
    skips.add(1n, 'tally');
    expect((await streams.load('s-1')).state.sum).toBe(3);
  });
});

describe('a page of history over events that are left out', () => {
  it('goes on where they end', async () => {
    const { skips, streams } = await streamWith(anEvent('CountedTwice'));
    skips.add(1n);
    const page = (from?: number) => streams.backwards('s-1', from, 1, keepSealed('s-1'));
    expect((await page()).events).toHaveLength(1);
    expect(await page(1)).toEqual({ events: [], next: 0 });
    expect(await page(0)).toMatchObject({ events: [{ revision: 0 }], next: null });
  });
});
