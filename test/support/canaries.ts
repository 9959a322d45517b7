import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { canonicalJson } from '../../libs/kernel/canonical-json.js';
import type { ServedDocument, ServedOperation } from './openapi.js';
import type { Ask } from './world.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- schemas and bodies as they come */

/** A text that stands nowhere else, and whose it is. */
export interface Canary {
  text: string;
  owner: string;
  /** Whether it is kept, sealed: then it must be found before the erasure, or the search proves nothing. */
  kept: boolean;
}

const digits = (count: number): string => Array.from(randomBytes(count), (byte) => byte % 10).join('');
const MAKE = {
  word: () => `q${randomBytes(6).toString('hex')}`,
  /** Fits into a subtag of a language tag. */
  tag: () => `q${randomBytes(4).toString('hex').slice(1)}`,
  hex: () => randomBytes(16).toString('hex'),
  uuid: () => randomUUID() as string,
  phone: () => `+49151${digits(9)}`,
} as const;

/** The canaries of one world, and in which inputs they were sent. */
export class Canaries {
  readonly all: Canary[] = [];
  /** `<operationId> <place>`, as `freeTexts` names them. */
  readonly planted = new Set<string>();
  /** What a plain hash of a request or of its key would be: whoever guesses the text could prove it by these. */
  private readonly provable: string[] = [];

  constructor(
    private readonly document: ServedDocument,
    private readonly scope: { site: string; env: string },
  ) {}

  of(owner: string, make: keyof typeof MAKE = 'word', kept = true): string {
    const text = MAKE[make]();
    this.all.push({ text, owner, kept });
    return text;
  }

  /** Sent, but refused or not kept: nobody may find it anywhere, ever. */
  lost(make: keyof typeof MAKE = 'word'): string {
    return this.of('nobody', make, false);
  }

  /** Which of these, or of what proves a guess of them, stand in a text; in clear or in an encoding of it. */
  foundIn(place: string, text: string, wanted: (canary: Canary) => boolean = () => true): string[] {
    const meanings = new Map<string, string>();
    for (const hash of this.provable) meanings.set(hash, `a plain hash of a request or key (${hash})`);
    for (const canary of this.all.filter(wanted))
      for (const spelling of spellings(canary.text))
        meanings.set(spelling.toLowerCase(), `${canary.owner}: ${canary.text} as ${spelling}`);
    return occurring([...meanings.keys()], text.toLowerCase()).map((found) => `${meanings.get(found)!} in ${place}`);
  }

  /** Notes where a request carries canaries. */
  note(method: string, path: string, { body, headers = {} }: Ask): void {
    const [pathname, query = ''] = path.split('?') as [string, string?];
    const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
    if (typeof key === 'string') this.provable.push(sha256(`${this.scope.site}\u001f${this.scope.env}\u001f${key}`));
    if (body !== undefined)
      this.provable.push(sha256(`${method} ${decodeURIComponent(pathname)}\n${canonicalJson(body)}`));
    const known = operationAt(this.document, method, pathname);
    if (!known) return;
    const { operation, segments } = known;
    const at = (place: string, value: unknown): void =>
      void (this.holds(value) && this.planted.add(`${operation.operationId} ${place}`));
    for (const [name, value] of Object.entries(segments)) at(`path ${name}`, decodeURIComponent(value));
    for (const [name, value] of new URLSearchParams(query)) at(`query ${name}`, value);
    for (const [name, value] of Object.entries(headers)) at(`header ${name.toLowerCase()}`, value);
    const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
    if (schema && body !== undefined)
      for (const [place, value] of leaves(this.document, schema, body, 'body')) at(place, value);
  }

  private holds(value: unknown): boolean {
    const text = typeof value === 'string' ? value.toLowerCase() : '';
    return this.all.some((canary) => text.includes(canary.text));
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** No text that is looked for is shorter. */
const BEGINNING_LENGTH = 6;

/** Which of the texts stand somewhere in another one. One walk for all of them: thousands are looked for in megabytes. */
function occurring(wanted: readonly string[], searched: string): string[] {
  const byBeginning = new Map<string, string[]>();
  for (const each of wanted) {
    if (each.length < BEGINNING_LENGTH) throw new Error(`${each} is too short to be looked for`);
    const beginning = each.slice(0, BEGINNING_LENGTH);
    byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), each]);
  }
  const found = new Set<string>();
  for (let at = 0; at + BEGINNING_LENGTH <= searched.length; at++)
    for (const each of byBeginning.get(searched.slice(at, at + BEGINNING_LENGTH)) ?? [])
      if (searched.startsWith(each, at)) found.add(each);
  return [...found];
}

const SPELLINGS = new Map<string, string[]>();

/** As it stands, and as other encodings and plain hashes would show it. */
function spellings(text: string): string[] {
  const known = SPELLINGS.get(text);
  if (known) return known;
  const base64 = [0, 1, 2]
    .map((shift) =>
      Buffer.from(`${'x'.repeat(shift)}${text}`)
        .toString('base64')
        .slice(shift === 0 ? 0 : 4, -4),
    )
    .filter((part) => part.length >= 6);
  const hash = createHash('sha256').update(text).digest();
  const all = [
    ...new Set([
      text,
      encodeURIComponent(text),
      Buffer.from(text).toString('hex'),
      ...base64,
      hash.toString('hex'),
      hash.toString('base64url'),
    ]),
  ];
  SPELLINGS.set(text, all);
  return all;
}

/** Every input of the operations about subjects that takes free text, as the document tells them. */
export function freeTexts(
  document: ServedDocument,
  isAboutSubjects: (operation: ServedOperation) => boolean,
): string[] {
  return Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(isAboutSubjects)
    .flatMap((operation) => [
      ...(operation.parameters ?? [])
        .filter(({ schema }) => isFree(resolved(document, schema.items ?? schema)))
        .map(
          ({ name, in: place }) =>
            `${operation.operationId} ${place} ${place === 'header' ? name.toLowerCase() : name}`,
        ),
      ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
        inputs(document, schema, 'body').map((place) => `${operation.operationId} ${place}`),
      ),
    ]);
}

function inputs(document: ServedDocument, schema: any, place: string): string[] {
  const { type, properties, items, anyOf, oneOf } = resolved(document, schema);
  if (anyOf ?? oneOf)
    return [...new Set<string>((anyOf ?? oneOf).flatMap((each: unknown) => inputs(document, each, place)))];
  if (properties)
    return Object.entries(properties).flatMap(([name, member]) => inputs(document, member, `${place}.${name}`));
  if (items && type === 'array') return inputs(document, items, `${place}[]`);
  if (type === 'object') return [`${place} keys`, `${place} values`];
  return isFree(resolved(document, schema)) ? [place] : [];
}

/** What of a body stands at which input. */
function* leaves(document: ServedDocument, schema: any, value: any, place: string): Generator<[string, unknown]> {
  const { type, properties, items, anyOf, oneOf } = resolved(document, schema);
  if (anyOf ?? oneOf) for (const each of anyOf ?? oneOf) yield* leaves(document, each, value, place);
  else if (properties)
    for (const [name, member] of Object.entries(properties))
      if (value?.[name] !== undefined) yield* leaves(document, member, value[name], `${place}.${name}`);
  if (items && Array.isArray(value)) for (const each of value) yield* leaves(document, items, each, `${place}[]`);
  else if (type === 'object' && !properties) for (const text of texts(value)) yield [`${place} ${text.is}`, text.text];
  else if (!properties) yield [place, value];
}

function texts(value: unknown): { is: 'keys' | 'values'; text: string }[] {
  if (typeof value === 'string') return [{ is: 'values', text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(Array.isArray(value) ? [] : [{ is: 'keys' as const, text: name }]),
    ...texts(member),
  ]);
}

const isFree = ({ type, enum: values, const: fixed, format }: any): boolean =>
  (type === undefined || [type].flat().includes('string')) && !values && fixed === undefined && format !== 'date-time';

const resolved = (document: ServedDocument, schema: any): any =>
  schema?.$ref ? resolved(document, document.components.schemas[schema.$ref.split('/').at(-1)]) : schema;

function operationAt(
  document: ServedDocument,
  method: string,
  pathname: string,
): { operation: ServedOperation; segments: Record<string, string> } | null {
  // A fixed path before one with a parameter in its place.
  const templates = Object.entries(document.paths).sort(([a], [b]) => a.split('{').length - b.split('{').length);
  for (const [template, methods] of templates) {
    const match = new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(
      pathname,
    );
    if (match && methods[method.toLowerCase()])
      return { operation: methods[method.toLowerCase()]!, segments: { ...match.groups } };
  }
  return null;
}
