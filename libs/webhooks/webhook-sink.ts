import type { RecordedEvent } from '../log/port.js';
import { Poison, type Effect, type Sink } from '../following/sinks/sink.js';
import type { Position } from '../kernel/index.js';
import type { Database, Statement } from '../engines/database/database.js';
import type { AnnouncedEvent, Announcer } from './announced-events.js';
import { ANNOUNCED_VALUES, AnnouncedRows, insertAnnounced } from './announced-rows.js';
import { endpointChange, type EndpointChange } from './endpoint-changes.js';
import { NEWS, newsText } from './news.js';

export interface WebhookSinkOptions {
  database: Database;
  /** What is kept of an event that is announced. Throws where the event cannot be read. Pure. */
  announced: (event: RecordedEvent) => readonly AnnouncedEvent[];
  /** What it changes of an endpoint; null: nothing. Throws as `announced` does. Pure. */
  changed: (event: RecordedEvent) => EndpointChange | null;
}

/**
 * Notes every event of the log that webhooks announce, and writes what happened to endpoints, in the order of the log:
 * one writer, so that rows become visible in the order of their positions and a reader who goes on from the last one
 * misses none. Bodies are made of the event itself when they are sent or fetched. Nothing is sent here.
 */
export class WebhookSink implements Sink {
  /** What happened up to here stood in the tables when this process took over. */
  private through: Position | null = null;

  private readonly rows: AnnouncedRows;

  constructor(private readonly options: WebhookSinkOptions) {
    this.rows = new AnnouncedRows(options.database);
  }

  async prepare(events: readonly RecordedEvent[]): Promise<Effect> {
    const { database } = this.options;
    this.through ??= await appliedThrough(database);
    const batch = new Batch();
    for (const event of events) if (event.position > this.through) this.add(event, batch);
    const rows = await this.rows.of(batch.announced);
    return {
      events: batch.events,
      isEmpty: batch.events === 0,
      write: async (tx, through) => {
        await tx.query(WRITE, [...rows, batch.newsTexts, through]);
        for (const { apply } of batch.changes) await apply(tx);
      },
    };
  }

  reset(): void {
    this.through = null;
    this.rows.forget();
  }

  private add(event: RecordedEvent, batch: Batch): void {
    const { announced, changed } = this.options;
    try {
      batch.add(announced(event), changed(event));
    } catch (cause) {
      throw new Poison(event.position, { cause });
    }
  }
}

/** What a batch of the log comes to. */
class Batch {
  readonly announced: AnnouncedEvent[] = [];
  readonly changes: EndpointChange[] = [];
  /** How many events of the log counted. */
  events = 0;
  private readonly news = new Map<string, { types: Set<string>; endpoints: boolean }>();

  add(announced: readonly AnnouncedEvent[], change: EndpointChange | null): void {
    if (announced.length > 0 || change) this.events += 1;
    for (const event of announced) {
      this.announced.push(event);
      const { types } = this.newsOf(`${event.site}.${event.env}`);
      for (const type of event.types) if (type !== null) types.add(type);
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

const WRITE: Statement = {
  name: 'webhooks-write',
  text: `
with events as (
  ${insertAnnounced(1)}
), applied as (
  update webhooks.applied set through = greatest(through, $${ANNOUNCED_VALUES + 2})
)
select pg_notify('${NEWS}', payload) from unnest($${ANNOUNCED_VALUES + 1}::text[]) as payload`,
};

const APPLIED: Statement = { name: 'webhooks-applied', text: 'select through from webhooks.applied' };

/** Up to which position of the log the tables of webhooks hold what happened. */
export async function appliedThrough(database: Pick<Database, 'query'>): Promise<Position> {
  const [row] = await database.query<{ through: Position }>(APPLIED, []);
  return row!.through;
}

/** The one that follows the log of this announcer. */
export const webhookSink = (database: Database, announcer: Announcer): WebhookSink =>
  new WebhookSink({
    database,
    announced: (event) => announcer.announced(event),
    changed: (event) => endpointChange(event, announcer.codec),
  });
