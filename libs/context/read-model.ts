import type { Projection } from '../following/projections/projection.js';
import type { DomainEvent } from '../kernel/index.js';
import type { SubjectTag } from '../engines/cache/tag-cache.js';

/** A projection, and how those who read its rows for a caller are served. */
export interface ReadModel<State = unknown> {
  projection: Projection<State, DomainEvent>;
  /** Injection token of the ReadProgress: how far its rows have come. Absent: no request waits for its rows. */
  progress?: symbol;
  /** Whether rows of another version do not count as read, because what is read needs columns of this one. */
  exactVersion?: true;
  /** The ETags of what is read from its rows; absent: there are none. */
  tags?: {
    /** Injection token of the TagCache. */
    token: symbol;
    /** Before the subject id in the cache that all read models share. */
    prefix: string;
    /** Version of the view that turns rows into answers: tags of another version are not believed. */
    viewVersion: number;
    /** What a subject's row says of its tag. */
    of: (state: State) => RowTag;
  };
}

export interface RowTag extends Pick<SubjectTag, 'revision' | 'turningPoints'> {
  /** Merged into another subject, or erased: whoever asks for it is answered by another one. */
  isClosed: boolean;
}

/** A read model with its own types forgotten, as lists of read models hold it. */
export const defineReadModel = <State, E extends DomainEvent>(
  model: Omit<ReadModel<State>, 'projection'> & { projection: Projection<State, E> },
): ReadModel => model as unknown as ReadModel;
