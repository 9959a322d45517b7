/**
 * A place in the whole log, growing in commit order. Opaque to users (decimal text in `X-Log-Position`).
 * Postgres: dense from 0. EventStoreDB: the commit position.
 */
export type Position = bigint;

/** Before the first event: `after: BEGINNING` reads everything. */
export const BEGINNING: Position = -1n;

/** The place in a history after which reading goes on, backwards. */
export interface HistoryPlace {
  position: Position;
  subjectId: string;
  revision: number;
}

/** How far the read models of this process have come. */
export interface ReadProgress {
  position(): Position;
  reached(position: Position, ms: number): Promise<boolean>;
}
