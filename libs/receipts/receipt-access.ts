import type { Reference, Scope } from '../kernel/index.js';

/** Injection token of the ReceiptTokens. */
export const RECEIPT_TOKENS = Symbol('ReceiptTokens');

/** The capability that the answer to a write carries: its holder may read that one receipt. */
export interface ReceiptTokens {
  /** Of a receipt (`rct_…`), always the same one. Waits for nothing. */
  of(receiptId: string): string;
  /** Compared in constant time. */
  opens(token: string, receiptId: string): boolean;
}

/** Injection token of the ReceiptHolders. */
export const RECEIPT_HOLDERS = Symbol('ReceiptHolders');

/** Who knows whose records are whose, merges included. */
export interface ReceiptHolders {
  /** Whether the records of a subject are those of the person that a reference names now. */
  holds(scope: Scope, reference: Reference, subjectId: string): Promise<boolean>;
}

/** Injection token of the EventIndex of preferences, confirmations and erasures, by the id of their receipt. */
export const RECEIPT_INDEX = Symbol('ReceiptIndex');
/** Injection token of the ReadProgress of its rows. */
export const RECEIPTS_PROGRESS = Symbol('ReceiptsProgress');

/** Injection token of the ReceiptSource that has the receipts of all contexts. */
export const RECEIPT_PLACES = Symbol('ReceiptPlaces');

/** Injection token of the classes of the ReceiptSources of all contexts. */
export const RECEIPT_SOURCES = Symbol('ReceiptSources');
