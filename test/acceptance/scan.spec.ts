import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Scan } from '../../libs/operator/scan/report.js';
import { chromiumProgram } from '../support/browser.js';
import { allowOrigin } from '../support/client-examples.js';
import { assent, type Outcome } from '../support/command-line.js';
import { startScannedSites, type ScannedSites } from '../support/scanned-sites.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let sites: ScannedSites;
let chromium: string;
let folder: string;
/** The longest scan goes on beside the others, most of which is waiting. */
let sinful: ReturnType<typeof scanned>;
beforeAll(async () => {
  [world, chromium] = await Promise.all([startWorld({ own: true }), chromiumProgram()]);
  const { url, demo } = world;
  sites = await startScannedSites(
    `<script src="${url}/elements/v1/assent.js" data-key="${demo.publicKey}" data-country="DE" async></script>`,
  );
  await allowOrigin(world, new URL(sites.url('elements')).origin);
  folder = mkdtempSync(join(tmpdir(), 'assent-scan-'));
  const out = join(folder, 'cookies.yaml');
  sinful = scanned(sites.url('sinful'), '--country', 'DE', '--site', 'demo', '--out', out);
  sinful.catch(() => undefined);
}, 420_000);
afterAll(async () => {
  await sinful?.catch(() => undefined);
  await sites?.stop();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const scan = (...args: string[]): Promise<Outcome> =>
  assent(['scan', '--wait', '0.3', ...args], { ASSENT_DATA: world.dataFolder, ASSENT_CHROMIUM: chromium });

async function scanned(...args: string[]): Promise<{ code: number | null; result: Scan }> {
  const { code, out, err } = await scan(...args, '--json');
  if (!out.startsWith('{')) throw new Error(out + err);
  return { code, result: JSON.parse(out) as Scan };
}

/** What is wrong, as `TECHNOLOGY name: FAULT FAULT`. */
const faultsOf = ({ sites: seen }: Scan): string[] =>
  seen
    .flatMap(({ things }) => things)
    .filter(({ faults }) => faults.length > 0)
    .map(({ technology, name, faults }) => `${technology} ${name}: ${faults.join(' ')}`)
    .sort();

it('a site that keeps its word is clean, by a banner in a shadow root, with what the list allows', async () => {
  const { code, result } = await scanned(sites.url('honest'), '--site', 'demo');
  expect([code, faultsOf(result)]).toEqual([0, []]);
  expect(result.sites[0]!.banner).toEqual({ tool: 'Usercentrics', refused: 'PRESSED', accepted: 'PRESSED' });
  expect(result.sites[0]!.things.map(({ name, category, seen }) => [name, category, Object.keys(seen)])).toEqual([
    ['session', 'NECESSARY', ['BEFORE', 'REFUSED', 'ACCEPTED']],
    ['uc_settings', null, ['REFUSED', 'ACCEPTED']],
    ['_stat', 'ANALYTICS', ['ACCEPTED']],
  ]);
  expect(result.neverSeen).toContainEqual({ name: '_ads*', technology: 'COOKIE', domain: 'ads.example' });
});

it('the banner of another product is known by its buttons', async () => {
  const { code, result } = await scanned(sites.url('vanilla'));
  expect([code, faultsOf(result)]).toEqual([0, []]);
  expect(result.sites[0]).toMatchObject({
    banner: { tool: 'vanilla-cookieconsent', refused: 'PRESSED', accepted: 'PRESSED' },
    things: [
      { name: 'cc_cookie', seen: { REFUSED: expect.any(String) } },
      { name: '_ga', seen: { ACCEPTED: expect.any(String) } },
    ],
  });
});

it('the page of the demo is clean, with the banner of the elements', async () => {
  const { code, out } = await scan(`${world.url}/docs/banner?country=DE`, '--pages', '1', '--site', 'demo');
  expect(code).toBe(0);
  expect(out).toContain('Banner: Assent. Refuse: pressed. Accept: pressed.');
  expect(out).toContain('nothing wrong');
});

it('a page of the elements is clean, and what waits for consent is seen after it alone', async () => {
  const { code, result } = await scanned(sites.url('elements'), '--site', 'demo', '--country', 'DE');
  expect([code, faultsOf(result)]).toEqual([0, []]);
  const [site] = result.sites;
  expect(site!.banner).toEqual({ tool: 'Assent', refused: 'PRESSED', accepted: 'PRESSED' });
  expect(site!.things.filter(({ tool }) => tool === null)).toEqual([
    expect.objectContaining({
      name: '_stat',
      category: 'ANALYTICS',
      seen: { ACCEPTED: sites.url('elements') },
      by: [{ kind: 'SCRIPT', url: sites.url('elements', '/stat.js') }],
    }),
  ]);
  // Nothing is kept before a choice; what is loaded from the service is its own.
  const early = site!.things.filter(({ seen }) => seen.BEFORE !== undefined);
  expect(early.map(({ technology, domain, tool }) => `${technology} ${domain} ${tool}`).sort()).toEqual([
    'PIXEL 127.0.0.1 Assent',
    'SCRIPT 127.0.0.1 Assent',
  ]);
});

it('without a banner, nothing is said of what comes after a choice', async () => {
  const { code, out } = await scan(sites.url('silent'), '--country', 'US', '--region', 'US-CA');
  expect(code).toBe(0);
  expect(out).toContain('Law of US-CA');
  expect(out.replace(/\s+/g, ' ')).toContain(
    'No banner was found, so that nothing is said of what comes after a choice.',
  );
});

it('buttons that the user names are pressed, also in a frame, and the report can be read in a narrow log', async () => {
  const { code, out } = await scan(sites.url('framed'), '--accept', '.yes', '--refuse', '.no', '--country', 'de');
  expect(code).toBe(1);
  expect(out).toContain('Law of DE (GDPR): consent is needed first.');
  expect(out).toContain('Banner: as named. Refuse: pressed. Accept: pressed.');
  expect(out).toMatch(/cookie early of 127\.0\.0\.1, until the browser is closed\n +before a choice +http/);
  // The frame of the banner is no fault.
  expect(out).toContain('2 of 3 things should not have been there');
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

describe('a site that does not keep its word', () => {
  let code: number | null;
  let result: Scan;
  beforeAll(async () => {
    ({ code, result } = await sinful);
  }, 420_000);

  it('is found out in all that it does, and in nothing else', () => {
    const always = 'BEFORE_CHOICE AFTER_REFUSAL NOT_LISTED';
    expect(faultsOf(result)).toEqual(
      [
        `COOKIE _ga: ${always}`,
        'COOKIE agreed: NOT_LISTED',
        `COOKIE from_server: ${always}`,
        `COOKIE late: ${always}`,
        `COOKIE mapped: ${always}`,
        'COOKIE sneaked: AFTER_REFUSAL NOT_LISTED',
        `IFRAME 127.0.0.2: ${always}`,
        `INDEXED_DB tracks: ${always}`,
        `LOCAL_STORAGE in_frame: ${always}`,
        `LOCAL_STORAGE visitor_7f3a9c2e11: ${always}`,
        `PIXEL 127.0.0.2: ${always}`,
        `COOKIE tracker: ${always}`,
      ].sort(),
    );
    expect([code, result.faults]).toEqual([1, 12]);
  });

  it('is shown where each was, how long it stays and where it comes from', () => {
    const thing = (wanted: string) => result.sites[0]!.things.find(({ name }) => name === wanted)!;
    expect(thing('_ga')).toMatchObject({
      party: 'FIRST',
      path: '/',
      httpOnly: false,
      seen: { BEFORE: sites.url('sinful'), REFUSED: sites.url('sinful'), ACCEPTED: sites.url('sinful') },
      by: [{ kind: 'SCRIPT', url: sites.url('sinful', '/first.js') }],
      toDo: `Let the script wait: <script type="text/plain" data-assent="PURPOSE" src="${sites.url('sinful', '/first.js')}">`,
    });
    expect(thing('_ga').maxAgeSeconds).toBeGreaterThan(34_000_000);
    expect(thing('from_server')).toMatchObject({
      httpOnly: true,
      by: [{ kind: 'ANSWER', url: sites.url('sinful', '/server') }],
    });
    expect(thing('tracks').by).toEqual([{ kind: 'SCRIPT', url: sites.url('sinful', '/storing') }]);
    expect(thing('in_frame')).toMatchObject({ party: 'THIRD', domain: '127.0.0.2' });
    expect(thing('tracker')).toMatchObject({
      party: 'THIRD',
      domain: '127.0.0.2',
      by: [{ kind: 'ANSWER' }, { kind: 'ANSWER' }],
    });
    expect(result.sites[0]!.things.find(({ technology }) => technology === 'PIXEL')!.by).toEqual([
      { kind: 'PAGE', url: sites.url('sinful', '/embedding') },
      { kind: 'SCRIPT', url: sites.url('sinful', '/load.js') },
    ]);
    expect(thing('OptanonConsent')).toMatchObject({ tool: 'OneTrust', faults: [] });
  });

  it('was looked at page by page, as its robots.txt allows, by a program that says what it is', () => {
    const [site] = result.sites;
    expect(site).toMatchObject({ banner: { tool: 'OneTrust', refused: 'PRESSED', accepted: 'PRESSED' } });
    expect(site!.pages.map((page) => page.slice(sites.url('sinful', '').length)).sort()).toEqual([
      '/',
      '/embedding',
      '/mapped?a=1&b=2',
      '/server',
      '/storing',
    ]);
    expect(site!.skipped).toEqual([
      { url: sites.url('sinful', '/secret'), why: 'is not allowed by robots.txt' },
      { url: sites.url('sinful', '/away'), why: 'leads to 127.0.0.2, which is another site' },
    ]);
    for (const { agent } of sites.asked) expect(agent).toMatch(/ AssentScan\/\d/);
  });

  it('gets a list of cookies that can be applied as it is', async () => {
    const { added, file } = result.draft!;
    expect(added).toBe(12);
    expect(readFileSync(file, 'utf8')).toContain('name: visitor_*');
    const { code: applied, out } = await assent(['catalogue', 'apply', folder], { ASSENT_DATA: world.dataFolder });
    expect([applied, out]).toEqual([0, expect.stringContaining('1 of 1 published in demo test')]);
  });
});

describe('where nothing could be looked at', () => {
  it('the command says so, by a code of its own', async () => {
    const gone = await scan('http://127.0.0.1:9/');
    expect([gone.code, gone.out]).toEqual([5, '']);
    expect(gone.err).toMatch(/page_not_read: http:\/\/127\.0\.0\.1:9\/ did not open/);
    const missing = await scan(sites.url('silent', '/nothing'), '--json');
    expect([missing.code, JSON.parse(missing.out)]).toEqual([
      5,
      expect.objectContaining({ code: 'page_not_read', message: `${sites.url('silent', '/nothing')} answers 404.` }),
    ]);
  });

  it('so does one for a selector that is none', async () => {
    const { code, err } = await scan(sites.url('silent'), '--accept', 'a[');
    expect([code, err]).toEqual([5, expect.stringContaining('a[ is no CSS selector.')]);
  });

  it('so does one without a browser, with how to install it', async () => {
    const { code, err } = await assent(['scan', sites.url('silent')], { PATH: folder });
    expect(code).toBe(5);
    expect(err).toMatch(/no_chromium: .*\n.*apt-get install chromium-headless-shell/);
  });

  it.each([
    [['shop.example'], "'shop.example' is no address of a page."],
    [['http://127.0.0.1:9/', '--pages', '0'], 'It must be a whole number from 1 to 500.'],
    [['http://127.0.0.1:9/', '--country', 'XX'], '--country must be a country'],
    [['http://127.0.0.1:9/', '--out', '/'], '/ is there already.'],
    [['http://127.0.0.1:9/', '--env', 'live'], '--env names an environment of --site'],
  ])('a wrong call is refused: %j', async (args, message) => {
    const { code, err } = await scan(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
