import fc from 'fast-check';
import { ProtobufWire } from './protobuf-wire.js';

const varint = (value: bigint): number[] =>
  value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)];
const tag = (field: number, kind: number): number[] => varint(BigInt((field << 3) | kind));
const wire = (...bytes: number[]): ProtobufWire => new ProtobufWire(Buffer.from(bytes));

describe('A message on the wire', () => {
  it('gives back every number of 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const message = wire(...tag(3, 0), ...varint(value));
        expect(message.next()).toBe(3);
        expect(message.uint64()).toBe(value);
        expect(message.next()).toBe(0);
      }),
    );
  });

  it('is passed over field by field, whatever the fields are', () => {
    const message = wire(
      ...[...tag(1, 0), ...varint(2n ** 64n - 1n)],
      ...[...tag(2, 1), 1, 2, 3, 4, 5, 6, 7, 8],
      ...[...tag(300, 2), 2, 255, 255],
      ...[...tag(4, 5), 1, 2, 3, 4],
    );
    const fields = [];
    for (let field; (field = message.next()); message.skip()) fields.push(field);
    expect(fields).toEqual([1, 2, 300, 4]);
  });

  it.each([
    ['in the middle of a number', [...tag(1, 0), 128]],
    ['in the middle of text', [...tag(1, 2), 2, 65]],
    ['in the middle of eight bytes', [...tag(1, 1), 1, 2, 3]],
  ])('that ends %s is refused', (_, bytes) => {
    const message = wire(...bytes);
    message.next();
    expect(() => message.skip()).toThrow(RangeError);
  });

  it('does not end later than the message around it', () => {
    const around = wire(...tag(1, 2), 2, ...tag(1, 2), 4, 65, 66, 67, 68);
    around.next();
    const inside = around.message();
    inside.next();
    expect(() => inside.text()).toThrow(RangeError);
  });

  it.each([
    ['a field of a kind that there is not', [...tag(1, 3)]],
    ['a number of more than 64 bits', [...tag(1, 0), ...Array.from({ length: 10 }, () => 255), 1]],
  ])('that has %s is refused', (_, bytes) => {
    const message = wire(...bytes);
    message.next();
    expect(() => message.skip()).toThrow(TypeError);
  });

  it('with a length that no buffer has is refused', () => {
    const message = wire(...tag(1, 2), ...varint(2n ** 60n));
    message.next();
    expect(() => message.text()).toThrow(TypeError);
  });
});
