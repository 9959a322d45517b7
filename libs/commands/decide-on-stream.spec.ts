import { LogCalls } from '../../test/support/log-calls.js';
import {
  BEGINNING_OF_TIME,
  happened,
  isRefusal,
  refusal,
  type Decision,
  type DomainEvent,
  type Refusal,
} from '../kernel/index.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Codec, defineEvent } from '../streams/codec.js';
import { Stream } from '../streams/stream.js';
import { decideOnce, NOT_DONE, type DoneOnce } from './decide-on-stream.js';

type Added = DomainEvent<'Added', { n: number }>;
const STREAM = 'account-1';
const AT = '2026-11-21T12:00:00.000Z';
const codec = new Codec([defineEvent({ type: 'Added', version: 1, personal: [] })]);
const tooMuch = refusal('validation_failed', 'That is too much.', 'Add less.');
const sum = {
  initial: () => 0,
  evolve: (total: number, { data: { n } }: Added) => total + n,
  contended: () => refusal('state_conflict', 'Others were faster each time.', 'Try again.'),
};
const key = (digest: string) => ({ digest, fingerprint: 'f', search: { digests: [digest], since: BEGINNING_OF_TIME } });

let log: LogCalls;
/** Two processes over one log. */
let [here, there]: [Stream<number, Added>, Stream<number, Added>] = [null!, null!];
beforeEach(() => {
  log = new LogCalls(new MemoryEventLog());
  [here, there] = [new Stream(log, codec, sum), new Stream(log, codec, sum)];
});
afterEach(() => log.close());

/** Adds each number, and nothing where that would lead beyond ten. */
const add = (
  streams: Stream<number, Added>,
  numbers: readonly number[],
  digest?: string,
  onlyRepeats = false,
): Promise<DoneOnce<number, Added> | Refusal> =>
  decideOnce(streams, {
    ...{ stream: STREAM, clock: () => AT },
    by: { actor: 'key_1', requestId: 'req_1', key: digest === undefined ? null : { onlyRepeats, ...key(digest) } },
    decide: (total: number): Decision<Added> =>
      total + numbers.reduce((a, b) => a + b, 0) > 10
        ? tooMuch
        : happened(...numbers.map((n): Added => ({ type: 'Added', data: { n } }))),
  });

const stored = async () => log.read(STREAM, { direction: 'forwards', limit: 100 });

describe('deciding once under the key of a request', () => {
  it('notes who did it, when, and under which key', async () => {
    expect(await add(here, [1, 2], 'a')).toMatchObject({ refused: false, before: 0, replayed: false });
    const noted = { actor: 'key_1', requestId: 'req_1', recordedAt: AT, idempotencyKey: 'a', fingerprint: 'f' };
    expect((await stored()).map(({ metadata }) => metadata)).toEqual([
      { schemaVersion: 1, ...noted },
      { schemaVersion: 1, ...noted },
    ]);
  });

  it('gives what was done under the key before, on the state of then, and appends nothing', async () => {
    const first = await add(here, [1, 2], 'a');
    await add(here, [4]);
    const again = await add(there, [1, 2], 'a');
    if (isRefusal(first)) throw new Error('refused');
    const { before, position } = first;
    const events = first.events.map(({ id, revision, data }) => ({ id, revision, data }));
    expect(again).toMatchObject({ refused: false, before, events, position, stands: position, replayed: true });
    expect(await stored()).toHaveLength(3);
  });

  it('does nothing where only repeats are answered', async () => {
    await add(here, [1, 2], 'a');
    expect(await add(there, [1, 2], 'a', true)).toMatchObject({ replayed: true, events: [{}, {}] });
    expect(await add(there, [1, 2], 'b', true)).toBe(NOT_DONE);
    expect(await stored()).toHaveLength(2);
  });

  it('is not refused by what the first time led to', async () => {
    await add(here, [10], 'a');
    expect(await add(there, [10], 'a')).toMatchObject({ refused: false, before: 0, events: [{ data: { n: 10 } }] });
    expect(await add(there, [10], 'b')).toEqual(tooMuch);
  });

  it('happens once where two processes are asked at the same time', async () => {
    const done = await Promise.all([here, there, here].map((streams) => add(streams, [1, 2], 'a')));
    expect(await stored()).toHaveLength(2);
    for (const each of done) expect(each).toMatchObject({ refused: false, before: 0, events: [{}, {}] });
  });

  it('makes ids of the key, and random ones where there is none', async () => {
    await add(here, [1, 2], 'a');
    await add(here, [1]);
    await add(here, [1]);
    const ids = (await stored()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    const other = new Stream(new MemoryEventLog(), codec, sum);
    const elsewhere = await add(other, [1, 2], 'a');
    expect(elsewhere).toMatchObject({ events: ids.slice(0, 2).map((id) => ({ id })) });
  });

  it('says where the stream stands when nothing was there to do', async () => {
    expect(await add(here, [])).toMatchObject({ position: null, stands: null, events: [] });
    await add(here, [1]);
    const stands = (await stored())[0]!.position;
    expect(await add(there, [])).toMatchObject({ before: 1, position: null, stands, events: [] });
  });
});
