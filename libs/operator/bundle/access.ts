import { everyRead } from '../../access/index.js';
import { plusMs, type Instant, type Scope } from '../../kernel/index.js';
import type { Engines } from '../engines.js';
import type { Members } from './members.js';

const HOUR_MS = 3_600_000;

/**
 * Writes the reads of subjects, newest hour first, from hours that were over at a moment. No read is added to these later,
 * so the same question gets the same answer. `subjectIds` null: of all subjects.
 */
export async function writeReads(
  { database }: Pick<Engines, 'database'>,
  members: Members,
  scope: Scope,
  { subjectIds, from, until }: { subjectIds: readonly string[] | null; from: Instant | null; until: Instant },
): Promise<void> {
  const list = await members.open('access.jsonl');
  for await (const read of everyRead(database, { ...scope, subjectIds, reader: null, from, to: until }))
    if (plusMs(read.hour, HOUR_MS) <= until) await list.write(`${JSON.stringify(read)}\n`);
  await members.end(list);
}
