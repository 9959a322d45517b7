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

/** Of each character of ASCII; made once, since every visitor's request counts. */
const counts = new Uint16Array(128);

/** Numbers with leading zeros and keys held down use few characters, or one of them most of the time. Only of ASCII. */
function isVaried(value: string): boolean {
  counts.fill(0);
  let letters = 0;
  let different = 0;
  let most = 0;
  for (let i = 0; i < value.length; i++) {
    const code = lowerCase(value.charCodeAt(i));
    if (code === HYPHEN) continue;
    letters++;
    const count = ++counts[code]!;
    if (count === 1) different++;
    if (count > most) most = count;
  }
  return different >= 8 && most * 2 <= letters;
}

const HYPHEN = '-'.charCodeAt(0);
const lowerCase = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

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
