import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { refusal, type DomainEvent } from '../kernel/index.js';
import { until } from '../../test/support/timing.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Codec, defineEvent } from './codec.js';
import { anEvent } from '../log/contract/log.contract.js';
import { LogUnavailable, NO_STREAM, type AppendOutcome, type NewEvent, type ReadStream } from '../log/port.js';
import { Stream, type Intent } from './stream.js';

type Added = DomainEvent<'Added', { n: number }>;

const STREAM = 'account-1';
const unavailable = (outcomeUnknown: boolean): LogUnavailable => new LogUnavailable('no answer', outcomeUnknown);

/** A log that says what it was asked, and can come in between. */
class WatchedLog extends MemoryEventLog {
  /** By when each call was to be answered; one for each. */
  appends: (number | undefined)[] = [];
  reads: (number | undefined)[] = [];
  /** Takes the place of an append, which it may make itself. */
  instead: ((append: () => Promise<AppendOutcome>, events: readonly NewEvent[]) => Promise<AppendOutcome>) | null =
    null;

  override append(stream: string, expected: number, events: readonly NewEvent[], until?: number) {
    this.appends.push(until);
    const append = () => super.append(stream, expected, events);
    return this.instead ? this.instead(append, events) : append();
  }

  override read(stream: string, options: ReadStream) {
    this.reads.push(options.until);
    return super.read(stream, options);
  }

  /** An append of another writer, which the faults of this log do not touch. */
  async add(n: number): Promise<void> {
    const [last] = await super.read(STREAM, { direction: 'backwards', limit: 1 });
    await super.append(STREAM, last?.revision ?? NO_STREAM, [anEvent('Added', { n })]);
  }
}

let nowMs: number;
let log: WatchedLog;
let streams: Stream<number, Added>;
beforeEach(() => {
  nowMs = 1_000_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  log = new WatchedLog();
  streams = new Stream(log, new Codec([defineEvent({ type: 'Added', version: 1, personal: [] })]), {
    initial: () => 0,
    evolve: (total, { data: { n } }) => total + n,
    contended: () => refusal('state_conflict', 'Others were faster.', 'Try again.'),
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await log.close();
});

const intent = (n: number): Intent => ({
  event: { type: 'Added', data: { n } },
  id: randomUUID(),
  metadata: { actor: 'test', recordedAt: '2026-11-21T12:00:00.000Z' },
});
/** Adds these at once; answers the events as they are answered. */
const add = (...ns: number[]) =>
  streams.execute(STREAM, undefined, () => ({
    append: ns.map(intent),
    answer: (appended) => appended.map(({ revision, position, data }) => ({ revision, position, data })),
  }));
const total = async (): Promise<number> => (await streams.load(STREAM)).state;
const tooMuch = refusal('validation_failed', 'That is too much.', 'Add less.');

describe('writers to one stream', () => {
  it('take turns, also those who come while the second of them is at it', async () => {
    const held: (() => void)[] = [];
    log.instead = async (append) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return append();
    };
    const turnOf = (turn: number): Promise<boolean> => until(() => held.length >= turn);
    const first = add(1);
    const second = add(2);
    await turnOf(1);
    held[0]!();
    await first;
    await turnOf(2);
    const third = add(3);
    for (let round = 0; round < 5; round++) await new Promise(setImmediate);
    expect(log.appends).toHaveLength(2);
    held[1]!();
    await second;
    await turnOf(3);
    held[2]!();
    await third;
    expect([log.appends.length, await total()]).toEqual([3, 6]);
  });

  it('leave nothing behind once they are done', async () => {
    await Promise.all([add(1), add(2)]);
    log.instead = () => Promise.reject(unavailable(false));
    await expect(add(3)).rejects.toThrow(LogUnavailable);
    await new Promise(setImmediate);
    expect(streams['lanes'].size).toBe(0);
  });

  it('are refused with the one before them who got no answer, where they have waited for long', async () => {
    const unanswered = unavailable(false);
    for (const [waitedMs, appends] of [
      [100, 2],
      [101, 1],
    ] as const) {
      log.appends = [];
      log.instead = () => {
        log.instead = null;
        nowMs += waitedMs;
        return Promise.reject(unanswered);
      };
      const [first, second] = await Promise.allSettled([add(1), add(1)]);
      expect([first, log.appends.length]).toEqual([{ status: 'rejected', reason: unanswered }, appends]);
      if (waitedMs === 100) expect(second.status).toBe('fulfilled');
      else {
        expect(second).toMatchObject({
          status: 'rejected',
          reason: { message: 'the event log did not answer who was before', outcomeUnknown: false, cause: unanswered },
        });
        expect((second as PromiseRejectedResult).reason).toBeInstanceOf(LogUnavailable);
      }
    }
  });

  it('go on after one who was slow, or failed for a reason of its own', async () => {
    for (const failure of [null, new Error('a bug')]) {
      log.instead = (append) => {
        log.instead = null;
        nowMs += 60_000;
        return failure ? Promise.reject(failure) : append();
      };
      const [first, second] = await Promise.allSettled([add(1), add(1)]);
      expect([first.status, second.status]).toEqual([failure ? 'rejected' : 'fulfilled', 'fulfilled']);
    }
  });
});

describe('a decision', () => {
  it('to append nothing counts on the newest state only, and is answered with nothing', async () => {
    await add(1);
    await log.add(1);
    const decide = () =>
      streams.execute<unknown>(STREAM, undefined, ({ state }) =>
        state === 1 ? { append: [], answer: (appended) => appended } : tooMuch,
      );
    expect(await decide()).toEqual(tooMuch);
    await add(-1);
    expect(await decide()).toEqual([]);
  });

  it('that waited its turn needs no look that one before it took since', async () => {
    await add(1);
    let release!: () => void;
    log.instead = (append) => new Promise<void>((resolve) => (release = resolve)).then(append);
    const first = add(1);
    await until(() => log.appends.length === 2);
    log.reads = [];
    const seen: number[] = [];
    const refuse = () => streams.execute(STREAM, undefined, ({ state }) => (seen.push(state), tooMuch));
    const waiting = [refuse(), refuse(), refuse()];
    nowMs += 1;
    release();
    await first;
    await log.add(5);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => tooMuch));
    // The first of them decided once more, on what it read.
    expect([log.reads.length, seen]).toEqual([1, [2, 7, 7, 7]]);
    await log.add(5);
    await refuse();
    expect([log.reads.length, seen.at(-1)]).toEqual([2, 12]);
  });

  it('is made anew once where what it was made on may be old, and not where it was just read', async () => {
    const refuse = () => streams.execute(STREAM, undefined, () => tooMuch);
    await log.add(1);
    expect(await refuse()).toEqual(tooMuch);
    expect(log.reads).toHaveLength(1);
    expect(await refuse()).toEqual(tooMuch);
    expect(log.reads).toHaveLength(2);
  });

  it('is made once more after a conflict, on what was read then', async () => {
    await add(1);
    log.reads = [];
    log.instead = async (append) => {
      log.instead = null;
      await log.add(1);
      return append();
    };
    const decided = await streams.execute(STREAM, undefined, ({ state }) =>
      state === 1 ? { append: [intent(1)], answer: () => 'added' } : tooMuch,
    );
    expect([decided, log.reads.length]).toEqual([tooMuch, 1]);
  });

  it('fails on a stream that was ended for ever', async () => {
    await log.tombstone(STREAM);
    await expect(add(1)).rejects.toThrow(`the stream ${STREAM} was ended for ever`);
  });
});

describe('an append', () => {
  it('has 1.5 s, and looking for what became of it as much as makes 1.75 s together', async () => {
    await add(1);
    [log.appends, log.reads] = [[], []];
    log.instead = async (append) => {
      log.instead = null;
      await append();
      throw unavailable(true);
    };
    await add(2);
    expect([log.appends, log.reads]).toEqual([[1_001_500], [1_001_750]]);
  });

  it('that is found in the log is answered as it stands there, and not sent again', async () => {
    await log.add(1);
    log.instead = async (append) => {
      log.instead = null;
      await append();
      throw unavailable(true);
    };
    expect(await add(2, 3)).toEqual([
      { revision: 1, position: 1n, data: { n: 2 } },
      { revision: 2, position: 2n, data: { n: 3 } },
    ]);
    expect([log.appends.length, await total()]).toEqual([1, 6]);
  });

  it('that arrives late is answered as it stands there, once', async () => {
    await log.add(1);
    let late: (() => Promise<AppendOutcome>) | null = null;
    log.instead = async (append) => {
      if (late === null) {
        late = append;
        throw unavailable(true);
      }
      await late();
      return append();
    };
    expect(await add(2)).toEqual([{ revision: 1, position: 1n, data: { n: 2 } }]);
    expect([log.appends.length, await total()]).toEqual([2, 3]);
  });

  it('that stands there in part only, with another writer’s events after it, is not taken for done', async () => {
    log.instead = async (_, events) => {
      log.instead = null;
      await log.append(STREAM, NO_STREAM, [events[0]!]);
      await log.add(10);
      throw unavailable(true);
    };
    const seen: number[] = [];
    const events = [intent(1), intent(1)];
    const decided = streams.execute(STREAM, undefined, ({ state }) => {
      seen.push(state);
      return state === 0 ? { append: events, answer: () => 'added' } : tooMuch;
    });
    expect(await decided).toEqual(tooMuch);
    expect([seen, await total()]).toEqual([[0, 11], 11]);
  });

  it('without an answer is sent again while there is time to look for it, five times at most', async () => {
    for (const [afterMs, appends] of [
      [0, 5],
      [1_300, 2],
      [1_301, 1],
    ] as const) {
      log.appends = [];
      let tries = 0;
      log.instead = () => {
        if (++tries === 1) nowMs += afterMs;
        else if (afterMs > 0) nowMs += 10;
        return Promise.reject(unavailable(true));
      };
      await expect(add(1)).rejects.toThrow(LogUnavailable);
      expect([afterMs, log.appends.length]).toEqual([afterMs, appends]);
    }
  });
});
