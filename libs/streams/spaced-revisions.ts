/**
 * Which of a stream's snapshots to give up so that at most `most` are left: those whose going leaves the smallest gap
 * for its age. What is left stands the further apart the older it is, so that no moment of the past is far from one.
 * `revisions`: newest first.
 */
export function surplus(revisions: readonly number[], most: number): number[] {
  const [newest] = revisions;
  const left = [...revisions];
  const given: number[] = [];
  while (left.length > most) {
    let [least, place] = [Infinity, -1];
    // The newest is never given up.
    for (let i = 1; i < left.length; i++) {
      const older = left[i + 1] ?? 0;
      const gap = (left[i - 1]! - older) / (newest! - older + 1);
      if (gap < least) [least, place] = [gap, i];
    }
    given.push(...left.splice(place, 1));
  }
  return given;
}
