import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { startElementsPages, type ElementsPages } from '../support/elements-pages.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/* Choices that were imported from another product count in the browser of the person, by the id that product left there. */

let world: World;
let browser: Browsing;
let pages: ElementsPages;
beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld({ own: true }), startBrowser()]);
  pages = await startElementsPages(world, browser);
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

const DAY_MS = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const stampOf = (): string => randomBytes(40).toString('base64');
const visitorOf = (stamp: string): string => Buffer.from(stamp, 'base64').toString('base64url');

async function imported(stamp: string, decisions: Record<string, string>, givenAt: string): Promise<void> {
  const records = Object.entries(decisions).map(([purpose, decision]) => ({
    ...{ subject: `visitor_id:${visitorOf(stamp)}`, purpose, decision, givenAt, source: 'MIGRATION' },
  }));
  const { status, body } = await world.request('POST', '/v1/consent/batch', { key: 'sk', body: { records } });
  expect([status, body.summary]).toMatchObject([200, { rejected: 0 }]);
}

/** A page that was under Cookiebot before, in a browser with the cookie of it. */
const visit = (stamp: string, attributes: Record<string, string> = { 'carry-over': 'cookiebot' }): Promise<Page> =>
  pages.visit({
    attributes,
    body: '<h1>Shop</h1><assent-gate purpose="analytics"></assent-gate><assent-choices-link></assent-choices-link>',
    before: async (page) => {
      const value = encodeURIComponent(`{stamp:'${stamp}',necessary:true,statistics:true,marketing:false,ver:1}`);
      await page.context().addCookies([{ name: 'CookieConsent', value, url: pages.origin }]);
      await page.addInitScript("addEventListener('assent-ready', () => { window.isReady = true; })");
    },
  });
const seen = async (page: Page): Promise<{ asks: boolean; analytics: boolean; visitor: string | null }> => {
  await until(() => page.evaluate<boolean>('window.isReady === true'));
  return page.evaluate(`({
    asks: document.querySelector('assent-banner')?.shadowRoot.querySelector('[part=dialog]') != null,
    analytics: document.querySelector('assent-gate').allowed === true,
    visitor: localStorage[Object.keys(localStorage).find((name) => name.endsWith('.visitor'))] ?? null,
  })`);
};
const all = async (decision: string): Promise<Record<string, string>> => {
  const { body } = await world.request('GET', '/v1/banner?country=DE', { key: 'pk' });
  const asked = (body.purposes as { key: string; locked: boolean; consentModel: string }[]).filter(
    ({ locked, consentModel }) => !locked && consentModel !== 'NOTICE_ONLY',
  );
  return Object.fromEntries(asked.map(({ key }) => [key, decision]));
};

test('is not asked again where all was answered, on this page and the next', async () => {
  const stamp = stampOf();
  await imported(stamp, { ...(await all('DENIED')), analytics: 'GRANTED' }, ago(20));
  const page = await visit(stamp);
  expect(await seen(page)).toEqual({ asks: false, analytics: true, visitor: visitorOf(stamp) });
  await page.reload();
  expect(await seen(page)).toEqual({ asks: false, analytics: true, visitor: visitorOf(stamp) });
  expect(pages.faults).toEqual([]);
});

test('is asked where a purpose was not answered, and what was answered holds', async () => {
  const stamp = stampOf();
  await imported(stamp, { analytics: 'GRANTED' }, ago(20));
  expect(await seen(await visit(stamp))).toEqual({ asks: true, analytics: true, visitor: visitorOf(stamp) });
});

test('is asked where nothing was imported, and keeps nothing on the device before the answer', async () => {
  const page = await visit(stampOf());
  expect(await seen(page)).toEqual({ asks: true, analytics: false, visitor: null });
  expect(await page.evaluate('localStorage.length')).toBe(0);
  await page.locator('assent-banner').getByRole('button', { name: 'Reject all', exact: true }).click();
  await until(async () => (await seen(page)).visitor !== null);
});

test('is asked where the page does not say so', async () => {
  const stamp = stampOf();
  await imported(stamp, await all('GRANTED'), ago(1));
  expect(await seen(await visit(stamp, {}))).toEqual({ asks: true, analytics: false, visitor: null });
});

test('is asked again about a refusal that is as old as the banner lets it be', async () => {
  const stamp = stampOf();
  await imported(stamp, await all('DENIED'), ago(40));
  expect((await seen(await visit(stamp))).asks).toBe(false);
  const path = '/admin/v1/sites/demo/test/catalogue';
  const { banner } = (await world.request('GET', path, { key: 'operator' })).body;
  const behaviour = { dismiss: 'IGNORE', resurfaceAfterDays: 30 };
  const body = { purposes: [], banner: { ...(banner as object), behaviour } };
  expect((await world.request('POST', path, { key: 'operator', body })).body['published']).toBe(true);
  await until(async () => (await seen(await visit(stamp))).asks);
});
