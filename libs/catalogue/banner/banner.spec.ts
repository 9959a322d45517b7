import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal, type Instant } from '../../kernel/index.js';
import { compile } from '../../http/contract/fields.js';
import { policyView, refusalDemandedBy, ruleAt, type PolicyView } from '../../policy/index.js';
import { applyCatalogue } from '../decide.js';
import { purposeDefinition } from '../../../test/support/purposes.js';
import type { DocumentPublishedData } from '../document.js';
import type { PurposeDefinition } from '../purpose-definition.js';
import { catalogueFold } from '../state.js';
import { purposeView, type PurposeView } from '../view.js';
import type { BannerButton, BannerDefinition } from './definition.js';
import { BANNER_ACTIONS, DISMISSALS, EMPHASES, LAYOUTS, POSITIONS, REOPENINGS } from './definition.js';
import { BANNER_FILE } from './file.js';
import { BannerFileDto } from './file-dto.js';
import { presentationFor } from './content.js';
import { bannerLocale, bannerView, noBanner } from './view.js';

const AT = '2026-11-22T12:00:00.000Z';
const both = (text: string) => ({ en: text, ar: `${text} (ar)` });
const FILE: BannerFileDto = {
  defaultLocale: 'en',
  presentations: {
    optIn: { title: both('Your privacy'), body: both('May we?') },
    optOut: { title: both('Your choices'), body: both('You can object.') },
  },
  labels: {
    acceptAll: both('Accept all'),
    rejectAll: both('Reject all'),
    customize: both('Choose'),
    save: both('Save'),
    acknowledge: both('Understood'),
    doNotSell: both('Do not sell'),
  },
};
const SOUND = BANNER_FILE.definitionOf(FILE);
const applied = (definition: BannerDefinition) =>
  applyCatalogue({ purposes: [], banner: { definition } }, catalogueFold.initial(), AT);
const withButtons = (...buttons: BannerButton[]): BannerDefinition => ({
  ...SOUND,
  presentations: { ...SOUND.presentations, optIn: { ...SOUND.presentations.optIn, buttons } },
});
const ACCEPT: BannerButton = { action: 'ACCEPT_ALL', layer: 1, emphasis: 'PRIMARY' };
const REJECT: BannerButton = { action: 'REJECT_ALL', layer: 1, emphasis: 'PRIMARY' };

describe('a banner', () => {
  it('is published where refusing is as easy as agreeing', () => {
    expect(applied(SOUND)).toMatchObject({ events: [{ type: 'BannerPublished', data: { version: 1 } }] });
    expect(applied(withButtons(REJECT, ACCEPT))).toMatchObject({ events: [{ type: 'BannerPublished' }] });
  });

  it.each<[string, BannerDefinition, string, RegExp]>([
    ['lacks the refusal', withButtons(ACCEPT), 'presentations.optIn.buttons', /^lacks REJECT_ALL on the first layer/],
    [
      'hides it on the second layer',
      withButtons(ACCEPT, { ...REJECT, layer: 2 }),
      'presentations.optIn.buttons',
      /^lacks REJECT_ALL on the first layer/,
    ],
    [
      'makes it stand out less',
      withButtons(ACCEPT, { ...REJECT, emphasis: 'SECONDARY' }),
      'presentations.optIn.buttons[1].emphasis',
      /^must be PRIMARY, that of ACCEPT_ALL/,
    ],
    [
      'has only agreement on the second layer',
      withButtons(ACCEPT, REJECT, { ...ACCEPT, layer: 2 }),
      'presentations.optIn.buttons[2].action',
      /^needs REJECT_ALL on the same layer/,
    ],
    [
      'lets people only understand',
      withButtons({ action: 'ACKNOWLEDGE', layer: 1, emphasis: 'PRIMARY' }, REJECT),
      'presentations.optIn.buttons[0].action',
      /^cannot be ACKNOWLEDGE/,
    ],
    [
      'writes it so that it cannot be read',
      { ...SOUND, theme: { ...SOUND.theme, light: { primary: '#ffffff', onPrimary: '#eeeeee' } } },
      'theme.light.onPrimary',
      /^must differ more/,
    ],
    [
      'writes it in the dark so that it cannot be read',
      { ...SOUND, theme: { ...SOUND.theme, dark: { primary: '#000000', onPrimary: '#222222' } } },
      'theme.dark.onPrimary',
      /^must differ more/,
    ],
    [
      'calls it what agreeing is called',
      { ...SOUND, labels: { ...SOUND.labels, rejectAll: { en: 'ACCEPT ALL ', ar: 'x' } } },
      'labels.rejectAll.en',
      /^says the same as acceptAll/,
    ],
  ])('that %s is refused, with the place and the rule', (_, definition, path, message) => {
    const refused = applied(definition);
    if (!isRefusal(refused)) throw new Error('it was published');
    expect(refused.code).toBe('banner_not_compliant');
    const issue = refused.issues.find((each) => each.path === `banner.${path}`);
    expect(issue?.message).toMatch(message);
    expect(issue?.message).toMatch(/: rejectRequired of GDPR in AT, BE, BG and \d+ more/);
  });

  const SECOND = (button: BannerButton): BannerButton => ({ ...button, layer: 2 });
  const quiet = (button: BannerButton): BannerButton => ({ ...button, emphasis: 'SECONDARY' });
  const coloured = (definition: BannerDefinition, light: object): BannerDefinition => ({
    ...definition,
    theme: { ...definition.theme, light },
  });
  const [PALE, PALER, BLACK] = ['#ffffff', '#eeeeee', '#000000'];
  it.each<[string, BannerDefinition]>([
    ['has both on the second layer too', withButtons(ACCEPT, REJECT, SECOND(ACCEPT), SECOND(REJECT))],
    ['has only the refusal on the second layer', withButtons(ACCEPT, REJECT, SECOND(REJECT))],
    ['has only the refusal', withButtons(REJECT)],
    ['makes both stand out less', withButtons(quiet(ACCEPT), quiet(REJECT))],
    [
      'shows each as the one beside it on its layer',
      withButtons(ACCEPT, REJECT, SECOND(quiet(ACCEPT)), SECOND(quiet(REJECT))),
    ],
    ['says one colour of two', coloured(SOUND, { primary: PALE })],
    ['says the other colour of two', coloured(SOUND, { onPrimary: PALE })],
    ['can be read', coloured(SOUND, { primary: PALE, onPrimary: BLACK })],
    // #767676 on white has 4.54:1.
    ['can just be read', coloured(SOUND, { primary: PALE, onPrimary: '#767676' })],
    ['has colours of no refusal that cannot be read', coloured(SOUND, { secondary: PALE, onSecondary: PALER })],
  ])('that %s is published', (_, definition) =>
    expect(applied(definition)).toMatchObject({ events: [{ type: 'BannerPublished' }] }),
  );

  it('that is refused says all that is wrong with it and nothing else', () => {
    const refused = (definition: BannerDefinition): [path: string, message: string][] => {
      const decided = applied(definition);
      if (!isRefusal(decided)) throw new Error('it was published');
      return decided.issues.map(({ path, message }) => [path, message.replace(/: rejectRequired of .*/, '')]);
    };
    const at = 'banner.presentations.optIn.buttons';
    expect(refused(withButtons(ACCEPT, SECOND(ACCEPT)))).toEqual([
      [at, 'lacks REJECT_ALL on the first layer'],
      [`${at}[1].action`, 'needs REJECT_ALL on the same layer'],
    ]);
    expect(refused(withButtons(quiet(ACCEPT), REJECT))).toEqual([
      [`${at}[1].emphasis`, 'must be SECONDARY, that of ACCEPT_ALL'],
    ]);
    const unreadable = 'must differ more from what it stands on (4.5:1): REJECT_ALL cannot be read';
    // #777777 on white has 4.48:1.
    expect(refused(coloured(SOUND, { primary: PALE, onPrimary: '#777777' }))).toEqual([
      ['banner.theme.light.onPrimary', unreadable],
    ]);
    expect(
      refused(coloured(withButtons(quiet(ACCEPT), quiet(REJECT)), { secondary: PALE, onSecondary: PALER })),
    ).toEqual([['banner.theme.light.onSecondary', unreadable]]);
    const same = { ...SOUND.labels, acceptAll: both(' Yes'), rejectAll: { en: 'yes', ar: 'no' } };
    expect(refused({ ...SOUND, labels: same })).toEqual([['banner.labels.rejectAll.en', 'says the same as acceptAll']]);
  });

  it('that is refused names the three acts of most places, three places of each, and how many more there are', () => {
    const decided = applied(withButtons(ACCEPT));
    if (!isRefusal(decided)) throw new Error('it was published');
    const acts = refusalDemandedBy(AT);
    const named = acts.slice(0, 3).map(({ regulation, places }) => {
      const more = places.length > 3 ? ` and ${places.length - 3} more` : '';
      return `${regulation} in ${places.slice(0, 3).join(', ')}${more}`;
    });
    expect(acts[2]!.places).toHaveLength(3);
    expect(decided.issues.map(({ message }) => message)).toEqual([
      `lacks REJECT_ALL on the first layer: rejectRequired of ${named.join('; ')}; and ${acts.length - 3} other acts`,
    ]);
    expect(decided.hint).toContain('Give REJECT_ALL in presentations.optIn a place on the first layer');
  });

  it.each<[string, BannerDefinition, string, string]>([
    [
      'a button without a text',
      { ...SOUND, labels: { ...SOUND.labels, save: undefined! } },
      'presentations.optIn.buttons[3].action',
      'has no text: labels.save',
    ],
    [
      'an unknown vendor',
      { ...SOUND, tcf: { publisherCountry: 'DE', vendors: ['unknown'] } },
      'tcf.vendors[0]',
      'names no vendor of vendors.yaml',
    ],
    ['a button twice', withButtons(ACCEPT, REJECT, REJECT), 'presentations.optIn.buttons[2].action', 'stands twice'],
    [
      'choices that cannot be saved',
      withButtons(ACCEPT, REJECT, { action: 'CUSTOMIZE', layer: 1, emphasis: 'SECONDARY' }),
      'presentations.optIn.buttons',
      'must hold SAVE on the second layer where CUSTOMIZE leads there',
    ],
    [
      'a language that is missing somewhere',
      { ...SOUND, labels: { ...SOUND.labels, save: { en: 'Save' } } },
      'labels.save',
      'lacks the language ar, which other texts of the banner have',
    ],
    [
      'a purpose that there is not',
      { ...SOUND, purposeKeys: ['nothing'] },
      'purposeKeys[0]',
      'names no purpose of the catalogue or of this folder',
    ],
  ])('with %s is refused', (_, definition, path, message) => {
    expect(applied(definition)).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: `banner.${path}`, message }],
    });
  });

  it('written as a file and read again is the same, and no longer than it has to be', () => {
    const texts = fc.constantFrom(both('A: b'), both('C #1'));
    const colours = fc.constantFrom({}, { primary: '#1a5fb4', onPrimary: '#ffffff' });
    const buttons = fc.uniqueArray(
      fc.record({
        action: fc.constantFrom(...BANNER_ACTIONS),
        layer: fc.constantFrom(1, 2),
        emphasis: fc.constantFrom(...EMPHASES),
      }),
      { minLength: 1, maxLength: 5 },
    );
    const presentation = fc.record({ title: texts, body: texts, buttons });
    const definition: fc.Arbitrary<BannerDefinition> = fc.record({
      defaultLocale: fc.constant('en'),
      layout: fc.constantFrom(...LAYOUTS),
      position: fc.constantFrom(...POSITIONS),
      presentations: fc.record({
        optIn: fc.oneof(presentation, fc.constant(SOUND.presentations.optIn)),
        optOut: fc.option(fc.oneof(presentation, fc.constant(SOUND.presentations.optOut!))),
        noticeOnly: fc.option(presentation),
      }),
      labels: fc.record(
        { acceptAll: texts, rejectAll: texts, save: texts, close: texts },
        { requiredKeys: ['acceptAll', 'rejectAll'] },
      ),
      purposeKeys: fc.option(fc.constant(['analytics'])),
      links: fc.record({
        privacyPolicy: fc.option(fc.constant({ en: 'https://a.example/' })),
        imprint: fc.option(fc.constant({ en: 'https://a.example/' })),
      }),
      behaviour: fc.record({
        dismiss: fc.constantFrom(...DISMISSALS),
        scrollLock: fc.boolean(),
        resurfaceAfterDays: fc.option(fc.integer({ min: 1, max: 3650 })),
        reopen: fc.constantFrom(...REOPENINGS),
      }),
      theme: fc.record({
        light: colours,
        dark: colours,
        radiusPx: fc.option(fc.integer({ min: 0, max: 64 })),
        fontFamily: fc.option(fc.constant('Inter, sans-serif')),
      }),
      google: fc.record({ waitForUpdateMs: fc.constantFrom(0, 500, 800) }),
      tcf: fc.constantFrom<BannerDefinition['tcf']>(
        { publisherCountry: null },
        { publisherCountry: 'DE' },
        { publisherCountry: 'DE', vendors: ['ads'] },
      ),
    });
    fc.assert(
      fc.property(definition, (each) => {
        const file = BANNER_FILE.fileOf(each);
        expect(compile(BannerFileDto)(file)).toEqual([]);
        expect(BANNER_FILE.definitionOf(file)).toEqual(each);
      }),
    );
    expect(BANNER_FILE.fileOf(SOUND)).toEqual(FILE);
  });
});

describe('the banner that a page shows', () => {
  const published: DocumentPublishedData<BannerDefinition> = {
    definition: { ...SOUND, behaviour: { ...SOUND.behaviour, resurfaceAfterDays: 30 } },
    version: 3,
    change: { from: 2, summary: '' },
    definitionHash: '',
    effectiveFrom: AT,
    publishedAt: AT,
  };
  const policyOf = (country: string | null, region: string | null = null, at: Instant = AT): PolicyView =>
    policyView(ruleAt({ country, region }, at), country);
  const purpose = (key: string, more: Partial<PurposeDefinition>): PurposeView => {
    const translations = { en: { name: key, description: 'd'.repeat(600), legalText: 'l'.repeat(20_000) } };
    const definition = purposeDefinition(key, { category: 'ANALYTICS', translations, ...more });
    const version = {
      definition,
      version: 1,
      change: { from: null, kind: 'MATERIAL' as const, summary: '' },
      definitionHash: '',
      effectiveFrom: AT,
      publishedAt: AT,
    };
    return purposeView({ key, versions: [version], retiredAt: null }, version, ['en'], AT);
  };
  const google = (...types: PurposeDefinition['frameworks']['google']): PurposeDefinition['frameworks'] => ({
    tcf: { purposes: [], specialFeatures: [] },
    google: types,
    us: [],
  });

  it.each<[string, string | null, string | null, string, string]>([
    ['Germany', 'DE', null, 'OPT_IN', 'Your privacy'],
    ['California', 'US', 'US-CA', 'OPT_OUT', 'Your choices'],
    ['an unknown place', null, null, 'OPT_IN', 'Your privacy'],
  ])('in %s', (_, country, region, presentation, title) => {
    const view = bannerView(published, policyOf(country, region), [], 'en');
    expect(view).toMatchObject({ presentation, texts: { title }, version: 3, policy: { country } });
    const actions = view.buttons.filter(({ layer }) => layer === 1).map(({ action }) => action);
    expect(actions.includes('REJECT_ALL')).toBe(presentation === 'OPT_IN');
  });

  it('is the one for opt-in wherever refusing must be easy, and where there is no other', () => {
    const california = policyOf('US', 'US-CA');
    expect(presentationFor({ ...california, rejectRequired: true })).toBe('OPT_IN');
    expect(presentationFor({ ...california, model: 'NONE', bannerRequired: true })).toBe('NOTICE_ONLY');
    expect(presentationFor({ ...california, model: 'NONE' })).toBe('NONE');
    const only = { ...published, definition: { ...SOUND, presentations: { ...SOUND.presentations, optOut: null } } };
    expect(bannerView(only, california, [], 'en').texts.title).toBe('Your privacy');
  });

  it('says of each purpose what holds at the place, and Google the same', () => {
    const purposes = [
      purpose('ads', { consentModel: 'OPT_OUT', category: 'MARKETING', frameworks: google('ad_storage') }),
      purpose('running', { consentModel: 'ALWAYS_ON', category: 'NECESSARY', frameworks: google('security_storage') }),
      purpose('statistics', { frameworks: google('analytics_storage', 'ad_storage') }),
      purpose('explained', { consentModel: 'NOTICE_ONLY', category: 'FUNCTIONAL' }),
      purpose('health', { consentModel: 'NOTICE_ONLY', category: 'SENSITIVE' }),
    ];
    const inGermany = bannerView(published, policyOf('DE'), purposes, 'en');
    const inCalifornia = bannerView(published, policyOf('US', 'US-CA'), purposes, 'en');
    const standing = (view: typeof inGermany) => view.purposes.map((each) => [each.key, each.default, each.locked]);
    expect(standing(inGermany)).toEqual([
      ['ads', 'DENIED', false],
      ['running', 'GRANTED', true],
      ['statistics', 'DENIED', false],
      ['explained', 'GRANTED', false],
      ['health', 'DENIED', false],
    ]);
    expect(standing(inCalifornia)[0]).toEqual(['ads', 'GRANTED', false]);
    expect(inCalifornia.google.default).toMatchObject({
      security_storage: 'granted',
      // Statistics has to be asked for, and carries the type too.
      ad_storage: 'denied',
      // No purpose names it: what is strictly necessary decides.
      functionality_storage: 'granted',
    });
    const adsOnly = bannerView(published, policyOf('US', 'US-CA'), purposes.slice(0, 1), 'en');
    expect(adsOnly.google.default.ad_storage).toBe('granted');
  });

  it('asks again no sooner than the policy allows', () => {
    const france = policyOf('FR');
    expect(france.refusalCooldownDays).toBeGreaterThan(30);
    expect(bannerView(published, france, [], 'en').behaviour.resurfaceAfterDays).toBe(france.refusalCooldownDays);
    const free = { ...france, refusalCooldownDays: null };
    expect(bannerView(published, free, [], 'en').behaviour.resurfaceAfterDays).toBe(30);
  });

  it('is in the language wished for, with its direction', () => {
    expect(bannerLocale(published, ['ar-EG'])).toBe('ar');
    expect(bannerLocale(published, ['fr'])).toBe('en');
    expect(bannerLocale(undefined, ['fr'])).toBe('und');
    expect(bannerView(published, policyOf('DE'), [], 'ar')).toMatchObject({
      direction: 'RTL',
      texts: { title: 'Your privacy (ar)' },
      availableLocales: ['ar', 'en'],
    });
  });

  it('takes 20 kB at most for ten purposes', () => {
    const purposes = Array.from({ length: 10 }, (_, n) => purpose(`purpose_${n}`, {}));
    for (const policy of [policyOf('DE'), policyOf('US', 'US-CA'), policyOf(null)])
      expect(Buffer.byteLength(JSON.stringify(bannerView(published, policy, purposes, 'en')))).toBeLessThan(20_000);
  });

  it('has a hash of its own for each language, version and kind of policy, and no other for the same', () => {
    const hashOf = (banner: typeof published, policy: PolicyView, purposes: PurposeView[], locale: string): string =>
      bannerView(banner, policy, purposes, locale).contentHash;
    const hashes = [
      hashOf(published, policyOf('DE'), [], 'en'),
      hashOf(published, policyOf('DE'), [], 'ar'),
      hashOf(published, policyOf('US', 'US-CA'), [], 'en'),
      hashOf({ ...published, version: 4 }, policyOf('DE'), [], 'en'),
      noBanner(policyOf('DE')).contentHash,
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashOf(published, policyOf('FR'), [purpose('ads', {})], 'en')).toBe(hashes[0]);
    expect(noBanner(policyOf('FR')).contentHash).toBe(hashes.at(-1));
  });
});
