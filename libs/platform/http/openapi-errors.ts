import type { JsonSchema } from './declared.js';
import { errorCatalogue, errorEntry, type ErrorEntry } from './error-catalogue.js';
import { aboutSubject, type DocumentedOperation } from './operation.js';
import { isErrorCode, statusOf, type ErrorCode } from './status.js';

/** Every code an operation can answer: those its access rules and its shape bring along, and its own. In order of status. */
export function codesOf(operation: DocumentedOperation): ErrorEntry[] {
  const codes = new Set<ErrorCode>(['internal_error', 'dependency_unavailable', 'not_acceptable']);
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

/** The error answers of an operation, one per status, each naming its codes with an example of each. */
export function errorResponses(
  operation: DocumentedOperation,
  header: (name: string) => JsonSchema,
): Record<string, JsonSchema> {
  const byStatus = group(codesOf(operation));
  const hasPages = operation.page === true || operation.alsoPage === true || operation.byLink === true;
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => {
      const content = (schema: string): JsonSchema => ({
        schema: {
          allOf: [
            { $ref: `#/components/schemas/${schema}` },
            { properties: { code: { enum: entries.map((entry) => entry.code) } } },
          ],
        },
        ...(schema === 'ErrorAnswer'
          ? {
              examples: Object.fromEntries(
                entries.map((entry) => [entry.code, { $ref: `#/components/examples/${entry.code}` }]),
              ),
            }
          : {}),
      });
      const headers = [
        'X-Request-Id',
        ...(EXTRA_HEADERS[status] ?? []),
        ...(status === 429 ? ['RateLimit', 'RateLimit-Policy'] : []),
        ...(hasPages ? ['Content-Language'] : []),
      ];
      return [
        String(status),
        {
          description: entries.map((entry) => `\`${entry.code}\`: ${entry.title}`).join('\n\n'),
          headers: Object.fromEntries(headers.map((name) => [name, header(name)])),
          content: {
            ...(!operation.page && {
              'application/json': content('ErrorAnswer'),
              'application/problem+json': content('ErrorProblem'),
            }),
            ...(hasPages && { 'text/html': {} }),
          },
        },
      ];
    }),
  );
}

function group(entries: ErrorEntry[]): Map<number, ErrorEntry[]> {
  const byStatus = new Map<number, ErrorEntry[]>();
  for (const entry of entries) byStatus.set(entry.status, [...(byStatus.get(entry.status) ?? []), entry]);
  return byStatus;
}

/** An example body of every code. */
export const errorExamples = (publicUrl: string): Record<string, JsonSchema> =>
  Object.fromEntries(
    errorCatalogue.map(({ code }) => {
      const { title, fix } = errorEntry(code);
      const issues =
        code === 'validation_failed' ? [{ path: 'decision', message: 'must be one of GRANTED, DENIED' }] : [];
      return [
        code,
        {
          summary: `${statusOf(code)} ${code}`,
          value: {
            code,
            message: title,
            hint: fix,
            issues,
            requestId: 'req_01KAJ5W7QF2M3N4P5R6S7T8V9W',
            docUrl: `${publicUrl}/docs/errors/${code}`,
          },
        },
      ];
    }),
  );
