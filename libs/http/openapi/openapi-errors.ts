import type { JsonSchema } from '../contract/declared.js';
import { errorCatalogue, errorEntry, type ErrorEntry } from '../errors/error-catalogue.js';
import { aboutSubject, type DocumentedOperation } from '../contract/operation.js';
import { LOG_POSITION_HEADER } from '../position.js';
import { isErrorCode, statusOf, type ErrorCode } from '../errors/status.js';

/** Every code that an operation can answer, by its access rules, its shape and its own list. In order of status. */
export function codesOf(operation: DocumentedOperation): ErrorEntry[] {
  const codes = new Set<ErrorCode>([
    'internal_error',
    'dependency_unavailable',
    'log_not_accepted',
    'log_incomplete',
    'not_acceptable',
  ]);
  const add = (when: boolean, ...more: ErrorCode[]): void => void (when && more.forEach((code) => codes.add(code)));
  const has = (key: DocumentedOperation['keys'][number]): boolean => operation.keys.includes(key);
  const keyed = !has('none');

  add(operation.limited !== false, 'rate_limited');
  add(keyed, 'api_key_missing', 'api_key_invalid', 'api_key_expired');
  add(has('sk'), 'secret_key_required');
  add(has('pk') && !has('sk'), 'public_key_required');
  add(has('pk') || has('sk'), 'origin_not_allowed');
  add(has('pk'), 'identity_token_invalid', 'identity_token_expired');
  add(operation.scope !== null, 'scope_missing');
  add(has('operator'), 'role_missing');
  add(aboutSubject(operation), 'subject_ref_invalid', 'identifier_kind_unknown');
  add(aboutSubject(operation) && has('pk'), 'identity_token_required', 'identity_token_subject_mismatch');
  add(
    operation.body !== undefined,
    'malformed_json',
    operation.tooLarge ?? 'body_too_large',
    'unsupported_media_type',
    'validation_failed',
  );
  // A segment that is no percent-encoded UTF-8 names nothing.
  add(/\{(?!ref\})/.test(operation.path), 'route_not_found');
  add(operation.query !== undefined && !operation.page, 'validation_failed');
  add(
    (operation.headers ?? []).some((header) => header.name === 'Idempotency-Key'),
    'idempotency_key_invalid',
    'idempotency_in_progress',
    'idempotency_key_reused',
  );
  // Every read of a position refuses what is none.
  add(
    (operation.headers ?? []).some((header) => header.name === LOG_POSITION_HEADER),
    'validation_failed',
  );
  for (const code of operation.refusals) {
    if (!isErrorCode(code)) throw new Error(`${operation.id} names the refusal ${code}, which has no status`);
    codes.add(code);
  }
  return errorCatalogue.filter((entry) => codes.has(entry.code)).sort((a, b) => a.status - b.status);
}

const EXTRA_HEADERS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The error answers of all operations, and how one operation refers to its own. */
export interface PublishedErrors {
  responses: Record<string, JsonSchema>;
  /** A body for each code that an operation answers. */
  examples: Record<string, JsonSchema>;
  /** One for each status. */
  of(operation: DocumentedOperation): Record<string, JsonSchema>;
}

/**
 * Operations share their error answers: repeated in each operation they were more than half of the document. An answer is
 * named after its codes, so that its name does not depend on the operations.
 */
export function publishedErrors(operations: readonly DocumentedOperation[], publicUrl: string): PublishedErrors {
  const all = operations.flatMap(answersOf);
  const codes = new Set(all.flatMap(({ entries }) => entries.map(({ code }) => code)));
  return {
    responses: Object.fromEntries(all.map((answer) => [nameOf(answer), response(answer)])),
    examples: Object.fromEntries([...codes].map((code) => [code, example(code, publicUrl)])),
    of: (operation) =>
      Object.fromEntries(
        answersOf(operation).map((answer) => [
          String(answer.status),
          { $ref: `#/components/responses/${nameOf(answer)}` },
        ]),
      ),
  };
}

/** What an operation answers under one status. */
interface ErrorAnswers {
  status: number;
  entries: ErrorEntry[];
  as: 'json' | 'page' | 'json_or_page';
}

function answersOf(operation: DocumentedOperation): ErrorAnswers[] {
  const as = operation.page ? 'page' : operation.byLink || operation.alsoPage ? 'json_or_page' : 'json';
  const byStatus = new Map<number, ErrorEntry[]>();
  for (const entry of codesOf(operation)) byStatus.set(entry.status, [...(byStatus.get(entry.status) ?? []), entry]);
  return [...byStatus].map(([status, entries]) => ({ status, entries, as }));
}

const nameOf = ({ entries, as }: ErrorAnswers): string =>
  [...entries.map(({ code }) => code), ...(as === 'json' ? [] : [as])].join('.');

function response({ status, entries, as }: ErrorAnswers): JsonSchema {
  const codes = entries.map(({ code }) => code);
  const headers = [
    'X-Request-Id',
    'Cache-Control',
    ...(EXTRA_HEADERS[status] ?? []),
    ...(status === 429 ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(as === 'json' ? [] : ['Content-Language']),
  ];
  // One schema for all: of one for each list of codes, generators make hundreds of classes. The list stands in the
  // description and in the names of the examples.
  const body = (shape: string): JsonSchema => ({ $ref: `#/components/schemas/${shape}` });
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return {
    description: entries.map(({ code, title }) => `\`${code}\`: ${title}`).join('\n\n'),
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      ...(as !== 'page' && {
        'application/json': { schema: body('ErrorAnswer'), examples },
        'application/problem+json': { schema: body('ErrorProblem') },
      }),
      ...(as !== 'json' && { 'text/html': {} }),
    },
  };
}

function example(code: ErrorCode, publicUrl: string): JsonSchema {
  const { title, fix } = errorEntry(code);
  const issues = code === 'validation_failed' ? [{ path: 'decision', message: 'must be one of GRANTED, DENIED' }] : [];
  return {
    summary: `${statusOf(code)} ${code}`,
    value: {
      code,
      message: title,
      hint: fix,
      issues,
      requestId: 'req_01KAJ5W7QF2M3N4P5R6S7T8V9W',
      docUrl: `${publicUrl}/docs/errors/${code}`,
    },
  };
}
