import { PostgresEventLog } from '../log/adapters/postgres/postgres.js';
import type { Release } from '../operator/context.js';
import { systemClock } from '../kernel/index.js';
import { Ledger, rebuildLedger, RecordProofs, verifyLedger } from '../ledger/index.js';
import { SigningKeys } from '../receipts/context.js';
import { COMPOSITION } from './contexts.js';
import { FOLLOWED } from './followed.js';
import { seedInstallation } from './demo/demo-installation.js';
import { openEventStore } from './infrastructure/engines.js';

/** This release, as the operator's commands are given it. */
export const RELEASE: Release = {
  migrations: COMPOSITION.migrations,
  ...FOLLOWED,
  streams: COMPOSITION.streams,
  codec: COMPOSITION.codec,
  timeline: COMPOSITION.timeline,
  verifyLedger: ({ log, database, vault }, look) =>
    verifyLedger({ log, database, vault, keys: new SigningKeys(vault, log, systemClock), look }),
  rebuildLedger: ({ database }) => rebuildLedger(database),
  ledgerOf: ({ log, database, vault }) => {
    const ledger = new Ledger(database, new SigningKeys(vault, log, systemClock));
    // The caller has waited for the ledger already.
    return { ledger, proofs: new RecordProofs(ledger, log, vault, { reached: () => Promise.resolve(true) }) };
  },
  openLog: async (database, settings) => (await openEventStore(settings)) ?? new PostgresEventLog(database),
  signerOf: ({ vault, log }) => new SigningKeys(vault, log, systemClock),
  seedDemo: seedInstallation,
};
