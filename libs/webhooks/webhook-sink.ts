import { AFTER_MOVED, MOVED, type Move } from '../event-log/checkpoint.js';
import { arrayParameters, ColumnArrays } from '../event-log/column-arrays.js';
import type { RecordedEvent } from '../event-log/port.js';
import { Poison, type Effect, type Sink } from '../event-log/sink.js';
import type { Position } from '../kernel/index.js';
import type { Database, Statement } from '../platform/database/database.js';
import type { EventRow } from './event-rows.js';
import { NEWS, newsText } from './news.js';

export interface WebhookSinkOptions {
  database: Database;
  /** What is told of an event, in the order of the sequence. Throws where the event cannot be read. Pure. */
  told: (event: RecordedEvent) => readonly EventRow[];
}

/**
 * Writes every webhook event, in the order of the log: one writer, so that rows become visible in the order of their
 * sequence and nobody who reads up to the last one misses any. Nothing is sent here.
 */
export class WebhookSink implements Sink {
  /** What happened up to here stood in the tables when this process took over. */
  private through: Position | null = null;

  constructor(private readonly options: WebhookSinkOptions) {}

  async prepare(events: readonly RecordedEvent[]): Promise<Effect> {
    const { database } = this.options;
    this.through ??= await appliedThrough(database);
    const rows = new ColumnArrays(COLUMNS);
    const news = new Map<string, Set<string>>();
    let counted = 0;
    for (const event of events) {
      if (event.position <= this.through) continue;
      const told = this.told(event);
      if (told.length > 0) counted += 1;
      for (const { subjectId, ...row } of told) {
        rows.add({ ...row, subject_id: subjectId });
        const scope = `${row.site}.${row.env}`;
        const types = news.get(scope);
        if (types) types.add(row.type);
        else news.set(scope, new Set([row.type]));
      }
    }
    return {
      events: counted,
      isEmpty: counted === 0,
      write: async (move: Move) => {
        const values = [...move, ...rows.values, [...news].map(([scope, types]) => newsText(scope, types))];
        const [answer] = await database.query<{ moved: number }>(WRITE, values);
        return answer!.moved === 1;
      },
    };
  }

  reset(): void {
    this.through = null;
  }

  private told(event: RecordedEvent): readonly EventRow[] {
    try {
      return this.options.told(event);
    } catch (cause) {
      throw new Poison(event.position, { cause });
    }
  }
}

const COLUMNS = {
  site: 'text',
  env: 'text',
  sequence: 'bigint',
  id: 'text',
  type: 'text',
  subject_id: 'text',
  endpoint: 'text',
  body: 'text',
};
const NAMES = Object.keys(COLUMNS);

/** `$8` is the position that the checkpoint moves to (see MOVED). */
const WRITE: Statement = {
  name: 'webhooks-write',
  text: `
with ${MOVED}, events as (
  insert into webhooks.event (${NAMES.join(', ')})
  select * from unnest(${arrayParameters(COLUMNS, NAMES, AFTER_MOVED)}) where exists (select from moved)
), applied as (
  update webhooks.applied set through = greatest(through, $8) where exists (select from moved)
), news as (
  select pg_notify('${NEWS}', payload) from unnest($${AFTER_MOVED + NAMES.length}::text[]) as payload where exists (select from moved)
)
select count(*)::int as moved, (select count(*) from news) as news from moved`,
};

const APPLIED: Statement = { name: 'webhooks-applied', text: 'select through from webhooks.applied' };

/** Up to which position of the log the tables of webhooks hold what happened. */
export async function appliedThrough(database: Pick<Database, 'query'>): Promise<Position> {
  const [row] = await database.query<{ through: Position }>(APPLIED, []);
  return row!.through;
}
