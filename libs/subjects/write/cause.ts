import type { Caller } from '../../platform/http/caller.js';

/** Who asked, for the metadata of the events. */
export interface Cause {
  requestId: string;
  actor: string;
}

export const causeOf = (caller: Caller): Cause => ({ requestId: caller.requestId, actor: caller.keyId ?? caller.kind });
