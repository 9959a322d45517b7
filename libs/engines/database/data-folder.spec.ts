import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderRefusal, openDataFolder, secretFile } from './data-folder.js';
import { runningProcess } from './running-process.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assent-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The lock as a process leaves it that was killed: a folder with one file, named after its holder. */
function leaveLock(pid: number, birth: string): void {
  mkdirSync(join(folder, 'assent.holder'));
  writeFileSync(join(folder, 'assent.holder', `${pid}.${birth}.0123456789abcdef`), '');
}

describe('the data folder', () => {
  it('is made where it is missing, for our user alone', async () => {
    const opened = await openDataFolder(join(folder, 'deep', 'data'));
    expect(statSync(opened.path).mode & 0o777).toBe(0o700);
    await opened.release();
    expect(readdirSync(opened.path)).toEqual(['assent.holder']);
  });

  it.each(['ENOENT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT', 'ENAMETOOLONG', 'ELOOP'])(
    'says after %s in a whole sentence what is wrong and what to do',
    (code) =>
      expect((folderRefusal('/srv/assent', Object.assign(new Error(), { code })) as Error).message).toMatch(
        /^\/srv\/assent (is|cannot be) [^;]+; (remove|make|give|mount|shorten) [^;]+, or set ASSENT_DATA to another folder\.$/,
      ),
  );

  it('is refused while another process uses it, naming the process', async () => {
    const opened = await openDataFolder(folder);
    await expect(openDataFolder(folder)).rejects.toThrow(`Another Assent (pid ${process.pid}) already uses ${folder}`);
    await opened.release();
    await (await openDataFolder(folder)).release();
  });

  it('is taken over from a process that died', async () => {
    const died = spawn(process.execPath, ['-e', '']);
    const { birth } = runningProcess(died.pid!)!;
    await once(died, 'exit');
    leaveLock(died.pid!, birth);
    await (await openDataFolder(folder)).release();
  });

  it('is taken over when the pid of the lock belongs to another program by now', async () => {
    leaveLock(process.pid, 'an-earlier-start');
    await (await openDataFolder(folder)).release();
  });

  it.each([
    ['find no lock', () => undefined],
    ['find the same leftover lock', () => leaveLock(process.pid, 'an-earlier-start')],
  ])('goes to exactly one of many that %s', async (_, prepare) => {
    prepare();
    // Each round after the first finds the lock that the round before has released.
    for (let round = 0; round < 20; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => openDataFolder(folder)));
      const opened = outcomes.flatMap((o) => (o.status === 'fulfilled' ? [o.value] : []));
      expect(opened).toHaveLength(1);
      for (const o of outcomes)
        if (o.status === 'rejected') expect(o.reason.message).toMatch(`(pid ${process.pid}) already uses`);
      await opened[0]!.release();
    }
    expect(readdirSync(folder)).toEqual(['assent.holder']);
    expect(readdirSync(join(folder, 'assent.holder'))).toHaveLength(1);
  });

  it('is not taken from its holder by a release that comes again', async () => {
    const first = await openDataFolder(folder);
    await first.release();
    const second = await openDataFolder(folder);
    await first.release();
    await expect(openDataFolder(folder)).rejects.toThrow(`(pid ${process.pid}) already uses`);
    await second.release();
  });

  it('is refused where a backup was put over it, saying what to do', async () => {
    leaveLock(process.pid, 'an-earlier-start');
    writeFileSync(join(folder, 'assent.holder', '1.earlier.0'), '');
    await expect(openDataFolder(folder)).rejects.toMatchObject({
      name: 'StartRefused',
      message: expect.stringMatching(/names several holders.+remove it/),
    });
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
  it('is made once, readable for its owner only, and read again the next time', async () => {
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
