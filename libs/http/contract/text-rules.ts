import { didYouMean, parseInstant, parseUrl } from '../../kernel/index.js';

/** Why text cannot be stored or compared safely, or null. Postgres refuses NUL; a lone surrogate has no UTF-8 form. */
export function brokenText(text: string): string | null {
  if (text.includes('\u0000')) return 'must not hold the character NUL';
  return text.isWellFormed() ? null : 'must be well-formed Unicode: it holds half of a surrogate pair';
}

/** Length as JSON Schema counts it: code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,253}$/u;

/** The formats that are checked, not merely documented; both validators use these very functions. */
export const FORMATS = {
  /** RFC 3339 with a zone. */
  'date-time': (text: string) => parseInstant(text) !== null,
  date: (text: string) => text.length === 10 && parseInstant(`${text}T00:00:00Z`) !== null,
  uuid: (text: string) => UUID.test(text),
  /** A shape check only; a reference's own rules decide. */
  email: (text: string) => EMAIL.test(text),
  /** Absolute, by the WHATWG rules. */
  uri: (text: string) => /^[a-z][a-z0-9+.-]*:/i.test(text) && parseUrl(text) !== null,
} as const satisfies Record<string, (text: string) => boolean>;
export type TextFormat = keyof typeof FORMATS;

export const FORMAT_MESSAGES: Record<TextFormat, string> = {
  'date-time': 'must be an RFC 3339 timestamp with a zone, such as 2026-11-21T12:00:00.000Z',
  date: 'must be a date of the calendar, such as 2026-11-21',
  uuid: 'must be a UUID',
  email: 'must be an e-mail address',
  uri: 'must be an absolute URL',
};

export interface TextRule {
  minLength: number;
  maxLength: number;
  pattern?: string;
  /** What the pattern asks for, to be read after "must be": `a slug of lower-case letters`. */
  patternHint?: string;
  /** A proposal for a value that the pattern refuses, for the end of the issue. */
  meant?: (value: string) => string;
  /** Why a value that fits the pattern is refused, or null. */
  refuses?: (value: string) => string | null;
  format?: TextFormat;
  values?: readonly string[];
}

const compiled = new Map<string, RegExp>();
export function patternOf(source: string): RegExp {
  let pattern = compiled.get(source);
  if (!pattern) compiled.set(source, (pattern = new RegExp(source, 'u')));
  return pattern;
}

/** Longest list that a message repeats, in characters; of a longer one it says where it stands. */
const NAMED_LENGTH_MAX = 700;

export function oneOfMessage(values: readonly unknown[], given: unknown): string {
  const named = values.join(', ');
  const which = named.length > NAMED_LENGTH_MAX ? `the ${values.length} values that /docs lists` : named;
  return `must be one of ${which}${typeof given === 'string' ? didYouMean(given, values.map(String)) : ''}`;
}

/** Longest value for which a proposal is made. */
const MEANT_LENGTH_MAX = 60;

/** Why a value is not such a text, or null. Length comes before the pattern, so that no pattern ever sees long input. */
export function textProblem(value: unknown, rule: TextRule): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (rule.values) return rule.values.includes(value) ? null : oneOfMessage(rule.values, value);
  const length = codePoints(value);
  if (length > rule.maxLength)
    return `must be at most ${rule.maxLength} characters long${length <= MEANT_LENGTH_MAX ? (rule.meant?.(value) ?? '') : ''}`;
  if (length < rule.minLength)
    return rule.minLength === 1 ? 'must not be empty' : `must be at least ${rule.minLength} characters long`;
  const broken = brokenText(value);
  if (broken) return broken;
  if (rule.pattern && !patternOf(rule.pattern).test(value))
    return `must be ${rule.patternHint ?? `of the form ${rule.pattern}`}${rule.meant?.(value) ?? ''}`;
  if (rule.format && !FORMATS[rule.format](value)) return FORMAT_MESSAGES[rule.format];
  return rule.refuses?.(value) ?? null;
}
