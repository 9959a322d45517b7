/** Ids as ranges, ascending, that do not touch, each with its last id. Takes memory for the ranges, not for the ids. */
export type IdRanges = readonly (readonly [first: number, last: number])[];

/** Sorts ranges, and joins those that overlap or touch. */
export function idRanges(ranges: IdRanges): IdRanges {
  const joined: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

export const rangesOfIds = (ids: readonly number[]): IdRanges => idRanges(ids.map((id) => [id, id]));

export const countOf = (ranges: IdRanges): number => ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);

/** `2, 8, 28-31`; if there are very many ranges, the first ones and the number of the others. */
export function rangesText(ranges: IdRanges, most = 200): string {
  const shown = ranges.slice(0, most).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
  const more = ranges.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** The lowest ids, at most `most`. */
export function firstIds(ranges: IdRanges, most: number): number[] {
  const ids: number[] = [];
  for (const [first, last] of ranges)
    for (let id = first; id <= last; id++) {
      if (ids.length === most) return ids;
      ids.push(id);
    }
  return ids;
}

/** The ids of `ranges` that `others` lacks. */
export function without(ranges: IdRanges, others: IdRanges): IdRanges {
  const left: (readonly [number, number])[] = [];
  let o = 0;
  for (const [first, last] of ranges) {
    let from = first;
    while (o < others.length && others[o]![1] < from) o++;
    for (let i = o; i < others.length && others[i]![0] <= last; i++) {
      const [start, end] = others[i]!;
      if (start > from) left.push([from, start - 1]);
      from = Math.max(from, end + 1);
    }
    if (from <= last) left.push([from, last]);
  }
  return left;
}
