import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { bundled, inPlace } from '../support/client-examples.js';
import { startElementsPages, type ElementsPages } from '../support/elements-pages.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/*
 * What the elements say to other scripts of a page: Google’s consent mode, `__gpp` and `__tcfapi`. The interfaces of IAB are
 * held against IAB’s own libraries, which get the strings that the service made.
 */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
  pages.serves({ ...FILES, '/judges.js': await judges() });
}, 420_000);
afterEach(async () => {
  await browser.rest();
  pages.faults.length = 0;
});
afterAll(async () => {
  await pages?.stop();
  await browser?.stop();
  await world?.stop();
});

const ROOT = join(import.meta.dirname, '../..');
/** IAB’s own libraries, as a script of a page. */
async function judges(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assent-judges-'));
  const source = join(folder, 'judges.mjs');
  try {
    writeFileSync(
      source,
      `import { CmpApi as Tcf } from '@iabtechlabtcf/cmpapi';
       import { CmpApi as Gpp } from '@iabgpp/cmpapi';
       window.judges = { Tcf, Gpp };`,
    );
    return await bundled(source);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const FILES = {
  // Reads the list as a tag manager does: commands are arguments objects, everything else is an event.
  '/tags.js': `window.tags = { calls: [], granted: {} };
    {
      const layer = (window.dataLayer = window.dataLayer || []);
      const take = (entry) => {
        const call = Object.prototype.toString.call(entry) === '[object Arguments]' ? [...entry] : [entry];
        tags.calls.push(JSON.parse(JSON.stringify(call)));
        if (call[0] === 'consent') Object.assign(tags.granted, call[2]);
      };
      layer.forEach(take);
      const push = layer.push;
      layer.push = (...entries) => (entries.forEach(take), push.apply(layer, entries));
      tags.atStart = [...tags.calls];
    }`,
  // Asks from inside a frame, by messages: once as an object and once as text.
  '/frame.html': `<!doctype html><title>An ad</title><script>
    const found = {};
    const names = ['__tcfapi', '__gpp'].filter((name) => parent.frames[name + 'Locator']);
    for (const name of names)
      for (const [i, wrap] of [(call) => call, JSON.stringify].entries())
        parent.postMessage(wrap({ [name + 'Call']: { command: 'ping', version: 2, callId: name + i } }), '*');
    addEventListener('message', ({ data }) => {
      const said = typeof data === 'string' ? JSON.parse(data) : data;
      const back = said.__tcfapiReturn ?? said.__gppReturn;
      if (back) found[back.callId] = [typeof data, back.success, back.returnValue.cmpStatus];
    });
    window.found = found;
  </script>`,
};

const GERMANY = { country: 'DE' };
const CALIFORNIA = { country: 'US', region: 'US-CA' };
/** The line first of all in the head, and not `async`: what comes after it finds everything there. */
function visit(attributes: Readonly<Record<string, string>>, head = '', body = ''): Promise<Page> {
  const named = Object.entries({ key: world.demo.publicKey, ...attributes });
  const line = `<script src="${world.url}/elements/v1/assent.js" ${named.map(([name, value]) => `data-${name}="${value}"`).join(' ')}></script>`;
  return pages.visit({
    attributes: { key: '' },
    head: line + head,
    body: `<h1>Shop</h1>${body}<assent-choices-link></assent-choices-link>`,
  });
}
const shown = (page: Page) => page.locator('assent-banner [part=dialog]:visible').first().waitFor();
const press = (page: Page, name: string) =>
  page.locator('assent-banner').getByRole('button', { name, exact: true }).click();
const holds = (page: Page, source: string) => until(() => page.evaluate<boolean>(`!!(${source})`));

describe('Google’s consent mode', () => {
  const TAGS = '<script src="/tags.js"></script>';
  const types = (standing: string): object =>
    Object.fromEntries(
      ['ad_storage', 'ad_user_data', 'ad_personalization', 'analytics_storage'].map((type) => [type, standing]),
    );
  const told = (page: Page) => page.evaluate<unknown[][]>('tags.calls');
  const events = async (page: Page): Promise<unknown[]> =>
    (await told(page)).flatMap(([call]) => (typeof call === 'object' ? [(call as { event: string }).event] : []));
  const heard = (page: Page, event: string, times = 1) =>
    until(async () => (await events(page)).filter((each) => each === event).length === times);

  test('has its default before any tag, denied, and lets tags wait for what the service says', async () => {
    const page = await visit({ ...GERMANY, 'consent-mode': 'on' }, TAGS);
    const atStart = await page.evaluate<unknown[][]>('tags.atStart');
    expect(atStart).toEqual([['consent', 'default', expect.objectContaining(types('denied'))]]);
    expect(atStart[0]![2]).toMatchObject({ security_storage: 'denied', wait_for_update: 500 });
    await heard(page, 'assent_ready');
    expect(await page.evaluate('tags.granted')).toMatchObject({ ...types('denied'), security_storage: 'granted' });
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(pages.faults).toEqual([]);
  });

  test('follows each choice: refused, accepted, withdrawn; the event comes behind the update', async () => {
    const page = await visit({ ...GERMANY, 'consent-mode': 'on', reload: 'never' }, TAGS);
    await shown(page);
    await press(page, 'Reject all');
    await heard(page, 'assent_choice');
    expect(await page.evaluate('tags.granted')).toMatchObject(types('denied'));
    for (const [name, standing, times] of [
      ['Accept all', 'granted', 2],
      ['Reject all', 'denied', 3],
    ] as const) {
      await page.locator('assent-choices-link').getByRole('button').click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await heard(page, 'assent_choice', times);
      const calls = await told(page);
      expect(calls.at(-1)![0]).toMatchObject({
        event: 'assent_choice',
        assent_consent: types(standing),
        assent_decisions: { marketing: standing === 'granted' ? 'GRANTED' : 'DENIED' },
      });
      expect(calls.findLast(([command]) => command === 'consent')![2]).toMatchObject(types(standing));
    }
    expect(pages.faults).toEqual([]);
  });

  test('of a visitor who comes back is what stands', async () => {
    const page = await visit({ ...GERMANY, 'consent-mode': 'on' }, TAGS);
    await shown(page);
    await press(page, 'Accept all');
    await heard(page, 'assent_choice');
    await page.reload();
    await heard(page, 'assent_ready');
    expect(await page.evaluate('tags.granted')).toMatchObject(types('granted'));
    expect((await told(page)).map(([command, action]) => [command, action]).slice(0, 2)).toEqual([
      ['consent', 'default'],
      ['consent', 'update'],
    ]);
  });

  test('is nothing to a page that did not switch it on', async () => {
    const page = await visit(GERMANY, TAGS);
    await shown(page);
    expect(await told(page)).toEqual([]);
    expect(await page.evaluate('[typeof __gpp, typeof __tcfapi, frames.length]')).toEqual([
      'undefined',
      'undefined',
      0,
    ]);
  });
});

/** Calls both with the same, in the page, and answers what each called back with. */
const bothSay = (page: Page, name: string, calls: unknown[][]) =>
  page.evaluate<{ ours: unknown[]; theirs: unknown[] }>(`{
    const calls = ${JSON.stringify(calls)};
    const said = (api) => calls.map((call) => {
      let answer;
      try {
        api(...call.map((part) => (part === 'BACK' ? (...back) => (answer = back) : part)));
      } catch {
        answer = 'throws';
      }
      return JSON.parse(JSON.stringify(answer ?? 'nothing'));
    });
    ({ ours: said(window.${name}), theirs: said(window.theirs) });
  }`);

describe('__tcfapi', () => {
  const JUDGED = '<script src="/judges.js"></script>';
  const EARLY = `<script nonce="of-the-page">
    window.early = [];
    __tcfapi('ping', 2, (data) => early.push(data.cmpStatus));
    window.heard = [];
    __tcfapi('addEventListener', 2, ({ eventStatus, gdprApplies, tcString, listenerId, purpose }, success) =>
      heard.push({ eventStatus, gdprApplies, tcString, listenerId, purpose, success }));
  </script>`;

  test('answers from the first line on, and says what happens to who listens', async () => {
    const page = await visit({ ...GERMANY, tcf: 'on' }, EARLY, '<iframe src="/frame.html" title="An ad"></iframe>');
    expect(await page.evaluate('early')).toEqual(['stub']);
    await shown(page);
    await holds(page, "heard.some(({ eventStatus }) => eventStatus === 'cmpuishown')");
    expect(await page.evaluate('heard.filter(({ eventStatus }) => eventStatus !== "cmpuishown")')).toEqual([]);
    await press(page, 'Accept all');
    await holds(page, "heard.at(-1).eventStatus === 'useractioncomplete'");
    expect(await page.evaluate('heard.at(-1)')).toMatchObject({
      gdprApplies: true,
      success: true,
      listenerId: 0,
      purpose: { consents: { 1: true, 2: true, 3: true, 4: true, 7: true, 8: true } },
    });
    await holds(page, "Object.keys(document.querySelector('iframe[src]').contentWindow.found).length === 2");
    expect(await page.evaluate("document.querySelector('iframe[src]').contentWindow.found")).toMatchObject({
      __tcfapi0: ['object', true, expect.any(String)],
      __tcfapi1: ['string', true, expect.any(String)],
    });
    await page.reload();
    await holds(page, 'heard.length > 0');
    expect(await page.evaluate('heard[0].eventStatus')).toBe('tcloaded');
    expect(pages.faults).toEqual([]);
  });

  test('answers each command as the library of IAB does for the same string', async () => {
    const page = await visit({ ...GERMANY, tcf: 'on' }, EARLY + JUDGED);
    await shown(page);
    await press(page, 'Accept all');
    await holds(page, "heard.at(-1)?.eventStatus === 'useractioncomplete'");
    await page.evaluate(`{
      const ours = window.__tcfapi;
      const judge = new judges.Tcf(4095, 1, true);
      window.theirs = window.__tcfapi;
      window.__tcfapi = ours;
      judge.update(heard.at(-1).tcString);
      judge.update(heard.at(-1).tcString);
      // Ours had a listener before.
      theirs('addEventListener', 2, () => undefined);
    }`);
    const { ours, theirs } = await bothSay(page, '__tcfapi', [
      ['ping', 2, 'BACK'],
      ['getTCData', 2, 'BACK'],
      ['getTCData', 2, 'BACK', [8, 755, 793]],
      ['getTCData', 2, 'BACK', 'none'],
      ['addEventListener', 2, 'BACK'],
      ['addEventListener', 2, 'BACK', [755]],
      ['removeEventListener', 2, 'BACK', 1],
      ['removeEventListener', 2, 'BACK', 1],
      ['removeEventListener', 2, 'BACK', 'none'],
      ['ping', 1, 'BACK'],
      ['ping', '2', 'BACK'],
      ['ping', 2],
      ['nothing', 2, 'BACK'],
    ]);
    expect(ours).toEqual(theirs);
    expect(ours[2]).toMatchObject([{ vendor: { consents: { 8: false, 755: true, 793: true } } }, true]);
  });

  test('says where it does not apply that it does not, and nothing else', async () => {
    const page = await visit({ country: 'AU', tcf: 'on' }, EARLY);
    await holds(page, 'heard.length > 0');
    const first = await page.evaluate<Record<string, unknown>>('heard[0]');
    expect(first).toMatchObject({ gdprApplies: false, success: true });
    expect([first['tcString'], first['purpose']]).toEqual([undefined, undefined]);
  });
});

describe('__gpp', () => {
  const EARLY = `<script nonce="of-the-page">
    window.early = [];
    __gpp('ping', (data) => early.push(data.cmpStatus));
    __gpp('getSection', (data, success) => early.push([data, success]), 'usca');
    window.heard = [];
    __gpp('addEventListener', ({ eventName, data, pingData }) => heard.push([eventName, data, pingData.gppString]));
  </script>`;

  test('answers from the first line on, and says what happens to who listens', async () => {
    const page = await visit({ ...CALIFORNIA, gpp: 'on' }, EARLY, '<iframe src="/frame.html" title="An ad"></iframe>');
    expect(await page.evaluate('early[0]')).toBe('stub');
    await shown(page);
    await holds(page, "heard.some(([name, data]) => name === 'signalStatus' && data === 'ready')");
    expect(await page.evaluate('heard.map(([name]) => name)')).toEqual(
      expect.arrayContaining(['listenerRegistered', 'cmpStatus', 'sectionChange', 'cmpDisplayStatus']),
    );
    // Was called before there was an answer, and got one.
    expect(await page.evaluate('early[1]')).toEqual([null, false]);
    await page.evaluate('heard.splice(0)');
    await press(page, 'Do not sell or share my data');
    await holds(page, "heard.some(([name]) => name === 'sectionChange')");
    const [saleOptOut] = await page.evaluate<unknown[]>(
      "new Promise((resolve) => __gpp('getField', (...back) => resolve(back), 'usca.SaleOptOut'))",
    );
    expect(saleOptOut).toBe(1);
    await holds(page, "Object.keys(document.querySelector('iframe[src]').contentWindow.found).length === 2");
    expect(pages.faults).toEqual([]);
  });

  test('answers each command as the library of IAB does for the same string', async () => {
    const page = await visit({ ...CALIFORNIA, gpp: 'on' }, `${EARLY}<script src="/judges.js"></script>`);
    await shown(page);
    await press(page, 'Do not sell or share my data');
    await holds(page, "heard.filter(([name]) => name === 'sectionChange').length > 1");
    await page.evaluate(`{
      const ours = window.__gpp;
      let known;
      ours('ping', (data) => (known = data));
      window.__gpp = undefined;
      const judge = new judges.Gpp(0, 1);
      window.theirs = window.__gpp;
      window.__gpp = ours;
      judge.setGppString(known.gppString);
      judge.setApplicableSections(known.applicableSections);
      judge.setSupportedAPIs(known.supportedAPIs);
      judge.setCmpStatus('loaded');
      judge.setSignalStatus('ready');
    }`);
    const { ours, theirs } = await bothSay(page, '__gpp', [
      ['ping', 'BACK'],
      ['hasSection', 'BACK', 'usca'],
      ['hasSection', 'BACK', 'usva'],
      ['hasSection', 'BACK'],
      ['getSection', 'BACK', 'usca'],
      ['getSection', 'BACK', 'usva'],
      ['getSection', 'BACK'],
      ['getField', 'BACK', 'usca.SaleOptOut'],
      ['getField', 'BACK', 'usca.SensitiveDataProcessing'],
      ['getField', 'BACK', 'usva.SaleOptOut'],
      ['getField', 'BACK', 'usca'],
      ['addEventListener', 'BACK'],
      ['removeEventListener', 'BACK', 1000],
      ['removeEventListener', 'BACK', 1000],
      ['nothing', 'BACK'],
      [1, 'BACK'],
      ['ping', 'no function'],
    ]);
    // How the library writes a string is nothing that a string says.
    const said = JSON.parse(JSON.stringify(theirs), (name, value: unknown) =>
      name === 'GpcSegmentType' ? undefined : value,
    ) as unknown;
    expect(ours).toEqual(said);
  });
});

test('the lines of the guides do what they say', async () => {
  const lines = ['tcf-and-google.md', 'gpp.md'].flatMap((name) => {
    const guide = readFileSync(join(ROOT, 'docs/guides', name), 'utf8');
    return [...guide.matchAll(/^<script src="[^"]*assent\.js".*<\/script>$/gm)].map(([line]) => inPlace(line, world));
  });
  expect(lines.length).toBeGreaterThanOrEqual(2);
  for (const line of lines) {
    const page = await pages.visit({ attributes: { key: '' }, head: line });
    const interfaces = { tcf: '__tcfapi', gpp: '__gpp', 'consent-mode': 'dataLayer' };
    for (const [attribute, name] of Object.entries(interfaces))
      expect(await page.evaluate(`typeof ${name} !== 'undefined'`)).toBe(line.includes(`data-${attribute}="on"`));
  }
});
