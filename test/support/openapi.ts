import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from './world.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- a document as it was served */

/** The document that the service serves about itself, as far as it is looked at here. */
export interface ServedDocument {
  paths: Record<string, Record<string, ServedOperation>>;
  components: { schemas: Record<string, any>; responses: Record<string, ServedResponse> };
}

export interface ServedResponse {
  headers?: Record<string, unknown>;
  /** Of an error, the examples of its JSON are named after the codes that the operation answers. */
  content?: Record<string, { schema?: any; example?: unknown; examples?: Record<string, unknown> }>;
}

export interface ServedOperation {
  operationId: string;
  /** Id of the operation that it does for operators. */
  'x-twin-of'?: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; example?: unknown; schema: any }[];
  requestBody?: { content: Record<string, { schema: unknown; examples: Record<string, { value: unknown }> }> };
  /** Errors are references to `components.responses`. */
  responses: Record<string, ServedResponse & { $ref?: string }>;
}

export type AnswerCheck = (method: string, path: string, answer: Answer) => void;

/**
 * Headers of the interface: where one stands in an answer, the document has to say so. What is left of a limit stands in
 * a refusal only if that came after the count.
 */
const NAMED = [
  'X-Request-Id',
  'Cache-Control',
  'X-Log-Position',
  'ETag',
  'Content-Language',
  'Link',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
  'Location',
  'Deprecation',
  'Sunset',
];
/** Present only where there is something to say, as their descriptions tell; all others stand in every answer that documents them. */
const SOMETIMES = ['X-Log-Position', 'Link', 'Idempotent-Replayed', 'Content-Language'];

/**
 * Holds answers against the document: the status is one that the operation names, the headers it names are there and
 * no other of the interface, the body is of its schema with nothing undocumented in it, an error's code is listed for
 * that operation and status. Paths that no operation has are only held against the error shape.
 */
export function answerCheck(document: ServedDocument): AnswerCheck {
  const text = JSON.stringify([document.paths, document.components]);
  if (latest?.text !== text) latest = { text, check: checkOf(document) };
  return latest.check;
}

/** Every world of one build serves the same: specs that share a process compile each of its schemas once. */
let latest: { text: string; check: AnswerCheck } | undefined;

function checkOf(document: ServedDocument): AnswerCheck {
  const { ajv, validatorOf } = validators(document);
  const errorShape = validatorOf({
    anyOf: [{ $ref: '#/components/schemas/ErrorAnswer' }, { $ref: '#/components/schemas/ErrorProblem' }],
  });
  const templates = Object.entries(document.paths)
    .map(([template, methods]) => ({
      template,
      methods,
      pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    }))
    // A fixed path before one with a parameter in its place.
    .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

  return (method, path, answer) => {
    const at = templates.find(({ pattern }) => pattern.test(path.split('?', 1)[0]!));
    const operation = at?.methods[(method === 'HEAD' ? 'get' : method).toLowerCase()];
    const wrong: string[] = [];
    if (answer.status >= 400 && answer.body !== undefined && !errorShape(answer.body))
      wrong.push(`the error has another shape: ${ajv.errorsText(errorShape.errors)}`);
    if (operation) wrong.push(...judged(operation, method, answer, document, validatorOf, ajv));
    if (wrong.length === 0) return;
    throw new Error(
      `${method} ${path} answered ${answer.status}, not as /openapi.json says of ${operation?.operationId ?? 'any error'}:\n- ${wrong.join('\n- ')}\n${answer.text.slice(0, 2000)}`,
    );
  };
}

function judged(
  operation: ServedOperation,
  method: string,
  answer: Answer,
  { components }: ServedDocument,
  validatorOf: (schema: object) => ValidateFunction,
  ajv: Ajv2020,
): string[] {
  const own = operation.responses[String(answer.status)];
  const documented = own?.$ref ? components.responses[own.$ref.split('/').at(-1)!] : own;
  if (!documented)
    return [
      `the status is not documented (${Object.keys(operation.responses).join(', ')}); code ${answer.body?.code as string}`,
    ];
  const wrong: string[] = [];
  const names = Object.keys(documented.headers ?? {});
  const isThere = (name: string): boolean => answer.headers[name.toLowerCase()] !== undefined;
  for (const name of names)
    if (!isThere(name) && !SOMETIMES.includes(name) && !(name === 'Retry-After' && answer.status === 409))
      wrong.push(`the header ${name} is documented, but missing`);
  for (const name of NAMED)
    if (isThere(name) && !names.includes(name) && !(name.startsWith('RateLimit') && answer.status >= 400))
      wrong.push(`the header ${name} is not documented`);
  if (method === 'HEAD') return wrong;
  const type = (answer.headers['content-type'] ?? '').split(';', 1)[0]!;
  if (!documented.content) return answer.text === '' ? wrong : [...wrong, 'a body is not documented'];
  const media = documented.content[type];
  if (!media) return [...wrong, `the media type "${type}" is not documented`];
  if (media.schema) {
    const validate = validatorOf(media.schema as object);
    if (!validate(answer.body))
      wrong.push(`the body does not fit: ${ajv.errorsText(validate.errors, { separator: '; ' })}`);
  }
  const code = answer.status >= 400 ? (answer.body?.code as string | undefined) : undefined;
  const codes = Object.keys(documented.content['application/json']?.examples ?? {});
  if (code !== undefined && !codes.includes(code))
    wrong.push(`the code ${code} is not documented (${codes.join(', ')})`);
  return wrong;
}

/** Where examples of bodies and answers do not fit the schemas beside them. */
export function misfits(document: ServedDocument): string[] {
  const { ajv, validatorOf } = validators(document);
  const found: string[] = [];
  const look = (place: string, schema: object | undefined, example: unknown): void => {
    if (!schema || example === undefined) return void found.push(`${place}: no example, or no schema`);
    const validate = validatorOf(schema);
    if (!validate(example)) found.push(`${place}: ${ajv.errorsText(validate.errors)}`);
  };
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    // Its examples are those of the operation.
    if (operation['x-twin-of']) continue;
    for (const { schema, examples } of Object.values(operation.requestBody?.content ?? {})) {
      for (const [name, { value }] of Object.entries(examples))
        look(`${operation.operationId} body ${name}`, schema as object, value);
    }
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const { schema, example } = content?.['application/json'] ?? {};
      if (schema && Number(status) < 300) look(`${operation.operationId} ${status}`, schema as object, example);
    }
    for (const { name, in: place, schema, example } of operation.parameters ?? [])
      if (place === 'query') look(`${operation.operationId} ?${name}`, schema as object, example);
  }
  return found;
}

function validators(document: ServedDocument): { ajv: Ajv2020; validatorOf: (schema: object) => ValidateFunction } {
  // Most schemas are used a few times: making their code short takes longer than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'openapi', components: { schemas: rooted(closed(document.components.schemas)) } });
  const compiled = new WeakMap<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    let validate = compiled.get(schema);
    if (!validate) compiled.set(schema, (validate = ajv.compile(rooted(closed(schema)) as object)));
    return validate;
  };
  return { ajv, validatorOf };
}

/** Answers stay open in the document, because /v1 may grow. Here a field or a value that nobody documented is a fault. */
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema as object).map(([name, value]) => [
      name,
      name === 'example' || name === 'examples' || name === 'enum' || name === 'default' ? value : closed(value),
    ]),
  );
  if (Array.isArray(inner.anyOf) && inner.anyOf.some((one) => one.enum))
    inner.anyOf = inner.anyOf.filter((one) => one.enum || one.type !== 'string');
  return schema.properties && schema.type === 'object' && schema.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** References lead into the one registered document. */
const rooted = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (name: string, value: unknown) =>
    name === '$ref' && typeof value === 'string' && value.startsWith('#') ? `openapi${value}` : value,
  ) as unknown;
