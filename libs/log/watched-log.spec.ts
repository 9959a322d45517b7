import { jest } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { until } from '../../test/support/timing.js';
import { BEGINNING, type Position } from '../kernel/index.js';
import { MemoryEventLog } from './adapters/memory.js';
import { KnownLogs } from './known-log.js';
import { collector, someEvents } from './contract/log.contract.js';
import { LogNotAccepted, LogTooSlow, LogUnavailable, NO_STREAM, type EventLog } from './port.js';
import { WatchedEventLog } from './watched-log.js';

let engines: LogDatabase;
let known: KnownLogs;
beforeAll(async () => {
  engines = await startLogDatabase();
  known = new KnownLogs(engines.database);
});
afterAll(() => engines.stop());
beforeEach(async () => {
  await engines.database.run('delete from projection.generations');
  await known.accept(null);
});
afterEach(() => jest.restoreAllMocks());

/** A log that a test exchanges while it is in use, as when a server comes back from another copy. */
class Exchangeable implements EventLog {
  /** Rejects every call as a server does that is away. */
  isAway = false;
  calls = 0;
  readonly countsEvents = true;
  constructor(public behind: EventLog) {}
  private there(): EventLog {
    this.calls += 1;
    if (this.isAway) throw new LogUnavailable('the event log cannot be reached', false, { cause: new Error('away') });
    return this.behind;
  }
  append: EventLog['append'] = async (...of) => this.there().append(...of);
  read: EventLog['read'] = async (...of) => this.there().read(...of);
  head: EventLog['head'] = async () => this.there().head();
  at: EventLog['at'] = async (position) => this.there().at(position);
  readAt: EventLog['readAt'] = async (positions) => this.there().readAt(positions);
  ageAfter: EventLog['ageAfter'] = async (position) => this.there().ageAfter(position);
  subscribe: EventLog['subscribe'] = (options) => {
    this.interrupt = () => options.interrupted?.();
    return this.behind.subscribe(options);
  };
  tombstone: EventLog['tombstone'] = async (...of) => this.there().tombstone(...of);
  close: EventLog['close'] = () => this.behind.close();
  interrupt: () => void = () => {};
}

/** Memory logs with the very same events: a copy, as far as `events`. */
async function logOf(events: ReturnType<typeof someEvents>): Promise<MemoryEventLog> {
  const log = new MemoryEventLog();
  for (const [i, event] of events.entries()) await log.append('stream', i - 1, [event]);
  return log;
}

interface Watched {
  log: WatchedEventLog;
  below: Exchangeable;
  changes: (string | null)[];
  accepted: jest.Mock<() => void>;
}
const opened: WatchedEventLog[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close()));
});
async function watch(behind: EventLog): Promise<Watched> {
  const below = new Exchangeable(behind);
  const changes: (string | null)[] = [];
  const accepted = jest.fn<() => void>();
  const log = new WatchedEventLog(below, { known, changed: (difference) => changes.push(difference), accepted });
  opened.push(log);
  await log.start();
  return { log, below, changes, accepted };
}
/** Makes clocks jump past the time in which a difference may be that of a node which lags. */
const later = (): void => {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + 6_000);
};
const believed = async ({ log }: Watched): Promise<string> => {
  await until(() =>
    log.read('stream', { direction: 'forwards', limit: 1 }).then(
      () => false,
      () => true,
    ),
  );
  later();
  await until(() => log.notAccepted !== null);
  return log.notAccepted!;
};
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing failed',
    (error: unknown) => error,
  );
const noted = async (): Promise<Position | null> => (await known.read()).mark?.position ?? null;

const events = someEvents(10);

describe('a log that is watched', () => {
  it('is used like the log itself, and its newest event is noted', async () => {
    const { log } = await watch(await logOf(events.slice(0, 3)));
    const seen = collector();
    const subscription = log.subscribe({ after: BEGINNING, prefixes: [], onBatch: seen.onBatch });
    await log.append('other', NO_STREAM, someEvents(2));
    await seen.until(() => seen.events.length === 5);
    await until(async () => (await noted()) === 4n);
    expect((await known.read()).mark).toMatchObject({
      stream: 'other',
      revision: 1,
      recordedAt: events[0]!.metadata.recordedAt,
    });
    await subscription.stop();
    expect(log.notAccepted).toBeNull();
  });

  it('is noted up to its last event when the process ends', async () => {
    const { log } = await watch(await logOf([]));
    await log.append('stream', NO_STREAM, events);
    await log.close();
    expect(await noted()).toBe(9n);
  });

  it.each<[string, () => Promise<EventLog>, RegExp]>([
    [
      'ends before what was seen',
      () => logOf(events.slice(0, 4)),
      /^it ends at position 3, before the event recorded at .+, at position 9: it was restored/,
    ],
    [
      'was restored and has grown since',
      () => logOf([...events.slice(0, 4), ...someEvents(20)]),
      /^it does not hold the event recorded at .+, at position 9: it was restored/,
    ],
    ['is another one', () => logOf(someEvents(10)), /^it does not hold/],
    ['is empty', () => logOf([]), /^it ends at position -1/],
  ])('is refused at the start where it %s', async (_, behind, difference) => {
    const first = await watch(await logOf([]));
    await first.log.append('stream', NO_STREAM, events);
    await first.log.close();

    const copy = await behind();
    const before = await copy.head();
    const second = await watch(copy);
    const seen = collector();
    const subscription = second.log.subscribe({ after: BEGINNING, prefixes: [], onBatch: seen.onBatch });
    // As long as it may be a node that lags, it is only not available.
    const early = await failureOf(second.log.append('new', NO_STREAM, someEvents(1)));
    expect(early).toMatchObject({ name: 'LogUnavailable', outcomeUnknown: false });
    expect(await believed(second)).toMatch(difference);
    expect(second.changes).toEqual([second.log.notAccepted]);
    for (const call of [
      second.log.append('new', NO_STREAM, someEvents(1)),
      second.log.read('stream', { direction: 'forwards', limit: 1 }),
      second.log.tombstone('stream'),
    ])
      expect(await failureOf(call)).toBeInstanceOf(LogNotAccepted);
    expect(await copy.head()).toBe(before);
    expect(seen.batches).toEqual([]);
    await subscription.stop();
  });

  it('is refused where read models have read further than it goes, although no event of it was noted', async () => {
    await engines.database.run(
      `insert into projection.generations (name, version, live) values ('rows', 1, true); insert into projection.shards (name, version, rebuild, position) values ('rows', 1, 0, 12)`,
    );
    expect(await believed(await watch(await logOf(events)))).toBe(
      'it ends at position 9, and read models have read it up to 12: it was restored from an older copy, or is another one',
    );
  });

  it('takes nothing after it was away and came back older, not even what was asked at the same moment', async () => {
    const watched = await watch(await logOf(events));
    const { log, below } = watched;
    const seen = collector();
    const subscription = log.subscribe({ after: BEGINNING, prefixes: [], onBatch: seen.onBatch });
    await seen.until(() => seen.events.length === 10);
    const copy = await logOf(events.slice(0, 5));
    below.behind = copy;
    below.interrupt();
    const writers = Array.from({ length: 20 }, (_, i) => failureOf(log.append(`new-${i}`, NO_STREAM, someEvents(1))));
    for (const failure of await Promise.all(writers)) expect(failure).toBeInstanceOf(LogUnavailable);
    expect(await believed(watched)).toMatch(/^it ends at position 4/);
    expect(await copy.head()).toBe(4n);
    await subscription.stop();
  });

  it('is found out by an append that stands where others stood, and that is not acknowledged', async () => {
    const watched = await watch(await logOf([]));
    await watched.log.append('stream', NO_STREAM, events);
    watched.below.behind = await logOf(events.slice(0, 5));
    const failure = await failureOf(watched.log.append('new', NO_STREAM, someEvents(1)));
    expect(failure).toMatchObject({ name: 'LogUnavailable', outcomeUnknown: true });
    expect(await believed(watched)).toMatch(/before the event|does not hold/);
  });

  it('is found out by a stream that stands before the revision at which it stood', async () => {
    const watched = await watch(await logOf([]));
    await watched.log.append('stream', NO_STREAM, events);
    watched.below.behind = await logOf(events.slice(0, 5));
    expect(await watched.log.append('stream', 9, someEvents(1))).toEqual({ outcome: 'conflict', revision: 4 });
    expect(await failureOf(watched.log.read('stream', { direction: 'forwards', limit: 1 }))).toBeInstanceOf(
      LogUnavailable,
    );
  });

  it('is found out within a second or two where no caller uses it', async () => {
    const watched = await watch(await logOf([]));
    await watched.log.append('stream', NO_STREAM, events);
    await until(async () => (await noted()) === 9n);
    watched.below.behind = await logOf(events.slice(0, 5));
    later();
    await until(() => watched.log.notAccepted !== null);
  });

  it('is used again when the right one is back, without anybody being asked', async () => {
    const right = await logOf(events);
    const watched = await watch(right);
    const seen = collector();
    const subscription = watched.log.subscribe({ after: BEGINNING, prefixes: [], onBatch: seen.onBatch });
    await seen.until(() => seen.events.length === 10);
    watched.below.behind = await logOf(events.slice(0, 5));
    watched.below.interrupt();
    await believed(watched);
    watched.below.behind = right;
    await until(() => watched.log.notAccepted === null);
    expect(watched.changes).toEqual([expect.any(String), null]);
    expect(await watched.log.append('stream', 9, someEvents(1))).toMatchObject({ outcome: 'appended', revision: 10 });
    await seen.until(() => seen.events.length === 11);
    await subscription.stop();
  });

  it('goes on by itself after it was only away, and asks for nothing while all is well', async () => {
    const { log, below } = await watch(await logOf(events));
    below.isAway = true;
    expect(await failureOf(log.append('stream', 9, someEvents(1)))).toBeInstanceOf(LogUnavailable);
    expect(await failureOf(log.append('stream', 9, someEvents(1)))).toMatchObject({ outcomeUnknown: false });
    below.isAway = false;
    await until(() =>
      log.append('stream', 9, events.slice(0, 1)).then(
        () => true,
        () => false,
      ),
    );
    const before = below.calls;
    for (let revision = 10; revision < 60; revision++) await log.append('stream', revision, someEvents(1, revision));
    // Beside the appends there may have been a look of the second.
    expect(below.calls - before).toBeLessThanOrEqual(53);
  });

  it('is used as before where too much waits in this process for it to be compared', async () => {
    const { log, below } = await watch(await logOf(events));
    let refused = 0;
    below.head = async () => {
      refused += 1;
      throw new LogUnavailable('too much is waiting for the event log', false);
    };
    await until(() => refused > 1);
    expect(await log.append('stream', 9, someEvents(1))).toMatchObject({ outcome: 'appended', revision: 10 });
  });

  it('is not doubted for what comes too late, and is compared although no read is answered', async () => {
    const { log, below } = await watch(await logOf(events));
    const { append, head } = below;
    let looks = 0;
    const late = async () => {
      throw new LogTooSlow('the event log cannot be reached', false, { cause: new Error('no answer in time') });
    };
    [below.read, below.append] = [late, late];
    below.head = () => {
      looks += 1;
      return head();
    };
    expect(await failureOf(log.read('stream', { direction: 'forwards', limit: 1 }))).toBeInstanceOf(LogTooSlow);
    expect(await failureOf(log.append('stream', 9, someEvents(1)))).toBeInstanceOf(LogTooSlow);
    expect(log.isKnownOne).toBe(true);
    below.append = append;
    await log.append('stream', 9, someEvents(1));
    await until(async () => (await noted()) === 10n);
    // The look after this one is the first that is sure to have looked for what was noted; the next begins once it is over.
    const before = looks;
    await until(() => looks > before + 2);
    expect(log.isKnownOne).toBe(true);
  });

  it('is waited for no longer than the caller has time', async () => {
    const { log, below } = await watch(await logOf(someEvents(1)));
    const silent = () => new Promise<never>(() => {});
    [below.read, below.head] = [silent, silent];
    log.doubt();
    const refused = (name: string, time?: number): Promise<string> =>
      log.read('stream', { direction: 'forwards', from: 0, limit: 1, ...(time !== undefined && { until: time }) }).then(
        () => `${name} was answered`,
        () => name,
      );
    const patient = refused('without a limit');
    expect(await Promise.race([patient, refused('in a hurry', performance.now() + 50)])).toBe('in a hurry');
    expect(await patient).toBe('without a limit');
  });

  it('lets the process begin anew when an operator has accepted a log, and is not used any more', async () => {
    const { log, accepted } = await watch(await logOf(events));
    await log.append('stream', 9, someEvents(1));
    await known.accept(null);
    await until(() => accepted.mock.calls.length === 1);
    expect(await failureOf(log.append('stream', 10, someEvents(1)))).toBeInstanceOf(LogUnavailable);
    await log.close();
    // What this process saw is of the log before.
    expect(await noted()).toBeNull();
  });
});
