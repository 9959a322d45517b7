/** One offending place in the input. `path` is dotted, arrays by index: `records[3].purpose`. */
export interface Issue {
  path: string;
  message: string;
}

/**
 * A "no" that the caller can act on. It is a value, never thrown by a decision; the HTTP layer alone
 * knows which status its code has. Neither text may repeat a personal value.
 */
export interface Refusal {
  refused: true;
  code: string;
  message: string;
  /** How to fix it, concretely. */
  hint: string;
  issues: Issue[];
  /** Seconds after which the same request can be allowed; absent where time alone changes nothing. */
  retryAfterSeconds?: number;
}

export function refusal(code: string, message: string, hint: string, issues: Issue[] = []): Refusal {
  return { refused: true, code, message, hint, issues };
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && (value as Refusal).refused === true;

/** Carries a refusal through layers that can only throw (guards, pipes, command bus). */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    /** Extra response headers, e.g. `Retry-After`. */
    readonly headers: Record<string, string> = {},
  ) {
    super(refusal.message);
    this.name = 'Refused';
  }
}
