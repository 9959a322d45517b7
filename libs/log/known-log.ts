import { BEGINNING, type Instant, type Position } from '../kernel/index.js';
import type { Queries } from '../engines/database/database.js';
import type { EventLog, RecordedEvent } from './port.js';

/** An event that identifies a log: another log, or an older copy, does not have this id at this place. */
export interface LogMark {
  stream: string;
  revision: number;
  position: Position;
  id: string;
  recordedAt: Instant;
}

/** The members of an event from which a mark is made. */
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
  /** Changes whenever an operator accepts a log. */
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
/** Several processes write the mark. A slow one never moves it back. */
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
    // A bigint may come as text or as BigInt, depending on the connection.
    const mark =
      stream === null ? null : { stream, revision: Number(revision), position: BigInt(position), id, recordedAt };
    return { epoch, mark, furthest: BigInt(furthest) };
  }

  /** Notes an event of the log of this epoch as its mark, unless a later event is noted already. */
  async raise(epoch: string, mark: LogMark): Promise<void> {
    await this.database.query(RAISE, [epoch, ...valuesOf(mark)]);
  }

  /** Lets processes write to a log in Postgres that is not the known one: the operator's decision is recorded in it. */
  async beginAccepting(): Promise<void> {
    await this.database.run('update projection.known_log set is_being_accepted = true');
  }

  /** Makes the log that ends with this event the known one; null: an empty log. Processes then begin anew. */
  async accept(mark: LogMark | null): Promise<void> {
    await this.database.run(ACCEPT, valuesOf(mark));
  }
}

/**
 * Whether the log holds an event at its place. Looks by position first, and then also in the stream, before the service
 * reports that the event is gone.
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

/** How the log differs from the known one, in words; null: not at all. Rejects where the log does not answer. */
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
