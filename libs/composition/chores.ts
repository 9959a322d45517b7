import type { CommandBus } from '@nestjs/cqrs';
import type { Chore } from '../context/define-context.js';
import type { Logger } from '../engines/telemetry/logger.js';
import { DueSubjects } from './due-subjects.js';
import type { Infrastructure } from './infrastructure/infrastructure.js';

const EVERY_MS = 1_000;

/**
 * Does what time demands, once a second: grants that ran out are recorded as expired (readers look at the clock
 * themselves and do not depend on it), and what a process left unfinished when it died is finished. Every chore can be
 * done twice and by any number of processes at once. A chore that fails does not keep the others waiting.
 */
export function startChores(
  chores: readonly Chore[],
  { background, metrics }: Infrastructure,
  commands: CommandBus,
  logger: Logger,
): { stop(): Promise<void> } {
  let stopped = false;
  const rounds = chores.map((chore): (() => Promise<unknown>) => {
    if (!chore.due) return () => commands.execute(chore.command());
    const { name, due, command } = chore;
    const subjects = new DueSubjects({
      due: (limit, except) => due(background, limit, except),
      work: (subject) => commands.execute(command(subject)),
      failed: ({ subjectId }, error) => {
        metrics.choreFailed(name);
        logger.error({ subjectId, error: (error as Error).name }, `${name}: this subject is put off, all others go on`);
      },
    });
    return () => subjects.run(() => stopped).finally(() => metrics.chorePutOff(name, subjects.putOffNow));
  });
  const running: Promise<unknown>[] = chores.map(() => Promise.resolve());
  const timer = setInterval(() => {
    for (const [i, { name }] of chores.entries()) {
      running[i] = running[i]!.then(() => (stopped ? undefined : rounds[i]!())).catch((error: unknown) =>
        logger.warn({ error: (error as Error).name }, `${name} wait: a dependency is not available`),
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
