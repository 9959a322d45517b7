import { type ListedRows, siteKeysProjection, siteStateProjection } from '../../access/context.js';
import { OperatorTokens } from '../../access/index.js';
import { CatalogueDirectory } from '../../catalogue/context.js';
import type { Role } from '../../context/role.js';
import { PostgresEventLog } from '../../log/adapters/postgres/postgres.js';
import { Codec } from '../../streams/codec.js';
import { KnownLogs } from '../../log/known-log.js';
import { LogReach, type LogNews } from '../../log/log-reach.js';
import { MeasuredEventLog } from '../../log/measured.js';
import { LogNotAccepted, type EventLog } from '../../log/port.js';
import { AWAITED } from '../../following/checkpoint-progress.js';
import { Commits } from '../../following/commits.js';
import { SharedEventLog } from '../../following/log-readers.js';
import { SkippedEvents } from '../../following/skipped-events.js';
import { WatchedEventLog } from '../../log/watched-log.js';
import { skipsFromLog } from '../../operator/context.js';
import type { ReadProgress } from '../../kernel/index.js';
import { InProcessTagCache } from '../../engines/cache/tag-cache.js';
import { SnapshotStore } from '../../streams/snapshot-store.js';
import { Database } from '../../engines/database/database.js';
import { Repositories } from '../../engines/database/repositories.js';
import { backlog } from '../../deliveries/queue.js';
import { patiently } from '../../engines/patience.js';
import { ConcurrencyLimit } from '../../http/concurrency-limit.js';
import { Metrics } from '../../engines/telemetry/metrics.js';
import type { MasterKey } from '../../vault/master-key.js';
import { Vault } from '../../vault/vault.js';
import { webhookHealth } from '../../webhooks/context.js';
import { COMPOSITION } from '../contexts.js';
import type { SharedCaches } from './engines.js';
import { openLogSink, type OpenLogSink } from './log-sinks.js';
import { openReadModel, type OpenReadModel } from './read-models.js';
import { VERSION } from '../version.js';
import type { Waits } from './waits.js';

/** Longest that a statement of background work may take, in ms: projections may write large batches. */
const BACKGROUND_BUDGET_MS = 30_000;

/** A log without an answer for so long is lost, in ms. It is asked at least once a second. */
const LOG_LOST_AFTER_MS = 1_000;
/** Appends that fail for so long are not taken any more, in ms: longer than any single one may take. */
const APPENDS_LOST_AFTER_MS = 3_000;

export interface InfrastructureOptions {
  databaseUrl: string;
  /** null: the log is kept in the same Postgres. */
  eventStore: EventLog | null;
  /** null: each process caches and limits for itself. */
  shared: SharedCaches | null;
  master: MasterKey;
  roles: readonly Role[];
  /** Into how many shards read models are split. Default: as they are. */
  projectionShards?: number;
  /** Called when the log is lost and when it is back; `appends`: when it answers but takes no appends, and when it takes them again. */
  tell?: (of: 'log' | 'appends', news: LogNews) => void;
  /** Called with what the log lacks of what is known of it, and with null once it is the known one again. */
  logChanged?: (difference: string | null) => void;
  /** All that the process holds may be of a log that is gone: it has to begin anew. */
  beginAnew?: () => void;
}

/** The engines of a process, opened once. What a role has no use for stays closed. */
export class Infrastructure {
  readonly requests: Database;
  /** A pool of its own, so that catching up never takes the connections of requests. */
  readonly background: Database;
  readonly metrics: Metrics;
  /** How many requests that change something this process works on at once. */
  readonly writeLimit = new ConcurrencyLimit();
  readonly log: EventLog;
  /** Whether the log answers. */
  readonly reach: LogReach;
  /** Whether it takes appends. */
  readonly appends: LogReach;
  private readonly watched: WatchedEventLog;
  private readonly isLogInDatabase: boolean;
  private readonly beginAnew: () => void;
  readonly codec: Codec;
  private readonly skipped: SkippedEvents;
  /** By what all that follows the log in this process is written. */
  readonly commits: Commits;
  readonly snapshots: SnapshotStore;
  readonly master: MasterKey;
  readonly vault: Vault;
  readonly operators: OperatorTokens;
  readonly shared: SharedCaches | null;
  readonly catalogue: CatalogueDirectory;
  readonly readModels: readonly OpenReadModel[];
  readonly sinks: readonly OpenLogSink[];
  /** What the operator's lists are read from. */
  readonly lists: ListedRows;
  /** What parts of the process wait for; `/readyz` answers 503 as long as any of them names something. */
  readonly waits: Waits[] = [];

  readonly roles: readonly Role[];

  constructor({
    databaseUrl,
    eventStore,
    shared,
    master,
    roles,
    projectionShards,
    tell,
    ...options
  }: InfrastructureOptions) {
    this.roles = roles;
    this.reach = new LogReach((news) => tell?.('log', news), LOG_LOST_AFTER_MS);
    this.appends = new LogReach((news) => tell?.('appends', news), APPENDS_LOST_AFTER_MS);
    this.requests = new Database(databaseUrl, { max: 10, name: `assent ${roles.join(' ')}` });
    this.background = new Database(databaseUrl, {
      max: 5 + (projectionShards ?? 1),
      name: 'assent background',
      budgetMs: BACKGROUND_BUDGET_MS,
    });
    this.commits = new Commits(this.background);
    this.skipped = new SkippedEvents(this.background);
    this.codec = new Codec(COMPOSITION.events, this.skipped);
    this.metrics = new Metrics(
      {
        log: () => this.log,
        isLogThere: () => this.reach.isThere,
        logLosses: () => this.reach.losses,
        writesRefused: () => this.writeLimit.refused,
        firstTokenUses: () => this.operators.firstUses,
        isLogAccepted: () => this.watched.notAccepted === null,
        projections: () => [...this.readModels.flatMap(measured), ...this.sinks.flatMap(measuredSink)],
        deliveries: async () => (roles.includes('dispatcher') ? backlog(this.background) : []),
        receivers: async () => (roles.includes('dispatcher') ? webhookHealth(this.background) : null),
        pools: () => ({ requests: this.requests.use(), background: this.background.use() }),
      },
      COMPOSITION.counted,
      VERSION,
    );
    this.beginAnew = options.beginAnew ?? (() => undefined);
    this.isLogInDatabase = eventStore === null;
    this.watched = new WatchedEventLog(eventStore ?? new PostgresEventLog(this.requests), {
      known: new KnownLogs(this.background),
      changed: (difference) => {
        options.logChanged?.(difference);
        // Tags that were raised from a log that is gone lapse. The process that begins anew raises others.
        if (difference !== null) shared?.tags.stop();
        else if (this.readModels.some(({ served }) => served !== null)) shared?.tags.lead();
      },
      accepted: this.beginAnew,
    });
    this.waits.push(() =>
      this.notAccepted === null ? [] : [`an operator to accept the event log: ${this.notAccepted}`],
    );
    this.log = new MeasuredEventLog(new SharedEventLog(this.watched), this.metrics, this);
    this.snapshots = new SnapshotStore(this.requests, this.background);
    this.master = master;
    this.vault = new Vault(this.requests, this.master);
    this.operators = new OperatorTokens(this.log, this.master.operatorToken());
    this.shared = shared;
    this.catalogue = new CatalogueDirectory(this.log, this.codec, this.background);
    const engines = { ...this, tagCache: shared?.tags ?? new InProcessTagCache(), shards: projectionShards };
    this.readModels = COMPOSITION.readModels.map((model) => openReadModel(model, engines, roles.includes('projector')));
    this.sinks = COMPOSITION.sinks.map((sink) => openLogSink(sink, this, roles.includes('projector')));
    this.lists = {
      repositories: new Repositories(databaseUrl, COMPOSITION.entities),
      sites: this.progressOf(siteStateProjection.name),
      keys: this.progressOf(siteKeysProjection.name),
    };
  }

  private progressOf(name: string): ReadProgress {
    return this.readModels.find(({ model }) => model.projection.name === name)!.progress;
  }

  /** What the log lacks of what is known of it, in words; null where it lacks nothing. */
  get notAccepted(): string | null {
    return this.watched.notAccepted;
  }

  async start(say: (line: string) => void): Promise<void> {
    const served = this.readModels.flatMap((model) => model.served ?? []);
    await patiently(say, () => this.watched.start());
    // Before read models start: what was left out once must never be folded.
    const isUsable = served.length === 0 || (await this.noteSkips(say));
    await patiently(say, () => this.skipped.start());
    this.catalogue.follower.start();
    if (!isUsable) {
      // Where the right log is brought back, the process begins anew and starts them.
      void this.watched.sure().then((isSure) => (isSure ? this.beginAnew() : undefined));
      return;
    }
    if (served.length > 0) this.shared?.tags.lead();
    // Callers of other processes wait for rows that this one writes.
    if (served.length > 0 && this.isLogInDatabase) this.requests.listen(AWAITED, () => this.log.hurry?.());
    for (const { consumer } of this.sinks) consumer?.start();
    await Promise.all(served.map((each) => patiently(say, () => each.start())));
  }

  /** False where the log is not the known one: nothing may be made of it. */
  private async noteSkips(say: (line: string) => void): Promise<boolean> {
    try {
      await patiently(say, () => skipsFromLog(this.log, this.codec, this.background));
      return true;
    } catch (error) {
      if (error instanceof LogNotAccepted) return false;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.skipped.stop();
    await Promise.all([
      this.catalogue.follower.stop(),
      ...this.readModels.map(({ served }) => served?.stop()),
      ...this.sinks.map(({ consumer }) => consumer?.stop()),
    ]);
    this.shared?.close();
    await this.snapshots.stop();
    await Promise.all([this.log.close(), this.lists.repositories.close()]);
    await Promise.all([this.requests.close(), this.background.close()]);
  }
}

/** The live generation of a read model, for its metrics. */
const measured = ({ served }: OpenReadModel) =>
  (served?.status() ?? [])
    .slice(0, 1)
    .map(({ name, position, folded, state }) => ({
      name,
      position,
      folded,
      running: state !== 'stopped' && state !== 'awaiting',
    }));

const measuredSink = ({ sink: { name }, consumer }: OpenLogSink) => {
  if (!consumer) return [];
  const { position, folded, state } = consumer.status();
  return [{ name, position, folded, running: state !== 'stopped' && state !== 'awaiting' }];
};
