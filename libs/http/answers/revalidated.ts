import type { Position, ReadProgress, Instant } from '../../kernel/index.js';
import type { SubjectTag, TagCache } from '../../engines/cache/tag-cache.js';
import { ifNoneMatchHits } from './conditional.js';

/** The members of a state on which its ETag depends. */
export type Tagged = Pick<SubjectTag, 'revision' | 'turningPoints'> & { subjectId: string | null };

/** One read of the state of a subject. The caller may have the answer already. */
export interface Reading<S> {
  subjectId: string | null;
  /** Fold the stream, whatever the row says. */
  fresh: boolean;
  /** The caller's own last write. */
  after: Position | null;
  ifNoneMatch: string | undefined;
  etag: (state: Tagged) => string;
  turningPoints: (snapshot: S) => readonly Instant[];
  fold: () => Promise<S>;
  row: () => Promise<S>;
}

/**
 * Reads nothing where the caller's tag is known to hold; else the row, where it is new enough; else the stream.
 * `snapshot` is null where the caller has this answer already.
 */
export async function revalidated<S extends { subjectId: string | null; revision: number }>(
  tags: TagCache,
  progress: ReadProgress,
  reading: Reading<S>,
): Promise<{ etag: string; snapshot: S | null }> {
  const { subjectId, after, ifNoneMatch } = reading;
  const answer = (snapshot: S, turningPoints: readonly Instant[]): { etag: string; snapshot: S | null } => {
    const etag = reading.etag({ subjectId: snapshot.subjectId, revision: snapshot.revision, turningPoints });
    return { etag, snapshot: ifNoneMatchHits(ifNoneMatch, etag) ? null : snapshot };
  };
  // Does not wait for rows that do not hold the caller's own write yet: the fold is there sooner.
  if (reading.fresh || subjectId === null || (after !== null && !(await hasReached(progress, after)))) {
    const folded = await reading.fold();
    return answer(folded, reading.turningPoints(folded));
  }
  const found = tags.find(subjectId);
  const tag = found instanceof Promise ? await found : found;
  if (tag && tag.through >= (after ?? 0n)) {
    const etag = reading.etag({ subjectId, ...tag });
    if (ifNoneMatchHits(ifNoneMatch, etag)) return { etag, snapshot: null };
  }
  const through = progress.position();
  const snapshot = await reading.row();
  const turningPoints = reading.turningPoints(snapshot);
  if (snapshot.subjectId !== null)
    tags.raise(snapshot.subjectId, { revision: snapshot.revision, turningPoints, through });
  return answer(snapshot, turningPoints);
}

const hasReached = async (progress: ReadProgress, after: Position): Promise<boolean> =>
  progress.position() >= after || progress.reached(after, 0);

/** How many turning points, times at which the answer changes without an event, have passed. */
export function passedBy(points: readonly Instant[], at: Instant): number {
  let passed = 0;
  while (passed < points.length && points[passed]! <= at) passed++;
  return passed;
}
