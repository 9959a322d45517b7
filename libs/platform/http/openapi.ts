import { fieldsOf, type JsonSchema } from './declared.js';
import { ErrorAnswer, ErrorProblem } from './error-answer.js';
import { definitionsOf } from './fields.js';
import { errorExamples, errorResponses } from './openapi-errors.js';
import { COMMON_HEADERS } from './openapi-headers.js';
import { aboutSubject, type Contract, type DocumentedOperation, type OperationDocument } from './operation.js';

export interface OpenApiOptions {
  operations: readonly DocumentedOperation[];
  publicUrl: string;
  version: string;
}

export type OpenApiDocument = JsonSchema & {
  paths: Record<string, Record<string, JsonSchema>>;
  components: Record<string, Record<string, JsonSchema>>;
};

const SCHEMES = { pk: 'publicKey', sk: 'secretKey', operator: 'operatorToken' } as const;
const REF = {
  description: 'Subject reference `<kind>:<value>`, percent-encoded as one segment.',
  example: 'visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90',
};

/** The OpenAPI 3.1 document out of the operation table and what each operation says of itself. Throws where they do not fit together. */
export function buildOpenApi({ operations, publicUrl, version }: OpenApiOptions): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const at = (paths[operation.path] ??= {});
    const method = operation.method.toLowerCase();
    if (at[method]) throw new Error(`${operation.method} ${operation.path} is documented twice`);
    at[method] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assent',
      version,
      summary: 'Consent and preference management',
      description: `Records and serves what people agreed to. Every error has one shape; every code is explained at [${publicUrl}/docs/errors](${publicUrl}/docs/errors). Requests refuse unknown fields; answers may gain fields within /v1.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas(operations),
      headers: COMMON_HEADERS,
      examples: errorExamples(publicUrl),
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
          description: 'Operator token, printed once at the first start.',
        },
      },
    },
  };
}

/** Request bodies stay closed, so that a typo is refused; answers stay open, because /v1 may grow. */
function schemas(operations: readonly DocumentedOperation[]): Record<string, JsonSchema> {
  const answers = operations.flatMap((operation) => operation.answers.flatMap((answer) => answer.contract ?? []));
  const bodies = operations.flatMap((operation) => operation.body?.contract ?? []);
  const closed = definitionsOf(bodies);
  const all = definitionsOf([...bodies, ...answers, ErrorAnswer, ErrorProblem], '#/components/schemas/');
  return Object.fromEntries(
    Object.entries(all).map(([name, { additionalProperties, ...open }]) => [
      name,
      name in closed ? { ...open, additionalProperties } : open,
    ]),
  );
}

function describe(operation: DocumentedOperation): JsonSchema {
  const { id, tag, summary, description, scope, bodyLimit } = operation;
  const notes = [
    description,
    scope ? `Scope: \`${scope}\`.` : '',
    operation.body && bodyLimit ? `Body: at most ${bodyLimit} bytes.` : '',
  ];
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation.query),
    ...headerParameters(operation),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: notes.filter(Boolean).join('\n\n'),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: requestBody(operation.body, operation.byLink === true) } : {}),
    responses: {
      ...Object.fromEntries(operation.answers.map((answer) => [String(answer.status), answered(answer, operation)])),
      ...errorResponses(operation, header),
    },
    security: security(operation),
  };
}

function security(operation: DocumentedOperation): JsonSchema[] {
  const { keys, scope } = operation;
  const roles = scope ? [scope] : [];
  return keys.flatMap((key): JsonSchema[] => {
    if (key === 'none') return keys.length > 1 ? [{}] : [];
    return key === 'pk' && aboutSubject(operation)
      ? [{ publicKey: roles }, { publicKey: roles, identityToken: [] }]
      : [{ [SCHEMES[key]]: roles }];
  });
}

function pathParameters({ id, path, pathParameters: documented = {} }: DocumentedOperation): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const parameter = documented[name!] ?? (name === 'ref' ? REF : undefined);
    if (!parameter) throw new Error(`${id} does not describe its path parameter ${name}`);
    return {
      name,
      in: 'path',
      required: true,
      description: parameter.description,
      schema: { type: 'string', minLength: 1, maxLength: 800 },
      example: parameter.example,
    };
  });
}

function queryParameters(query: Contract | undefined): JsonSchema[] {
  if (!query) return [];
  const { properties } = definitionsOf([query])[query.name] as { properties: Record<string, JsonSchema> };
  return [...fieldsOf(query).values()].map((field) => {
    const { description, examples, ...schema } = properties[field.name]!;
    const example = (examples as unknown[] | undefined)?.[0];
    return {
      name: field.name,
      in: 'query',
      required: !field.optional,
      description,
      schema,
      ...(example === undefined ? {} : { example }),
      ...(field.kind === 'list' ? { style: 'form', explode: true } : {}),
    };
  });
}

const headerParameters = ({ headers = [] }: DocumentedOperation): JsonSchema[] =>
  headers.map(({ name, description, required, example }) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    example,
  }));

function requestBody({ contract, examples }: NonNullable<OperationDocument['body']>, forms: boolean): JsonSchema {
  const media = {
    schema: { $ref: `#/components/schemas/${contract.name}` },
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  };
  return {
    required: true,
    content: {
      'application/json': media,
      ...(forms && { 'application/x-www-form-urlencoded': media, 'multipart/form-data': media }),
    },
  };
}

function answered(answer: OperationDocument['answers'][number], operation: DocumentedOperation): JsonSchema {
  const own = Object.entries(answer.headers ?? {}).map(([name, description]) => [
    name,
    COMMON_HEADERS[name] ? header(name) : { description, schema: { type: 'string' } },
  ]);
  const write = operation.method !== 'GET' && answer.status < 300 && !operation.keys.includes('none');
  const common = [
    'X-Request-Id',
    ...(write ? ['X-Log-Position'] : []),
    ...(operation.limited === false || operation.keys.includes('operator') ? [] : ['RateLimit', 'RateLimit-Policy']),
  ];
  // A person's browser gets a page.
  const page = (operation.byLink ?? operation.alsoPage) === true && answer.contract !== undefined;
  const media = {
    ...(answer.contract ? { schema: { $ref: `#/components/schemas/${answer.contract.name}` } } : {}),
    ...(answer.example === undefined ? {} : { example: answer.example }),
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
