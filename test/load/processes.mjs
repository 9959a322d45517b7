import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** A tick of /proc is a hundredth of a second on every Linux that Node runs on. */
const TICK_US = 10_000;

const content = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const fieldsOf = (pid) => {
  const stat = content(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Where /proc names utime, stime, cutime and cstime: its own time, and that of its children that have ended. */
const TIMES = [11, 12, 13, 14];
const ticksOf = (pid) => {
  const fields = fieldsOf(pid);
  return TIMES.reduce((sum, at) => sum + Number(fields[at]), 0);
};

/**
 * Microseconds of processor time that these processes have used so far, those that they started and that have ended
 * included, such as connections of Postgres; NaN where the system does not tell.
 */
export const cpuUs = (pids) => pids.reduce((sum, pid) => sum + ticksOf(pid) * TICK_US, 0);

/** Resident memory in MB; NaN where the system does not tell. */
export const residentMb = (pid) => Number(/^VmRSS:\s+(\d+) kB/m.exec(content(`/proc/${pid}/status`))?.[1]) / 1024;

/** The Postgres that keeps its data below a folder of ours: the server and all its backends. */
export function postgresPids(dataFolder) {
  const server = content(`${dataFolder}/postgres/postmaster.pid`).split('\n', 1)[0];
  if (server === '') return [];
  let pids = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldsOf(name)[1] === server);
  } catch {
    // No /proc: no processor times either.
  }
  return [server, ...pids];
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** What was started and has not ended. */
const running = new Set();

/** Has a process end with the bench, also where that is cut off. */
export function ours(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** What ends what those processes use. */
const stops = new Set();

/** Has it end after all processes of ours where the bench is cut off. It ends once, however often it is asked to. */
export function oursToStop(stop) {
  let stopping = null;
  const once = () => (stopping ??= stop().finally(() => stops.delete(once)));
  stops.add(once);
  return once;
}

/** Asks all that still run to end, and waits until they have. */
export async function endAll() {
  await Promise.all([...running].map(stopped));
  // One that cannot be ended must not keep the bench from ending.
  await Promise.allSettled([...stops].map((stop) => stop()));
}

/** A process of ours that tells when it is ready. Its first message is answered with it. */
export async function startChild(script, args = [], options = {}) {
  const child = ours(fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...options }));
  const ready = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it was ready`)));
  });
  return { child, ready, pid: child.pid, stop: () => stopped(child) };
}

/** Asks a process to end, and waits until it has. */
export function stopped(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const hard = setTimeout(() => child.kill('SIGKILL'), 15_000);
    child.once('exit', () => {
      clearTimeout(hard);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
