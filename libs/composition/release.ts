import { PostgresEventLog } from '../log/adapters/postgres/postgres.js';
import type { Release } from '../operator/context.js';
import { systemClock } from '../kernel/index.js';
import { rebuildLedger, verifyLedger } from '../ledger/index.js';
import { SigningKeys } from '../receipts/context.js';
import { COMPOSITION } from './contexts.js';
import { RELEASE_PARTS } from './release-parts.js';
import { seedInstallation } from './demo/demo-installation.js';
import { openEventStore } from './infrastructure/engines.js';

/** This release, as the operator's commands are given it. */
export const RELEASE: Release = {
  migrations: COMPOSITION.migrations,
  ...RELEASE_PARTS,
  codec: COMPOSITION.codec,
  verifyLedger: ({ log, database, vault }, look) =>
    verifyLedger({ log, database, vault, keys: new SigningKeys(vault, log, systemClock), look }),
  rebuildLedger: ({ database }) => rebuildLedger(database),
  openLog: async (database, settings) => (await openEventStore(settings)) ?? new PostgresEventLog(database),
  seedDemo: seedInstallation,
};
