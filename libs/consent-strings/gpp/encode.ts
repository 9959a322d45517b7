import type { UsField, UsSection } from './us-sections.js';
import type { UsValue, UsValues } from './us-values.js';

/** A section of a GPP string, encoded. */
export interface EncodedSection {
  id: number;
  text: string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Type of the header, which makes every GPP string begin with `D`, and version of its specification. */
const HEADER_TYPE = 3;
const GPP_VERSION = 1;

/** Joins sections, in any order, to a GPP string ("Global Privacy Platform String", 1.0). Does not change their texts. */
export function gppString(sections: readonly EncodedSection[]): string {
  const sorted = [...sections].sort((a, b) => a.id - b.id);
  return [header(sorted.map(({ id }) => id)), ...sorted.map(({ text }) => text)].join('~');
}

/** Ids, ascending, as ranges in Fibonacci code: consecutive ids are one range. */
function header(ids: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const id of ids) {
    const range = ranges.at(-1);
    if (range?.[1] === id - 1) range[1] = id;
    else ranges.push([id, id]);
  }
  let bits = binary(HEADER_TYPE, 6) + binary(GPP_VERSION, 6) + binary(ranges.length, 12);
  let before = 0;
  for (const [first, last] of ranges) {
    bits += last > first ? `1${fibonacci(first - before)}${fibonacci(last - first)}` : `0${fibonacci(first - before)}`;
    before = last;
  }
  return base64url(bits);
}

/** A US section: its fields, and the part behind the dot if there is one. */
export function encodeUsSection({ core, behind }: UsSection, values: UsValues): string {
  const first = base64url(core.map((field) => fieldBits(field, values[field.name]!)).join(''));
  if (behind === 'GPC') return `${first}.${base64url(`01${values['Gpc'] === true ? '1' : '0'}`)}`;
  if (behind === 'SENSITIVE')
    return `${first}.${base64url((values['SensitiveDataProcessing'] as readonly number[]).map((value) => binary(value, 2)).join(''))}`;
  return first;
}

const fieldBits = ({ bits }: UsField, value: UsValue): string =>
  typeof value === 'object' ? value.map((each) => binary(each, bits)).join('') : binary(Number(value), bits);

const binary = (value: number, width: number): string => value.toString(2).padStart(width, '0');

/** Fibonacci numbers 1, 2, …; the last is above any section id. */
const FIBONACCI = [1, 2];
while (FIBONACCI.at(-1)! < 4096) FIBONACCI.push(FIBONACCI.at(-1)! + FIBONACCI.at(-2)!);

/** From 1. The lowest Fibonacci number comes first; one more 1 ends the code. */
function fibonacci(value: number): string {
  let rest = value;
  let bits = '';
  for (let i = FIBONACCI.findLastIndex((number) => number <= value); i >= 0; i--) {
    const isIn = FIBONACCI[i]! <= rest;
    if (isIn) rest -= FIBONACCI[i]!;
    bits = (isIn ? '1' : '0') + bits;
  }
  return `${bits}1`;
}

/** Padded with zeros to whole bytes and then to whole characters, as the field's libraries do. */
function base64url(bits: string): string {
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  let text = '';
  for (let at = 0; at < bytes.length; at += 6) text += ALPHABET[parseInt(bytes.slice(at, at + 6).padEnd(6, '0'), 2)]!;
  return text;
}
