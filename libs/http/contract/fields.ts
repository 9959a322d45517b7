// The decorators need it, and any contract may be the first module that is loaded.
import 'reflect-metadata';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { checkDeclared, childPath, declare, Found, isJsonObject, type Field, type JsonSchema } from './declared.js';
import {
  described,
  type AnyOptions,
  type Element,
  type ElementText,
  type FieldOptions,
  type FreeOptions,
  type JsonType,
  type ListOptions,
  type MapOptions,
  type NumberOptions,
  type TextOptions,
} from './field-options.js';
import { checkFree, PROTOTYPE_KEYS } from './free-json.js';
import type { Contract } from './operation.js';
import { oneOfMessage, textProblem, type TextRule } from './text-rules.js';

export { compile, schemaOf, definitionsOf, validateDeclared } from './contract.js';
export type { JsonSchema } from './declared.js';
export type { TextFormat } from './text-rules.js';

/*
 * One decorator per field declares it three times at once: to class-validator and class-transformer (the declared
 * contract), as JSON Schema (the published one, compiled for the hot path), and as a check that can explain itself.
 * A corpus in fields.spec.ts is fed to both validators, which must agree.
 */

type Declared = Omit<Field, 'name' | 'optional'>;

function field(options: FieldOptions, declared: Declared, decorators: PropertyDecorator[]): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const check: Field['check'] = (value, path, found) => {
      if (!(value === null && options.nullable)) declared.check(value, path, found);
    };
    declare(prototype, {
      ...declared,
      name,
      check,
      optional: options.optional === true,
      ...(options.masked && { masked: options.masked }),
      schema: (ref) => described(declared.schema(ref), options),
    });
    if (options.optional) ValidateIf((object: Record<string, unknown>) => object[name] !== undefined)(prototype, key);
    if (options.nullable) ValidateIf((object: Record<string, unknown>) => object[name] !== null)(prototype, key);
    for (const decorate of decorators) decorate(prototype, key);
  };
}

/** A class-validator constraint out of a check; the check is kept as context, so that each issue keeps its own path. */
export type PathsOf = (value: unknown, path: string, found: Found) => void;
const byCheck = (name: string, check: PathsOf): PropertyDecorator =>
  ValidateBy(
    {
      name,
      validator: {
        validate: (value) => {
          const found = new Found(1);
          check(value, '', found);
          return found.count === 0;
        },
      },
    },
    { message: 'is not valid', context: { check } },
  );

/** Keeps the value as it was sent: class-transformer would copy it and drop keys such as `constructor` in silence. */
const asSent = Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]);

function textSchema(rule: TextRule): JsonSchema {
  if (rule.values) return { type: 'string', enum: [...rule.values] };
  return {
    type: 'string',
    ...(rule.minLength > 0 ? { minLength: rule.minLength } : {}),
    maxLength: rule.maxLength,
    ...(rule.pattern ? { pattern: rule.pattern } : {}),
    ...(rule.format ? { format: rule.format } : {}),
    ...(rule.refuses ? { 'x-refuses': rule.refuses } : {}),
    'x-text': true,
  };
}

const textRule = (text: ElementText): TextRule => ({ minLength: 1, maxLength: 255, ...text });
const single =
  (problem: (value: unknown) => string | null) =>
  (value: unknown, path: string, found: Found): void => {
    const message = problem(value);
    if (message) found.add(path, message);
  };

/** A string of bounded length. */
export function Text(options: TextOptions): PropertyDecorator {
  const { minLength = 1, maxLength, pattern, patternHint, meant, refuses, format } = options;
  const rule: TextRule = { minLength, maxLength, pattern, patternHint, meant, refuses, format };
  const check = single((value) => textProblem(value, rule));
  const hint = options.enumHint
    ? `${options.description} Well-known values: ${options.enumHint.join(', ')}.`
    : options.description;
  return field({ ...options, description: hint }, { kind: 'text', schema: () => textSchema(rule), check }, [
    IsString(),
    ...(rule.pattern ? [Matches(new RegExp(rule.pattern, 'u'))] : []),
    byCheck('text', check),
  ]);
}

/** An RFC 3339 timestamp with a zone; kernel `parseInstant` brings it into our one form. */
export const Timestamp = (options: FieldOptions): PropertyDecorator =>
  Text({ example: '2026-11-21T12:00:00.000Z', ...options, maxLength: 40, format: 'date-time' });

/** One of a closed list of strings. */
export function OneOf(values: readonly string[], options: FieldOptions): PropertyDecorator {
  const check = single((value) => (values.includes(value as string) ? null : oneOfMessage(values, value)));
  return field(options, { kind: 'text', schema: () => ({ type: 'string', enum: [...values] }), check }, [
    IsIn([...values]),
  ]);
}

function numberField(type: 'integer' | 'number', options: NumberOptions): PropertyDecorator {
  const {
    min = type === 'integer' ? 0 : -Number.MAX_VALUE,
    max = type === 'integer' ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE,
  } = options;
  const bounds = {
    ...(min > -Number.MAX_VALUE ? { minimum: min } : {}),
    ...(max < Number.MAX_VALUE ? { maximum: max } : {}),
  };
  const check = single((value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
    if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
    if (value < min) return `must be at least ${min}`;
    return value > max ? `must be at most ${max}` : null;
  });
  return field(
    options,
    { kind: type === 'integer' ? 'whole' : 'numeric', schema: () => ({ type, ...bounds }), check },
    [type === 'integer' ? IsInt() : IsNumber(), Min(min), Max(max)],
  );
}

/** A whole number; from 0 unless `min` says otherwise. */
export const Whole = (options: NumberOptions): PropertyDecorator => numberField('integer', options);
/** Any finite number. */
export const Numeric = (options: NumberOptions): PropertyDecorator => numberField('number', options);

/** true or false. */
export function Flag(options: FieldOptions): PropertyDecorator {
  const check = single((value) => (typeof value === 'boolean' ? null : 'must be true or false'));
  return field(options, { kind: 'flag', schema: () => ({ type: 'boolean' }), check }, [IsBoolean()]);
}

/** An object of a declared class. */
export function Nested(of: () => Contract, options: FieldOptions): PropertyDecorator {
  const check: PathsOf = (value, path, found) => checkDeclared(of(), value, path, found);
  return field(options, { kind: 'object', schema: (ref) => ref(of()), check, holds: of }, [
    Type(of as () => new () => object),
    IsObject(),
    ValidateNested(),
  ]);
}

const elementSchema = (
  element: ReturnType<Element>,
  of: ElementText,
  ref: (contract: Contract) => JsonSchema,
): JsonSchema =>
  element === 'integer' || element === 'boolean'
    ? { type: element }
    : element === 'string'
      ? textSchema(textRule(of))
      : ref(element);

function checkElement(element: ReturnType<Element>, of: ElementText, value: unknown, path: string, found: Found): void {
  if (element === 'integer') return Number.isInteger(value) ? undefined : found.add(path, 'must be a whole number');
  if (element === 'boolean') return typeof value === 'boolean' ? undefined : found.add(path, 'must be true or false');
  if (element !== 'string') return checkDeclared(element, value, path, found);
  const message = textProblem(value, textRule(of));
  if (message) found.add(path, message);
}

/** False also for a class that is declared further down its file, since it does not exist yet. */
function isPlain(of: Element): boolean {
  try {
    return typeof of() === 'string';
  } catch {
    return false;
  }
}

/** A list of objects, strings or whole numbers. A list that is too long is reported once, its items are not looked at. */
export function ListOf(of: Element, options: ListOptions): PropertyDecorator {
  const { minItems = 0, maxItems, of: text = {} } = options;
  const check: PathsOf = (value, path, found) => {
    if (!Array.isArray(value)) return found.add(path, 'must be a list');
    if (value.length > maxItems) return found.add(path, `must hold at most ${maxItems} items`);
    if (value.length < minItems)
      return found.add(path, minItems === 1 ? 'must not be empty' : `must hold at least ${minItems} items`);
    for (let i = 0; i < value.length && !found.full; i++) checkElement(of(), text, value[i], `${path}[${i}]`, found);
  };
  const schema: Field['schema'] = (ref) => ({
    type: 'array',
    ...(minItems > 0 ? { minItems } : {}),
    maxItems,
    items: elementSchema(of(), text, ref),
  });
  const size = [IsArray(), ArrayMinSize(minItems), ArrayMaxSize(maxItems)];
  if (isPlain(of)) return field(options, { kind: 'list', schema, check }, [...size, byCheck('list', check)]);
  const objects = of as () => Contract;
  const items: PathsOf = (value, path, found) => {
    if (Array.isArray(value))
      value.forEach((item, i) => isJsonObject(item) || found.add(`${path}[${i}]`, 'must be an object'));
  };
  return field(options, { kind: 'list', schema, check, holds: objects }, [
    ...size,
    Type(objects as () => new () => object),
    byCheck('items', items),
    ValidateNested({ each: true }),
  ]);
}

/** An object whose keys the caller chooses, such as `purposes: { analytics: {…} }`. */
export function MapOf(of: Element, options: MapOptions): PropertyDecorator {
  const { maxKeys, keys = {}, of: text = {} } = options;
  const key: TextRule = {
    minLength: 1,
    maxLength: keys.maxLength ?? 120,
    ...(keys.pattern ? { pattern: keys.pattern, patternHint: keys.patternHint } : {}),
  };
  const check: PathsOf = (value, path, found) => {
    if (!isJsonObject(value)) return found.add(path, 'must be an object');
    const names = Object.keys(value);
    if (names.length > maxKeys) return found.add(path, `must have at most ${maxKeys} keys`);
    for (const name of names) {
      const problem = PROTOTYPE_KEYS.includes(name)
        ? 'is a name that cannot be used as a key'
        : textProblem(name, key)?.replace('must', 'has a key that must');
      if (problem) found.add(childPath(path, name), problem);
      else checkElement(of(), text, value[name], childPath(path, name), found);
      if (found.full) return;
    }
  };
  const schema: Field['schema'] = (ref) => ({
    type: 'object',
    maxProperties: maxKeys,
    propertyNames: {
      ...textSchema(key),
      'x-key': true,
      ...(keys.description ? { description: keys.description } : {}),
    },
    additionalProperties: elementSchema(of(), text, ref),
  });
  return field(options, { kind: 'map', schema, check }, [asSent, byCheck('map', check)]);
}

/** An object of the caller's own, such as `metadata`: bounded, stored as it came. */
export function FreeObject(options: FreeOptions): PropertyDecorator {
  const rule = { maxKeys: options.maxKeys, maxBytes: options.maxBytes, depth: options.depth ?? 4 };
  const check: PathsOf = (value, path, found) =>
    isJsonObject(value) ? checkFree(value, rule, path, found) : found.add(path, 'must be an object');
  const description = `${options.description} At most ${rule.maxKeys} keys, ${rule.maxBytes} bytes as JSON, ${rule.depth} levels deep.`;
  return field(
    { ...options, description },
    {
      kind: 'free',
      schema: () => ({ type: 'object', maxProperties: rule.maxKeys, additionalProperties: true, 'x-free': rule }),
      check,
    },
    [asSent, IsObject(), byCheck('free', check)],
  );
}

const jsonType = (value: unknown): JsonType =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as JsonType);

/** JSON of several types, such as the value of a preference. */
export function Any(options: AnyOptions): PropertyDecorator {
  const { types, items = {}, maxBytes = 4096, depth = 4 } = options;
  const rule = { maxKeys: 1000, maxBytes, depth };
  const check: PathsOf = (value, path, found) => {
    if (types && !types.includes(jsonType(value))) return found.add(path, `must be of type ${types.join(' or ')}`);
    if (value === undefined) return found.add(path, 'is required');
    checkFree(value, rule, path, found);
  };
  return field(
    { ...options, nullable: false, description: `${options.description} At most ${maxBytes} bytes as JSON.` },
    {
      kind: 'any',
      schema: () => ({
        ...(types && { type: [...types] }),
        ...(types?.includes('array') && { items }),
        'x-free': rule,
      }),
      check,
    },
    [asSent, byCheck('any', check)],
  );
}
