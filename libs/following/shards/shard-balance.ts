import type { Database, Statement } from '../../engines/database/database.js';
import type { Generation } from '../projections/projection.js';
import { shardsToAskFor, shardsToGive, type ShardStanding } from './shard-shares.js';

/** How often a process looks whether the shards are divided evenly. */
const LOOK_EVERY_MS = 1000;
/** A request of a process that does not repeat it counts no longer than this; the shard is then anybody's. */
const REQUEST_MS = 3000;

const OF = 'name = $1 and version = $2 and rebuild = $3';
const STANDINGS: Statement = {
  name: 'shard-standings',
  text: `
select shard,
       case when owned_until > clock_timestamp() then split_part(owner, '/', 1) end as holder,
       case when wanted_until > clock_timestamp() then wanted_by end as "wantedBy"
from projection.shards where ${OF} order by shard`,
};
const ASK: Statement = {
  name: 'shard-ask',
  text: `
update projection.shards set wanted_by = $5, wanted_until = clock_timestamp() + interval '${REQUEST_MS} milliseconds'
where ${OF} and shard = any($4::int[]) and (wanted_by = $5 or wanted_until is null or wanted_until < clock_timestamp())`,
};

export interface ShardBalanceOptions {
  database: Database;
  name: string;
  generation: Generation;
  /** How this process is called in the owners of its shards: what stands before the slash. */
  holder: string;
  /** Whether it could run shards that it is given. */
  mayAsk: () => boolean;
  /** Called for a shard that another process asks for and that this one has above its share. */
  give: (shard: number) => void;
}

/**
 * Divides the shards of a generation evenly among the processes that serve it (see shard-shares). It only says who
 * should own what: what a process may write is decided by the checkpoint alone, whatever goes wrong here.
 */
export class ShardBalance {
  private timer: NodeJS.Timeout | null = null;
  private looking = false;

  constructor(private readonly options: ShardBalanceOptions) {}

  start(): void {
    // A database that is away is the business of the consumers; then shares stay as they are.
    this.timer ??= setInterval(() => void this.look().catch(() => undefined), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const { database, name, generation, holder, mayAsk, give } = this.options;
      const of = [name, generation.version, generation.rebuild];
      const standings = await database.query<ShardStanding>(STANDINGS, of);
      if (this.timer === null) return;
      const wanted = mayAsk() ? shardsToAskFor(standings, holder) : [];
      if (wanted.length > 0) await database.query(ASK, [...of, wanted, holder]);
      for (const shard of shardsToGive(standings, holder)) give(shard);
    } finally {
      this.looking = false;
    }
  }
}
