import type { Position } from '../kernel/index.js';
import type { Database, Queries } from '../engines/database/database.js';
import type { LeftOut } from '../streams/codec.js';
import { countsTableOf, tableOf } from './projections/read-table.js';

const LOOK_EVERY_MS = 5_000;

/** An event that an operator leaves out for good. */
export interface SkippedEvent {
  /** The read model that it stopped. */
  projection: string;
  position: Position;
  /**
   * The event itself cannot be read or must not count: every read model, fold, history and verification leaves it out.
   * False: it is this projection alone that cannot take it in.
   */
  everywhere: boolean;
  /** Null where it is not known any more. */
  stream: string | null;
  revision: number | null;
  type: string | null;
  by: string;
}

const NOTE = `
insert into projection.skipped_events (projection, position, everywhere, stream, revision, type, skipped_by)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (projection, position) do update set everywhere = true where excluded.everywhere and not skipped_events.everywhere`;
const NOTED = 'select 1 from projection.skipped_events where projection = $1 and position = $2';
const GO_ON = `
update projection.shards set status = 'running', error = null, poison_position = null, position = $2, updated_at = now()
where (name = $1 or $3) and status <> 'running' and poison_position = $2 returning 1`;
/** The owner of a shard that has not come to the event finds its lease gone, claims it anew and learns what to leave out. */
const CLAIM_ANEW = 'update projection.shards set owner = null, owned_until = null where position < $1';
/** Generations that are being built and have been past the event: it may be in their rows. */
const PAST_IT = `
select distinct g.name, g.version, g.rebuild, g.builder is not null as is_of_command
from projection.generations g join projection.shards s using (name, version, rebuild)
where (g.name = $1 or $3) and not g.live and s.position >= $2`;
const OF = 'name = $1 and version = $2 and rebuild = $3';

interface PastIt {
  name: string;
  version: number;
  rebuild: number;
  is_of_command: boolean;
}

/**
 * Leaves an event out, in one transaction with the checkpoints that it stops, which go on behind it. What is being built
 * and went past it begins again, without it. False where the event neither stops the projection nor is one that it has
 * left out alone before.
 */
export function skipEvent(database: Database, skipped: SkippedEvent): Promise<boolean> {
  const { projection, position, everywhere, stream } = skipped;
  return database.transaction(async (tx) => {
    for (const name of await namesOf(tx, projection, everywhere))
      await tx.run('select pg_advisory_xact_lock(4711, hashtext($1))', [name]);
    const past = await tx.run<PastIt>(PAST_IT, [projection, position, everywhere]);
    const wentOn = await tx.run(GO_ON, [projection, position, everywhere]);
    const [known] = await tx.run(NOTED, [projection, position]);
    if (wentOn.length === 0 && !(everywhere && known)) return false;
    await noteSkipped(tx, skipped);
    if (everywhere) await tx.run(CLAIM_ANEW, [position]);
    if (everywhere && stream !== null) await tx.run('delete from snapshot.streams where stream = $1', [stream]);
    for (const { name, version, rebuild, is_of_command } of past) {
      if (is_of_command) await tx.run(`delete from projection.generations where ${OF}`, [name, version, rebuild]);
      else await beginAgain(tx, name, version, rebuild);
    }
    return true;
  });
}

/** Always in the same order, so that two who lock several of them do not wait for each other. */
async function namesOf(tx: Queries, projection: string, everywhere: boolean): Promise<string[]> {
  if (!everywhere) return [projection];
  const rows = await tx.run<{ name: string }>('select distinct name from projection.generations order by name', []);
  return rows.map(({ name }) => name);
}

/** Notes that an event is left out. What was left out everywhere stays so. */
export async function noteSkipped(
  database: Queries,
  { projection, position, everywhere, stream, revision, type, by }: SkippedEvent,
): Promise<void> {
  await database.run(NOTE, [projection, position, everywhere, stream, revision, type, by]);
}

/** The owner of one of its shards finds the lease gone, and starts from the checkpoint. */
async function beginAgain(tx: Queries, name: string, version: number, rebuild: number): Promise<void> {
  await tx.run(
    `update projection.shards set position = -1, owner = null, owned_until = null, status = 'running', error = null, poison_position = null where ${OF}`,
    [name, version, rebuild],
  );
  await tx.run(`delete from ${tableOf(name, { version, rebuild })}`);
  const counts = countsTableOf(name, { version, rebuild });
  const [found] = await tx.run<{ exists: boolean }>('select to_regclass($1) is not null as exists', [counts]);
  if (found!.exists) await tx.run(`delete from ${counts}`);
}

type NotedEvent = Omit<SkippedEvent, 'by'>;
const ALL = {
  name: 'skipped-events',
  text: 'select projection, position, everywhere, stream, revision::int, type from projection.skipped_events',
};
const FORGET_SNAPSHOTS = {
  name: 'snapshots-of-skipped-events',
  text: 'delete from snapshot.streams where stream = any($1::text[])',
};

/** What operators have left out, as it was noted at one moment. */
export class NotedSkips implements LeftOut {
  private readonly everywhere = new Set<Position>();
  private readonly ofProjections = new Map<string, Set<Position>>();

  constructor(readonly events: readonly NotedEvent[]) {
    for (const { projection, position, everywhere } of events) {
      if (everywhere) this.everywhere.add(position);
      const own = this.ofProjections.get(projection);
      if (own) own.add(position);
      else this.ofProjections.set(projection, new Set([position]));
    }
  }

  has(position: Position, projection?: string): boolean {
    if (this.everywhere.has(position)) return true;
    return projection !== undefined && (this.ofProjections.get(projection)?.has(position) ?? false);
  }

  /** Whether at least one read model leaves it out. */
  hasForAny(position: Position): boolean {
    return this.everywhere.has(position) || [...this.ofProjections.values()].some((own) => own.has(position));
  }

  get size(): number {
    return this.everywhere.size;
  }
}

export async function notedSkips(database: Queries): Promise<NotedSkips> {
  return new NotedSkips(await database.query<NotedEvent>(ALL, []));
}

/**
 * What operators have left out, as a process keeps it in memory for its folds. Looks again every five seconds; while the
 * database is away it knows what it knew.
 */
export class SkippedEvents implements LeftOut {
  private noted = new NotedSkips([]);
  /** Streams of which this process may have written snapshots that hold what is left out by now. */
  private readonly suspect = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: Queries) {}

  /** Rejects where the database cannot be reached. */
  async start(): Promise<void> {
    this.noted = await notedSkips(this.database);
    this.timer ??= setInterval(() => void this.look().catch(() => undefined), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer);
  }

  has(position: Position, projection?: string): boolean {
    return this.noted.has(position, projection);
  }

  get size(): number {
    return this.noted.size;
  }

  private async look(): Promise<void> {
    const before = this.noted;
    this.noted = await notedSkips(this.database);
    for (const { position, everywhere, stream } of this.noted.events)
      if (everywhere && stream !== null && !before.has(position)) this.suspect.add(stream);
    if (this.suspect.size === 0) return;
    await this.database.query(FORGET_SNAPSHOTS, [[...this.suspect]]);
    this.suspect.clear();
  }
}
