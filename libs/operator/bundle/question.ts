import type { Instant, Position, Scope } from '../../kernel/index.js';
import type { Operator } from '../events.js';

/** What a bundle answers. */
export interface BundleWanted {
  /** One subject by a reference, with all that were merged with it; or all subjects, from a time of recording on. */
  of: { subject: string } | { since: Instant };
  scope: Scope;
  /** Inclusive; null: all that is in the log now. */
  through: Position | null;
  /** Who read what is listed for the hours that were over then; null: those before the last event. */
  readsUntil: Instant | null;
  /** Personal fields of records in clear; what was forgotten is null. */
  withPersonalData: boolean;
  by: Operator;
}
