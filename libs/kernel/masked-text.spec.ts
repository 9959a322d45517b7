import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskedText } from './masked-text.js';

describe('a masked text', () => {
  it.each([
    ['ada@example.org', 'a…@e….org'],
    ['ada.lovelace@mail.example.co.uk', 'a…@m….e….….uk'],
    ['al@x.org', '…@….org'],
    ['ada@localhost', 'a…@l…'],
    ['ada@host.averylongtopdomain', 'a…@h….a…'],
    ['+4915112345634', '+49…34'],
    ['+491511', '…'],
    ['4711', '…'],
    ['customer-4711', 'cu…11'],
    ['6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90', '6f…90'],
    ['', '…'],
  ])('of %s is %s', (text, masked) => expect(maskedText(text)).toBe(masked));

  const names = fc.stringMatching(/^[a-z0-9+_-]{1,20}$/);
  const shownOf = (masked: string): string[] => masked.split(/[…@.]/).filter((part) => part !== '');

  it('shows at most two characters of each part, and never the whole of one', () => {
    fc.assert(
      fc.property(names, fc.array(names, { minLength: 1, maxLength: 3 }), (local, domain) => {
        const masked = maskedText(`${local}@${[...domain, 'org'].join('.')}`);
        const [shownLocal, ...shownDomain] = masked.split(/[@.]/);
        for (const [part, shown] of [
          [local, shownLocal!] as const,
          ...domain.map((each, i) => [each, shownDomain[i]!] as const),
        ]) {
          expect(shown.replace('…', '').length).toBeLessThanOrEqual(2);
          expect(shown.replace('…', '')).not.toBe(part);
        }
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const masked = maskedText(text);
        expect(masked).toContain('…');
        const isNumber = text.startsWith('+');
        if (!text.includes('@'))
          for (const shown of shownOf(masked)) expect([...shown].length).toBeLessThanOrEqual(isNumber ? 3 : 2);
      }),
    );
  });
});
