import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BEGINNING, type DomainEvent, type Position } from '../../kernel/index.js';
import type { Database } from '../../engines/database/database.js';
import type { Codec } from '../../streams/codec.js';
import { Consumer, type ConsumerStatus } from '../consumer.js';
import { kindOf } from '../failure-kinds.js';
import type { EventLog } from '../../log/port.js';
import type { Generation, Projection } from './projection.js';
import { RowsSink, type Committed } from '../sinks/rows-sink.js';
import { Commits } from '../commits.js';
import { ShardBalance } from '../shards/shard-balance.js';

/** After a failure of the database, and between looks where nothing tells that something has changed. */
const RETRY_MS = 100;
const BEGUN_WITHIN_MS = 2000;
const SHARDS = {
  name: 'shards-of-generation',
  text: 'select shards from projection.shards where name = $1 and version = $2 and rebuild = $3 limit 1',
};

export interface ProjectorOptions<State, E extends DomainEvent> {
  log: EventLog;
  database: Database;
  codec: Codec;
  projection: Projection<State, E>;
  generation?: Generation;
  /** Most events of one batch of a shard, which is one transaction. Default 2000. */
  batchSize?: number;
  committed?: Committed<State>;
  /** By what effects are written, together with those of other consumers of the process. Default: its shards alone. */
  commits?: Pick<Commits, 'submit'>;
}

export interface ProjectorStatus extends ConsumerStatus {
  name: string;
  generation: Generation;
  /** How many shards it is made of, and how many of them this process owns. */
  shards: number;
  owned: number;
}

/** What is shown of several shards is the first of these that any of them is in. */
const WORST_FIRST = ['stopped', 'awaiting', 'waiting', 'starting', 'standby', 'running', 'gone', 'ended'] as const;

/** Runs one generation of a projection: a consumer for each of its shards, however many the database says there are. */
export class Projector<State, E extends DomainEvent> {
  readonly generation: Generation;
  /** How it is called among those who share its shards. */
  private readonly holder = randomUUID();
  private consumers: readonly Consumer[] = [];
  private stopping = false;
  private running: Promise<void> | null = null;
  private isGone = false;
  private error: string | null = null;
  private hold: readonly Position[] | null = null;
  /** Position and count of the consumers before these: where shards are split anew, nothing falls back. */
  private floor: Position = BEGINNING;
  private foldedBefore = 0;
  private readonly commits: Pick<Commits, 'submit'>;

  constructor(private readonly options: ProjectorOptions<State, E>) {
    this.generation = options.generation ?? { version: options.projection.version, rebuild: 0 };
    this.commits = options.commits ?? new Commits(options.database);
  }

  /** Begins to run; the generation must exist (see GenerationTables). */
  start(): void {
    this.running ??= this.run();
  }

  /** Resolves when the running batches are written. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.consumers.map((consumer) => consumer.stop()));
    await this.running;
  }

  /** Resolves when it has ended: by `stop`, or because its generation is gone. */
  async ended(): Promise<void> {
    await this.running;
  }

  /** Everything wanted up to here has been applied: the smallest position of its shards. */
  position(): Position {
    if (this.consumers.length === 0) return this.floor;
    const slowest = this.consumers.map((each) => each.position()).reduce((a, b) => (a < b ? a : b));
    const isBeginning = this.consumers.some((each) => each.status().state === 'starting');
    return isBeginning && slowest < this.floor ? this.floor : slowest;
  }

  /**
   * Each shard goes up to its position and no further, until called with other positions or null, so that rows can be
   * compared there; a single position is that of all shards.
   */
  holdAt(positions: readonly Position[] | null): void {
    this.hold = positions;
    this.consumers.forEach((consumer, shard) => consumer.holdAt(held(positions, shard)));
  }

  /** Waits at most that long until it knows where it stands. */
  async begun(timeoutMs = BEGUN_WITHIN_MS): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (this.consumers.length === 0 && !this.isGone && performance.now() < until) await pause(2);
    await Promise.all(this.consumers.map((consumer) => consumer.begun(until - performance.now())));
  }

  /** Whether everything up to a position has been applied, waiting for it at most that long. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean> {
    return this.waitForAll([position], timeoutMs);
  }

  /** The same with a position for each shard; a single one is that of all. */
  async waitForAll(positions: readonly Position[], timeoutMs: number): Promise<boolean> {
    for (const until = performance.now() + timeoutMs; ;) {
      const left = until - performance.now();
      const consumers = this.consumers;
      if (consumers.length > 0) {
        const arrived = await Promise.all(
          consumers.map((consumer, shard) => consumer.waitFor(held(positions, shard)!, Math.max(0, left))),
        );
        if (!arrived.includes(false)) return true;
      }
      if (left <= 0 || this.stopping || this.isGone) return false;
      // Its shards may just be split anew: others then take the place of those that ended.
      if (consumers === this.consumers) await pause(Math.min(5, left));
    }
  }

  status(): ProjectorStatus {
    const all = this.consumers.map((consumer) => consumer.status());
    const state = this.isGone
      ? 'gone'
      : (WORST_FIRST.find((each) => all.some((one) => one.state === each)) ?? 'starting');
    const worst = all.find((one) => one.state === state);
    return {
      name: this.options.projection.name,
      generation: this.generation,
      state: all.length === 0 && this.error !== null ? 'waiting' : state,
      position: this.position(),
      error: worst?.error ?? this.error,
      poisonPosition: worst?.poisonPosition ?? null,
      folded: this.foldedBefore + sum(all),
      shards: all.length,
      owned: all.filter((one) => one.state === 'running').length,
    };
  }

  /** Tries the events that stopped shards once more. False where none is stopped. */
  async resume(): Promise<boolean> {
    return (await Promise.all(this.consumers.map((consumer) => consumer.resume()))).includes(true);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const shards = await this.shards();
        this.error = null;
        if (shards === null) {
          this.isGone = true;
          return;
        }
        if (!this.stopping) await this.runShards(shards);
      } catch (error) {
        this.error = kindOf(error);
        await pause(RETRY_MS);
      }
    }
  }

  /** Runs them until they are gone: with the generation, or because it was split into another number of shards. */
  private async runShards(shards: number): Promise<void> {
    const before = this.consumers;
    this.floor = this.position();
    this.foldedBefore += sum(before.map((consumer) => consumer.status()));
    const consumers = Array.from({ length: shards }, (_, shard) => this.consumerOf(shard, shards));
    this.consumers = consumers;
    const balance = this.balanceOf(consumers);
    consumers.forEach((consumer) => consumer.start());
    if (shards > 1) balance.start();
    await Promise.race(consumers.map((consumer) => consumer.ended()));
    balance.stop();
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  }

  private consumerOf(shard: number, shards: number): Consumer {
    const { log, database, codec, projection, batchSize, committed } = this.options;
    const { generation, commits } = this;
    const consumer = new Consumer({
      log,
      database,
      id: { name: projection.name, ...generation, shard, shards },
      streams: projection.streams,
      holder: this.holder,
      commits,
      sink: new RowsSink({ database, codec, projection, generation, ...(committed && { committed }) }),
      ...(batchSize !== undefined && { batchSize }),
    });
    consumer.holdAt(held(this.hold, shard));
    return consumer;
  }

  private balanceOf(consumers: readonly Consumer[]): ShardBalance {
    const { database, projection } = this.options;
    const { generation, holder } = this;
    return new ShardBalance({
      database,
      name: projection.name,
      generation,
      holder,
      // A release that stepped aside for a newer one could do nothing with a shard.
      mayAsk: () => consumers.every((consumer) => ['running', 'standby'].includes(consumer.status().state)),
      give: (shard) => consumers[shard]?.give(),
    });
  }

  private async shards(): Promise<number | null> {
    const { version, rebuild } = this.generation;
    const [row] = await this.options.database.query<{ shards: number }>(SHARDS, [
      this.options.projection.name,
      version,
      rebuild,
    ]);
    return row?.shards ?? null;
  }
}

/** A single position is that of every shard. */
const held = (positions: readonly Position[] | null, shard: number): Position | null =>
  positions === null ? null : (positions.length === 1 ? positions[0] : positions[shard])!;

const sum = (all: readonly ConsumerStatus[]): number => all.reduce((total, { folded }) => total + folded, 0);
