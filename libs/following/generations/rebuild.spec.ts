import { setTimeout as pause } from 'node:timers/promises';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { until } from '../../../test/support/timing.js';
import { type DomainEvent, type Position } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { PostgresEventLog } from '../../log/adapters/postgres/postgres.js';
import { Codec, defineEvent } from '../../streams/codec.js';
import { GenerationTables } from './generation-tables.js';
import { ServedProjection } from './generations.js';
import { anEvent } from '../../log/contract/log.contract.js';
import { NO_STREAM, type NewEvent } from '../../log/port.js';
import { defineProjection, type Projection } from '../projections/projection.js';
import { rebuildAside } from './rebuild.js';

type Counted = DomainEvent<'Counted', { by: number }>;
const codec = new Codec([defineEvent({ type: 'Counted', version: 1, personal: [] })]);

const sums = (name: string, plus = 0): Projection<number, Counted> =>
  defineProjection<number, Counted>({
    name,
    version: 1,
    on: ['Counted'],
    streams: [`${name}-`],
    key: (event) => event.stream,
    initial: () => 0,
    evolve: (total, event) => {
      if (event.data.by === 13) throw new RangeError('thirteen');
      return total + event.data.by + plus;
    },
    rows: (stream, total) => [{ stream, total }],
    load: (_, [row]) => row!['total'] as number,
    table: {
      columns: { stream: 'text collate "C" not null', total: 'integer not null' },
      keyColumn: 'stream',
      primaryKey: ['stream'],
    },
  });

/** What another process has: its own pools, log and runner of the same projection. */
interface Process {
  database: Database;
  log: PostgresEventLog;
  served: ServedProjection<number, Counted>;
}

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

async function processOf(projection: Projection<number, Counted>): Promise<Process> {
  const database = new Database(world.url, { max: 4, budgetMs: 10_000 });
  const own = new PostgresEventLog(database);
  const served = new ServedProjection({ log: own, database, codec, projection });
  await served.start();
  open.push(
    () => database.close(),
    () => own.close(),
    () => served.stop(),
  );
  return { database, log: own, served };
}
async function append(stream: string, ...by: number[]): Promise<Position> {
  const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
  const outcome = await log.append(
    stream,
    last?.revision ?? NO_STREAM,
    by.map((n): NewEvent => anEvent('Counted', { by: n })),
  );
  if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
  return outcome.position;
}
const rowsOf = (name: string) =>
  world.database.run<{ stream: string; total: number }>(`select stream, total from read.${name} order by stream`);

describe('a projection rebuilt from another process', () => {
  it('equals the live one at one position, and is taken up by the processes that serve it, while somebody appends and reads', async () => {
    const name = `sums_${++serial}`;
    const projection = sums(name);
    const { served } = await processOf(projection);
    await processOf(projection);
    for (let n = 0; n < 50; n++) await append(`${name}-${n}`, n === 13 ? 1 : n, 1, 2);
    let writing = true;
    let back: string | null = null;
    const writer = (async () => {
      while (writing) {
        const position = await append(`${name}-7`, 1);
        // A reader that waited for a position must find it in the view.
        await served.waitFor(position, 5000);
      }
    })();
    const reader = (async () => {
      for (let seen = 0; writing;) {
        const total = (await rowsOf(name)).find(({ stream }) => stream === `${name}-7`)?.total ?? 0;
        if (total < seen) back = `${seen} became ${total}`;
        seen = total;
      }
    })();
    const positions: Position[] = [];
    const watch = setInterval(() => positions.push(served.position()), 1);
    const rebuilt = await rebuildAside({ log, database: world.database, codec, projection, verify: true });
    await pause(300);
    clearInterval(watch);
    writing = false;
    await Promise.all([writer, reader]);
    expect(rebuilt).toMatchObject({
      generation: { version: 1, rebuild: 1 },
      switched: true,
      parity: { equal: true, keys: [] },
    });
    expect(rebuilt.parity!.old).toEqual(rebuilt.parity!.new);
    expect(back).toBeNull();
    expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));

    const position = await append(`${name}-1`, 100);
    expect(await served.waitFor(position, 5000)).toBe(true);
    expect(served.status()).toMatchObject([
      { generation: { rebuild: 1 }, state: expect.stringMatching(/^(running|standby)$/) },
    ]);
    expect((await rowsOf(name)).find(({ stream }) => stream === `${name}-1`)!.total).toBe(104);
    expect(
      await world.database.run(`select 1 from pg_tables where schemaname = 'read' and tablename = $1`, [`${name}_v1`]),
    ).toEqual([]);
  });

  it('is not shown where its rows differ, and the keys that differ are named', async () => {
    const name = `sums_${++serial}`;
    const { served } = await processOf(sums(name));
    await append(`${name}-a`, 1);
    await append(`${name}-b`, 2);
    await served.waitFor(await append(`${name}-c`, 3), 5000);
    await world.database.run(`update read.${name}_v1 set total = 99 where stream = $1`, [`${name}-b`]);
    const rebuilt = await rebuildAside({ log, database: world.database, codec, projection: sums(name), verify: true });
    expect(rebuilt).toMatchObject({
      switched: false,
      parity: { equal: false, keys: [`${name}-b`], old: { rows: 3 }, new: { rows: 3 } },
    });
    expect((await rowsOf(name))[1]!.total).toBe(99);
    expect(await world.database.run(`select rebuild from projection.checkpoints where name = $1`, [name])).toEqual([
      { rebuild: 0 },
    ]);

    expect(
      await rebuildAside({ log, database: world.database, codec, projection: sums(name), verify: false }),
    ).toMatchObject({ switched: true, parity: null });
    expect((await rowsOf(name))[1]!.total).toBe(2);
  });

  it('is not shown where its counts differ, and the cells that differ are named; then both tables are replaced', async () => {
    const name = `sums_${++serial}`;
    const projection = defineProjection<number, Counted>({
      ...sums(name),
      counts: {
        cell: { by: 'text collate "C" not null' },
        of: ['events'],
        added: (_, { data }) => [{ cell: { by: String(data.by) }, to: 'events', by: 1 }],
      },
    });
    const { served } = await processOf(projection);
    await served.waitFor(await append(`${name}-a`, 1, 2, 2), 5000);
    // A cell that came to nothing is none, whether or not it has a row.
    await world.database.run(`insert into read.${name}_v1_counts values ('9', 0)`);
    const rebuilt = (verify: boolean) => rebuildAside({ log, database: world.database, codec, projection, verify });
    expect(await rebuilt(true)).toMatchObject({ switched: true, parity: { equal: true, keys: [] } });

    await world.database.run(`update read.${name}_v1_r1_counts set events = 3 where by = '2'`);
    expect(await rebuilt(true)).toMatchObject({ switched: false, parity: { equal: false, keys: ['2'] } });
    expect(await rebuilt(false)).toMatchObject({ switched: true, parity: null });
    expect(await world.database.run(`select by, events::int from read.${name}_counts order by by`)).toEqual([
      { by: '1', events: 1 },
      { by: '2', events: 2 },
    ]);
    await until(
      async () =>
        (
          await world.database.run(`select 1 from pg_tables where schemaname = 'read' and tablename like $1`, [
            `${name}%`,
          ])
        ).length === 2,
    );
  });

  it('is not shown where an event stops it, and leaves nothing behind', async () => {
    const name = `sums_${++serial}`;
    const { served } = await processOf(sums(name));
    await append(`${name}-a`, 1, 13, 5);
    await served.waitFor(await log.head(), 500);
    await world.database.run(
      `update projection.shards set status = 'running', error = null, poison_position = null, position = $2 where name = $1`,
      [name, await log.head()],
    );
    await expect(
      rebuildAside({ log, database: world.database, codec, projection: sums(name), verify: false }),
    ).rejects.toMatchObject({ name: 'BuildStopped', status: { error: 'RangeError' } });
    expect(
      await world.database.run(`select rebuild, status from projection.checkpoints where name = $1`, [name]),
    ).toEqual([{ rebuild: 0, status: 'running' }]);
    expect(
      await world.database.run(`select 1 from pg_tables where schemaname = 'read' and tablename like $1`, [`${name}%`]),
    ).toHaveLength(1);
  });

  it('goes as far as one that stands still: what comes after is for those who serve it', async () => {
    const name = `sums_${++serial}`;
    const { served } = await processOf(sums(name));
    const first = await append(`${name}-a`, 1);
    await served.waitFor(first, 5000);
    await served.stop();
    const last = await append(`${name}-a`, 5);
    expect(
      await rebuildAside({ log, database: world.database, codec, projection: sums(name), verify: true }),
    ).toMatchObject({ switched: true, position: first, parity: { equal: true } });
    expect(await rowsOf(name)).toMatchObject([{ total: 1 }]);
    const next = await processOf(sums(name));
    expect(await next.served.waitFor(last, 5000)).toBe(true);
    expect(await rowsOf(name)).toMatchObject([{ total: 6 }]);
  });
});

describe('what a command builds is its own', () => {
  const generationsOf = (name: string) =>
    world.database.run<{ rebuild: number; live: boolean; built: boolean }>(
      'select rebuild, live, builder is not null as built from projection.generations where name = $1 order by rebuild',
      [name],
    );
  const tablesOf = (name: string) =>
    world.database.run(`select tablename from pg_tables where schemaname = 'read' and tablename like $1`, [`${name}%`]);

  it('no service goes on with what a killed command left, restarted or not, and drops it after a while', async () => {
    const name = `sums_${++serial}`;
    const projection = sums(name);
    const { served } = await processOf(projection);
    const last = await append(`${name}-a`, 1, 2);
    await served.waitFor(last, 5000);
    // All that a command does before it begins to build; then it is killed.
    const generation = await new GenerationTables(world.database, projection).createNext('a command');
    const restarted = await processOf(projection);
    const position = await append(`${name}-a`, 3);
    expect(await restarted.served.waitFor(position, 5000)).toBe(true);
    expect(await served.waitFor(position, 5000)).toBe(true);
    expect(restarted.served.status()).toMatchObject([{ generation: { rebuild: 0 } }]);
    expect(await generationsOf(name)).toEqual([
      { rebuild: 0, live: true, built: false },
      { rebuild: generation.rebuild, live: false, built: true },
    ]);
    expect(await rowsOf(`${name}_v1_r1`)).toEqual([]);

    await world.database.run(
      `update projection.generations set builder_seen_at = now() - interval '1 hour' where name = $1 and builder is not null`,
      [name],
    );
    await processOf(projection);
    await until(async () => (await generationsOf(name)).length === 1);
    await until(async () => (await tablesOf(name)).length === 1);
    expect(await generationsOf(name)).toEqual([{ rebuild: 0, live: true, built: false }]);
  });

  it('rows that differ never come to be shown, also where services are restarted while they are compared', async () => {
    const name = `sums_${++serial}`;
    const { served } = await processOf(sums(name));
    for (let n = 0; n < 30; n++) await append(`${name}-${n}`, 1);
    await served.waitFor(await log.head(), 5000);
    await world.database.run(`update read.${name}_v1 set total = 99 where stream = $1`, [`${name}-7`]);
    const seen = new Set<number>();
    let building = true;
    const services = (async () => {
      while (building) {
        const { served: restarted } = await processOf(sums(name));
        for (const { total } of (await rowsOf(name)).filter(({ stream }) => stream === `${name}-7`)) seen.add(total);
        await restarted.stop();
      }
    })();
    const rebuilt = await rebuildAside({
      log,
      database: world.database,
      codec,
      projection: sums(name),
      verify: true,
      batchSize: 3,
    });
    building = false;
    await services;
    expect(rebuilt).toMatchObject({ switched: false, parity: { equal: false, keys: [`${name}-7`] } });
    expect([...seen]).toEqual([99]);
    const { served: after } = await processOf(sums(name));
    await after.waitFor(await append(`${name}-8`, 1), 5000);
    expect(await generationsOf(name)).toEqual([{ rebuild: 0, live: true, built: false }]);
    expect((await rowsOf(name)).find(({ stream }) => stream === `${name}-7`)!.total).toBe(99);
  });

  it('a command that stood still until its generation was dropped says so, and shows nothing', async () => {
    const name = `sums_${++serial}`;
    const { served } = await processOf(sums(name));
    await served.waitFor(await append(`${name}-a`, 1), 5000);
    const generations = new GenerationTables(world.database, sums(name));
    let dropped: Promise<unknown> | undefined;
    const rebuilding = rebuildAside({
      log,
      database: world.database,
      codec,
      projection: sums(name),
      verify: true,
      look: ({ generation }) => {
        dropped ??= generations.discard(generation);
      },
    });
    await expect(rebuilding).rejects.toThrow(/meanwhile/);
    await dropped;
    expect(await generationsOf(name)).toEqual([{ rebuild: 0, live: true, built: false }]);
  });

  it('two commands at once: the one that ends first is shown, the other one replaces it or says that it was overtaken', async () => {
    const name = `sums_${++serial}`;
    const { served } = await processOf(sums(name));
    for (let n = 0; n < 20; n++) await append(`${name}-${n % 3}`, 1);
    await served.waitFor(await log.head(), 5000);
    const rebuild = () => rebuildAside({ log, database: world.database, codec, projection: sums(name), verify: true });
    const outcomes = await Promise.allSettled([rebuild(), rebuild()]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect((outcome.reason as Error).message).toContain('meanwhile');
      else expect(outcome.value).toMatchObject({ switched: true, parity: { equal: true } });
    expect((await rowsOf(name)).map(({ total }) => total)).toEqual([7, 7, 6]);
    await until(async () => (await generationsOf(name)).length === 1);
  });
});
