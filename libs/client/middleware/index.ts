import type { Connection } from '../sending/connection.js';
import { getConsentState } from '../consent.js';
import { NotFoundError } from '../errors.js';
import { requireSecretKey } from '../secret-key.js';
import type { CatalogueNames, PurposeKey } from '../types.js';

export interface ConsentRequirement<Request, N = CatalogueNames> {
  /** The purpose, or several, of which each has to be allowed. */
  purpose: PurposeKey<N> | readonly PurposeKey<N>[];
  /** The person of a request, `<kind>:<value>`, such as `user_id:42` of your session; null or undefined: none. */
  subject: (request: Request) => SubjectOfRequest | Promise<SubjectOfRequest>;
  /** Where the person is: ISO 3166 country, and region below it. Default: the place that the service knows. */
  place?: (request: Request) => { country?: string; region?: string };
  /** Called with each failure to ask the service. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

type SubjectOfRequest = string | null | undefined;

/** The body of the answer to a request that does not go on. */
export interface ConsentRefusal {
  /** `consent_required`: 403. `consent_unknown`: 503, the service could not be asked. */
  readonly code: 'consent_required' | 'consent_unknown';
  /** A sentence for developers. */
  readonly message: string;
  /** The first purpose that is not allowed; null if that is not known. */
  readonly purpose: string | null;
  /**
   * Why: the `effectiveReason` of the service, such as `EXPLICIT`, `NEVER_ASKED` or `SIGNAL_GPC`; `NO_SUBJECT` where the
   * request names no person. Null with `consent_unknown`.
   */
  readonly reason: string | null;
}

/** What the handlers below use of Express, or of another server that has the same. */
export interface ExpressAnswer {
  status(code: number): { json(body: unknown): unknown };
}
/** What they use of Fastify. */
export interface FastifyAnswer {
  code(code: number): { send(body: unknown): unknown };
}
/** What they use of Nest. */
export interface NestContext {
  switchToHttp(): { getRequest<T>(): T };
}

/**
 * A handler for Express that lets a request pass only if its person allows the purpose. Otherwise it answers 403 with a
 * ConsentRefusal, and 503 if the service does not say: nothing passes in doubt. Answers of the service are kept as those
 * of the client are, and asked for again by ETag. Throws a UsageError for a public key, a TypeError without a purpose.
 */
export function requireConsent<Request, N = CatalogueNames>(
  connection: Connection,
  requirement: ConsentRequirement<Request, N>,
): (request: Request, response: ExpressAnswer, next: () => void) => Promise<void> {
  const refusalOf = judge(connection, requirement);
  return async (request, response, next) => {
    const refusal = await refusalOf(request);
    if (refusal) response.status(statusOf(refusal)).json(refusal);
    else next();
  };
}

/** The same as a hook of Fastify (`preHandler`). */
export function requireConsentHook<Request, N = CatalogueNames>(
  connection: Connection,
  requirement: ConsentRequirement<Request, N>,
): (request: Request, reply: FastifyAnswer) => Promise<unknown> {
  const refusalOf = judge(connection, requirement);
  return async (request, reply) => {
    const refusal = await refusalOf(request);
    // An answer that is returned ends the request.
    return refusal ? reply.code(statusOf(refusal)).send(refusal) : undefined;
  };
}

/**
 * The same as a guard of Nest. It throws an HttpException with the refusal as its body: pass the class of
 * `@nestjs/common`, since this package depends on nothing.
 */
export function requireConsentGuard<Request, N = CatalogueNames>(
  connection: Connection,
  requirement: ConsentRequirement<Request, N>,
  HttpException: new (body: Record<string, unknown>, status: number) => Error,
): { canActivate(context: NestContext): Promise<boolean> } {
  const refusalOf = judge(connection, requirement);
  return {
    canActivate: async (context) => {
      const refusal = await refusalOf(context.switchToHttp().getRequest<Request>());
      if (refusal) throw new HttpException({ ...refusal }, statusOf(refusal));
      return true;
    },
  };
}

const statusOf = ({ code }: ConsentRefusal): number => (code === 'consent_required' ? 403 : 503);

/** A function that says why a request may not go on; null: it may. It never rejects. */
function judge<Request, N>(
  connection: Connection,
  { purpose, subject, place, onError = console.error }: ConsentRequirement<Request, N>,
): (request: Request) => Promise<ConsentRefusal | null> {
  requireSecretKey(connection);
  const purposes = [purpose].flat() as PurposeKey<N>[];
  if (purposes.length === 0) throw new TypeError('purpose must name at least one purpose');
  return async (request) => {
    try {
      const reference = await subject(request);
      if (!reference) return required(purposes[0]!, 'NO_SUBJECT');
      const state = await getConsentState<N>(connection, reference, { purpose: purposes, ...place?.(request) });
      const refused = purposes.find((key) => state.purposes[key]?.effective !== 'ALLOWED');
      return refused === undefined
        ? null
        : required(refused, state.purposes[refused]?.effectiveReason ?? 'NEVER_ASKED');
    } catch (error) {
      // The service knows no such person, or not any more.
      if (error instanceof NotFoundError && /^subject_/.test(error.code))
        return required(purposes[0]!, error.status === 410 ? 'ERASED' : 'NEVER_ASKED');
      onError(error);
      return {
        code: 'consent_unknown',
        message: 'Whether it is allowed cannot be asked now.',
        purpose: null,
        reason: null,
      };
    }
  };
}

const required = (purpose: string, reason: string): ConsentRefusal => ({
  code: 'consent_required',
  message: `The person does not allow ${purpose}.`,
  purpose,
  reason,
});
