import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withMembers } from './with-members.js';

/** Assigned, `__proto__` is no member: names that callers choose are spread. */
const anObject = fc.object({ key: fc.string().filter((name) => name !== '__proto__') });

it('is what spreading one object after the other is, in the same order, and changes none of them', () =>
  fc.assert(
    fc.property(anObject, anObject, anObject, (before, more, evenMore) => {
      const parts = [before, more, evenMore];
      const copies = structuredClone(parts);
      expect(Object.entries(withMembers(before, more, evenMore))).toEqual(
        Object.entries({ ...before, ...more, ...evenMore }),
      );
      expect(parts).toEqual(copies);
    }),
  ));
