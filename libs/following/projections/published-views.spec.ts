import pg from 'pg';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { until } from '../../../test/support/timing.js';
import type { DomainEvent, Position } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { PostgresEventLog } from '../../log/adapters/postgres/postgres.js';
import { Codec, defineEvent } from '../../streams/codec.js';
import { GenerationTables } from '../generations/generation-tables.js';
import { ServedProjection } from '../generations/generations.js';
import { anEvent } from '../../log/contract/log.contract.js';
import { NO_STREAM } from '../../log/port.js';
import { defineProjection, type Projection } from './projection.js';
import { rebuildAside } from '../generations/rebuild.js';

type Counted = DomainEvent<'Counted', { by: number }>;
const codec = new Codec([defineEvent({ type: 'Counted', version: 1, personal: [] })]);

interface Published {
  version?: number;
  viewVersion?: number;
  /** A column that a newer release shows too. */
  more?: boolean;
}

/** Sums of streams, published with their double. */
const sums = (
  name: string,
  { version = 1, viewVersion = 1, more = false }: Published = {},
): Projection<number, Counted> =>
  defineProjection<number, Counted>({
    name,
    version,
    on: ['Counted'],
    streams: [`${name}-`],
    key: (event) => event.stream,
    initial: () => 0,
    evolve: (total, event) => total + event.data.by,
    rows: (stream, total) => [{ stream, total }],
    load: (_, [row]) => row!['total'] as number,
    table: {
      columns: { stream: 'text collate "C" not null', total: 'integer not null' },
      keyColumn: 'stream',
      primaryKey: ['stream'],
    },
    views: [
      {
        name: `shown_${name}`,
        version: viewVersion,
        about: "One row per stream: it's a sum.",
        columns: {
          stream: { type: 'text', meaning: "The stream's name." },
          doubled: { type: 'bigint', meaning: 'Twice the sum.' },
          ...(more && { version: { type: 'integer' as const, meaning: 'Of the view.' } }),
        },
        select: (table) => `select total * 2 as doubled, stream, ${viewVersion} as version from ${table}`,
      },
    ],
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

async function serving(projection: Projection<number, Counted>): Promise<ServedProjection<number, Counted>> {
  const database = new Database(world.url, { max: 4, budgetMs: 10_000 });
  const own = new PostgresEventLog(database);
  const served = new ServedProjection({ log: own, database, codec, projection });
  await served.start();
  open.push(
    () => database.close(),
    () => own.close(),
    () => served.stop(),
  );
  return served;
}
async function append(stream: string, by: number): Promise<Position> {
  const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
  const outcome = await log.append(stream, last?.revision ?? NO_STREAM, [anEvent('Counted', { by })]);
  if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
  return outcome.position;
}
async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  open.push(() => client.end());
  return client;
}
const shown = (name: string) => world.database.run(`select * from read.shown_${name} order by stream`);
const tables = async (name: string): Promise<string[]> =>
  (
    await world.database.run<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'read' and tablename like $1 order by 1`,
      [`${name}_v%`],
    )
  ).map(({ tablename }) => tablename);
const rebuild = (projection: Projection<number, Counted>) =>
  rebuildAside({ log, database: world.database, codec, projection, verify: false });

describe('a published view', () => {
  it('is there as soon as its projection runs, typed, flat and documented', async () => {
    const name = `views_${++serial}`;
    const served = await serving(sums(name));
    expect(await served.waitFor(await append(`${name}-a`, 21), 10_000)).toBe(true);
    expect(await shown(name)).toEqual([{ stream: `${name}-a`, doubled: 42n }]);
    expect(
      await world.database.run(
        `select a.attname as name, format_type(a.atttypid, null) as type, col_description(a.attrelid, a.attnum) as meaning
         from pg_attribute a where attrelid = to_regclass($1) order by attnum`,
        [`read.shown_${name}`],
      ),
    ).toEqual([
      { name: 'stream', type: 'text', meaning: "The stream's name." },
      { name: 'doubled', type: 'bigint', meaning: 'Twice the sum.' },
    ]);
  });

  it('follows rebuilds while somebody reads it all the time, with the rights and views that others have on it', async () => {
    const name = `views_${++serial}`;
    const projection = sums(name);
    const served = await serving(projection);
    await served.waitFor(await append(`${name}-a`, 1), 10_000);
    await world.database.run(
      `grant select on read.shown_${name} to public; create view public.mine_${name} as select stream, doubled + 1 as more from read.shown_${name}`,
    );
    const reader = await connected();
    let reading = true;
    const wrong: unknown[] = [];
    let reads = 0;
    const readings = (async () => {
      for (let seen = 0; reading; reads++) {
        const { rows } = await reader.query<{ more: string }>(`select more from public.mine_${name}`);
        if (rows.length !== 1 || Number(rows[0]!.more) < seen) wrong.push({ rows, seen });
        seen = Number(rows[0]?.more);
      }
    })();
    for (let n = 1; n <= 3; n++) {
      expect(await rebuild(projection)).toMatchObject({ switched: true, generation: { rebuild: n } });
      const position = await append(`${name}-a`, 1);
      expect(await served.waitFor(position, 10_000)).toBe(true);
      await until(async () => (await shown(name))[0]?.['doubled' as never] === BigInt(2 + 2 * n));
    }
    reading = false;
    await readings;
    expect({ wrong, enough: reads > 10 }).toEqual({ wrong: [], enough: true });
    expect(await tables(name)).toEqual([`${name}_v1_r3`]);
  });

  it('never holds up the service for somebody who reads for long: the old rows stay for that reader, and go afterwards', async () => {
    const name = `views_${++serial}`;
    const projection = sums(name);
    const served = await serving(projection);
    await served.waitFor(await append(`${name}-a`, 1), 10_000);
    const analyst = await connected();
    await analyst.query('begin isolation level repeatable read');
    await analyst.query(`select * from read.shown_${name}`);

    const rebuilding = rebuild(projection);
    await until(async () => (await tables(name)).length === 2);
    // The service's own view is switched, and goes on.
    await until(async () => served.status()[0]?.generation.rebuild === 1);
    const position = await append(`${name}-a`, 1);
    expect(await served.waitFor(position, 10_000)).toBe(true);
    expect(await world.database.run(`select total from read.${name}`)).toEqual([{ total: 2 }]);
    expect((await analyst.query(`select doubled from read.shown_${name}`)).rows).toEqual([{ doubled: '2' }]);
    expect(await tables(name)).toEqual([`${name}_v1`, `${name}_v1_r1`]);
    expect(await rebuilding).toMatchObject({ switched: true });

    await analyst.query('commit');
    await until(async () => (await tables(name)).length === 1);
    expect(await shown(name)).toEqual([{ stream: `${name}-a`, doubled: 4n }]);
  });

  it('gets the columns of a newer release behind its own, and an older release leaves it as it is', async () => {
    const name = `views_${++serial}`;
    const old = await serving(sums(name));
    await old.waitFor(await append(`${name}-a`, 1), 10_000);
    await world.database.run(`create view public.mine_${name} as select * from read.shown_${name}`);
    const newer = await serving(sums(name, { version: 2, viewVersion: 2, more: true }));
    await until(async () => (await shown(name))[0]?.['version' as never] === 2);
    expect(await newer.waitFor(await append(`${name}-a`, 1), 10_000)).toBe(true);
    expect(await shown(name)).toEqual([{ stream: `${name}-a`, doubled: 4n, version: 2 }]);
    expect(await world.database.run(`select * from public.mine_${name}`)).toEqual([
      { stream: `${name}-a`, doubled: 4n },
    ]);
    await new GenerationTables(world.database, sums(name)).publish();
    expect(await shown(name)).toEqual([{ stream: `${name}-a`, doubled: 4n, version: 2 }]);
    await until(async () => (await tables(name)).length === 1);
    // A view that says something else on the same rows is made anew without a rebuild.
    await new GenerationTables(world.database, sums(name, { version: 2, viewVersion: 3, more: true })).publish();
    expect(await shown(name)).toEqual([{ stream: `${name}-a`, doubled: 4n, version: 3 }]);
  });

  it('stays, empty, with the rights on it, where everything is built anew', async () => {
    const name = `views_${++serial}`;
    const projection = sums(name);
    const own = new GenerationTables(world.database, projection);
    await own.declareViews();
    await world.database.run(`grant select on read.shown_${name} to public`);
    expect(await shown(name)).toEqual([]);
    await append(`${name}-a`, 5);
    const first = await serving(projection);
    await until(async () => (await shown(name)).length === 1);
    await first.stop();
    // An operator dropped the checkpoints: the table that is in the way goes, and the view with its rights does not.
    await world.database.run('delete from projection.generations where name = $1', [name]);
    await own.open(1);
    expect(await shown(name)).toEqual([]);
    await serving(projection);
    await until(async () => (await shown(name)).length === 1);
    expect(
      await world.database.run(`select has_table_privilege('public', $1, 'select') as may`, [`read.shown_${name}`]),
    ).toEqual([{ may: true }]);
  });
});
