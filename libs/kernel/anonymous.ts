import type { Reference } from './reference.js';

/** Kinds whose values are handles that a page or an app made up by chance. */
export const ANONYMOUS_KINDS: readonly string[] = ['visitor_id', 'device_id'];

/** What the value of an anonymous reference looks like, for refusals and documentation. */
export const ANONYMOUS_FORMS =
  'a UUID, 32 or more hex digits, 22 or more base64url characters (capital and small letters and digits mixed), or two ULIDs';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{32,}$/i;
/** Short of 32 they hold fewer bits than their length as base64url says. */
const ONLY_HEX = /^[0-9a-f-]+$/i;
const BASE64URL = /^[A-Za-z0-9_-]{22,}$/;
/** 48 bits of time and 80 of chance: one alone has too few. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const ULID_PAIR = /^[0-7][0-9A-HJKMNP-TV-Z]{25}[._-]?[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/**
 * Whether a public key may name this reference freely: a random handle that nobody can guess. Its form must be able to
 * hold 128 random bits, and the value must look as if it did. Of what chance made, UUIDs, hex and ULIDs pass; of 22
 * base64url characters three in a million are refused, because they read like words joined by hyphens.
 */
export function isAnonymous({ kind, value }: Reference): boolean {
  return ANONYMOUS_KINDS.includes(kind) && hasForm(value) && isVaried(value);
}

/** One of an anonymous kind that is not made as it should be. */
export const isGuessable = (reference: Reference): boolean =>
  ANONYMOUS_KINDS.includes(reference.kind) && !isAnonymous(reference);

function hasForm(value: string): boolean {
  if (UUID.test(value) || HEX.test(value) || ULID_PAIR.test(value)) return true;
  return BASE64URL.test(value) && !ONLY_HEX.test(value) && !ULID.test(value) && isMixed(value);
}

/** Numbers with leading zeros and keys held down use few characters, or one of them most of the time. */
function isVaried(value: string): boolean {
  const counts = new Map<string, number>();
  let letters = 0;
  for (const letter of value.toLowerCase()) {
    if (letter === '-') continue;
    letters++;
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return counts.size >= 8 && Math.max(...counts.values()) * 2 <= letters;
}

/**
 * Words and numbers joined by hyphens or by underscores, seldom by both, are long without being random. Between two of
 * these they are all letters of one case, or all digits; a capital at the beginning does not count.
 */
function isMixed(value: string): boolean {
  let changes = value.includes('-') && value.includes('_') ? 1 : 0;
  for (const part of value.split(/[_-]/)) {
    const body = part.replace(/^[A-Z](?=[a-z])/, '');
    for (let i = 1; i < body.length; i++) if (classOf(body[i]!) !== classOf(body[i - 1]!)) changes++;
  }
  return changes >= 2;
}

const classOf = (letter: string): string => (letter <= '9' ? 'digit' : letter <= 'Z' ? 'capital' : 'small');
