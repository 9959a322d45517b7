/** Longer names are not compared: the table grows with the square of the length. */
const LONGEST = 80;

/**
 * The candidate that a mistyped name most likely meant, or null where none is near: at most a third of the letters
 * may differ. Case and the difference between `-`, `_`, `.` and blanks count for nothing.
 */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  const wanted = folded(name);
  if (wanted.length > LONGEST) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const other = folded(candidate);
    const most = Math.floor(Math.max(wanted.length, other.length) / 3);
    if (other.length > LONGEST || Math.abs(wanted.length - other.length) > most) continue;
    const steps = distance(wanted, other);
    if (steps <= most && steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

const folded = (name: string): string =>
  name
    .slice(0, LONGEST + 1)
    .toLowerCase()
    .replace(/[-_.\s]/g, '_');

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function distance(a: string, b: string): number {
  let [twoAbove, above]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const differs = a[row - 1] === b[column - 1] ? 0 : 1;
      // In row or column 1 one side is undefined, which equals no letter.
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          above[column]! + 1,
          current[column - 1]! + 1,
          above[column - 1]! + differs,
          swapped ? twoAbove[column - 2]! + 1 : Infinity,
        ),
      );
    }
    [twoAbove, above] = [above, current];
  }
  return above[b.length]!;
}

/** `; did you mean "x"?` for the end of an issue; empty where no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates);
  return near === null ? '' : `; did you mean "${near}"?`;
}
