import { describe, expect, it } from '@jest/globals';
import { purposeDefinition } from '../../../test/support/purposes.js';
import { bannerAt } from '../../elements/server/banner-at.js';
import { fold, isRefusal, PURPOSE_CATEGORIES } from '../../kernel/index.js';
import { placesKnown, policyView, siteRuleAt } from '../../policy/index.js';
import { BANNER_FILE } from '../banner/file.js';
import { resolvedBanner } from '../banner/resolve.js';
import type { FrameworksOfSite } from '../banner/view.js';
import { applyCatalogue, type CatalogueFiles } from '../decide.js';
import { ownRulesOf } from '../policies/rules.js';
import { catalogueFold, type CatalogueState } from '../state.js';
import { bannerManifest, shownContentHash } from './manifest.js';

const AT = '2026-11-22T12:00:00.000Z';
const STYLE = 'https://consent.example/elements/v1/banner-0.css';
const SITE: FrameworksOfSite = {
  cmp: { id: 300, version: 4 },
  gpp: { approach: 'NATIONAL', unsettledSections: false, mspa: { covered: true, mode: 'OPT_OUT' } },
};
const both = (en: string, de: string) => ({ en, de });
const BANNER = BANNER_FILE.definitionOf({
  defaultLocale: 'en',
  presentations: {
    optIn: { title: both('Your privacy', 'Ihre Daten'), body: both('May we?', 'Dürfen wir?') },
    optOut: { title: both('Your choices', 'Ihre Wahl'), body: both('We do.', 'Wir tun es.') },
    noticeOnly: { title: both('Read this', 'Zu lesen'), body: both('We do.', 'Wir tun es.') },
  },
  labels: {
    acceptAll: both('Accept', 'Ja'),
    rejectAll: both('Refuse', 'Nein'),
    customize: both('Choose', 'Auswählen'),
    save: both('Save', 'Speichern'),
    acknowledge: both('Understood', 'Verstanden'),
    doNotSell: both('Do not sell', 'Nicht verkaufen'),
  },
  tcf: { publisherCountry: 'DE' },
});
const PURPOSES = PURPOSE_CATEGORIES.map((category) => ({
  definition: { ...purposeDefinition(category.toLowerCase()), category },
  status: 'PUBLISHED' as const,
}));

function stateOf(files: CatalogueFiles): CatalogueState {
  const decided = applyCatalogue(files, catalogueFold.initial(), AT);
  if (isRefusal(decided)) throw new Error(JSON.stringify(decided.issues));
  return fold(catalogueFold, decided.events, catalogueFold.initial());
}
const WHO = { who: 'Privacy team', why: 'Tighter than the law.' };
const OWN_RULES = {
  policies: [
    { country: 'BR', changes: { refusalCooldownDays: 90 }, ...WHO },
    { country: 'AQ', changes: { consentValidityDays: 10 }, ...WHO },
    { country: 'US', region: 'US-WY', changes: { model: 'OPT_IN' as const }, ...WHO },
  ],
};

describe('the manifest', () => {
  it.each<[string, CatalogueFiles]>([
    ['with a banner', { purposes: PURPOSES, banner: { definition: BANNER } }],
    [
      'with rules of its own',
      { purposes: PURPOSES, banner: { definition: BANNER }, policies: { definition: OWN_RULES } },
    ],
    ['without a banner', { purposes: PURPOSES }],
  ])('%s gives for every place and language what the banner there is', (_, files) => {
    const state = stateOf(files);
    const { manifest } = bannerManifest(state, AT, SITE, STYLE);
    const own = ownRulesOf(state);
    const places = [
      { country: null, region: null },
      ...placesKnown(),
      { country: 'AQ', region: null },
      { country: 'US', region: 'US-WY' },
      { country: 'DE', region: 'DE-BY' },
    ];
    for (const place of places)
      for (const locale of files.banner ? ['en', 'de'] : ['und']) {
        const policy = policyView(siteRuleAt(own, place, AT), place.country);
        const view = resolvedBanner(state, policy, locale, AT, SITE);
        const found = bannerAt(manifest, { ...place, locale })!;
        // Where neither the law nor the site knows a country, it has the rule of all others.
        expect(found.banner).toEqual(found.country === place.country ? view : { ...view, policy: found.banner.policy });
        expect(found.contentHash).toBe(shownContentHash(view));
      }
    expect(Object.keys(manifest.contents).length).toBeLessThan(20);
    expect(JSON.stringify(manifest).length).toBeLessThan(600_000);
  });

  it('finds the language by the wish, and the region with its country or without', () => {
    const { manifest } = bannerManifest(
      stateOf({ purposes: PURPOSES, banner: { definition: BANNER } }),
      AT,
      SITE,
      STYLE,
    );
    expect(bannerAt(manifest, { country: 'de', locale: 'de-Latn-AT' })!.banner.locale).toBe('de');
    expect(bannerAt(manifest, { country: 'DE', locale: 'fr' })!.banner.locale).toBe('en');
    const california = bannerAt(manifest, { country: 'US', region: 'US-CA' });
    expect(california!.banner.policy.region).toBe('US-CA');
    for (const named of [{ country: 'US', region: 'CA' }, { region: 'us-ca' }])
      expect(bannerAt(manifest, named)).toEqual(california);
    for (const unknown of [{ country: 'XX' }, { country: 'T1' }, { country: '' }, {}])
      expect(bannerAt(manifest, unknown)!.country).toBeNull();
  });

  it('is bounded: languages that it has no room for are left out, and are not answered in another one', () => {
    const state = stateOf({ purposes: PURPOSES, banner: { definition: BANNER } });
    const whole = JSON.stringify(bannerManifest(state, AT, SITE, STYLE).manifest.contents).length;
    const { manifest } = bannerManifest(state, AT, SITE, STYLE, Math.ceil(whole * 0.7));
    expect(manifest.availableLocales).toEqual(['de', 'en']);
    expect(bannerAt(manifest, { country: 'DE', locale: 'en' })).not.toBeNull();
    expect(bannerAt(manifest, { country: 'DE', locale: 'de' })).toBeNull();
  });
});
