import { defineContext } from '../context/define-context.js';
import { beginAnew, dropFormer } from './begin-anew.js';
import { CreateLedger1763820000001 } from './ledger.migration.js';
import { LedgerSink } from './ledger-sink.js';
import { LEDGER_PROGRESS } from './ledger-progress.js';
import { LedgerReadModule } from './read/module.js';
import { LEDGER_OPERATIONS } from './read/operations.js';
import { LEDGER } from './trees.js';

/** A Merkle tree over all recorded events. It shows when an event was changed, left out or invented. */
export const ledgerContext = defineContext({
  name: 'ledger',
  sinks: [
    {
      name: LEDGER,
      streams: ['subject-'],
      progress: LEDGER_PROGRESS,
      takesLeftOut: true,
      open: ({ database, vault }) => new LedgerSink(database, vault),
      // A ledger does not fork: a tree stops where this log does not lead to its signed roots.
      acceptLog: ({ database }) => beginAnew(database),
    },
  ],
  headings: {
    Ledger:
      'A Merkle tree of each site and environment over all that was recorded: with a checkpoint that you keep you can verify later that nothing was changed, left out or invented.',
  },
  operations: LEDGER_OPERATIONS,
  migrations: [CreateLedger1763820000001],
  prune: dropFormer,
  modules: { 'read-api': [LedgerReadModule] },
});
