import type { Scope } from '../kernel/index.js';

/** Injection token of the Subjects. */
export const SUBJECTS = Symbol('Subjects');

export interface Settled {
  /** The subject that speaks for the one that was asked for. */
  subjectId: string;
  /** Gone: whoever came by a reference starts a new subject, whoever came by the id is told. */
  erased: boolean;
}

/** What other contexts need of subjects when they meet one that is closed. */
export interface Subjects {
  /**
   * Where to go on from a subject that was merged or erased. Completes whatever was left unfinished on the way: a state
   * that did not arrive at the survivor yet, a merge that gave way to another, keys not yet destroyed.
   */
  settle(scope: Scope, subjectId: string): Promise<Settled>;
}
