import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './database/failures.js';
import { DependencyUnavailable } from './dependency-unavailable.js';
import { StartRefused } from './start-refused.js';

const PATIENCE_MS = 60_000;
const AGAIN_MS = 250;

/**
 * Repeats a step of a start while the database or the log is slow or away, since the machine may be loaded or the server
 * restarting. Every other failure, such as a refusal, rejects at once. Rejects with StartRefused when the time is over.
 */
export async function patiently<T>(
  say: (line: string) => void,
  work: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  let hasSaid = false;
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
      if (!hasSaid) say(`the ${what} does not answer in time; trying again for up to ${seconds} s...`);
      hasSaid = true;
    }
  }
}
