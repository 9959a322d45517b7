import type { StreamFold } from '../event-log/stream-fold.js';
import { keepSealed, subjectOfStream, type DomainEvent, type Fold } from '../kernel/index.js';
import { subjectRefusals } from './refusals.js';

/** How a context folds the streams of subjects. */
export interface SubjectFold<S, E extends DomainEvent> extends Fold<S, E> {
  on: readonly E['type'][];
  /** Whether the state names personal values: it then holds each as a SealedValue, else as forgotten. */
  keepsSealed?: boolean;
}

/** What a Stream needs to know to fold subjects that way. */
export const subjectStreamFold = <S, E extends DomainEvent>({
  keepsSealed,
  ...fold
}: SubjectFold<S, E>): StreamFold<S, E> => ({
  ...fold,
  ...(keepsSealed && { sealed: (stream: string) => keepSealed(subjectOfStream(stream)!.subjectId) }),
  contended: subjectRefusals.contended,
});
