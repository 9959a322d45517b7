import type { Position } from '../kernel/index.js';
import type { Database, Queries } from '../platform/database/database.js';
import type { LeftOut } from './codec.js';
import { tableOf } from './read-table.js';

const LOOK_EVERY_MS = 2_000;

/** An event that an operator leaves out of a projection, for good: everybody who reads the log for it honours that. */
export interface SkippedEvent {
  projection: string;
  position: Position;
  /** Null where it is not known any more. */
  stream: string | null;
  revision: number | null;
  type: string | null;
  by: string;
}

const NOTE = `
insert into projection.skipped_events (projection, position, stream, revision, type, skipped_by)
values ($1, $2, $3, $4, $5, $6) on conflict do nothing`;
const GO_ON = `
update projection.shards set status = 'running', error = null, poison_position = null, position = $2, updated_at = now()
where name = $1 and status <> 'running' and poison_position = $2 returning 1`;
/** Generations that are being built and have been past the event: it may be in their rows. */
const PAST_IT = `
select distinct g.version, g.rebuild, g.builder is not null as is_of_command
from projection.generations g join projection.shards s using (name, version, rebuild)
where g.name = $1 and not g.live and s.position >= $2`;
const OF = 'name = $1 and version = $2 and rebuild = $3';

/**
 * Leaves out the event that stops a projection, in one transaction with the checkpoints that go on behind it. What is
 * being built and went past it begins again, without it. False where it is not what stops the projection.
 */
export function skipEvent(
  database: Database,
  { projection, position, stream, revision, type, by }: SkippedEvent,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.run('select pg_advisory_xact_lock(4711, hashtext($1))', [projection]);
    const past = await tx.run<{ version: number; rebuild: number; is_of_command: boolean }>(PAST_IT, [
      projection,
      position,
    ]);
    if ((await tx.run(GO_ON, [projection, position])).length === 0) return false;
    await noteSkipped(tx, { projection, position, stream, revision, type, by });
    // A fold that could read the event may have taken it into a snapshot.
    if (stream !== null) await tx.run('delete from snapshot.streams where stream = $1', [stream]);
    for (const { version, rebuild, is_of_command } of past) {
      if (is_of_command) await tx.run(`delete from projection.generations where ${OF}`, [projection, version, rebuild]);
      else await beginAgain(tx, projection, version, rebuild);
    }
    return true;
  });
}

/** Notes that an event is left out; what was noted before stays as it is. */
export async function noteSkipped(
  database: Queries,
  { projection, position, stream, revision, type, by }: SkippedEvent,
): Promise<void> {
  await database.run(NOTE, [projection, position, stream, revision, type, by]);
}

/** Whoever owns a shard of it finds its lease gone, and starts from the checkpoint. */
async function beginAgain(tx: Queries, name: string, version: number, rebuild: number): Promise<void> {
  await tx.run(
    `update projection.shards set position = -1, owner = null, owned_until = null, status = 'running', error = null, poison_position = null where ${OF}`,
    [name, version, rebuild],
  );
  await tx.run(`delete from ${tableOf(name, { version, rebuild })}`);
}

const ALL = { name: 'skipped-events', text: 'select projection, position from projection.skipped_events' };

/** What is left out of each projection. */
export async function skippedEvents(database: Queries): Promise<ReadonlyMap<string, ReadonlySet<Position>>> {
  const skipped = new Map<string, Set<Position>>();
  for (const { projection, position } of await database.query<{ projection: string; position: Position }>(ALL, [])) {
    const positions = skipped.get(projection);
    if (positions) positions.add(position);
    else skipped.set(projection, new Set([position]));
  }
  return skipped;
}

/**
 * The events that operators left out of any projection, as a process keeps them in memory for its folds. Looks again
 * every two seconds; while the database is away it knows what it knew.
 */
export class SkippedEvents implements LeftOut {
  private positions: ReadonlySet<Position> = new Set();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: Queries) {}

  /** Rejects where the database cannot be reached. */
  async start(): Promise<void> {
    await this.look();
    this.timer ??= setInterval(() => void this.look().catch(() => undefined), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  has(position: Position): boolean {
    return this.positions.has(position);
  }

  private async look(): Promise<void> {
    const skipped = await skippedEvents(this.database);
    this.positions = new Set([...skipped.values()].flatMap((positions) => [...positions]));
  }
}
