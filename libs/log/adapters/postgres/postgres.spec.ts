import { jest } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../../../test/support/log-database.js';
import { Database } from '../../../engines/database/database.js';
import { anEvent, collector, describeEventLog, someEvents } from '../../contract/log.contract.js';
import { LogUnavailable, NO_STREAM, type AppendOutcome } from '../../port.js';
import { BEGINNING } from '../../../kernel/index.js';
import { PostgresEventLog } from './postgres.js';
import { settlesWithin, until } from '../../../../test/support/timing.js';

let world: LogDatabase;
beforeAll(async () => {
  world = await startLogDatabase();
});
afterAll(() => world.stop());

/** A log as another process would have it: with its own connections. */
function openLog(url = world.url): PostgresEventLog {
  const database = new Database(url, { max: 3 });
  const log = new PostgresEventLog(database);
  const closeLog = log.close.bind(log);
  return Object.assign(log, {
    close: async () => {
      await closeLog();
      await database.close();
    },
  });
}
/** Runs with a log of its own and closes it whatever happens. */
async function withLog(use: (log: PostgresEventLog) => Promise<void>, url = world.url): Promise<void> {
  const log = openLog(url);
  await use(log).finally(() => log.close());
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describeEventLog(
  'the log in Postgres',
  async () => {
    const wire = await world.wire();
    const log = openLog(wire.url);
    const silence = { log, begin: () => wire.freeze(), end: () => wire.restore() };
    return { log, reopen: async () => openLog(), silence, close: () => log.close() };
  },
  { density: 'dense', hangs: true },
);

describe('the log in Postgres', () => {
  const sql = (text: string, values?: unknown[]) => world.database.run(text, values);

  it('begins empty, with the first event at position 0', async () => {
    const fresh = await startLogDatabase();
    await withLog(async (log) => {
      expect(await log.head()).toBe(BEGINNING);
      expect(await log.append('first', NO_STREAM, someEvents(1))).toMatchObject({ position: 0n });
    }, fresh.url);
    await fresh.stop();
  });

  it('asks a database nothing any more once it is closed', async () => {
    const database = new Database(world.url, { max: 1 });
    const log = new PostgresEventLog(database);
    await log.close();
    await database.close();
    // A statement that was sent to a closed database would reject without a handler, and end the process.
    const asking = jest.spyOn(database, 'query');
    for (const asked of [
      () => log.read('any', { direction: 'forwards', limit: 1 }),
      () => log.head(),
      () => log.at(0n),
      () => log.ageAfter(BEGINNING),
      () => log.tombstone('any'),
    ])
      await expect(asked()).rejects.toThrow(LogUnavailable);
    expect(asking).not.toHaveBeenCalled();
  });

  it('reads what comes in quick succession together, and the first of it at once', async () => {
    const database = new Database(world.url, { max: 4 });
    await withLog(async (writer) => {
      const log = new PostgresEventLog(database);
      const query = jest.spyOn(database, 'query');
      const seen = collector();
      const prefix = `quick-${await writer.head()}`;
      const subscription = log.subscribe({ after: await writer.head(), prefixes: [prefix], onBatch: seen.onBatch });
      const arrived = async (outcome: AppendOutcome) =>
        seen.until(() => outcome.outcome === 'appended' && seen.through() >= outcome.position);
      await arrived(await writer.append(`${prefix}-first`, NO_STREAM, someEvents(1)));
      const [from, before] = [performance.now(), query.mock.calls.length];
      for (let n = 0; n < 100; n++) {
        const outcome = await writer.append(`${prefix}-${n}`, NO_STREAM, someEvents(1));
        if (n === 99) await arrived(outcome);
      }
      const looks = query.mock.calls.length - before;
      expect(looks).toBeGreaterThan(0);
      expect(looks).toBeLessThanOrEqual(Math.ceil((performance.now() - from) / 25) + 1);
      expect(seen.events).toHaveLength(101);
      await subscription.stop();
      await log.close();
    });
    await database.close();
  });

  it('numbers positions densely and in commit order, so that a reader beside four writers misses none', async () => {
    const logs = upTo(4).map(() => openLog());
    const reader = openLog();
    const seen = collector();
    const after = await reader.head();
    const subscription = reader.subscribe({ after, prefixes: [], batchSize: 50, onBatch: seen.onBatch });
    await Promise.all(
      upTo(600).map((n) => logs[n % 4]!.append(`dense-${n % 100}-${n}`, NO_STREAM, someEvents(1 + (n % 3)))),
    );
    const head = await reader.head();
    await seen.until(() => seen.through() >= head);
    expect(seen.events.map((event) => event.position)).toEqual(
      upTo(Number(head - after)).map((n) => after + 1n + BigInt(n)),
    );
    await subscription.stop();
    await Promise.all([...logs, reader].map((log) => log.close()));
  });

  it('shows no gap to any query at any time while others write', async () => {
    const logs = upTo(3).map(() => openLog());
    let writing = true;
    const writers = Promise.all(
      upTo(300).map((n) => logs[n % 3]!.append(`gap-${n}`, NO_STREAM, someEvents(2))),
    ).finally(() => (writing = false));
    while (writing) {
      const [row] = await world.database.run<{ events: bigint; head: bigint }>(
        'select count(*) as events, max(position) + 1 as head from log.events',
      );
      expect(row!.events).toBe(row!.head ?? 0n);
    }
    await writers;
    await Promise.all(logs.map((log) => log.close()));
  });

  it('refuses to change or remove events, and says how a stream is ended', async () => {
    await withLog(async (log) => {
      await log.append('kept', NO_STREAM, someEvents(1));
      await expect(sql(`update log.events set data = '{}' where stream = 'kept'`)).rejects.toThrow(
        'append-only: update is not possible; use log.tombstone(stream)',
      );
      await expect(sql(`delete from log.events where stream = 'kept'`)).rejects.toThrow(
        'append-only: delete is not possible',
      );
      await expect(sql('truncate log.events')).rejects.toThrow('append-only: truncate is not possible');
      for (const change of [`data = '{}'`, `position = 99999999`, `type = '$tombstone'`, `stream = 'other'`]) {
        await expect(
          sql(`begin; set local log.tombstone = 'kept'; update log.events set ${change} where stream = 'kept'; commit`),
        ).rejects.toThrow('append-only');
        await sql('rollback');
      }
      expect(await log.read('kept', { direction: 'forwards', limit: 10 })).toHaveLength(1);
    });
  });

  it('keeps nothing of a tombstoned stream but its places', async () => {
    await withLog(async (log) => {
      await log.append('ended', NO_STREAM, [anEvent('Secret', { name: 'Ada' }), anEvent('Secret', { name: 'Ada' })]);
      const head = await log.head();
      await log.tombstone('ended');
      expect(await log.head()).toBe(head);
      expect(await sql(`select distinct id, type, data, metadata from log.events where stream = 'ended'`)).toEqual([
        { id: '00000000-0000-0000-0000-000000000000', type: '$tombstone', data: '', metadata: '' },
      ]);
      const seen = collector();
      const subscription = log.subscribe({ after: head - 2n, prefixes: [], onBatch: seen.onBatch });
      await seen.until(() => seen.through() >= head);
      await subscription.stop();
      expect(seen.events).toEqual([]);
      await log.tombstone('never');
      expect(await log.append('never', NO_STREAM, someEvents(1))).toEqual({ outcome: 'deleted' });
    });
  });

  it('lets two appends to one stream that wait for the same group follow each other', async () => {
    await withLog(async (log) => {
      const [first, second, third] = await Promise.all([
        log.append('twice', NO_STREAM, someEvents(1)),
        log.append('twice', 0, someEvents(1)),
        log.append('twice', 0, someEvents(1)),
      ]);
      expect([first!.outcome, second!.outcome, third!.outcome]).toEqual(['appended', 'appended', 'conflict']);
    });
  });

  it('moves `through` past live events that are not wanted', async () => {
    await withLog(async (log) => {
      const seen = collector();
      const subscription = log.subscribe({
        after: await log.head(),
        prefixes: ['nothing-like-it'],
        onBatch: seen.onBatch,
      });
      for (const n of upTo(3)) {
        const outcome = await log.append(`unwanted-live-${n}`, NO_STREAM, someEvents(1));
        await seen.until(() => outcome.outcome === 'appended' && seen.through() >= outcome.position);
      }
      await subscription.stop();
      expect(seen.events).toEqual([]);
    });
  });

  it('tells truthfully that nothing was written when a rival holds the log too long, or too many wait', async () => {
    const rival = new Database(world.url, { max: 1, budgetMs: 10_000 });
    await withLog(async (log) => {
      const outcomes = await rival.transaction(async (tx) => {
        await tx.run('select pg_advisory_xact_lock(4710, 1)');
        const appends = Promise.allSettled(upTo(2300).map((n) => log.append(`blocked-${n}`, NO_STREAM, someEvents(1))));
        expect(await settlesWithin(3000, appends)).toBe(true);
        return appends;
      });
      const errors = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as unknown) : null));
      expect(errors.every((error) => error instanceof LogUnavailable)).toBe(true);
      expect((errors.at(-1) as Error).message).toContain('too many');
      const known = errors.flatMap((error, n) => ((error as LogUnavailable).outcomeUnknown ? [] : [`blocked-${n}`]));
      expect(known.length).toBeGreaterThan(1500);
      expect(await sql('select stream from log.events where stream = any($1)', [known])).toEqual([]);
      expect(await log.append('unblocked', NO_STREAM, someEvents(1))).toMatchObject({ outcome: 'appended' });
    });
    await rival.close();
  });

  it('does not know the outcome when the answer is lost, and a repeat finds it', async () => {
    const wire = await world.wire();
    await withLog(async (log) => {
      await log.head();
      wire.mute();
      const events = someEvents(1);
      await expect(log.append('lost-answer', NO_STREAM, events)).rejects.toMatchObject({
        name: 'LogUnavailable',
        outcomeUnknown: true,
      });
      wire.restore();
      const outcome = await until(() => log.append('lost-answer', NO_STREAM, events).catch(() => undefined));
      expect(outcome).toMatchObject({ outcome: 'appended', revision: 0, already: true });
    }, wire.url);
  });

  it('knows that nothing was written when there is no database to connect to', async () => {
    await withLog(async (log) => {
      await expect(log.append('nowhere', NO_STREAM, someEvents(1))).rejects.toMatchObject({
        name: 'LogUnavailable',
        outcomeUnknown: false,
      });
      await expect(log.head()).rejects.toThrow(LogUnavailable);
    }, 'postgres://assent@127.0.0.1:1/none');
  });

  it('delivers what no notification came of as soon as the head of the log is asked for', async () => {
    const database = new Database(world.url, { max: 3 });
    let heard = 0;
    const deaf = Object.assign(Object.create(database) as Database, { listen: () => () => (heard += 1) });
    const log = new PostgresEventLog(deaf);
    const seen = collector();
    const subscription = log.subscribe({ after: await log.head(), prefixes: ['unheard'], onBatch: seen.onBatch });
    try {
      await log.append('unheard-1', NO_STREAM, someEvents(2));
      await until(async () => {
        await log.head();
        return seen.events.length === 2;
      });
    } finally {
      await subscription.stop();
      await log.close();
      await database.close();
    }
    expect(heard).toBe(1);
  });

  it('goes on delivering after the database was away, from where it was', async () => {
    const wire = await world.wire();
    await withLog(async (away) => {
      const seen = collector();
      const subscription = away.subscribe({
        after: await world.database
          .run<{ head: bigint }>('select max(position) as head from log.events')
          .then(([row]) => row!.head),
        prefixes: ['outage-'],
        onBatch: seen.onBatch,
      });
      await withLog(async (log) => {
        await log.append('outage-a', NO_STREAM, someEvents(3));
        await seen.until(() => seen.events.length === 3);
        wire.cut();
        await log.append('outage-a', 2, someEvents(3, 3));
        wire.restore();
        await seen.until(() => seen.events.length === 6);
        await log.append('outage-a', 5, someEvents(3, 6));
        await seen.until(() => seen.events.length === 9);
      });
      await subscription.stop();
      expect(seen.events.map((event) => event.revision)).toEqual(upTo(9));
    }, wire.url);
  });

  it('loses nothing and repeats nothing while every connection is killed again and again', async () => {
    const writers = upTo(3).map(() => openLog());
    const reader = openLog();
    const seen = collector();
    const after = await reader.head();
    const subscription = reader.subscribe({ after, prefixes: ['kill-'], batchSize: 20, onBatch: seen.onBatch });
    let writing = true;
    const killer = (async () => {
      while (writing)
        await world.database
          .run(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and application_name = 'assent' and random() < 0.5`,
          )
          .catch(() => undefined);
    })();
    const ids = new Set<string>();
    await Promise.all(
      upTo(60).map(async (n) => {
        const log = writers[n % 3]!;
        for (let at = NO_STREAM; at < 4; at++) {
          const events = someEvents(1);
          ids.add(events[0]!.id);
          // The same ids at the same revision, until the log answers.
          for (let outcome; !outcome;)
            outcome = await log
              .append(`kill-${n}`, at, events)
              .catch((error: LogUnavailable) => void expect(error).toBeInstanceOf(LogUnavailable));
        }
      }),
    );
    writing = false;
    await killer;
    await seen.until(() => seen.events.length >= ids.size);
    await subscription.stop();
    expect(seen.events.map((event) => event.id).sort()).toEqual([...ids].sort());
    await Promise.all([...writers, reader].map((log) => log.close()));
  });
});
