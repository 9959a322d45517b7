import { refusal, Refused, UNCHARGED, type DomainEvent } from '../kernel/index.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Codec, defineEvent } from './codec.js';
import { anEvent } from '../log/contract/log.contract.js';
import { NO_STREAM } from '../log/port.js';
import { ReplayCost } from './replay-cost.js';
import { Stream } from './stream.js';

type Counted = DomainEvent<'Counted', { n: number }>;
const EVENTS = 1_650;

/** A stream of 17 pages, and a clock that each page moves on. */
async function world() {
  const log = new MemoryEventLog();
  for (let at = 0; at < EVENTS; at += 100)
    await log.append(
      's-1',
      at === 0 ? NO_STREAM : at - 1,
      Array.from({ length: Math.min(100, EVENTS - at) }, (_, n) => anEvent('Counted', { n })),
    );
  const clock = { ms: 50_000, msOfPage: 0 };
  const read = log.read.bind(log);
  /** All pages so far, as a reader that kept them would see them. */
  const pages: unknown[][] = [];
  log.read = async (...asked) => {
    clock.ms += clock.msOfPage;
    const page = await read(...asked);
    pages.push(page);
    return page;
  };
  const streams = new Stream<number, Counted>(
    log,
    new Codec([defineEvent({ type: 'Counted', version: 1, personal: [] })]),
    {
      initial: () => 0,
      evolve: (count) => count + 1,
      contended: () => refusal('state_conflict', 'Others were faster.', 'Try again.'),
    },
  );
  const replayed = async (cost: ReplayCost): Promise<number> => {
    let events = 0;
    for await (const _ of (await streams.since('s-1', { revision: -1 }, cost)).events) events++;
    return events;
  };
  const held = (): number => pages.flat().length;
  return { clock, streams, replayed, held, nowMs: () => clock.ms };
}

describe('a replay for an answer about the past', () => {
  it('ends when its time is over, counted from its first page, and what it has read is charged', async () => {
    const { clock, replayed, nowMs } = await world();
    clock.msOfPage = 1_500;
    let charged = 0;
    const cost = new ReplayCost({ ...UNCHARGED, folded: (events) => void (charged += events) }, { nowMs });
    clock.ms += 60_000;
    const refused = await replayed(cost).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect((refused as Refused).refusal).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('2 seconds'),
      hint: expect.stringContaining('closer to now'),
    });
    expect([cost.events, charged]).toEqual([200, 200]);
  });

  it('is answered where its last page comes late', async () => {
    const { clock, replayed, nowMs } = await world();
    clock.msOfPage = 120;
    expect(await replayed(new ReplayCost(undefined, { nowMs }))).toBe(EVENTS);
  });

  it('holds none of the events that it has folded when it is charged for them', async () => {
    const { streams, replayed, held } = await world();
    const heldThen: number[] = [];
    const work = { folded: () => void heldThen.push(held()) };
    await replayed(new ReplayCost(work));
    await streams.load('s-1', { work });
    expect(heldThen.length).toBeGreaterThan(30);
    expect(Math.max(...heldThen)).toBe(0);
  });

  it('is charged for a page that is not read to its end', async () => {
    const { streams } = await world();
    let charged = 0;
    const cost = new ReplayCost({ ...UNCHARGED, folded: (events) => void (charged += events) });
    for await (const { revision } of (await streams.since('s-1', { revision: -1 }, cost)).events)
      if (revision === 150) break;
    expect([cost.events, charged]).toEqual([200, 200]);
  });

  it('ends beyond a number of events', async () => {
    const { replayed } = await world();
    await expect(replayed(new ReplayCost(undefined, { mostEvents: 999 }))).rejects.toMatchObject({
      refusal: { code: 'validation_failed', message: expect.stringContaining('999 events') },
    });
    expect(await replayed(new ReplayCost(undefined, { mostEvents: EVENTS }))).toBe(EVENTS);
  });

  it('that a write needs may take its time', async () => {
    const { clock, replayed } = await world();
    clock.msOfPage = 3_600_000;
    expect(await replayed(ReplayCost.ofWrite())).toBe(EVENTS);
  });
});
