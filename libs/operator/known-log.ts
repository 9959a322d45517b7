import { differenceOf, KnownLogs, type LogMark } from '../log/known-log.js';
import type { EventLog } from '../log/port.js';
import { Refused, refusal } from '../kernel/index.js';
import type { Database } from '../engines/database/database.js';

interface LogAndReadSide {
  log: EventLog;
  database: Database;
}

/** Refuses to work with a log that an operator has to accept first. */
export async function requireKnownLog(engines: LogAndReadSide): Promise<void> {
  const { difference } = await comparedLog(engines);
  if (difference === null) return;
  throw new Refused(
    refusal(
      'log_not_accepted',
      `The event log is not the one that the service knows: ${difference}.`,
      'Bring the right log back, or accept this one: assent log status says what was lost.',
    ),
  );
}

export async function comparedLog({
  log,
  database,
}: LogAndReadSide): Promise<{ difference: string | null; known: LogMark | null }> {
  const { mark, furthest } = await new KnownLogs(database).read();
  return { difference: await differenceOf(log, { marks: mark ? [mark] : [], furthest }), known: mark };
}
