import { FORGOTTEN, isForgotten, isSealed, keepSealed, openSealed, type FieldCipher } from './index.js';

describe('a forgotten value', () => {
  it('differs from every other value, and reads as nothing', () => {
    expect(isForgotten(FORGOTTEN)).toBe(true);
    expect([null, undefined, {}, { forgotten: true }].map(isForgotten)).toEqual([false, false, false, false]);
    expect(JSON.stringify({ value: FORGOTTEN })).toBe('{"value":null}');
    expect(`<${String(FORGOTTEN)}>`).toBe('<>');
  });
});

describe('a sealed value that a fold carries along', () => {
  const opening = (name: string): FieldCipher => ({
    encrypt: () => null,
    decrypt: (at, sealed) => `${name} opens ${JSON.stringify(sealed)} at ${at}`,
  });

  it('says where it was sealed, and for whom', () => {
    const kept = keepSealed('sub_1').decrypt('changes[0].value', 'xyz');
    expect(kept).toEqual({ $sealed: 'xyz', at: 'changes[0].value', of: 'sub_1' });
    expect(openSealed(kept, opening)).toBe('sub_1 opens "xyz" at changes[0].value');
  });

  it('is never made by a cipher that only carries', () =>
    expect(() => keepSealed('sub_1').encrypt('a', 'b')).toThrow('a cipher that keeps values sealed seals none'));

  it.each([[null], [undefined], ['text'], [7], [{}], [{ at: 'a' }], [{ $sealed: 'xyz' }]])('is not %j', (value) =>
    expect(openSealed(value, opening)).toBe(value),
  );

  it('is known by its mark', () => {
    expect(isSealed({ $sealed: 'xyz' })).toBe(true);
    expect([null, undefined, '$sealed', 7, {}].map(isSealed)).toEqual([false, false, false, false, false]);
  });
});
