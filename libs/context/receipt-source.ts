import type { EventPlace } from '../following/projections/event-index.js';
import type { Environment, Instant, Position } from '../kernel/index.js';

/** A receipt that was made from the log and is not signed yet. */
export interface UnsignedReceipt {
  site: string;
  env: Environment;
  /** The subject on whose stream the record stands; it may have been merged since. */
  subjectId: string;
  /** When the record was made. It decides which key signs the receipt. */
  recordedAt: Instant;
  /** Null where the subject was not erased. An erasure does not change the receipt. */
  subjectErasedAt: Instant | null;
  receipt: object;
  /** The same as Kantara's Consent Receipt 1.1 has it; null where it is about no consent. */
  kantara: object | null;
}

/** Makes the receipts of one context's records from the log alone: the same bytes each time. */
export interface ReceiptSource {
  /**
   * The receipt with this id (`rct_…`) in any site and environment; null where no record of this context has it.
   * Sees every acknowledged write. `after`: the caller's own last write. Rejects with DependencyUnavailable.
   */
  receipt(receiptId: string, after: Position | null): Promise<UnsignedReceipt | null>;
  /** The place of the event that the receipt is made from; otherwise like `receipt`. */
  place(receiptId: string, after: Position | null): Promise<EventPlace | null>;
}
