import type { Refusal, Scope } from '../../../kernel/index.js';
import type { RequestEffect } from '../../events.js';
import type { DataRequest } from '../../state.js';

/** A request that is being completed, its texts in clear. */
export interface Completing {
  scope: Scope;
  request: DataRequest;
  /** Who began to complete it. */
  actor: string;
}

/** Id of the key or the operator that decisions taken for a request name: an actor without its kind. */
export const keyIdOf = (actor: string): string => actor.replace(/^operator:/, '');

/** What is, and what would take its place; null: nothing. */
export interface PlannedCorrection {
  kind: string;
  /** Of preferences. */
  field: string | null;
  before: string | null;
  after: string | null;
}

/** What completing would do, for an operator who asks before. */
export interface PlannedEffect {
  kind: RequestEffect['kind'];
  /** DECISIONS: what would be recorded. */
  decisions?: readonly { purpose: string; decision: string }[];
  /** DECISIONS: whether all messages that the subject can be without would end. */
  globalOptOut?: boolean;
  /** RECTIFICATION: what would be put right. */
  corrections?: readonly PlannedCorrection[];
}

/** What completing a request of some types does. */
export interface Effect {
  /** What it would do now, or why it would be refused. */
  plan(completing: Completing): Promise<PlannedEffect | Refusal>;
  /** Does it at most once, however often it is called and whichever process died on the way. */
  carryOut(completing: Completing): Promise<RequestEffect | Refusal>;
}
