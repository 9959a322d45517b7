import { describe, expect, test as jestTest } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Browsing } from './browser.js';
import { inPage } from './elements-pages.js';
import { until } from './timing.js';

/** A page that one of the examples makes, and a service behind it. */
export interface ConformingPage {
  browser: Browsing;
  /** Where the page is served, in a language (BCP 47). */
  addressIn(lang: string): string;
  /** Calls back while the banner has Arabic texts. */
  inArabic(test: () => Promise<void>): Promise<void>;
}

/** For what is waited for in a page, in milliseconds. */
const PATIENCE_MS = 60_000;

const banner = (page: Page) => page.getByRole('region', { name: /privacy|Privatsphäre/i });
const press = (page: Page, name: string) =>
  page.locator('assent-banner').getByRole('button', { name, exact: true }).click();
const frame = (page: Page) => page.locator('assent-gate iframe');
const backToChoices = (page: Page) => page.locator('assent-choices-link').getByRole('button');
const hasRun = (page: Page): Promise<boolean> => page.evaluate('window.statsRan === true');
const recorded = (page: Page): Promise<unknown> =>
  page.evaluate(
    "new Promise((resolve) => addEventListener('assent-choice', resolve, { once: true })).then(() => true)",
  );

/**
 * What every page that includes the elements does, whatever it is made with: nothing before the answer, nothing after a
 * refusal, what was allowed after a yes, and the end of it after a withdrawal; kept over a reload, in every tab, in the
 * language of the page and in its direction. The page holds back a script of statistics, and a frame in a gate.
 */
export function pagesConform(name: string, made: () => ConformingPage): void {
  /** What went wrong in the page of the test, and what it asked for and does not have yet. */
  const faults: string[] = [];
  const asked = new Set<string>();
  const test = (title: string, carryOut: () => Promise<void>): void =>
    jestTest(title, async () => {
      faults.length = 0;
      asked.clear();
      try {
        await carryOut();
      } catch (error) {
        throw new Error(`faults of the page: ${faults.join('; ')}. It waits for: ${[...asked].join(' ')}.`, {
          cause: error,
        });
      }
    });
  async function visit(lang = 'en', beside?: Page): Promise<Page> {
    const { browser, addressIn } = made();
    const page = beside ? await beside.context().newPage() : await browser.open();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('request', (request) => asked.add(request.url()));
    page.on('requestfinished', (request) => asked.delete(request.url()));
    page.on('requestfailed', (request) => faults.push(`${request.url()} ${request.failure()?.errorText}`));
    page.on('response', (answer) => answer.status() >= 400 && faults.push(`${answer.url()} ${answer.status()}`));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(addressIn(lang));
    return page;
  }
  async function choose(page: Page, button: string): Promise<void> {
    const done = recorded(page);
    await press(page, button);
    await done;
  }

  describe(`a page of ${name}`, () => {
    test('asks, and until the answer nothing runs, nothing is loaded and nothing is kept', async () => {
      const page = await visit();
      await banner(page).waitFor();
      await page.locator('assent-gate').getByRole('button', { name: 'Allow and load' }).waitFor();
      expect([await frame(page).count(), await hasRun(page)]).toEqual([0, false]);
      expect(await page.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
    });

    test('after a refusal asks no more, also after a reload, and nothing runs', async () => {
      const page = await visit();
      await choose(page, 'Reject all');
      await page.reload();
      await backToChoices(page).waitFor();
      await page.locator('assent-gate').getByRole('button', { name: 'Allow and load' }).waitFor();
      expect([await banner(page).count(), await frame(page).count(), await hasRun(page)]).toEqual([0, 0, false]);
    });

    test('after a yes runs what was allowed, also after a reload', async () => {
      const page = await visit();
      await choose(page, 'Accept all');
      for (let loads = 0; loads < 2; loads++) {
        await frame(page).waitFor();
        await until(() => hasRun(page));
        await page.reload();
      }
      expect(await banner(page).count()).toBe(0);
    });

    test('after a withdrawal takes it out of the page', async () => {
      const page = await visit();
      await choose(page, 'Accept all');
      await frame(page).waitFor();
      await until(() => hasRun(page));
      await backToChoices(page).click();
      // A script had run, so the page is loaded anew.
      const again = page.waitForEvent('load');
      await press(page, 'Reject all');
      await again;
      await page.locator('assent-gate').getByRole('button', { name: 'Allow and load' }).waitFor();
      expect([await frame(page).count(), await hasRun(page)]).toEqual([0, false]);
    });

    test('another tab follows', async () => {
      const page = await visit();
      await banner(page).waitFor();
      const other = await visit('en', page);
      await banner(other).waitFor();
      await choose(page, 'Accept all');
      await frame(other).waitFor();
      expect(await banner(other).count()).toBe(0);
      await other.close();
    });

    test('the placeholder of what waits allows it in one click', async () => {
      const page = await visit();
      await banner(page).waitFor();
      await page.locator('assent-gate').getByRole('button', { name: 'Allow and load' }).click();
      await frame(page).waitFor();
      expect(await hasRun(page)).toBe(false);
    });

    test('asks in another language where the page has one', async () => {
      const page = await visit('de');
      await page.getByRole('region', { name: 'Ihre Privatsphäre' }).waitFor();
      await page.locator('assent-gate').getByRole('button', { name: 'Erlauben und laden' }).waitFor();
      await choose(page, 'Alle ablehnen');
    });

    test('asks from right to left where the language is written so', async () => {
      await made().inArabic(async () => {
        const page = await visit('ar');
        const box = page.locator('assent-banner .first');
        await box.waitFor();
        expect(await box.evaluate(inPage('(box) => [box.lang, box.dir]'))).toEqual(['ar', 'rtl']);
      });
    });
  });
}
