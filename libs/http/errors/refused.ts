import { refusal, Refused, type Issue } from '../../kernel/index.js';
import { errorEntry } from './error-catalogue.js';
import type { ErrorCode } from './status.js';

/** A refusal with the message of the catalogue; the hint too, unless a more concrete one is known. */
export function refused(
  code: ErrorCode,
  hint?: string,
  issues: Issue[] = [],
  headers: Record<string, string> = {},
): Refused {
  const entry = errorEntry(code);
  return new Refused(refusal(code, entry.title, hint ?? entry.fix, issues), headers);
}

/** `validation_failed` at these places. */
export const invalid = (issues: Issue[], hint?: string): Refused => refused('validation_failed', hint, issues);
