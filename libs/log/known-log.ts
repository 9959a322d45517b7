import { BEGINNING, type Instant, type Position } from '../kernel/index.js';
import type { Queries } from '../engines/database/database.js';
import type { EventLog, RecordedEvent } from './port.js';

/** An event by which a log is known again: another log, or an older copy, does not have this id at this place. */
export interface LogMark {
  stream: string;
  revision: number;
  position: Position;
  id: string;
  recordedAt: Instant;
}

/** As much of an event as a mark is made of. */
export type SeenEvent = Pick<RecordedEvent, 'stream' | 'revision' | 'position' | 'id' | 'metadata'>;

export const markOf = ({ stream, revision, position, id, metadata }: SeenEvent): LogMark => ({
  stream,
  revision,
  position,
  id,
  recordedAt: metadata.recordedAt,
});

/** What the read side knows of its log. */
export interface KnownLog {
  /** Another one whenever an operator accepts a log. */
  epoch: string;
  /** The event that the log last held, at most a second old; null where none was seen yet. */
  mark: LogMark | null;
  /** The furthest of all checkpoints. */
  furthest: Position;
}

interface Row {
  epoch: string;
  stream: string | null;
  revision: bigint;
  position: Position;
  event_id: string;
  recorded_at: string;
  furthest: Position;
}

const READ = {
  name: 'known-log',
  text: `select epoch, stream, revision, position, event_id, recorded_at, coalesce((select max(position) from projection.shards), -1) as furthest
         from projection.known_log`,
};
/** Several processes do this; a slow one never takes it back. */
const RAISE = {
  name: 'known-log-raise',
  text: `update projection.known_log set stream = $2, revision = $3, position = $4, event_id = $5, recorded_at = $6
         where epoch = $1 and (position is null or position < $4)`,
};
const ACCEPT = `update projection.known_log set epoch = gen_random_uuid(), stream = $1, revision = $2, position = $3, event_id = $4, recorded_at = $5, is_being_accepted = false`;

const valuesOf = (mark: LogMark | null): unknown[] =>
  mark === null
    ? [null, null, null, null, null]
    : [mark.stream, mark.revision, mark.position, mark.id, mark.recordedAt];

/** `projection.known_log`: kept beside the checkpoints, so that it is lost, restored and copied with them. */
export class KnownLogs {
  constructor(private readonly database: Queries) {}

  async read(): Promise<KnownLog> {
    const [row] = await this.database.query<Row>(READ, []);
    const { epoch, stream, revision, position, event_id: id, recorded_at: recordedAt, furthest } = row!;
    // As numbers whatever the connection makes of a bigint.
    const mark =
      stream === null ? null : { stream, revision: Number(revision), position: BigInt(position), id, recordedAt };
    return { epoch, mark, furthest: BigInt(furthest) };
  }

  /** Notes an event that the log of this epoch holds, where it is further than the one that is noted. */
  async raise(epoch: string, mark: LogMark): Promise<void> {
    await this.database.query(RAISE, [epoch, ...valuesOf(mark)]);
  }

  /** Lets the log in Postgres be written to although it is not the known one: what an operator decides is recorded in it. */
  async beginAccepting(): Promise<void> {
    await this.database.run('update projection.known_log set is_being_accepted = true');
  }

  /** From now on the log is the one that holds this event last; null: one that holds none. Processes begin anew. */
  async accept(mark: LogMark | null): Promise<void> {
    await this.database.run(ACCEPT, valuesOf(mark));
  }
}

/**
 * Whether the log holds an event where it stood. It is looked for by its position, and where that finds nothing in its
 * stream too, before anybody is told that it is gone.
 */
async function holds(log: EventLog, mark: LogMark, head: Position): Promise<boolean> {
  const { stream, revision, position, id } = mark;
  const isIt = (event: RecordedEvent | null | undefined): boolean =>
    event?.stream === stream && event.revision === revision && event.id === id && event.position === position;
  if (head < position) return false;
  if (isIt(await log.at(position))) return true;
  const [event] = await log.read(stream, { direction: 'forwards', from: revision, limit: 1 });
  return isIt(event);
}

/** What of the log is not as it was known, in words; null where all is there. Rejects where the log does not answer. */
export async function differenceOf(
  log: EventLog,
  { marks, furthest }: { marks: readonly LogMark[]; furthest: Position },
): Promise<string | null> {
  const head = await log.head();
  for (const mark of marks) {
    const { position, recordedAt } = mark;
    if (await holds(log, mark, head)) continue;
    const known = `the event recorded at ${recordedAt}, at position ${position}`;
    return head < position
      ? `it ends at position ${head}, before ${known}: it was restored from an older copy, or is another one`
      : `it does not hold ${known}: it was restored from an older copy and has grown since, or is another one`;
  }
  if (head >= furthest) return null;
  const ends = head === BEGINNING ? 'it is empty' : `it ends at position ${head}`;
  return `${ends}, and read models have read it up to ${furthest}: it was restored from an older copy, or is another one`;
}
