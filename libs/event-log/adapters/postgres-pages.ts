import type { Position } from '../../kernel/index.js';
import type { Database } from '../../platform/database/database.js';
import type { RecordedEvent, SubscribeOptions } from '../port.js';
import { EVENT_COLUMNS, unparsed, type StoredEvent } from './postgres-events.js';

export const LOG_HEAD = { name: 'log-head', text: 'select coalesce(max(position), -1) as head from log.events' };
/** Positions looked at by one page: what bounds a filter that matches next to nothing. */
export const PAGE_WINDOW = 20_000n;

/** Which shard of `$n` a stream belongs to. Partitions of tables rely on this hash, so it is the same in every version of Postgres. */
export const shardOfStreamSql = (parameter: string): string =>
  `abs(hashtextextended(stream, 4710) % ${parameter}::int)::int`;
/** Between two positions that are known to be committed. */
export const PAGE_WHERE = `position > $1 and position <= $2 and type <> '$tombstone'`;

const PAGE_OF_ALL = `select ${EVENT_COLUMNS} from log.events where ${PAGE_WHERE}`;
const IN_ORDER = 'order by position limit $3';
const PAGE = { name: 'log-page', text: `${PAGE_OF_ALL} ${IN_ORDER}` };
const PAGE_OF_PREFIXES = { name: 'log-page-of', text: `${PAGE_OF_ALL} and stream ^@ any($4::text[]) ${IN_ORDER}` };
const PAGE_OF_SHARD = {
  name: 'log-page-of-shard',
  text: `${PAGE_OF_ALL} and ($4::text[] = '{}' or stream ^@ any($4::text[])) and ${shardOfStreamSql('$5')} = $6 ${IN_ORDER}`,
};

export interface Page {
  events: RecordedEvent[];
  /** Up to here everything wanted was seen. */
  through: Position;
}

/** What a subscription reads the log by. */
export interface Pages {
  /** What comes after a position; nothing beyond `head`, which is committed. */
  after(after: Position, head: Position): Promise<Page>;
  /** Nothing more will be asked. */
  end(): void;
}

/** Pages that are read for one subscription alone. */
export class OwnPages implements Pages {
  constructor(
    private readonly database: Database,
    private readonly options: Pick<SubscribeOptions, 'prefixes' | 'shard' | 'batchSize'>,
  ) {}

  async after(after: Position, head: Position): Promise<Page> {
    const { batchSize = 1000 } = this.options;
    const end = after + PAGE_WINDOW < head ? after + PAGE_WINDOW : head;
    const rows = await this.rowsBetween(after, end, batchSize);
    return { events: rows.map(unparsed), through: rows.length === batchSize ? rows.at(-1)!.position : end };
  }

  end(): void {}

  private rowsBetween(after: Position, end: Position, limit: number): Promise<StoredEvent[]> {
    const { prefixes, shard } = this.options;
    const { database } = this;
    if (shard) return database.query<StoredEvent>(PAGE_OF_SHARD, [after, end, limit, prefixes, shard.of, shard.index]);
    return prefixes.length === 0
      ? database.query<StoredEvent>(PAGE, [after, end, limit])
      : database.query<StoredEvent>(PAGE_OF_PREFIXES, [after, end, limit, prefixes]);
  }
}
