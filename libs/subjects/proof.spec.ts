import { expect, it } from '@jest/globals';
import { provesSubject } from './proof.js';

const AT = '2026-11-21T12:00:00.000Z';
const verified = (id: string) => ({ id, verifiedAt: AT });
const open = (id: string) => ({ id, verifiedAt: null });

it.each([
  ['the only one there is', [open('a')], true],
  ['one of several that nobody has verified', [open('b'), open('a'), open('c')], true],
  ['a verified one', [open('b'), verified('a')], true],
  ['a verified one beside another', [verified('b'), verified('a')], true],
  ['one that is not, beside one that is', [verified('b'), open('a')], false],
  ['one that is not the subject’s any more', [open('b')], false],
  ['one of a subject that has none', [], false],
])('whoever reads the mail to %s: has shown to be the subject: %j, %s', (_, identifiers, proves) =>
  expect(provesSubject(identifiers, 'a')).toBe(proves),
);
