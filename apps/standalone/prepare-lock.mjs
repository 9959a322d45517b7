import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const WAIT_MS = 600_000;

/**
 * Waits until no other process holds the file, at most ten minutes, and takes it. The lock of a process that is gone
 * is taken over, once the programs that it started for its work are gone as well: npm goes on when its parent is
 * killed. Calls `waiting` once when it has to wait.
 * @param {string} path
 * @param {() => void} waiting
 */
export async function prepareLock(path, waiting) {
  const own = holderLine(process.pid);
  const draft = `${path}.${process.pid}`;
  let hasSaid = false;
  for (const deadline = Date.now() + WAIT_MS; ; await pause(100)) {
    writeFileSync(draft, own);
    try {
      // A link is made whole or not at all: no process reads a lock that has no content yet.
      linkSync(draft, path);
      return {
        release: () => rmSync(path, { force: true }),
        /** @param {number} pid */
        alsoHeldBy: (pid) => {
          writeFileSync(draft, `${own}\n${holderLine(pid)}`);
          renameSync(draft, path);
        },
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const holder = content(path);
    if (holder !== '' && !lives(holder)) {
      takeAway(path, holder);
      continue;
    }
    if (!hasSaid) waiting();
    hasSaid = true;
    if (Date.now() > deadline)
      throw Object.assign(
        new Error(
          `Process ${holder.split(' ')[0]} has been preparing this folder for ten minutes; stop it and start again.`,
        ),
        { name: 'StartRefused' },
      );
  }
}

/** Of several that see the same leftover, one gets to rename it; a rival's new lock caught by mistake goes back. */
function takeAway(path, leftover) {
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
    if (content(aside) !== leftover) linkSync(aside, path);
  } catch {
    // Another process was faster.
  }
  rmSync(aside, { force: true });
}

function content(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const holderLine = (pid) => `${pid} ${birth(pid)}`;
const lives = (holders) => holders.split('\n').some(isAlive);

function isAlive(holder) {
  const [pid, born] = holder.split(' ');
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return birth(pid) === born;
}

/** The start time of a process, where the system tells it simply: a recycled pid has another one, a zombie none. */
function birth(pid) {
  const stat = content(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' ? 'unknown' : fields[0] === 'Z' ? 'ended' : fields[19];
}
