import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Items that are dealt with before everybody else has a turn: a millisecond or two of the one thread. */
const PART = 50;

/** What `each` makes of the items of a long list, in order; those of one part side by side, one part after the other. */
export async function inParts<T, R>(
  items: readonly T[],
  each: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const made: R[] = [];
  for (let at = 0; at < items.length; at += PART) {
    if (at > 0) await endOfTurn();
    made.push(...(await Promise.all(items.slice(at, at + PART).map((item, i) => each(item, at + i)))));
  }
  return made;
}
