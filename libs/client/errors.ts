/** A problem at one place of what was sent. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** An error as the service answers it. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  /** How to fix it. */
  readonly hint?: string;
  readonly issues?: readonly Issue[];
  readonly requestId?: string;
  readonly docUrl?: string;
}

/**
 * The base of all errors of this package. `message` holds code, message and hint, so that an uncaught one says how to
 * fix it.
 */
export class AssentError extends Error {
  /** In lower snake case. Codes of the service stand in its documentation; those of the client in the README. */
  readonly code: string;
  readonly hint: string;
  readonly issues: readonly Issue[];
  /** Names the request in the logs of the service; null if no service answered. */
  readonly requestId: string | null;
  /** Page that explains the code; null if no service answered. */
  readonly docUrl: string | null;
  /** HTTP status; 0 if no service answered. */
  readonly status: number;
  /** How long the service asks to wait before the next try; 0 if it does not say. */
  readonly retryAfterMs: number;

  constructor(problem: Problem, status = 0, retryAfterMs = 0) {
    const { code, message, hint = '', issues = [], requestId = null, docUrl = null } = problem;
    super(`${code}: ${message} ${hint}`.trim());
    this.name = 'AssentError';
    this.code = code;
    this.hint = hint;
    this.issues = issues;
    this.requestId = requestId;
    this.docUrl = docUrl;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The call itself is wrong and nothing was sent: a secret key in a browser, or a public key where a secret one is
 * needed.
 */
export class UsageError extends AssentError {}
/** 400, 405, 406, 413, 415, 422: the request is wrong; `issues` name the places. */
export class InvalidRequestError extends AssentError {}
/** 401: the key or the identity token is missing, wrong or expired. */
export class AuthenticationError extends AssentError {}
/**
 * 403: not with this key, from this origin, or about this subject. `origin_not_allowed` has the status 0 if the browser
 * kept the answer from the page.
 */
export class PermissionError extends AssentError {}
/** 404 and 410: what the request names does not exist, or no longer exists. */
export class NotFoundError extends AssentError {}
/** 409: the request contradicts the present state. */
export class ConflictError extends AssentError {}
/** 429, after all tries. */
export class RateLimitError extends AssentError {}
/** 500 and above, after all tries. */
export class ServiceError extends AssentError {}
/**
 * No answer came within the tries and the time: `no_connection` or `timed_out`; for a queued write `queued`. `cause`
 * says more.
 */
export class ConnectionError extends AssentError {}

type ErrorClass = new (problem: Problem, status: number, retryAfterMs: number) => AssentError;
const BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError,
};

/** The error of an answer, by its status. An answer of a proxy in between has no code of the service. */
export function errorOf(status: number, body: unknown, retryAfterMs: number): AssentError {
  const Class = BY_STATUS[status] ?? (status < 500 ? InvalidRequestError : ServiceError);
  const isOurs = typeof (body as Problem | null)?.code === 'string';
  const problem = isOurs ? (body as Problem) : { code: `http_${status}`, message: 'The answer is not of the service.' };
  return new Class(problem, status, retryAfterMs);
}
