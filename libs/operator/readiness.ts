/** What `/readyz` answers when the instance is ready. Positions are decimal text. */
export interface Readiness {
  status: 'ready';
  /** Null while the log does not answer. */
  logPosition: string | null;
  /** Up to where all read models are. */
  readPosition: string;
  /** Age of the oldest event that is not in all read models yet, in s; 0 where all are in, null while the log does not answer. */
  lagSeconds: number | null;
  /** Up to where this instance knows sites and keys, and the catalogue. */
  keysPosition: string;
  cataloguePosition: string;
}
