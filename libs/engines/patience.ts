import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './database/failures.js';
import { DependencyUnavailable } from './dependency-unavailable.js';
import { StartRefused } from './start-refused.js';

const PATIENCE_MS = 60_000;
const AGAIN_MS = 250;

/**
 * What a start needs of the database or the log, tried again while they are slow or away: a loaded machine or a server
 * that is just being restarted is no reason to die. Every other failure, a refusal above all, passes at once. Throws
 * StartRefused when patience is over.
 */
export async function patiently<T>(
  say: (line: string) => void,
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  let told = false;
  for (const deadline = performance.now() + patienceMs; ; await pause(AGAIN_MS)) {
    try {
      return await work();
    } catch (error) {
      // Waiting does not bring the right log back: an operator has to.
      if (!isPassing(error) || (error as Error).name === 'LogNotAccepted') throw error;
      const what =
        error instanceof DependencyUnavailable
          ? error.dependency
          : (error as Error).name === 'LogUnavailable'
            ? 'event log'
            : 'database';
      const seconds = Math.round(patienceMs / 1000);
      if (performance.now() > deadline)
        throw new StartRefused(
          `The ${what} has not answered in time for ${seconds} s; see that it runs and is not overloaded, then start again.`,
          { cause: error },
        );
      if (!told) say(`the ${what} does not answer in time; trying again for up to ${seconds} s...`);
      told = true;
    }
  }
}
