import { describe, expect, it } from '@jest/globals';
import { maskedText } from '../../kernel/index.js';
import type { IdentifierAdded } from '../events.js';
import { identifiersOf } from './shown-identifiers.js';

const AT = '2026-01-01T00:00:00.000Z';
const idn = (n: number): string => `idn_${n}`;
const added = (n: number, value: string | null): IdentifierAdded => ({
  type: 'IdentifierAdded',
  data: {
    identifierId: idn(n),
    kind: 'email',
    // Forgotten values read as null.
    value: value!,
    addedAt: AT,
    verifiedAt: null,
    verificationMethod: null,
    primary: true,
    source: 'API',
  },
});

describe('identifiers', () => {
  it('are those that were added, verified where one of the events says so, null where they were forgotten, without those that were taken away', () =>
    expect(
      identifiersOf(
        [
          added(1, 'ada@example.org'),
          added(2, null),
          added(3, 'wrong@example.org'),
          { type: 'IdentifierVerified', data: { identifierId: idn(1), method: 'OPERATOR', verifiedAt: AT } },
          { type: 'SubjectRectified', data: { rectifiedAt: AT, removed: [{ identifierId: idn(3), kind: 'email' }] } },
        ],
        maskedText,
      ).map(({ value, verified }) => [value, verified]),
    ).toEqual([
      ['a…@e….org', true],
      [null, false],
    ]));
});
