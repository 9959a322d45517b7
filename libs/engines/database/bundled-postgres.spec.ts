import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startBundledPostgres, type BundledPostgres } from './bundled-postgres.js';
import { openCluster, spawnServer } from './postgres-cluster.js';
import { addressOf, socketFiles } from './postgres-socket.js';
import { runningProcess } from './running-process.js';

let folder: string;
let postgres: BundledPostgres | undefined;
let said: string[];
const children: ChildProcess[] = [];

beforeAll(() => {
  // Mode 0700: as root, the server's own user cannot reach it by its path.
  folder = mkdtempSync(join(tmpdir(), 'assent-bundled-'));
});
afterEach(async () => {
  await postgres?.stop();
  postgres = undefined;
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = async () => {
  said = [];
  return (postgres = await startBundledPostgres(folder, (line) => said.push(line)));
};
const pidFile = () => join(folder, 'postgres', 'postmaster.pid');
const serverPid = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

async function ask<R extends pg.QueryResultRow>(sql: string, url = postgres!.url): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client
    .query<R>(sql)
    .then((result) => result.rows)
    .finally(() => client.end());
}

async function eventually(check: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await pause(20)) {
    try {
      return void (await check());
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

describe('the bundled Postgres', () => {
  it('is made on the first start, after an interrupted one as well, durable and for this machine alone', async () => {
    mkdirSync(join(folder, 'postgres.new-interrupted'));
    await start();
    await ask('create table kept (n int); insert into kept values (1)');
    expect(
      await ask(
        `select name, setting from pg_settings where name in ('fsync','synchronous_commit','listen_addresses') order by name`,
      ),
    ).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
    expect(statSync(join(folder, 'postgres.password')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password', 'postgres.port']);
    await expect(ask('select 1', postgres!.url.replace(/:[0-9a-f]+@/, ':wrong@'))).rejects.toThrow(
      'password authentication failed',
    );
  });

  it('is reached through a socket in its folder, and over TCP by who knows nothing of sockets', async () => {
    const { url } = await start();
    const reachedOver = async (address: string) =>
      (await ask<{ over: string | null }>('select host(inet_server_addr()) as over', address))[0]!.over;
    expect(await reachedOver(url)).toBeNull();
    const overTcp = new URL(url);
    overTcp.searchParams.delete('host');
    expect(await reachedOver(overTcp.href)).toBe('127.0.0.1');
  });

  it('does without a socket where its path is too long or its file system has none', async () => {
    const cluster = await openCluster(folder, () => undefined);
    const long = mkdtempSync(join(tmpdir(), 'a'.repeat(90)));
    expect(addressOf(cluster.pgdata.replace(folder, long), 20_000, 'x')).not.toContain('host=');
    rmSync(long, { recursive: true });
    const { url } = await start();
    await postgres!.stop();
    // Stands where the socket would be made, like a file system that refuses it.
    const inTheWay = join(cluster.pgdata, `.s.PGSQL.${new URL(url).port}.lock`);
    mkdirSync(inTheWay);
    await start();
    expect(postgres!.url).not.toContain('host=');
    expect(await ask('select n from kept')).toEqual([{ n: 1 }]);
    await postgres!.stop();
    rmSync(inTheWay, { recursive: true });
  });

  it('keeps its data and its port over a restart, and leaves no process behind', async () => {
    const { url } = await start();
    const pid = serverPid();
    await postgres!.stop();
    expect(runningProcess(pid)).toBeNull();
    expect((await start()).url).toBe(url);
    expect(await ask('select n from kept')).toEqual([{ n: 1 }]);
  });

  it('is started again on the same port when its process is killed', async () => {
    await start();
    const killed = serverPid();
    process.kill(killed, 'SIGKILL');
    await eventually(async () => expect(serverPid()).not.toBe(killed));
    await eventually(() => ask('select n from kept'));
  });

  it('is adopted when the process that started it was killed, and is supervised from then on', async () => {
    const { url } = await start();
    await postgres!.stop();
    // A killed process leaves a server behind that no process supervises.
    spawnServer(await openCluster(folder, () => undefined), Number(new URL(url).port), join(folder, 'postgres.log'));
    await eventually(() => ask('select n from kept'));
    const left = serverPid();
    await start();
    expect(said).toEqual([`adopting the database server that is still running (pid ${left})`]);
    expect(postgres!.url).toBe(url);
    process.kill(left, 'SIGKILL');
    await eventually(async () => expect(serverPid()).not.toBe(left));
    await eventually(() => ask('select n from kept'));
    await postgres!.stop();
    expect(existsSync(pidFile())).toBe(false);
  });

  it('starts when the pid in the leftover lock file belongs to another program', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    children.push(other);
    await once(other, 'spawn');
    await start();
    const lines = readFileSync(pidFile(), 'utf8').split('\n');
    await postgres!.stop();
    writeFileSync(pidFile(), [String(other.pid), ...lines.slice(1)].join('\n'));
    const [socket, socketLock] = socketFiles(join(folder, 'postgres'), Number(lines[3]));
    writeFileSync(socket!, '');
    writeFileSync(socketLock!, `${other.pid}\n`);
    await start();
    expect(await ask('select n from kept')).toEqual([{ n: 1 }]);
    expect(runningProcess(other.pid!)).not.toBeNull();
  });

  it('takes another port when a program listens on its own', async () => {
    const port = Number(readFileSync(join(folder, 'postgres.port'), 'utf8'));
    const other = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen(${port}, '127.0.0.1', () => console.log('up'))`,
    ]);
    children.push(other);
    await once(other.stdout!, 'data');
    expect((await start()).url).not.toContain(`:${port}/`);
    expect(await ask('select n from kept')).toEqual([{ n: 1 }]);
  });

  it('refuses in one sentence what it cannot serve', async () => {
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '9\n');
    await expect(start()).rejects.toMatchObject({
      name: 'StartRefused',
      message: expect.stringContaining('written by Postgres 9'),
    });
    rmSync(join(folder, 'postgres.password'));
    await expect(start()).rejects.toMatchObject({
      name: 'StartRefused',
      message: expect.stringContaining('restore it'),
    });
  });
});
