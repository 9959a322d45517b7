import { NO_STREAM, type NewEvent } from '../log/port.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Codec, defineEvent } from './codec.js';
import {
  refusal,
  type FieldCipher,
  type HistoryPlace,
  subjectStream,
  type DomainEvent,
  type Scope,
} from '../kernel/index.js';
import { historyPage, joinedHistory, type HistorySource } from './joined-history.js';
import { Stream } from './stream.js';

const scope: Scope = { site: 'shop', env: 'test' };
const [ADA, BOB, EVE] = [
  'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T',
  'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2V',
] as const;
const CLEAR: FieldCipher = { encrypt: (_, clear) => clear, decrypt: (_, sealed) => sealed };

let log: MemoryEventLog;
let source: HistorySource;
let said: number;
beforeEach(() => {
  log = new MemoryEventLog();
  const streams = new Stream<number, never>(log, new Codec([defineEvent({ type: 'Said', version: 1, personal: [] })]), {
    on: [],
    initial: () => 0,
    evolve: (state) => state,
    contended: () => refusal('state_conflict', 'Others were faster.', 'Try again.'),
  });
  source = { streams, cipherOf: async () => CLEAR };
  said = 0;
});
afterEach(() => log.close());

/** Each of them says the next number, in this order. */
async function say(...subjects: string[]): Promise<void> {
  for (const subjectId of subjects) {
    const stream = subjectStream(scope, subjectId);
    const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
    const event: NewEvent = {
      id: crypto.randomUUID(),
      type: 'Said',
      data: { n: ++said },
      metadata: { schemaVersion: 1, actor: 'test', recordedAt: '2026-11-21T12:00:00.000Z' },
    };
    await log.append(stream, last?.revision ?? NO_STREAM, [event]);
  }
}

const numberOf = (event: DomainEvent): number => (event.data as { n: number }).n;
async function all(subjects: readonly string[], after?: HistoryPlace): Promise<[string, number][]> {
  const found: [string, number][] = [];
  for await (const { subjectId, event } of joinedHistory(source, scope, subjects, after))
    found.push([subjectId, numberOf(event)]);
  return found;
}

describe('the history of several subjects', () => {
  it('is that of all of them, newest first, each event with whose it is', async () => {
    await say(ADA, BOB, BOB, ADA, EVE, ADA);
    expect(await all([ADA, BOB])).toEqual([
      [ADA, 6],
      [ADA, 4],
      [BOB, 3],
      [BOB, 2],
      [ADA, 1],
    ]);
    expect(await all([BOB])).toEqual([
      [BOB, 3],
      [BOB, 2],
    ]);
    expect(await all([])).toEqual([]);
    expect(await all(['sub_01KAK3V0ZC8W9J2M4N6P8Q0R2W', EVE])).toEqual([[EVE, 5]]);
  });

  it('is read on over as many pages of the log as it takes', async () => {
    await say(...Array.from({ length: 950 }, (_, i) => (i % 3 ? ADA : BOB)));
    expect((await all([ADA, BOB])).map(([, n]) => n)).toEqual(Array.from({ length: 950 }, (_, i) => 950 - i));
  });

  it('goes on from a place without gap or repeat, whatever was said and whoever joined since', async () => {
    await say(ADA, BOB, EVE, BOB, ADA, EVE, BOB);
    for (let first = 1; first <= 5; first++) {
      const { data, next } = await historyPage(source, scope, [ADA, BOB], undefined, first, ({ event }) =>
        numberOf(event),
      );
      await say(ADA, BOB, EVE);
      const rest = next ? await all([ADA, BOB], next) : [];
      const before = said - 3;
      expect([...data, ...rest.map(([, n]) => n)]).toEqual(
        Array.from({ length: before }, (_, i) => before - i).filter((n) =>
          n <= 7 ? ![3, 6].includes(n) : (n - 7) % 3 !== 0,
        ),
      );
      const joined = next ? await all([ADA, BOB, EVE], next) : [];
      expect(joined.filter(([subjectId]) => subjectId !== EVE)).toEqual(rest);
    }
  });
});

describe('a page', () => {
  const page = (
    limit: number,
    wanted: (n: number) => boolean = () => true,
    after?: HistoryPlace,
  ): ReturnType<typeof historyPage<number>> =>
    historyPage(source, scope, [ADA, BOB], after, limit, ({ event }) =>
      wanted(numberOf(event)) ? numberOf(event) : null,
    );

  it('says that no more follows where it holds everything', async () => {
    await say(ADA, BOB, ADA);
    expect(await page(3)).toEqual({ data: [3, 2, 1], next: null });
    expect((await page(2)).next).not.toBeNull();
    expect(await page(1, (n) => n === 2)).toEqual({ data: [2], next: null });
  });

  it('reads one event more than it shows where all are wanted, and many at a time where few are', async () => {
    await say(...Array.from({ length: 500 }, () => ADA));
    const { streams, cipherOf } = source;
    const asked: number[] = [];
    const backwards: typeof streams.backwards = (stream, from, limit, cipher) => {
      asked.push(limit);
      return streams.backwards(stream, from, limit, cipher);
    };
    const counting = { cipherOf, streams: { backwards, revisionBefore: streams.revisionBefore.bind(streams) } };
    const pageOf = (limit: number, wanted: (n: number) => boolean) =>
      historyPage(counting, scope, [ADA], undefined, limit, ({ event }) => (wanted(numberOf(event)) ? 1 : null));
    await pageOf(50, () => true);
    expect(asked.splice(0)).toEqual([51]);
    await pageOf(200, () => true);
    expect(asked.splice(0)).toEqual([200, 200]);
    await pageOf(5, (n) => n < 10);
    expect(asked).toEqual([6, 200, 200, 200]);
  });

  it('that finds little among much ends early and says where to go on', async () => {
    await say(...Array.from({ length: 2_100 }, (_, i) => (i % 2 ? ADA : BOB)));
    const first = await page(10, (n) => n === 7);
    expect([first.data, first.next === null]).toEqual([[], false]);
    expect(await page(10, (n) => n === 7, first.next!)).toEqual({ data: [7], next: null });
  });
});
