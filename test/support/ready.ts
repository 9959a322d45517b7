import type { ChildProcess } from 'node:child_process';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Some two seconds on an idle machine; beside a load, and beside seven others that start, it only takes longer. */
const STARTS_WITHIN_MS = 120_000;
/** The line of a process that has begun to listen: of all in one, and of a role. */
const LISTENS = /^Assent is running at|: listening on /m;

/**
 * Resolves when a process of the service that was started at this moment is ready: it has said that it listens, and
 * `/readyz` answers 200. The answer alone could be that of somebody else who got the port first. Rejects where the process
 * ends, or takes two minutes; `said` is everything that it printed, for the error.
 */
export async function ready(child: ChildProcess, url: string, said: () => string): Promise<void> {
  let heard = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (heard += text));
  for (const deadline = Date.now() + STARTS_WITHIN_MS; !(LISTENS.test(heard) && (await isReady(url))); await pause(20))
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
      throw new Error(`the service did not start at ${url}:\n${said()}`);
}

const isReady = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    http
      .get(`${url}/readyz`, (response) => resolve((response.resume(), response.statusCode === 200)))
      .on('error', () => resolve(false));
  });
