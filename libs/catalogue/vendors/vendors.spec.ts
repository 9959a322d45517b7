import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold, isRefusal } from '../../kernel/index.js';
import { compile } from '../../http/contract/fields.js';
import { applyCatalogue } from '../decide.js';
import type { CatalogueEvent } from '../events.js';
import { catalogueFold, documentInForce } from '../state.js';
import { RESTRICTION_TYPES, type Vendor, type VendorsDefinition } from './definition.js';
import { VENDORS } from './document.js';
import { VendorsFileDto } from './dto.js';
import { VENDORS_FILE } from './file.js';

const AT = '2026-11-22T12:00:00.000Z';
const vendor = (key: string, more: Partial<Vendor> = {}): Vendor => ({
  key,
  name: key,
  country: null,
  privacyPolicy: null,
  purposeKeys: [],
  frameworks: { tcf: null, google: null },
  ...more,
});
const applied = (definition: VendorsDefinition, ...before: CatalogueEvent[]) =>
  applyCatalogue({ purposes: [], vendors: { definition } }, fold(catalogueFold, before), AT);
const issuesOf = (...vendors: Vendor[]) => {
  const decided = applied({ vendors });
  return isRefusal(decided) ? decided.issues : [];
};

describe('a list of vendors', () => {
  const first = { vendors: [vendor('a'), vendor('b', { frameworks: { tcf: 755, google: 89 } })] };

  it('is published in versions, and not where nothing differs', () => {
    const decided = applied(first);
    if (isRefusal(decided)) throw new Error(decided.message);
    expect(decided.events).toMatchObject([{ type: 'VendorsPublished', data: { version: 1, definition: first } }]);
    expect(decided.diff).toEqual([{ object: 'vendors', key: 'vendors', action: 'PUBLISH', version: 1, changed: [] }]);
    expect(applied(first, ...decided.events)).toMatchObject({ events: [], diff: [{ action: 'NONE', version: 1 }] });
    const second = applied({ vendors: [vendor('a', { country: 'IE' })] }, ...decided.events);
    expect(second).toMatchObject({
      events: [{ data: { version: 2, change: { from: 1 } } }],
      diff: [{ changed: ['vendors.a', 'vendors.b'] }],
    });
    const state = fold(catalogueFold, decided.events);
    expect(documentInForce(state, VENDORS, AT)?.definition).toEqual(first);
    expect(documentInForce(state, VENDORS, '2026-11-22T11:59:59.999Z')).toBeUndefined();
  });

  it.each<[string, Vendor[], string]>([
    ['a key twice', [vendor('a'), vendor('a')], 'vendors.vendors[1].key'],
    [
      'an id of TCF twice',
      [vendor('a', { frameworks: { tcf: 7, google: null } }), vendor('b', { frameworks: { tcf: 7, google: null } })],
      'vendors.vendors[1].frameworks.tcf',
    ],
    [
      'an id of Google twice',
      [vendor('a', { frameworks: { tcf: null, google: 7 } }), vendor('b', { frameworks: { tcf: null, google: 7 } })],
      'vendors.vendors[1].frameworks.google',
    ],
    ['a key that every object has', [vendor('constructor')], 'vendors.vendors[0].key'],
    [
      'a restriction of a vendor that is none of TCF',
      [vendor('a', { restrictions: [{ purpose: 2, type: 'NOT_ALLOWED' }] })],
      'vendors.vendors[0].restrictions',
    ],
    [
      'two restrictions of one purpose',
      [
        vendor('a', {
          frameworks: { tcf: 7, google: null },
          restrictions: [
            { purpose: 2, type: 'NOT_ALLOWED' },
            { purpose: 2, type: 'REQUIRE_CONSENT' },
          ],
        }),
      ],
      'vendors.vendors[0].restrictions[1].purpose',
    ],
    [
      'legitimate interest in what needs consent',
      [
        vendor('a', {
          frameworks: { tcf: 7, google: null },
          restrictions: [{ purpose: 3, type: 'REQUIRE_LEGITIMATE_INTEREST' }],
        }),
      ],
      'vendors.vendors[0].restrictions[0].type',
    ],
    ['a purpose that there is not', [vendor('a', { purposeKeys: ['nothing'] })], 'vendors.vendors[0].purposeKeys[0]'],
  ])('with %s is refused with its place', (_, vendors, path) => {
    expect(issuesOf(...vendors).map((issue) => issue.path)).toContain(path);
  });

  it('written as a file and read again is the same, and no longer than it has to be', () => {
    const restriction = fc.record({
      purpose: fc.integer({ min: 1, max: 11 }),
      type: fc.constantFrom(...RESTRICTION_TYPES),
    });
    const vendors = fc.array(
      fc.record(
        {
          key: fc.stringMatching(/^[a-z][a-z0-9_-]{0,10}$/),
          name: fc.constantFrom('A', 'Bücher & Co: #1'),
          country: fc.option(fc.constantFrom('IE', 'NO')),
          privacyPolicy: fc.option(fc.constant('https://a.example/privacy')),
          purposeKeys: fc.constantFrom([], ['analytics']),
          frameworks: fc.record({
            tcf: fc.option(fc.integer({ min: 1, max: 65_535 })),
            google: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
          }),
          restrictions: fc.array(restriction, { minLength: 1, maxLength: 3 }),
        },
        { requiredKeys: ['key', 'name', 'country', 'privacyPolicy', 'purposeKeys', 'frameworks'] },
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(vendors, (list) => {
        const file = VENDORS_FILE.fileOf({ vendors: list });
        expect(compile(VendorsFileDto)(file)).toEqual([]);
        expect(VENDORS_FILE.definitionOf(file)).toEqual({ vendors: list });
      }),
    );
    expect(VENDORS_FILE.fileOf({ vendors: [vendor('a')] })).toEqual({ vendors: [{ key: 'a', name: 'a' }] });
  });
});
