import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { Checkpoint } from '../checkpoint.js';
import { leasesOn } from './leases.js';

let world: LogDatabase;

beforeAll(async () => {
  world = await startLogDatabase();
});
afterAll(() => world.stop());

/** One that is on its way may not know what was done a moment ago. */
async function renewed(): Promise<void> {
  await leasesOn(world.database).renew();
  await leasesOn(world.database).renew();
}

/** Shards of one name, each claimed by an owner of its own; which of them lost their shard, by number. */
async function claimed(name: string, shards: number) {
  const { database } = world;
  await database.run('insert into projection.generations (name, version, live) values ($1, 1, true)', [name]);
  await database.run(
    'insert into projection.shards (name, version, rebuild, shard, shards) select $1, 1, 0, i, $2 from generate_series(0, $2::int - 1) i',
    [name, shards],
  );
  const lost: number[] = [];
  const checkpoints = Array.from(
    { length: shards },
    (_, shard) => new Checkpoint(database, { name, version: 1, rebuild: 0, shard, shards }, `holder/${name}-${shard}`),
  );
  const ends: (() => void)[] = [];
  for (const [shard, checkpoint] of checkpoints.entries()) {
    expect(await checkpoint.claim()).not.toBeNull();
    ends.push(checkpoint.keep(() => lost.push(shard)));
  }
  const leases = async () =>
    (
      await database.run<{ left: number }>(
        'select extract(epoch from owned_until)::float8 as left from projection.shards where name = $1 order by shard',
        [name],
      )
    ).map((row) => row.left);
  return { checkpoints, ends, lost, leases };
}

describe('leases of one process', () => {
  test('are renewed for each shard that it owns', async () => {
    const { ends, lost, leases } = await claimed('renewed', 3);
    const before = await leases();
    await renewed();
    const after = await leases();
    for (const [shard, left] of after.entries()) expect(left).toBeGreaterThan(before[shard]!);
    expect(lost).toEqual([]);
    for (const end of ends) end();
  });

  test('tell whoever has lost its shard, and nobody else', async () => {
    const { ends, lost } = await claimed('taken', 3);
    await world.database.run(`update projection.shards set owner = 'other/1' where name = 'taken' and shard = 1`);
    await renewed();
    expect(lost).toEqual([1]);
    for (const end of ends) end();
  });

  test('do not wait for a shard that is being written', async () => {
    const { ends, lost, leases } = await claimed('written', 2);
    const before = await leases();
    await world.database.transaction(async (tx) => {
      await tx.run(`select 1 from projection.shards where name = 'written' and shard = 0 for update`);
      await renewed();
      const [written, other] = await leases();
      expect(written).toBe(before[0]);
      expect(other).toBeGreaterThan(before[1]!);
    });
    expect(lost).toEqual([]);
    for (const end of ends) end();
  });

  test('are left to run out by those who gave their shard back', async () => {
    const { checkpoints, ends, lost, leases } = await claimed('given', 1);
    ends[0]!();
    await renewed();
    const before = await leases();
    await renewed();
    expect(await leases()).toEqual(before);
    await checkpoints[0]!.release();
    await renewed();
    expect(lost).toEqual([]);
  });
});
