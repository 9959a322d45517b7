import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '../kernel/index.js';
import type { Queries } from '../platform/database/database.js';
import { BEGINNING, type Position } from './port.js';
import { createTable, tableOf, viewOf, type Generation } from './projection.js';
import { Projector, type ProjectorOptions, type ProjectorStatus } from './projector.js';

/** How long DDL waits for readers and writers before it lets them go first and tries again. */
const LOCK_MS = 500;
const RETRY_MS = 200;
/** How long one look at the log's head waits to be reached by a generation that is being built. */
const CAUGHT_UP_WITHIN_MS = 1000;

interface Known extends Generation {
  live: boolean;
}

const GENERATIONS = 'select version, rebuild, live from projection.checkpoints where name = $1 order by version, rebuild';
const same = (a: Generation, b: Generation): boolean => a.version === b.version && a.rebuild === b.rebuild;

/**
 * A projection that is served: its live generation, and the next one beside it. A new version, or a rebuild of the
 * same, gets its own table and checkpoint from the beginning; when it has caught up the view is switched to it in one
 * transaction, so reads never stop; then the old table is dropped. Any number of processes may do this at once.
 *
 * While a *new version* is built, the old table is fed only by processes of the old release; after them its rows stand
 * still until the switch. A release older than the live version runs nothing: the view never goes back by itself.
 */
export class ServedProjection<State, E extends DomainEvent> {
  private live: Projector<State, E> | null = null;
  private building: Projector<State, E> | null = null;
  private stopping = false;
  private running: Promise<void> | null = null;
  private lookAgain: () => void = () => {};

  constructor(private readonly options: Omit<ProjectorOptions<State, E>, 'generation'>) {}

  /** Makes the tables where they are missing, then runs. Rejects where the database cannot be reached. */
  async start(): Promise<void> {
    await this.reconcile(await this.open());
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.lookAgain();
    await Promise.all([this.live?.stop(), this.building?.stop()]);
    await this.running;
  }

  /** What the view shows has got this far; BEGINNING as long as it shows another version. */
  position(): Position {
    return this.live?.position() ?? BEGINNING;
  }

  /** Whether the view shows everything up to a position, waiting for it at most that long. */
  async waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    for (const until = performance.now() + timeoutMs; ; ) {
      if (this.position() >= position) return true;
      const left = until - performance.now();
      if (left <= 0 || this.stopping) return false;
      // The live projector may be replaced while we wait: it then answers false before the time is up.
      if (!this.live || !(await this.live.waitFor(position, left))) await pause(Math.min(10, Math.max(left, 0)));
    }
  }

  /** The live generation first, then the one that is being built. */
  status(): ProjectorStatus[] {
    return [this.live, this.building].flatMap((projector) => (projector ? [projector.status()] : []));
  }

  async resume(): Promise<boolean> {
    return (await Promise.all([this.live, this.building].map(async (projector) => projector?.resume()))).includes(true);
  }

  async skip(position: Position): Promise<boolean> {
    return (await Promise.all([this.live, this.building].map(async (projector) => projector?.skip(position)))).includes(true);
  }

  /** Builds this version anew beside the live table; resolves when the view shows the new one, here or elsewhere. */
  async rebuild(): Promise<void> {
    const { version } = this.options.projection;
    const wanted = await this.locked(async (tx) => {
      const newest = (await this.known(tx)).filter((known) => known.version === version).at(-1);
      const generation = { version, rebuild: (newest?.rebuild ?? -1) + 1 };
      await this.create(tx, generation);
      return generation;
    });
    this.lookAgain();
    while (!this.stopping) {
      const current = this.live?.status().generation;
      if (current && current.version === version && current.rebuild >= wanted.rebuild) return;
      await pause(RETRY_MS / 10);
    }
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const again = new Promise<void>((resolve) => (this.lookAgain = resolve));
      try {
        await this.reconcile(await this.open());
        if (this.building) await this.finish(this.building);
        else await Promise.race([again, ...(this.live ? [this.live.ended()] : [])]);
      } catch {
        // The database is away, or somebody holds a lock that we need: what is running goes on, and we try again.
        await Promise.race([again, pause(RETRY_MS)]);
      }
    }
  }

  /** Makes what is missing of this version's newest generation, and answers all that exist. */
  private open(): Promise<Known[]> {
    const { version } = this.options.projection;
    return this.locked(async (tx) => {
      let known = await this.known(tx);
      const live = known.find((generation) => generation.live);
      if (!known.some((generation) => generation.version === version) && !(live && live.version > version)) {
        await this.create(tx, { version, rebuild: 0 });
        // Nothing was read before: better an unfinished table than none. Readiness waits for the position anyway.
        if (!live) await this.show(tx, { version, rebuild: 0 });
        known = await this.known(tx);
      }
      return known;
    });
  }

  private async reconcile(known: readonly Known[]): Promise<void> {
    const ours = known.filter((generation) => generation.version === this.options.projection.version);
    const live = ours.find((generation) => generation.live);
    const newest = ours.at(-1);
    if (this.live && !(live && same(this.live.status().generation, live) && this.live.status().state !== 'gone')) {
      await this.live.stop();
      this.live = null;
    }
    if (live && this.building && same(this.building.status().generation, live)) {
      this.live = this.building;
      this.building = null;
    } else if (live) this.live ??= this.begin(live);
    const next = newest && !newest.live && !known.some((generation) => generation.live && generation.version > newest.version) ? newest : null;
    if (this.building && !(next && same(this.building.status().generation, next))) {
      await this.building.stop();
      this.building = null;
    }
    if (next) this.building ??= this.begin(next);
  }

  private begin(generation: Generation): Projector<State, E> {
    const projector = new Projector({ ...this.options, generation: { version: generation.version, rebuild: generation.rebuild } });
    if (!this.stopping) projector.start();
    return projector;
  }

  /** Waits until a generation has caught up, switches the view to it and retires the older ones. */
  private async finish(building: Projector<State, E>): Promise<void> {
    const { generation } = building.status();
    const head = await this.options.log.head();
    if (!(await building.waitFor(head, CAUGHT_UP_WITHIN_MS)) || this.stopping) {
      if (building.status().state === 'gone') await pause(RETRY_MS / 10);
      return;
    }
    await this.locked(async (tx) => {
      const known = await this.known(tx);
      const live = known.find((each) => each.live);
      const isNewer = !live || generation.version > live.version || (generation.version === live.version && generation.rebuild > live.rebuild);
      if (isNewer && known.some((each) => same(each, generation))) await this.show(tx, generation);
    });
    await this.retire();
  }

  /** Points the view at a generation, in the transaction of the caller. */
  private async show(tx: Queries, generation: Generation): Promise<void> {
    const { name } = this.options.projection;
    await tx.run('update projection.checkpoints set live = false where name = $1 and live', [name]);
    await tx.run('update projection.checkpoints set live = true where name = $1 and version = $2 and rebuild = $3', [name, generation.version, generation.rebuild]);
    await tx.run(`drop view if exists ${viewOf(name)}; create view ${viewOf(name)} as select * from ${tableOf(name, generation)}`);
  }

  /**
   * Checkpoints first and tables in a transaction of their own: a rival that still writes holds its table and waits
   * for its checkpoint, so taking them the other way round in one transaction would be a deadlock.
   */
  private async retire(): Promise<void> {
    const { name } = this.options.projection;
    await this.locked((tx) =>
      tx.run(
        `delete from projection.checkpoints c using projection.checkpoints live
         where c.name = $1 and live.name = $1 and live.live and (c.version, c.rebuild) < (live.version, live.rebuild)`,
        [name],
      ),
    );
    await this.locked(async (tx) => {
      const kept = (await this.known(tx)).map((generation) => tableOf(name, generation).replace('read.', ''));
      const left = await tx.run<{ table: string }>(`select tablename as table from pg_tables where schemaname = 'read' and tablename ~ $1 and tablename <> all($2)`, [`^${name}_v[0-9]+(_r[0-9]+)?$`, kept]);
      if (left.length > 0) await tx.run(`drop table ${left.map(({ table }) => `read.${table}`).join(', ')}`);
    });
  }

  private async create(tx: Queries, generation: Generation): Promise<void> {
    const { projection } = this.options;
    // A retirement may have been interrupted, or somebody dropped the checkpoints to have everything built anew.
    await tx.run(`create schema if not exists read; drop table if exists ${tableOf(projection.name, generation)} cascade`);
    await tx.run(createTable(projection, generation));
    await tx.run('insert into projection.checkpoints (name, version, rebuild) values ($1, $2, $3)', [projection.name, generation.version, generation.rebuild]);
  }

  private known(tx: Queries): Promise<Known[]> {
    return tx.run<Known>(GENERATIONS, [this.options.projection.name]);
  }

  /** A transaction that only one process has at a time, for this projection. */
  private locked<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    return this.options.database.transaction(async (tx) => {
      await tx.run(`set local lock_timeout = ${LOCK_MS}`);
      await tx.run('select pg_advisory_xact_lock(4711, hashtext($1))', [this.options.projection.name]);
      return work(tx);
    });
  }
}
