import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const PREFIX = 'assent-run-';
const OWNER = '.owner';
/** Those who clean up after a killed test get this long before they are taken for left over, in ms. */
const PATIENCE_MS = 10_000;

/** A folder for everything temporary of one test run. Whoever finds it later can tell whether its run still lives. */
export function openRunFolder() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), PREFIX));
  writeFileSync(join(folder, OWNER), `${process.pid} ${birth(process.pid)}`);
  return folder;
}

/** Ends what earlier runs that were killed left running, and removes their folders. Answers how many there were. */
export async function clearEarlierRuns() {
  const place = realpathSync(tmpdir());
  let cleared = 0;
  for (const name of readdirSync(place)) {
    if (!name.startsWith(PREFIX) || ownerLives(join(place, name))) continue;
    await closeRunFolder(join(place, name));
    cleared += 1;
  }
  return cleared;
}

/** Ends whatever still runs out of the folder, then removes it. What belongs to another user stays. Answers the ids of what it had to end. */
export async function closeRunFolder(folder) {
  for (const deadline = Date.now() + PATIENCE_MS; processesOf(folder).length > 0 && Date.now() < deadline; ) await pause(100);
  const left = processesOf(folder);
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    for (const pid of processesOf(folder)) kill(pid, signal);
    for (const deadline = Date.now() + 3_000; processesOf(folder).length > 0 && Date.now() < deadline; ) await pause(50);
  }
  try {
    for (const linked of databasesOf(folder)) rmSync(linked, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    console.error(`${folder} stays: ${error.message}`);
  }
  return left;
}

/** Node processes inherit TMPDIR; a database server does not, but says in its folder who it is. */
function processesOf(folder) {
  const found = new Set();
  for (const pid of list('/proc').filter((name) => /^\d+$/.test(name))) {
    if (read(`/proc/${pid}/environ`).split('\0').includes(`TMPDIR=${folder}`) && isAlive(pid)) found.add(Number(pid));
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
  return list(folder).flatMap((name) => ['postgres', 'data/postgres'].flatMap((place) => resolved(join(folder, name, place))));
}

function ownerLives(folder) {
  const [pid, born] = read(join(folder, OWNER)).split(' ');
  return pid !== undefined && pid !== '' && isAlive(pid) && birth(pid) === born;
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
