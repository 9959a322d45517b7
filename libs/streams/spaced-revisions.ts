/**
 * The snapshots of a stream to delete so that at most `most` are left: those that leave the smallest gaps for their age.
 * The others stand the further apart the older they are, so that every moment of the past is near one. `revisions`: newest
 * first.
 */
export function surplus(revisions: readonly number[], most: number): number[] {
  const [newest] = revisions;
  const left = [...revisions];
  const given: number[] = [];
  while (left.length > most) {
    let [least, place] = [Infinity, -1];
    // The newest always stays.
    for (let i = 1; i < left.length; i++) {
      const older = left[i + 1] ?? 0;
      const gap = (left[i - 1]! - older) / (newest! - older + 1);
      if (gap < least) [least, place] = [gap, i];
    }
    given.push(...left.splice(place, 1));
  }
  return given;
}
