/** Takes down work whose size shows only while it is done, so that whoever asked for it can be charged. */
export interface Work {
  /** Events that were folded for an answer. Counts up over all calls for one request. Never refuses: the work is done. */
  folded(events: number): void | Promise<void>;
}

/** Work that nobody is charged for. */
export const UNCHARGED: Work = { folded: () => undefined };
