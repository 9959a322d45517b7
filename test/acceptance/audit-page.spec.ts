import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { CANARY, SIGNED_AT, somebodyAsked } from '../support/asked-person.js';
import { unpackInto, unpacked } from '../support/audit-bundle.js';
import { faultsOf, overflowOf, startBrowser, type Browsing } from '../support/browser.js';
import { assent } from '../support/command-line.js';
import { startWorld, type World } from '../support/world.js';

/** The page of a bundle, as whoever unpacked the archive opens it: from the disk, without a service. */
let world: World;
let browser: Browsing;
let folder: string;
let adaId: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  folder = mkdtempSync(join(tmpdir(), 'assent-page-'));
  const asked = await somebodyAsked(world);
  ({ adaId } = asked);
  const out = join(folder, 'ada.zip');
  const { code, err } = await assent(
    ['audit', 'bundle', '--subject', asked.ada, '--site', world.demo.site, '--out', out],
    { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl! },
  );
  if (code !== 0) throw new Error(err);
  unpackInto(folder, unpacked(out));
}, 420_000);
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (options?: BrowserContextOptions): Promise<{ page: Page; asked: string[] }> => {
  const page = await browser.open(options);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(join(folder, 'timeline.html')).href);
  return { page, asked };
};

it('tells when, in which words, what was answered and until when, and names nobody', async () => {
  const { page, asked } = await open({ javaScriptEnabled: false });
  const text = await page.locator('body').innerText();
  expect(text).toContain(`Consent record of ${adaId}`);
  const entries = await page.locator('ol > li').allInnerTexts();
  const entry = (heading: RegExp): string => entries.find((each) => heading.test(each)) ?? '';
  const agreed = entry(/^.*\n+Agreed: .*\n[^]*banner/);
  expect(agreed).toMatch(/\d{1,2} [A-Z][a-z]+ 20\d\d, \d\d:\d\d:\d\d UTC/);
  const { body: purpose } = await world.request('GET', '/v1/purposes/analytics/versions/1?locale=de');
  expect(agreed).toContain(purpose.name);
  expect(agreed).toContain(purpose.description);
  expect(agreed).toMatch(/Until\s+\d{1,2} [A-Z][a-z]+ 20\d\d/);
  expect(agreed).toContain('save choices, banner');
  expect(agreed).toMatch(/On the screen\s+failed: equal contrast, text contrast/);
  expect(entry(/Took consent back/)).toContain('US-CA');
  const signed = `${SIGNED_AT.slice(0, 4)}, 09:00:00 UTC`;
  expect(entries.find((each) => each.includes(signed))).toContain('guardian');
  expect(text).toContain('Confirmed by the link');
  expect(text).toContain('Two subjects became one');
  expect(text).toContain('What stood at the end');
  expect(text).not.toContain(CANARY);
  expect(text).not.toContain('@');
  // Loaded from nowhere, and nothing runs.
  expect(asked).toEqual([page.url()]);
  expect(readFileSync(join(folder, 'timeline.html'), 'utf8')).not.toMatch(/<script|\son\w+=|javascript:/i);
  await page.context().close();
});

it('leads from each answer to all the words that were shown', async () => {
  const { page } = await open();
  const links = await page.locator('ol a').evaluateAll((all) => all.map((each) => each.getAttribute('href')!));
  expect(links.length).toBeGreaterThan(0);
  for (const link of new Set(links)) expect(await page.locator(link).count()).toBe(1);
  await page.context().close();
});

test.each<[string, BrowserContextOptions]>([
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['narrow', { viewport: { width: 320, height: 640 } }],
])('can be read by everybody: %s', async (_, options) => {
  const { page } = await open(options);
  expect(await faultsOf(page)).toEqual([]);
  expect(await overflowOf(page, '200%')).toBe(0);
  await page.context().close();
});

it('can be printed, black on white', async () => {
  const { page } = await open({ colorScheme: 'dark' });
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: 'print' });
  const colours = await page.evaluate<string[]>(
    `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]`,
  );
  expect(colours).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
  await page.context().close();
});
