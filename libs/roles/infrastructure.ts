import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CATALOGUE } from '../catalogue/index.js';
import { CatalogueDirectory } from '../catalogue/directory.js';
import { consentStateProjection } from '../consent/read/projection.js';
import { PostgresEventLog } from '../event-log/adapters/postgres.js';
import { CheckpointProgress } from '../event-log/checkpoint-progress.js';
import { Codec } from '../event-log/codec.js';
import { ServedProjection } from '../event-log/generations.js';
import { MeasuredEventLog } from '../event-log/measured.js';
import type { EventLog } from '../event-log/port.js';
import { EVENT_LOG, READ_PROGRESS, type ReadProgress } from '../event-log/tokens.js';
import { CLOCK, systemClock } from '../kernel/index.js';
import { InProcessTagCache, TAG_CACHE, type TagCache } from '../platform/cache/tag-cache.js';
import { Database } from '../platform/database/database.js';
import { MeasuredTagCache, Metrics } from '../platform/telemetry/metrics.js';
import { MasterKey } from '../platform/vault/master-key.js';
import { Vault } from '../platform/vault/vault.js';
import { eventCodec } from './event-types.js';
import type { Role } from './role.js';

/** Patience of background work, in ms: projections may write large batches. */
const BACKGROUND_BUDGET_MS = 30_000;

export interface InfrastructureOptions {
  databaseUrl: string;
  /** null: the log is kept in the same Postgres. */
  eventStore: EventLog | null;
  masterKey: Buffer;
  roles: readonly Role[];
}

/** The doors to the world, opened once per process. What a role has no use for stays closed. */
export class Infrastructure {
  readonly requests: Database;
  /** A pool of its own, so that catching up never takes the connections of requests. */
  readonly background: Database;
  readonly metrics: Metrics;
  readonly log: EventLog;
  readonly codec: Codec = eventCodec();
  readonly master: MasterKey;
  readonly vault: Vault;
  readonly tags: TagCache;
  readonly catalogue: CatalogueDirectory;
  /** The read models that this process keeps up to date. */
  readonly projections: readonly ServedProjection<unknown, never>[];
  readonly progress: ReadProgress;

  constructor({ databaseUrl, eventStore, masterKey, roles }: InfrastructureOptions) {
    this.requests = new Database(databaseUrl, { max: 10, name: `assent ${roles.join(' ')}` });
    this.background = new Database(databaseUrl, { max: 6, name: 'assent background', budgetMs: BACKGROUND_BUDGET_MS });
    this.metrics = new Metrics({ head: () => this.log.head(), projections: () => this.projections.flatMap((projection) => projection.status().slice(0, 1).map(({ name, position, folded, state }) => ({ name, position, folded, running: state !== 'stopped' }))) });
    this.log = new MeasuredEventLog(eventStore ?? new PostgresEventLog(this.requests), this.metrics);
    this.master = new MasterKey(masterKey);
    this.vault = new Vault(this.requests, this.master);
    this.tags = new MeasuredTagCache(new InProcessTagCache(), this.metrics);
    this.catalogue = new CatalogueDirectory(this.log, this.codec);
    const consentState = roles.includes('projector') ? this.projection() : null;
    this.projections = consentState ? [consentState] : [];
    this.progress = consentState
      ? { position: () => consentState.position(), reached: (position, ms) => consentState.waitFor(position, ms) }
      : new CheckpointProgress(this.requests, consentStateProjection.name);
  }

  /** The consent state as a projection that can be run, here or by an operator's command. */
  projection(): ServedProjection<unknown, never> {
    const committed = (_: unknown, subjectIds: readonly string[]): void => {
      this.metrics.projected(consentStateProjection.name, subjectIds.length);
      this.tags.drop(subjectIds);
    };
    return new ServedProjection({ log: this.log, database: this.background, codec: this.codec, projection: consentStateProjection, committed }) as unknown as ServedProjection<unknown, never>;
  }

  async start(): Promise<void> {
    this.catalogue.follower.start();
    await Promise.all(this.projections.map((projection) => projection.start()));
  }

  async close(): Promise<void> {
    await Promise.all([this.catalogue.follower.stop(), ...this.projections.map((projection) => projection.stop())]);
    await this.log.close();
    await Promise.all([this.requests.close(), this.background.close()]);
  }
}

/** The log in EventStoreDB, where one is configured. Its client takes 0.2 s to load, which nobody else should wait for. */
export async function openEventStore(esdbUrl: string | null): Promise<EventLog | null> {
  if (esdbUrl === null) return null;
  const { EventStoreDbLog } = await import('../event-log/adapters/eventstoredb.js');
  return new EventStoreDbLog({ url: esdbUrl });
}

/** Hands the doors to the modules of a process. Opened and closed by whoever starts the process. */
@Global()
@Module({})
export class InfrastructureModule {
  static of(infrastructure: Infrastructure): DynamicModule {
    const providers = [
      { provide: Infrastructure, useValue: infrastructure },
      { provide: Database, useValue: infrastructure.requests },
      { provide: Vault, useValue: infrastructure.vault },
      { provide: Codec, useValue: infrastructure.codec },
      { provide: EVENT_LOG, useValue: infrastructure.log },
      { provide: CATALOGUE, useValue: infrastructure.catalogue },
      { provide: TAG_CACHE, useValue: infrastructure.tags },
      { provide: READ_PROGRESS, useValue: infrastructure.progress },
      { provide: CLOCK, useValue: systemClock },
    ];
    return { module: InfrastructureModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
