import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { until } from '../../../test/support/timing.js';
import { wholeLog } from '../../../test/support/whole-log.js';
import { type DomainEvent, type Position } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { PostgresEventLog } from '../../log/adapters/postgres/postgres.js';
import { Codec, defineEvent } from '../../streams/codec.js';
import { ServedProjection } from '../generations/generations.js';
import { anEvent } from '../../log/contract/log.contract.js';
import { NO_STREAM, type NewEvent } from '../../log/port.js';
import { defineProjection, type Projection } from './projection.js';
import { Projector, type ProjectorOptions } from './projector.js';
import { skipEvent } from '../skipped-events.js';

type Counted = DomainEvent<'Counted', { item: string; by: number; text?: string }>;
type Cleared = DomainEvent<'Cleared', { item?: string }>;
interface Tally {
  items: Record<string, { total: number; times: number }>;
  position: Position;
}

/** Counts, so that an event applied twice or left out always shows; several rows a key, some of which go again. */
const tallyOf = (prefix: string, name: string, version = 1): Projection<Tally, Counted | Cleared> =>
  defineProjection<Tally, Counted | Cleared>({
    name,
    version,
    on: ['Counted', 'Cleared'],
    streams: [`${prefix}-`],
    key: (event) => event.stream,
    initial: () => ({ items: {}, position: -1n }),
    evolve: ({ items }, event) => {
      if (event.type === 'Cleared') {
        const { [event.data.item ?? '']: gone, ...left } = items;
        return { items: event.data.item === undefined || gone === undefined ? {} : left, position: event.position };
      }
      if (event.data.by === 13) throw new RangeError(`cannot count by ${event.data.text ?? ''}`);
      const { total, times } = items[event.data.item] ?? { total: 0, times: 0 };
      return {
        items: { ...items, [event.data.item]: { total: total + event.data.by, times: times + 1 } },
        position: event.position,
      };
    },
    rows: (stream, { items, position }) =>
      Object.entries(items).map(([item, { total, times }]) => ({
        stream,
        item,
        total,
        times: version === 1 ? times : times * 10,
        label: total === 666 ? '\u0000' : `“${item}”`,
        position,
        facts: { times },
        seen_at: '2026-01-02T03:04:05.678Z',
      })),
    load: (_, rows) => ({
      items: Object.fromEntries(
        rows.map((row) => [
          row['item'],
          { total: row['total'] as number, times: (row['facts'] as { times: number }).times },
        ]),
      ),
      position: rows.map((row) => row['position'] as bigint).reduce((a, b) => (a > b ? a : b), -1n),
    }),
    table: {
      columns: {
        stream: 'text collate "C" not null',
        item: 'text collate "C" not null',
        total: 'integer not null',
        times: 'integer not null',
        label: 'text not null',
        position: 'bigint not null',
        facts: 'jsonb not null',
        seen_at: 'timestamptz not null',
      },
      keyColumn: 'stream',
      primaryKey: ['stream', 'item'],
      indexes: ['item'],
    },
  });

const codec = new Codec([
  defineEvent({ type: 'Counted', version: 1, personal: [] }),
  defineEvent({ type: 'Cleared', version: 1, personal: [] }),
  defineEvent({ type: 'Ignored', version: 1, personal: [] }),
]);
const counted = (by: number, item = 'a', text?: string): NewEvent =>
  anEvent('Counted', { item, by, ...(text === undefined ? {} : { text }) });

let world: LogDatabase;
let log: PostgresEventLog;
const open: { stop(): Promise<void> }[] = [];
let serial = 0;

beforeAll(async () => {
  world = await startLogDatabase();
  log = new PostgresEventLog(world.database);
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop();
});
afterAll(async () => {
  await log.close();
  await world.stop();
});

/** A database as another process would have it; its connections carry that name. */
function databaseOf(name: string, url = world.url): Database {
  const database = new Database(url, { max: 4, name });
  open.push({ stop: () => database.close() });
  return database;
}
/** Everything a runner needs, over a fresh prefix of streams and a fresh table. */
function setting(version = 1) {
  const name = `tally_${++serial}`;
  const prefix = `p${serial}`;
  const projection = tallyOf(prefix, name, version);
  return { name, prefix, projection, options: { log, database: world.database, codec, projection } };
}
async function served(
  options: ProjectorOptions<Tally, Counted | Cleared>,
): Promise<ServedProjection<Tally, Counted | Cleared>> {
  const projection = new ServedProjection(options);
  await projection.start();
  open.push(projection);
  return projection;
}
/** A bare runner beside the others, with its own log and connections. */
function rival(
  options: ProjectorOptions<Tally, Counted | Cleared>,
  process: string,
  url = world.url,
): Projector<Tally, Counted | Cleared> {
  const database = databaseOf(process, url);
  const ownLog = new PostgresEventLog(database);
  open.push({ stop: () => ownLog.close() });
  const projector = new Projector({ batchSize: 7, ...options, database, log: ownLog });
  projector.start();
  open.push(projector);
  return projector;
}
async function appendAll(stream: string, events: NewEvent[]): Promise<Position> {
  let at = NO_STREAM;
  const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
  if (last) at = last.revision;
  const outcome = await log.append(stream, at, events);
  if (outcome.outcome !== 'appended') throw new Error(outcome.outcome);
  return outcome.position;
}
const skip = (projection: string, position: Position, everywhere = false) =>
  skipEvent(world.database, {
    projection,
    position,
    everywhere,
    stream: null,
    revision: null,
    type: null,
    by: 'ada@desk',
  });
type Shown = { stream: string; item: string; total: number; times: number };
const rowsOf = (table: string) =>
  world.database.run<Shown>(`select stream, item, total, times from read.${table} order by stream, item`);
/** What the rows must be: the fold over the whole log. */
async function folded({
  projection,
  prefix,
}: {
  projection: Projection<Tally, Counted | Cleared>;
  prefix: string;
}): Promise<Shown[]> {
  const states = new Map<string, Tally>();
  for (const event of await wholeLog(log, [`${prefix}-`])) {
    const state = states.get(event.stream) ?? projection.initial(event.stream);
    states.set(event.stream, projection.evolve(state, event as never));
  }
  const rows = [...states].flatMap(([key, state]) => projection.rows(key, state) as unknown as Shown[]);
  return rows
    .map(({ stream, item, total, times }) => ({ stream, item, total, times }))
    .sort((a, b) => (`${a.stream} ${a.item}` < `${b.stream} ${b.item}` ? -1 : 1));
}

describe('a projection', () => {
  it('shows what was appended as soon as its position is reached', async () => {
    const { prefix, name, options } = setting();
    const announced: [Position, readonly string[]][] = [];
    const projection = await served({
      ...options,
      committed: (position, keys) => void announced.push([position, keys]),
    });
    const position = await appendAll(`${prefix}-1`, [counted(2), counted(3), counted(4, 'b'), anEvent('Ignored')]);
    expect(await projection.waitFor(position, 5000)).toBe(true);
    expect(await rowsOf(name)).toEqual([
      { stream: `${prefix}-1`, item: 'a', total: 5, times: 2 },
      { stream: `${prefix}-1`, item: 'b', total: 4, times: 1 },
    ]);
    expect(announced.at(-1)![1]).toEqual([`${prefix}-1`]);
    expect(projection.status()).toMatchObject([{ state: 'running', error: null, folded: 3 }]);
  });

  it('lets others see by its checkpoint how far it is, also in quiet times', async () => {
    const { prefix, name, options } = setting();
    const projection = await served(options);
    await projection.waitFor(await appendAll(`${prefix}-1`, [counted(1)]), 5000);
    const unwanted = await appendAll('elsewhere-1', [anEvent('Ignored')]);
    await until(async () => {
      const [row] = await world.database.run<{ position: Position }>(
        'select position from projection.checkpoints where name = $1',
        [name],
      );
      return row!.position >= unwanted;
    });
  });

  it('says so when a position is not reached in time', async () => {
    const { options } = setting();
    const projection = await served(options);
    expect(await projection.waitFor((await log.head()) + 1000n, 20)).toBe(false);
  });

  it('moves on where nothing is wanted, and does not read that again after a restart', async () => {
    const { name, options } = setting();
    const projection = await served(options);
    const position = await appendAll(`elsewhere-${name}`, [counted(1)]);
    expect(await projection.waitFor(position, 5000)).toBe(true);
    await projection.stop();
    const [row] = await world.database.run<{ position: bigint }>(
      'select position from projection.checkpoints where name = $1',
      [name],
    );
    expect(row!.position).toBeGreaterThanOrEqual(position);
  });

  it('deletes the rows that a key no longer has, also those of an earlier run', async () => {
    const { prefix, name, options } = setting();
    const first = await served(options);
    await first.waitFor(await appendAll(`${prefix}-1`, [counted(1, 'a'), counted(1, 'b'), counted(1, 'c')]), 5000);
    await first.waitFor(await appendAll(`${prefix}-1`, [anEvent('Cleared', { item: 'b' })]), 5000);
    expect((await rowsOf(name)).map((row) => row.item)).toEqual(['a', 'c']);
    await first.stop();
    const second = await served(options);
    await second.waitFor(await appendAll(`${prefix}-1`, [anEvent('Cleared', {})]), 5000);
    expect(await rowsOf(name)).toEqual([]);
  });

  it('has rows that equal the fold, whatever happened, in whatever batches and restarts', async () => {
    const step = fc.record({
      stream: fc.nat(3),
      item: fc.constantFrom('a', 'b', 'c'),
      by: fc.integer({ min: 1, max: 9 }),
      clear: fc.nat(5),
      restart: fc.nat(12),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        async (steps, batchSize) => {
          const set = setting();
          let projection = await served({ ...set.options, batchSize });
          let position = -1n;
          for (const { stream, item, by, clear, restart } of steps) {
            position = await appendAll(`${set.prefix}-${stream}`, [
              clear === 0 ? anEvent('Cleared', { item }) : counted(by, item),
            ]);
            if (restart > 0) continue;
            await projection.stop();
            projection = await served({ ...set.options, batchSize });
          }
          expect(await projection.waitFor(position, 120_000)).toBe(true);
          expect(await rowsOf(set.name)).toEqual(await folded(set));
          await projection.stop();
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('every event counts exactly once', () => {
  it('with three rivals that run the same projection', async () => {
    const set = setting();
    await (await served(set.options)).stop();
    const rivals = [1, 2, 3].map((n) => rival(set.options, `rival ${n}`));
    let position = -1n;
    for (let n = 0; n < 40; n++)
      position = await appendAll(
        `${set.prefix}-${n % 5}`,
        Array.from({ length: 10 }, (_, i) => counted(n + i + (n + i === 13 ? 1 : 0), i % 3 === 0 ? 'a' : 'b')),
      );
    for (const each of rivals) expect(await each.waitFor(position, 120_000)).toBe(true);
    expect(await rowsOf(set.name)).toEqual(await folded(set));
    expect(rivals.reduce((sum, each) => sum + each.status().folded, 0)).toBe(400);
  });

  it('when the connections of runners are killed in the middle, again and again', async () => {
    const set = setting();
    await (await served(set.options)).stop();
    const rivals = [1, 2].map(() => rival(set.options, `victim ${set.name}`));
    let done = false;
    let kills = 0;
    const killer = (async () => {
      // Mostly while they wait for the checkpoint's row, which we hold: in the middle of their transaction.
      while (!done) {
        await world.database.transaction(async (tx) => {
          await tx.run('select 1 from projection.shards where name = $1 for update', [set.name]);
          kills += (
            await tx.run(
              `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1 and state = 'active'`,
              [`victim ${set.name}`],
            )
          ).length;
        });
        await pause(1);
      }
    })();
    // By seven, since that never comes to 666, which no row can hold.
    let position = -1n;
    for (let n = 0; n < 60 || kills < 5; n++)
      position = await appendAll(
        `${set.prefix}-${n % 5}`,
        Array.from({ length: 10 }, () => counted(7)),
      );
    done = true;
    await killer;
    for (const each of rivals) expect(await each.waitFor(position, 120_000)).toBe(true);
    expect(await rowsOf(set.name)).toEqual(await folded(set));
  });

  it('when the database is away for a while, answers are lost, and it comes back', async () => {
    const set = setting();
    await (await served(set.options)).stop();
    const wire = await world.wire();
    const projector = rival(set.options, 'far away', wire.url);
    await projector.waitFor(await appendAll(`${set.prefix}-1`, [counted(1)]), 5000);
    wire.cut();
    await appendAll(`${set.prefix}-1`, [counted(2), counted(3)]);
    wire.restore();
    expect(await projector.waitFor(await appendAll(`${set.prefix}-2`, [counted(4)]), 120_000)).toBe(true);
    wire.mute();
    const position = await appendAll(`${set.prefix}-2`, [counted(5)]);
    wire.restore();
    expect(await projector.waitFor(position, 120_000)).toBe(true);
    expect(await rowsOf(set.name)).toEqual(await folded(set));
    expect(projector.status()).toMatchObject({ state: 'running', error: null });
  });

  it('when the checkpoint was set back together with the rows', async () => {
    const set = setting();
    const projection = await served(set.options);
    await projection.waitFor(await appendAll(`${set.prefix}-1`, [counted(1), counted(2)]), 5000);
    await world.database.run(
      `begin; truncate read.${set.name}_v1; update projection.shards set position = -1 where name = '${set.name}'; commit`,
    );
    const position = await appendAll(`${set.prefix}-1`, [counted(3)]);
    await projection.waitFor(position, 5000);
    await until(async () => (await rowsOf(set.name))[0]?.total === 6);
  });
});

describe('a poison event', () => {
  it('stops its projection visibly at that event, with everything before it applied, and no other', async () => {
    const set = setting();
    const other = setting();
    const projection = await served(set.options);
    const healthy = await served({
      ...other.options,
      projection: {
        ...other.projection,
        streams: [`${set.prefix}-`],
        evolve: (state, event) => ({ ...state, position: event.position }),
      },
    });
    await appendAll(`${set.prefix}-1`, [counted(1), counted(2), counted(13, 'a', 'Ada Lovelace'), counted(4)]);
    const position = await log.head();
    expect(await healthy.waitFor(position, 5000)).toBe(true);
    await until(() => projection.status()[0]!.state === 'stopped');
    expect(projection.status()[0]).toMatchObject({
      error: 'RangeError',
      poisonPosition: position - 1n,
      position: position - 2n,
    });
    expect(await rowsOf(set.name)).toMatchObject([{ total: 3 }]);
    expect(await projection.waitFor(position, 10)).toBe(false);
    const [row] = await world.database.run('select * from projection.checkpoints where name = $1', [set.name]);
    expect(
      JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('Lovelace');
  });

  it('stops it again when resumed unchanged, and is left out only by naming it', async () => {
    const set = setting();
    const projection = await served(set.options);
    const position = await appendAll(`${set.prefix}-1`, [counted(1), counted(13), counted(4)]);
    const stopped = () => projection.status()[0]!.state === 'stopped';
    await until(stopped);
    expect(await skip(set.name, position)).toBe(false);
    expect(await projection.resume()).toBe(true);
    await until(
      async () =>
        (
          await world.database.run(`select 1 from projection.checkpoints where name = $1 and status = 'stopped'`, [
            set.name,
          ])
        ).length === 1,
    );
    expect(await skip(set.name, position - 1n)).toBe(true);
    expect(await projection.waitFor(position, 5000)).toBe(true);
    expect(await rowsOf(set.name)).toMatchObject([{ total: 5, times: 2 }]);
    expect(await projection.resume()).toBe(false);
  });

  it('may be one whose rows the database refuses: the one event is found among its batch', async () => {
    const set = setting();
    const projection = await served(set.options);
    const position = 1n + (await appendAll(`${set.prefix}-1`, [counted(600), counted(66)]));
    await appendAll(`${set.prefix}-2`, [counted(1)]);
    await until(() => projection.status()[0]!.state === 'stopped');
    expect(projection.status()[0]).toMatchObject({
      poisonPosition: position - 1n,
      error: expect.stringMatching(/22P05|22021/),
    });
    expect(await rowsOf(set.name)).toMatchObject([{ total: 600 }]);
  });

  it('is left to a newer release where this one does not know its type or version', async () => {
    for (const event of [
      anEvent('Unheard'),
      { ...counted(1), metadata: { ...counted(1).metadata, schemaVersion: 2 } },
    ]) {
      const set = setting();
      const projection = await served(set.options);
      const position = await appendAll(`${set.prefix}-1`, [counted(1), event, counted(2)]);
      await until(() => projection.status()[0]!.state === 'awaiting');
      expect(projection.status()[0]!.error).toMatch(/^UnreadableEvent: (Unheard|Counted): /);
      expect(await rowsOf(set.name)).toMatchObject([{ total: 1 }]);

      const newer = new Codec([
        defineEvent({ type: 'Counted', version: 2, personal: [], upcast: { 1: (data: unknown) => data } }),
        defineEvent({ type: 'Cleared', version: 1, personal: [] }),
        defineEvent({ type: 'Unheard', version: 1, personal: [] }),
      ]);
      const other = rival({ ...set.options, codec: newer }, 'newer release');
      expect(await other.waitFor(position, 5000)).toBe(true);
      expect(await projection.waitFor(position, 5000)).toBe(true);
      expect(await rowsOf(set.name)).toMatchObject([{ total: event.type === 'Unheard' ? 3 : 4 }]);
      await until(() => projection.status()[0]!.state === 'standby');
    }
  });

  it('stops the rivals as well, and resuming one resumes all', async () => {
    const set = setting();
    const projection = await served(set.options);
    const other = rival(set.options, 'rival');
    const position = await appendAll(`${set.prefix}-1`, [counted(13), counted(1)]);
    await until(() => projection.status()[0]!.state === 'stopped' && other.status().state === 'stopped');
    expect(await skip(set.name, position - 1n)).toBe(true);
    expect(await projection.waitFor(position, 5000)).toBe(true);
    expect(await other.waitFor(position, 5000)).toBe(true);
    expect(await rowsOf(set.name)).toMatchObject([{ total: 1, times: 1 }]);
  });
});

describe('a new generation', () => {
  /** Reads the view without pause until it is stopped; answers what went wrong, and every shape it saw. */
  function reader(name: string) {
    const database = databaseOf('reader');
    const errors: unknown[] = [];
    const seen = new Set<string>();
    let reading = true;
    const done = (async () => {
      while (reading) {
        await database
          .query<Shown>(
            { name: `read-${name}`, text: `select stream, item, total, times from read.${name} order by stream, item` },
            [],
          )
          .then(
            (rows) => seen.add(JSON.stringify(rows)),
            (error: unknown) => errors.push(error),
          );
      }
    })();
    return { errors, seen, stop: () => ((reading = false), done) };
  }

  it('is built beside the old one and takes its place without a read that fails or shows half of it', async () => {
    const set = setting();
    const old = await served(set.options);
    for (let n = 0; n < 10; n++) await appendAll(`${set.prefix}-${n}`, [counted(n), counted(n, 'b')]);
    await old.waitFor(await log.head(), 5000);
    const before = JSON.stringify(await rowsOf(set.name));
    const reads = reader(set.name);
    await until(() => reads.seen.size > 0);
    const projection = await served({ ...set.options, projection: tallyOf(set.prefix, set.name, 2) });
    expect(await projection.waitFor(await log.head(), 120_000)).toBe(true);
    await until(() => projection.status().length === 1);
    await until(
      async () =>
        (await world.database.run(`select 1 from pg_tables where tablename = $1`, [`${set.name}_v1`])).length === 0,
    );
    await reads.stop();
    expect(reads.errors).toEqual([]);
    const after = JSON.stringify(await rowsOf(set.name));
    expect([...reads.seen]).toEqual([before, after]);
    expect(await rowsOf(set.name)).toEqual((await folded(set)).map((row) => ({ ...row, times: row.times * 10 })));
  });

  it('lets the runner of the old release end quietly, and an old release not bring the old version back', async () => {
    const set = setting();
    await (await served(set.options)).stop();
    const old = rival(set.options, 'old release');
    const next = await served({ ...set.options, projection: tallyOf(set.prefix, set.name, 2) });
    await next.waitFor(await log.head(), 120_000);
    await next.waitFor(await appendAll(`${set.prefix}-1`, [counted(1)]), 120_000);
    await until(() => old.status().state === 'gone');
    const again = await served(set.options);
    expect(again.status()).toEqual([]);
    expect(await rowsOf(set.name)).toMatchObject([{ total: 1, times: 10 }]);
  });

  it('of the same version equals the live one, while both run and somebody appends', async () => {
    const set = setting();
    const projection = await served(set.options);
    const elsewhere = await served({ ...set.options, database: databaseOf('elsewhere') });
    for (let n = 0; n < 20; n++)
      await appendAll(`${set.prefix}-${n % 7}`, [
        counted(n === 13 ? 1 : n),
        counted(1, 'b'),
        ...(n % 4 === 0 ? [anEvent('Cleared', { item: 'b' })] : []),
      ]);
    await projection.waitFor(await log.head(), 5000);
    const live = await rowsOf(`${set.name}_v1`);
    const reads = reader(set.name);
    await projection.rebuild();
    await reads.stop();
    expect(reads.errors).toEqual([]);
    expect([...reads.seen]).toEqual([JSON.stringify(live)]);
    expect(await rowsOf(`${set.name}_v1_r1`)).toEqual(live);
    const position = await appendAll(`${set.prefix}-1`, [counted(1)]);
    expect(await projection.waitFor(position, 120_000)).toBe(true);
    expect(await elsewhere.waitFor(position, 120_000)).toBe(true);
    expect(await rowsOf(set.name)).toEqual(await folded(set));
  });
});
