import { randomInt } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below those that systems give to whoever connects, so that none of these takes it before it is listened on. */
const [FIRST, END] = [12_000, 32_000];

/**
 * A port of this machine that nobody listens on at this moment, and that nobody else of this test run is given: a service
 * listens a while after its port was chosen, and not at all while it is restarted.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < END - FIRST; tries++) {
    const port = randomInt(FIRST, END);
    if (isOurs(port) && (await isFree(port))) return port;
  }
  throw new Error(`no port between ${FIRST} and ${END} is free`);
}

/** Whether nobody of this run had the port before. Who had is told by a file in the run's folder, which goes with it. */
function isOurs(port: number): boolean {
  try {
    closeSync(openSync(join(tmpdir(), `port-${port}`), 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
