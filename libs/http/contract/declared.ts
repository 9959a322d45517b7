import type { Issue } from '../../kernel/index.js';
import type { Contract } from './operation.js';

/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. Names that begin with `x-` are ours and never published. */
export type JsonSchema = { [keyword: string]: unknown };

/** Most issues that are reported: enough to fix a form, and few enough for a small answer. */
export const ISSUES_MAX = 20;

/** Gathers issues up to the limit; checks stop as soon as it is full. */
export class Found {
  readonly issues: Issue[] = [];
  constructor(private readonly limit = ISSUES_MAX) {}
  get full(): boolean {
    return this.issues.length >= this.limit;
  }
  get count(): number {
    return this.issues.length;
  }
  add(path: string, message: string): void {
    if (!this.full && !this.issues.some((known) => known.path === path && known.message === message))
      this.issues.push({ path, message });
  }
}

/** A path with one more key: the caller's own name, shortened and printable. */
export function childPath(parent: string, key: string): string {
  const printable = key.slice(0, 64).toWellFormed();
  const shown = printable.replace(/\p{Cc}/gu, '\ufffd');
  return parent === '' ? shown : `${parent}.${shown}`;
}

/** The declaration of one field. */
export interface Field {
  name: string;
  optional: boolean;
  /** Kind of the declaration, for reading query strings. */
  kind: 'text' | 'whole' | 'numeric' | 'flag' | 'list' | 'object' | 'map' | 'free' | 'any';
  /** `ref` turns a declared class into a reference to its schema. */
  schema: (ref: (contract: Contract) => JsonSchema) => JsonSchema;
  /** Explains what is wrong with a value that is present. */
  check: (value: unknown, path: string, found: Found) => void;
  /** Operators get it masked, see FieldOptions. */
  masked?: true | 'BY_KIND';
  /** For objects and lists of objects: what they hold. */
  holds?: () => Contract;
}

const own = new WeakMap<object, Field[]>();
const complete = new WeakMap<object, Map<string, Field>>();

/**
 * Notes a field of a class. Throws where a bundler has renamed the class (`SiteDto$1`) because its name is used twice in
 * the program, since schemas are named after classes. `npm run build` loads every class, so such a name fails the build.
 */
export function declare(prototype: object, field: Field): void {
  const { name } = prototype.constructor;
  if (name.includes('$'))
    throw new Error(
      `The class ${name} declares fields, and something else is called ${name.split('$')[0]}, too. Rename one of them: schemas are called after classes.`,
    );
  const fields = own.get(prototype) ?? [];
  own.set(prototype, [...fields.filter((known) => known.name !== field.name), field]);
}

/** Every field of a class, those of its parents first. */
export function fieldsOf(contract: Contract): Map<string, Field> {
  let fields = complete.get(contract);
  if (!fields) {
    const chain: object[] = [];
    for (let at: object | null = contract.prototype as object; at; at = Object.getPrototypeOf(at) as object | null)
      chain.unshift(at);
    fields = new Map(chain.flatMap((at) => own.get(at) ?? []).map((field) => [field.name, field]));
    complete.set(contract, fields);
  }
  return fields;
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Explains everything that is wrong with a value, up to the limit of `found`. */
export function checkDeclared(contract: Contract, value: unknown, path: string, found: Found): void {
  if (!isJsonObject(value)) return found.add(path, 'must be an object');
  const fields = fieldsOf(contract);
  for (const field of fields.values()) {
    if (found.full) return;
    const at = childPath(path, field.name);
    if (Object.hasOwn(value, field.name)) field.check(value[field.name], at, found);
    else if (!field.optional) found.add(at, 'is required');
  }
  for (const key of Object.keys(value)) {
    if (found.full) return;
    if (!fields.has(key)) found.add(childPath(path, key), unknownField(key, fields.keys()));
  }
}

export function unknownField(key: string, known: Iterable<string>): string {
  const close = nearest(key, known);
  return close ? `is not a known field; did you mean "${close}"?` : 'is not a known field';
}

/** The known name within two edits (a swap of neighbours counts as one), if any. */
function nearest(key: string, known: Iterable<string>): string | null {
  if (key.length > 40) return null;
  let best: string | null = null;
  let least = Math.min(3, Math.ceil(key.length / 2));
  for (const name of known) {
    const edits = name.toLowerCase() === key.toLowerCase().replaceAll('_', '') ? 0 : distance(key, name);
    if (edits < least) [least, best] = [edits, name];
  }
  return best;
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows = [Array.from({ length: b.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, rows[i - 2]![j - 2]! + 1);
      row.push(edits);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
