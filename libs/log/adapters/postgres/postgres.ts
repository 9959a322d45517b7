import type { Database } from '../../../engines/database/database.js';
import { checkedLimit, inOrder } from '../../append-limits.js';
import {
  LogUnavailable,
  type AppendOutcome,
  type EventLog,
  type NewEvent,
  type ReadStream,
  type RecordedEvent,
  type SubscribeOptions,
  type Subscription,
} from '../../port.js';
import { type Position } from '../../../kernel/index.js';
import { PostgresAppends } from './postgres-appends.js';
import { EVENT_COLUMNS, recorded, type StoredEvent } from './postgres-events.js';
import { LOG_HEAD, pageAfter } from './postgres-pages.js';
import { PostgresSubscription } from './postgres-subscription.js';
import { within } from '../within.js';

const READ_FORWARDS = {
  name: 'log-read-forwards',
  text: `select ${EVENT_COLUMNS} from log.events where stream = $1 and revision >= $2 and type <> '$tombstone' order by revision limit $3`,
};
const READ_BACKWARDS = {
  name: 'log-read-backwards',
  text: `select ${EVENT_COLUMNS} from log.events where stream = $1 and revision <= $2 and type <> '$tombstone' order by revision desc limit $3`,
};
const READ_AT = {
  name: 'log-read-at',
  text: `select ${EVENT_COLUMNS} from log.events where position = $1 and type <> '$tombstone'`,
};
const READ_ALL_AT = {
  name: 'log-read-all-at',
  text: `select ${EVENT_COLUMNS} from log.events where position = any($1::bigint[]) and type <> '$tombstone' order by position`,
};
const AGE_AFTER = {
  name: 'log-age-after',
  text: 'select extract(epoch from clock_timestamp() - recorded_at)::float8 * 1000 as ms from log.events where position > $1 order by position limit 1',
};
const TOMBSTONE = { name: 'log-tombstone', text: 'select log.tombstone($1)' };

/** The log in one Postgres table. */
export class PostgresEventLog implements EventLog {
  readonly countsEvents = true;
  private readonly appends: PostgresAppends;
  private readonly subscriptions = new Set<PostgresSubscription>();
  private unlisten: (() => void) | null = null;
  private closed = false;

  constructor(private readonly database: Database) {
    this.appends = new PostgresAppends(database);
  }

  append(stream: string, expected: number, events: readonly NewEvent[], until?: number): Promise<AppendOutcome> {
    return this.appends.append(stream, expected, events, until);
  }

  async read(stream: string, { direction, from, limit, until = Infinity }: ReadStream): Promise<RecordedEvent[]> {
    checkedLimit(limit);
    const [statement, start] =
      direction === 'forwards' ? [READ_FORWARDS, from ?? 0] : [READ_BACKWARDS, from ?? Number.MAX_SAFE_INTEGER];
    const rows = await this.answered(() => {
      const reading = this.database.query<StoredEvent>(statement, [stream, start, limit]);
      // A statement that is given up is left to the database's own time-outs.
      return until === Infinity ? reading : within(until - performance.now(), reading);
    });
    return rows.map(recorded);
  }

  async head(): Promise<Position> {
    const [row] = await this.answered(() => this.database.query<{ head: bigint }>(LOG_HEAD, []));
    const { head } = row!;
    for (const subscription of this.subscriptions) subscription.reaches(head);
    return head;
  }

  async at(position: Position): Promise<RecordedEvent | null> {
    const [row] = await this.answered(() => this.database.query<StoredEvent>(READ_AT, [position]));
    return row ? recorded(row) : null;
  }

  async readAt(positions: readonly Position[]): Promise<RecordedEvent[]> {
    const wanted = inOrder(positions);
    if (wanted.length === 0) return [];
    return (await this.answered(() => this.database.query<StoredEvent>(READ_ALL_AT, [wanted.map(String)]))).map(
      recorded,
    );
  }

  async ageAfter(position: Position): Promise<number | null> {
    const [row] = await this.answered(() => this.database.query<{ ms: number }>(AGE_AFTER, [position]));
    return row ? Math.max(0, row.ms) : null;
  }

  subscribe(options: SubscribeOptions): Subscription {
    this.ensureOpen();
    this.unlisten ??= this.database.listen('assent_log', () => {
      for (const subscription of this.subscriptions) subscription.wake();
    });
    const subscription = new PostgresSubscription(
      options,
      (after) => pageAfter(this.database, after, options),
      () => this.subscriptions.delete(subscription),
    );
    this.subscriptions.add(subscription);
    return subscription;
  }

  hurry(): void {
    for (const subscription of this.subscriptions) subscription.hurry();
  }

  async tombstone(stream: string): Promise<void> {
    await this.answered(() => this.database.query(TOMBSTONE, [stream]));
  }

  /** Leaves the database open: the caller that opened it closes it. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([this.appends.close(), ...[...this.subscriptions].map((subscription) => subscription.stop())]);
    this.unlisten?.();
    this.unlisten = null;
  }

  /** Refuses queries after `close`: the caller closes the database next, and it may be closed by now. */
  private async answered<R>(query: () => Promise<R>): Promise<R> {
    this.ensureOpen();
    try {
      return await query();
    } catch (error) {
      throw new LogUnavailable('the event log cannot be reached', false, { cause: error });
    }
  }

  private ensureOpen(): void {
    if (this.closed) throw new LogUnavailable('the event log is closed', false);
  }
}
