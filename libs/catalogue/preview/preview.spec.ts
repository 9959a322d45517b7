import { describe, expect, it } from '@jest/globals';
import { applyCatalogue } from '../decide.js';
import type { CatalogueFolderDto } from '../dto.js';
import { filesOf } from '../files/files-of-input.js';
import { BANNER_FILE, COOKIES_FILE, PURPOSE_FILE } from '../files/file-examples.js';
import { evolveCatalogue, initialCatalogue, type CatalogueState } from '../state.js';
import { isRefusal } from '../../kernel/index.js';
import type { DraftFiles } from '../editing/draft-files.js';
import { FINDING_RULES, type FindingRule } from './findings.js';
import { bannerPreview, type PreviewWanted } from './preview.js';

const AT = '2026-11-28T10:00:00.000Z';
const SITE = {
  languages: ['en'],
  frameworks: { cmp: null, gpp: { approach: 'STATE', unsettledSections: false, mspa: { covered: false, mode: null } } },
} as const;

/** Files of which nothing is to be said in Germany. */
const PURPOSE = { ...PURPOSE_FILE, retention: 'P14M' };
const BANNER = { ...BANNER_FILE, links: { privacyPolicy: { en: 'https://shop.example/privacy' } } };
const GOOD: DraftFiles = { purposes: [PURPOSE], banner: BANNER, cookies: COOKIES_FILE };

const preview = (
  files: DraftFiles | null,
  more: Partial<Omit<PreviewWanted, 'files'>> & { languages?: readonly string[]; state?: CatalogueState } = {},
) =>
  bannerPreview(
    { files, place: { country: 'DE', region: null }, locales: [], ...more },
    more.state ?? initialCatalogue(),
    { ...SITE, languages: more.languages ?? SITE.languages },
    AT,
  );
const found = (...of: Parameters<typeof preview>): string[] =>
  preview(...of).findings.map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);
const banner = (change: object): DraftFiles => ({ ...GOOD, banner: { ...BANNER, ...change } });
const purpose = (change: object): DraftFiles => ({ ...GOOD, purposes: [{ ...PURPOSE, ...change }] });
const US = { place: { country: 'US', region: 'US-CA' } } as const;
const OPT_OUT = {
  title: { en: 'Your choices' },
  body: { en: 'You can object.' },
  buttons: [{ action: 'REJECT_ALL', layer: 1, emphasis: 'PRIMARY' }],
};

interface Example {
  files: DraftFiles;
  more?: Parameters<typeof preview>[1];
  says: string;
}
const EXAMPLES: Record<FindingRule, Example[]> = {
  CATALOGUE_VALID: [
    { files: purpose({ legalBasis: 'CONTRACT' }), says: 'ERROR CATALOGUE_VALID purposes[0].legalBasis' },
    { files: { ...GOOD, purposes: [{}] }, says: 'ERROR CATALOGUE_VALID purposes[0].key' },
    { files: banner({ layout: 'ROUND' }), says: 'ERROR CATALOGUE_VALID banner.layout' },
    {
      files: banner({ labels: { ...BANNER.labels, save: { de: 'Sichern' } } }),
      says: 'ERROR CATALOGUE_VALID banner.labels.save',
    },
  ],
  BANNER_REQUIRED: [{ files: { purposes: [PURPOSE] }, says: 'ERROR BANNER_REQUIRED banner' }],
  EQUAL_CHOICE: [
    {
      files: banner({
        presentations: {
          optIn: {
            ...BANNER.presentations.optIn,
            buttons: [
              { action: 'ACCEPT_ALL', layer: 1, emphasis: 'PRIMARY' },
              { action: 'REJECT_ALL', layer: 1, emphasis: 'SECONDARY' },
            ],
          },
        },
      }),
      says: 'ERROR EQUAL_CHOICE banner.presentations.optIn.buttons[1].emphasis',
    },
    {
      files: banner({ theme: { light: { primary: '#888888', onPrimary: '#999999' } } }),
      says: 'ERROR EQUAL_CHOICE banner.theme.light.onPrimary',
    },
  ],
  TEXT_CONTRAST: [
    {
      files: banner({ theme: { dark: { background: '#000000', text: '#333333' } } }),
      says: 'WARNING TEXT_CONTRAST banner.theme.dark.text',
    },
    {
      files: banner({ theme: { light: { background: '#ffffff', link: '#cccccc' } } }),
      says: 'WARNING TEXT_CONTRAST banner.theme.light.link',
    },
  ],
  SHAPE_CONTRAST: [
    {
      files: banner({ theme: { light: { background: '#ffffff', primary: '#f0f0f0' } } }),
      says: 'ADVICE SHAPE_CONTRAST banner.theme.light.primary',
    },
  ],
  NO_WALL: [
    { files: banner({ layout: 'WALL' }), says: 'WARNING NO_WALL banner.layout' },
    { files: banner({ behaviour: { scrollLock: true } }), says: 'ADVICE NO_WALL banner.behaviour.scrollLock' },
  ],
  LANGUAGE_COMPLETE: [
    {
      files: GOOD,
      more: { languages: ['en', 'fr'] },
      says: 'WARNING LANGUAGE_COMPLETE banner.presentations.optIn.title',
    },
    {
      files: purpose({ defaultLocale: 'de', translations: { de: { name: 'Statistik', description: 'Zählt.' } } }),
      says: 'WARNING LANGUAGE_COMPLETE purposes[analytics].translations',
    },
  ],
  TEXT_OF_PLACE: [
    { files: GOOD, more: US, says: 'WARNING TEXT_OF_PLACE banner.presentations.optOut' },
    { files: GOOD, more: { model: 'NOTICE_ONLY' }, says: 'ADVICE TEXT_OF_PLACE banner.presentations.noticeOnly' },
  ],
  OPT_OUT_LINK: [
    {
      files: banner({
        presentations: {
          ...BANNER.presentations,
          optOut: { ...OPT_OUT, buttons: [{ action: 'ACCEPT_ALL', layer: 1, emphasis: 'PRIMARY' }] },
        },
      }),
      more: US,
      says: 'ERROR OPT_OUT_LINK banner.presentations.optOut.buttons',
    },
    {
      files: banner({ presentations: { ...BANNER.presentations, optOut: OPT_OUT } }),
      more: US,
      says: 'ADVICE OPT_OUT_LINK banner.labels.privacyChoices',
    },
  ],
  PRIVACY_POLICY: [{ files: banner({ links: {} }), says: 'WARNING PRIVACY_POLICY banner.links.privacyPolicy' }],
  RETENTION: [
    { files: { ...GOOD, purposes: [PURPOSE_FILE] }, says: 'WARNING RETENTION purposes[analytics].retention' },
  ],
  LEGITIMATE_INTEREST: [
    {
      files: purpose({ legalBasis: 'LEGITIMATE_INTERESTS', consentModel: 'OPT_OUT' }),
      says: 'WARNING LEGITIMATE_INTEREST purposes[analytics].legalBasis',
    },
  ],
  GRANT_LIFE: [{ files: purpose({ validityDays: 3000 }), says: 'ADVICE GRANT_LIFE purposes[analytics].validityDays' }],
  ASKED_AGAIN: [
    {
      files: banner({ behaviour: { resurfaceAfterDays: 1 } }),
      more: { place: { country: 'FR', region: null } },
      says: 'ADVICE ASKED_AGAIN banner.behaviour.resurfaceAfterDays',
    },
  ],
  COOKIE_PURPOSE: [
    {
      files: { ...banner({ purposeKeys: ['other'] }), purposes: [PURPOSE, { ...PURPOSE, key: 'other' }] },
      says: 'WARNING COOKIE_PURPOSE cookies.cookies[0].purposeKeys',
    },
  ],
  COOKIE_LISTED: [
    { files: purpose({ cookies: ['_stat', '_new'] }), says: 'WARNING COOKIE_LISTED purposes[analytics].cookies' },
  ],
  TCF_TOOL: [{ files: banner({ tcf: { publisherCountry: 'DE' } }), says: 'WARNING TCF_TOOL banner.tcf' }],
};

describe('the findings of a preview', () => {
  it('are none where all is well', () => expect(preview(GOOD).findings).toEqual([]));

  it.each(
    Object.entries(EXAMPLES).flatMap(([rule, examples]) =>
      examples.map((example, i) => [`${rule} ${i + 1}`, example] as const),
    ),
  )('%s', (_, { files, more, says }) => expect(found(files, more)).toContain(says));

  it('name a source each, and stand with the worst first', () => {
    const { findings } = preview({ ...banner({ layout: 'WALL', links: {} }), purposes: [{}] });
    for (const { rule, source } of findings) expect(source).toBe(FINDING_RULES[rule]);
    expect(findings[0]!.severity).toBe('ERROR');
    expect(findings.at(-1)!.severity).not.toBe('ERROR');
  });

  it('say a breach of equal choice once', () => {
    const [breach] = EXAMPLES.EQUAL_CHOICE;
    expect(found(breach!.files).filter((each) => each.includes('buttons[1].emphasis'))).toHaveLength(1);
  });
});

describe('what a preview shows', () => {
  const published = (): CatalogueState => {
    const decided = applyCatalogue(filesOf(GOOD as CatalogueFolderDto), initialCatalogue(), AT);
    if (isRefusal(decided)) throw new Error(decided.message);
    return decided.events.reduce(evolveCatalogue, initialCatalogue());
  };

  it('is what is published where there are no files', () =>
    expect(preview(null, { state: published() }).banner).toMatchObject({
      version: 1,
      texts: { title: 'Your privacy' },
      purposes: [{ key: 'analytics' }],
    }));

  it('leaves out what cannot be shown, and shows what is published in its place', () => {
    const state = published();
    const { banner: shown } = preview({ purposes: [{ key: 'analytics' }], banner: { layout: 'ROUND' } }, { state });
    expect(shown).toMatchObject({ version: 1, purposes: [{ key: 'analytics', version: 1 }] });
    const noBanner = preview({ purposes: [{ ...PURPOSE, defaultLocale: 'fr' }, 'text', null] }).banner;
    expect(noBanner).toMatchObject({ version: 0, purposes: [] });
  });

  it('has a text wherever one is missing', () => {
    const labels = { ...BANNER.labels, acceptAll: { en: 'Accept all', de: 'Alle annehmen' } };
    const { banner: shown } = preview(banner({ labels }), { locales: ['de'] });
    expect(shown.texts).toMatchObject({ acceptAll: 'Alle annehmen', title: 'Your privacy' });
  });

  it('is of the place as if its law had another model', () => {
    const optOut = banner({ presentations: { ...BANNER.presentations, optOut: OPT_OUT } });
    expect(preview(optOut).banner).toMatchObject({ presentation: 'OPT_IN', purposes: [{ default: 'DENIED' }] });
    expect(preview(optOut, { model: 'OPT_OUT' }).banner).toMatchObject({
      presentation: 'OPT_OUT',
      policy: { model: 'OPT_OUT', country: 'DE' },
    });
  });

  it('is of the moment when all of the files are in force', () =>
    expect(preview(banner({ effectiveFrom: '2027-06-01T00:00:00.000Z' })).banner).toMatchObject({
      version: 1,
      effectiveFrom: '2027-06-01T00:00:00.000Z',
    }));
});
