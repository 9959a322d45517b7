import { StringFault } from './string-fault.js';

const VALUE_OF = new Int8Array(128).fill(-1);
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].entries())
  VALUE_OF[character.charCodeAt(0)] = value;

/** Six bits a character. */
const WIDTH = 6;
/** Section numbers have at most 13 bits in Fibonacci code; a longer code is invalid. */
const FIBONACCI_BITS_MAX = 24;

/**
 * Reads fields of one part of a string in base64url, from left to right. Needs no more memory than the text, and every
 * read moves on or throws a StringFault that names the field.
 */
export class Bits {
  private readonly values: Uint8Array;
  private at = 0;

  constructor(
    text: string,
    /** Path of the part: `string.core`. */
    readonly path: string,
  ) {
    if (text === '') throw new StringFault(path, 'is empty', 'Send the string whole, as it was handed out.');
    this.values = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) {
      const value = VALUE_OF[text.charCodeAt(i)] ?? -1;
      if (value < 0)
        throw new StringFault(
          path,
          `has "${String.fromCodePoint(text.codePointAt(i)!)}" at its character ${i + 1}, which base64url does not know`,
          'Parts of a string hold letters, digits, - and _ only, without padding. Percent-encode nothing twice.',
        );
      this.values[i] = value;
    }
  }

  get left(): number {
    return this.values.length * WIDTH - this.at;
  }

  /** An unsigned whole number of at most 48 bits. */
  int(width: number, field: string): number {
    if (this.left < width) throw this.truncated(field);
    let value = 0;
    for (const end = this.at + width; this.at < end; this.at++) value = value * 2 + this.bit(this.at);
    return value;
  }

  flag(field: string): boolean {
    return this.int(1, field) === 1;
  }

  /** Ids, from 1, of the bits that are set. */
  set(width: number, field: string): number[] {
    if (this.left < width) throw this.truncated(field);
    const found: number[] = [];
    for (let id = 1; id <= width; id++, this.at++) if (this.bit(this.at) === 1) found.push(id);
    return found;
  }

  /** From 1. A 1 after another 1 ends the number. */
  fibonacci(field: string): number {
    let [value, number, next, before] = [0, 1, 2, 0];
    for (let i = 0; i < FIBONACCI_BITS_MAX; i++) {
      const bit = this.int(1, field);
      if (bit === 1 && before === 1) return value;
      if (bit === 1) value += number;
      [number, next] = [next, number + next];
      before = bit;
    }
    throw this.fault(field, 'is a number that is too large');
  }

  /** Checks that only zeros follow the last field. */
  end(): void {
    for (let at = this.at; at < this.values.length * WIDTH; at++)
      if (this.bit(at) === 1)
        throw new StringFault(
          this.path,
          'goes on behind its last field',
          'It may be of a newer version of its specification, or something was put behind it.',
        );
  }

  fault(
    field: string,
    message: string,
    hint = 'The string was changed, or made by something that is no encoder.',
  ): StringFault {
    return new StringFault(`${this.path}.${field}`, message, hint);
  }

  private truncated(field: string): StringFault {
    return this.fault(
      field,
      'is cut off: the string ends before it',
      'Send the string whole. Cookies and addresses with too little room cut strings.',
    );
  }

  private bit(at: number): number {
    return (this.values[Math.floor(at / WIDTH)]! >> (WIDTH - 1 - (at % WIDTH))) & 1;
  }
}
