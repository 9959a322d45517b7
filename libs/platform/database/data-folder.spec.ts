import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder, secretFile } from './data-folder.js';
import { runningProcess } from './running-process.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockOf = (pid: number, birth: string | undefined) =>
  writeFileSync(join(folder, 'assent.lock'), JSON.stringify({ pid, birth }));

describe('the data folder', () => {
  it('is made where it is missing, for our user alone', async () => {
    const opened = await openDataFolder(join(folder, 'deep', 'data'));
    expect(statSync(opened.path).mode & 0o777).toBe(0o700);
    await opened.release();
    expect(readdirSync(opened.path)).toEqual([]);
  });

  it('is refused while another process uses it, naming the process', async () => {
    const opened = await openDataFolder(folder);
    await expect(openDataFolder(folder)).rejects.toThrow(`Another Assent (pid ${process.pid}) already uses ${folder}`);
    await opened.release();
    await (await openDataFolder(folder)).release();
  });

  it('is taken over from a process that died', async () => {
    const died = spawn(process.execPath, ['-e', '']);
    const birth = runningProcess(died.pid!)?.birth;
    await once(died, 'exit');
    lockOf(died.pid!, birth);
    await (await openDataFolder(folder)).release();
  });

  it('is taken over when the pid of the lock belongs to another program by now', async () => {
    lockOf(process.pid, 'an earlier start');
    await (await openDataFolder(folder)).release();
  });

  it('goes to exactly one of many that find the same leftover lock', async () => {
    lockOf(process.pid, 'an earlier start');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openDataFolder(folder)));
    const opened = outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value] : []));
    expect(opened).toHaveLength(1);
    await opened[0]!.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused in one sentence where it cannot be', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(openDataFolder(join(folder, 'file'))).rejects.toMatchObject({
      name: 'StartRefused',
      message: expect.stringContaining('not a folder'),
    });
    await expect(openDataFolder('/proc/assent/data')).rejects.toMatchObject({ name: 'StartRefused' });
  });
});

describe('a secret file', () => {
  it('is made once, readable for nobody else, and read again the next time', async () => {
    const path = join(folder, 'master.key');
    const made = await Promise.all([secretFile(path, 32), secretFile(path, 32), secretFile(path, 32)]);
    expect(made[0]).toHaveLength(32);
    expect(made[1]).toEqual(made[0]);
    expect(made[2]).toEqual(made[0]);
    expect(await secretFile(path, 32)).toEqual(made[0]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['master.key']);
  });

  it('is refused, not replaced, when it is damaged', async () => {
    const path = join(folder, 'master.key');
    writeFileSync(path, 'abc');
    await expect(secretFile(path, 32)).rejects.toMatchObject({ name: 'StartRefused' });
    expect(readFileSync(path, 'utf8')).toBe('abc');
  });
});
