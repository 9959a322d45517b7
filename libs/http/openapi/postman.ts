import type { OpenApiDocument } from './openapi.js';

/** Of a collection: what its requests take from it, by the names of the OpenAPI document where it has one. */
const VARIABLES: readonly (readonly [name: string, value: string, description: string])[] = [
  ['secretKey', '', 'Secret key, `sk_…`.'],
  ['publicKey', '', 'Public key, `pk_…`.'],
  ['operatorToken', '', 'Operator token, `op_…`.'],
  ['identityToken', '', 'Identity token of a person. Only with a public key.'],
  ['site', 'demo', 'Site, for operators.'],
  ['env', 'test', '`test` or `live`, for operators.'],
];
/** The credential of a request is the first of these that its operation takes. */
const CREDENTIALS = ['secretKey', 'operatorToken', 'publicKey'] as const;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description: string;
  example?: unknown;
}
type Media = Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Media };
  responses: Record<string, { description?: string; content?: Media }>;
  security: Record<string, unknown>[];
  'x-twin-of'?: string;
}

interface Field {
  key: string;
  value: string;
  description?: string;
  /** What a request can do without; Postman does not send it until it is ticked. */
  disabled?: boolean;
}
export interface PostmanRequest {
  method: string;
  description: string;
  auth: { type: 'noauth' } | { type: 'bearer'; bearer: { key: 'token'; value: string; type: 'string' }[] };
  url: { raw: string; host: string[]; path: string[]; query: Field[]; variable: Field[] };
  header: Field[];
  body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } };
}
export interface PostmanItem {
  /** The id of the operation. */
  id: string;
  name: string;
  request: PostmanRequest;
  /** One for each example of the body, with the first good answer. */
  response: {
    name: string;
    originalRequest: PostmanRequest;
    status: string;
    code: number;
    header: Field[];
    body: string;
  }[];
}
export interface PostmanCollection {
  info: { name: string; description: string; version: string; schema: string };
  item: { name: string; description: string; item: PostmanItem[] }[];
  variable: Field[];
}

/**
 * The collection for Postman (format 2.1.0) of an OpenAPI document: a folder for each tag, a request for each operation
 * with its examples, keys and addresses as variables. It holds no key. Written here because openapi-to-postmanv2 makes
 * 180 MB of the same document in 40 s, sends all that is optional, and has one variable for all kinds of keys.
 * @param publicUrl the first value of the variable `baseUrl`
 */
export function postmanOf(document: OpenApiDocument, publicUrl: string): PostmanCollection {
  const { title, version, description } = document['info'] as Record<string, string>;
  const tags = document['tags'] as { name: string; description?: string }[];
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as unknown as Described,
    })),
  );
  const byId = new Map(all.map(({ operation }) => [operation.operationId, operation]));
  const itemOf = ({ path, method, operation }: (typeof all)[number]): PostmanItem =>
    item(path, method, operation, byId.get(operation['x-twin-of'] ?? operation.operationId)!);
  return {
    info: {
      name: title!,
      description: description!,
      version: version!,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: tags.map(({ name, description = '' }) => ({
      name,
      description,
      item: all.filter(({ operation }) => operation.tags[0] === name).map(itemOf),
    })),
    variable: [
      { key: 'baseUrl', value: publicUrl.replace(/\/$/, ''), description: 'Address of the service.' },
      ...VARIABLES.map(([key, value, description]) => ({ key, value, description })),
    ],
  };
}

/** @param shown the operation that has the examples: of a twin the other one */
function item(path: string, method: string, operation: Described, shown: Described): PostmanItem {
  const { operationId: id, summary: name, parameters = [], requestBody } = operation;
  const bodies = requestBody ? Object.entries(shown.requestBody!.content['application/json']!.examples!) : [];
  const requests = (bodies.length > 0 ? bodies : [[name, null] as const]).map(([title, example]) => ({
    title,
    request: {
      method,
      description: operation.description,
      auth: authOf(operation),
      url: urlOf(path, parameters),
      header: headersOf(operation, requestBody !== undefined),
      ...(example && {
        body: { mode: 'raw', raw: inJson(example.value), options: { raw: { language: 'json' } } } as const,
      }),
    },
  }));
  const [status, answer] = Object.entries(shown.responses).find(([code]) => code < '300') ?? ['200', {}];
  const [type, media] = Object.entries(answer.content ?? {})[0] ?? [];
  const response = requests.map(({ title, request }) => ({
    name: title,
    originalRequest: request,
    status: answer.description ?? '',
    code: Number(status),
    header: type ? [{ key: 'Content-Type', value: type }] : [],
    body: media?.example === undefined ? '' : inJson(media.example),
  }));
  return { id, name, request: requests[0]!.request, response };
}

function authOf({ security }: Described): PostmanRequest['auth'] {
  const credential = CREDENTIALS.find((name) => security.some((way) => name in way));
  if (!credential) return { type: 'noauth' };
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${credential}}}`, type: 'string' }] };
}

function urlOf(path: string, parameters: readonly Parameter[]): PostmanRequest['url'] {
  const names = path.replace(/\{(\w+)\}/g, ':$1');
  const query = parameters
    .filter((one) => one.in === 'query')
    .flatMap((one) => [one.example ?? ''].flat().map((value) => field(one, encoded(String(value)), one.required)));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}${names}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: names.split('/').slice(1),
    query,
    variable: parameters
      .filter((one) => one.in === 'path')
      .map((one) => field(one, isVariable(one.name) ? `{{${one.name}}}` : encoded(String(one.example)), true)),
  };
}

const isVariable = (name: string): boolean => VARIABLES.some(([each]) => each === name);
/** As a segment of a path or a value of a query, but readable: a reference keeps its colon and its at sign. */
const encoded = (value: string): string => encodeURIComponent(value).replaceAll('%3A', ':').replaceAll('%40', '@');

function headersOf({ parameters = [], security }: Described, hasBody: boolean): Field[] {
  const identity = security.some((way) => 'identityToken' in way);
  return [
    ...(hasBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
    ...(identity ? [{ key: 'Consent-Identity', value: '{{identityToken}}', disabled: true }] : []),
    ...parameters
      .filter((one) => one.in === 'header')
      .map((one) =>
        // Postman makes a number for each request: one that is sent twice begins something new, as a new call does.
        one.name === 'Idempotency-Key' ? field(one, '{{$guid}}', true) : field(one, String(one.example), one.required),
      ),
  ];
}

const field = ({ name, description }: Parameter, value: string, isSent = false): Field => ({
  key: name,
  value,
  description,
  ...(!isSent && { disabled: true }),
});

const inJson = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
