import { setTimeout as pause } from 'node:timers/promises';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { until } from '../../../test/support/timing.js';
import type { DomainEvent, Position } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { PostgresEventLog } from '../../log/adapters/postgres/postgres.js';
import { Codec, defineEvent } from '../../streams/codec.js';
import { CheckpointProgress } from '../checkpoint-progress.js';
import { shardOfStream } from './stream-shard.js';
import { ServedProjection } from '../generations/generations.js';
import { anEvent } from '../../log/contract/log.contract.js';
import { NO_STREAM } from '../../log/port.js';
import { defineProjection, type Projection } from '../projections/projection.js';
import { rebuildAside } from '../generations/rebuild.js';

type Counted = DomainEvent<'Counted', { by: number }>;
const codec = new Codec([defineEvent({ type: 'Counted', version: 1, personal: [] })]);

/** Sums and counts, so that an event applied twice or left out always shows. */
const sums = (name: string, keyIsOfStream = true): Projection<{ total: number; times: number }, Counted> =>
  defineProjection<{ total: number; times: number }, Counted>({
    name,
    version: 1,
    on: ['Counted'],
    streams: [`${name}-`],
    keyIsOfStream,
    key: (event) => event.stream,
    initial: () => ({ total: 0, times: 0 }),
    evolve: ({ total, times }, event) => {
      if (event.data.by === 13) throw new RangeError('thirteen');
      return { total: total + event.data.by, times: times + 1 };
    },
    rows: (stream, { total, times }) => [{ stream, total, times }],
    load: (_, [row]) => ({ total: row!['total'] as number, times: row!['times'] as number }),
    table: {
      columns: { stream: 'text collate "C" not null', total: 'integer not null', times: 'integer not null' },
      keyColumn: 'stream',
      primaryKey: ['stream'],
    },
  });

let world: LogDatabase;
let log: PostgresEventLog;
let serial = 0;
const open: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  world = await startLogDatabase();
  log = new PostgresEventLog(world.database);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(async () => {
  await log.close();
  await world.stop();
});

/** A process that serves the projection: its own connections and log. `stop` is a shutdown in good order. */
async function processOf(
  projection: Projection<{ total: number; times: number }, Counted>,
  shards: number,
  { url = world.url, name = 'process' } = {},
): Promise<ServedProjection<{ total: number; times: number }, Counted>> {
  const database = new Database(url, { max: 6, budgetMs: 10_000, name });
  const own = new PostgresEventLog(database);
  const served = new ServedProjection({ log: own, database, codec, projection, shards, batchSize: 20 });
  await served.start();
  open.push(
    () => database.close(),
    () => own.close(),
    () => served.stop(),
  );
  return served;
}

/** What was appended, by stream; rows must come to the same. */
class Appended {
  private readonly streams = new Map<string, { total: number; times: number; revision: number }>();

  constructor(private readonly name: string) {}

  async append(n: number, ...by: number[]): Promise<Position> {
    const stream = `${this.name}-${n}`;
    const known = this.streams.get(stream) ?? { total: 0, times: 0, revision: NO_STREAM };
    this.streams.set(stream, known);
    const outcome = await log.append(
      stream,
      known.revision,
      by.map((each) => anEvent('Counted', { by: each })),
    );
    if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
    known.revision = outcome.revision;
    known.total += by.reduce((a, b) => a + b);
    known.times += by.length;
    return outcome.position;
  }

  async some(appends: number): Promise<Position> {
    let position = -1n;
    for (let n = 0; n < appends; n++) position = await this.append(n % 17, 1, 2, 3);
    return position;
  }

  get rows(): { stream: string; total: number; times: number }[] {
    const rows = [...this.streams].map(([stream, { total, times }]) => ({ stream, total, times }));
    return rows.sort((a, b) => (a.stream < b.stream ? -1 : 1));
  }
}

const rowsOf = (name: string) => world.database.run(`select stream, total, times from read.${name} order by stream`);
const shardsOf = (name: string) =>
  world.database.run<{ shard: number; shards: number; owner: string | null; position: Position }>(
    `select shard, shards, owner, position from projection.shards join projection.generations using (name, version, rebuild)
     where name = $1 and live order by shard`,
    [name],
  );

describe('a projection in shards', () => {
  it('shows everything once, at the position of its slowest shard, which other processes can see', async () => {
    const name = `sums_${++serial}`;
    const served = await processOf(sums(name), 4);
    const watching = await processOf(sums(name), 4);
    await until(async () => (await shardsOf(name)).length === 4);
    await until(() => [served, watching].every((each) => each.status()[0]!.owned === 2));
    const appended = new Appended(name);
    const position = await appended.some(40);
    expect(await served.waitFor(position, 120_000)).toBe(true);
    expect(await watching.waitFor(position, 120_000)).toBe(true);
    expect(await new CheckpointProgress(world.database, name).reached(position, 120_000)).toBe(true);
    expect(await rowsOf(name)).toEqual(appended.rows);
    const shards = await shardsOf(name);
    expect(new Set(shards.map(({ owner }) => owner)).size).toBe(4);
    const folded = [served, watching].reduce((sum, each) => sum + each.status()[0]!.folded, 0);
    expect(folded).toBe(120);
  });

  it('divides its shards evenly among processes that come, are cut off and leave, while it counts everything once', async () => {
    const name = `sums_${++serial}`;
    const appended = new Appended(name);
    const first = await processOf(sums(name), 6);
    let [writing, wanted] = [true, 6];
    const writer = (async () => {
      let position = -1n;
      while (writing) position = await appended.some(3);
      return position;
    })();
    const owned = (...processes: (typeof first)[]): Promise<boolean> =>
      until(() => processes.every((each) => each.status()[0]?.owned === wanted));
    await owned(first);
    const second = await processOf(sums(name), 6);
    wanted = 3;
    await owned(first, second);
    const wire = await world.wire();
    const third = await processOf(sums(name), 6, { url: wire.url });
    wanted = 2;
    await owned(first, second, third);
    // A process that stands still loses its shards with its leases, and what it says afterwards does not count.
    wire.freeze();
    await until(() => first.status()[0]!.owned + second.status()[0]!.owned === 6);
    wanted = 3;
    await owned(first, second);
    wire.thaw();
    wanted = 2;
    await owned(first, second, third);
    await second.stop();
    wanted = 3;
    await owned(first, third);
    writing = false;
    const position = await writer;
    for (const each of [first, third]) expect(await each.waitFor(position, 30_000)).toBe(true);
    expect(await rowsOf(name)).toEqual(appended.rows);
  });

  it('is not split where a key has events in several streams', async () => {
    const name = `sums_${++serial}`;
    const served = await processOf(sums(name, false), 4);
    const appended = new Appended(name);
    expect(await served.waitFor(await appended.some(20), 120_000)).toBe(true);
    expect(await shardsOf(name)).toMatchObject([{ shard: 0, shards: 1 }]);
    expect(await rowsOf(name)).toEqual(appended.rows);
  });

  it('counts everything once while the number of shards changes from restart to restart, and processes disagree', async () => {
    const name = `sums_${++serial}`;
    const appended = new Appended(name);
    await processOf(sums(name), 1);
    let writing = true;
    const writer = (async () => {
      let position = -1n;
      while (writing) position = await appended.some(3);
      return position;
    })();
    const running: ServedProjection<{ total: number; times: number }, Counted>[] = [];
    for (const shards of [4, 2, 3, 1, 5]) {
      const served = await processOf(sums(name), shards);
      await until(async () => (await shardsOf(name)).length === shards);
      await until(async () => (await shardsOf(name)).every(({ owner }) => owner !== null));
      // The one before goes on with its own setting until now; what counts is that of the last one started.
      if (running.length > 1) await running.shift()!.stop();
      running.push(served);
    }
    writing = false;
    const position = await writer;
    for (const served of running) expect(await served.waitFor(position, 120_000)).toBe(true);
    expect(await rowsOf(name)).toEqual(appended.rows);
    expect(await shardsOf(name)).toHaveLength(5);
  });

  it('counts everything once while owners are cut off and stand still, and the number of shards changes', async () => {
    const name = `sums_${++serial}`;
    const appended = new Appended(name);
    const wire = await world.wire();
    const frozen = await processOf(sums(name), 3, { url: wire.url });
    const victim = await processOf(sums(name), 3, { name: `victim ${name}` });
    await until(async () => (await shardsOf(name)).length === 3);
    await appended.some(20);
    wire.freeze();
    let [writing, kills] = [true, 0];
    const killer = (async () => {
      for (; writing; await pause(50))
        kills += (
          await world.database.run(
            // In the middle of a statement where one is met there; on a slow machine none may ever be.
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and (state = 'active' or $2)`,
            [`victim ${name}`, kills === 0],
          )
        ).length;
    })();
    const third = await processOf(sums(name), 2);
    await until(async () => {
      await appended.some(3);
      return (await shardsOf(name)).length === 2 && kills > 0;
    });
    wire.thaw();
    const position = await appended.some(20);
    writing = false;
    await killer;
    for (const served of [third, victim, frozen]) expect(await served.waitFor(position, 120_000)).toBe(true);
    expect(await rowsOf(name)).toEqual(appended.rows);
  });

  it('goes on with all other shards where an event stops one, and is not split anew before somebody has looked', async () => {
    const name = `sums_${++serial}`;
    const served = await processOf(sums(name), 4);
    await until(async () => (await shardsOf(name)).length === 4);
    const appended = new Appended(name);
    await served.waitFor(await appended.some(20), 120_000);
    await log.append(`${name}-poison`, NO_STREAM, [anEvent('Counted', { by: 13 })]);
    await until(() => served.status()[0]!.state === 'stopped');
    const [stopped] = await world.database.run<{ shard: number }>(
      `select shard from projection.shards where name = $1 and status = 'stopped'`,
      [name],
    );
    // Another number is wanted now; others must not wait for the one that stands still.
    await processOf(sums(name), 2);
    await appended.some(20);
    const wanted = appended.rows.filter(({ stream }) => shardOfStream(stream, 4) !== stopped!.shard);
    expect(wanted.length).toBeGreaterThan(3);
    const key = `select stream, total, times from read.${name} where stream = any($1) order by stream`;
    await until(async () => {
      const rows = await world.database.run(key, [wanted.map(({ stream }) => stream)]);
      return JSON.stringify(rows) === JSON.stringify(wanted);
    });
    expect(await shardsOf(name)).toHaveLength(4);
  });

  it('is rebuilt shard by shard beside the live one, and equals it', async () => {
    const name = `sums_${++serial}`;
    const served = await processOf(sums(name), 3);
    await until(async () => (await shardsOf(name)).length === 3);
    const appended = new Appended(name);
    await served.waitFor(await appended.some(40), 120_000);
    let writing = true;
    const writer = (async () => {
      let position = -1n;
      while (writing) position = await appended.some(1);
      return position;
    })();
    const rebuilt = await rebuildAside({ log, database: world.database, codec, projection: sums(name), verify: true });
    writing = false;
    expect(rebuilt).toMatchObject({ switched: true, parity: { equal: true } });
    expect(await served.waitFor(await writer, 120_000)).toBe(true);
    expect(await shardsOf(name)).toHaveLength(3);
    expect(await rowsOf(name)).toEqual(appended.rows);
  });
});
