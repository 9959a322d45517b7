import { purposeDefinition } from '../../test/support/purposes.js';
import { fold } from '../kernel/index.js';
import type { CatalogueEvent, PurposeDefinition, PurposePublishedData } from './events.js';
import {
  catalogueFold,
  isRetired,
  lastMaterialVersion,
  purposeOf,
  purposesInForce,
  turningPointsOf,
  versionInForce,
} from './state.js';
import type { TemplateDefinition } from './template/template-definition.js';
import { contentHash, purposeView, servedLocale } from './view.js';

const at = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`;
const text = (name: string) => ({ name, description: `${name}, described`, legalText: `${name}, in law` });
const definition = (key: string, more: Partial<PurposeDefinition> = {}): PurposeDefinition =>
  purposeDefinition(key, { translations: { en: text('Ads'), de: text('Werbung') }, ...more });
const published = (key: string, version: number, day: number, kind: 'MATERIAL' | 'EDITORIAL' = 'MATERIAL') =>
  ({
    type: 'PurposePublished',
    data: {
      definition: definition(key),
      version,
      change: { from: version === 1 ? null : version - 1, kind, summary: 'x' },
      definitionHash: `sha256:${version}`,
      effectiveFrom: at(day),
      publishedAt: at(1),
    } satisfies PurposePublishedData,
  }) as const;
const retired = (key: string, day: number): CatalogueEvent => ({
  type: 'PurposeRetired',
  data: { key, version: 1, retiredAt: at(day) },
});
const template = (day: number): CatalogueEvent => ({
  type: 'TemplatePublished',
  data: {
    definition: {} as TemplateDefinition,
    version: 1,
    change: { from: null, summary: '' },
    definitionHash: '',
    effectiveFrom: at(day),
    publishedAt: at(1),
  },
});
const after = (...events: CatalogueEvent[]) => fold(catalogueFold, events);

describe('the fold of a catalogue', () => {
  it('keeps every version of a purpose, oldest first, and every template', () => {
    const state = after(published('ads', 1, 2), published('news', 1, 2), published('ads', 2, 3), template(4));
    expect(state.purposes['ads']).toEqual({
      key: 'ads',
      versions: [published('ads', 1, 2).data, published('ads', 2, 3).data],
      retiredAt: null,
    });
    expect([Object.keys(state.purposes), state.documents.template?.length]).toEqual([['ads', 'news'], 1]);
    expect(after()).toEqual({ purposes: {}, documents: {} });
  });

  it('retires a purpose until it is published again, and no other', () => {
    const state = after(published('ads', 1, 2), published('news', 1, 2), retired('ads', 5));
    expect(Object.values(state.purposes).map(({ retiredAt }) => retiredAt)).toEqual([at(5), null]);
    expect(state.purposes['ads']!.versions).toHaveLength(1);
    expect(
      after(published('ads', 1, 2), retired('ads', 5), published('ads', 2, 6)).purposes['ads']!.retiredAt,
    ).toBeNull();
    const before = after(published('ads', 1, 2));
    expect(catalogueFold.evolve(before, retired('constructor', 5))).toBe(before);
  });

  it('finds a purpose under its own key only', () => {
    expect(purposeOf(after(), 'constructor')).toBeUndefined();
    expect(purposeOf(after(published('constructor', 1, 2)), 'constructor')!.key).toBe('constructor');
  });
});

describe('at a moment', () => {
  const ads = () =>
    after(published('ads', 1, 5), published('ads', 2, 7, 'EDITORIAL'), published('ads', 3, 9)).purposes['ads']!;

  it('the newest version whose time has come is in force', () => {
    expect([4, 5, 6, 7, 9].map((day) => versionInForce(ads(), at(day))?.version)).toEqual([undefined, 1, 1, 2, 3]);
    expect(versionInForce(undefined, at(9))).toBeUndefined();
  });

  it('the newest material change in force wants renewal', () =>
    expect([4, 5, 7, 8, 9].map((day) => lastMaterialVersion(ads(), at(day)))).toEqual([1, 1, 1, 1, 3]));

  it('a purpose is retired from when it was', () => {
    const purpose = after(published('ads', 1, 2), retired('ads', 5)).purposes['ads']!;
    expect([4, 5, 6].map((day) => isRetired(purpose, at(day)))).toEqual([false, true, true]);
    expect(isRetired(ads(), at(9))).toBe(false);
  });

  it('purposes are in force by their keys', () => {
    const state = after(
      published('news', 1, 2),
      published('later', 1, 9),
      published('ads', 1, 2),
      published('max', 1, 2),
    );
    expect(purposesInForce(state, at(5)).map(({ key }) => key)).toEqual(['ads', 'max', 'news']);
  });

  it('that is announced beforehand changes answers when its time comes', () =>
    expect(
      turningPointsOf(after(published('ads', 1, 5), published('news', 1, 2), published('ads', 2, 3), template(4))),
    ).toEqual([at(2), at(3), at(4), at(5)]));

  it('that an own rule of the site begins something changes', () => {
    const policies = [{ country: 'DE', effectiveFrom: at(7) }, { country: 'FR' }];
    const data = { version: 1, effectiveFrom: at(2), definition: { policies } };
    expect(turningPointsOf(after({ type: 'PoliciesPublished', data } as never))).toEqual([at(2), at(7)]);
  });
});

describe('a purpose as one reader sees it', () => {
  const one = () => after(published('ads', 1, 5)).purposes['ads']!;

  it('is one version in one language', () => {
    const { translations: _, defaultLocale: __, ...terms } = definition('ads');
    expect(purposeView(one(), one().versions[0]!, ['de-AT'], at(6))).toEqual({
      object: 'purpose',
      version: 1,
      status: 'PUBLISHED',
      ...terms,
      ...text('Werbung'),
      change: { from: null, kind: 'MATERIAL', summary: 'x' },
      locale: 'de',
      availableLocales: ['de', 'en'],
      contentHash: contentHash(one().versions[0]!, 'de'),
      effectiveFrom: at(5),
      publishedAt: at(1),
    });
  });

  it('is a draft before its time, and retired after its end', () => {
    const purpose = after(published('ads', 1, 5), retired('ads', 7)).purposes['ads']!;
    expect([4, 5, 6, 7].map((day) => purposeView(purpose, purpose.versions[0]!, [], at(day)).status)).toEqual([
      'DRAFT',
      'PUBLISHED',
      'PUBLISHED',
      'RETIRED',
    ]);
  });

  it('is in the language that is wished for, else in its own', () =>
    expect([['de'], ['fr', 'de'], ['fr'], []].map((wishes) => servedLocale(definition('ads'), wishes))).toEqual([
      'de',
      'de',
      'en',
      'en',
    ]));

  it('has a proof of its text: of exactly this version in exactly this language', () => {
    const version = (more: Partial<PurposePublishedData> = {}): PurposePublishedData => ({
      ...published('ads', 1, 5).data,
      ...more,
    });
    const other = definition('ads', { translations: { en: text('Ads'), de: text('Reklame') } });
    const hash = contentHash(version(), 'de');
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(contentHash(version(), 'de')).toBe(hash);
    const held = version();
    expect([contentHash(held, 'de'), contentHash(held, 'en'), contentHash(held, 'de')]).toEqual([
      hash,
      contentHash(version(), 'en'),
      hash,
    ]);
    expect(contentHash(version(), 'en')).not.toBe(hash);
    expect(contentHash(version({ version: 2 }), 'de')).not.toBe(hash);
    expect(contentHash(version({ definition: definition('ads', { validityDays: 1 }) }), 'de')).not.toBe(hash);
    expect(contentHash(version({ definition: other }), 'de')).not.toBe(hash);
    // A text in another language is no part of it.
    expect(contentHash(version({ definition: other }), 'en')).toBe(contentHash(version(), 'en'));
  });
});
