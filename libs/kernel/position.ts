/**
 * A place in the whole log, growing in commit order. Opaque to users (decimal text in `X-Log-Position`).
 * Postgres: dense from 0. EventStoreDB: the commit position.
 */
export type Position = bigint;

/** Before the first event: `after: BEGINNING` reads everything. */
export const BEGINNING: Position = -1n;

/** The place in a history after which reading goes on, backwards. */
export interface HistoryPlace {
  /** Of the last event that was looked at. */
  position: Position;
  /** The subject on whose stream the last event stands that stands on one of a subject; empty: none did yet. */
  subjectId: string;
  /** Of that event. */
  revision: number;
}

/** How far the read models of this process have come. */
export interface ReadProgress {
  position(): Position;
  reached(position: Position, ms: number): Promise<boolean>;
}
