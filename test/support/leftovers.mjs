import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PREFIX = 'assent-run-';
const OWNER = '.owner';
/** Those who clean up after a killed test get this long before they are taken for left over, in ms. */
const PATIENCE_MS = 10_000;
/** Linux keeps there what is in memory alone. */
const MEMORY = '/dev/shm';
/** A run needs some two gigabytes: databases of three hundred tests, with five hundred files each. */
const ROOM_BYTES = 12 * 1024 ** 3;

/**
 * A folder for everything temporary of one test run. Whoever finds it later can tell whether its run still lives. In
 * memory where there is plenty: to make and to remove that many files takes a minute of a disk, and minutes of a busy one.
 */
export function openRunFolder() {
  const folder = mkdtempSync(join(isRoomy(MEMORY) ? MEMORY : realpathSync(tmpdir()), PREFIX));
  writeFileSync(join(folder, OWNER), `${process.pid} ${birth(process.pid)}`);
  return folder;
}

const GUARD = `
read -r folder
while read -r line; do last=$line; done
[ "$last" = closed ] || exec "$1" "$2" "$folder"
`;

/**
 * Sees to it that a run whose own process is killed leaves nothing behind: a shell that reads until its input ends, and
 * then closes the folder. It hears the folder's name, rather than to be called with it: who names it belongs to the run.
 * @param {string} folder
 * @returns {{ dismiss(): void }} `dismiss` is for whoever has closed the folder.
 */
export function guardRunFolder(folder) {
  const program = fileURLToPath(new URL('close-run.mjs', import.meta.url));
  // In a session of its own: Ctrl-C is for the tests, not for who cleans up after them.
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', process.execPath, program], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  guard.stdin.on('error', () => undefined);
  guard.unref();
  guard.stdin.unref?.();
  guard.stdin.write(`${folder}\n`);
  return { dismiss: () => void guard.stdin.end('closed\n') };
}

/** Ends what earlier runs that were killed left running, and removes their folders. Answers how many there were. */
export async function clearEarlierRuns() {
  let cleared = 0;
  for (const place of [realpathSync(tmpdir()), MEMORY])
    for (const name of list(place)) {
      if (!name.startsWith(PREFIX) || ownerLives(join(place, name))) continue;
      await closeRunFolder(join(place, name), 0);
      cleared += 1;
    }
  return cleared;
}

/** Whether a run has room there, in the folder itself and in the memory that this process may use, and may start programs. */
function isRoomy(place) {
  return attempt(() => {
    accessSync(place, constants.W_OK);
    const { bavail, bsize } = statfsSync(place);
    const [, , , options = ''] = read('/proc/mounts')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, at]) => at === place);
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES && !options.split(',').includes('noexec');
  }, false);
}

/** What still runs out of the folder, each by its id and how it was called. */
export const programsOf = (folder) =>
  processesOf(folder).map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);

/** Ends whatever still runs out of the folder, then removes it. Answers the ids of what it had to end. */
export async function closeRunFolder(folder, patienceMs = PATIENCE_MS) {
  const keepers = () =>
    processesOf(folder).filter((pid) => read(`/proc/${pid}/cmdline`).split('\0').includes('keeper'));
  await gone(() => processesOf(folder), patienceMs);
  const left = processesOf(folder).filter((pid) => !keepers().includes(pid));
  // Those who keep a test's folder first get to do what they are there for.
  for (const pid of left) kill(pid, 'SIGKILL');
  await gone(keepers, PATIENCE_MS);
  for (const pid of processesOf(folder)) kill(pid, 'SIGKILL');
  await gone(() => processesOf(folder), 3_000);
  try {
    for (const linked of databasesOf(folder)) rmSync(linked, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    console.error(`${folder} stays: ${error.message}`);
  }
  return left;
}

async function gone(processes, withinMs) {
  for (const deadline = Date.now() + withinMs; processes().length > 0 && Date.now() < deadline;) await pause(100);
}

/** Whoever was started for the run names its folder somewhere; a database server, which is told little, says in its folder who it is. */
function processesOf(folder) {
  const found = new Set();
  for (const pid of list('/proc').filter((name) => /^\d+$/.test(name))) {
    const named = read(`/proc/${pid}/environ`).includes(folder) || read(`/proc/${pid}/cmdline`).includes(folder);
    if (named && isAlive(pid)) found.add(Number(pid));
  }
  for (const place of databasesOf(folder)) {
    const pid = read(join(place, 'postmaster.pid')).split('\n')[0];
    if (pid && isAlive(pid) && read(`/proc/${pid}/cmdline`).includes('postgres')) found.add(Number(pid));
  }
  found.delete(process.pid);
  return [...found];
}

/** Real paths of the databases in the folder; as root one may have been put elsewhere, with a link to it. */
function databasesOf(folder) {
  return list(folder).flatMap((name) =>
    ['postgres', 'data/postgres'].flatMap((place) => resolved(join(folder, name, place))),
  );
}

function ownerLives(folder) {
  const [pid, born] = read(join(folder, OWNER)).split(' ');
  // One that is being made names its owner in a moment.
  if (!pid) return attempt(() => Date.now() - statSync(folder).mtimeMs < 60_000, true);
  return isAlive(pid) && birth(pid) === born;
}

function isAlive(pid) {
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return birth(pid) !== 'ended';
}

/** The start time of a process, where the system tells it simply: a recycled id has another one. */
function birth(pid) {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? 'unknown' : fields[0] === 'Z' ? 'ended' : fields[19];
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It went by itself.
  }
}

const attempt = (run, otherwise) => {
  try {
    return run();
  } catch {
    return otherwise;
  }
};
const read = (path) => attempt(() => readFileSync(path, 'utf8'), '');
const list = (path) => attempt(() => readdirSync(path), []);
const resolved = (path) => attempt(() => [realpathSync(path)], []);
