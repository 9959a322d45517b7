import { CreateKeyUse1763740000001 } from '../access/key-use.migration.js';
import { CreateEventLog1700000000001 } from '../event-log/adapters/postgres.migration.js';
import { ShardProjections1763780000001 } from '../event-log/generations.migration.js';
import { CreateProjections1700000000002 } from '../event-log/projection.migration.js';
import { CreateDeliveries1763750000001 } from '../platform/deliveries/deliveries.migration.js';
import type { MigrationClass } from '../platform/database/migrate.js';
import { CreateIdempotency1763700000002 } from '../platform/idempotency/idempotency.migration.js';
import { IndexIdempotencyKeys1763790000001 } from '../platform/idempotency/index.migration.js';
import { CreateMailOutbox1763750000002 } from '../platform/mail/outbox.migration.js';
import { CreateSubjectWork1763760000001 } from '../subjects/write/work.migration.js';
import { CreateConfirmationTokens1763770000001 } from '../preferences/confirmations.migration.js';
import { CreateVault1763700000001 } from '../platform/vault/vault.migration.js';

/** The whole schema but the read tables, which their projections make themselves. In order of their names' times. */
export const MIGRATIONS: readonly MigrationClass[] = [
  CreateEventLog1700000000001,
  CreateProjections1700000000002,
  CreateVault1763700000001,
  CreateIdempotency1763700000002,
  CreateKeyUse1763740000001,
  CreateDeliveries1763750000001,
  CreateMailOutbox1763750000002,
  CreateSubjectWork1763760000001,
  CreateConfirmationTokens1763770000001,
  ShardProjections1763780000001,
  IndexIdempotencyKeys1763790000001,
];
