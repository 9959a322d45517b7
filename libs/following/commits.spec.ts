import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { Database } from '../engines/database/database.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { Commits, type PreparedPage } from './commits.js';
import type { Effect } from './sinks/sink.js';

let world: LogDatabase;
let commits: Commits;

beforeAll(async () => {
  world = await startLogDatabase();
  await world.database.run('create table one (n int primary key); create table two (n int primary key)');
});
beforeEach(async () => {
  await world.database.run('truncate one, two; delete from projection.generations');
  for (const name of ['one', 'two']) {
    await world.database.run('insert into projection.generations (name, version, live) values ($1, 1, true)', [name]);
    await world.database.run(
      `insert into projection.shards (name, version, rebuild, position, owner) values ($1, 1, 0, 0, $1)`,
      [name],
    );
  }
  commits = new Commits(world.database);
});
afterAll(() => world.stop());

/** Writes a number into the table of its name, and moves the checkpoint of that name by one. */
class Page implements PreparedPage {
  /** The transactions that it was written in, the last one first. */
  readonly written: string[] = [];
  readonly move: PreparedPage['move'];
  readonly effect: Effect;

  constructor(table: string, n: number, { from = 0n, owner = table } = {}) {
    this.move = { name: table, version: 1, rebuild: 0, shard: 0, shards: 1, owner, from, to: from + 1n };
    this.effect = {
      events: 1,
      isEmpty: false,
      write: async (tx) => {
        const text = `insert into ${table} values ($1) returning pg_current_xact_id()::text as tx`;
        const [row] = await tx.query<{ tx: string }>({ name: `insert-${table}`, text }, [n]);
        this.written.unshift(row!.tx);
      },
    };
  }
}
const submitted = async (...pages: PreparedPage[]): Promise<boolean[]> =>
  Promise.all(pages.map((page) => commits.submit(page)));
const stands = async (table: string): Promise<number[]> =>
  (await world.database.run<{ n: number }>(`select n from ${table} order by n`)).map(({ n }) => n);
const positions = async (): Promise<bigint[]> =>
  (await world.database.run<{ position: bigint }>('select position from projection.shards order by name')).map(
    ({ position }) => position,
  );

describe('what consumers made of a page', () => {
  it('is written in one transaction with their checkpoints', async () => {
    const [two, one] = [new Page('two', 1), new Page('one', 2)];
    expect(await submitted(two, one)).toEqual([true, true]);
    expect(one.written).toEqual(two.written);
    expect([await stands('one'), await stands('two')]).toEqual([[2], [1]]);
    expect(await positions()).toEqual([1n, 1n]);
  });

  it('is left out where the consumer does not own its shard, or believes in another position', async () => {
    expect(await submitted(new Page('one', 1, { owner: 'rival' }), new Page('two', 1))).toEqual([false, true]);
    expect(await submitted(new Page('one', 1), new Page('two', 2))).toEqual([true, false]);
    expect([await stands('one'), await stands('two')]).toEqual([[1], [1]]);
    expect(await positions()).toEqual([1n, 1n]);
  });

  it('is written one by one where the database refuses a part of it, and only that part is refused', async () => {
    await submitted(new Page('one', 1));
    const pages = [new Page('one', 1, { from: 1n }), new Page('two', 2)];
    const [refused, written] = await Promise.allSettled(pages.map((page) => commits.submit(page)));
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: '23505' } });
    expect(written).toEqual({ status: 'fulfilled', value: true });
    expect([await stands('one'), await stands('two')]).toEqual([[1], [2]]);
    expect(await positions()).toEqual([1n, 1n]);
    expect(await submitted(new Page('one', 3, { from: 1n }))).toEqual([true]);
  });

  it('is not kept waiting by rows that another transaction holds, and what waits for those is written in the end', async () => {
    let held!: Promise<boolean[]>;
    await world.database.transaction(async (tx) => {
      await tx.run(`select from projection.shards where name = 'one' for update`);
      held = submitted(new Page('one', 1));
      expect(await submitted(new Page('two', 1))).toEqual([true]);
      expect(await submitted(new Page('two', 2, { from: 1n }))).toEqual([true]);
    });
    expect(await held).toEqual([true]);
    expect([await stands('one'), await stands('two')]).toEqual([[1], [1, 2]]);
  });

  it('of a process that stands still in the middle of its transaction holds up the next owner for seconds only', async () => {
    const wire = await world.wire();
    const far = new Database(wire.url, { max: 1, budgetMs: 240_000 });
    const page = new Page('one', 1);
    const write = page.effect.write;
    const frozen = new Promise<void>((resolve) => {
      page.effect.write = (tx, to) => {
        wire.freeze();
        resolve();
        return write(tx, to);
      };
    });
    const cut = new Commits(far).submit(page);
    const rejected = expect(cut).rejects.toBeInstanceOf(DependencyUnavailable);
    await frozen;
    await world.database.run(`update projection.shards set owner = 'next' where name = 'one'`);
    expect(await submitted(new Page('one', 2, { owner: 'next' }))).toEqual([true]);
    wire.thaw();
    await rejected;
    expect(await stands('one')).toEqual([2]);
    await far.close();
  });

  it('rejects for every consumer where the database goes away', async () => {
    const wire = await world.wire();
    const far = new Database(wire.url, { max: 1, budgetMs: 2_000 });
    const cut = new Commits(far);
    await cut.submit(new Page('one', 1));
    wire.mute();
    const pages = [new Page('one', 2, { from: 1n }), new Page('two', 2)];
    const outcomes = await Promise.allSettled(pages.map((page) => cut.submit(page)));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DependencyUnavailable) as unknown });
    await far.close();
  });
});
