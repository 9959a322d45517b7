/** How a value stands on the wire: https://protobuf.dev/programming-guides/encoding/ */
const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH_DELIMITED = 2;
const FOUR_BYTES = 5;
/** Bytes of a varint that a number holds exactly, at seven bits each. */
const EXACT_BYTES = 7;

/**
 * Reads the fields of one protobuf message, in the order in which they were sent. Throws RangeError where the message is
 * cut off, and TypeError where it is none. Every field must be read or skipped before the next one.
 */
export class ProtobufWire {
  private kind = VARINT;

  constructor(
    private readonly bytes: Buffer,
    private at = 0,
    private readonly end = bytes.length,
  ) {}

  /** The number of the next field; 0 where there is none. */
  next(): number {
    if (this.at >= this.end) return 0;
    const tag = this.number();
    this.kind = tag & 7;
    return tag >>> 3;
  }

  /** An integer below 2^49, such as a length. */
  number(): number {
    let value = 0;
    for (let scale = 1, read = 0; read < EXACT_BYTES; scale *= 128, read++) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new TypeError('a number of this message is too large');
  }

  uint64(): bigint {
    let value = 0;
    for (let scale = 1, read = 0; read < EXACT_BYTES; scale *= 128, read++) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return BigInt(value);
    }
    let whole = BigInt(value);
    for (let shift = 7n * BigInt(EXACT_BYTES); shift < 64n; shift += 7n) {
      const byte = this.byte();
      whole |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, whole);
    }
    throw new TypeError('a number of this message has more than 64 bits');
  }

  /** The fields of a message inside this one. */
  message(): ProtobufWire {
    const [from, to] = this.span();
    return new ProtobufWire(this.bytes, from, to);
  }

  /** Text or bytes, as UTF-8. */
  text(): string {
    const [from, to] = this.span();
    return this.bytes.toString('utf8', from, to);
  }

  skip(): void {
    if (this.kind === VARINT) this.uint64();
    else if (this.kind === LENGTH_DELIMITED) this.span();
    else if (this.kind === EIGHT_BYTES) this.pass(8);
    else if (this.kind === FOUR_BYTES) this.pass(4);
    else throw new TypeError('this message has a field of an unknown kind');
  }

  private span(): [from: number, to: number] {
    const length = this.number();
    const from = this.at;
    this.pass(length);
    return [from, this.at];
  }

  private byte(): number {
    if (this.at >= this.end) throw new RangeError('this message is cut off');
    return this.bytes[this.at++]!;
  }

  private pass(length: number): void {
    this.at += length;
    if (this.at > this.end) throw new RangeError('this message is cut off');
  }
}
