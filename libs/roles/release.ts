import { PostgresEventLog } from '../event-log/adapters/postgres.js';
import type { Release } from '../operator/release.js';
import { seedInstallation } from './demo-installation.js';
import { eventCodec } from './event-types.js';
import { openEventStore } from './infrastructure.js';
import { MIGRATIONS } from './migrations.js';
import { PROJECTIONS } from './projections.js';

/** This release, as the operator's commands are given it. */
export const RELEASE: Release = {
  migrations: MIGRATIONS,
  projections: PROJECTIONS,
  codec: eventCodec(),
  openLog: async (database, esdbUrl) => (await openEventStore(esdbUrl)) ?? new PostgresEventLog(database),
  seedDemo: seedInstallation,
};
