import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { until } from '../../test/support/timing.js';
import type { Database } from '../engines/database/database.js';
import { AWAITED, CheckpointProgress } from './checkpoint-progress.js';
import { Commits } from './commits.js';

/** Longer than a test may take. */
const FOR_EVER_MS = 2 ** 31 - 1;
const LOOK = 'checkpoint-of-live';

let world: LogDatabase;
let asked: string[];
let awaited: number;
let stopListening: () => void;

beforeAll(async () => {
  world = await startLogDatabase();
});
beforeEach(async () => {
  await world.database.run('delete from projection.generations');
  [asked, awaited] = [[], -1];
  // The first call says that listening has begun.
  stopListening = world.database.listen(AWAITED, () => awaited++);
  await until(() => awaited === 0);
});
afterEach(() => stopListening());
afterAll(() => world.stop());

async function projection(name: string, shards = 1): Promise<void> {
  await world.database.run('insert into projection.generations (name, version, live) values ($1, 1, true)', [name]);
  for (let shard = 0; shard < shards; shard++)
    await world.database.run(
      'insert into projection.shards (name, version, shard, shards, position, owner) values ($1, 1, $2, $3, 0, $4)',
      [name, shard, shards, `${name}${shard}`],
    );
}

const moved = (name: string, to: bigint, { shard = 0, shards = 1, from = 0n } = {}): Promise<boolean> =>
  new Commits(world.database).submit({
    move: { name, version: 1, rebuild: 0, shard, shards, owner: `${name}${shard}`, from, to },
    effect: null,
  });

/** The database, which notes the statements that it is asked; without looks or without notifications. */
function watched({ looks = true, notifications = true } = {}): Database {
  const { database } = world;
  return {
    query: async (statement: { name: string; text: string }, values: unknown[]) => {
      asked.push(statement.name);
      return statement.name === LOOK && !looks ? [] : database.query(statement, values);
    },
    listen: (channel: string, hear: (text?: string) => void) =>
      database.listen(channel, (text) => void (notifications && hear(text))),
  } as unknown as Database;
}

describe('waiting for the rows of another process', () => {
  it('ends with the notification of the move, for all who wait', async () => {
    await projection('rows');
    const progress = new CheckpointProgress(watched({ looks: false }), 'rows');
    const waiting = Array.from({ length: 50 }, () => progress.reached(5n, FOR_EVER_MS));
    await until(() => awaited > 0);
    expect(await moved('rows', 4n)).toBe(true);
    await until(() => progress.position() === 4n);
    expect(await moved('rows', 5n, { from: 4n })).toBe(true);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
    expect(asked.filter((name) => name !== LOOK)).toHaveLength(50);
  });

  it('takes the slowest of several shards', async () => {
    await projection('rows', 2);
    const progress = new CheckpointProgress(watched(), 'rows', 1);
    const waiting = progress.reached(5n, FOR_EVER_MS);
    await until(() => awaited > 0);
    await moved('rows', 7n, { shard: 0, shards: 2 });
    await moved('rows', 6n, { shard: 1, shards: 2 });
    expect(await waiting).toBe(true);
    expect(progress.position()).toBe(6n);
  });

  it('ends by a look where the notification is lost', async () => {
    await projection('rows');
    const progress = new CheckpointProgress(watched({ notifications: false }), 'rows');
    const waiting = progress.reached(5n, FOR_EVER_MS);
    await until(() => awaited > 0);
    await moved('rows', 5n);
    expect(await waiting).toBe(true);
  });

  it('ends when its time is over, and rows of another version or name count for nothing', async () => {
    await projection('rows');
    await projection('others');
    const progress = new CheckpointProgress(watched(), 'rows', 2);
    const waiting = progress.reached(5n, 50);
    await moved('rows', 5n);
    await moved('others', 5n);
    expect(await waiting).toBe(false);
    expect(progress.position()).toBe(-1n);
  });

  it('is asked of those that write the rows only where they are not there yet', async () => {
    await projection('rows');
    const progress = new CheckpointProgress(watched(), 'rows');
    await moved('rows', 5n);
    expect(await progress.reached(5n, FOR_EVER_MS)).toBe(true);
    expect(await progress.reached(9n, 0)).toBe(false);
    expect(await progress.reached(6n, 1)).toBe(false);
    await until(() => awaited > 0);
    expect(awaited).toBe(1);
  });
});
