import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import { APPEND_MS_MAX, checkedLimit, serialiseAppend, type SerialisedEvent } from '../append-limits.js';
import {
  LogUnavailable,
  type AppendOutcome,
  type EventLog,
  type EventMetadata,
  type NewEvent,
  type ReadStream,
  type RecordedEvent,
  type SubscribeOptions,
  type Subscription,
} from '../port.js';
import { type Position } from '../../kernel/index.js';

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
/** Positions looked at by one page of a subscription: what bounds a filter that matches next to nothing. */
const PAGE_WINDOW = 20_000n;
/**
 * Who wants little (keys, the catalogue) looks at most this often while others write: at two thousand records a second
 * the looks that found nothing were two fifths of all statements.
 */
const FOUND_NOTHING_MS = 25;
/** A lost notification costs at most this. */
const SAFETY_POLL_MS = 1000;
const BACK_OFF_MS = [50, 100, 250, 500, 1000, 2000] as const;

const APPEND = {
  name: 'log-append',
  text: 'select outcome, revision, at_position from log.append($1::text[], $2::bigint[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8)',
};
const COLUMNS = 'position, stream, revision, id, type, data, metadata';
const READ_FORWARDS = {
  name: 'log-read-forwards',
  text: `select ${COLUMNS} from log.events where stream = $1 and revision >= $2 and type <> '$tombstone' order by revision limit $3`,
};
const READ_BACKWARDS = {
  name: 'log-read-backwards',
  text: `select ${COLUMNS} from log.events where stream = $1 and revision <= $2 and type <> '$tombstone' order by revision desc limit $3`,
};
const HEAD = { name: 'log-head', text: 'select coalesce(max(position), -1) as head from log.events' };
const TOMBSTONE = { name: 'log-tombstone', text: 'select log.tombstone($1)' };
/** A page between two positions that are known to be committed: of all streams, of those with a prefix, of a shard. */
const PAGE_WHERE = `select ${COLUMNS} from log.events where position > $1 and position <= $2 and type <> '$tombstone'`;
const PAGE_ORDER = 'order by position limit $3';
const PAGE = { name: 'log-page', text: `${PAGE_WHERE} ${PAGE_ORDER}` };
const PAGE_OF = { name: 'log-page-of', text: `${PAGE_WHERE} and stream ^@ any($4::text[]) ${PAGE_ORDER}` };
/** Partitions of tables rely on this hash, so it is the same in every version of Postgres. */
const PAGE_OF_SHARD = {
  name: 'log-page-of-shard',
  text: `${PAGE_WHERE} and ($4::text[] = '{}' or stream ^@ any($4::text[])) and abs(hashtextextended(stream, 4710) % $5::int) = $6 ${PAGE_ORDER}`,
};

interface Row {
  position: bigint;
  stream: string;
  revision: bigint;
  id: string;
  type: string;
  data: string;
  metadata: string;
}

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
 * The log in one Postgres table. Appends that arrive while a group is being written go together in the next one: one
 * round trip and one commit for all of them. What one group may do is decided in `log.append` (see the migration).
 */
export class PostgresEventLog implements EventLog {
  private queue: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private readonly subscriptions = new Set<PostgresSubscription>();
  private unlisten: (() => void) | null = null;
  private closed = false;

  constructor(private readonly database: Database) {}

  append(stream: string, expected: number, events: readonly NewEvent[]): Promise<AppendOutcome> {
    return new Promise((resolve, reject) => {
      const serialised = serialiseAppend(stream, expected, events);
      this.ensureOpen();
      if (this.queue.length >= QUEUE_MAX) throw new LogUnavailable('too many appends are waiting', false);
      const waiting: Waiting = {
        stream,
        expected,
        ...serialised,
        deadline: performance.now() + APPEND_MS_MAX,
        settled: false,
        sent: false,
        resolve,
        reject,
      };
      // Node keeps timers of one length in one list: this costs next to nothing per append.
      const timer = setTimeout(
        () => settle(waiting, new LogUnavailable('the event log did not answer in time', waiting.sent)),
        APPEND_MS_MAX,
      );
      waiting.resolve = (outcome) => (clearTimeout(timer), resolve(outcome));
      waiting.reject = (error) => (clearTimeout(timer), reject(error));
      this.queue.push(waiting);
      this.writing ??= this.writeGroups();
    });
  }

  async read(stream: string, { direction, from, limit }: ReadStream): Promise<RecordedEvent[]> {
    checkedLimit(limit);
    const [statement, start] =
      direction === 'forwards' ? [READ_FORWARDS, from ?? 0] : [READ_BACKWARDS, from ?? Number.MAX_SAFE_INTEGER];
    const rows = await this.answered(this.database.query<Row>(statement, [stream, start, limit]));
    return rows.map(recorded);
  }

  async head(): Promise<Position> {
    const [row] = await this.answered(this.database.query<{ head: bigint }>(HEAD, []));
    return row!.head;
  }

  subscribe(options: SubscribeOptions): Subscription {
    this.ensureOpen();
    this.unlisten ??= this.database.listen('assent_log', () => {
      for (const subscription of this.subscriptions) subscription.wake();
    });
    const subscription = new PostgresSubscription(this.database, options, () =>
      this.subscriptions.delete(subscription),
    );
    this.subscriptions.add(subscription);
    return subscription;
  }

  async tombstone(stream: string): Promise<void> {
    await this.answered(this.database.query(TOMBSTONE, [stream]));
  }

  /** Leaves the database open: it belongs to whoever opened it. */
  async close(): Promise<void> {
    this.closed = true;
    for (const waiting of this.queue.splice(0)) settle(waiting, new LogUnavailable('the event log is closed', false));
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    await this.writing;
    this.unlisten?.();
    this.unlisten = null;
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
      const outcomes = await within(
        APPEND_MS_MAX,
        this.database.query<{
          outcome: 'appended' | 'already' | 'conflict' | 'deleted';
          revision: bigint;
          at_position: bigint;
        }>(APPEND, [
          group.map((waiting) => waiting.stream),
          group.map((waiting) => waiting.expected),
          group.map((waiting) => waiting.events.length),
          events.map((event) => event.id),
          events.map((event) => event.type),
          events.map((event) => event.data),
          events.map((event) => event.metadata),
          Math.max(LOCK_MS_MIN, Math.round(group[0]!.deadline - performance.now() - ANSWER_MS)),
        ]),
      );
      group.forEach((waiting, i) => settle(waiting, outcomeOf(outcomes[i]!)));
    } catch (error) {
      for (const waiting of group) settle(waiting, unavailable(error));
    }
  }

  private async answered<R>(query: Promise<R>): Promise<R> {
    this.ensureOpen();
    try {
      return await query;
    } catch (error) {
      throw new LogUnavailable('the event log cannot be reached', false, { cause: error });
    }
  }

  private ensureOpen(): void {
    if (this.closed) throw new LogUnavailable('the event log is closed', false);
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

const recorded = (row: Row): RecordedEvent => ({
  stream: row.stream,
  revision: Number(row.revision),
  position: row.position,
  id: row.id,
  type: row.type,
  data: JSON.parse(row.data) as unknown,
  metadata: JSON.parse(row.metadata) as EventMetadata,
});

class TimedOut extends Error {}

/** The statement itself is left to the database's own time-outs: nothing is known about it any more. */
function within<R>(ms: number, work: Promise<R>): Promise<R> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new TimedOut('no answer in time')), ms)),
  );
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Errors before anything was sent: no connection was made. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P03',
  '53300',
  '3D000',
]);

/**
 * Whether an append that failed may have taken effect. The server's own error means that the transaction was undone,
 * but for the classes 57P (it was shut down, perhaps after the commit) and 08 (the connection broke).
 */
function unavailable(error: unknown): LogUnavailable {
  const codes: string[] = [];
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e)
    if (typeof e.code === 'string') codes.push(e.code);
  const notSent =
    /exceeded when trying to connect/.test(String((error as { cause?: unknown }).cause)) ||
    codes.some((code) => NOT_SENT.has(code) || code.startsWith('28'));
  const undone = codes.some(
    (code) => /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57P') && !code.startsWith('08') && !code.startsWith('E'),
  );
  return new LogUnavailable('the event log cannot be reached', !notSent && !undone, { cause: error });
}

/** Reads pages by position; notifications only say when to look. */
class PostgresSubscription implements Subscription {
  private stopping = false;
  private woken = false;
  private foundAny = false;
  private wakeUp: () => void = () => {};
  private readonly ended: Promise<void>;
  private after: bigint;

  constructor(
    private readonly database: Database,
    private readonly options: SubscribeOptions,
    unregister: () => void,
  ) {
    this.after = options.after;
    this.ended = this.run().finally(unregister);
  }

  wake(): void {
    this.woken = true;
    this.wakeUp();
  }

  stop(): Promise<void> {
    this.stopping = true;
    this.wakeUp();
    return this.ended;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopping;) {
      try {
        this.woken = false;
        const [row] = await this.database.query<{ head: bigint }>(HEAD, []);
        failures = 0;
        if (!(await this.catchUp(row!.head))) return;
        if (!this.foundAny) await this.pause(FOUND_NOTHING_MS, false);
        await this.pause(SAFETY_POLL_MS, true);
      } catch {
        // Whatever the database's trouble is, the next attempt starts at the last position that was delivered.
        await this.pause(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!, false);
      }
    }
  }

  /** Delivers everything up to `head`; false once the handler rejected. The next page is read while one is handled. */
  private async catchUp(head: bigint): Promise<boolean> {
    this.foundAny = false;
    let page = this.stopping || this.after >= head ? null : this.page(this.after, head);
    while (page && !this.stopping) {
      const { events, through } = await page;
      if (this.stopping) break;
      if (events.length > 0) this.foundAny = true;
      page = through < head ? this.page(through, head) : null;
      // A page that fails while the handler runs is looked at afterwards.
      page?.catch(() => undefined);
      try {
        await this.options.onBatch(events, through);
      } catch (error) {
        this.stopping = true;
        this.options.failed?.(error);
        return false;
      }
      this.after = through;
    }
    return true;
  }

  private async page(after: bigint, head: bigint): Promise<{ events: RecordedEvent[]; through: bigint }> {
    const { batchSize = 1000 } = this.options;
    const end = after + PAGE_WINDOW < head ? after + PAGE_WINDOW : head;
    const rows = await this.rowsBetween(after, end, batchSize);
    return { events: rows.map(recorded), through: rows.length === batchSize ? rows.at(-1)!.position : end };
  }

  private rowsBetween(after: bigint, end: bigint, limit: number): Promise<Row[]> {
    const { prefixes, shard } = this.options;
    if (shard) return this.database.query<Row>(PAGE_OF_SHARD, [after, end, limit, prefixes, shard.of, shard.index]);
    return prefixes.length === 0
      ? this.database.query<Row>(PAGE, [after, end, limit])
      : this.database.query<Row>(PAGE_OF, [after, end, limit, prefixes]);
  }

  private async pause(ms: number, untilWoken: boolean): Promise<void> {
    if (this.stopping || (untilWoken && this.woken)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp = () => {
        if (!untilWoken && !this.stopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.wakeUp = () => {};
  }
}
