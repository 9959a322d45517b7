import { nearest } from '../../kernel/index.js';
import { TEXT_PATTERNS, type TemplateField } from './template-definition.js';

/** Code points of a TEXT field without `maxLength`. */
export const TEXT_LENGTH = 500;

/** Why a value does not fit. Names only parts of the template, never the sent value, which may be personal. */
export interface ValueProblem {
  message: string;
  hint: string;
}

/** Null if the field accepts the value. */
export function valueProblem(field: TemplateField, value: unknown): ValueProblem | null {
  if (value !== null || field.topic !== null) return problems[field.kind](field, value);
  return field.required
    ? { message: 'is required and cannot be cleared', hint: 'Send a value instead of null.' }
    : null;
}

/** Null if a topic can come this often; its options are its frequencies. */
export function frequencyProblem(field: TemplateField, value: unknown): ValueProblem | null {
  if (field.topic === null || field.options.length === 0)
    return {
      message: 'is not taken here',
      hint: 'Leave the frequency out: only a topic whose options are frequencies has one.',
    };
  return value === null ? null : oneOption(field, value);
}

const problems: Record<TemplateField['kind'], (field: TemplateField, value: unknown) => ValueProblem | null> = {
  TOGGLE: (_, value) =>
    typeof value === 'boolean' ? null : { message: 'must be true or false', hint: 'Send true or false, not as text.' },
  SELECT: oneOption,
  FREQUENCY: oneOption,
  MULTI_SELECT: someOptions,
  NUMBER: numberProblem,
  DATE: (_, value) =>
    typeof value === 'string' && isDate(value)
      ? null
      : { message: 'must be a date of the calendar', hint: 'Send it as YYYY-MM-DD, for example "1990-12-31".' },
  TEXT: textProblem,
};

function oneOption({ options }: TemplateField, value: unknown): ValueProblem | null {
  const values = options.map((option) => option.value);
  if (typeof value !== 'string')
    return { message: 'must be one of the options of the field, as text', hint: `Send one of: ${listed(values)}.` };
  if (values.includes(value)) return null;
  const near = nearest(value, values);
  return {
    message: 'is not one of the options of the field',
    hint: near === null ? `Send one of: ${listed(values)}.` : `Did you mean "${near}"?`,
  };
}

function someOptions(field: TemplateField, value: unknown): ValueProblem | null {
  const { options, required, validation } = field;
  const { min = required ? 1 : 0, max = options.length } = validation;
  if (!Array.isArray(value))
    return { message: 'must be a list of options', hint: `Send a list, for example ["${options[0]?.value}"].` };
  if (value.length < min || value.length > max)
    return {
      message: `must hold ${min} to ${max} options`,
      hint: `Send ${min} to ${max} of: ${listed(options.map((option) => option.value))}.`,
    };
  if (new Set(value).size !== value.length) return { message: 'holds an option twice', hint: 'Send each option once.' };
  for (const one of value as unknown[]) {
    const problem = oneOption(field, one);
    if (problem) return { ...problem, message: `holds something that ${problem.message}` };
  }
  return null;
}

function numberProblem({ validation: { min, max, whole } }: TemplateField, value: unknown): ValueProblem | null {
  const wanted = `${whole ? 'a whole number' : 'a number'}${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` up to ${max}`}`;
  const fits =
    typeof value === 'number' &&
    (!whole || Number.isSafeInteger(value)) &&
    value >= (min ?? -Number.MAX_VALUE) &&
    value <= (max ?? Number.MAX_VALUE);
  return fits ? null : { message: `must be ${wanted}`, hint: `Send ${wanted}, not as text.` };
}

function textProblem(
  { validation: { maxLength = TEXT_LENGTH, pattern } }: TemplateField,
  value: unknown,
): ValueProblem | null {
  const hint = `Send text of at most ${maxLength} characters, or null to clear the field.`;
  if (typeof value !== 'string') return { message: 'must be text', hint };
  // First bound the length in UTF-16, so that counting code points is bounded.
  if (value === '' || value.length > 2 * maxLength || [...value].length > maxLength)
    return { message: `must be 1 to ${maxLength} characters long`, hint };
  // eslint-disable-next-line no-control-regex -- line breaks and tabs are text; other control characters are not
  if (!value.isWellFormed() || /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value))
    return { message: 'must not hold control characters or halves of a character', hint };
  if (pattern === undefined || TEXT_PATTERNS[pattern].fits(value)) return null;
  return { message: TEXT_PATTERNS[pattern].saying, hint: `The text ${TEXT_PATTERNS[pattern].saying}.` };
}

/** A day of the years 0001 to 9999. JavaScript would take the 30th of February for the 1st of March. */
function isDate(text: string): boolean {
  if (text.length !== 10 || text.startsWith('0000')) return false;
  const midnight = `${text}T00:00:00.000Z`;
  return new Date(midnight).toJSON() === midnight;
}

/** The first ten, since people read hints. */
const listed = (values: readonly string[]): string =>
  `${values
    .slice(0, 10)
    .map((value) => `"${value}"`)
    .join(', ')}${values.length > 10 ? ` and ${values.length - 10} others` : ''}`;
