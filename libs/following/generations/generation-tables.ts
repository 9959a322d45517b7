import type { Database, Queries } from '../../engines/database/database.js';
import { BEGINNING, type Position } from '../../kernel/index.js';
import { isNewer, knownGenerations, knownTogether, same, type Known } from './known-generations.js';
import type { Generation, Projection } from '../projections/projection.js';
import { isBehind, publish, shownBy, type PublishedView } from '../projections/published-views.js';
import { countsTableOf, countsViewOf, createTable, tableOf, viewOf, type Declared } from '../projections/read-table.js';
import { createShards, divideAnew, freezeShards } from '../shards/shard-division.js';

/** How long DDL waits for readers and writers before it lets them go first and tries again. */
const LOCK_MS = 500;
/** A process that is frozen between two statements must not keep the others waiting longer than this. */
const FROZEN_MS = 10_000;
/** How long a published view waits for those who read it before it lets them go first: others queue up behind it. */
const PUBLISH_LOCK_MS = 200;
/** After this long without a sign of life a command that built a generation is gone, and what it built is dropped, in s. */
export const BUILDER_GONE_AFTER_S = 30;

const OLDER = `delete from projection.generations g using projection.generations live
               where g.name = $1 and live.name = $1 and live.live and (g.version, g.rebuild) < (live.version, live.rebuild)`;
const LEFT_BEHIND = `delete from projection.generations
                     where name = $1 and not live and builder_seen_at < now() - interval '${BUILDER_GONE_AFTER_S} seconds'`;
const LEFT_TABLES = `select tablename as table from pg_tables t where schemaname = 'read' and tablename ~ ('^' || $1 || '_v[0-9]+(_r[0-9]+)?(_counts)?$') and not exists (
  select from projection.generations g
  where g.name = $1 and regexp_replace(t.tablename, '_counts$', '') = g.name || '_v' || g.version || case when g.rebuild > 0 then '_r' || g.rebuild else '' end)`;
const HAS_LEFT = `select exists (${LEFT_BEHIND.replace('delete', 'select')}) or exists (${LEFT_TABLES}) as "isLeft"`;
const OF = 'name = $1 and version = $2 and rebuild = $3';

/** The tables, checkpoints and view of one projection: how they are made, switched and retired. */
export class GenerationTables {
  constructor(
    private readonly database: Database,
    private readonly projection: Declared & Pick<Projection<unknown>, 'version' | 'views'>,
  ) {}

  /** Makes what is missing of this version, in so many shards, and answers all generations that exist. */
  async open(shards: number): Promise<Known[]> {
    const { version } = this.projection;
    const isOpen = (known: readonly Known[]): boolean =>
      known.some((each) =>
        each.version === version ? each.live || each.builder === null : each.live && each.version > version,
      );
    // Looked at all the time, and nearly always open: only who has to make something waits for its turn.
    const seen = await knownTogether(this.database, this.projection.name);
    if (isOpen(seen)) return seen;
    return this.locked(async (tx) => {
      const known = await this.known(tx);
      if (isOpen(known)) return known;
      const live = known.find((generation) => generation.live);
      const generation = {
        version,
        rebuild: 1 + Math.max(-1, ...known.filter((k) => k.version === version).map((k) => k.rebuild)),
      };
      await this.create(tx, generation, shards, null);
      // Nothing was read before: better an unfinished table than none. Readiness waits for the position anyway.
      if (!live) await this.show(tx, generation);
      return this.known(tx);
    });
  }

  /** A generation of this version that is not built yet, in as many shards as the live one. */
  createNext(builder: string | null): Promise<Generation> {
    const { version } = this.projection;
    return this.locked(async (tx) => {
      const known = await this.known(tx);
      const rebuilds = known.filter((each) => each.version === version).map(({ rebuild }) => rebuild);
      const generation = { version, rebuild: 1 + Math.max(-1, ...rebuilds) };
      const live = known.find((each) => each.live);
      await this.create(tx, generation, live?.positions.length ?? 1, builder);
      return generation;
    });
  }

  /**
   * Lets the processes that serve this version build it from the beginning of the log. All other generations are gone:
   * until it has caught up no rows count, although the view goes on showing the old ones.
   */
  async beginAnew(): Promise<void> {
    const { version, rebuild } = await this.createNext(null);
    await this.database.run('delete from projection.generations where name = $1 and (version, rebuild) <> ($2, $3)', [
      this.projection.name,
      version,
      rebuild,
    ]);
  }

  known(tx: Queries): Promise<Known[]> {
    return knownGenerations(tx, this.projection.name);
  }

  async live(tx: Queries): Promise<Known | null> {
    return (await this.known(tx)).find(({ live }) => live) ?? null;
  }

  /** The generation that the view shows; its rows stand still until the transaction ends. */
  async freezeLive(tx: Queries): Promise<Known | null> {
    const live = await this.live(tx);
    if (!live) return null;
    await freezeShards(tx, this.projection.name, live);
    return this.live(tx);
  }

  /**
   * Points the view at a generation where that is newer than what it shows, once `reached` says that it holds all that
   * the old one does: readers must not fall behind what they have seen. The old checkpoints go at the same instant, so
   * that a process with an old generation can no longer announce that it has got further. Only its builder may do that.
   * False: not now.
   */
  async switchTo(
    generation: Generation,
    builder: string | null,
    reached: (positions: readonly Position[]) => Promise<boolean>,
  ): Promise<boolean> {
    const { name, version, rebuild } = { ...this.projection, ...generation };
    return this.locked(async (tx) => {
      const live = await this.freezeLive(tx);
      if (live && !isNewer(generation, live)) return true;
      const built = (await this.known(tx)).find((each) => same(each, generation));
      if (!built || built.builder !== builder) return true;
      if (live && !(await reached(live.positions))) return false;
      await tx.run(`update projection.generations set builder = null, builder_seen_at = null where ${OF}`, [
        name,
        version,
        rebuild,
      ]);
      await this.show(tx, generation);
      await tx.run(OLDER, [name]);
      return true;
    });
  }

  /** Says that the command which builds it still lives; false where its generation was taken away. */
  async seen({ version, rebuild }: Generation, builder: string): Promise<boolean> {
    const seen = await this.database.run(
      `update projection.generations set builder_seen_at = now() where ${OF} and builder = $4 returning 1`,
      [this.projection.name, version, rebuild, builder],
    );
    return seen.length === 1;
  }

  /**
   * Drops what is older than the live generation, and what commands left behind; published views follow the live one
   * first. False where a reader holds what has to change: the others go first, and it is tried again later. A reader who
   * takes an hour so keeps an old table for an hour, and nothing else.
   *
   * Tables in a transaction of their own: a rival that still writes holds its table and waits for its checkpoint, so
   * taking them the other way round in one transaction would be a deadlock.
   */
  async retire(): Promise<boolean> {
    const { name } = this.projection;
    await this.locked(async (tx) => {
      await tx.run(OLDER, [name]);
      await tx.run(LEFT_BEHIND, [name]);
    });
    try {
      await this.publish();
      await this.locked(async (tx) => {
        const left = await tx.run<{ table: string }>(LEFT_TABLES, [name]);
        if (left.length > 0) await tx.run(`drop table ${left.map(({ table }) => `read.${table}`).join(', ')}`);
      });
      return true;
    } catch (error) {
      if (isInTheWay(error)) return false;
      throw error;
    }
  }

  /** Points published views at the live generation, as far as it is of this version: another release knows the others. */
  async publish(): Promise<void> {
    if (!(await this.behind(this.database))) return;
    await this.locked(async (tx) => {
      await tx.run(`set local lock_timeout = ${PUBLISH_LOCK_MS}`);
      const behind = await this.behind(tx);
      if (behind) for (const view of behind.views) await publish(tx, view, behind.table);
    });
  }

  /** Makes published views that are not there yet, empty, so that rights can be given on them. */
  declareViews(): Promise<void> {
    return this.locked(async (tx) => {
      await tx.run('create schema if not exists read');
      for (const view of this.projection.views ?? [])
        if ((await shownBy(tx, view)) === null) await publish(tx, view, null);
    });
  }

  /** The published views that do not show the live table yet; null where all do. */
  private async behind(tx: Queries): Promise<{ table: string; views: PublishedView[] } | null> {
    const { name, version, views = [] } = this.projection;
    const live = views.length > 0 ? await this.live(tx) : null;
    if (live?.version !== version) return null;
    const table = tableOf(name, live);
    const behind: PublishedView[] = [];
    for (const view of views) if (isBehind(await shownBy(tx, view), view, table)) behind.push(view);
    return behind.length > 0 ? { table, views: behind } : null;
  }

  /** Takes back a generation that is not shown. */
  async discard({ version, rebuild }: Generation): Promise<void> {
    await this.locked((tx) =>
      tx.run(`delete from projection.generations where ${OF} and not live`, [this.projection.name, version, rebuild]),
    );
    await this.retire();
  }

  /** Whether `retire` has anything to do: a command that is gone left a generation, or a reader was in the way. */
  async hasLeftBehind(): Promise<boolean> {
    const [row] = await this.database.run<{ isLeft: boolean }>(HAS_LEFT, [this.projection.name]);
    return row!.isLeft || (await this.behind(this.database)) !== null;
  }

  /** Divides a generation into as many shards as it should have (see divideAnew). True when it is so divided. */
  split(generation: Generation): Promise<boolean> {
    return this.locked((tx) => divideAnew(tx, this.projection.name, generation));
  }

  /** How many shards the generations of this version should have that are served, or are built to be. */
  async want(shards: number): Promise<void> {
    await this.database.run(
      'update projection.generations set wanted_shards = $3 where name = $1 and version = $2 and builder is null and wanted_shards <> $3',
      [this.projection.name, this.projection.version, shards],
    );
  }

  /** A transaction that only one process has at a time, for this projection. */
  locked<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      await tx.run(`set local lock_timeout = ${LOCK_MS}`);
      await tx.run(`set local idle_in_transaction_session_timeout = ${FROZEN_MS}`);
      await tx.run('select pg_advisory_xact_lock(4711, hashtext($1))', [this.projection.name]);
      return work(tx);
    });
  }

  private async create(tx: Queries, generation: Generation, shards: number, builder: string | null): Promise<void> {
    const { name, views = [] } = this.projection;
    // A retirement may have been interrupted, or an operator dropped the checkpoints to have everything built anew.
    await tx.run('create schema if not exists read');
    for (const view of views)
      if ((await shownBy(tx, view))?.table === tableOf(name, generation)) await publish(tx, view, null);
    await tx.run(
      `drop table if exists ${tableOf(name, generation)} cascade; drop table if exists ${countsTableOf(name, generation)} cascade`,
    );
    await tx.run(createTable(this.projection, generation));
    await tx.run(
      `insert into projection.generations (name, version, rebuild, wanted_shards, builder, builder_seen_at)
       values ($1, $2, $3, $4, $5, case when $5::text is null then null else now() end)`,
      [name, generation.version, generation.rebuild, shards, builder],
    );
    await createShards(tx, name, generation, shards, BEGINNING);
  }

  private async show(tx: Queries, generation: Generation): Promise<void> {
    const { name, counts } = this.projection;
    await tx.run('update projection.generations set live = false where name = $1 and live', [name]);
    await tx.run(`update projection.generations set live = true where ${OF}`, [
      name,
      generation.version,
      generation.rebuild,
    ]);
    await tx.run(
      `drop view if exists ${viewOf(name)}; create view ${viewOf(name)} as select * from ${tableOf(name, generation)}`,
    );
    if (counts)
      await tx.run(
        `drop view if exists ${countsViewOf(name)}; create view ${countsViewOf(name)} as select * from ${countsTableOf(name, generation)}`,
      );
  }
}

/** The lock of another session; or a view, made by another release, that still shows the table. */
const isInTheWay = (error: unknown): boolean => ['55P03', '2BP01'].includes((error as { code?: string }).code ?? '');
