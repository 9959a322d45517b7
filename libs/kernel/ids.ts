import { hash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Ten bits as two characters. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => CROCKFORD[bits >> 5]! + CROCKFORD[bits & 31]!);

/** Every id prefix in use; the part after the prefix is a ULID. */
export const ID_PREFIXES = ['sub', 'idn', 'rec', 'rct', 'dsr', 'evt', 'whe', 'whr', 'mrg', 'req', 'abn'] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** Ten or more random bytes; handed in, because ids are made where randomness is allowed. */
export type RandomBytes = (count: number) => Uint8Array;

/** A ULID (github.com/ulid/spec): 48 bits of milliseconds, 80 bits of randomness, 26 characters. */
export function ulid(timeMs: number, random: Uint8Array): string {
  let text = '';
  for (let rest = timeMs, i = 0; i < 5; i++, rest = Math.floor(rest / 1024)) text = PAIRS[rest % 1024]! + text;
  for (let i = 0; i < 10; i += 5) {
    const high = (random[i]! << 12) | (random[i + 1]! << 4) | (random[i + 2]! >> 4);
    const low = ((random[i + 2]! & 15) << 16) | (random[i + 3]! << 8) | random[i + 4]!;
    text += PAIRS[high >> 10]! + PAIRS[high & 1023]! + PAIRS[low >> 10]! + PAIRS[low & 1023]!;
  }
  return text;
}

export const newId = (prefix: IdPrefix, timeMs: number, random: RandomBytes): string =>
  `${prefix}_${ulid(timeMs, random(10))}`;

/** The time that stands in an id, in ms. */
export const madeAtMs = (id: string): number =>
  [...id.slice(id.indexOf('_') + 1).slice(0, 10)].reduce((ms, digit) => ms * 32 + CROCKFORD.indexOf(digit), 0);

/** An id with another prefix and the same ULID: a receipt carries the ULID of its record. */
export const sameUlid = (prefix: IdPrefix, id: string): string => `${prefix}_${id.slice(id.indexOf('_') + 1)}`;

/** An id that follows from a name and a time, so that a retry of a command makes the same id. */
export function derivedId(prefix: IdPrefix, timeMs: number, name: string): string {
  return `${prefix}_${ulid(timeMs, hash('sha256', name, 'buffer'))}`;
}

const ID_PATTERN = /^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
export const isId = (prefix: IdPrefix, text: string): boolean => ID_PATTERN.test(text) && text.startsWith(`${prefix}_`);

/** RFC 9562 UUID version 5 of a name inside our own name space. Hashed in one call, half the time of a Hash object. */
const NAMESPACE = Buffer.from('6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90', 'hex');
export function uuidV5(name: string): string {
  const hex = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name)]), 'hex');
  const variant = ((parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
