import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settlesWithin, until } from '../../../test/support/timing.js';
import { wireTo } from '../../../test/support/wire.js';
import { DependencyUnavailable } from '../dependency-unavailable.js';
import { startBundledPostgres, type BundledPostgres } from './bundled-postgres.js';
import { Database } from './database.js';

let folder: string;
let postgres: BundledPostgres;
let database: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-database-'));
  postgres = await startBundledPostgres(folder, () => undefined);
  database = new Database(postgres.url, { max: 3 });
  await database.run('create table kept (id int primary key, position bigint)');
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const KEEP = { name: 'keep', text: 'insert into kept values ($1, $2) returning position' };
const serverPid = () => Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('the database', () => {
  it('answers bigint columns as BigInt, beyond what a number holds', async () => {
    expect(await database.query(KEEP, [1, 9007199254740993n])).toEqual([{ position: 9007199254740993n }]);
  });

  it('answers the rows of the last of several statements', async () => {
    expect(await database.run('select 1 as n; select 2 as n')).toEqual([{ n: 2 }]);
  });

  it('hands on what the server says about a statement, and keeps the connection', async () => {
    const [before] = await database.run<{ pid: number }>('select pg_backend_pid() as pid');
    await expect(database.query(KEEP, [1, 1n])).rejects.toMatchObject({ code: '23505' });
    expect(await database.run('select pg_backend_pid() as pid')).toEqual([before]);
  });

  it('commits a transaction as a whole or not at all', async () => {
    await database.transaction(async (tx) => {
      await tx.query(KEEP, [10, 1n]);
      await tx.run('insert into kept values ($1, $2)', [11, 1n]);
    });
    const failing = database.transaction(async (tx) => {
      await tx.query(KEEP, [12, 1n]);
      await tx.query(KEEP, [10, 1n]);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await database.run('select id from kept where id >= 10 order by id')).toEqual([{ id: 10 }, { id: 11 }]);
  });

  it('sends the statements of a transaction without waiting for answers, where the caller does not', async () => {
    const wire = await wireTo(postgres.url);
    const other = new Database(wire.url, { max: 1, budgetMs: 1000 });
    try {
      const taken = other.transaction(async (tx) => {
        wire.mute();
        await Promise.all([1, 2].map((n) => tx.run(`select pg_advisory_xact_lock(77, ${n})`)));
      });
      const ended = expect(taken).rejects.toThrow(DependencyUnavailable);
      await until(
        async () =>
          (await database.run(`select 1 from pg_locks where locktype = 'advisory' and classid = 77`)).length === 2,
      );
      await ended;
    } finally {
      await Promise.all([other.close(), wire.close()]);
    }
  });

  it('names the statement that was refused first, of those that are sent together', async () => {
    const insert = (id: number) => `insert into kept values (${id}, 1)`;
    const together = database.transaction((tx) =>
      Promise.all([insert(30), 'select 1 / 0', insert(31)].map((text) => tx.run(text))),
    );
    await expect(together).rejects.toMatchObject({ code: '22012' });
    expect(await database.run('select 1 from kept where id between 30 and 31')).toEqual([]);
  });

  it('stops a statement that takes too long and says that the database is unavailable', async () => {
    await expect(database.run('select pg_sleep(10)')).rejects.toBeInstanceOf(DependencyUnavailable);
    expect(
      await database.run(
        `select count(*)::int as n from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()`,
      ),
    ).toEqual([{ n: 0 }]);
  });

  it('answers within 2 s when the server hangs, however many ask, and works again afterwards', async () => {
    const hung = serverPid();
    const backends = await database.run<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend'`,
    );
    const all = [hung, ...backends.map((row) => row.pid)];
    all.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    try {
      const asked = [
        ...Array.from({ length: 8 }, () => database.run('select 1')),
        database.transaction((tx) => tx.run('select 1')),
      ];
      const outcomes = Promise.all(
        asked.map((one) =>
          one.then(
            () => null,
            (error: unknown) => error,
          ),
        ),
      );
      const answered = [...asked, database.reachable()].map((one) => settlesWithin(2000, one));
      expect(await Promise.all(answered)).toEqual(answered.map(() => true));
      expect((await outcomes).every((outcome) => outcome instanceof DependencyUnavailable)).toBe(true);
      expect(await database.reachable()).toBe(false);
    } finally {
      all.forEach((pid) => process.kill(pid, 'SIGCONT'));
    }
    await until(() => database.reachable());
  });

  it('makes a connection again that was cut while it was being made, for the same call', async () => {
    const wire = await wireTo(postgres.url);
    const other = new Database(wire.url, { max: 2 });
    try {
      wire.mute();
      const asked = Promise.all([other.run('select 1 as n'), other.transaction((tx) => tx.run('select 2 as n'))]);
      await until(() => wire.clients() === 2);
      wire.restore();
      expect(await asked).toEqual([[{ n: 1 }], [{ n: 2 }]]);
      // A server that is gone is not waited for.
      wire.cut();
      await expect(other.run('select 1')).rejects.toBeInstanceOf(DependencyUnavailable);
    } finally {
      await other.close();
      await wire.close();
    }
  });

  it('works again by itself after the server was killed and has come back', async () => {
    const killed = serverPid();
    process.kill(killed, 'SIGKILL');
    await until(() =>
      database.run('select 1').then(
        () => false,
        (error: unknown) => error instanceof DependencyUnavailable,
      ),
    );
    await until(() => database.reachable());
    await database.query(KEEP, [20, 1n]);
  });
});

describe('listening', () => {
  it('hears notifications, and is called once more after a lost connection', async () => {
    const heard: (string | undefined)[] = [];
    const others: (string | undefined)[] = [];
    const stops = [
      database.listen('news', (payload) => heard.push(payload)),
      database.listen('other', (payload) => others.push(payload)),
    ];
    await until(() => heard.length === 1 && others.length === 1);
    await database.run(`select pg_notify('news', 'first')`);
    await until(() => heard.length === 2);
    await database.run(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assent listener'`,
    );
    await until(() => heard.length === 3 && others.length === 2);
    await database.run(`select pg_notify('news', 'second')`);
    await until(() => heard.length === 4);
    expect(heard).toEqual([undefined, 'first', undefined, 'second']);
    stops.forEach((stop) => stop());
    await until(
      async () =>
        (await database.run(`select 1 from pg_stat_activity where application_name = 'assent listener'`)).length === 0,
    );
  });
});
