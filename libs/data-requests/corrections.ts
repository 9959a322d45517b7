import { countryOf, isRefusal, refusal, type Reference, type Refusal } from '../kernel/index.js';
import type { Correction } from './events.js';

/** What can be corrected besides identifiers, by the names that stand in the place of a kind of identifier. */
export const OTHER_KINDS = ['country', 'locale', 'preference'] as const;
export const CORRECTIONS_MAX = 20;

/** Reads `<kind>:<value>` by the kinds that the site knows. */
type ReadReference = (text: string) => Reference | Refusal;

const LOCALE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/;
const LOCALE_LENGTH_MAX = 35;

/** Corrections as they were sent, each fit for what it is about and identifiers as they are looked up; or why one is not. */
export function readCorrections(sent: readonly Correction[], reading: ReadReference): Correction[] | Refusal {
  const seen = new Set<string>();
  const read: Correction[] = [];
  for (const [i, each] of sent.entries()) {
    const correction = readOne(each, reading, `corrections[${i}]`);
    if (isRefusal(correction)) return correction;
    const { kind, field, value, replaces } = correction;
    const about = JSON.stringify(isOfSubject(kind) ? [kind, field] : [kind, value, replaces]);
    if (seen.has(about)) return wrong(`corrections[${i}]`, 'is about the same as another one');
    seen.add(about);
    read.push(correction);
  }
  return read;
}

const isOfSubject = (kind: string): boolean => (OTHER_KINDS as readonly string[]).includes(kind);

function readOne(correction: Correction, read: ReadReference, path: string): Correction | Refusal {
  const { kind, value, replaces, field } = correction;
  if (kind === 'preference')
    return field === undefined
      ? wrong(`${path}.field`, 'names the preference, and is missing')
      : replaces === undefined
        ? correction
        : wrong(`${path}.replaces`, 'is of identifiers only');
  if (field !== undefined) return wrong(`${path}.field`, 'is of preferences only');
  if (kind === 'country' || kind === 'locale') {
    if (replaces !== undefined) return wrong(`${path}.replaces`, 'is of identifiers only');
    if (value === null) return correction;
    if (kind === 'country') {
      const country = typeof value === 'string' ? countryOf(value) : null;
      return country === null ? wrong(`${path}.value`, 'is no country, such as AT') : { ...correction, value: country };
    }
    const isLanguage = typeof value === 'string' && value.length <= LOCALE_LENGTH_MAX && LOCALE.test(value);
    return isLanguage ? correction : wrong(`${path}.value`, 'is no language tag, such as de-AT');
  }
  return readIdentifier(correction, read, path);
}

function readIdentifier(
  { kind, value, replaces }: Correction,
  read: ReadReference,
  path: string,
): Correction | Refusal {
  if (value === null && replaces === undefined)
    return wrong(`${path}.value`, 'is what is right; null only beside `replaces`');
  if (value !== null && typeof value !== 'string')
    return wrong(`${path}.value`, 'is the text of an identifier, or null');
  const normal: (string | null)[] = [];
  for (const [name, text] of [
    ['value', value],
    ['replaces', replaces ?? null],
  ] as const) {
    const reference = text === null ? null : read(`${kind}:${text}`);
    if (isRefusal(reference)) return { ...reference, issues: [{ path: `${path}.${name}`, message: 'cannot be read' }] };
    if (reference?.kind === 'subject') return wrong(`${path}.kind`, 'cannot be "subject"');
    normal.push(reference && reference.value);
  }
  const [right, gone] = normal as [string | null, string | null];
  if (right !== null && right === gone) return wrong(`${path}.replaces`, 'is the same as what is right');
  return { kind, value: right, ...(gone !== null && { replaces: gone }) };
}

const wrong = (path: string, message: string): Refusal =>
  refusal(
    'validation_failed',
    'A correction cannot be understood.',
    'An identifier: kind, value and what it replaces. "country" and "locale": value. "preference": field and value.',
    [{ path, message }],
  );
