import type { TextFormat } from './text-rules.js';
import type { JsonSchema } from './declared.js';
import type { Contract } from './operation.js';

/** What every declaration may say. */
export interface FieldOptions {
  description: string;
  example?: unknown;
  /** The field may be left out. */
  optional?: boolean;
  /** The field may be null. */
  nullable?: boolean;
  /**
   * Names a person: operators get it masked. BY_KIND: where `kind` beside it is a kind of identifier.
   */
  masked?: true | 'BY_KIND';
  /** Documented only: the code that reads the field fills it in. */
  default?: unknown;
}

export interface TextOptions extends FieldOptions {
  /** Code points. */
  maxLength: number;
  /** Default 1: an empty string is hardly ever meant. */
  minLength?: number;
  /** Anchored regular expression, read with the `u` flag; keep it linear. */
  pattern?: string;
  /** What the pattern asks for, to be read after "must be": `a slug of lower-case letters`. */
  patternHint?: string;
  /** A proposal for a value that the pattern refuses: `; did you mean "DE"?`, or empty. */
  meant?: (value: string) => string;
  /** Why a value that fits the pattern is refused, or null. For rules that no pattern can say, such as a list of codes. */
  refuses?: (value: string) => string | null;
  format?: TextFormat;
  /** Well-known values where others are allowed too; documented only. */
  enumHint?: readonly string[];
}

export interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
}

/** Constraints of the strings in a list or map. */
export interface ElementText {
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  patternHint?: string;
  format?: TextFormat;
  values?: readonly string[];
}

export interface ListOptions extends FieldOptions {
  minItems?: number;
  maxItems: number;
  of?: ElementText;
}

export interface MapOptions extends FieldOptions {
  maxKeys: number;
  keys?: { maxLength?: number; pattern?: string; patternHint?: string; description?: string };
  of?: ElementText;
}

export interface FreeOptions extends FieldOptions {
  maxKeys: number;
  maxBytes: number;
  /** Default 4. */
  depth?: number;
}

export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';
export interface AnyOptions extends FieldOptions {
  /** Which JSON types are taken; all by default. */
  types?: readonly JsonType[];
  /** Schema of the items of a list; anything by default. For answers only: bodies are not checked against it. */
  items?: JsonSchema;
  /** Default 4096. */
  maxBytes?: number;
  /** Default 4. */
  depth?: number;
}

/** A class, a class that is declared further down (as a function), or plain strings or whole numbers. */
export type Element = () => Contract | 'string' | 'integer' | 'boolean';

/** Adds what all declarations share to a field's schema. */
export function described(schema: JsonSchema, options: FieldOptions): JsonSchema {
  const whole = options.nullable ? nullable(schema) : schema;
  return {
    ...whole,
    description: options.description,
    ...(options.default === undefined ? {} : { default: options.default }),
    ...(options.example === undefined ? {} : { examples: [options.example] }),
  };
}

function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {}),
  };
}
