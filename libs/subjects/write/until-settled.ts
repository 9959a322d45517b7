import type { Refusal } from '../../kernel/index.js';
import { subjectRefusals } from '../refusals.js';

/** Rivals that merge, revert or erase the same subjects while one command is on its way are few. */
export const MOST_MOVES = 20;

/** What an attempt answers where the subject turned out to be somewhere else, or nowhere, by now. */
export const MOVED = Symbol('moved');

/**
 * Attempts again as long as others move the subject meanwhile, at most `MOST_MOVES` times; then `otherwise`, which is
 * `state_conflict` unless it knows better.
 */
export async function untilSettled<T>(
  attempt: () => Promise<T | typeof MOVED>,
  otherwise: () => Refusal = subjectRefusals.contended,
): Promise<T | Refusal> {
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    const done = await attempt();
    if (done !== MOVED) return done;
  }
  return otherwise();
}
