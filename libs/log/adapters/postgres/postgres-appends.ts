import { setImmediate as endOfTurn } from 'node:timers/promises';
import { int4Array, int8Array, textArray, uuidArray } from '../../../engines/database/binary-array.js';
import type { Database } from '../../../engines/database/database.js';
import { APPEND_MS_MAX, serialiseAppend, type SerialisedEvent } from '../../append-limits.js';
import { LogUnavailable, type AppendOutcome, type NewEvent } from '../../port.js';
import { unavailable } from './postgres-failures.js';
import { within } from '../within.js';

/** Most appends that may wait for their group; at several thousand a second this is well within the time an append has. */
const QUEUE_MAX = 2000;
/** A group is one statement and one commit; these bound how long it keeps rivals waiting. */
const GROUP_APPENDS_MAX = 256;
const GROUP_BYTES_MAX = 4_000_000;
/** What of an append's time is kept for the answer, so that giving up on the lock is known before it is over. */
const ANSWER_MS = 200;
const LOCK_MS_MIN = 50;
/** An append with less time than this left is not sent any more: its outcome would only become unknown. */
const TOO_LATE_MS = 150;

const APPEND = {
  name: 'log-append',
  text: 'select outcome, revision, at_position from log.append($1::text[], $2::bigint[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8)',
};

interface Waiting {
  stream: string;
  expected: number;
  events: SerialisedEvent[];
  bytes: number;
  /** By performance.now(): when its caller is told that there was no answer. */
  deadline: number;
  settled: boolean;
  sent: boolean;
  resolve: (outcome: AppendOutcome) => void;
  reject: (error: unknown) => void;
}

/**
 * The appends of one process. Those that arrive while a group is being written go together in the next one: one round
 * trip and one commit for all of them. What one group may do is decided in `log.append` (see the migration).
 */
export class PostgresAppends {
  private queue: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private closed = false;

  constructor(private readonly database: Database) {}

  append(stream: string, expected: number, events: readonly NewEvent[], until = Infinity): Promise<AppendOutcome> {
    return new Promise((resolve, reject) => {
      const serialised = serialiseAppend(stream, expected, events);
      if (this.closed) throw new LogUnavailable('the event log is closed', false);
      if (this.queue.length >= QUEUE_MAX) throw new LogUnavailable('too many appends are waiting', false);
      const ms = Math.min(APPEND_MS_MAX, Math.max(0, Math.round(until - performance.now())));
      const waiting: Waiting = {
        stream,
        expected,
        ...serialised,
        deadline: performance.now() + ms,
        settled: false,
        sent: false,
        resolve,
        reject,
      };
      // Node keeps timers of one length in one list: this costs next to nothing per append.
      const timer = setTimeout(
        () => settle(waiting, new LogUnavailable('the event log did not answer in time', waiting.sent)),
        ms,
      );
      waiting.resolve = (outcome) => (clearTimeout(timer), resolve(outcome));
      waiting.reject = (error) => (clearTimeout(timer), reject(error));
      this.queue.push(waiting);
      this.writing ??= this.writeGroups();
    });
  }

  /** Refuses those that wait, and waits for the group that is being written. */
  async close(): Promise<void> {
    this.closed = true;
    for (const waiting of this.queue.splice(0)) settle(waiting, new LogUnavailable('the event log is closed', false));
    await this.writing;
  }

  private async writeGroups(): Promise<void> {
    while (this.queue.length > 0) {
      // Whatever else this turn of the event loop appends joins the group.
      await endOfTurn();
      await this.write(this.nextGroup());
    }
    this.writing = null;
  }

  /** Takes from the front of the queue, at most one append per stream: the second one must see what the first did. */
  private nextGroup(): Waiting[] {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    const streams = new Set<string>();
    const tooLate = performance.now() + TOO_LATE_MS;
    let bytes = 0;
    for (const waiting of this.queue) {
      if (waiting.deadline < tooLate) settle(waiting, new LogUnavailable('the event log is too busy', false));
      if (waiting.settled) continue;
      const full = group.length >= GROUP_APPENDS_MAX || (group.length > 0 && bytes + waiting.bytes > GROUP_BYTES_MAX);
      if (full || streams.has(waiting.stream)) {
        left.push(waiting);
        // Whatever else waits for this stream stays behind it.
        streams.add(waiting.stream);
        continue;
      }
      streams.add(waiting.stream);
      bytes += waiting.bytes;
      waiting.sent = true;
      group.push(waiting);
    }
    this.queue = left;
    return group;
  }

  private async write(group: Waiting[]): Promise<void> {
    if (group.length === 0) return;
    const events = group.flatMap((waiting) => waiting.events);
    try {
      // A statement that is given up is left to the database's own time-outs.
      const outcomes = await within(
        APPEND_MS_MAX,
        this.database.query<{
          outcome: 'appended' | 'already' | 'conflict' | 'deleted';
          revision: bigint;
          at_position: bigint;
        }>(APPEND, [
          textArray(group.map((waiting) => waiting.stream)),
          int8Array(group.map((waiting) => waiting.expected)),
          int4Array(group.map((waiting) => waiting.events.length)),
          uuidArray(events.map((event) => event.id)),
          textArray(events.map((event) => event.type)),
          textArray(events.map((event) => event.data)),
          textArray(events.map((event) => event.metadata)),
          Math.max(LOCK_MS_MIN, Math.round(group[0]!.deadline - performance.now() - ANSWER_MS)),
        ]),
      );
      group.forEach((waiting, i) => settle(waiting, outcomeOf(outcomes[i]!)));
    } catch (error) {
      for (const waiting of group) settle(waiting, unavailable(error));
    }
  }
}

function settle(waiting: Waiting, by: AppendOutcome | LogUnavailable): void {
  if (waiting.settled) return;
  waiting.settled = true;
  if (by instanceof LogUnavailable) waiting.reject(by);
  else waiting.resolve(by);
}

function outcomeOf(row: {
  outcome: 'appended' | 'already' | 'conflict' | 'deleted';
  revision: bigint;
  at_position: bigint;
}): AppendOutcome {
  switch (row.outcome) {
    case 'deleted':
      return { outcome: 'deleted' };
    case 'conflict':
      return { outcome: 'conflict', revision: Number(row.revision) };
    default:
      return {
        outcome: 'appended',
        revision: Number(row.revision),
        position: row.at_position,
        already: row.outcome === 'already',
      };
  }
}
