import type { CommandBus } from '@nestjs/cqrs';
import type { Logger } from '../platform/telemetry/logger.js';
import { dueExpiries } from '../consent/read/due-expiries.js';
import { ExpireConsent } from '../consent/write/expire-consent.handler.js';
import { dueConfirmations } from '../preferences/read/due-confirmations.js';
import { ExpireConfirmations } from '../preferences/write/expire-confirmations.handler.js';
import { FinishSubjectWork } from '../subjects/write/finish-work.handler.js';
import { DueSubjects, type DueOptions } from './due-subjects.js';
import type { Infrastructure } from './infrastructure.js';

const EVERY_MS = 1_000;

/**
 * What time demands, again and again: grants that ran out are said to have (readers do not depend on it, they look at
 * the clock themselves), and what a process left unfinished when it died is finished. Every chore can be done twice and
 * by any number of processes at once; one that fails does not keep the others waiting.
 */
export function startChores(
  infrastructure: Infrastructure,
  commands: CommandBus,
  logger: Logger,
): { stop(): Promise<void> } {
  let stopped = false;
  const dueSubjects = (chore: string, due: DueOptions['due'], work: DueOptions['work']) => {
    const subjects = new DueSubjects({
      due,
      work,
      failed: ({ subjectId }, error) => {
        infrastructure.metrics.choreFailed(chore);
        logger.error(
          { subjectId, error: (error as Error).name },
          `${chore}: this subject is put off, all others go on`,
        );
      },
    });
    return () => subjects.run(() => stopped);
  };
  const { background } = infrastructure;
  const chores: [what: string, chore: () => Promise<void>][] = [
    [
      'expiries',
      dueSubjects(
        'expiries',
        (limit, except) => dueExpiries(background, limit, except),
        ({ subjectId, ...scope }) => commands.execute(new ExpireConsent(scope, subjectId)),
      ),
    ],
    [
      'expiries of confirmations',
      dueSubjects(
        'confirmations',
        (limit, except) => dueConfirmations(background, limit, except),
        ({ subjectId, ...scope }) => commands.execute(new ExpireConfirmations(scope, subjectId)),
      ),
    ],
    ['unfinished merges and erasures', () => commands.execute(new FinishSubjectWork())],
  ];
  const running = chores.map(() => Promise.resolve());
  const timer = setInterval(() => {
    for (const [i, [what, chore]] of chores.entries()) {
      running[i] = running[i]!.then(() => (stopped ? undefined : chore())).catch((error: unknown) =>
        logger.warn({ error: (error as Error).name }, `${what} wait: a dependency is not available`),
      );
    }
  }, EVERY_MS).unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}
