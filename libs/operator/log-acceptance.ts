import { GenerationTables } from '../following/generations/generation-tables.js';
import { KnownLogs, markOf, type LogMark, type SeenEvent } from '../log/known-log.js';
import { BEGINNING, type Instant, type Position, Refused, refusal } from '../kernel/index.js';
import type { Engines } from './engines.js';
import { OPERATIONS_STREAM, type Operator } from './events.js';
import { erasedBy, rebuildKeys } from './idempotency.js';
import { comparedLog } from './known-log.js';
import { readLog } from '../log/log-reading.js';
import { recordOperation } from './operations.js';
import { skipsFromLog } from './skips-from-log.js';

/** Reads erased subjects, without the one row that stands for keys whose subject is not known any more. */
const ERASED = `select subject_id from write.erased_subjects where subject_id like 'sub\\_%'`;
/** Most subjects that are named. */
const MOST_NAMED = 20;

/** Where a log ends, or ended. */
export interface LogEnd {
  /** As decimal text. */
  position: string;
  recordedAt: Instant;
}

export interface LogStatus {
  /** How the log differs from the known one, in words; null where it does not. */
  difference: string | null;
  /** Its last event; null where it holds none. */
  last: LogEnd | null;
  /** The last event that the log is known to have held. The events after `last` are lost. */
  known: LogEnd | null;
  events: number;
  /** Subjects whose keys were destroyed and whose erasure the log does not hold. */
  erasuresLost: { subjects: number; first: string[] };
}

type Look = (share: number, events: number) => void;

/** Compares the log with the known one, and reads all of it to find what was lost. Changes nothing. */
export async function logStatus(engines: Engines, look: Look): Promise<LogStatus> {
  const { difference, known } = await comparedLog(engines);
  const { last, events, erased } = await survey(engines, look);
  const lost = (await engines.database.run<{ subject_id: string }>(ERASED))
    .map(({ subject_id }) => subject_id)
    .filter((subjectId) => !erased.has(subjectId));
  return {
    difference,
    last: last && endOf(markOf(last)),
    known: known && endOf(known),
    events,
    erasuresLost: { subjects: lost.length, first: lost.slice(0, MOST_NAMED) },
  };
}

/**
 * Makes this log the truth: all rows that were made from the log before are made anew. `position`: of its last event, null
 * for an empty log; the operator gives it to confirm that they have looked. Records the decision first. May be called again
 * after it was cut off. Running processes begin anew at its end.
 */
export async function acceptLog(
  engines: Engines,
  position: Position | null,
  by: Operator,
  look: Look,
): Promise<LogStatus> {
  const { log, codec, database } = engines;
  const status = await logStatus(engines, look);
  if (status.difference === null)
    throw new Refused(refusal('log_accepted', 'The log is the known one.', 'There is nothing to accept.'));
  const last = status.last?.position ?? null;
  if (last !== (position === null ? null : String(position)))
    throw new Refused(
      refusal(
        'position_wrong',
        `The log ends at ${last === null ? 'none: it is empty' : `position ${last}`}.`,
        'Look at it (assent log status) and name its position.',
      ),
    );
  const knownLogs = new KnownLogs(database);
  await knownLogs.beginAccepting();
  await recordOperation(engines, {
    type: 'LogAccepted',
    data: { by, difference: status.difference, last: status.last, known: status.known },
  });
  // Drops keys of requests whose events are lost.
  await database.run('truncate write.idempotency');
  await rebuildKeys(engines, look);
  await database.run('truncate snapshot.streams');
  // Drops positions of the other log.
  await database.run('delete from projection.skipped_events');
  await skipsFromLog(log, codec, database);
  await followAnew(engines, position ?? BEGINNING);
  const [accepted] = await log.read(OPERATIONS_STREAM, { direction: 'backwards', limit: 1 });
  await knownLogs.accept(markOf(accepted!));
  return status;
}

async function survey(
  { log, codec }: Engines,
  look: Look,
): Promise<{ last: SeenEvent | null; events: number; erased: ReadonlySet<string> }> {
  const through = await log.head();
  const erased = new Set<string>();
  let last: SeenEvent | null = null;
  let events = 0;
  await readLog(log, { after: BEGINNING, through, prefixes: [] }, (batch, reached) => {
    for (const event of batch) for (const subjectId of erasedBy(codec, event)) erased.add(subjectId);
    last = batch.at(-1) ?? last;
    events += batch.length;
    look(Number(reached + 1n) / Number(through + 1n), events);
  });
  return { last, events, erased };
}

/** Also those of other releases, which would be of the other log as well. `through`: where the log ended. */
async function followAnew(engines: Engines, through: Position): Promise<void> {
  const { database, projections, sinks } = engines;
  await database.run('delete from projection.generations where name <> all($1::text[])', [
    [...projections, ...sinks].map(({ name }) => name),
  ]);
  for (const { acceptLog: accept } of sinks) await accept(engines, through);
  for (const projection of projections) await new GenerationTables(database, projection).beginAnew();
}

const endOf = ({ position, recordedAt }: LogMark): LogEnd => ({ position: String(position), recordedAt });
