import type { CommandBus } from '@nestjs/cqrs';
import type { Chore } from '../context/define-context.js';
import { anyDue, subjectsDue } from '../context/subjects-due.js';
import type { Logger } from '../engines/telemetry/logger.js';
import { DueSubjects } from './due-subjects.js';
import type { Infrastructure } from './infrastructure/infrastructure.js';

const EVERY_MS = 1_000;

/**
 * Does what time demands: grants that ran out are recorded as expired (readers look at the clock themselves and do not
 * depend on it), and what a process left unfinished when it died is finished. Once a second, one statement asks for all
 * chores that are due by subject; only those for which it finds a subject then ask for more. Every chore can be done twice
 * and by any number of processes at once. A chore that fails does not keep the others waiting.
 */
export function startChores(
  chores: readonly Chore[],
  { background, metrics }: Pick<Infrastructure, 'background' | 'metrics'>,
  commands: CommandBus,
  logger: Logger,
): { stop(): Promise<void> } {
  let stopped = false;
  const general = chores.flatMap((chore) => {
    if (chore.due) return [];
    const { name, everyMs = EVERY_MS, command } = chore;
    return { everyRounds: Math.ceil(everyMs / EVERY_MS), work: inTurn(name, () => commands.execute(command())) };
  });
  const bySubject = chores.flatMap((chore) => {
    if (!chore.due) return [];
    const { name, due, command } = chore;
    const subjects = new DueSubjects({
      due: (limit, except) => subjectsDue(background, due, limit, except),
      work: (subject) => commands.execute(command(subject)),
      failed: ({ subjectId }, error) => {
        metrics.choreFailed(name);
        logger.error({ subjectId, error: (error as Error).name }, `${name}: this subject is put off, all others go on`);
      },
    });
    return { name, due, subjects, work: inTurn(name, () => subjects.run(() => stopped)) };
  });

  /** Calls of one chore come one after the other. */
  function inTurn(name: string, work: () => Promise<unknown>): () => Promise<unknown> {
    let running: Promise<unknown> = Promise.resolve();
    return () =>
      (running = running
        .then(() => (stopped ? undefined : work()))
        .catch((error: unknown) =>
          logger.warn({ error: (error as Error).name }, `${name} wait: a dependency is not available`),
        ));
  }

  async function lookForSubjects(): Promise<void> {
    const excepts = bySubject.map(({ subjects }) => subjects.putOffNow);
    // Where one of them cannot be asked, as while its read model is not built yet, each asks for itself.
    const due = await anyDue(background, bySubject, excepts).catch(() => null);
    for (const [i, { name, subjects, work }] of bySubject.entries()) {
      metrics.chorePutOff(name, subjects.putOffNow.length);
      if (due === null || due[i]) void work();
    }
  }

  let looking: Promise<void> | null = null;
  let round = 0;
  const timer = setInterval(() => {
    for (const { everyRounds, work } of general) if (round % everyRounds === 0) void work();
    round += 1;
    looking ??= lookForSubjects().finally(() => (looking = null));
  }, EVERY_MS).unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all([...general, ...bySubject].map(({ work }) => work()));
    },
  };
}
