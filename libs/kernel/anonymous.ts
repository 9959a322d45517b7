import type { Reference } from './reference.js';

/** Kinds whose values are random handles, made by a page or an app. */
export const ANONYMOUS_KINDS: readonly string[] = ['visitor_id', 'device_id'];

/** What the value of an anonymous reference looks like, for refusals and documentation. */
export const ANONYMOUS_FORMS =
  'a UUID, 32 or more hex digits, 22 or more base64url characters (capital and small letters and digits mixed), or two ULIDs';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]{32,}$/i;
/** Under 32 characters, hex holds fewer bits than the same length of base64url. */
const ONLY_HEX = /^[0-9a-f-]+$/i;
const BASE64URL = /^[A-Za-z0-9_-]{22,}$/;
/** 48 bits of time and 80 of chance: one alone has too few. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const ULID_PAIR = /^[0-7][0-9A-HJKMNP-TV-Z]{25}[._-]?[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/**
 * Whether a public key may name this reference freely: a random handle that another visitor cannot guess. Its form must
 * be able to hold 128 random bits, and the value must look random. Random UUIDs, hex and ULIDs always pass. Of random
 * values of 22 base64url characters three in a million are refused, because they read like words joined by hyphens.
 */
export function isAnonymous({ kind, value }: Reference): boolean {
  return ANONYMOUS_KINDS.includes(kind) && hasForm(value) && isVaried(value);
}

/** A reference of an anonymous kind whose value another visitor could guess. */
export const isGuessable = (reference: Reference): boolean =>
  ANONYMOUS_KINDS.includes(reference.kind) && !isAnonymous(reference);

function hasForm(value: string): boolean {
  if (UUID.test(value) || HEX.test(value) || ULID_PAIR.test(value)) return true;
  return BASE64URL.test(value) && !ONLY_HEX.test(value) && !ULID.test(value) && isMixed(value);
}

/** How often each ASCII character occurs. One array for all calls, since every visitor's request is counted. */
const counts = new Uint16Array(128);

/** False for numbers with leading zeros and for a key held down: few characters, or mostly one. Takes ASCII only. */
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
 * False for words and numbers joined by hyphens or underscores: long, but not random. Each part of such a value is all
 * digits, or all letters of one case after the first.
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
