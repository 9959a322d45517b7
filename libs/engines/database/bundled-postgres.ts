import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openCluster, type Cluster } from './postgres-cluster.js';
import { adopt, end, start, type Server } from './postgres-server.js';
import { addressOf } from './postgres-socket.js';

export interface BundledPostgres {
  /** Stays the same for as long as this object lives, whatever happens to the server. Holds the password. */
  url: string;
  /** Ends the server: fast, within 10 s, else at once (it recovers at the next start). Idempotent. */
  stop(): Promise<void>;
}

const BACKOFF_MS_MAX = 5_000;
/** A server that lasted this long was not broken by its start: the back-off begins anew. */
const SETTLED_MS = 30_000;

/**
 * Serves `<dataFolder>/postgres` on a socket in that folder and a free port of 127.0.0.1: creates it, or adopts the server that an Assent which
 * was killed has left behind. Restarts the server when it dies. The caller holds the lock of the data folder.
 * Throws StartRefused with what to do about it.
 */
export async function startBundledPostgres(dataFolder: string, log: (line: string) => void): Promise<BundledPostgres> {
  const cluster = await openCluster(dataFolder, log);
  let server = (await adopt(cluster, log)) ?? (await startOnFreePort(cluster));
  const { port } = server;
  let stopping = false;

  const supervise = async (): Promise<void> => {
    let failures = 0;
    while (!stopping) {
      const since = Date.now();
      await server.gone;
      if (stopping) return;
      if (Date.now() - since > SETTLED_MS) failures = 0;
      log('the database server ended unexpectedly; starting it again');
      for (;;) {
        await pause(failures === 0 ? 0 : Math.min(50 * 2 ** failures, BACKOFF_MS_MAX), undefined, { ref: false });
        if (stopping) return;
        try {
          server = await start(cluster, port);
          log('the database server is back');
          break;
        } catch (error) {
          failures += 1;
          log(`the database server does not start: ${(error as Error).message}`);
        }
      }
      failures += 1;
    }
  };
  const supervision = supervise();

  return {
    url: addressOf(cluster.pgdata, port, cluster.password),
    stop: async () => {
      stopping = true;
      // A restart may be under way: what it brings up is ended too.
      const ended = supervision.then(() => end(server));
      await end(server);
      await ended;
    },
  };
}

async function startOnFreePort(cluster: Cluster): Promise<Server> {
  const kept = join(cluster.folder, 'postgres.port');
  let port = keptPort(kept);
  for (let attempt = 1; ; attempt++) {
    if (port === null || !(await isFree(port))) port = await freePort();
    try {
      const server = await start(cluster, port);
      writeFileSync(kept, `${port}\n`, { mode: 0o600 });
      return server;
    } catch (error) {
      // Somebody took the port between our look and the server's.
      if (attempt === 5 || !/could not (bind|create any)/.test((error as Error).message)) throw error;
      port = null;
    }
  }
}

function keptPort(file: string): number | null {
  try {
    const port = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(port) && port > 1023 && port < 65536 ? port : null;
  } catch {
    return null;
  }
}

/**
 * Below the ports that the system gives to outgoing connections (32768 and up on Linux, 49152 on macOS): a client
 * that reconnects to one of those while nobody listens may be given it as its own port, and is connected to itself.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
