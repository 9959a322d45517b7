import type { Codec } from '../streams/codec.js';
import { arrayParameters, ColumnArrays } from '../following/sinks/column-arrays.js';
import type { RecordedEvent } from '../log/port.js';
import { Poison, type Effect, type Sink } from '../following/sinks/sink.js';
import type { Position } from '../kernel/index.js';
import type { Database, Statement } from '../engines/database/database.js';
import { endpointChange, type EndpointChange } from './endpoint-changes.js';
import { EVENT_COLUMNS, eventRows, storedRow, type EventRow } from './event-rows.js';
import { NEWS, newsText } from './news.js';

export interface WebhookSinkOptions {
  database: Database;
  /** What is told of an event, in the order of the sequence. Throws where the event cannot be read. Pure. */
  told: (event: RecordedEvent) => readonly EventRow[];
  /** What it changes of an endpoint; null: nothing. Throws as `told` does. Pure. */
  changed: (event: RecordedEvent) => EndpointChange | null;
}

/**
 * Writes every webhook event, and what happened to endpoints, in the order of the log: one writer, so that rows become
 * visible in the order of their sequence and nobody who reads up to the last one misses any. Nothing is sent here.
 */
export class WebhookSink implements Sink {
  /** What happened up to here stood in the tables when this process took over. */
  private through: Position | null = null;

  constructor(private readonly options: WebhookSinkOptions) {}

  async prepare(events: readonly RecordedEvent[]): Promise<Effect> {
    const { database } = this.options;
    this.through ??= await appliedThrough(database);
    const batch = new Batch();
    for (const event of events) if (event.position > this.through) this.add(event, batch);
    return {
      events: batch.events,
      isEmpty: batch.events === 0,
      write: async (tx, through) => {
        await tx.query(WRITE, [...batch.rows.values, batch.newsTexts, through]);
        for (const { apply } of batch.changes) await apply(tx);
      },
    };
  }

  reset(): void {
    this.through = null;
  }

  private add(event: RecordedEvent, batch: Batch): void {
    const { told, changed } = this.options;
    try {
      batch.add(told(event), changed(event));
    } catch (cause) {
      throw new Poison(event.position, { cause });
    }
  }
}

/** What a batch of the log comes to. */
class Batch {
  readonly rows = new ColumnArrays(EVENT_COLUMNS);
  readonly changes: EndpointChange[] = [];
  /** How many events of the log counted. */
  events = 0;
  private readonly news = new Map<string, { types: Set<string>; endpoints: boolean }>();

  add(told: readonly EventRow[], change: EndpointChange | null): void {
    if (told.length > 0 || change) this.events += 1;
    for (const row of told) {
      this.rows.add(storedRow(row));
      this.newsOf(`${row.site}.${row.env}`).types.add(row.type);
    }
    if (!change) return;
    this.changes.push(change);
    this.newsOf(change.scope).endpoints = true;
  }

  get newsTexts(): string[] {
    return [...this.news].map(([scope, { types, endpoints }]) => newsText({ scope, types: [...types], endpoints }));
  }

  private newsOf(scope: string): { types: Set<string>; endpoints: boolean } {
    let news = this.news.get(scope);
    if (!news) this.news.set(scope, (news = { types: new Set(), endpoints: false }));
    return news;
  }
}

const NAMES = Object.keys(EVENT_COLUMNS);

const WRITE: Statement = {
  name: 'webhooks-write',
  text: `
with events as (
  insert into webhooks.event (${NAMES.join(', ')})
  select * from unnest(${arrayParameters(EVENT_COLUMNS, NAMES, 1)})
), applied as (
  update webhooks.applied set through = greatest(through, $${NAMES.length + 2})
)
select pg_notify('${NEWS}', payload) from unnest($${NAMES.length + 1}::text[]) as payload`,
};

const APPLIED: Statement = { name: 'webhooks-applied', text: 'select through from webhooks.applied' };

/** Up to which position of the log the tables of webhooks hold what happened. */
export async function appliedThrough(database: Pick<Database, 'query'>): Promise<Position> {
  const [row] = await database.query<{ through: Position }>(APPLIED, []);
  return row!.through;
}

/** The one that follows a log whose events this codec reads. */
export const webhookSink = (database: Database, codec: Codec): WebhookSink =>
  new WebhookSink({
    database,
    told: (event) => eventRows(event, codec),
    changed: (event) => endpointChange(event, codec),
  });
