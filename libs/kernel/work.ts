/** Counts work whose size shows only while it is done, so that the limits of its caller can be charged for it. */
export interface Work {
  /** Adds events that were folded for an answer of one request. Never refuses, since the work is already done. */
  folded(events: number): void | Promise<void>;
}

/** Work that is charged to no caller. */
export const UNCHARGED: Work = { folded: () => undefined };
