import { setTimeout as pause } from 'node:timers/promises';
import type { Template } from '../../../test/support/databases.js';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { until } from '../../../test/support/timing.js';
import { wholeLog } from '../../../test/support/whole-log.js';
import type { Position } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { PostgresEventLog } from '../../log/adapters/postgres/postgres.js';
import { Consumer } from '../consumer.js';
import { anEvent } from '../../log/contract/log.contract.js';
import { NO_STREAM, type RecordedEvent } from '../../log/port.js';
import { Commits, type PreparedPage } from '../commits.js';
import type { Sink } from './sink.js';

/** A sink over tables of its own, and how to see what it wrote. Its events are `Happened`, with a number each. */
export interface SinkUnderTest {
  name: string;
  /** Streams that it follows begin with this. */
  prefix: string;
  sinkOf(database: Database): Sink;
  /** What stands in its tables. */
  written(): Promise<unknown>;
  /** What must stand there after these events, in log order. */
  wanted(events: readonly RecordedEvent[]): unknown;
}

export interface SinkKind {
  /** What the database is copied from. Default: the log and projections. */
  template?: Template;
  /** Of a sink that reads nothing of an event, and so meets none that it cannot apply. */
  takesAnything?: boolean;
}

/** What another consumer writes that does not own its shard. */
const NEIGHBOUR: PreparedPage = {
  move: { name: 'neighbour', version: 1, rebuild: 0, shard: 0, shards: 1, owner: 'none', from: 0n, to: 1n },
  effect: null,
};

export type MakeSink = (world: LogDatabase, serial: number) => Promise<SinkUnderTest>;

/**
 * What every sink does under a consumer: each event counts exactly once, whatever happens to those who run it. Against
 * a real Postgres; several consumers of one shard, each with connections of its own as another process would have them.
 */
export function describeSink(kind: string, make: MakeSink, { template, takesAnything = false }: SinkKind = {}): void {
  describe(`${kind}: every event counts exactly once`, () => {
    let world: LogDatabase;
    let log: PostgresEventLog;
    let serial = 0;
    const open: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      world = await startLogDatabase(template);
      log = new PostgresEventLog(world.database);
    });
    afterEach(async () => {
      for (const close of open.splice(0).reverse()) await close();
    });
    afterAll(async () => {
      await log.close();
      await world.stop();
    });

    async function begun(): Promise<SinkUnderTest> {
      const sink = await make(world, ++serial);
      await world.database.run(`insert into projection.generations (name, version, live) values ($1, 1, true)`, [
        sink.name,
      ]);
      await world.database.run(`insert into projection.shards (name, version, rebuild) values ($1, 1, 0)`, [sink.name]);
      return sink;
    }
    function consumer(sink: SinkUnderTest, url = world.url, name = 'consumer', budgetMs = 10_000): Consumer {
      const database = new Database(url, { max: 4, name, budgetMs });
      const commits = new Commits(database);
      const own = new PostgresEventLog(database);
      const running = new Consumer({
        log: own,
        database,
        id: { name: sink.name, version: 1, rebuild: 0, shard: 0, shards: 1 },
        streams: [sink.prefix],
        sink: sink.sinkOf(database),
        commits: {
          submit: (page) => {
            // Another consumer of the process writes at the same moment, each time.
            commits.submit(NEIGHBOUR).catch(() => undefined);
            return commits.submit(page);
          },
        },
        batchSize: 7,
      });
      running.start();
      open.push(
        () => database.close(),
        () => own.close(),
        () => running.stop(),
      );
      return running;
    }
    let number = 0;
    async function happens({ prefix }: SinkUnderTest, times: number): Promise<Position> {
      let position = -1n;
      for (let n = 0; n < times; n++) {
        const stream = `${prefix}${n % 5}`;
        const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
        const events = Array.from({ length: 10 }, () => anEvent('Happened', { number: ++number }));
        const outcome = await log.append(stream, last?.revision ?? NO_STREAM, events);
        if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
        position = outcome.position;
      }
      return position;
    }
    async function isRight(sink: SinkUnderTest): Promise<void> {
      const all = await wholeLog(log, [sink.prefix]);
      expect(await sink.written()).toEqual(sink.wanted(all));
    }

    it('with one after another that runs it', async () => {
      const sink = await begun();
      for (let run = 0; run < 3; run++) {
        const running = consumer(sink);
        expect(await running.waitFor(await happens(sink, 5), 120_000)).toBe(true);
        await running.stop();
      }
      await isRight(sink);
    });

    it('with rivals, of whom one works and the others only watch', async () => {
      const sink = await begun();
      const rivals = [1, 2, 3].map(() => consumer(sink));
      const position = await happens(sink, 30);
      for (const rival of rivals) expect(await rival.waitFor(position, 120_000)).toBe(true);
      const folded = rivals.map((rival) => rival.status().folded).sort((a, b) => a - b);
      expect(folded).toEqual([0, 0, expect.any(Number)]);
      expect(folded[2]).toBeGreaterThan(0);
      expect(rivals.map((rival) => rival.status().state).sort()).toEqual(['running', 'standby', 'standby']);
      await isRight(sink);
    });

    it('when the connections of its owner are cut in the middle of a write, again and again', async () => {
      const sink = await begun();
      const rivals = [1, 2].map(() => consumer(sink, world.url, `victim ${sink.name}`));
      let [done, kills] = [false, 0];
      const killer = (async () => {
        // We hold the row that they wait for: they are in the middle of their statement.
        for (; !done; await pause(1)) {
          await world.database.transaction(async (tx) => {
            await tx.run('select 1 from projection.shards where name = $1 for update', [sink.name]);
            const victims = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and state = 'active'`;
            kills += (await tx.run(victims, [`victim ${sink.name}`])).length;
          });
        }
      })();
      let position = await happens(sink, 30);
      while (kills < 5) position = await happens(sink, 1);
      done = true;
      await killer;
      for (const rival of rivals) expect(await rival.waitFor(position, 120_000)).toBe(true);
      await isRight(sink);
    });

    it('when its owner stands still: another one takes over, and what the first says afterwards does not count', async () => {
      const sink = await begun();
      const wire = await world.wire();
      const frozen = consumer(sink, wire.url, 'frozen', 240_000);
      expect(await frozen.waitFor(await happens(sink, 2), 120_000)).toBe(true);
      const other = consumer(sink);
      await until(() => other.status().state === 'standby');
      const first = await happens(sink, 1);
      wire.freeze();
      // Less than its patience with the database: it is the lease that ran out.
      expect(await other.waitFor(await happens(sink, 5), 120_000)).toBe(true);
      expect(other.status().state).toBe('running');
      wire.thaw();
      const last = await happens(sink, 5);
      expect(last).toBeGreaterThan(first);
      await until(() => frozen.status().state === 'standby');
      expect(await frozen.waitFor(last, 120_000)).toBe(true);
      await isRight(sink);
    });

    it('when answers are lost and the database is away for a while', async () => {
      const sink = await begun();
      const wire = await world.wire();
      const far = consumer(sink, wire.url);
      expect(await far.waitFor(await happens(sink, 2), 120_000)).toBe(true);
      wire.mute();
      await happens(sink, 2);
      wire.restore();
      expect(await far.waitFor(await happens(sink, 2), 120_000)).toBe(true);
      wire.cut();
      await happens(sink, 2);
      wire.restore();
      expect(await far.waitFor(await happens(sink, 2), 120_000)).toBe(true);
      await isRight(sink);
    });

    if (takesAnything) return;
    it('stops at an event that cannot be applied, with everything before it applied', async () => {
      const sink = await begun();
      const running = consumer(sink);
      await running.waitFor(await happens(sink, 3), 120_000);
      number = 12_999;
      const last = await happens(sink, 1);
      number = 20_000;
      await until(() => running.status().state === 'stopped');
      expect(running.status()).toMatchObject({ poisonPosition: last - 9n, error: 'RangeError' });
      expect(await running.waitFor(last, 10)).toBe(false);
    });
  });
}
