import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refused, type Issue } from '../../kernel/index.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { prefersProblem } from '../accept.js';
import { errorEntry } from './error-catalogue.js';
import { refused } from './refused.js';
import { newRequestId } from '../request-id.js';
import { methodsOf, undecodableNames, type Route } from '../routes.js';
import { isErrorCode, statusOf, type ErrorCode } from './status.js';

export { errorCatalogue, errorEntry, type ErrorEntry } from './error-catalogue.js';
export { invalid, refused } from './refused.js';

/** The body of every error. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  hint: string;
  issues: Issue[];
  requestId: string;
  docUrl: string;
}

/** The logger for causes of a 500, which the caller never sees. A pino logger fits. */
export interface ErrorLog {
  error(details: object, message: string): void;
}

/** The error as a page, where a person opened one; null: answer JSON. */
export type ErrorPage = (
  req: IncomingMessage & { originalUrl?: string },
  code: ErrorCode,
  body: ErrorBody,
) => { html: string; headers: Readonly<Record<string, string | number>> } | null;

export interface ErrorFilterOptions {
  /** Base of `docUrl`, without a slash at its end. */
  publicUrl: string;
  /** Every route of this process; asked at each 404, so that it may fill later. */
  routes: () => readonly Route[];
  log: ErrorLog;
  /** Default: every error is answered as JSON. */
  page?: ErrorPage;
}

/** `Retry-After` where an operator has to act first, in seconds. */
const RETRY_ACCEPTED_S = 30;

const BUILT_IN_CODES: Record<number, ErrorCode> = {
  413: 'body_too_large',
  415: 'unsupported_media_type',
  406: 'not_acceptable',
};

/** Turns anything that was thrown into the one error shape. The only place where an error becomes HTTP. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly options: ErrorFilterOptions) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const req = http.getRequest<IncomingMessage & { originalUrl?: string }>();
    const res = http.getResponse<ServerResponse>();
    const answer = this.refusedBy(error, req);
    if (res.headersSent) return void res.destroy();
    this.send(answer, req, res);
  }

  private refusedBy(error: unknown, req: IncomingMessage & { originalUrl?: string }): Refused {
    if (error instanceof Refused) {
      if (isErrorCode(error.refusal.code)) return error;
      return this.unexpected(new Error(`refusal code without a status: ${error.refusal.code}`), req);
    }
    if (
      error instanceof DependencyUnavailable ||
      nameOf(error) === 'LogUnavailable' ||
      nameOf(error) === 'DependencyUnavailable'
    )
      return this.unavailable(error as Error, req);
    if (nameOf(error) === 'LogNotAccepted')
      return refused('log_not_accepted', undefined, [], { 'Retry-After': String(RETRY_ACCEPTED_S) });
    // The stream holds an event of a newer release: this one must not decide without knowing what happened.
    if (nameOf(error) === 'UnknownEvent') return this.unknown(error as Error, req);
    if (nameOf(error) === 'IncompleteStream') return this.incomplete(error as Error, req);
    if (isUriError(error)) return this.undecodable(req);
    if (error instanceof HttpException) return this.builtIn(error, req);
    return this.unexpected(error, req);
  }

  /** Errors that Nest and Express throw by themselves, mostly for a path or method without a handler. */
  private builtIn(error: HttpException, req: IncomingMessage & { originalUrl?: string }): Refused {
    const status = error.getStatus();
    if (status === 404) {
      const path = (req.originalUrl ?? req.url ?? '/').split('?', 1)[0]!;
      const methods = methodsOf(this.options.routes(), path);
      if (methods.length === 0 || methods.includes(req.method ?? 'GET')) return refused('route_not_found');
      return refused('method_not_allowed', `Use ${methods.join(' or ')}.`, [], { Allow: methods.join(', ') });
    }
    if (BUILT_IN_CODES[status]) return refused(BUILT_IN_CODES[status]);
    if (status === 400) return refused('malformed_json');
    return this.unexpected(error, req);
  }

  /** A segment that is no percent-encoded UTF-8 names nothing. For a reference the refusal says how to write it. */
  private undecodable(req: IncomingMessage & { originalUrl?: string }): Refused {
    const path = (req.originalUrl ?? req.url ?? '/').split('?', 1)[0]!;
    return undecodableNames(this.options.routes(), path).includes('ref')
      ? refused(
          'subject_ref_invalid',
          'The path holds a percent sign that does not begin an encoded byte of UTF-8; encode the reference with encodeURIComponent.',
        )
      : refused('route_not_found');
  }

  private unavailable(error: Error, req: IncomingMessage): Refused {
    const cause = error.cause instanceof Error ? error.cause : undefined;
    this.options.log.error(
      { requestId: req.requestId, error: error.name, message: error.message, cause: cause?.message },
      'dependency unavailable',
    );
    const which = error instanceof DependencyUnavailable ? `The ${error.dependency} did not answer. ` : '';
    return refused('dependency_unavailable', `${which}${errorEntry('dependency_unavailable').fix}`, [], {
      'Retry-After': '1',
    });
  }

  private unknown(error: Error, req: IncomingMessage): Refused {
    this.options.log.error({ requestId: req.requestId, error: error.name, message: error.message }, 'event not known');
    return refused(
      'dependency_unavailable',
      'A newer release has written here what this one cannot read. Send the request to a newer instance, or repeat it when the upgrade is finished.',
      [],
      { 'Retry-After': '5' },
    );
  }

  private incomplete(error: Error, req: IncomingMessage): Refused {
    this.options.log.error({ requestId: req.requestId, error: error.name, message: error.message }, 'events are gone');
    return refused('log_incomplete', undefined, [], { 'Retry-After': String(RETRY_ACCEPTED_S) });
  }

  private unexpected(error: unknown, req: IncomingMessage): Refused {
    const seen = error instanceof Error ? error : new Error(`thrown: ${typeof error}`);
    this.options.log.error({ requestId: req.requestId, error: seen.name, stack: seen.stack }, 'unexpected error');
    return refused('internal_error');
  }

  private send({ refusal, headers }: Refused, req: IncomingMessage, res: ServerResponse): void {
    const code = refusal.code as ErrorCode;
    const status = statusOf(code);
    const id = req.requestId ?? newRequestId();
    const docUrl = `${this.options.publicUrl}/docs/errors/${code}`;
    const body: ErrorBody = {
      code,
      message: refusal.message,
      hint: refusal.hint,
      issues: refusal.issues,
      requestId: id,
      docUrl,
    };
    const page = this.options.page?.(req, code, body);
    const problem = prefersProblem(req.headers.accept);
    const text =
      page?.html ??
      JSON.stringify(
        problem ? { ...body, type: docUrl, title: errorEntry(code).title, status, detail: refusal.message } : body,
      );
    res.statusCode = status;
    // Headers that the handler set for its own answer must not describe the error.
    for (const stale of [
      'ETag',
      'Last-Modified',
      'Content-Encoding',
      'Content-Disposition',
      'Content-Language',
      'Link',
    ])
      res.removeHeader(stale);
    res.setHeader('X-Request-Id', id);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader(
      'Content-Type',
      problem ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8',
    );
    res.setHeader('Content-Length', Buffer.byteLength(text));
    if (status === 401)
      res.setHeader(
        'WWW-Authenticate',
        code === 'api_key_missing' ? 'Bearer realm="assent"' : 'Bearer realm="assent", error="invalid_token"',
      );
    if (refusal.retryAfterSeconds !== undefined) res.setHeader('Retry-After', refusal.retryAfterSeconds);
    for (const [name, value] of Object.entries({ ...page?.headers, ...headers })) res.setHeader(name, value);
    res.end(req.method === 'HEAD' ? undefined : text);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Express throws it, Nest may wrap it, where a path parameter cannot be percent-decoded. */
const isUriError = (error: unknown): boolean =>
  error instanceof URIError || (error instanceof HttpException && error.cause instanceof URIError);
