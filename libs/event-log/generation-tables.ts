import type { Database, Queries } from '../platform/database/database.js';
import type { Position } from '../kernel/index.js';
import { createTable, tableOf, viewOf, type Generation, type Projection } from './projection.js';

/** How long DDL waits for readers and writers before it lets them go first and tries again. */
const LOCK_MS = 500;

export interface Known extends Generation {
  live: boolean;
  position: Position;
}

const GENERATIONS =
  'select version, rebuild, live, position from projection.checkpoints where name = $1 order by version, rebuild';
const LIVE = 'select version, rebuild, live, position from projection.checkpoints where name = $1 and live';
const OLDER = `delete from projection.checkpoints c using projection.checkpoints live
               where c.name = $1 and live.name = $1 and live.live and (c.version, c.rebuild) < (live.version, live.rebuild)`;

export const same = (a: Generation, b: Generation): boolean => a.version === b.version && a.rebuild === b.rebuild;
const isNewer = (a: Generation, b: Generation): boolean =>
  a.version > b.version || (a.version === b.version && a.rebuild > b.rebuild);

/** The tables, checkpoints and view of one projection: how they are made, switched and retired. */
export class GenerationTables {
  constructor(
    private readonly database: Database,
    private readonly projection: Pick<Projection<unknown>, 'name' | 'version' | 'table'>,
  ) {}

  /** Makes what is missing of this version's newest generation, and answers all that exist. */
  open(): Promise<Known[]> {
    const { version } = this.projection;
    return this.locked(async (tx) => {
      const known = await this.known(tx);
      const live = known.find((generation) => generation.live);
      if (known.some((generation) => generation.version === version) || (live && live.version > version)) return known;
      await this.create(tx, { version, rebuild: 0 });
      // Nothing was read before: better an unfinished table than none. Readiness waits for the position anyway.
      if (!live) await this.show(tx, { version, rebuild: 0 });
      return this.known(tx);
    });
  }

  /** A generation of this version that nobody has built yet. */
  createNext(): Promise<Generation> {
    const { version } = this.projection;
    return this.locked(async (tx) => {
      const newest = (await this.known(tx)).filter((known) => known.version === version).at(-1);
      const generation = { version, rebuild: (newest?.rebuild ?? -1) + 1 };
      await this.create(tx, generation);
      return generation;
    });
  }

  known(tx: Queries): Promise<Known[]> {
    return tx.run<Known>(GENERATIONS, [this.projection.name]);
  }

  /** The generation that the view shows; its rows stand still until the transaction ends. */
  async freezeLive(tx: Queries): Promise<Known | null> {
    const [live] = await tx.run<Known>(`${LIVE} for update`, [this.projection.name]);
    return live ?? null;
  }

  async live(tx: Queries): Promise<Known | null> {
    const [live] = await tx.run<Known>(LIVE, [this.projection.name]);
    return live ?? null;
  }

  /**
   * Points the view at a generation where that is newer than what it shows, once `reached` says that it holds all that
   * the old one does: readers must not fall behind what they have seen. The old checkpoints go at the same instant, so
   * that whoever runs an old generation can tell nobody any more that it has got further. False: not now.
   */
  async switchTo(generation: Generation, reached: (position: Position) => Promise<boolean>): Promise<boolean> {
    const { name } = this.projection;
    return this.locked(async (tx) => {
      const live = await this.freezeLive(tx);
      if (live && !isNewer(generation, live)) return true;
      if (!(await this.known(tx)).some((each) => same(each, generation))) return true;
      if (live && !(await reached(live.position))) return false;
      await this.show(tx, generation);
      await tx.run(OLDER, [name]);
      return true;
    });
  }

  /**
   * Drops what is older than the live generation. Tables in a transaction of their own: a rival that still writes holds
   * its table and waits for its checkpoint, so taking them the other way round in one transaction would be a deadlock.
   */
  async retire(): Promise<void> {
    const { name } = this.projection;
    await this.locked((tx) => tx.run(OLDER, [name]));
    await this.locked(async (tx) => {
      const kept = (await this.known(tx)).map((generation) => tableOf(name, generation).replace('read.', ''));
      const left = await tx.run<{ table: string }>(
        `select tablename as table from pg_tables where schemaname = 'read' and tablename ~ $1 and tablename <> all($2)`,
        [`^${name}_v[0-9]+(_r[0-9]+)?$`, kept],
      );
      if (left.length > 0) await tx.run(`drop table ${left.map(({ table }) => `read.${table}`).join(', ')}`);
    });
  }

  /** Takes back a generation that is not shown. */
  async discard({ version, rebuild }: Generation): Promise<void> {
    await this.locked((tx) =>
      tx.run('delete from projection.checkpoints where name = $1 and version = $2 and rebuild = $3 and not live', [
        this.projection.name,
        version,
        rebuild,
      ]),
    );
    await this.retire();
  }

  /** A transaction that only one process has at a time, for this projection. */
  locked<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await tx.run(`set local lock_timeout = ${LOCK_MS}`);
      await tx.run('select pg_advisory_xact_lock(4711, hashtext($1))', [this.projection.name]);
      return work(tx);
    });
  }

  private async create(tx: Queries, generation: Generation): Promise<void> {
    const { name } = this.projection;
    // A retirement may have been interrupted, or somebody dropped the checkpoints to have everything built anew.
    await tx.run(`create schema if not exists read; drop table if exists ${tableOf(name, generation)} cascade`);
    await tx.run(createTable(this.projection, generation));
    await tx.run('insert into projection.checkpoints (name, version, rebuild) values ($1, $2, $3)', [
      name,
      generation.version,
      generation.rebuild,
    ]);
  }

  private async show(tx: Queries, generation: Generation): Promise<void> {
    const { name } = this.projection;
    await tx.run('update projection.checkpoints set live = false where name = $1 and live', [name]);
    await tx.run('update projection.checkpoints set live = true where name = $1 and version = $2 and rebuild = $3', [
      name,
      generation.version,
      generation.rebuild,
    ]);
    await tx.run(
      `drop view if exists ${viewOf(name)}; create view ${viewOf(name)} as select * from ${tableOf(name, generation)}`,
    );
  }
}
