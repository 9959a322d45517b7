import type { CommandBus } from '@nestjs/cqrs';
import type { Logger } from '../platform/telemetry/logger.js';
import { dueExpiries } from '../consent/read/due-expiries.js';
import { ExpireConsent } from '../consent/write/expire-consent.handler.js';
import type { Infrastructure } from './infrastructure.js';

const EVERY_MS = 1_000;
const MOST_AT_ONCE = 100;

/**
 * Lets the log say what the clock already did: each grant that ran out gets its `ConsentExpired`. Readers do not depend
 * on it, they look at the clock themselves. Any number of processes may do this at once: the event has one id.
 */
export function startExpiry(infrastructure: Infrastructure, commands: CommandBus, logger: Logger): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const round = async (): Promise<void> => {
    try {
      for (const { subjectId, ...scope } of await dueExpiries(infrastructure.background, MOST_AT_ONCE)) {
        if (stopped) return;
        await commands.execute(new ExpireConsent(scope, subjectId));
      }
    } catch (error) {
      logger.warn({ error: (error as Error).name }, 'expiries wait: a dependency is not available');
    }
  };
  const timer = setInterval(() => void (running = running.then(() => (stopped ? undefined : round()))), EVERY_MS).unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
