import { hash } from 'node:crypto';

/** The canonical text of a value, to stand in its place inside a larger value: `canonicalJson` copies it as it is. */
export class CanonicalText {
  readonly text: string;

  constructor(value: unknown) {
    this.text = canonicalJson(value);
  }
}

/**
 * RFC 8785 (JCS): the one byte form of a JSON value; what fingerprints, content hashes and signatures are
 * made over. Throws on what JSON cannot say (NaN, infinities, lone surrogates, bigint, undefined in arrays).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('a number that JSON cannot hold');
    return JSON.stringify(value);
  }
  if (typeof value === 'string') return quoted(value);
  if (value instanceof CanonicalText) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') {
    let members = '';
    for (const name of sorted(Object.keys(value))) {
      const member = (value as Record<string, unknown>)[name];
      if (member === undefined) continue;
      members += `${members === '' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`;
    }
    return `{${members}}`;
  }
  throw new TypeError(`JSON cannot hold a ${typeof value}`);
}

/** ASCII in which nothing is escaped: nearly every text of a request. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('a string with a lone surrogate');
  return JSON.stringify(text);
}

/** Lists up to this length are sorted here, in place. The engine's `sort` copies first, which pays for longer lists. */
const SHORT = 24;

/** By UTF-16 units, as RFC 8785 asks for, and as `sort` and `<` compare; in place. */
function sorted(names: string[]): string[] {
  if (names.length > SHORT) return names.sort();
  for (let end = 1; end < names.length; end++) {
    const name = names[end]!;
    let at = end;
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}

/** `sha256:<hex>` of a value's canonical form. */
export const hashOf = (value: unknown): string => `sha256:${hash('sha256', canonicalJson(value), 'hex')}`;
