import type { PartFold, SubjectPart } from '../context/subject-part.js';
import type { StreamFold } from '../streams/stream-fold.js';
import {
  BEGINNING_OF_TIME,
  END_OF_TIME,
  keepSealed,
  subjectOfStream,
  type DomainEvent,
  type Instant,
} from '../kernel/index.js';
import type { LifecycleEvent } from './events.js';
import { subjectRefusals } from './refusals.js';
import { standingOf, type Standed } from './standing.js';

/** How a context folds the streams of subjects. */
export interface SubjectFold<S, E extends DomainEvent> extends PartFold<S, E> {
  /** When what an event of its own says was given. Absent: the fold is never read as of a moment. */
  givenAt?: (event: Exclude<E, LifecycleEvent>) => Instant;
}

/** What a Stream needs to know to fold subjects that way. */
export const subjectStreamFold = <S extends Standed, E extends DomainEvent>({
  keepsSealed,
  snapshots,
  givenAt,
  ...fold
}: SubjectFold<S, E>): StreamFold<S, E> => ({
  ...fold,
  ...(keepsSealed && { sealed: (stream: string) => keepSealed(subjectOfStream(stream)!.subjectId) }),
  ...(snapshots && { snapshots: { ...snapshots, group: 'subject' } }),
  isOver: (state: S) => standingOf(state).erasedAt !== null,
  ...(givenAt && { givenAt: (event: E) => givenAtOf(event, givenAt as (event: DomainEvent) => Instant) }),
  contended: subjectRefusals.contended,
});

/** The same of a context's part, whose own types are forgotten. */
export const partStreamFold = ({ fold }: SubjectPart): StreamFold<unknown, DomainEvent> =>
  subjectStreamFold(fold as SubjectFold<Standed, DomainEvent>) as unknown as StreamFold<unknown, DomainEvent>;

/** What happens to a subject as a whole is folded whenever it happened; but what a merge brings is folded again as of the moment. */
function givenAtOf(event: DomainEvent, own: (event: DomainEvent) => Instant): Instant {
  const lifecycle = event as LifecycleEvent;
  switch (lifecycle.type) {
    case 'SubjectsMerged':
    case 'SubjectMergeReverted':
      return lifecycle.data.role === 'SURVIVOR' ? END_OF_TIME : BEGINNING_OF_TIME;
    case 'SubjectErased':
      return BEGINNING_OF_TIME;
    default:
      return own(event);
  }
}
