import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartRefused } from '../start-refused.js';
import { folderRefusal, secretFile, syncFolder } from './data-folder.js';
import { socketFits } from './postgres-socket.js';
import {
  postgresBinaries,
  SERVER_ENVIRONMENT,
  serverUser,
  type PostgresBinaries,
  type ServerUser,
} from './postgres-binaries.js';

/** A database cluster on disk, ready to be served. */
export interface Cluster {
  /** The data folder of Assent. */
  folder: string;
  /** Where Postgres keeps its files; a real path. */
  pgdata: string;
  binaries: PostgresBinaries;
  user: ServerUser;
  password: string;
}

/** Where the cluster goes when the server's user cannot get access inside the data folder. */
const ELSEWHERE = '/var/lib/assent';

/** Opens the cluster in `<dataFolder>/postgres`, or makes it there: 0.6 to 1.1 s, once. */
export async function openCluster(dataFolder: string, log: (line: string) => void): Promise<Cluster> {
  const folder = realpathSync(dataFolder);
  const place = join(folder, 'postgres');
  const passwordFile = join(folder, 'postgres.password');
  if (existsSync(join(place, 'PG_VERSION')) && !existsSync(passwordFile))
    throw new StartRefused(`${passwordFile} is missing beside its database; restore it from your backup.`);
  const password = (await secretFile(passwordFile, 24)).toString('hex');
  const user = serverUser();
  const binaries = postgresBinaries(user);
  for (const left of readdirSync(folder))
    if (left.startsWith('postgres.new-')) rmSync(join(folder, left), { recursive: true, force: true, maxRetries: 5 });
  if (!lstatSync(place, { throwIfNoEntry: false })) {
    log('creating the database');
    await create(folder, place, binaries, user, log);
  }
  return existing({ folder, pgdata: place, binaries, user, password });
}

async function create(
  folder: string,
  place: string,
  binaries: PostgresBinaries,
  user: ServerUser,
  log: (line: string) => void,
): Promise<void> {
  const id = randomBytes(8).toString('hex');
  // Made aside and renamed: an initdb that was interrupted leaves nothing that looks like a database.
  const draft = join(folder, `postgres.new-${id}`);
  const failure = await initialise(draft, join(folder, 'postgres.password'), binaries, user);
  if (failure === null) {
    renameSync(draft, place);
  } else {
    if (user.uid === undefined || !isAboutRights(failure)) throw explain(failure, place);
    const real = join(ELSEWHERE, id);
    mkdirSync(ELSEWHERE, { recursive: true, mode: 0o755 });
    const passwordFile = `${real}.password`;
    copyFileSync(join(folder, 'postgres.password'), passwordFile);
    const second = await initialise(real, passwordFile, binaries, user).finally(() => rmSync(passwordFile));
    if (second !== null) throw explain(second, real);
    symlinkSync(real, place);
    log(`the database is kept in ${real}: its server may not work inside ${folder}`);
  }
  await syncFolder(folder);
}

/** Runs initdb into a new folder. Answers what it said when it failed. */
async function initialise(
  pgdata: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  user: ServerUser,
): Promise<string | null> {
  try {
    mkdirSync(pgdata, { mode: 0o700 });
    // The password file goes to the server's user too: opening it again through /proc asks for the right to read it.
    if (user.uid !== undefined) for (const path of [pgdata, passwordFile]) chownSync(path, user.uid, user.gid!);
    const opened = [openSync(pgdata, 'r'), openSync(passwordFile, 'r')];
    try {
      const initdb = spawn(
        join(binaries.bin, 'initdb'),
        [
          '-D',
          inherited(user, 3, pgdata),
          `--pwfile=${inherited(user, 4, passwordFile)}`,
          '--username=assent',
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          '--no-instructions',
        ],
        { ...user, cwd: '/', env: SERVER_ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe', ...opened] },
      );
      let said = '';
      initdb.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text));
      const code = await new Promise((resolve, reject) => initdb.on('error', reject).on('close', resolve));
      if (code === 0) return null;
      rmSync(pgdata, { recursive: true, force: true });
      return said.trim() || `initdb ended with ${String(code)}`;
    } finally {
      opened.forEach(closeSync);
    }
  } catch (error) {
    rmSync(pgdata, { recursive: true, force: true });
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/**
 * As root the server's user may not traverse the folders above (/root, `mktemp -d`, our own 0700). A descriptor that
 * the child inherits leads there all the same: links in /proc/self/fd ask for rights at their target alone.
 */
const inherited = (user: ServerUser, descriptor: number, path: string): string =>
  user.uid !== undefined && process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : path;

function existing(cluster: Cluster): Cluster {
  const { pgdata, user, binaries } = cluster;
  try {
    const { uid, gid } = statSync(pgdata);
    const written = readFileSync(join(pgdata, 'PG_VERSION'), 'utf8').trim();
    if (written !== binaries.major) {
      throw new StartRefused(
        `${pgdata} was written by Postgres ${written}, this release brings ${binaries.major}; start the former release, write "assent backup <folder>" with it, and bring that with "assent restore <folder>" of this release into a new ASSENT_DATA that holds master.key.`,
      );
    }
    // Data that an ordinary user made stays theirs, also when root starts the server later.
    const owner = user.uid !== undefined && uid !== 0 ? { uid, gid } : user;
    return { ...cluster, user: owner, pgdata: realpathSync(pgdata) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new StartRefused(
        `${pgdata} holds no Postgres data; restore it from your backup, or remove it to begin empty.`,
        { cause: error },
      );
    }
    throw folderRefusal(pgdata, error);
  }
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '64MB',
  // A process opens up to 18; tests run eight of them side by side, and others beside those.
  max_connections: '250',
  max_wal_size: '512MB',
  // Its three workers would only prefetch what these few buffers hold.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements stay out of the log: their details repeat values, and values are personal.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/** Starts the server in a session of its own, so that Ctrl-C in a terminal does not reach it before we have drained. */
export function spawnServer(
  { pgdata, user, binaries }: Cluster,
  port: number,
  logFile: string,
  withSocket = socketFits(pgdata, port),
): ChildProcess {
  const opened = [openSync(logFile, 'a', 0o600), openSync(pgdata, 'r')];
  try {
    const place = inherited(user, 3, pgdata);
    const own = { ...SETTINGS, unix_socket_directories: withSocket ? place : '' };
    const settings = Object.entries(own).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const stdio: StdioOptions = ['ignore', opened[0]!, opened[0]!, opened[1]!];
    const server = spawn(join(binaries.bin, 'postgres'), ['-D', place, '-p', String(port), ...settings], {
      ...user,
      cwd: '/',
      env: SERVER_ENVIRONMENT,
      detached: true,
      stdio,
    });
    server.unref();
    return server;
  } finally {
    opened.forEach(closeSync);
  }
}

const isAboutRights = (said: string): boolean =>
  /permission denied|not permitted|could not (access|open) directory|^E(PERM|ACCES|INVAL|NOTSUP)$/i.test(said);

/** One sentence that says what to do, made from the output of initdb or the server. */
export function explain(said: string, place: string): StartRefused {
  if (/no space left|ENOSPC/i.test(said))
    return new StartRefused(
      `There is no room for the database in ${place}; free at least 200 MB, or set ASSENT_DATA to another folder.`,
    );
  if (/read-only file system|EROFS/i.test(said))
    return new StartRefused(
      `${place} is on a read-only file system; mount it writable, or set ASSENT_DATA to another folder.`,
    );
  // initdb asks for the name of its user: containers started with an arbitrary user id have none.
  if (/could not look up effective user/i.test(said))
    return new StartRefused(
      `The user id ${process.geteuid?.()} has no entry in /etc/passwd, without which Postgres cannot make a database; start Assent as a user that has one, or set DATABASE_URL to a Postgres of your own.`,
    );
  if (isAboutRights(said))
    return new StartRefused(
      `The server of the database may not work in ${place}; give the folder to the user that runs Assent (chown -R), or set ASSENT_DATA to another folder.`,
    );
  const last =
    said
      .split('\n')
      .filter((line) => /FATAL|PANIC|error/i.test(line))
      .at(-1) ?? said.split('\n').at(-1)!;
  return new StartRefused(
    `The bundled Postgres does not start in ${place}: ${last.replace(/^.*?(FATAL|PANIC|error): */i, '')}; or set DATABASE_URL to a Postgres of your own.`,
  );
}
