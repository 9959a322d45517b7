import { fieldsOf, type JsonSchema } from '../contract/declared.js';
import { prefixOf } from '../docs/page.js';
import { publishedErrors, type PublishedErrors } from './openapi-errors.js';
import { COMMON_HEADERS } from './openapi-headers.js';
import { parametersOf } from './openapi-parameters.js';
import { samplesOf } from './openapi-samples.js';
import { publishedSchemas, type PublishedSchemas } from './openapi-schemas.js';
import { aboutSubject, type DocumentedOperation, type OperationDocument } from '../contract/operation.js';

export interface OpenApiOptions {
  operations: readonly DocumentedOperation[];
  /** A sentence about each heading that operations stand under (their `tag`). */
  headings: Readonly<Record<string, string>>;
  publicUrl: string;
  version: string;
}

export type OpenApiDocument = JsonSchema & {
  paths: Record<string, Record<string, JsonSchema>>;
  components: Record<string, Record<string, JsonSchema>>;
};

const SCHEMES = { pk: 'publicKey', sk: 'secretKey', operator: 'operatorToken' } as const;

/** The OpenAPI 3.1 document, from the operation table and each operation's documentation. Throws where the two differ. */
export function buildOpenApi({ operations, headings, publicUrl, version }: OpenApiOptions): OpenApiDocument {
  const schemas = publishedSchemas(operations);
  const errors = publishedErrors(operations, publicUrl);
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const at = (paths[operation.path] ??= {});
    const method = operation.method.toLowerCase();
    if (at[method]) throw new Error(`${operation.method} ${operation.path} is documented twice`);
    at[method] = describe(operation, { schemas, errors, publicUrl });
  }
  const components = { schemas: schemas.components, responses: errors.responses, examples: errors.examples };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assent',
      version,
      summary: 'Consent and preference management',
      description: `Records and serves what people agreed to. Every error has one shape; every code is explained at [${publicUrl}/docs/errors](${publicUrl}/docs/errors). Requests refuse unknown fields; within /v1 answers may gain fields, and their enums values. Samples take credentials from the environment: \`PK\` is a public key, \`SK\` a secret key.`,
      contact: { name: 'The operator of this service', url: publicUrl },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative, so that a page with this document calls the service under the address at which the page was opened.
    servers: [{ url: prefixOf(publicUrl) || '/' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
      name,
      ...(headings[name] && { description: headings[name] }),
    })),
    paths,
    components: {
      ...components,
      headers: headersOf(JSON.stringify([paths, components])),
      securitySchemes: {
        publicKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pk_<test|live>_…',
          description: 'Public key, for browsers and apps. Works only from the registered origins.',
        },
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_<test|live>_…',
          description: 'Secret key, for servers only.',
        },
        identityToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Consent-Identity',
          description:
            'JWT (HS256, typ `consent-identity+jwt`) by which your server vouches for a person, so that a public key reaches that subject. Secret keys do without: they ignore it.',
        },
        operatorToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Operator token. It has roles for sites and environments; `x-roles` of an operation names those that may call it. The first one is printed once at the first start.',
        },
      },
    },
  };
}

/** The common headers that the rest of the document refers to. */
const headersOf = (document: string): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(COMMON_HEADERS).filter(([name]) => document.includes(`"#/components/headers/${name}"`)),
  );

function describe(
  operation: DocumentedOperation,
  { schemas, errors, publicUrl }: { schemas: PublishedSchemas; errors: PublishedErrors; publicUrl: string },
): JsonSchema {
  const { id, tag, summary, description, scope, bodyLimit } = operation;
  const notes = [
    description,
    scope ? `Scope: \`${scope}\`.` : '',
    operation.body && bodyLimit ? `Body: at most ${bodyLimit} bytes.` : '',
  ];
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: notes.filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: requestBody(operation, operation.body, schemas) } : {}),
    responses: { ...answers(operation, schemas), ...errors.of(operation) },
    security: security(operation),
    ...(operation.keys.includes('operator') && { 'x-roles': [...(operation.roles ?? []), 'ADMIN'] }),
    // A twin leaves to the operation what both have in common.
    ...(operation.twinOf
      ? { 'x-twin-of': operation.twinOf }
      : { 'x-codeSamples': samplesOf(operation, parameters, publicUrl) }),
  };
}

/** Scopes stand in the description: names beside a bearer token mean something to OAuth only. */
function security(operation: DocumentedOperation): JsonSchema[] {
  const { keys, byCapability } = operation;
  const withKeys = keys.flatMap((key): JsonSchema[] => {
    if (key === 'none') return keys.length > 1 ? [{}] : [];
    return key === 'pk' && aboutSubject(operation)
      ? [{ publicKey: [] }, { publicKey: [], identityToken: [] }]
      : [{ [SCHEMES[key]]: [] }];
  });
  return byCapability === undefined ? withKeys : [...withKeys, {}];
}

function requestBody(
  { byLink, query, twinOf }: DocumentedOperation,
  { contract, examples, optional, tokenOnly }: NonNullable<OperationDocument['body']>,
  schemas: PublishedSchemas,
): JsonSchema {
  const media = (schema: JsonSchema, shown = Object.entries(examples)): JsonSchema => ({
    schema,
    ...(!twinOf && { examples: Object.fromEntries(shown.map(([name, value]) => [name, { value }])) }),
  });
  const inAddress = query ? fieldsOf(query) : new Map<string, unknown>();
  const isForm = ([, value]: [string, unknown]): boolean =>
    !Object.keys(value as object).some((at) => inAddress.has(at));
  const form = media(schemas.ofForm(contract), Object.entries(examples).filter(isForm));
  return {
    required: !optional && !tokenOnly,
    content: {
      'application/json': media(schemas.ofBody(contract)),
      ...(byLink && { 'application/x-www-form-urlencoded': form, 'multipart/form-data': form }),
    },
  };
}

/** By status. Of an answer that comes in several media types the first entry says what it is. */
function answers(operation: DocumentedOperation, schemas: PublishedSchemas): Record<string, JsonSchema> {
  const byStatus: Record<string, JsonSchema> = {};
  for (const answer of operation.answers) {
    const described = answered(answer, operation, schemas);
    const before = byStatus[answer.status];
    byStatus[answer.status] = before
      ? { ...before, content: { ...(before['content'] as object), ...(described['content'] as object) } }
      : described;
  }
  return byStatus;
}

function answered(
  answer: OperationDocument['answers'][number],
  operation: DocumentedOperation,
  schemas: PublishedSchemas,
): JsonSchema {
  const own = Object.entries(answer.headers ?? {}).map(([name, description]) => [
    name,
    COMMON_HEADERS[name] ? header(name) : { description, schema: { type: 'string' } },
  ]);
  const write = operation.method !== 'GET' && answer.status < 300 && !operation.keys.includes('none');
  const common = [
    'X-Request-Id',
    'Cache-Control',
    ...(write ? ['X-Log-Position'] : []),
    ...(operation.limited === false || operation.keys.includes('operator') ? [] : ['RateLimit', 'RateLimit-Policy']),
  ];
  // A person's browser gets a page.
  const page = (operation.byLink ?? operation.alsoPage) === true && answer.contract !== undefined;
  const media = {
    ...(answer.contract ? { schema: schemas.ofAnswer(answer.contract) } : {}),
    ...(answer.example === undefined || operation.twinOf ? {} : { example: answer.example }),
  };
  return {
    description: answer.description,
    headers: {
      ...Object.fromEntries(common.map((name) => [name, header(name)])),
      ...Object.fromEntries(own),
      ...(page && { 'Content-Language': header('Content-Language') }),
    },
    ...(answer.contract || answer.mediaType
      ? { content: { [answer.mediaType ?? 'application/json']: media, ...(page && { 'text/html': {} }) } }
      : {}),
  };
}

const header = (name: string): JsonSchema => ({ $ref: `#/components/headers/${name}` });
