import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type DomainEvent, isForgotten, type FieldCipher, BEGINNING, type Position } from '../kernel/index.js';
import type { Database } from '../platform/database/database.js';
import { UnreadableEvent, type Codec } from './codec.js';
import { type EventLog, type RecordedEvent, type Subscription } from './port.js';
import {
  projected,
  statementsOf,
  type Generation,
  type ProjectedEvent,
  type Projection,
  type Row,
} from './projection.js';

/** Most folded states kept in memory. */
const STATES_MAX = 20_000;
/** Progress without any row to write reaches the checkpoint this often: it costs a write and gains only a shorter catch-up. */
const IDLE_CHECKPOINT_MS = 1000;
/** One that is held looks this often whether it may go on; whoever lets it go on wakes it. */
const HELD_POLL_MS = 1000;
/** A stopped projection looks this often whether somebody resumed it. */
const STOPPED_POLL_MS = 1000;
const BEGUN_POLL_MS = 2;
const BACK_OFF_MS = [50, 100, 250, 500, 1000, 2000] as const;

const OF_SELF = 'where name = $1 and version = $2 and rebuild = $3';
const READ = {
  name: 'checkpoint-read',
  text: `select position, status, error, poison_position from projection.checkpoints ${OF_SELF}`,
};
const STOP = {
  name: 'checkpoint-stop',
  text: `update projection.checkpoints set status = 'stopped', error = $4, poison_position = $5, updated_at = now() ${OF_SELF} and position = $6 and status = 'running'`,
};
const RESUME = {
  name: 'checkpoint-resume',
  text: `update projection.checkpoints set status = 'running', error = null, poison_position = null, updated_at = now() ${OF_SELF} and status = 'stopped' returning 1`,
};
const SKIP = {
  name: 'checkpoint-skip',
  text: `update projection.checkpoints set status = 'running', error = null, poison_position = null, position = $4, updated_at = now() ${OF_SELF} and status = 'stopped' and poison_position = $4 returning 1`,
};

/** `stateOf` tells what the keys that changed became; null where the table is not, or not yet, the one that is read. */
export type Committed<State> = (
  position: Position,
  changedKeys: readonly string[],
  stateOf: ((key: string) => State) | null,
) => void | Promise<void>;

export interface ProjectorOptions<State, E extends DomainEvent> {
  log: EventLog;
  database: Database;
  codec: Codec;
  projection: Projection<State, E>;
  generation?: Generation;
  /** Most events of one batch, which is one transaction. Default 2000: measured, more gains little and holds more memory. */
  batchSize?: number;
  /** The keys of the subjects of these events, where the projection shows personal fields. */
  ciphersFor?: (events: readonly RecordedEvent[]) => Promise<(event: RecordedEvent) => FieldCipher | undefined>;
  /** After the commit and before anyone is told that the position is reached: the place to raise caches. */
  committed?: Committed<State>;
}

export interface ProjectorStatus {
  name: string;
  generation: Generation;
  /** `waiting`: the database cannot be reached. `gone`: its generation was retired. */
  state: 'starting' | 'running' | 'waiting' | 'stopped' | 'gone' | 'ended';
  position: Position;
  /** Kind of error, never data. */
  error: string | null;
  poisonPosition: Position | null;
  /** Events folded since the start. */
  folded: number;
}

interface Entry<State> {
  state: State;
  /** Identities of the rows that stand in the table. */
  rows: readonly string[];
}
interface Checkpoint {
  position: Position;
  status: 'running' | 'stopped';
  error: string | null;
  poison_position: Position | null;
}

/** The event that cannot be applied. */
class Poison extends Error {
  constructor(
    readonly position: Position,
    /** What stands before it and can be applied. */
    readonly before: Position | null,
    options: { cause: unknown },
  ) {
    super('an event cannot be applied', options);
  }
}
/** Ends a subscription so that everything starts again from the stored checkpoint. */
class StartOver extends Error {}

/**
 * Runs one projection: folds each batch in memory, then writes rows and checkpoint in one statement that only counts
 * where the checkpoint still is what this runner believed. So rivals, kills and lost answers apply no event twice and
 * leave none out. Folded states are kept only as long as nobody else advanced the projection.
 */
export class Projector<State, E extends DomainEvent> {
  private readonly states = new LRUCache<string, Entry<State>>({ max: STATES_MAX });
  private readonly waiters = new Set<{ position: Position; answer: (arrived: boolean) => void }>();
  private readonly generation: Generation;
  private readonly sql: ReturnType<typeof statementsOf>;
  private readonly types: ReadonlySet<string>;
  /** What its checkpoint is found by. */
  private readonly self: readonly [name: string, version: number, rebuild: number];
  /** Where the stored checkpoint was when this runner last knew. */
  private believed: Position = BEGINNING;
  /** Up to here everything wanted has been applied; ahead of the checkpoint where nothing was wanted. */
  private reached: Position = BEGINNING;
  private checkpointAt = 0;
  /** Whether a batch is being applied; the checkpoint is then its business. */
  private taking = false;
  private idle: NodeJS.Timeout | null = null;
  private flushing: Promise<unknown> = Promise.resolve();
  /** It goes no further than this; null: no such place. */
  private hold: Position | null = null;
  private stopping = false;
  private running: Promise<void> | null = null;
  private subscription: Subscription | null = null;
  /** Cuts a back-off short. */
  private wake: () => void = () => {};
  /** Ends the wait for a subscription to fail. */
  private leave: () => void = () => {};
  private shown: Pick<ProjectorStatus, 'state' | 'error' | 'poisonPosition'> = {
    state: 'starting',
    error: null,
    poisonPosition: null,
  };
  private folded = 0;

  constructor(private readonly options: ProjectorOptions<State, E>) {
    const { projection } = options;
    this.generation = options.generation ?? { version: projection.version, rebuild: 0 };
    this.sql = statementsOf(projection, this.generation);
    this.types = new Set(projection.on);
    this.self = [projection.name, this.generation.version, this.generation.rebuild];
  }

  /** Begins to run; the table and the checkpoint row must exist (see generations). */
  start(): void {
    this.running ??= this.run();
  }

  /** Resolves when the running batch is written. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.idle) clearTimeout(this.idle);
    this.wake();
    this.leave();
    await this.subscription?.stop();
    await this.running;
    await this.flushing;
    if (this.shown.state === 'running' && this.reached > this.believed)
      await this.write(this.rowsOf(new Map()), this.reached).catch(() => undefined);
    if (this.shown.state !== 'gone') this.shown = { ...this.shown, state: 'ended' };
    for (const waiter of this.waiters) waiter.answer(false);
  }

  /** Resolves when it has ended: by `stop`, or because its generation is gone. */
  async ended(): Promise<void> {
    await this.running;
  }

  position(): Position {
    return this.reached;
  }

  /** Goes up to a position and no further until told otherwise, so that its rows can be compared there. */
  holdAt(position: Position | null): void {
    this.hold = position;
    this.wake();
  }

  /** Waits at most that long until it knows where it stands. */
  async begun(timeoutMs: number): Promise<void> {
    for (const until = performance.now() + timeoutMs; this.shown.state === 'starting' && performance.now() < until;)
      await pause(BEGUN_POLL_MS);
  }

  /** Whether everything up to a position has been applied, waiting for it at most that long. */
  async waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    if (this.reached >= position) return true;
    return new Promise((resolve) => {
      const answer = (arrived: boolean) => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve(arrived);
      };
      const waiter = { position, answer };
      const timer = setTimeout(() => answer(false), timeoutMs);
      this.waiters.add(waiter);
    });
  }

  status(): ProjectorStatus {
    return {
      name: this.options.projection.name,
      generation: this.generation,
      position: this.reached,
      folded: this.folded,
      ...this.shown,
    };
  }

  /** Tries the event that stopped it once more, for whoever runs it. False where it is not stopped. */
  async resume(): Promise<boolean> {
    const resumed = await this.options.database.query(RESUME, this.self);
    this.wake();
    return resumed.length === 1;
  }

  /** Leaves out the event that stopped it. The position says that the caller knows which one that is. */
  async skip(position: Position): Promise<boolean> {
    const skipped = await this.options.database.query(SKIP, [...this.self, position]);
    this.wake();
    return skipped.length === 1;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopping;) {
      try {
        const checkpoint = await this.readCheckpoint();
        if (!checkpoint) {
          this.shown = { state: 'gone', error: null, poisonPosition: null };
          for (const waiter of this.waiters) waiter.answer(false);
          return;
        }
        failures = 0;
        this.believe(checkpoint.position);
        if (checkpoint.position < this.reached) this.reached = checkpoint.position;
        if (checkpoint.status === 'stopped') {
          this.advance(checkpoint.position);
          this.shown = { state: 'stopped', error: checkpoint.error, poisonPosition: checkpoint.poison_position };
          await this.rest(STOPPED_POLL_MS);
          continue;
        }
        this.advance(checkpoint.position);
        this.shown = { state: 'running', error: null, poisonPosition: null };
        await this.follow();
      } catch (error) {
        this.shown = { state: 'waiting', error: kindOf(error), poisonPosition: null };
        await this.rest(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!);
      }
    }
  }

  /** Takes batches until something asks to start over; rejects with what that was, unless it was only that. */
  private async follow(): Promise<void> {
    const { log, projection, batchSize = 2000 } = this.options;
    let subscription!: Subscription;
    const failed = new Promise<unknown>((resolve) => {
      subscription = log.subscribe({
        after: this.believed,
        prefixes: projection.streams,
        batchSize,
        onBatch: (events, through) => this.take(events, through),
        failed: resolve,
      });
    });
    this.subscription = subscription;
    const stopped = new Promise<null>((resolve) => (this.leave = () => resolve(null)));
    const reason = this.stopping ? null : await Promise.race([failed, stopped]);
    await subscription.stop();
    if (reason !== null && !(reason instanceof StartOver)) throw reason as Error;
  }

  private async take(batch: RecordedEvent[], through: Position): Promise<void> {
    this.taking = true;
    try {
      await this.flushing;
      await this.applied(batch, through);
    } finally {
      this.taking = false;
    }
  }

  /** Applies a batch, whatever the database and rivals do meanwhile. */
  private async applied(batch: RecordedEvent[], through: Position): Promise<void> {
    for (let failures = 0; ;) {
      if (this.stopping) throw new StartOver();
      // A rival may be further than our subscription: what it applied is not ours to apply again.
      if (through <= this.believed) return;
      const end = this.hold !== null && this.hold < through ? this.hold : through;
      if (end < through && this.reached >= end) {
        await this.rest(HELD_POLL_MS);
        continue;
      }
      const events = batch.filter((event) => event.position > this.believed && event.position <= end);
      try {
        if (await this.apply(events, end)) {
          if (end === through) return;
          continue;
        }
      } catch (error) {
        // Whether it took effect is not known: only the checkpoint tells.
        this.states.clear();
        if (error instanceof Poison) await this.stopAt(error);
        if (error instanceof StartOver || error instanceof Poison) throw new StartOver();
        this.shown = { state: 'waiting', error: kindOf(error), poisonPosition: null };
        await this.rest(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!);
      }
      const checkpoint = await this.readCheckpoint().catch(() => undefined);
      if (checkpoint === undefined) continue;
      if (!checkpoint || checkpoint.status !== 'running' || checkpoint.position < this.believed) throw new StartOver();
      this.shown = { state: 'running', error: null, poisonPosition: null };
      this.believe(checkpoint.position);
      this.advance(checkpoint.position);
    }
  }

  /** True when applied; false when the checkpoint was not where it was believed, and nothing was written. */
  private async apply(events: readonly RecordedEvent[], through: Position): Promise<boolean> {
    const { folded, end, poison } = await this.foldUpToPoison(events, through);
    const isDue = Date.now() - this.checkpointAt > IDLE_CHECKPOINT_MS;
    let values: unknown[][] = [];
    if (folded.changed.size > 0 || isDue) {
      try {
        values = this.rowsOf(folded.changed);
      } catch (error) {
        return this.applyOneByOne(events, through, error);
      }
    }
    // States that come to no row are as if they had not begun.
    if (isDue || values.some(({ length }) => length > 0)) {
      try {
        if (!(await this.write(values, end))) return false;
      } catch (error) {
        if (!isAboutTheData(error)) throw error;
        return this.applyOneByOne(events, through, error);
      }
      for (const [key, entry] of folded.changed) this.states.set(key, entry);
      // A cache that cannot be raised costs time, never the projection.
      if (folded.changed.size > 0) await this.announce(end, folded.changed).catch(() => undefined);
    }
    this.folded += folded.events;
    if (poison) throw poison;
    this.advance(end);
    if (this.reached > this.believed) this.checkpointLater();
    return true;
  }

  /** Others tell by the checkpoint how far we are: in quiet times it follows within a second. A rival's is as good. */
  private checkpointLater(): void {
    this.idle ??= setTimeout(() => {
      this.idle = null;
      if (this.taking || this.stopping || this.reached <= this.believed) return;
      this.flushing = this.write(this.rowsOf(new Map()), this.reached).catch(() => undefined);
    }, IDLE_CHECKPOINT_MS).unref();
  }

  private async announce(end: Position, changed: ReadonlyMap<string, Entry<State>>): Promise<void> {
    await this.options.committed?.(end, [...changed.keys()], (key) => changed.get(key)!.state);
  }

  /** What stands before an event that cannot be folded is folded all the same. */
  private async foldUpToPoison(events: readonly RecordedEvent[], through: Position) {
    try {
      return { folded: await this.fold(events), end: through, poison: null };
    } catch (error) {
      if (!(error instanceof Poison) || error.before === null) throw error;
      return {
        folded: await this.fold(events.filter((event) => event.position < error.position)),
        end: error.before,
        poison: error,
      };
    }
  }

  /** The rows to write and those to delete, one array per column; notes in the entries what stands in the table then. */
  private rowsOf(changed: ReadonlyMap<string, Entry<State>>): unknown[][] {
    const { rows, table } = this.options.projection;
    const written: unknown[][] = this.sql.columns.map(() => []);
    const gone: unknown[][] = table.primaryKey.map(() => []);
    for (const [key, entry] of changed) {
      const made = rows(key, entry.state);
      for (const row of made) {
        for (let i = 0; i < written.length; i++) {
          const column = this.sql.columns[i]!;
          const value = isForgotten(row[column]) ? null : (row[column] ?? null);
          written[i]!.push(value !== null && this.sql.json.has(column) ? JSON.stringify(value) : value);
        }
      }
      const identities = made.map((row) => this.identity(row));
      for (const identity of entry.rows) {
        if (identities.includes(identity)) continue;
        (JSON.parse(identity) as unknown[]).forEach((value, i) => gone[i]!.push(value));
      }
      entry.rows = identities;
    }
    return [...written, ...gone];
  }

  /** Finds the event whose rows the database (or `rows`) refuses: one event a transaction until it comes. */
  private async applyOneByOne(events: readonly RecordedEvent[], through: Position, error: unknown): Promise<boolean> {
    if (events.length <= 1) throw new Poison(events[0]?.position ?? through, null, { cause: error });
    for (const event of events) if (!(await this.apply([event], event.position))) return false;
    return this.apply([], through);
  }

  /** Folds the events over the states as stored. Changes nothing that is kept: the write may still fail. */
  private async fold(
    events: readonly RecordedEvent[],
  ): Promise<{ changed: Map<string, Entry<State>>; events: number }> {
    const { projection, codec, ciphersFor } = this.options;
    const personal = ciphersFor
      ? events.filter((event) => this.types.has(event.type) && codec.isPersonal(event.type))
      : [];
    const cipherOf = personal.length > 0 ? await ciphersFor!(personal) : undefined;
    const wanted: { key: string; event: ProjectedEvent<E> }[] = [];
    let before: Position | null = null;
    for (const event of events) {
      try {
        if (!codec.knows(event.type)) throw new UnreadableEvent(event.type, 'this type of event is not known');
        if (this.types.has(event.type)) {
          const decoded = projected<E>(projection, codec, event, cipherOf?.(event));
          const key = projection.key(decoded);
          if (key !== null) wanted.push({ key, event: decoded });
        }
      } catch (error) {
        throw new Poison(event.position, before, { cause: error });
      }
      before = event.position;
    }
    const changed = await this.statesOf(new Set(wanted.map(({ key }) => key)));
    before = null;
    let next = 0;
    for (const { key, event } of wanted) {
      while (events[next]!.position < event.position) before = events[next++]!.position;
      const entry = changed.get(key)!;
      try {
        entry.state = projection.evolve(entry.state, event);
      } catch (error) {
        throw new Poison(event.position, before, { cause: error });
      }
    }
    return { changed, events: wanted.length };
  }

  /** Fresh entries for these keys: from memory, else from their rows, all in one query, else from the beginning. */
  private async statesOf(keys: ReadonlySet<string>): Promise<Map<string, Entry<State>>> {
    const { database, projection } = this.options;
    const entries = new Map<string, Entry<State>>();
    const missing: string[] = [];
    for (const key of keys) {
      const kept = this.states.get(key);
      if (kept) entries.set(key, { ...kept });
      else missing.push(key);
    }
    if (missing.length === 0) return entries;
    const stored = new Map<string, Row[]>();
    for (const row of await database.query<Row>(this.sql.load, [missing])) {
      for (const [column, value] of Object.entries(row)) if (value instanceof Date) row[column] = value.toISOString();
      const key = row[projection.table.keyColumn] as string;
      const rows = stored.get(key);
      if (rows) rows.push(row);
      else stored.set(key, [row]);
    }
    for (const key of missing) {
      const rows = stored.get(key);
      entries.set(key, {
        state: rows ? projection.load(key, rows) : projection.initial(key),
        rows: (rows ?? []).map((row) => this.identity(row)),
      });
    }
    return entries;
  }

  /** Moves the checkpoint and writes rows, both or none; false where the checkpoint is elsewhere. */
  private async write(rows: readonly unknown[], end: Position): Promise<boolean> {
    const [answer] = await this.options.database.query<{ moved: number }>(this.sql.write, [
      end,
      ...this.self,
      this.believed,
      ...rows,
    ]);
    if (answer!.moved === 0) return false;
    this.believed = end;
    this.checkpointAt = Date.now();
    return true;
  }

  /** What tells a row from the others of its key. */
  private identity(row: Row): string {
    return JSON.stringify(
      this.options.projection.table.primaryKey.map((column) =>
        typeof row[column] === 'bigint' ? String(row[column]) : row[column],
      ),
    );
  }

  private async stopAt(poison: Poison): Promise<void> {
    await this.options.database.query(STOP, [...this.self, kindOf(poison.cause), poison.position, this.believed]);
  }

  private async readCheckpoint(): Promise<Checkpoint | null> {
    const [row] = await this.options.database.query<Checkpoint>(READ, this.self);
    return row ?? null;
  }

  /** Somebody else may have advanced it: what is folded in memory is worth nothing then. */
  private believe(position: Position): void {
    this.states.clear();
    this.believed = position;
  }

  private advance(position: Position): void {
    if (position > this.reached) this.reached = position;
    for (const waiter of this.waiters) if (waiter.position <= this.reached) waiter.answer(true);
  }

  private async rest(ms: number): Promise<void> {
    if (this.stopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => (clearTimeout(timer), resolve());
    });
  }
}

/** SQLSTATE of an error, also where the database layer wrapped it. */
function sqlState(error: unknown): string | undefined {
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e)
    if (typeof e.code === 'string') return e.code;
  return undefined;
}

/** Values that Postgres refuses (classes 22 and 23): waiting will not make it better. */
const isAboutTheData = (error: unknown): boolean => /^2[23]...$/.test(sqlState(error) ?? '');

/** Enough to find the cause, and nothing that could be personal: messages of other errors may quote values. */
function kindOf(error: unknown): string {
  if (error instanceof UnreadableEvent) return `UnreadableEvent: ${error.message}`;
  const name = error instanceof Error ? error.name : typeof error;
  const state = sqlState(error);
  return state ? `${name} ${state}` : name;
}
