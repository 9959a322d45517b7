/** A fault of one field, as the service names it. */
export interface Issue {
  /** Such as `corrections[0].value`; the name of a header or a query parameter. */
  readonly path: string;
  readonly message: string;
}

/** Why a call did not do what it should. */
export class Problem extends Error {
  private constructor(
    readonly kind: 'refused' | 'forbidden' | 'missing' | 'offline' | 'broken',
    /** Code of the error catalogue; null where the service did not answer. */
    readonly code: string | null,
    /** What the service says of it and how to mend it; null where it did not answer. */
    readonly detail: string | null,
    readonly issues: readonly Issue[],
    /** The whole answer, for refusals that say more, such as the conflicts of a merge. */
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(detail ?? kind);
  }

  static offline(): Problem {
    return new Problem('offline', null, null, [], {});
  }

  static of(status: number, error: unknown): Problem {
    const body = (typeof error === 'object' && error !== null ? error : {}) as {
      code?: string;
      message?: string;
      hint?: string;
      issues?: Issue[];
    };
    const kind = status === 403 ? 'forbidden' : status === 404 ? 'missing' : status >= 500 ? 'broken' : 'refused';
    return new Problem(
      kind,
      body.code ?? null,
      [body.message, body.hint].filter(Boolean).join(' ') || null,
      body.issues ?? [],
      body as Record<string, unknown>,
    );
  }

  /** What a thrown value is. A fault of the console itself goes on. */
  static from(thrown: unknown): Problem {
    if (thrown instanceof Problem) return thrown;
    throw thrown;
  }
}
