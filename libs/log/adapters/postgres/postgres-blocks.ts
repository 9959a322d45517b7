import type { Position } from '../../../kernel/index.js';
import type { Database } from '../../../engines/database/database.js';
import type { RecordedEvent } from '../../port.js';
import { EVENT_COLUMNS, unparsed, type StoredEvent } from './postgres-events.js';
import { LOG_HEAD, PAGE_WHERE, PAGE_WINDOW, shardOfStreamSql, type Page, type Pages } from './postgres-pages.js';

/** Positions of one block: small, so that a page is made of several and is nearly as full as it may be. */
const BLOCK = 500;
/** Blocks that wait for shards that are behind. What is older they read for themselves. */
const BLOCKS_MAX = 40;

const READ_BLOCK = {
  name: 'log-block-of-shards',
  text: `
select * from (
  select ${EVENT_COLUMNS}, ${shardOfStreamSql('$4')} as shard from log.events
  where ${PAGE_WHERE} and ($3::text[] = '{}' or stream ^@ any($3::text[]))
) as event where shard = any($5::int[]) order by position`,
};

type Parts = Map<number, RecordedEvent[]>;

/** A stretch of the log that was read once, and the shards that have not taken their part of it yet. */
interface Block {
  wantedBy: Set<number>;
  parts: Promise<Parts>;
}

/**
 * The log as the shards of one read model in one process read it: whoever gets to a block first reads it for all of
 * them. Read by each shard for itself, four shards made Postgres look at every event four times. Nobody waits for
 * anybody: a shard that is far behind the others, or comes to a block anew after a failure, reads for itself.
 */
export class Blocks {
  private readonly members = new Set<number>();
  private readonly blocks = new Map<bigint, Block>();
  /** The furthest block that was read: only whoever goes beyond it reads for the others. */
  private furthest = -1n;
  private head: Position = -1n;
  readonly size: bigint;

  /** `batchSize`: most events of one page. */
  constructor(
    private readonly database: Database,
    private readonly prefixes: readonly string[],
    private readonly of: number,
    batchSize: number,
  ) {
    this.size = BigInt(Math.min(BLOCK, batchSize));
  }

  /** The head as it was last seen, where a whole block after a position lies before it; else as it is. */
  async headBeyond(after: Position): Promise<Position> {
    const end = ((after + 1n) / this.size + 1n) * this.size - 1n;
    if (this.head < end) {
      const [row] = await this.database.query<{ head: Position }>(LOG_HEAD, []);
      this.head = row!.head;
    }
    return this.head;
  }

  join(shard: number): void {
    this.members.add(shard);
  }

  leave(shard: number): void {
    this.members.delete(shard);
    for (const index of [...this.blocks.keys()]) this.unwanted(index, shard);
  }

  /** What a block holds of a shard, in log order. Null: the shard has to read for itself. */
  take(index: bigint, shard: number): Promise<RecordedEvent[]> | null {
    for (const earlier of [...this.blocks.keys()]) if (earlier < index) this.unwanted(earlier, shard);
    const block = this.blocks.get(index) ?? this.begun(index);
    if (!block?.wantedBy.has(shard)) return null;
    this.unwanted(index, shard);
    return block.parts.then((parts) => {
      const part = parts.get(shard) ?? [];
      parts.delete(shard);
      return part;
    });
  }

  private begun(index: bigint): Block | null {
    if (index <= this.furthest || this.members.size < 2) return null;
    this.furthest = index;
    const block = { wantedBy: new Set(this.members), parts: this.read(index) };
    // Whoever has taken it is told; nobody else may get it.
    block.parts.catch(() => this.blocks.delete(index));
    this.blocks.set(index, block);
    if (this.blocks.size > BLOCKS_MAX) this.blocks.delete(this.blocks.keys().next().value!);
    return block;
  }

  private unwanted(index: bigint, shard: number): void {
    const { wantedBy } = this.blocks.get(index)!;
    wantedBy.delete(shard);
    if (wantedBy.size === 0) this.blocks.delete(index);
  }

  private async read(index: bigint): Promise<Parts> {
    const first = index * this.size;
    const values = [first - 1n, first + this.size - 1n, this.prefixes, this.of, [...this.members]];
    const rows = await this.database.query<StoredEvent & { shard: number }>(READ_BLOCK, values);
    const parts: Parts = new Map();
    for (const row of rows) {
      const part = parts.get(row.shard);
      if (part) part.push(unparsed(row));
      else parts.set(row.shard, [unparsed(row)]);
    }
    return parts;
  }
}

/** Pages of one shard, made of blocks where others have read or will read the same ones. */
export class PagesOfBlocks implements Pages {
  constructor(
    private readonly blocks: Blocks,
    private readonly own: Pages,
    private readonly shard: number,
    private readonly batchSize: number,
  ) {
    blocks.join(shard);
  }

  async after(after: Position): Promise<Page> {
    const { size } = this.blocks;
    // Only whole blocks are read together: whoever is nearly level with the log reads for itself.
    const head = await this.blocks.headBeyond(after);
    const events: RecordedEvent[] = [];
    let through = after;
    // A block may hold nothing but events of this shard.
    while (through - after < PAGE_WINDOW && events.length + Number(size) <= this.batchSize) {
      const index = (through + 1n) / size;
      const end = (index + 1n) * size - 1n;
      const part = end <= head ? this.blocks.take(index, this.shard) : null;
      if (part === null) break;
      for (const event of await part) if (event.position > through) events.push(event);
      through = end;
    }
    return through === after ? this.own.after(after) : { events, through, hasNext: true };
  }

  end(): void {
    this.blocks.leave(this.shard);
  }
}
