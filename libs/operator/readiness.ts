/** What `/readyz` answers when the instance is ready. Positions are decimal text. */
export interface Readiness {
  status: 'ready';
  logPosition: string;
  /** Up to where all read models are. */
  readPosition: string;
  /** Up to where this instance knows sites and keys, and the catalogue. */
  keysPosition: string;
  cataloguePosition: string;
}
