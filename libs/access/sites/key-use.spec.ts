import { randomBytes } from 'node:crypto';
import { Database } from '../../engines/database/database.js';
import { migrate } from '../../engines/database/migrate.js';
import { CreateKeyUse1763740000001 } from './key-use.migration.js';
import { KeyUse } from './key-use.js';

const shared = process.env['ASSENT_TEST_POSTGRES']!;
const name = `key_use_${randomBytes(6).toString('hex')}`;
const url = Object.assign(new URL(shared), { pathname: `/${name}` }).href;
const IDS = ['key_a', 'key_b', 'key_c'];
let admin: Database;
let database: Database;
beforeAll(async () => {
  admin = new Database(shared, { max: 1, budgetMs: 20_000 });
  await admin.run(`create database ${name}`);
  await migrate(url, [CreateKeyUse1763740000001]);
  database = new Database(url);
});
beforeEach(() => database.run('truncate write.key_use'));
afterAll(async () => {
  await database.close();
  await admin.run(`drop database if exists ${name} with (force)`);
  await admin.close();
});

/** Counts what it is asked to write. */
function watched(): { uses: KeyUse; set: (at: string) => void; writes: () => number } {
  let now = '2026-11-21T12:34:56.789Z';
  let writes = 0;
  const counting = {
    run: database.run.bind(database),
    query: (...of: Parameters<Database['query']>) => (
      (writes += Number(of[0].name === 'key_use_write')),
      database.query(...of)
    ),
  } as Database;
  return { uses: new KeyUse(counting, () => now), set: (at) => (now = at), writes: () => writes };
}

describe('the use of keys', () => {
  it('is known by the hour, null where there was none, of all processes', async () => {
    const [here, there] = [watched().uses, watched().uses];
    here.note('key_a');
    there.note('key_b');
    await there.write();
    expect(await here.lastUsed(IDS)).toEqual(
      new Map([
        ['key_a', '2026-11-21T12:00:00.000Z'],
        ['key_b', '2026-11-21T12:00:00.000Z'],
      ]),
    );
  });

  it('costs one statement for all keys, and a key one an hour', async () => {
    const { uses, set, writes } = watched();
    const use = async () => {
      for (let i = 0; i < 100; i++) for (const id of IDS) uses.note(id);
      await uses.write();
    };
    await use();
    await use();
    expect(writes()).toBe(1);
    set('2026-11-21T13:00:00.000Z');
    await use();
    expect(writes()).toBe(2);
    expect((await uses.lastUsed(['key_a'])).get('key_a')).toBe('2026-11-21T13:00:00.000Z');
  });

  it('never goes back, whichever instance writes last', async () => {
    const [late, early] = [watched(), watched()];
    late.set('2026-11-21T15:00:00.000Z');
    late.uses.note('key_a');
    early.uses.note('key_a');
    await late.uses.write();
    await early.uses.write();
    expect((await early.uses.lastUsed(['key_a'])).get('key_a')).toBe('2026-11-21T15:00:00.000Z');
  });

  it('waits while the database is away, and is not called unknown meanwhile', async () => {
    const { uses, set } = watched();
    uses.note('key_a');
    await database.run('alter table write.key_use rename to away');
    await expect(uses.write()).rejects.toThrow();
    await expect(uses.lastUsed(IDS)).rejects.toThrow();
    await database.run('alter table write.away rename to key_use');
    set('2026-11-21T17:00:00.000Z');
    expect([...(await uses.lastUsed(IDS))]).toEqual([['key_a', '2026-11-21T12:00:00.000Z']]);
  });

  it('is written when the process stops', async () => {
    const { uses } = watched();
    uses.start();
    uses.note('key_c');
    await uses.stop();
    expect((await watched().uses.lastUsed(['key_c'])).size).toBe(1);
  });
});
