import { epochMs, instantOf, systemClock, type Clock } from '../../../kernel/index.js';
import { DAY_MS, HISTORY_DAYS } from './calendar.js';

/**
 * The key by which the log knows that a demo gets a history: issued where the history begins, revoked where it ends. A
 * demo without it gets none.
 */
export const HISTORY_KEY = 'shop before the move';

/** When the history begins of a demo that is made now: some weeks back, at midnight. */
export const historyBegins: Clock = () => {
  const nowMs = epochMs(systemClock());
  return instantOf(nowMs - (nowMs % DAY_MS) - HISTORY_DAYS * DAY_MS);
};
