import { Global, Module, type DynamicModule } from '@nestjs/common';
import { CATALOGUE } from '../catalogue/index.js';
import { CatalogueDirectory } from '../catalogue/directory.js';
import { consentStateProjection } from '../consent/read/projection.js';
import { PostgresEventLog } from '../event-log/adapters/postgres.js';
import { Codec } from '../event-log/codec.js';
import { ServedProjection } from '../event-log/generations.js';
import type { EventLog } from '../event-log/port.js';
import { EVENT_LOG, READ_PROGRESS, type ReadProgress } from '../event-log/tokens.js';
import { CLOCK, systemClock } from '../kernel/index.js';
import { InProcessTagCache, TAG_CACHE } from '../platform/cache/tag-cache.js';
import { Database } from '../platform/database/database.js';
import { MasterKey } from '../platform/vault/master-key.js';
import { Vault } from '../platform/vault/vault.js';
import { eventCodec } from './event-types.js';

/** Patience of background work, in ms: projections may write large batches. */
const BACKGROUND_BUDGET_MS = 30_000;

export interface InfrastructureOptions {
  databaseUrl: string;
  masterKey: Buffer;
}

/** The doors to the world, opened once per process. */
export class Infrastructure {
  readonly requests: Database;
  /** A pool of its own, so that catching up never takes the connections of requests. */
  readonly background: Database;
  readonly log: EventLog;
  readonly codec: Codec = eventCodec();
  readonly master: MasterKey;
  readonly vault: Vault;
  readonly tags = new InProcessTagCache();
  readonly catalogue: CatalogueDirectory;
  readonly consentState: ServedProjection<unknown, never>;

  constructor({ databaseUrl, masterKey }: InfrastructureOptions) {
    this.requests = new Database(databaseUrl, { max: 10, name: 'assent requests' });
    this.background = new Database(databaseUrl, { max: 6, name: 'assent background', budgetMs: BACKGROUND_BUDGET_MS });
    this.log = new PostgresEventLog(this.requests);
    this.master = new MasterKey(masterKey);
    this.vault = new Vault(this.requests, this.master);
    this.catalogue = new CatalogueDirectory(this.log, this.codec);
    this.consentState = new ServedProjection({ log: this.log, database: this.background, codec: this.codec, projection: consentStateProjection, committed: (_, subjectIds) => this.tags.drop(subjectIds) }) as unknown as ServedProjection<unknown, never>;
  }

  async start(): Promise<void> {
    this.catalogue.follower.start();
    await this.consentState.start();
  }

  get progress(): ReadProgress {
    return { position: () => this.consentState.position(), reached: (position, ms) => this.consentState.waitFor(position, ms) };
  }

  async close(): Promise<void> {
    await Promise.all([this.catalogue.follower.stop(), this.consentState.stop()]);
    await this.log.close();
    await Promise.all([this.requests.close(), this.background.close()]);
  }
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
