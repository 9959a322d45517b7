import type { Projection } from '../following/projections/projection.js';
import type { DomainEvent } from '../kernel/index.js';
import type { SubjectTag } from '../engines/cache/tag-cache.js';

/** A projection, with what the readers of its rows need. */
export interface ReadModel<State = unknown> {
  projection: Projection<State, DomainEvent>;
  /** Injection token of the ReadProgress: how far its rows have come. Absent: no request waits for its rows. */
  progress?: symbol;
  /** Whether readers need columns of this version, so that rows of another version do not count. */
  exactVersion?: true;
  /** ETags of answers from its rows; absent: none. */
  tags?: {
    /** Injection token of the TagCache. */
    token: symbol;
    /** Before the subject id in the cache that all read models share. */
    prefix: string;
    /** Version of the view that turns rows into answers: tags of another version are not believed. */
    viewVersion: number;
    /** Makes the tag of a subject's row. */
    of: (state: State) => RowTag;
  };
}

export interface RowTag extends Pick<SubjectTag, 'revision' | 'turningPoints'> {
  /** The subject was merged into another one, or erased: callers that ask for it get the other's answer. */
  isClosed: boolean;
}

/** A read model with its own types forgotten, as lists of read models hold it. */
export const defineReadModel = <State, E extends DomainEvent>(
  model: Omit<ReadModel<State>, 'projection'> & { projection: Projection<State, E> },
): ReadModel => model as unknown as ReadModel;
