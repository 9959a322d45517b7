import type { Instant, Refusal, Scope } from '../../kernel/index.js';
import type { Presentation } from './presentation.js';

/** Injection token of the Presentations. */
export const PRESENTATIONS = Symbol('Presentations');

/** Signs presentations, and verifies them. */
export interface Presentations {
  /** The same text for the same content, in every process; null if the presentation is too large for a token. */
  tokenOf(scope: Scope, presentation: Presentation): Promise<string | null>;
  /** The presentation that a token proves for a choice made at `chosenAt`, or a refusal. */
  read(scope: Scope, token: string, chosenAt: Instant): Promise<Presentation | Refusal>;
}
