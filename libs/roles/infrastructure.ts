import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { RateLimiter } from '../access/rate-limit.js';
import type { RecordQuota } from '../access/record-quota.js';
import type { ListedRows } from '../access/admin/lists.js';
import { siteKeysProjection } from '../access/key-projection.js';
import { siteStateProjection } from '../access/site-projection.js';
import { CATALOGUE } from '../catalogue/index.js';
import { CatalogueDirectory } from '../catalogue/directory.js';
import { catalogueStateProjection } from '../catalogue/projection.js';
import { consentStateProjection, type ProjectedConsent } from '../consent/read/projection.js';
import type { FoldedByConsent } from '../consent/state.js';
import { CONSENT_VIEW_VERSION, expiryInstants } from '../consent/index.js';
import { PostgresEventLog } from '../event-log/adapters/postgres.js';
import { CheckpointProgress } from '../event-log/checkpoint-progress.js';
import { Codec } from '../event-log/codec.js';
import type { Projection } from '../event-log/projection.js';
import { ServedProjection } from '../event-log/generations.js';
import { SkippedEvents } from '../event-log/skipped-events.js';
import type { Committed } from '../event-log/rows-sink.js';
import { MeasuredEventLog } from '../event-log/measured.js';
import type { EventLog } from '../event-log/port.js';
import { EVENT_LOG, READ_PROGRESS } from '../event-log/tokens.js';
import { type ReadProgress, CLOCK, systemClock, type DomainEvent } from '../kernel/index.js';
import type { RedisTagCache } from '../platform/cache/redis-tag-cache.js';
import {
  InProcessTagCache,
  TAG_CACHE,
  type SubjectTag,
  type TagCache,
  TagsOfView,
} from '../platform/cache/tag-cache.js';
import { Database } from '../platform/database/database.js';
import { Repositories } from '../platform/database/repositories.js';
import { backlog } from '../platform/deliveries/queue.js';
import { patiently } from '../platform/patience.js';
import { MeasuredTagCache, Metrics } from '../platform/telemetry/metrics.js';
import { MasterKey } from '../platform/vault/master-key.js';
import { preferenceStateProjection, type ProjectedPreferences } from '../preferences/read/projection.js';
import { isUntouched, preferenceTurningPoints, type FoldedByPreferences } from '../preferences/state.js';
import { PREFERENCE_PROGRESS, PREFERENCE_TAGS } from '../preferences/streams.module.js';
import { PREFERENCES_VIEW_VERSION } from '../preferences/view.js';
import { isClosed } from '../subjects/index.js';
import { Vault } from '../platform/vault/vault.js';
import { eventCodec } from './event-types.js';
import { skipsFromLog } from '../operator/skips-from-log.js';
import type { Role } from './role.js';

/** Patience of background work, in ms: projections may write large batches. */
const BACKGROUND_BUDGET_MS = 30_000;
/** Of a batch with more subjects, which is one of catching up, tags are dropped and not raised: hardly anybody will ask for them. */
const MOST_RAISED = 256;

export interface InfrastructureOptions {
  databaseUrl: string;
  /** null: the log is kept in the same Postgres. */
  eventStore: EventLog | null;
  /** Default, and null: each process caches and limits for itself. */
  shared?: SharedCaches | null;
  masterKey: Buffer;
  roles: readonly Role[];
  /** Into how many shards read models are split. Default: as they are. */
  projectionShards?: number;
}

/** The doors to the world, opened once per process. What a role has no use for stays closed. */
export class Infrastructure {
  readonly requests: Database;
  /** A pool of its own, so that catching up never takes the connections of requests. */
  readonly background: Database;
  readonly metrics: Metrics;
  readonly log: EventLog;
  readonly codec: Codec;
  private readonly skipped: SkippedEvents;
  readonly master: MasterKey;
  readonly vault: Vault;
  readonly tags: TagCache;
  readonly preferenceTags: TagCache;
  readonly shared: SharedCaches | null;
  readonly catalogue: CatalogueDirectory;
  /** The read models that this process keeps up to date. */
  readonly projections: readonly ServedProjection<unknown, never>[];
  private readonly shards: number | null;
  readonly progress: ReadProgress;
  readonly preferenceProgress: ReadProgress;
  /** What the operator's lists are read from. */
  readonly lists: ListedRows;

  constructor({ databaseUrl, eventStore, shared = null, masterKey, roles, projectionShards }: InfrastructureOptions) {
    this.shards = projectionShards ?? null;
    this.requests = new Database(databaseUrl, { max: 10, name: `assent ${roles.join(' ')}` });
    this.background = new Database(databaseUrl, {
      max: 5 + (projectionShards ?? 1),
      name: 'assent background',
      budgetMs: BACKGROUND_BUDGET_MS,
    });
    this.skipped = new SkippedEvents(this.background);
    this.codec = eventCodec(this.skipped);
    this.metrics = new Metrics({
      head: () => this.log.head(),
      projections: () =>
        this.projections.flatMap((projection) =>
          projection
            .status()
            .slice(0, 1)
            .map(({ name, position, folded, state }) => ({
              name,
              position,
              folded,
              running: state !== 'stopped' && state !== 'awaiting',
            })),
        ),
      deliveries: async () => (roles.includes('dispatcher') ? backlog(this.background) : []),
    });
    this.log = new MeasuredEventLog(eventStore ?? new PostgresEventLog(this.requests), this.metrics);
    this.master = new MasterKey(masterKey);
    this.vault = new Vault(this.requests, this.master);
    this.shared = shared;
    const tags = shared?.tags ?? new InProcessTagCache();
    const tagsOf = (prefix: string, view: number): TagCache =>
      new MeasuredTagCache(new TagsOfView(tags, prefix, view), this.metrics);
    this.tags = tagsOf('', CONSENT_VIEW_VERSION);
    this.preferenceTags = tagsOf('p-', PREFERENCES_VIEW_VERSION);
    this.catalogue = new CatalogueDirectory(this.log, this.codec, this.background);
    const projects = roles.includes('projector');
    const consent = projects ? this.consentState() : null;
    const preferences = projects ? this.preferenceState() : null;
    const sites = projects ? this.operators(siteStateProjection) : null;
    const keys = projects ? this.operators(siteKeysProjection) : null;
    const catalogues = projects ? this.operators(catalogueStateProjection) : null;
    this.projections = [consent, preferences, sites, keys, catalogues].filter(
      (each) => each !== null,
    ) as unknown as ServedProjection<unknown, never>[];
    this.lists = {
      repositories: new Repositories(databaseUrl, async () =>
        Object.values(await import('../access/admin/entities.js')),
      ),
      sites: this.progressOf(siteStateProjection.name, sites, siteStateProjection.version),
      keys: this.progressOf(siteKeysProjection.name, keys, siteKeysProjection.version),
    };
    this.progress = this.progressOf(consentStateProjection.name, consent);
    this.preferenceProgress = this.progressOf(preferenceStateProjection.name, preferences);
  }

  private consentState(): ServedProjection<ProjectedConsent | null, FoldedByConsent> {
    return this.served(consentStateProjection, this.tags, (known) => ({
      revision: known!.revision,
      turningPoints: expiryInstants(known!.state),
      isClosed: isClosed(known!.state),
    }));
  }

  private preferenceState(): ServedProjection<ProjectedPreferences | null, FoldedByPreferences> {
    return this.served(preferenceStateProjection, this.preferenceTags, (known) => ({
      revision: isUntouched(known!.state) ? -1 : known!.revision,
      turningPoints: preferenceTurningPoints(known!.state),
      isClosed: isClosed(known!.state),
    }));
  }

  /** A read model of subjects, which raises the ETags of what it commits. */
  private served<S, E extends DomainEvent>(
    projection: Projection<S, E>,
    tags: TagCache,
    tagOf: (state: S) => Pick<SubjectTag, 'revision' | 'turningPoints'> & { isClosed: boolean },
  ): ServedProjection<S, E> {
    const committed: Committed<S> = (through, subjectIds, stateOf) => {
      this.metrics.projected(projection.name, subjectIds.length);
      if (stateOf === null || subjectIds.length > MOST_RAISED) return tags.drop(subjectIds);
      for (const subjectId of subjectIds) {
        const { revision, turningPoints, isClosed: closed } = tagOf(stateOf(subjectId));
        tags.raise(subjectId, { revision, turningPoints, through });
        // Raised first, so that no slow reader can put back what held before: a closed subject is answered by another one.
        if (closed) tags.drop([subjectId]);
      }
    };
    const { log, background: database, codec, shards } = this;
    return new ServedProjection({ log, database, codec, projection, committed, ...(shards !== null && { shards }) });
  }

  /** A read model of what operators made, which no cache holds. */
  private operators<S, E extends DomainEvent>(projection: Projection<S, E>): ServedProjection<S, E> {
    return new ServedProjection({
      log: this.log,
      database: this.background,
      codec: this.codec,
      projection,
      committed: (_, keys) => this.metrics.projected(projection.name, keys.length),
    });
  }

  /** With a version, rows of no other one count as read. */
  private progressOf<S, E extends DomainEvent>(
    name: string,
    served: ServedProjection<S, E> | null,
    version: number | null = null,
  ): ReadProgress {
    return served
      ? { position: () => served.position(), reached: (position, ms) => served.waitFor(position, ms) }
      : new CheckpointProgress(this.requests, name, version);
  }

  async start(say: (line: string) => void): Promise<void> {
    // Before read models start: what was left out once must never be folded.
    if (this.projections.length > 0) await patiently(say, () => skipsFromLog(this.log, this.background));
    await patiently(say, () => this.skipped.start());
    this.catalogue.follower.start();
    if (this.projections.length > 0) this.shared?.tags.lead();
    await Promise.all(this.projections.map((projection) => patiently(say, () => projection.start())));
  }

  async close(): Promise<void> {
    this.skipped.stop();
    await Promise.all([this.catalogue.follower.stop(), ...this.projections.map((projection) => projection.stop())]);
    this.shared?.close();
    await Promise.all([this.log.close(), this.lists.repositories.close()]);
    await Promise.all([this.requests.close(), this.background.close()]);
  }
}

/** The log in EventStoreDB, where one is configured. Its client takes 0.2 s to load, which nobody else should wait for. */
export async function openEventStore(esdbUrl: string | null): Promise<EventLog | null> {
  if (esdbUrl === null) return null;
  const { EventStoreDbLog } = await import('../event-log/adapters/eventstoredb.js');
  return new EventStoreDbLog({ url: esdbUrl });
}

/** What instances have in common so that it is faster and stricter than each for itself; nothing is lost when it is. */
export interface SharedCaches {
  tags: RedisTagCache;
  limiter: RateLimiter;
  quota: RecordQuota;
  close(): void;
}

/** Redis, where one is configured; loaded only then. Does not wait for it: nothing here needs it to be there. */
export async function openSharedCaches(
  redisUrl: string | null,
  changed: (available: boolean, reason: string) => void,
): Promise<SharedCaches | null> {
  if (redisUrl === null) return null;
  const [{ Redis }, { RedisTagCache }, { RedisRateLimiter }, { DailyRecordQuota }, { RedisDailyCounts }] =
    await Promise.all([
      import('../platform/cache/redis.js'),
      import('../platform/cache/redis-tag-cache.js'),
      import('../access/redis-rate-limit.js'),
      import('../access/record-quota.js'),
      import('../access/redis-record-quota.js'),
    ]);
  const redis = new Redis(redisUrl, changed);
  const tags = new RedisTagCache(redis);
  const close = (): void => {
    tags.stop();
    redis.close();
  };
  const quota = new DailyRecordQuota(new RedisDailyCounts(redis));
  return { tags, limiter: new RedisRateLimiter(redis), quota, close };
}

/** Hands the doors to the modules of a process. Opened and closed by whoever starts the process. */
@Global()
@Module({})
export class InfrastructureModule {
  static of(infrastructure: Infrastructure): DynamicModule {
    const providers = [
      { provide: Infrastructure, useValue: infrastructure },
      { provide: Database, useValue: infrastructure.requests },
      { provide: MasterKey, useValue: infrastructure.master },
      { provide: Vault, useValue: infrastructure.vault },
      { provide: Codec, useValue: infrastructure.codec },
      { provide: EVENT_LOG, useValue: infrastructure.log },
      { provide: CATALOGUE, useValue: infrastructure.catalogue },
      { provide: TAG_CACHE, useValue: infrastructure.tags },
      { provide: PREFERENCE_TAGS, useValue: infrastructure.preferenceTags },
      { provide: PREFERENCE_PROGRESS, useValue: infrastructure.preferenceProgress },
      { provide: READ_PROGRESS, useValue: infrastructure.progress },
      { provide: CLOCK, useValue: systemClock },
    ];
    return { module: InfrastructureModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
