import type { Instant, Refusal, Scope } from '../../kernel/index.js';
import type { Presentation } from './presentation.js';

/** Injection token of the Presentations. */
export const PRESENTATIONS = Symbol('Presentations');

/** States what is shown, and reads such statements. */
export interface Presentations {
  /** The same text for the same content, on every instance; null where it is too large to be stated. */
  tokenOf(scope: Scope, presentation: Presentation): Promise<string | null>;
  /** What a token says was shown for a choice that was made at a moment; or why it does not count. */
  read(scope: Scope, token: string, chosenAt: Instant): Promise<Presentation | Refusal>;
}
