/** Injection token of the ReadProgress of the ledger. */
export const LEDGER_PROGRESS = Symbol('LedgerProgress');
