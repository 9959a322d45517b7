import { describe, expect, it } from '@jest/globals';
import { maskedText } from './masked-text.js';

describe('a masked text', () => {
  it.each([
    ['ada@example.org', 'a…@example.org'],
    ['+4915112345678', '+4…78'],
    ['4711', '…'],
  ])('of %s is %s', (text, masked) => expect(maskedText(text)).toBe(masked));
});
