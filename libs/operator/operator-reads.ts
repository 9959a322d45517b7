import { EVERYBODY, writeReads } from '../access/index.js';
import type { Environment } from '../kernel/index.js';
import type { Engines } from './engines.js';
import type { Operator } from './events.js';

/** Name of an operator at the command line in the access log. */
export const readerOf = ({ user, host }: Operator): string => `operator:${user}@${host}`;

/**
 * Notes in the access log that an operator reads a subject, or all subjects where `subjectId` is null. Comes beside the
 * event that records it, so that one list has all reads.
 */
export async function noteOperatorRead(
  { database }: Pick<Engines, 'database'>,
  {
    by,
    subjectId,
    operation,
    site,
    env,
  }: { by: Operator; subjectId: string | null; operation: string; site: string | null; env: Environment | null },
): Promise<void> {
  const atMs = Date.now();
  await writeReads(database, [
    {
      subjectId: subjectId ?? EVERYBODY,
      reader: readerOf(by),
      operation,
      site: site ?? EVERYBODY,
      env: env ?? EVERYBODY,
      reads: 1,
      firstMs: atMs,
      lastMs: atMs,
    },
  ]);
}
