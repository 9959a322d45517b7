import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent, Position } from '../../kernel/index.js';
import { SharedEventLog } from '../log-readers.js';
import { GenerationTables } from './generation-tables.js';
import { same, type Known } from './known-generations.js';
import { compareGenerations, type Parity } from '../projections/parity.js';
import type { Generation } from '../projections/projection.js';
import { Projector, type ProjectorOptions, type ProjectorStatus } from '../projections/projector.js';

const LOOK_EVERY_MS = 100;
/** How often the command says that it still lives, so that no process drops what it builds. */
const SEEN_EVERY_MS = 2_000;
/** How long one try to switch keeps the live generation waiting for the new one to draw level. */
const LEVEL_WITHIN_MS = 1500;
const TRIES_TO_COMPARE = 20;
const TRIES_TO_RETIRE = 20;

export interface RebuildOptions<State, E extends DomainEvent> extends Omit<
  ProjectorOptions<State, E>,
  'generation' | 'committed'
> {
  /** Compare old and new rows at one position before the switch. */
  verify: boolean;
  /** Called some times a second while it builds. */
  look?: (status: ProjectorStatus) => void;
}

export interface Rebuilt {
  generation: Generation;
  /** What the view showed before; null where nothing was built yet. */
  replaced: Generation | null;
  /** False where the rows differed: then the view shows what it showed, and the new table is gone. */
  switched: boolean;
  /** Where the new rows stood at the end. */
  position: Position;
  /** Events folded, and how long that took until the live generation was reached. */
  events: number;
  builtMs: number;
  /** Null where it was not asked for, or where there was nothing to compare with. */
  parity: (Parity & { position: Position }) | null;
}

/** An event stops the build as well: nothing was switched. */
export class BuildStopped extends Error {
  constructor(readonly status: ProjectorStatus) {
    super('an event stops the projection that is being built');
    this.name = 'BuildStopped';
  }
}

/**
 * Builds a projection anew from a process that does not serve it: as far as the live rows, beside them. Then it switches
 * the view. The processes that ran the live generation find it gone and go on with the new one from there. Nothing is
 * announced to caches, mails or receivers from here. What it builds is its own: no other process goes on with it or
 * switches to it, and where this one dies it is dropped after a while.
 */
export async function rebuildAside<State, E extends DomainEvent>(options: RebuildOptions<State, E>): Promise<Rebuilt> {
  return new Build(options).run();
}

class Build<State, E extends DomainEvent> {
  private readonly name = randomUUID();
  private readonly tables: GenerationTables;
  private generation!: Generation;
  private builder!: Projector<State, E>;

  constructor(private readonly options: RebuildOptions<State, E>) {
    this.tables = new GenerationTables(options.database, options.projection);
  }

  async run(): Promise<Rebuilt> {
    const { tables } = this;
    const { database, codec, projection, batchSize, verify } = this.options;
    // Its shards read the log together.
    const log = new SharedEventLog(this.options.log);
    await tables.open(1);
    const replaced = await tables.live(database);
    this.generation = await tables.createNext(this.name);
    const { generation } = this;
    this.builder = new Projector({ database, log, codec, projection, generation, ...(batchSize && { batchSize }) });
    const signOfLife = setInterval(
      () => void tables.seen(generation, this.name).catch(() => undefined),
      SEEN_EVERY_MS,
    ).unref();
    try {
      const since = performance.now();
      await this.catchUp(replaced);
      const { folded } = this.builder.status();
      const builtMs = performance.now() - since;
      const parity = verify && replaced ? await this.compared() : null;
      const switched = parity === null || parity.equal;
      if (switched) await this.switched();
      await this.builder.stop();
      if (switched) await this.retired();
      else await again(() => tables.discard(generation));
      return {
        generation,
        replaced: replaced && { version: replaced.version, rebuild: replaced.rebuild },
        switched,
        position: this.builder.position(),
        events: folded,
        builtMs,
        parity,
      };
    } catch (error) {
      await this.builder.stop();
      await again(() => tables.discard(generation)).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(signOfLife);
    }
  }

  /** Never past the live one: later events are announced to caches by the processes that serve the projection. */
  private async catchUp(replaced: Known | null): Promise<void> {
    this.builder.holdAt(replaced && this.comparable(replaced));
    this.builder.start();
    await this.reaches(replaced ? replaced.positions : [await this.options.log.head()]);
    // The live one has gone on meanwhile: the next stretch is short.
    const current = await this.tables.live(this.options.database);
    if (!current) return;
    this.builder.holdAt(this.comparable(current));
    await this.reaches(current.positions);
  }

  /** Positions of the live generation, shard by shard; both must be split alike. */
  private comparable(live: Known): readonly Position[] {
    const { shards } = this.builder.status();
    if (shards > 0 && shards !== live.positions.length)
      throw new Error('the live generation was split into another number of shards meanwhile; rebuild again');
    return live.positions;
  }

  /** Returns when it has got there, however long that takes; throws where an event stops it before. */
  private async reaches(positions: readonly Position[]): Promise<void> {
    const { look = () => undefined } = this.options;
    while (!(await this.builder.waitForAll(positions, LOOK_EVERY_MS))) {
      const status = this.builder.status();
      look(status);
      if (status.state === 'stopped' || status.state === 'awaiting') throw new BuildStopped(status);
      if (status.state === 'gone') throw new Error('another process has rebuilt this projection meanwhile');
    }
    look(this.builder.status());
  }

  /**
   * Both tables at one position: the live one is made to wait until the new one is level, a snapshot is taken of both,
   * and the live one goes on while the snapshot is compared.
   */
  private async compared(): Promise<Parity & { position: Position }> {
    const { database } = this.options;
    for (let tries = 0; tries < TRIES_TO_COMPARE; tries++) {
      // Most of the way while the live one runs, the last step while it waits.
      const ahead = await this.tables.live(database);
      if (!ahead) throw new Error('the live generation has gone meanwhile');
      this.builder.holdAt(this.comparable(ahead));
      await this.reaches(ahead.positions);
      let comparing: Promise<Parity & { position: Position }> | null = null;
      await again(() =>
        this.tables.locked(async (tx) => {
          const live = await this.tables.freezeLive(tx);
          if (!live) return;
          this.builder.holdAt(this.comparable(live));
          if (!(await this.builder.waitForAll(live.positions, LEVEL_WITHIN_MS))) return;
          await new Promise<void>((taken, failed) => {
            comparing = this.comparedWith(live, taken);
            comparing.catch(failed);
          });
        }),
      );
      const parity = await (comparing as Promise<Parity & { position: Position }> | null);
      if (parity) return parity;
    }
    throw new Error('the old and the new rows were never at the same position');
  }

  private comparedWith(live: Known, taken: () => void): Promise<Parity & { position: Position }> {
    const { database, projection } = this.options;
    return database.transaction(async (tx) => {
      await tx.run('set transaction isolation level repeatable read, read only');
      // The first statement takes the snapshot.
      const built = (await this.tables.known(tx)).find((each) => same(each, this.generation));
      taken();
      if (!built) throw new Error('what was built was taken away meanwhile');
      const declared = projection as unknown as Parameters<typeof compareGenerations>[1];
      return { ...(await compareGenerations(tx, declared, live, this.generation)), position: live.position };
    });
  }

  /** Where a reader holds the old rows for longer than the command waits, a process that serves the projection drops them. */
  private async retired(): Promise<void> {
    for (let tries = 0; tries < TRIES_TO_RETIRE && !(await again(() => this.tables.retire())); tries++)
      await pause(LOOK_EVERY_MS);
  }

  private async switched(): Promise<void> {
    const level = (positions: readonly Position[]): Promise<boolean> => {
      this.builder.holdAt(positions);
      return this.builder.waitForAll(positions, LEVEL_WITHIN_MS);
    };
    while (!(await again(() => this.tables.switchTo(this.generation, this.name, level)))) {
      const live = await this.tables.live(this.options.database);
      await this.reaches(live?.positions ?? [await this.options.log.head()]);
    }
    const shown = await this.tables.live(this.options.database);
    if (!shown || !(same(shown, this.generation) || isBefore(this.generation, shown)))
      throw new Error('what was built was taken away meanwhile; rebuild again');
  }
}

const isBefore = (a: Generation, b: Generation): boolean =>
  a.version < b.version || (a.version === b.version && a.rebuild < b.rebuild);

/** DDL and locks give way to readers and writers; so they are tried again. */
async function again<T>(work: () => Promise<T>, tries = 50): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (n >= tries || (error as { code?: string }).code !== '55P03') throw error;
      await pause(LOOK_EVERY_MS);
    }
  }
}
