import type { Release } from '../operator/context.js';
import { systemClock } from '../kernel/index.js';
import { Ledger, RecordProofs } from '../ledger/index.js';
import { SigningKeys } from '../receipts/context.js';
import { COMPOSITION } from './contexts.js';

/** What the release brings to operators' work in a running process, besides its engines. */
export const RELEASE_PARTS: Pick<
  Release,
  'projections' | 'sinks' | 'chores' | 'streams' | 'timeline' | 'ledgerOf' | 'signerOf'
> = {
  projections: COMPOSITION.readModels.map(({ projection }) => projection),
  sinks: COMPOSITION.sinks.map(({ name, streams, acceptLog }) => ({ name, version: 1, streams, acceptLog })),
  chores: COMPOSITION.chores.filter((chore) => chore.due !== undefined),
  streams: COMPOSITION.streams,
  timeline: COMPOSITION.timeline,
  ledgerOf: ({ log, database, vault }) => {
    const ledger = new Ledger(database, new SigningKeys(vault, log, systemClock));
    // The caller has waited for the ledger already.
    return { ledger, proofs: new RecordProofs(ledger, log, vault, { reached: () => Promise.resolve(true) }) };
  },
  signerOf: ({ vault, log }) => new SigningKeys(vault, log, systemClock),
};
