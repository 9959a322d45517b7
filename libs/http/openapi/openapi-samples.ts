import type { JsonSchema } from '../contract/declared.js';
import type { DocumentedOperation } from '../contract/operation.js';

/** As Redoc and other readers of OpenAPI show it (`x-codeSamples`). */
export interface CodeSample {
  lang: 'Shell' | 'JavaScript';
  label: string;
  source: string;
}

/** Environment variables that the samples take credentials from. Servers speak curl, pages speak JavaScript. */
const CREDENTIALS = { pk: 'PK', sk: 'SK', operator: 'ASSENT_OPERATOR_TOKEN' } as const;
const SHELL_CALLERS = ['sk', 'operator', 'pk'] as const;
const PAGE_CALLERS = ['pk', 'sk', 'operator'] as const;
/** Characters; what is longer is broken into lines. */
const LINE = 80;

/** A sample request: the first example of the body and the required parameters. A capability replaces a key. */
interface Call {
  operation: DocumentedOperation;
  origin: string;
  /** In the order of the path. */
  segments: Record<string, string>;
  query: Record<string, string>;
  /** A retry under the same key has no second effect; each sample begins something new. */
  /** What it cannot be called without, besides credential and key. */
  headers: Record<string, string>;
  hasIdempotencyKey: boolean;
  body: unknown;
}

/** One call of an operation, in curl and in JavaScript. */
export function samplesOf(
  operation: DocumentedOperation,
  parameters: readonly JsonSchema[],
  publicUrl: string,
): CodeSample[] {
  const examplesIn = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter(({ in: at, required, name }) => at === place && (required || name === operation.byCapability))
        .map(({ name, example }) => [String(name), String(example)]),
    );
  const call: Call = {
    operation,
    origin: publicUrl.replace(/\/$/, ''),
    segments: examplesIn('path'),
    query: examplesIn('query'),
    headers: Object.fromEntries(Object.entries(examplesIn('header')).filter(([name]) => name !== 'Idempotency-Key')),
    hasIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body: Object.values(operation.body?.examples ?? {})[0],
  };
  return [
    { lang: 'Shell', label: 'curl', source: inShell(call) },
    { lang: 'JavaScript', label: 'JavaScript', source: inJavaScript(call) },
  ];
}

function credentialOf(
  { keys, byCapability }: DocumentedOperation,
  callers: readonly (keyof typeof CREDENTIALS)[],
): string | null {
  if (byCapability !== undefined) return null;
  const caller = callers.find((kind) => keys.includes(kind));
  return caller ? CREDENTIALS[caller] : null;
}

function inShell({ operation, origin, segments, query, headers, hasIdempotencyKey, body }: Call): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(segments[name]!));
  const search = new URLSearchParams(query).toString();
  const credential = credentialOf(operation, SHELL_CALLERS);
  const byItself = body === undefined ? 'GET' : 'POST';
  return [
    `curl -sS ${operation.method === byItself ? '' : `-X ${operation.method} `}${quoted(origin + path + (search && `?${search}`))}`,
    ...(credential ? [`-H "Authorization: Bearer $${credential}"`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasIdempotencyKey ? ['-H "Idempotency-Key: $(openssl rand -hex 16)"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** As one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/* eslint-disable no-template-curly-in-string -- the samples hold template strings */
function inJavaScript(call: Call): string {
  const { operation, segments, query } = call;
  const credential = credentialOf(operation, PAGE_CALLERS);
  const options = optionsOf(call, credential);
  const isJson = operation.answers.some(({ contract, mediaType }) => contract ?? mediaType?.endsWith('json'));
  return [
    ...Object.entries(segments).map(([name, value]) => `const ${name} = encodeURIComponent(${text(value)});`),
    ...(Object.keys(query).length > 0 ? [`const query = new URLSearchParams(${literal(query, '')});`] : []),
    `const response = await fetch(${addressOf(call)}${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});`,
    `const answer = await response.${isJson ? 'json' : 'text'}();`,
    `if (!response.ok) throw new Error(${isJson ? '`${answer.code}: ${answer.hint}`' : 'answer'});`,
    'console.log(answer);',
  ].join('\n');
}

function addressOf({ operation, origin, segments, query }: Call): string {
  const path = operation.path.replaceAll('{', '${');
  const search = Object.keys(query).length > 0 ? '?${query}' : '';
  return search || Object.keys(segments).length > 0 ? `\`${origin}${path}${search}\`` : text(origin + path);
}
/* eslint-enable no-template-curly-in-string */

function optionsOf(
  { operation, headers: required, hasIdempotencyKey, body }: Call,
  credential: string | null,
): string[] {
  const headers = [
    ...(credential ? [`    Authorization: \`Bearer \${process.env.${credential}}\`,`] : []),
    ...Object.entries(required).map(([name, value]) => `    ${text(name)}: ${text(value)},`),
    ...(hasIdempotencyKey ? ["    'Idempotency-Key': crypto.randomUUID(),"] : []),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  return [
    ...(operation.method === 'GET' ? [] : [`  method: '${operation.method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, '  ')}),`]),
  ];
}

const text = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** A value as JavaScript, on one line where it fits. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = (inner: string): string[] =>
    isList
      ? value.map((one) => literal(one, inner))
      : Object.entries(value).map(
          ([name, one]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name)}: ${literal(one, inner)}`,
        );
  const whole = parts(indent);
  const line = isList ? `[${whole.join(', ')}]` : whole.length > 0 ? `{ ${whole.join(', ')} }` : '{}';
  if (line.length + indent.length <= LINE && !line.includes('\n')) return line;
  const deeper = `${indent}  `;
  return `${open}\n${parts(deeper)
    .map((part) => `${deeper}${part},`)
    .join('\n')}\n${indent}${close}`;
}
