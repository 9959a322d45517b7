import type { Instant } from '../kernel/index.js';
import type { Source, VendorDecision } from './events.js';
import type { Undated } from './precedence.js';

export type VendorFramework = VendorDecision['framework'];
/** Ids in ascending order. */
export type VendorIds = Readonly<Partial<Record<VendorFramework, readonly number[]>>>;

/**
 * What one record decided about single vendors, as far as nothing newer stands. A vendor stands in one choice at most, and
 * only by its id: a subject who decided about a thousand vendors takes some kilobytes.
 */
export interface VendorChoice {
  recordId: string;
  source: Source;
  givenAt: Instant;
  /** When what it granted ends; null: it does not. */
  expiresAt: Instant | null;
  /** Of what it granted, where the record has no date. */
  undated?: Undated;
  granted: VendorIds;
  denied: VendorIds;
}
