import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold, isRefusal, type Issue } from '../../kernel/index.js';
import { compile } from '../../http/contract/fields.js';
import { purposeDefinition } from '../../../test/support/purposes.js';
import { applyCatalogue, type CatalogueFiles, type PurposeFile } from '../decide.js';
import type { DocumentPublishedData } from '../document.js';
import type { PurposeDefinition } from '../events.js';
import { catalogueFold } from '../state.js';
import type { VendorsDefinition } from '../vendors/definition.js';
import {
  COOKIE_MATCHES,
  COOKIE_PARTIES,
  COOKIE_TECHNOLOGIES,
  type Cookie,
  type CookiesDefinition,
} from './definition.js';
import { CookiesFileDto } from './dto.js';
import { COOKIES_FILE } from './file.js';
import { cookieListView } from './view.js';

const AT = '2026-11-22T12:00:00.000Z';
const purpose = (key: string, category: PurposeDefinition['category']): PurposeFile => ({
  status: 'PUBLISHED',
  definition: purposeDefinition(key, { category }),
});
const both = (text: string) => ({ en: text, de: `${text} (de)` });
const cookie = (name: string, more: Partial<Cookie> = {}): Cookie => ({
  name,
  match: 'EXACT',
  technology: 'COOKIE',
  domain: null,
  party: 'FIRST',
  category: 'ANALYTICS',
  purposeKeys: ['analytics'],
  vendor: null,
  duration: 'SESSION',
  maxAgeSeconds: null,
  description: both(name),
  ...more,
});
const VENDORS: VendorsDefinition = {
  vendors: [
    {
      key: 'statistics',
      name: 'Statistics',
      country: null,
      privacyPolicy: null,
      purposeKeys: [],
      frameworks: { tcf: 755, google: null },
    },
  ],
};
const folder = (...cookies: Cookie[]): CatalogueFiles => ({
  purposes: [purpose('analytics', 'ANALYTICS'), purpose('running', 'NECESSARY')],
  vendors: { definition: VENDORS },
  cookies: { definition: { defaultLocale: 'en', cookies } },
});
const issuesOf = (...cookies: Cookie[]): Issue[] => {
  const decided = applyCatalogue(folder(...cookies), catalogueFold.initial(), AT);
  return isRefusal(decided) ? decided.issues : [];
};

describe('a list of cookies', () => {
  it('is checked against the purposes and vendors of the same folder, and of what was published before', () => {
    const all = folder(
      cookie('_stat', { vendor: 'statistics' }),
      cookie('sid', { purposeKeys: ['running'], category: 'NECESSARY' }),
    );
    const decided = applyCatalogue(all, catalogueFold.initial(), AT);
    if (isRefusal(decided)) throw new Error(JSON.stringify(decided.issues));
    expect(decided.events.map(({ type }) => type)).toEqual([
      'PurposePublished',
      'PurposePublished',
      'VendorsPublished',
      'CookiesPublished',
    ]);
    const later: CatalogueFiles = {
      purposes: [],
      cookies: { definition: { defaultLocale: 'en', cookies: [cookie('_stat', { vendor: 'statistics' })] } },
    };
    expect(applyCatalogue(later, fold(catalogueFold, decided.events), AT)).toMatchObject({
      events: [{ type: 'CookiesPublished', data: { version: 2 } }],
      diff: [{ object: 'cookies', changed: ['cookies.sid'] }],
    });
  });

  it.each<[string, Cookie[], string, string]>([
    [
      'a purpose mistyped',
      [cookie('a', { purposeKeys: ['analitics'] })],
      'purposeKeys[0]',
      'names no purpose of the catalogue or of this folder; did you mean "analytics"?',
    ],
    ['a purpose twice', [cookie('a', { purposeKeys: ['analytics', 'analytics'] })], 'purposeKeys[1]', 'stands twice'],
    [
      'a vendor mistyped',
      [cookie('a', { vendor: 'statistic' })],
      'vendor',
      'names no vendor of vendors.yaml; did you mean "statistics"?',
    ],
    ['a pattern without a star', [cookie('a', { match: 'GLOB' })], 'name', 'must hold a * where match is GLOB'],
    ['a star without a pattern', [cookie('a*')], 'match', 'must be GLOB where the name holds a *'],
    [
      'a path of what is no cookie',
      [cookie('a', { technology: 'LOCAL_STORAGE', path: '/shop' })],
      'path',
      'must be left out of LOCAL_STORAGE',
    ],
    [
      'an age of a session',
      [cookie('a', { maxAgeSeconds: 60 })],
      'maxAgeSeconds',
      'must be left out where the duration is SESSION',
    ],
    [
      'a session storage that stays',
      [cookie('a', { technology: 'SESSION_STORAGE', duration: 'PERSISTENT' })],
      'duration',
      'must be SESSION of SESSION_STORAGE',
    ],
    [
      'what can be refused called necessary',
      [cookie('a', { category: 'NECESSARY' })],
      'category',
      'cannot be NECESSARY: none of its purposes is',
    ],
    [
      'a language that others have missing',
      [cookie('a', { description: { en: 'a' } }), cookie('b')],
      'description',
      'lacks the language de, which other texts of the list of cookies have',
    ],
    [
      'the default language missing',
      [cookie('a', { description: { de: 'a' } })],
      'description',
      'lacks the default locale',
    ],
  ])('with %s is refused', (_, cookies, member, message) => {
    expect(issuesOf(...cookies)).toEqual([{ path: `cookies.cookies[0].${member}`, message }]);
  });

  it('may hold a name twice where domain, path or technology differ', () => {
    expect(
      issuesOf(
        cookie('a'),
        cookie('a', { domain: 'x.example' }),
        cookie('a', { path: '/shop' }),
        cookie('a', { technology: 'LOCAL_STORAGE' }),
      ),
    ).toEqual([]);
    expect(issuesOf(cookie('a'), cookie('a'))).toEqual([{ path: 'cookies.cookies[1].name', message: 'stands twice' }]);
  });

  it('written as a file and read again is the same, and no longer than it has to be', () => {
    const cookies = fc.array(
      fc.record({
        name: fc.constantFrom('_stat', 'a: b#c', '_x'),
        match: fc.constantFrom(...COOKIE_MATCHES),
        technology: fc.constantFrom(...COOKIE_TECHNOLOGIES),
        domain: fc.option(fc.constant('ads.example')),
        path: fc.option(fc.constant('/shop'), { nil: undefined }),
        party: fc.constantFrom(...COOKIE_PARTIES),
        category: fc.constantFrom('ANALYTICS' as const, 'MARKETING' as const),
        purposeKeys: fc.constantFrom(['analytics'], ['analytics', 'marketing']),
        vendor: fc.option(fc.constant('statistics')),
        duration: fc.constantFrom('SESSION' as const, 'PERSISTENT' as const),
        maxAgeSeconds: fc.option(fc.integer({ min: 1 })),
        description: fc.constant(both('x')),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(cookies, (list) => {
        const definition: CookiesDefinition = { defaultLocale: 'en', cookies: list };
        const file = COOKIES_FILE.fileOf(definition);
        expect(compile(CookiesFileDto)(file)).toEqual([]);
        expect(COOKIES_FILE.definitionOf(file)).toEqual(definition);
      }),
    );
    expect(COOKIES_FILE.fileOf({ defaultLocale: 'en', cookies: [cookie('a')] }).cookies).toEqual([
      { name: 'a', category: 'ANALYTICS', purposeKeys: ['analytics'], description: both('a') },
    ]);
  });
});

describe('the list of cookies that pages show', () => {
  const published = <D>(definition: D, version = 1): DocumentPublishedData<D> => ({
    definition,
    version,
    change: { from: null, summary: '' },
    definitionHash: '',
    effectiveFrom: AT,
    publishedAt: AT,
  });
  const list = published<CookiesDefinition>({
    defaultLocale: 'en',
    cookies: [cookie('_stat', { vendor: 'statistics' })],
  });

  it('stands in the language wished for, with the vendors in force', () => {
    const view = cookieListView(list, published(VENDORS), ['de-AT']);
    expect(view).toMatchObject({ version: 1, locale: 'de', availableLocales: ['de', 'en'] });
    expect(view.cookies[0]).toMatchObject({
      description: '_stat (de)',
      vendor: { key: 'statistics', frameworks: { tcf: 755, google: null } },
    });
    expect(cookieListView(list, undefined, ['fr']).cookies[0]).toMatchObject({ description: '_stat', vendor: null });
  });

  it('has another hash in another language, version, and with other vendors', () => {
    const hashes = [
      cookieListView(list, published(VENDORS), ['en']),
      cookieListView(list, published(VENDORS), ['de']),
      cookieListView(list, published({ vendors: [] }), ['en']),
      cookieListView(published(list.definition, 2), published(VENDORS), ['en']),
    ].map(({ contentHash }) => contentHash);
    expect(new Set(hashes).size).toBe(4);
  });

  it('is version 0 where none was published', () =>
    expect(cookieListView(undefined, undefined, ['en'])).toMatchObject({ version: 0, locale: 'und', cookies: [] }));
});
