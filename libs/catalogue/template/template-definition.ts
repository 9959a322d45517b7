import { countryOf } from '../../kernel/index.js';
import type { Texts } from '../texts/texts.js';

export type { Texts } from '../texts/texts.js';

export const FIELD_KINDS = ['TOGGLE', 'SELECT', 'MULTI_SELECT', 'NUMBER', 'DATE', 'TEXT', 'FREQUENCY'] as const;
export const FREQUENCIES = ['IMMEDIATE', 'DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY'] as const;
export const DOUBLE_OPT_IN = ['NONE', 'REQUIRED', 'IF_UNVERIFIED'] as const;
/**
 * Which kind of identifier must be verified for a channel to count as verified. NONE: the person needs no verification
 * there.
 */
export const VERIFICATIONS = ['EMAIL', 'PHONE', 'NONE'] as const;
/** A site may add its own channels: `custom.<slug>`. */
export const CHANNELS = ['email', 'sms', 'push', 'in_app', 'phone', 'post', 'whatsapp', 'rcs', 'web'] as const;

export type FieldKind = (typeof FIELD_KINDS)[number];
export type Frequency = (typeof FREQUENCIES)[number];
export type DoubleOptIn = (typeof DOUBLE_OPT_IN)[number];

const matching =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

/** Formats of a TEXT field. A closed list, because an operator's own pattern could be slow. */
export const TEXT_PATTERNS = {
  DIGITS: { fits: matching(/^[0-9]+$/), saying: 'must hold digits only' },
  LETTERS_AND_DIGITS: { fits: matching(/^[\p{L}\p{N}]+$/u), saying: 'must hold letters and digits only' },
  POSTAL_CODE: { fits: matching(/^[A-Za-z0-9][A-Za-z0-9 -]{1,11}$/), saying: 'must be a postal code' },
  /** Stored as sent. */
  COUNTRY: {
    fits: (text: string): boolean => countryOf(text) !== null,
    saying: 'must be a country, ISO 3166-1, in two upper-case letters',
  },
  LANGUAGE: { fits: matching(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/), saying: 'must be a language tag' },
} as const;
export type TextPattern = keyof typeof TEXT_PATTERNS;

/** Value of a typed field; null clears it. */
export type FieldValue = boolean | string | number | readonly string[] | null;

export interface TemplateOption {
  value: string;
  label: Texts;
}

/**
 * Limits of a value. NUMBER: `min`, `max`, `whole`. MULTI_SELECT: `min`, `max` choices. TEXT: `maxLength` code points,
 * `pattern`.
 */
export interface FieldValidation {
  min?: number;
  max?: number;
  whole?: boolean;
  maxLength?: number;
  pattern?: TextPattern;
}

export interface TemplateField {
  key: string;
  kind: FieldKind;
  label: Texts;
  help: Texts | null;
  /** Set together or not at all: then the field is a topic of a channel, and a TOGGLE. */
  channel: string | null;
  topic: string | null;
  /** The purpose that the field's values serve. */
  purposeKey: string | null;
  /** The choices of SELECT and MULTI_SELECT; the frequencies of FREQUENCY, and of a topic that has some. */
  options: readonly TemplateOption[];
  /** Shown until the person answers; never counts as an answer. */
  default: FieldValue;
  /** Whether a typed field cannot be cleared again. */
  required: boolean;
  doubleOptIn: DoubleOptIn;
  validation: FieldValidation;
}

export interface TemplateChannel {
  key: string;
  label: Texts;
  verification: (typeof VERIFICATIONS)[number];
}

export interface TemplateSection {
  key: string;
  title: Texts;
  fields: readonly TemplateField[];
}

/** The preference template as its operator wrote it. */
export interface TemplateDefinition {
  defaultLocale: string;
  channels: readonly TemplateChannel[];
  sections: readonly TemplateSection[];
}

export const fieldsOf = (definition: TemplateDefinition): TemplateField[] =>
  definition.sections.flatMap(({ fields }) => fields);
