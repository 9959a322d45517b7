import type { Type } from '@nestjs/common';
import type { Database } from '../engines/database/database.js';
import type { Logger } from '../engines/telemetry/logger.js';
import type { Metrics } from '../engines/telemetry/metrics.js';
import type { EventLog } from '../log/port.js';
import type { Codec } from '../streams/codec.js';
import type { MasterKey } from '../vault/master-key.js';
import type { Vault } from '../vault/vault.js';

/** With what a worker works. */
export interface WorkerEngines {
  /** Its connections are not those of requests. */
  background: Database;
  log: EventLog;
  codec: Codec;
  vault: Vault;
  master: MasterKey;
  metrics: Metrics;
  logger: Logger;
  /** A provider of the dispatcher's modules, by its class or token. */
  get: <T>(token: Type<T> | symbol) => T;
}

/** What a context does beside requests, from the start of a dispatcher to its end: sending what waits in a queue. */
export type StartWorker = (engines: WorkerEngines) => { stop(): Promise<void> };
