import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StartRefused } from '../start-refused.js';
import { FolderHeld, lockFolder } from './folder-lock.js';

export interface DataFolder {
  /** Absolute. */
  path: string;
  /** Lets another process take the folder. Idempotent. */
  release(): Promise<void>;
}

/**
 * Creates the folder (mode 0700) where it is missing, proves that it can be written, and keeps every other process
 * out of it until `release`. Throws StartRefused with what to do about it.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  const folder = resolve(path);
  try {
    await makeFolder(folder, 0o700);
    return { path: folder, ...(await lockFolder(folder)) };
  } catch (error) {
    if (error instanceof FolderHeld) {
      throw new StartRefused(
        `Another Assent (pid ${error.pid}) already uses ${path}; stop it, or set ASSENT_DATA to another folder.`,
      );
    }
    throw folderRefusal(path, error);
  }
}

/** Makes a folder and its parents. mkdir's `recursive` hides causes (ENOENT on a read-only disk) and hangs for /proc/x. */
async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code === 'EEXIST' || code === 'EROFS') && (await isFolder(path))) return;
    if (code !== 'ENOENT' || (await isFolder(dirname(path)))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode });
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * A secret of random bytes in a file of mode 0600, as hex. The first call makes it; two calls at once get the same one.
 * A damaged file is refused and never replaced: a new secret would not open what the old one sealed.
 */
export async function secretFile(path: string, bytes: number): Promise<Buffer> {
  try {
    await createWhole(path, `${randomBytes(bytes).toString('hex')}\n`);
    const text = (await readFile(path, 'utf8')).trim();
    if (!new RegExp(`^[0-9a-f]{${bytes * 2}}$`).test(text)) {
      throw new StartRefused(
        `${path} is damaged: it should hold ${bytes * 2} hex digits; restore it from your backup.`,
      );
    }
    // A restore may have left the file readable for every user. Where another user owns it, it stays as it is.
    await chmod(path, 0o600).catch(() => undefined);
    return Buffer.from(text, 'hex');
  } catch (error) {
    throw folderRefusal(path, error);
  }
}

/** Creates a file that is never seen half written; answers false where there is one already. */
async function createWhole(path: string, content: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    await link(draft, path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await file.close();
    await unlink(draft);
  }
}

/** Makes a new name in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

const REASONS: Record<string, string> = {
  ENOENT: 'cannot be made; make the folder that it stands in',
  EROFS: 'is on a read-only file system; mount it writable',
  EACCES: 'cannot be written by this user; give it to the user that runs Assent (chown)',
  EPERM: 'cannot be written by this user; give it to the user that runs Assent (chown)',
  ENOTDIR: 'is not a folder; remove the file of that name',
  EEXIST: 'is not a folder; remove the file of that name',
  ENOSPC: 'is on a full disk; make room',
  ENAMETOOLONG: 'is too long a name; shorten it',
  ELOOP: 'is a link that leads to itself; remove it',
  EDQUOT: 'is over its disk quota; make room',
};

/** A StartRefused that says why a path of the data folder cannot be used; any other error as it is. */
export function folderRefusal(path: string, error: unknown): unknown {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
  if (!reason) return error;
  return new StartRefused(`${path} ${reason}, or set ASSENT_DATA to another folder.`, { cause: error });
}
