import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefused } from '../start-refused.js';
import { runningProcess } from './running-process.js';

/** How often a rival may change the lock between our read and our rename. More tries than this mean another fault. */
const TRIES_MAX = 1000;

export interface FolderLock {
  /** Lets another process take the folder. Idempotent. */
  release(): Promise<void>;
}

/** Another process holds the lock and lives. */
export class FolderHeld extends Error {
  constructor(readonly pid: number) {
    super(`held by pid ${pid}`);
    this.name = 'FolderHeld';
  }
}

/**
 * Keeps every other process out of a folder until `release`. Rejects with FolderHeld while a living process holds it,
 * and with the error of the file system where the folder cannot be written. Takes the lock over from a process that died.
 *
 * The lock is a folder `assent.holder` with exactly one file, and the name of that file is its holder: pid, start time,
 * random digits. A process takes the lock over by renaming the file from the dead holder's name to a name of its own.
 * A rename is one step, and no name is ever used twice. So of all processes that saw the same dead holder exactly one
 * can rename its file, and a slow one finds nothing to rename, however late it comes. The first lock is made in one
 * step too: a draft that holds its file already is renamed to `assent.holder`, which the file system refuses where a
 * lock with a holder stands. Whatever step a process is killed after, there is either no lock or one with one holder.
 *
 * Pid and start time tell whether a holder lives, therefore only among processes that see each other's pids: neither
 * two containers nor two machines (NFS) may share a folder.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const lock = join(folder, 'assent.holder');
  const own = nameOf(process.pid, runningProcess(process.pid)?.birth ?? 'unknown');
  await take(lock, own);
  let released: Promise<void> | null = null;
  return {
    // No process has pid 0, so the next process finds a dead holder.
    release: () => (released ??= renamed(join(lock, own), join(lock, nameOf(0, 'released'))).then(() => undefined)),
  };
}

async function take(lock: string, own: string): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const holders = await holdersOf(lock);
    const living = holders.map(livingPid).find((pid) => pid !== null);
    if (living) throw new FolderHeld(living);
    const [leftover, ...others] = holders;
    if (leftover === undefined) {
      if (await makeLock(lock, own)) return;
    } else if (others.length === 0) {
      if (await renamed(join(lock, leftover), join(lock, own))) return;
    }
    // Two holders can be seen for a moment while a file is renamed, and for ever where a backup was put over a lock.
  }
  throw new StartRefused(`${lock} names several holders; make sure that no Assent uses the folder and remove it.`);
}

async function makeLock(lock: string, own: string): Promise<boolean> {
  const draft = `${lock}.${own}`;
  await mkdir(draft, { mode: 0o700 });
  try {
    await writeFile(join(draft, own), '', { mode: 0o600 });
    return await renamed(draft, lock);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Renames. False where a rival was quicker: the source is gone, or another lock stands at the target. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function holdersOf(lock: string): Promise<string[]> {
  try {
    return await readdir(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const nameOf = (pid: number, birth: string): string => [pid, inName(birth), randomBytes(8).toString('hex')].join('.');
const inName = (birth: string): string => birth.replaceAll(/[^\w:-]/g, '_');

/** The pid of a holder that still runs. The same pid with another start time is another process. */
function livingPid(holder: string): number | null {
  const [pid, birth] = holder.split('.');
  const running = runningProcess(Number(pid));
  return running && inName(running.birth) === birth ? running.pid : null;
}
