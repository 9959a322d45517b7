import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Position } from '../../../kernel/index.js';
import type { Database } from '../../../engines/database/database.js';
import type { RecordedEvent, SubscribeOptions } from '../../port.js';
import { EVENT_COLUMNS, unparsed, type StoredEvent } from './postgres-events.js';

export const LOG_HEAD = { name: 'log-head', text: 'select coalesce(max(position), -1) as head from log.events' };
/** Positions that one page passes at most, so that a filter which matches little stays bounded. */
export const PAGE_WINDOW = 20_000n;

/** The shard, of `$n`, of a stream. Partitions of tables rely on this hash: every version of Postgres has the same one. */
export const shardOfStreamSql = (parameter: string): string =>
  `abs(hashtextextended(stream, 4710) % ${parameter}::int)::int`;
/** Between two positions that are known to be committed. */
export const PAGE_WHERE = `position > $1 and position <= $2 and type <> '$tombstone'`;

/** Of one snapshot: what is there up to its head, and the head. A row without a position where nothing is. */
const pageSql = (where: string): string => `
select log.head, page.* from (select coalesce(max(position), -1) as head from log.events) log
left join lateral (
  select ${EVENT_COLUMNS} from log.events
  where position > $1 and position <= least(log.head, $1::bigint + ${PAGE_WINDOW}) and type <> '$tombstone' ${where}
  order by position limit $2
) page on true order by page.position`;
const PAGE = { name: 'log-page-to-head', text: pageSql('') };
const PAGE_OF_PREFIXES = { name: 'log-page-to-head-of', text: pageSql('and stream ^@ any($3::text[])') };
const PAGE_OF_SHARD = {
  name: 'log-page-to-head-of-shard',
  text: pageSql(`and ($3::text[] = '{}' or stream ^@ any($3::text[])) and ${shardOfStreamSql('$4')} = $5`),
};

export interface Page {
  events: RecordedEvent[];
  /** Up to here everything wanted was seen; never before the position that was asked for. */
  through: Position;
  /** Whether there may be something behind that already. */
  hasNext: boolean;
}

/** What a subscription reads the log by. */
export interface Pages {
  /** What comes after a position, with everything that was committed when it was asked for. */
  after(after: Position): Promise<Page>;
  /** Nothing more will be asked. */
  end(): void;
}

/** Pages that are read for one subscription, or for several that ask for the same one at the same time. */
export class OwnPages implements Pages {
  constructor(
    private readonly database: Database,
    private readonly options: Pick<SubscribeOptions, 'prefixes' | 'shard' | 'batchSize'>,
    private readonly asked: PagesAsked = new Map(),
  ) {}

  /**
   * An append wakes all read models, which want the same page then. It is read at the end of the turn of the event loop,
   * once for all that asked for it until then: each of them sees everything that was committed when it asked.
   */
  async after(after: Position): Promise<Page> {
    const { prefixes, shard, batchSize = 1000 } = this.options;
    const name = [after, batchSize, shard?.index, shard?.of, ...prefixes].join(' ');
    let page = this.asked.get(name);
    if (!page) {
      page = endOfTurn().then(() => {
        this.asked.delete(name);
        return this.read(after, batchSize);
      });
      this.asked.set(name, page);
    }
    const { events, ...rest } = await page;
    return { events: [...events], ...rest };
  }

  end(): void {}

  private async read(after: Position, limit: number): Promise<Page> {
    const rows = await this.rowsAfter(after, limit);
    const { head } = rows[0]!;
    const events = rows.flatMap((row) => (row.position === null ? [] : [unparsed(row)]));
    const end = after + PAGE_WINDOW < head ? after + PAGE_WINDOW : head;
    const through = events.length === limit ? events.at(-1)!.position : end > after ? end : after;
    return { events, through, hasNext: through < head };
  }

  private rowsAfter(after: Position, limit: number): Promise<PageRow[]> {
    const { prefixes, shard } = this.options;
    const { database } = this;
    if (shard) return database.query<PageRow>(PAGE_OF_SHARD, [after, limit, prefixes, shard.of, shard.index]);
    return prefixes.length === 0
      ? database.query<PageRow>(PAGE, [after, limit])
      : database.query<PageRow>(PAGE_OF_PREFIXES, [after, limit, prefixes]);
  }
}

/** Pages that subscriptions asked for in this turn of the event loop and that are not read yet. */
export type PagesAsked = Map<string, Promise<Page>>;

type PageRow = { head: Position } & (StoredEvent | { position: null });
