import type { EventPlace } from '../following/projections/event-index.js';
import type { Environment, Instant, Position } from '../kernel/index.js';

/** A receipt as the log tells it, not signed yet. */
export interface ToldReceipt {
  site: string;
  env: Environment;
  /** Whose stream the record stands on; the subject may have been merged since. */
  subjectId: string;
  /** When the record was made: which key signs its receipt follows from that. */
  recordedAt: Instant;
  /** Null where the subject was not erased. What the receipt says is the same afterwards. */
  subjectErasedAt: Instant | null;
  receipt: object;
  /** The same as Kantara's Consent Receipt 1.1 has it; null where it is about no consent. */
  kantara: object | null;
}

/** Makes the receipts of the records of one context, from the log alone: the same bytes whenever it is asked. */
export interface ReceiptSource {
  /**
   * The receipt with this id (`rct_…`) in whichever site and environment; null where no record of this context has it.
   * Sees every acknowledged write. `after`: the caller's own last write. Rejects with DependencyUnavailable.
   */
  receipt(receiptId: string, after: Position | null): Promise<ToldReceipt | null>;
  /** Where the event stands that it is made from; the rest is the same. */
  place(receiptId: string, after: Position | null): Promise<EventPlace | null>;
}
