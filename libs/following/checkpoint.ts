import type { Position } from '../kernel/index.js';
import type { Database, Queries } from '../engines/database/database.js';
import { LEASE, leasesOn } from './shards/leases.js';

const OF_SELF = 'name = $1 and version = $2 and rebuild = $3 and shard = $4 and shards = $5';
/** An owner is named `process/consumer`. What another process has asked for is left to that one, for as long as it asks. */
const IS_FREE = `(
  owner = $6 or (owner is null or owned_until < clock_timestamp())
    and coalesce(wanted_until < clock_timestamp() or wanted_by = split_part($6, '/', 1), true)
)`;
const FIELDS = `position, status, error, poison_position, held_at, owner is null as is_unowned, ${IS_FREE} as is_free`;

const READ = { name: 'shard-read', text: `select ${FIELDS} from projection.shards where ${OF_SELF}` };
const CLAIM = {
  name: 'shard-claim',
  // A row that another process is writing is not free, whatever its lease says.
  text: `
with free as (
  select 1 from projection.shards where ${OF_SELF} and status <> 'stopped' and ${IS_FREE} for update skip locked
)
update projection.shards set owner = $6, owned_until = ${LEASE}, status = 'running', error = null, poison_position = null, wanted_by = null, wanted_until = null
where ${OF_SELF} and exists (select from free)
returning ${FIELDS}, array(select distinct position::text from projection.skipped_events where projection = $1 or everywhere) as skipped`,
};
const RELEASE = {
  name: 'shard-release',
  text: `update projection.shards set owner = null, owned_until = null where ${OF_SELF} and owner = $6`,
};
const HALT = {
  name: 'shard-halt',
  text: `update projection.shards set status = $7, error = $8, poison_position = $9, owner = null, owned_until = null, updated_at = now() where ${OF_SELF} and owner = $6 and position = $10 and status = 'running'`,
};
const RESUME = {
  name: 'shard-resume',
  text: `update projection.shards set status = 'running', error = null, poison_position = null, updated_at = now() where ${OF_SELF} and status <> 'running' returning 1`,
};

/**
 * Channel of NOTIFY, in the transaction that moves a checkpoint of what is read: `name version position`, or
 * `name version` where the generation has several shards.
 */
export const MOVED = 'read_positions';

/**
 * The server ends a transaction that moved checkpoints when its process has been silent for this long, in ms: a process
 * that stands still in the middle of one would keep its shards for as long as its connection may be idle.
 */
const STANDS_STILL_MS = 5000;

/**
 * Moves checkpoints of several shards, or leaves those that may not be moved like that: the update locks their rows, so
 * rivals take turns, and the loser's conditions are checked again on what the winner left. What is built and read by no
 * process yet does not wait for the disk: after a crash of the database its rows and its checkpoint are both of an
 * earlier moment, for they are written together. The switch to it is flushed, and with it all that was committed before.
 */
const MOVE = {
  name: 'shards-move',
  text: `
with wanted as (
  select * from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::int[], $6::text[], $7::bigint[], $8::bigint[])
  as w(name, version, rebuild, shard, shards, owner, before, after)
), moved as (
update projection.shards s set position = w.after, updated_at = now(), owned_until = ${LEASE}
from wanted w, (
  select set_config('lock_timeout', $9, true),
         set_config('idle_in_transaction_session_timeout', '${STANDS_STILL_MS}', true),
         case when not bool_or(live) then set_config('synchronous_commit', 'off', true) end
  from wanted join projection.generations using (name, version, rebuild)
) as settings
where s.name = w.name and s.version = w.version and s.rebuild = w.rebuild and s.shard = w.shard and s.shards = w.shards
  and s.owner = w.owner and s.position = w.before and s.status = 'running' and (s.held_at is null or s.held_at >= w.after)
returning s.owner, s.name, s.version, s.rebuild, s.shards, s.position
), notified as (
  select pg_notify('${MOVED}', m.name || ' ' || m.version || case when m.shards = 1 then ' ' || m.position else '' end)
  from moved m join projection.generations g using (name, version, rebuild) where g.live
)
select owner, (select count(*) from notified) as notified from moved`,
};

/** Which part of a generation is meant: the streams of shard `shard` of `shards`. */
export interface ShardId {
  name: string;
  version: number;
  rebuild: number;
  shard: number;
  shards: number;
}

/** A checkpoint that is to be moved by its owner. */
export interface CheckpointMove extends ShardId {
  /** Of one claim, so no two shards have the same. */
  owner: string;
  from: Position;
  to: Position;
}

/**
 * Moves checkpoints, within a transaction. Answers the owners whose checkpoint was moved: any other does not own its
 * shard any more, or believed in another position, or is held.
 *
 * @param lockMs longest that it waits for a row that another transaction holds; 0: as long as the transaction may take
 */
export async function moveCheckpoints(
  tx: Queries,
  moves: readonly CheckpointMove[],
  lockMs: number,
): Promise<ReadonlySet<string>> {
  const column = (of: (move: CheckpointMove) => unknown): unknown[] => moves.map(of);
  const rows = await tx.query<{ owner: string }>(MOVE, [
    column(({ name }) => name),
    column(({ version }) => version),
    column(({ rebuild }) => rebuild),
    column(({ shard }) => shard),
    column(({ shards }) => shards),
    column(({ owner }) => owner),
    column(({ from }) => from),
    column(({ to }) => to),
    String(lockMs),
  ]);
  return new Set(rows.map(({ owner }) => owner));
}

export interface StoredCheckpoint {
  position: Position;
  /** `awaiting`: a release that does not know the event at `poison_position` stepped aside for a newer one. */
  status: 'running' | 'awaiting' | 'stopped';
  error: string | null;
  poison_position: Position | null;
  held_at: Position | null;
  /** It had no owner since it was made, released or halted. Otherwise its owner may have died. */
  is_unowned: boolean;
  /** Whether the asking process may claim it. */
  is_free: boolean;
}

export interface ClaimedCheckpoint extends StoredCheckpoint {
  /** Positions of the events that operators left out. */
  skipped: ReadonlySet<Position>;
}

/** The checkpoint of one shard, as one who wants to own it sees it. All rejections are the database's. */
export class Checkpoint {
  private readonly self: readonly unknown[];

  constructor(
    private readonly database: Database,
    private readonly id: ShardId,
    private readonly owner: string,
  ) {
    const { name, version, rebuild, shard, shards } = id;
    this.self = [name, version, rebuild, shard, shards, owner];
  }

  /** Null where there is no such shard (any more). */
  async read(): Promise<StoredCheckpoint | null> {
    const [row] = await this.database.query<StoredCheckpoint>(READ, this.self);
    return row ?? null;
  }

  /** Takes the shard, where no other process has it and no event stops it. */
  async claim(): Promise<ClaimedCheckpoint | null> {
    const [row] = await this.database.query<StoredCheckpoint & { skipped: string[] }>(CLAIM, this.self);
    return row ? { ...row, skipped: new Set(row.skipped.map(BigInt)) } : null;
  }

  /** Renews the lease until the returned function is called. Calls `lost` where another process owns the shard by now. */
  keep(lost: () => void): () => void {
    return leasesOn(this.database).keep(this.owner, lost);
  }

  /** Renews it now: a write that took long has used up the lease that it began with. */
  renew(): Promise<void> {
    return leasesOn(this.database).renew();
  }

  /** Frees the shard for another process at once. */
  async release(): Promise<void> {
    await this.database.query(RELEASE, this.self);
  }

  move(from: Position, to: Position): CheckpointMove {
    return { ...this.id, owner: this.owner, from, to };
  }

  /** `stopped`: until an operator resumes or skips. `awaiting`: until a newer release takes it. */
  async halt(status: 'stopped' | 'awaiting', error: string, at: Position, before: Position): Promise<void> {
    await this.database.query(HALT, [...this.self, status, error, at, before]);
  }

  /** Lets the next owner try the event that halted it once more; false where none did. */
  async resume(): Promise<boolean> {
    return (await this.database.query(RESUME, this.self.slice(0, 5))).length === 1;
  }
}
