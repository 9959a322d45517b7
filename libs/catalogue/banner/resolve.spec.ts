import { describe, expect, it } from '@jest/globals';
import { purposeDefinition } from '../../../test/support/purposes.js';
import { fold, isRefusal, plusMs } from '../../kernel/index.js';
import { policyView, ruleAt } from '../../policy/index.js';
import { applyCatalogue, type CatalogueFiles } from '../decide.js';
import { catalogueFold, type CatalogueState } from '../state.js';
import type { BannerFileDto } from './file-dto.js';
import { BANNER_FILE } from './file.js';
import { resolvedBanner } from './resolve.js';
import { noBanner } from './view.js';

const AT = '2026-11-22T12:00:00.000Z';
const LATER = plusMs(AT, 3_600_000);
const POLICY = policyView(ruleAt({ country: 'DE', region: null }, AT), 'DE');
const FILE: BannerFileDto = {
  defaultLocale: 'en',
  presentations: { optIn: { title: { en: 'Your privacy' }, body: { en: 'May we?' } } },
  labels: {
    acceptAll: { en: 'Accept all' },
    rejectAll: { en: 'Reject all' },
    customize: { en: 'Choose' },
    save: { en: 'Save' },
  },
};
const BANNER = BANNER_FILE.definitionOf(FILE);
const published = (key: string) => ({ definition: purposeDefinition(key), status: 'PUBLISHED' }) as const;
const PURPOSES = ['video', 'analytics', 'old'].map(published);

function after(state: CatalogueState, files: CatalogueFiles, at = AT): CatalogueState {
  const decided = applyCatalogue(files, state, at);
  if (isRefusal(decided)) throw new Error(JSON.stringify(decided.issues));
  return fold(catalogueFold, decided.events, state);
}
const shown = (state: CatalogueState, at: string): string[] =>
  resolvedBanner(state, POLICY, 'en', at).purposes.map(({ key, version }) => `${key} ${version}`);

describe('the banner of a moment', () => {
  it('is none before one is in force', () => {
    const state = after(catalogueFold.initial(), {
      purposes: PURPOSES,
      banner: { definition: BANNER, effectiveFrom: LATER },
    });
    expect(resolvedBanner(state, POLICY, 'en', AT)).toEqual(noBanner(POLICY));
    expect(resolvedBanner(state, POLICY, 'en', LATER)).toMatchObject({
      version: 1,
      locale: 'en',
      texts: { title: 'Your privacy' },
    });
  });

  it('shows every purpose that is in force, by key, in the version of the moment, and none that was retired', () => {
    const first = after(catalogueFold.initial(), { purposes: PURPOSES, banner: { definition: BANNER } });
    const changed = { ...purposeDefinition('video'), validityDays: 30 };
    const second = after(first, {
      purposes: [
        { definition: changed, status: 'PUBLISHED', effectiveFrom: LATER },
        { ...published('coming'), effectiveFrom: LATER },
        { ...published('old'), status: 'RETIRED' },
      ],
    });
    expect(shown(first, AT)).toEqual(['analytics 1', 'old 1', 'video 1']);
    expect(shown(second, AT)).toEqual(['analytics 1', 'video 1']);
    expect(shown(second, LATER)).toEqual(['analytics 1', 'coming 1', 'video 2']);
  });

  it('shows the purposes that it names, in its order, as long as they are in force', () => {
    const keys = ['video', 'coming', 'old', 'analytics'];
    const first = after(catalogueFold.initial(), {
      purposes: [...PURPOSES, published('other'), { ...published('coming'), effectiveFrom: LATER }],
      banner: { definition: { ...BANNER, purposeKeys: keys } },
    });
    expect(shown(first, AT)).toEqual(['video 1', 'old 1', 'analytics 1']);
    expect(shown(first, LATER)).toEqual(['video 1', 'coming 1', 'old 1', 'analytics 1']);
    const unnamed = { ...BANNER, purposeKeys: keys.filter((key) => key !== 'old') };
    const second = after(first, {
      purposes: [{ ...published('old'), status: 'RETIRED' }],
      banner: { definition: unnamed },
    });
    expect(shown(second, LATER)).toEqual(['video 1', 'coming 1', 'analytics 1']);
  });

  it('names its purposes in the language that it is asked for', () => {
    const translations = Object.fromEntries(
      [
        ['en', 'Video'],
        ['de', 'Filme'],
      ].map(([locale, name]) => [locale, { name: name!, description: name!, legalText: '' }]),
    );
    const state = after(catalogueFold.initial(), {
      purposes: [{ definition: purposeDefinition('video', { translations }), status: 'PUBLISHED' }],
      banner: { definition: BANNER },
    });
    const [purpose] = resolvedBanner(state, POLICY, 'de', AT).purposes;
    expect([purpose?.name, purpose?.locale]).toEqual(['Filme', 'de']);
  });

  it('leaves out a purpose that it names and that was retired since', () => {
    const first = after(catalogueFold.initial(), {
      purposes: PURPOSES,
      banner: { definition: { ...BANNER, purposeKeys: ['old', 'video'] } },
    });
    const second = after(first, { purposes: [{ ...published('old'), status: 'RETIRED' }] });
    expect(shown(second, AT)).toEqual(['video 1']);
  });
});
