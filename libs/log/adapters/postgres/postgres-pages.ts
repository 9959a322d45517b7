import type { Position } from '../../../kernel/index.js';
import type { Database } from '../../../engines/database/database.js';
import type { RecordedEvent, SubscribeOptions } from '../../port.js';
import { EVENT_COLUMNS, unparsed, type StoredEvent } from './postgres-events.js';

export const LOG_HEAD = { name: 'log-head', text: 'select coalesce(max(position), -1) as head from log.events' };
/** Positions that one page passes at most, so that a filter which matches little stays bounded. */
const PAGE_WINDOW = 20_000n;

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

export interface Page {
  events: RecordedEvent[];
  /** Up to here everything wanted was seen; never before the position that was asked for. */
  through: Position;
  /** Whether there may be something behind that already. */
  hasNext: boolean;
}

/** What comes after a position, with everything that was committed when it was asked for. */
export async function pageAfter(
  database: Database,
  after: Position,
  { prefixes, batchSize = 1000 }: Pick<SubscribeOptions, 'prefixes' | 'batchSize'>,
): Promise<Page> {
  const rows =
    prefixes.length === 0
      ? await database.query<PageRow>(PAGE, [after, batchSize])
      : await database.query<PageRow>(PAGE_OF_PREFIXES, [after, batchSize, prefixes]);
  const { head } = rows[0]!;
  const events = rows.flatMap((row) => (row.position === null ? [] : [unparsed(row)]));
  const end = after + PAGE_WINDOW < head ? after + PAGE_WINDOW : head;
  const through = events.length === batchSize ? events.at(-1)!.position : end > after ? end : after;
  return { events, through, hasNext: through < head };
}

type PageRow = { head: Position } & (StoredEvent | { position: null });
