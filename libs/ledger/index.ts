export { beginAnew as rebuildLedger } from './begin-anew.js';
export { recordText } from './entry.js';
export { Ledger, type Checkpoint, type LeafProof } from './ledger.js';
export { verifyConsistency, verifyInclusion } from './merkle.js';
export { originOf, readCheckpoint, signatureBy, tlogProof, verifierKey } from './note.js';
export { RecordProofs, type RecordProof } from './record-proofs.js';
export { LEDGER_PROGRESS } from './ledger-progress.js';
export { verifyLedger, type LedgerBreak, type LedgerVerified } from './verify.js';
