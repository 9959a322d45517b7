import type { Position, ReadProgress, Instant } from '../../kernel/index.js';
import type { SubjectTag, TagCache } from '../../engines/cache/tag-cache.js';
import { ifNoneMatchHits } from './conditional.js';

/** How long a read waits for the projector to reach the caller's own write before it folds the stream instead. */
const OWN_WRITE_WAIT_MS = 50;

/** All of a state that its ETag can depend on. */
export type Tagged = Pick<SubjectTag, 'revision' | 'turningPoints'> & { subjectId: string | null };

/** One reading of the state of a subject, by whoever may have it already. */
export interface Reading<S> {
  subjectId: string | null;
  /** Only the stream will do. */
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
 * Nothing is read where the caller's tag is known to hold; else the row, where that is far enough; else the stream.
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
  // Whoever names no write of their own waits for nothing here.
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
  progress.position() >= after || progress.reached(after, OWN_WRITE_WAIT_MS);

/** How many of the moments at which the clock alone changes an answer have passed. */
export function passedBy(points: readonly Instant[], at: Instant): number {
  let passed = 0;
  while (passed < points.length && points[passed]! <= at) passed++;
  return passed;
}
