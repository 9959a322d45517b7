import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type DomainEvent, type Position } from '../../kernel/index.js';
import { onPulse } from '../../engines/pulse.js';
import { Commits } from '../commits.js';
import { GenerationTables } from './generation-tables.js';
import { same, type Known } from './known-generations.js';
import type { Generation } from '../projections/projection.js';
import { Projector, type ProjectorOptions, type ProjectorStatus } from '../projections/projector.js';

const RETRY_MS = 200;
/** Without anything to do it looks this often what others have made: generations left behind, other numbers of shards. */
const LOOK_EVERY_MS = 5_000;
/** While it sees no generation but the live one, it asks this often whether something of others was left all the same. */
const TIDY_EVERY_MS = 60_000;
/** How long one look at the log's head waits to be reached by a generation that is being built. */
const CAUGHT_UP_WITHIN_MS = 1000;
/** How long one try to switch keeps the live generation waiting for the new one to draw level. */
const LEVEL_WITHIN_MS = 300;

export interface ServedProjectionOptions<State, E extends DomainEvent> extends Omit<
  ProjectorOptions<State, E>,
  'generation'
> {
  /** Into how many shards it is split, 1 to 64. The process that was started last decides. Default: as it is. */
  shards?: number;
}

/**
 * A projection that is served: its live generation, and the next one beside it. A new version, or a rebuild of the
 * same, gets its own table and checkpoint from the beginning; when it has caught up the view is switched to it in one
 * transaction, so reads never stop; then the old table is dropped. Any number of processes may do this at once. What a
 * command builds is left to that command, and dropped when the command is gone.
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
  /** The generation that was alone when nothing was left of others, and when that was asked. */
  private tidy: { of: Known; atMs: number } | null = null;
  private readonly tables: GenerationTables;
  private readonly shards: number | null;

  constructor(private readonly options: ServedProjectionOptions<State, E>) {
    this.tables = new GenerationTables(options.database, options.projection);
    this.shards = options.projection.keyIsOfStream ? (options.shards ?? null) : 1;
  }

  /** Makes the tables where they are missing, then runs. Rejects where the database cannot be reached. */
  async start(): Promise<void> {
    await this.tables.open(this.shards ?? 1);
    if (this.shards !== null) await this.tables.want(this.shards);
    // A reader or another release may hold them: then it is tried again while it runs.
    await this.tables.publish().catch(() => undefined);
    await this.reconcile(await this.tables.known(this.options.database));
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
    for (const until = performance.now() + timeoutMs; ;) {
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

  /** Builds this version anew beside the live table; resolves when the view shows the new one, here or elsewhere. */
  async rebuild(): Promise<void> {
    const wanted = await this.tables.createNext(null);
    this.lookAgain();
    while (!this.stopping) {
      const current = this.live?.generation;
      if (current && current.version === wanted.version && current.rebuild >= wanted.rebuild) return;
      await pause(RETRY_MS / 10);
    }
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const again = new Promise<void>((resolve) => (this.lookAgain = resolve));
      try {
        const known = await this.tables.open(this.shards ?? 1);
        await this.reconcile(known);
        const isSplit = await this.split(known);
        if (!this.isTidy(known)) await this.tidyUp(known);
        if (this.building) await this.finish(this.building);
        else if (isSplit) await this.untilSomethingChanges(again);
        else await pause(RETRY_MS);
      } catch {
        // The database is away, or another session holds a lock that this needs: what is running goes on, and this tries again.
        await Promise.race([again, pause(RETRY_MS)]);
      }
    }
  }

  private async untilSomethingChanges(again: Promise<void>): Promise<void> {
    let end!: () => void;
    const later = new Promise<void>((resolve) => (end = onPulse(LOOK_EVERY_MS, resolve)));
    await Promise.race([again, later, ...(this.live ? [this.live.ended()] : [])]);
    end();
  }

  private isTidy([only, ...others]: readonly Known[]): boolean {
    if (!only || others.length > 0 || this.tidy === null) return false;
    return same(only, this.tidy.of) && performance.now() - this.tidy.atMs < TIDY_EVERY_MS;
  }

  /** Drops what is left of other generations. What a reader holds is dropped at a later look. */
  private async tidyUp([of]: readonly Known[]): Promise<void> {
    const atMs = performance.now();
    const isLeft = await this.tables.hasLeftBehind();
    if (isLeft) await this.tables.retire();
    this.tidy = isLeft || !of ? null : { of, atMs };
  }

  /** Whether what is served is split into as many shards as it should be. */
  private async split(known: readonly Known[]): Promise<boolean> {
    const { version } = this.options.projection;
    const pending = known.filter(
      (each) =>
        each.version === version &&
        each.builder === null &&
        (each.positions.length !== each.wantedShards || each.isHeld),
    );
    const done = await Promise.all(pending.map((generation) => this.tables.split(generation)));
    return !done.includes(false);
  }

  private async reconcile(known: readonly Known[]): Promise<void> {
    const ours = known.filter(
      ({ version, live, builder }) => version === this.options.projection.version && (live || builder === null),
    );
    const live = ours.find((generation) => generation.live);
    const newest = ours.at(-1);
    const old = this.live;
    const isStale = old !== null && !(live && same(old.generation, live) && old.status().state !== 'gone');
    if (live && this.building && same(this.building.generation, live)) {
      this.live = this.building;
      this.building = null;
    } else if (live && (old === null || isStale)) {
      const next = this.begin(live);
      // The old one answers for the view until the new one knows where it stands: it is no further than that.
      await next.begun();
      this.live = next;
    } else if (isStale) this.live = null;
    if (isStale) await old.stop();
    const next =
      newest && !newest.live && !known.some((generation) => generation.live && generation.version > newest.version)
        ? newest
        : null;
    if (this.building && !(next && same(this.building.generation, next))) {
      await this.building.stop();
      this.building = null;
    }
    if (next) this.building ??= this.begin(next);
  }

  private begin({ version, rebuild }: Generation): Projector<State, E> {
    const { log, database, codec, projection, batchSize, committed, commits } = this.options;
    const apart = new Commits(database);
    const projector: Projector<State, E> = new Projector({
      log,
      database,
      codec,
      projection,
      generation: { version, rebuild },
      ...(batchSize !== undefined && { batchSize }),
      // The pages of a generation that is being built are large, and need not wait for the disk.
      ...(commits && { commits: { submit: (page) => (projector === this.live ? commits : apart).submit(page) } }),
      // What a generation that is being built knows is old: raised, it would make caches show the past.
      ...(committed && {
        committed: (position, keys, stateOf) => committed(position, keys, projector === this.live ? stateOf : null),
      }),
    });
    if (!this.stopping) projector.start();
    return projector;
  }

  /** Waits until a generation has caught up, switches the view to it and retires the older ones. */
  private async finish(building: Projector<State, E>): Promise<void> {
    const head = await this.options.log.head();
    if (!(await building.waitFor(head, CAUGHT_UP_WITHIN_MS)) || this.stopping) {
      if (building.status().state === 'gone') await pause(RETRY_MS / 10);
      return;
    }
    const isLevel = (positions: readonly Position[]): Promise<boolean> =>
      building.waitFor(
        positions.reduce((a, b) => (a > b ? a : b)),
        LEVEL_WITHIN_MS,
      );
    if (await this.tables.switchTo(building.generation, null, isLevel)) await this.tables.retire();
  }
}
