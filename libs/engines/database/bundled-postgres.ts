import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openCluster, type Cluster } from './postgres-cluster.js';
import { adopt, end, start, type Server } from './postgres-server.js';
import { addressOf } from './postgres-socket.js';

export interface BundledPostgres {
  /** Holds the password. Stays the same while this object lives, also when the server restarts. */
  url: string;
  /** Ends the server: fast, within 10 s, else at once (it recovers at the next start). Idempotent. */
  stop(): Promise<void>;
}

const BACKOFF_MS_MAX = 5_000;
/** A server that lasted this long was not broken by its start: the back-off begins anew. */
const SETTLED_MS = 30_000;

/**
 * Serves `<dataFolder>/postgres` on a socket in that folder and a free port of 127.0.0.1. Creates the cluster, or adopts
 * the server that a killed Assent left behind. Restarts the server when it dies. The caller holds the lock of the data
 * folder. Rejects with a StartRefused that says what to do.
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
      // Waits for a restart that may be under way, and ends the server that it brings up too.
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
      // Another program took the port between our check and the server's start.
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
 * A port below those that the system gives to outgoing connections (32768 and up on Linux, 49152 on macOS). A client that
 * reconnects to one of those before the server listens may get it as its own port, and connect to itself.
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
