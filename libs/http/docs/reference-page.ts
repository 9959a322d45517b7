import type { JsonSchema } from '../contract/declared.js';
import type { OpenApiDocument } from '../openapi/openapi.js';
import type { CodeSample } from '../openapi/openapi-samples.js';
import { html, joined, trusted, type Html } from '../../pages/html.js';
import { listing } from './code.js';
import { docsPage, filter, inline, paragraphs } from './page.js';

type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
};
type Media = Record<string, { schema?: JsonSchema; example?: unknown; examples?: Record<string, { value?: unknown }> }>;
type Answer = { description: string; headers?: Record<string, unknown>; content?: Media };
type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: Media };
  responses: Record<string, Answer>;
  security: Record<string, string[]>[];
  'x-codeSamples'?: CodeSample[];
  /** Id of the operation that says what this one does for operators. */
  'x-twin-of'?: string;
};
interface Entry extends Described {
  method: string;
  path: string;
}

/** Grammars of samples, by the language that the document names. */
const GRAMMAR_OF = { Shell: 'sh', JavaScript: 'js' } as const;

const KEYS: Record<string, string> = {
  publicKey: 'public key',
  secretKey: 'secret key',
  operatorToken: 'operator token',
  identityToken: 'identity token',
};

export const entriesOf = (document: OpenApiDocument): Entry[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(operation as unknown as Described),
      responses: answersOf(operation, document),
      method: method.toUpperCase(),
      path,
    })),
  );

/** Errors stand among the components, since operations share them. */
const answersOf = ({ responses }: JsonSchema, { components }: OpenApiDocument): Record<string, Answer> =>
  Object.fromEntries(
    Object.entries(responses as Record<string, JsonSchema>).map(([status, answer]) => [
      status,
      (answer.$ref ? components.responses![nameOf(answer)!] : answer) as Answer,
    ]),
  );

export interface Tag {
  name: string;
  /** The last segment of the address of its page. */
  slug: string;
  entries: Entry[];
}

export const REFERENCE = '/docs/reference';

/** The operations by tag, in the order of the document. */
export function tagsOf(document: OpenApiDocument): Tag[] {
  const tags = new Map<string, Entry[]>();
  for (const entry of entriesOf(document)) tags.set(entry.tags[0]!, [...(tags.get(entry.tags[0]!) ?? []), entry]);
  return [...tags].map(([name, entries]) => ({ name, slug: slugOf(name), entries }));
}

const slugOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');

export const addressOfEntry = ({ tags, operationId }: Pick<Entry, 'tags' | 'operationId'>): string =>
  `${REFERENCE}/${slugOf(tags[0]!)}#${operationId}`;

/** The operations by tag, each a link; also what `/docs` shows where scripts are off. */
export const operationList = (document: OpenApiDocument, prefix: string): Html =>
  joined(
    tagsOf(document).map(
      ({ name, slug, entries }) => html`<section data-filtered>
<h2 id="${slug}"><a href="${prefix}${REFERENCE}/${slug}">${name}</a></h2>
<ul class="lines">
${entries.map((entry) => html`<li id="${entry.operationId}" data-filtered><a href="${prefix}${addressOfEntry(entry)}"><span class="method">${entry.method}</span> ${entry.summary}</a> <code class="soft">${entry.path}</code></li>\n`)}</ul>
</section>`,
    ),
    '\n',
  );

/** `/docs/reference`: every operation as one line, by tag, out of the OpenAPI document. */
export function referencePage(document: OpenApiDocument, prefix: string): string {
  const info = document.info as { title: string; version: string; description: string };
  return docsPage({
    title: `Reference – ${info.title}`,
    prefix,
    at: REFERENCE,
    heading: 'Reference',
    parts: tagsOf(document).map(({ name, slug }) => ({ id: slug, title: name })),
    main: html`<p class="soft">Version ${info.version}. Send <code>Authorization: Bearer &lt;API key&gt;</code> with every path under <code>/v1/</code>.</p>
${paragraphs(info.description)}
${filter('Filter the operations')}
${operationList(document, prefix)}`,
  });
}

/** `/docs/reference/{tag}`: the operations of one tag with every field, limit and error, and the objects that they take and answer. */
export function tagPage(document: OpenApiDocument, { name, slug, entries }: Tag, prefix: string): string {
  const objects = objectsOf(document, entries).map(
    ([object, schema]) => html`<article id="object-${object}">
<h3><code>${object}</code></h3>
${fields(schema)}
</article>`,
  );
  const places = new Map(entriesOf(document).map((entry) => [entry.operationId, addressOfEntry(entry)]));
  const operations = entries.map((entry) =>
    entry['x-twin-of']
      ? twin(entry, entry['x-twin-of'], `${prefix}${places.get(entry['x-twin-of']) ?? REFERENCE}`)
      : operation(entry, prefix),
  );
  return docsPage({
    title: `${name} – Reference – Assent`,
    prefix,
    at: `${REFERENCE}/${slug}`,
    heading: name,
    parts: [
      ...entries.map(({ operationId, summary }) => ({ id: operationId, title: summary.replaceAll('`', '') })),
      ...(objects.length === 0 ? [] : [{ id: 'objects', title: 'Objects' }]),
    ],
    main: html`<p><a href="${prefix}${REFERENCE}">All operations</a></p>
${joined(operations, '\n')}
${objects.length > 0 && html`<h2 id="objects">Objects</h2>\n${joined(objects, '\n')}`}`,
  });
}

/** The objects that these operations name, and those that stand in them, by name. */
function objectsOf({ components }: OpenApiDocument, entries: readonly Entry[]): [string, JsonSchema][] {
  const all = (components.schemas ?? {}) as Record<string, JsonSchema>;
  const found = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name!) || !all[name!]) continue;
      found.add(name!);
      follow(all[name!]);
    }
  };
  follow(entries.filter((entry) => !entry['x-twin-of']));
  return [...found].sort().map((name) => [name, all[name]!]);
}

const twin = (
  { operationId: id, method, path, summary }: Entry,
  of: string,
  place: string,
): Html => html`<article id="${id}">
<h2><a href="#${id}">${inline(summary)}</a></h2>
<p><span class="method">${method}</span> <code>${path}</code></p>
<p>With an operator token what <a href="${place}"><code>${of}</code></a> does. Operation <code>${id}</code>.</p>
</article>`;

function operation(entry: Entry, prefix: string): Html {
  const answers = Object.entries(entry.responses);
  const id = entry.operationId;
  return html`<article id="${id}">
<h2><a href="#${id}">${inline(entry.summary)}</a></h2>
<p><span class="method">${entry.method}</span> <code>${entry.path}</code></p>
${paragraphs(entry.description)}
<p class="soft">Needs ${needed(entry.security)}. Operation <code>${id}</code>.</p>
${entry.parameters ? html`<h3>Parameters</h3>\n<dl class="fields">${entry.parameters.map((parameter) => row(parameter.name, parameter.schema, `${parameter.in}${parameter.required ? ', required' : ''}`, parameter.description, parameter.example))}</dl>` : ''}
${entry.requestBody ? html`<h3>Body</h3>\n${media(entry.requestBody.content, `Example body of ${id}`)}` : ''}
<h3>Samples</h3>
${joined(
  (entry['x-codeSamples'] ?? []).map(
    ({ label, lang, source }) =>
      html`<details><summary>${label}</summary>${listing(source, GRAMMAR_OF[lang], `${label} sample of ${id}`)}</details>`,
  ),
  '\n',
)}
<h3>Answers</h3>
${joined(
  answers
    .filter(([status]) => Number(status) < 400)
    .map(
      ([status, answer]) =>
        html`<p><b>${status}</b> ${inline(answer.description)}</p>${media(answer.content, `Example answer ${status} of ${id}`)}`,
    ),
  '\n',
)}
<h3>Errors</h3>
<ul class="codes">${answers
    .filter(([status]) => Number(status) >= 400)
    .map(
      ([status, answer]) =>
        html`<li>${status}: ${joined(
          codes(answer).map((code) => html`<a href="${prefix}/docs/errors/${code}"><code>${code}</code></a>`),
          ', ',
        )}</li>`,
    )}</ul>
</article>`;
}

function needed(security: Record<string, string[]>[]): string {
  if (security.length === 0) return 'no key';
  const ways = security
    .map(
      (way) =>
        Object.keys(way)
          .map((name) => KEYS[name] ?? name)
          .join(' with ') || 'no key',
    )
    .map((way) => (/^no/.test(way) ? way : `${/^[aeio]/.test(way) ? 'an' : 'a'} ${way}`));
  return ways.join(', or ');
}

const codes = (answer: Answer): string[] => Object.keys(answer.content?.['application/json']?.examples ?? {});

function media(content: Media | undefined, label: string): Html {
  return joined(
    Object.entries(content ?? {}).map(([type, { schema, example, examples }]) => {
      const shown = example ?? Object.values(examples ?? {})[0]?.value;
      const name = nameOf(schema);
      const code =
        shown === undefined
          ? ''
          : typeof shown === 'string'
            ? listing(shown, '', label)
            : listing(JSON.stringify(shown, null, 2), 'json', label);
      return html`<p>${name ? html`<a href="#object-${name}"><code>${name}</code></a> as ` : ''}<code>${type}</code></p>${code}`;
    }),
    '',
  );
}

const nameOf = (schema: JsonSchema | undefined): string | undefined =>
  typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;

function fields(schema: JsonSchema): Html {
  const required = (schema.required ?? []) as string[];
  const rows = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (rows.length === 0) return html`<p class="soft">No fields.</p>`;
  return html`<dl class="fields">${rows.map(([name, field]) => row(name, field, required.includes(name) ? 'required' : 'optional', String(field.description ?? ''), (field.examples as unknown[] | undefined)?.[0]))}</dl>`;
}

function row(name: string, schema: JsonSchema, note: string, description: string, example: unknown): Html {
  const limits = limitsOf(schema);
  return html`<div><dt><code>${name}</code> <span class="soft">${typeOf(schema)}, ${note}</span></dt>
<dd><p>${inline(description)}${limits ? html` <span class="soft">${limits}</span>` : ''}${example === undefined ? '' : html` Example: <code>${typeof example === 'string' ? example : JSON.stringify(example)}</code>`}</p></dd></div>`;
}

function typeOf(schema: JsonSchema): Html {
  const name = nameOf(schema);
  if (name) return html`<a href="#object-${name}">${name}</a>`;
  if (Array.isArray(schema.anyOf)) {
    const types = new Set((schema.anyOf as JsonSchema[]).map((one) => typeOf(one).toString()));
    return joined([...types].map(trusted), ' or ');
  }
  if (schema.type === 'array') return html`list of ${typeOf(schema.items as JsonSchema)}`;
  if (typeof schema.additionalProperties === 'object')
    return html`map to ${typeOf(schema.additionalProperties as JsonSchema)}`;
  return html`${Array.isArray(schema.type) ? (schema.type as string[]).join(' or ') : String(schema.type ?? 'any JSON')}`;
}

const LIMITS: [keyword: string, words: (value: unknown) => string][] = [
  ['enum', (values) => `One of ${(values as unknown[]).map(String).join(', ')}.`],
  ['minLength', (n) => `At least ${n} characters.`],
  ['maxLength', (n) => `At most ${n} characters.`],
  ['minimum', (n) => `From ${n}.`],
  ['maximum', (n) => `Up to ${n}.`],
  ['minItems', (n) => `At least ${n} items.`],
  ['maxItems', (n) => `At most ${n} items.`],
  ['maxProperties', (n) => `At most ${n} keys.`],
  ['format', (name) => `Format ${name}.`],
  ['pattern', (source) => `Pattern ${source}`],
  ['default', (value) => `Default ${JSON.stringify(value)}.`],
];
/** Limits that say nothing (a number's natural bounds, one character at least) are left out. */
const telling = (keyword: string, value: unknown): boolean =>
  !(keyword === 'minLength' && value === 1) && !(keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER);
const limitsOf = (schema: JsonSchema): string =>
  [
    ...LIMITS.filter(([keyword]) => schema[keyword] !== undefined && telling(keyword, schema[keyword])).map(
      ([keyword, words]) => words(schema[keyword]),
    ),
    ...known(schema),
  ].join(' ');

/** An enum to which values may come: its known values beside any string. */
const known = ({ anyOf = [] }: JsonSchema): string[] =>
  (anyOf as JsonSchema[]).flatMap((one) => (Array.isArray(one.enum) ? [`Known values: ${one.enum.join(', ')}.`] : []));
