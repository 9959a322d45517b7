import type { ChildProcess } from 'node:child_process';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { explain, spawnServer, type Cluster } from './postgres-cluster.js';
import { socketFiles, socketFits } from './postgres-socket.js';
import { runningProcess, worksIn } from './running-process.js';

const STOP_MS = 10_000;
const LOG_BYTES_MAX = 5_000_000;

/** A server process that is ready for connections. */
export interface Server {
  pid: number;
  port: number;
  /** Resolves when the process is no more. */
  gone: Promise<void>;
  /** Ask this before sending a signal: after the process has ended, its pid may belong to another process. */
  lives: () => boolean;
}

interface PidFile {
  pid: number;
  port: number;
  ready: boolean;
  lines: string[];
}

const pidFilePath = ({ pgdata }: Cluster): string => join(pgdata, 'postmaster.pid');

function readPidFile(cluster: Cluster): PidFile | null {
  try {
    const lines = readFileSync(pidFilePath(cluster), 'utf8').split('\n');
    return {
      pid: Math.abs(Number(lines[0])),
      port: Number(lines[3]),
      ready: /^(ready|standby)/.test(lines[7] ?? ''),
      lines,
    };
  } catch {
    return null;
  }
}

const isOurServer = (cluster: Cluster, pid: number): boolean =>
  runningProcess(pid)?.program === 'postgres' && worksIn(pid, cluster.pgdata);

/** The server that still serves this very folder, once it is ready. */
export async function adopt(cluster: Cluster, log: (line: string) => void): Promise<Server | null> {
  for (let found = readPidFile(cluster); found && isOurServer(cluster, found.pid); found = readPidFile(cluster)) {
    if (found.ready) {
      log(`adopting the database server that is still running (pid ${found.pid})`);
      const { pid, port } = found;
      return { pid, port, gone: pollUntilGone(cluster, pid), lives: () => isOurServer(cluster, pid) };
    }
    await pause(20);
  }
  return null;
}

// Polled, because the system reports the end of our own children only.
async function pollUntilGone(cluster: Cluster, pid: number): Promise<void> {
  while (isOurServer(cluster, pid)) await pause(200, undefined, { ref: false });
}

/** Starts the server and waits until it has recovered, however long that takes. */
export async function start(cluster: Cluster, port: number): Promise<Server> {
  const deadline = Date.now() + 10_000;
  let withSocket = socketFits(cluster.pgdata, port);
  for (;;) {
    disownStalePidFile(cluster);
    const logFile = join(cluster.folder, 'postgres.log');
    const logged = rotate(logFile);
    const child = spawnServer(cluster, port, logFile, withSocket);
    let ended = false;
    const gone = new Promise<void>((resolve) =>
      child.once('exit', () => resolve()).once('error', () => resolve()),
    ).then(() => void (ended = true));
    while (!ended) {
      const found = readPidFile(cluster);
      if (found?.ready && found.pid === child.pid) return { pid: child.pid, port, gone, lives: () => !ended };
      await pause(5);
    }
    const said = readFileSync(logFile).subarray(logged).toString('utf8');
    // Some file systems, such as folders shared with a virtual machine, hold no sockets.
    if (withSocket && /Unix-domain sockets|\.s\.PGSQL\./.test(said)) {
      withSocket = false;
      continue;
    }
    // Backends of a server that was killed notice it within moments; until then their memory keeps a new one out.
    if (!/shared memory block|is still in use/.test(said) || Date.now() > deadline)
      throw explain(said || spawnProblem(child), cluster.pgdata);
    await pause(100);
  }
}

const spawnProblem = (child: ChildProcess): string => `it ended with ${child.signalCode ?? String(child.exitCode)}`;

/**
 * Postgres takes every living pid in its lock file for a running server, also when another program or a zombie has that
 * pid now. So we write our own pid there: Postgres takes its parent's pid for stale. We keep the file, because Postgres
 * then still checks the shared memory it names, and only that shows that no backend of the old server writes any more.
 */
function disownStalePidFile(cluster: Cluster): void {
  const found = readPidFile(cluster);
  if (!found || found.pid === process.pid || isOurServer(cluster, found.pid)) return;
  writeFileSync(pidFilePath(cluster), [String(process.pid), ...found.lines.slice(1)].join('\n'));
  // Postgres judges the lock of its socket by the pid alone.
  for (const file of socketFiles(cluster.pgdata, found.port)) rmSync(file, { force: true });
}

function rotate(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LOG_BYTES_MAX) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}

/** Ends it fast, within 10 s, else at once. */
export async function end({ pid, gone, lives }: Server): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', STOP_MS],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 3_000],
  ] as const) {
    if (!lives()) return;
    process.kill(pid, signal);
    const patient = new AbortController();
    const late = pause(patience, 'late', { signal: patient.signal }).catch(() => 'aborted');
    const outcome = await Promise.race([gone, late]);
    patient.abort();
    if (outcome !== 'late') return;
  }
}
