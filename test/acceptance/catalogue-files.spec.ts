import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { assent, commanded, type Outcome } from '../support/command-line.js';
import { startWorld, type World } from '../support/world.js';

/** Every member that such files can have, with another value than the one it has where it is left out. */
const FILES = {
  'purposes/statistics.yaml': `key: statistics
legalBasis: CONSENT
consentModel: OPT_IN
category: ANALYTICS
controller: { name: Shop GmbH, contact: privacy@shop.example }
defaultLocale: en
translations:
  en: { name: Statistics, description: Counts visits. }
  ar: { name: إحصاءات, description: يعدّ الزيارات. }
`,
  'vendors.yaml': `vendors:
  - key: counter
    name: "Counter & Sons: #1"
    country: IE
    privacyPolicy: https://counter.example/privacy
    purposeKeys: [ statistics ]
    frameworks: { tcf: 755, google: 89 }
  - key: plain
    name: Plain
`,
  'cookies.yaml': `defaultLocale: en
cookies:
  - name: _count*
    match: GLOB
    technology: LOCAL_STORAGE
    domain: counter.example
    party: THIRD
    category: ANALYTICS
    purposeKeys: [ statistics ]
    vendor: counter
    maxAgeSeconds: 86400
    description: { en: "Tells visits apart: yes", ar: يميّز الزيارات. }
  - name: basket
    category: ANALYTICS
    purposeKeys: [ statistics ]
    duration: PERSISTENT
    description: { en: Keeps the basket., ar: يحفظ السلة. }
`,
  'banner.yaml': `defaultLocale: en
layout: DIALOG
position: CENTER
presentations:
  optIn:
    title: { en: Your privacy, ar: خصوصيتك }
    body: { en: "May we count visits?\\nYou can change your mind.", ar: هل يمكننا عدّ الزيارات؟ }
    buttons:
      - { action: REJECT_ALL, layer: 1, emphasis: SECONDARY }
      - { action: ACCEPT_ALL, layer: 1, emphasis: SECONDARY }
  optOut:
    title: { en: Your choices, ar: خياراتك }
    body: { en: You can object., ar: يمكنك الاعتراض. }
    buttons:
      - { action: DO_NOT_SELL, layer: 1, emphasis: SECONDARY }
  noticeOnly:
    title: { en: What we do, ar: ما نفعله }
    body: { en: We count visits., ar: نعدّ الزيارات. }
    buttons:
      - { action: ACKNOWLEDGE, layer: 1, emphasis: SECONDARY }
labels:
  acceptAll: { en: Accept all, ar: قبول الكل }
  rejectAll: { en: Reject all, ar: رفض الكل }
  customize: { en: Choose, ar: اختيار }
  save: { en: Save, ar: حفظ }
  acknowledge: { en: Understood, ar: مفهوم }
  doNotSell: { en: Do not sell, ar: عدم البيع }
  close: { en: Close, ar: إغلاق }
  privacyChoices: { en: Privacy choices, ar: خيارات الخصوصية }
purposeKeys: [ statistics ]
links:
  privacyPolicy: { en: https://shop.example/privacy, ar: https://shop.example/ar/privacy }
  imprint: { en: https://shop.example/imprint, ar: https://shop.example/ar/imprint }
behaviour: { dismiss: IGNORE, scrollLock: true, resurfaceAfterDays: 30, reopen: FLOATING }
theme:
  light: { background: "#ffffff", text: "#111111", primary: "#1a5fb4", onPrimary: "#ffffff" }
  dark: { secondary: "#222222", onSecondary: "#ffffff", border: "#444444", link: "#99c1f1" }
  radiusPx: 8
  fontFamily: Inter, sans-serif
google: { waitForUpdateMs: 800 }
tcf: { publisherCountry: DE }
`,
  'policies.yaml': `policies:
  - country: US
    region: US-CA
    changes:
      model: OPT_IN
      categories: { MARKETING: DENIED, SENSITIVE: DENIED }
      bannerRequired: true
      rejectRequired: true
      consentValidityDays: 180
      refusalCooldownDays: null
      signals: { gpc: BINDING }
      doubleOptIn: REQUIRED
      ageOfDigitalConsent: 16
    who: Data protection officer
    why: "The same everywhere: it is simpler."
    effectiveFrom: 2027-01-01T08:00:00.000Z
`,
} as const;
type FileName = keyof typeof FILES;

let world: World;
let folder: string;
let sites = 0;
beforeAll(async () => {
  world = await startWorld({ own: true });
  folder = mkdtempSync(join(tmpdir(), 'assent-files-'));
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (): Record<string, string> => ({ ASSENT_DATA: world.dataFolder });
const run = (args: string[]): Promise<Outcome> => assent(args, environment());
const newSite = async (): Promise<string> => {
  const site = `files-${++sites}`;
  await commanded(['sites', 'register', site, '--name', site], environment());
  return site;
};
const newFolder = (files: Readonly<Record<string, string>> = {}): string => {
  const own = mkdtempSync(join(folder, 'c-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, file)), { recursive: true });
    writeFileSync(join(own, file), text);
  }
  return own;
};
const textsIn = (own: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(own, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(own.length + 1), readFileSync(path, 'utf8')]),
  );

it('what is exported says all that was applied, publishes nothing where it came from, and elsewhere makes the same catalogue, byte for byte', async () => {
  const [first, second] = [await newSite(), await newSite()];
  await commanded(['catalogue', 'apply', newFolder(FILES), '--site', first], environment());
  const exported = newFolder();
  await commanded(['catalogue', 'export', exported, '--site', first], environment());
  const texts = textsIn(exported);
  expect(Object.keys(texts)).toEqual(Object.keys(FILES).sort());
  for (const [file, text] of Object.entries(texts)) expect(parse(text)).toEqual(parse(FILES[file as FileName]));

  expect((await run(['catalogue', 'diff', exported, '--site', first])).code).toBe(0);
  expect((await run(['catalogue', 'apply', exported, '--site', first])).out).toContain('nothing changed');
  const again = (await run(['catalogue', 'export', exported, '--site', first, '--json'])).out;
  expect(JSON.parse(again)).toMatchObject({
    files: Object.keys(texts).map(() => expect.objectContaining({ action: 'UNCHANGED' })),
  });

  await commanded(['catalogue', 'apply', exported, '--site', second], environment());
  const elsewhere = newFolder();
  await commanded(['catalogue', 'export', elsewhere, '--site', second], environment());
  expect(textsIn(elsewhere)).toEqual(texts);
});

it.each<[FileName, [from: string, to: string], line: number, path: string, message: RegExp]>([
  ['vendors.yaml', ['country: IE', 'contry: IE'], 4, 'vendors[0].contry', /country/],
  ['vendors.yaml', ['[ statistics ]', '[ statistic ]'], 6, 'vendors[0].purposeKeys[0]', /statistics/],
  ['cookies.yaml', ['match: GLOB', 'match: GLOP'], 4, 'cookies[0].match', /GLOB/],
  ['cookies.yaml', ['vendor: counter', 'vendor: countr'], 10, 'cookies[0].vendor', /counter/],
  ['banner.yaml', ['layout: DIALOG', 'layout: DIALOGUE'], 2, 'layout', /DIALOG/],
  ['banner.yaml', ['  close:', '  clos:'], 28, 'labels.clos', /close/],
  [
    'policies.yaml',
    ['consentValidityDays', 'consentValidityDay'],
    9,
    'policies[0].changes.consentValidityDay',
    /consentValidityDays/,
  ],
  ['policies.yaml', ['country: US', 'country: us'], 2, 'policies[0].country', /US/],
])(
  'a mistake in %s is refused with its line, its path and what was meant: %s',
  async (file, [from, to], line, path, meant) => {
    const { code, out } = await run([
      'catalogue',
      'apply',
      newFolder({ ...FILES, [file]: FILES[file].replace(from, to) }),
      '--site',
      'demo',
      '--dry-run',
      '--json',
    ]);
    expect(code).toBe(1);
    const { issues } = JSON.parse(out) as { issues: { file: string; line: number; path: string }[] };
    const found = issues.find((issue) => issue.file === file && issue.path === path);
    expect(found).toMatchObject({ file, line, path });
    expect(JSON.stringify(found)).toMatch(meant);
  },
);

it('a banner that weakens refusal is refused with the line, the rule and the places', async () => {
  const weak = FILES['banner.yaml'].replace('REJECT_ALL, layer: 1', 'REJECT_ALL, layer: 2');
  const { code, out } = await run([
    'catalogue',
    'apply',
    newFolder({ ...FILES, 'banner.yaml': weak }),
    '--site',
    'demo',
    '--json',
  ]);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    code: 'banner_not_compliant',
    issues: expect.arrayContaining([
      expect.objectContaining({
        file: 'banner.yaml',
        line: 8,
        path: 'presentations.optIn.buttons',
        message: expect.stringMatching(/lacks REJECT_ALL on the first layer: rejectRequired of .*GDPR in AT, BE, BG/),
      }),
    ]),
  });
});
