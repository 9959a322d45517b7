import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Issue } from '../../kernel/index.js';
import {
  checkDeclared,
  childPath,
  fieldsOf,
  Found,
  isJsonObject,
  unknownField,
  type Field,
  type JsonSchema,
} from './declared.js';
import { checkFree, PROTOTYPE_KEYS, type FreeRule } from './free-json.js';
import type { Contract } from './operation.js';
import { brokenText, FORMATS, type TextRule } from './text-rules.js';

const objectSchema = (contract: Contract, ref: (contract: Contract) => JsonSchema): JsonSchema => {
  const fields = [...fieldsOf(contract).values()];
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema(ref)])),
    required: fields.filter((field) => !field.optional).map((field) => field.name),
    additionalProperties: false,
  };
};

/** The name of a class in schemas. */
type Naming = (contract: Contract) => string;
const byClassName: Naming = ({ name }) => name;

/** The schemas of a class and of every class it reaches, by name. Two classes of one name are a mistake. */
function gather(roots: readonly Contract[], prefix: string, naming: Naming): Record<string, JsonSchema> {
  const reached = new Map<string, Contract>();
  const definitions: Record<string, JsonSchema> = {};
  const ref = (contract: Contract): JsonSchema => {
    const name = naming(contract);
    const known = reached.get(name);
    if (known && known !== contract) throw new Error(`two contracts are called ${name}`);
    if (!known) {
      reached.set(name, contract);
      definitions[name] = objectSchema(contract, ref);
    }
    return { $ref: `${prefix}${name}` };
  };
  roots.forEach(ref);
  return definitions;
}

/** Removes our own keywords (`x-…`), so that the published schema is plain JSON Schema. */
function published<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map((item: unknown) => published(item)) as T;
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      key.startsWith('x-')
        ? []
        : [[key, key === 'properties' ? mapValues(value as object) : literal(key) ? value : published(value)]],
    ),
  ) as T;
}
/** Keywords whose values hold data, not keywords: an example may hold a member called `x-something`. */
const literal = (keyword: string): boolean => ['examples', 'default', 'enum', 'const'].includes(keyword);
const mapValues = (properties: object): JsonSchema =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, published(schema)]));

/** Published schemas of these classes and all they reach, referring to each other as `<prefix><name>`. */
export const definitionsOf = (
  roots: readonly Contract[],
  prefix = '#/$defs/',
  naming: Naming = byClassName,
): Record<string, JsonSchema> => published(gather(roots, prefix, naming));

/** The published schema of one class: JSON Schema 2020-12, self-contained. */
export const schemaOf = (contract: Contract): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $ref: `#/$defs/${contract.name}`,
  $defs: definitionsOf([contract]),
});

const quiet = (check: (found: Found) => void): boolean => {
  const found = new Found(1);
  check(found);
  return found.count === 0;
};

/** One engine for all contracts, made at the first use. One for each took a fifth of a start's processor time, and 8 MB. */
let engine: Ajv2020 | null = null;

function newEngine(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    allowUnionTypes: true,
    strictRequired: false,
    ownProperties: true,
    messages: false,
    inlineRefs: true,
  });
  for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate);
  ajv.addKeyword({ keyword: 'x-text', type: 'string', validate: (_: true, text: string) => brokenText(text) === null });
  ajv.addKeyword({
    keyword: 'x-refuses',
    type: 'string',
    validate: (refuses: NonNullable<TextRule['refuses']>, text: string) => refuses(text) === null,
  });
  ajv.addKeyword({
    keyword: 'x-key',
    type: 'string',
    validate: (_: true, key: string) => !PROTOTYPE_KEYS.includes(key),
  });
  ajv.addKeyword({
    keyword: 'x-free',
    validate: (rule: FreeRule, value: unknown) => quiet((found) => checkFree(value, rule, '', found)),
  });
  return ajv;
}

const compiled = new WeakMap<Contract, (value: unknown) => Issue[]>();

/**
 * The compiled check of a class, made at its first use. The schema decides, and stops at the first fault, so that a
 * hostile body costs no more than a good one. After a fault the value is walked to explain up to ISSUES_MAX faults. No
 * message repeats a value.
 */
export function compile(contract: Contract): (value: unknown) => Issue[] {
  let check = compiled.get(contract);
  if (!check) {
    engine ??= newEngine();
    const accepts = engine.compile({
      $ref: `#/$defs/${contract.name}`,
      $defs: gather([contract], '#/$defs/', byClassName),
    });
    check = (value) => {
      if (accepts(value)) return [];
      const found = new Found();
      checkDeclared(contract, value, '', found);
      const at = accepts.errors?.[0]?.instancePath ?? '';
      return found.count > 0 ? found.issues : [{ path: at.slice(1).replaceAll('/', '.'), message: 'is not valid' }];
    };
    compiled.set(contract, check);
  }
  return check;
}

/** The same check by class-validator, from the decorators themselves: twenty times slower. */
export function validateDeclared(contract: Contract, value: unknown): Issue[] {
  if (!isJsonObject(value)) return [{ path: '', message: 'must be an object' }];
  const found = new Found();
  const instance = plainToInstance(contract as new () => object, withoutPrototypeKeys(value));
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    skipMissingProperties: false,
  });
  flatten(contract, errors, '', found);
  prototypeKeys(contract, value, '', found);
  return found.issues;
}

type Check = (value: unknown, path: string, found: Found) => void;

function flatten(contract: Contract | undefined, errors: ValidationError[], parent: string, found: Found): void {
  for (const error of errors) {
    const fields = contract ? fieldsOf(contract) : new Map<string, Field>();
    const at =
      /^\d+$/.test(error.property) && !contract ? `${parent}[${error.property}]` : childPath(parent, error.property);
    const names = Object.keys(error.constraints ?? {});
    if (names.includes('whitelistValidation')) found.add(at, unknownField(error.property, fields.keys()));
    else if (names.length > 0) explain(error, names, at, found);
    const holds = fields.get(error.property)?.holds?.();
    const sized = names.some((name) => name !== 'items');
    if (error.children?.length && !sized) descend(holds ?? contract, error, at, found);
  }
}

/** Descends into errors. Children of a list are numbered and have no class; those of an object are its fields. */
function descend(contract: Contract | undefined, error: ValidationError, at: string, found: Found): void {
  if (!Array.isArray(error.value)) return flatten(contract, error.children!, at, found);
  for (const item of error.children!)
    if (isJsonObject(error.value[Number(item.property)]))
      flatten(contract, item.children ?? [], `${at}[${item.property}]`, found);
}

function explain(error: ValidationError, names: string[], at: string, found: Found): void {
  const checks = names.map((name) => (error.contexts?.[name] as { check?: Check } | undefined)?.check);
  const before = found.count;
  if (checks.every(Boolean)) for (const check of checks) check!(error.value, at, found);
  if (found.count === before)
    found.add(at, error.value === undefined ? 'is required' : Object.values(error.constraints!)[0]!);
}

/** Keys that class-transformer must not see: it drops `__proto__` and `toString` in silence, and crashes on `constructor`. */
const inherited = (key: string): boolean => key in Object.prototype;

function withoutPrototypeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inherited(key) ? [] : [[key, withoutPrototypeKeys(inner)]])),
  );
}

/** Issues for the keys that the copy lacks: unknown fields in a declared object, refused keys in a free one. */
function prototypeKeys(contract: Contract, value: unknown, path: string, found: Found): void {
  if (!isJsonObject(value)) return;
  const fields = fieldsOf(contract);
  for (const key of Object.keys(value)) if (inherited(key)) found.add(childPath(path, key), 'is not a known field');
  for (const field of fields.values()) {
    const at = childPath(path, field.name);
    const inner = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (typeof inner !== 'object' || inner === null) continue;
    if (!field.holds) field.check(inner, at, found);
    else if (field.kind === 'list')
      (Array.isArray(inner) ? inner : []).forEach((item, i) =>
        prototypeKeys(field.holds!(), item, `${at}[${i}]`, found),
      );
    else prototypeKeys(field.holds(), inner, at, found);
  }
}
