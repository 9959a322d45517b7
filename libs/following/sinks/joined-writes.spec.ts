import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { Database, type Statement } from '../../engines/database/database.js';
import { JOINED_LOCK_MS, JoinedWrites } from './joined-writes.js';

let world: LogDatabase;
let shared: Database;
let writes: JoinedWrites;

beforeAll(async () => {
  world = await startLogDatabase();
  await world.database.run('create table one (n int primary key); create table two (n int primary key)');
});
beforeEach(async () => {
  await world.database.run('truncate one, two');
  shared = new Database(world.url, { max: 1, budgetMs: 10_000, lockMs: JOINED_LOCK_MS });
  writes = new JoinedWrites(shared, world.database);
});
afterEach(() => shared.close());
afterAll(() => world.stop());

const into = (table: string): Statement => ({
  name: `insert-${table}`,
  text: `insert into ${table} values ($1) returning n, pg_current_xact_id()::text as tx`,
});
const [ONE, TWO] = [into('one'), into('two')];
interface Written {
  n: number;
  tx: string;
}
const write = async (statement: Statement, n: number): Promise<Written> =>
  (await writes.query<Written>(statement, [n]))[0]!;
const stands = async (table: string): Promise<number[]> =>
  (await world.database.run<{ n: number }>(`select n from ${table} order by n`)).map(({ n }) => n);

describe('what is written together', () => {
  it('is one transaction where it comes at the same moment, of each statement one', async () => {
    const [two, one, again] = await Promise.all([write(TWO, 1), write(ONE, 2), write(TWO, 3)]);
    expect([two.n, one.n, again.n]).toEqual([1, 2, 3]);
    expect(one.tx).toBe(two.tx);
    expect(again.tx).not.toBe(two.tx);
    // What comes while something is written is the next, and nobody waits for more to come.
    const first = write(ONE, 4);
    await Promise.resolve();
    expect((await first).n).toBe(4);
    expect(await stands('one')).toEqual([2, 4]);
  });

  it('is written one by one where the database refuses a part of it, and only that part is refused', async () => {
    await write(ONE, 1);
    const [refused, written] = await Promise.allSettled([write(ONE, 1), write(TWO, 2)]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: '23505' } });
    expect(written).toMatchObject({ status: 'fulfilled', value: { n: 2 } });
    expect([await stands('one'), await stands('two')]).toEqual([[1], [2]]);
    expect((await write(ONE, 3)).n).toBe(3);
  });

  it('is not kept waiting by a part whose rows somebody else holds, and that part is written in the end', async () => {
    let held!: Promise<Written>;
    await world.database.transaction(async (tx) => {
      await tx.run('lock table one in exclusive mode');
      held = write(ONE, 1);
      expect((await write(TWO, 1)).n).toBe(1);
      expect((await write(TWO, 2)).n).toBe(2);
    });
    expect((await held).n).toBe(1);
  });

  it('is told to all that nothing is known where the database goes away', async () => {
    const wire = await world.wire();
    const far = new Database(wire.url, { max: 1, budgetMs: 2_000 });
    const cut = new JoinedWrites(far, world.database);
    await cut.query(ONE, [1]);
    wire.mute();
    const outcomes = await Promise.allSettled([cut.query(ONE, [2]), cut.query(TWO, [2])]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DependencyUnavailable) as unknown });
    await far.close();
  });
});
