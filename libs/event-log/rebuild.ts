import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent, Position } from '../kernel/index.js';
import { GenerationTables, same } from './generation-tables.js';
import { compareGenerations, type Parity } from './parity.js';
import type { Generation } from './projection.js';
import { Projector, type ProjectorOptions, type ProjectorStatus } from './projector.js';

const LOOK_EVERY_MS = 100;
/** How long one try to switch keeps the live generation waiting for the new one to draw level. */
const LEVEL_WITHIN_MS = 1500;
const TRIES_TO_COMPARE = 20;

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
 * Builds a projection anew from a process that does not serve it: as far as the live rows, beside them. Then it
 * switches the view; whoever ran the live generation finds it gone and goes on with the new one from there. Nothing is
 * announced to caches, mails or receivers from here.
 */
export async function rebuildAside<State, E extends DomainEvent>({
  verify,
  look = () => undefined,
  ...options
}: RebuildOptions<State, E>): Promise<Rebuilt> {
  const { database, projection, log } = options;
  const tables = new GenerationTables(database, projection);
  await tables.open();
  const replaced = await tables.live(database);
  const generation = await tables.createNext();
  const builder = new Projector({ ...options, generation });
  // Never past the live one: whatever comes after that is announced to caches, by whoever serves the projection.
  builder.holdAt(replaced && replaced.position);
  const since = performance.now();
  builder.start();
  /** Whether it gets there before an event stops it, however long that takes. */
  const reaches = async (position: Position): Promise<void> => {
    while (!(await builder.waitFor(position, LOOK_EVERY_MS))) {
      const status = builder.status();
      look(status);
      if (status.state === 'stopped') throw new BuildStopped(status);
      if (status.state === 'gone') throw new Error('somebody else has rebuilt this projection meanwhile');
    }
    look(builder.status());
  };
  try {
    await reaches(replaced ? replaced.position : await log.head());
    // The live one has gone on meanwhile: the next stretch is short.
    const current = await tables.live(database);
    if (current) {
      builder.holdAt(current.position);
      await reaches(current.position);
    }
    const { folded } = builder.status();
    const builtMs = performance.now() - since;
    const outcome = (parity: Rebuilt['parity'], switched: boolean): Rebuilt => ({
      generation,
      replaced: replaced && { version: replaced.version, rebuild: replaced.rebuild },
      switched,
      position: builder.position(),
      events: folded,
      builtMs,
      parity,
    });
    const parity = verify && replaced ? await compared(tables, options, builder, generation, reaches) : null;
    if (parity && !parity.equal) {
      await builder.stop();
      await again(() => tables.discard(generation));
      return outcome(parity, false);
    }
    const level = (position: Position): Promise<boolean> => {
      builder.holdAt(position);
      return builder.waitFor(position, LEVEL_WITHIN_MS);
    };
    while (!(await again(() => tables.switchTo(generation, level))))
      await reaches((await tables.live(database))?.position ?? (await log.head()));
    await builder.stop();
    await again(() => tables.retire());
    return outcome(parity, true);
  } catch (error) {
    await builder.stop();
    await again(() => tables.discard(generation)).catch(() => undefined);
    throw error;
  }
}

/**
 * Both tables at one position: the live one is made to wait until the new one is level, a snapshot is taken of both,
 * and the live one goes on while the snapshot is compared.
 */
async function compared<State, E extends DomainEvent>(
  tables: GenerationTables,
  { database, projection }: Pick<RebuildOptions<State, E>, 'database' | 'projection'>,
  builder: Projector<State, E>,
  generation: Generation,
  reaches: (position: Position) => Promise<void>,
): Promise<Parity & { position: Position }> {
  const declared = projection as unknown as Parameters<typeof compareGenerations>[1];
  for (let tries = 0; tries < TRIES_TO_COMPARE; tries++) {
    // Most of the way while the live one runs, the last step while it waits.
    const ahead = await tables.live(database);
    if (!ahead) throw new Error('the live generation has gone meanwhile');
    builder.holdAt(ahead.position);
    await reaches(ahead.position);
    let comparing: Promise<(Parity & { position: Position }) | null> | null = null;
    await again(() =>
      tables.locked(async (tx) => {
        const live = await tables.freezeLive(tx);
        if (!live) return;
        builder.holdAt(live.position);
        if (!(await builder.waitFor(live.position, LEVEL_WITHIN_MS))) return;
        await new Promise<void>((taken, failed) => {
          comparing = database.transaction(async (snapshot) => {
            await snapshot.run('set transaction isolation level repeatable read, read only');
            const known = await tables.known(snapshot);
            taken();
            const built = known.find((each) => same(each, generation));
            // Another process may build the same generation, without our hold.
            return built && built.position <= live.position
              ? { ...(await compareGenerations(snapshot, declared, live, generation)), position: live.position }
              : null;
          });
          comparing.catch(failed);
        });
      }),
    );
    const parity = await (comparing as Promise<(Parity & { position: Position }) | null> | null);
    if (parity) return parity;
  }
  throw new Error('the old and the new rows were never at the same position: does another process build them too?');
}

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
