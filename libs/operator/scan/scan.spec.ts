import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ruleAt, silenceUnder } from '../../policy/index.js';
import { isPublicHost } from './address.js';
import { CONSENT_TOOLS, toolOf } from './consent-tools.js';
import { draftedList } from './draft.js';
import { fitsGlob } from './glob.js';
import { judged, neverSeen, type ScanLaw } from './judge.js';
import { pageOf } from './page-finding.js';
import { reportOf, type Scan } from './report.js';
import { readRobots } from './robots.js';
import { isOfSite, type JudgedThing, type ListedEntry, type Thing } from './sighting.js';
import { readSitemap } from './sitemap.js';
import { Traces } from './traces.js';

const lawOf = (country: string | null): ScanLaw => {
  const dated = ruleAt({ country, region: null }, '2026-11-28T00:00:00.000Z');
  return { country, region: null, regulation: null, model: dated.rule.model, silence: silenceUnder(dated.rule) };
};
const thing = (name: string, more: Partial<Thing> = {}): Thing => ({
  technology: 'COOKIE',
  name,
  domain: 'shop.example',
  path: '/',
  party: 'FIRST',
  maxAgeSeconds: null,
  httpOnly: false,
  by: [],
  seen: { BEFORE: 'https://shop.example/' },
  tool: null,
  ...more,
});
const entry = (name: string, more: Partial<ListedEntry> = {}): ListedEntry => ({
  name,
  category: 'ANALYTICS',
  purposeKeys: ['analytics'],
  description: { en: name },
  ...more,
});
const faults = (things: Thing[], list: ListedEntry[] | null, country: string | null = 'DE') =>
  judged(things, list, lawOf(country)).map((each) => each.faults);

describe('robots.txt', () => {
  const robots = readRobots(
    'User-agent: AssentScan # us\nUser-agent: other\nDisallow: /private\nAllow: /private/open\nDisallow: /*.php$\n\nUser-agent: *\nDisallow: /\nSitemap: https://shop.example/map.xml',
    'AssentScan',
  );
  it.each([
    ['/', true],
    ['/private/x', false],
    ['/private/open/x', true],
    ['/a/b.php', false],
    ['/a/b.php?x=1', true],
    ['/robots.txt', true],
  ])('%s: %s', (path, expected) => expect(robots.allows(path)).toBe(expected));

  it('for others has a group of its own, and names sitemaps to all', () => {
    expect(readRobots('User-agent: *\nDisallow: /a', 'AssentScan').allows('/ab')).toBe(false);
    expect(readRobots('User-agent: *\nDisallow:', 'AssentScan').allows('/ab')).toBe(true);
    expect(robots.sitemaps).toEqual(['https://shop.example/map.xml']);
  });
});

describe('a pattern with stars', () => {
  it('fits what a regular expression of it fits', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (stars, tried) => {
        expect(fitsGlob(stars, tried)).toBe(new RegExp(`^${stars.replaceAll('*', '.*')}$`).test(tried));
      }),
    );
  });
});

describe('a sitemap', () => {
  it('names pages, or other sitemaps', () => {
    expect(readSitemap('<urlset><url><loc> https://a.example/?a=1&amp;b=2 </loc></url></urlset>', 10)).toEqual({
      pages: ['https://a.example/?a=1&b=2'],
      sitemaps: [],
    });
    expect(
      readSitemap('<?xml version="1.0"?><sitemapindex><sitemap><loc><![CDATA[https://a.example/1.xml]]></loc>', 10),
    ).toEqual({ pages: [], sitemaps: ['https://a.example/1.xml'] });
    expect(readSitemap('https://a.example/1\nhttps://a.example/2\n', 1).pages).toEqual(['https://a.example/1']);
  });

  it('only pages of the site are opened', () => {
    expect(pageOf('https://a.example/x?y#z', 'https://a.example')).toBe('https://a.example/x?y');
    for (const other of [
      'https://b.example/',
      'https://a.example/x.pdf',
      'http://a.example/',
      'javascript:1',
      'mailto:a',
    ])
      expect(pageOf(other, 'https://a.example')).toBeNull();
  });
});

describe('addresses of a private network', () => {
  it.each([
    ['10.0.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['127.0.0.1', false],
    ['localhost', false],
    ['[::1]', false],
    ['[fd00::1]', false],
    ['[::ffff:10.0.0.1]', false],
    ['93.184.215.14', true],
    ['[2606:2800:21f:cb07::1]', true],
  ])('%s is public: %s', async (host, expected) => expect(await isPublicHost(host)).toBe(expected));
});

describe('what is wrong', () => {
  it('before a choice: what silence does not allow at the place', () => {
    expect(faults([thing('_ga')], null)).toEqual([['BEFORE_CHOICE']]);
    expect(faults([thing('_ga')], null, null)).toEqual([['BEFORE_CHOICE']]);
    expect(faults([thing('_ga')], null, 'US')).toEqual([[]]);
    expect(faults([thing('sid')], [entry('sid', { category: 'NECESSARY' })])).toEqual([[]]);
  });

  it('after a refusal: all but what is necessary, everywhere', () => {
    const seen = { REFUSED: 'https://shop.example/' };
    expect(faults([thing('_ga', { seen })], null, 'US')).toEqual([['AFTER_REFUSAL']]);
    expect(faults([thing('sid', { seen })], [entry('sid', { category: 'NECESSARY' })])).toEqual([[]]);
  });

  it('what the list does not name, where one is compared', () => {
    const seen = { ACCEPTED: 'https://shop.example/' };
    expect(faults([thing('_ga', { seen })], null)).toEqual([[]]);
    expect(faults([thing('_ga', { seen })], [])).toEqual([['NOT_LISTED']]);
    expect(faults([thing('_ga_1', { seen })], [entry('_ga', { match: 'PREFIX' })])).toEqual([[]]);
    expect(faults([thing('_ga_1', { seen })], [entry('_ga_*', { match: 'GLOB' })])).toEqual([[]]);
    expect(faults([thing('_ga', { seen })], [entry('_ga', { technology: 'LOCAL_STORAGE' })])).toEqual([['NOT_LISTED']]);
    expect(faults([thing('_ga', { seen, party: 'THIRD', domain: 'x.example' })], [entry('_ga')])).toEqual([
      ['NOT_LISTED'],
    ]);
  });

  it('nothing about the consent tool itself', () =>
    expect(faults([thing('OptanonConsent', { tool: 'OneTrust' })], [])).toEqual([[]]));

  it('a request is known by its domain', () => {
    const request = thing('a.ads.example', {
      technology: 'SCRIPT',
      domain: 'a.ads.example',
      party: 'THIRD',
      path: null,
    });
    const list = [entry('_ads*', { match: 'GLOB', domain: 'ads.example', party: 'THIRD', category: 'NECESSARY' })];
    expect(faults([request], list)).toEqual([[]]);
    expect(neverSeen([request], list)).toEqual([]);
    expect(neverSeen([], list)).toEqual(list);
  });
});

it('a host belongs to its registrable domain, and to no longer one', () => {
  expect(isOfSite('www.shop.example', 'shop.example')).toBe(true);
  expect(isOfSite('myshop.example', 'shop.example')).toBe(false);
});

it('what keeps the choice belongs to its tool', () => {
  const none = new Map<string, string>();
  expect(toolOf(thing('assent.pk_test_x.choice.DE', { technology: 'LOCAL_STORAGE' }), none, null)).toBe('Assent');
  expect(toolOf(thing('_ga'), none, 'OneTrust')).toBeNull();
  expect(toolOf(thing('euconsent-v2'), none, 'Sourcepoint')).toBe('Sourcepoint');
  const script = thing('x', { technology: 'SCRIPT', domain: 'consent.example' });
  expect(toolOf(script, none, null)).toBeNull();
  expect(toolOf(script, new Map([['consent.example', 'Assent']]), null)).toBe('Assent');
  for (const { name, accept, refuse } of CONSENT_TOOLS) expect([name, accept[0], refuse[0]]).not.toContain(undefined);
});

describe('who asked and who wrote', () => {
  const traces = new Traces();
  const frames = (...urls: string[]) => ({ callFrames: urls.map((url) => ({ url })) });

  it('is the script that ran, the one that set it going, or the page', () => {
    const page = 'https://shop.example/?a=1';
    traces.asks('https://a.example/1', frames('', 'https://shop.example/a.js?v=1', 'https://shop.example/b.js'), page);
    traces.asks('https://a.example/2', { ...frames(''), parent: frames('https://shop.example/b.js') }, page);
    for (const path of [1, 2, 3]) traces.request(`https://a.example/${path}`, 'image', page);
    traces.request('data:image/gif;base64,', 'image', page);
    expect(traces.takeRequests().map(({ by }) => by)).toEqual([
      [{ kind: 'SCRIPT', url: 'https://shop.example/a.js' }],
      [{ kind: 'SCRIPT', url: 'https://shop.example/b.js' }],
      [{ kind: 'PAGE', url: 'https://shop.example/' }],
    ]);
    expect(traces.takeRequests()).toEqual([]);
  });

  it('is each of those that wrote the same name, once', () => {
    for (const url of ['https://a.example/x?1', 'https://a.example/x?2']) traces.wrote('COOKIE', '_ga', 'SCRIPT', url);
    traces.wrote('COOKIE', '_ga', 'ANSWER', 'https://a.example/x');
    expect(traces.writersOf('COOKIE', '_ga')).toEqual([
      { kind: 'SCRIPT', url: 'https://a.example/x' },
      { kind: 'ANSWER', url: 'https://a.example/x' },
    ]);
  });
});

describe('a drafted list', () => {
  const unlisted = judged(
    [
      thing('_ga_4ZT8NXQ2LM', { maxAgeSeconds: 34_127_998 }),
      thing('id-0f8b2c4d9e', { technology: 'LOCAL_STORAGE', path: null }),
    ],
    [],
    lawOf('DE'),
  );

  it('keeps the list as it is, in its languages, and says what is a guess', () => {
    const known = { defaultLocale: 'de', cookies: [entry('sid', { description: { de: 'x', en: 'y' } })] };
    const { text, added } = draftedList(unlisted, known, [{ key: 'measuring', category: 'ANALYTICS' }]);
    expect(added).toBe(2);
    expect(text).toMatch(/^# Drafted by assent scan\. .*guesses/);
    expect(text).toContain('purposeKeys:\n      - measuring');
    expect(text).toContain('maxAgeSeconds: 34128000');
    expect(text).toMatch(/name: id-\*\n +match: GLOB\n +technology: LOCAL_STORAGE\n/);
    expect(text.match(/^ {6}de: /gm)).toHaveLength(3);
  });
});

describe('the report', () => {
  const long = `https://shop.example/${'x'.repeat(200)}`;
  const scan = (things: JudgedThing[]): Scan => ({
    object: 'scan',
    at: '2026-11-28T00:00:00.000Z',
    chromium: '149',
    law: lawOf('DE'),
    list: null,
    faults: things.filter((each) => each.faults.length > 0).length,
    sites: [
      {
        origin: 'https://shop.example',
        site: 'shop.example',
        banner: null,
        pages: [long],
        skipped: [{ url: long, why: 'answers 404' }],
        things,
        dropped: 0,
      },
    ],
    neverSeen: [],
    draft: null,
  });

  it('has no line of more than 80 columns, and nothing that steers a terminal', () => {
    const things = judged(
      [thing('a\u001b[2J\u202e'.repeat(40), { seen: { BEFORE: long }, by: [{ kind: 'SCRIPT', url: long }] })],
      [],
      lawOf('DE'),
    );
    const lines = reportOf(scan(things), (_, line) => line);
    for (const line of lines) expect(line).toMatch(/^[^\p{Cc}\p{Cf}]{0,80}$/u);
    expect(lines.join('\n')).toContain('1 of 1 thing should not have been there');
  });

  it('begins with the worst', () => {
    const things = judged(
      [
        thing('early'),
        thing('late', { seen: { REFUSED: 'https://shop.example/' } }),
        thing('fine', { seen: { ACCEPTED: long } }),
      ],
      null,
      lawOf('DE'),
    );
    const text = reportOf(scan(things), (_, line) => line).join('\n');
    expect(text.indexOf('cookie late')).toBeLessThan(text.indexOf('cookie early'));
    expect(text.indexOf('cookie early')).toBeLessThan(text.indexOf('seen besides'));
  });
});
