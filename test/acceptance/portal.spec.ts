import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { ALL_OF_PAGES, faultsOf, focusOf, overflowOf, startBrowser, type Browsing } from '../support/browser.js';
import { codeIn, mailsTo, tokenIn, until } from '../support/double-opt-in.js';
import { png } from '../support/pictures.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/** The portal in a real browser, most of it without scripts. Pictures of its pages go to ASSENT_PICTURES, where that is set. */
let world: World;
let browser: Browsing;
let people = 0;
let windows = 0;

beforeAll(async () => {
  [world, browser] = await Promise.all([startWorld(), startBrowser()]);
  const { status, text } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/brand`, {
    key: 'operator',
    body: {
      displayName: { en: 'Shop Example', he: 'חנות לדוגמה' },
      logo: { data: png({ width: 96, height: 48 }).toString('base64') },
      accentColor: '#8a1538',
      accentColorDark: '#ff9db5',
      privacyUrl: { en: 'https://shop.example/privacy' },
    },
  });
  if (status !== 200) throw new Error(`not branded: ${text}`);
}, 420_000);
afterEach(() => browser.rest());
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
});

const address = (): string => `reader${++people}@portal.example`;
const portal = (rest = ''): string => `${world.url}/portal/${world.demo.site}/test${rest}`;
/** Each window comes from an address of its own: how many pages one address may open in a second is limited. */
async function open(context: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.open(context);
  await page.setExtraHTTPHeaders({ 'X-Forwarded-For': `10.9.0.${++windows}` });
  return page;
}
const NO_SCRIPTS: BrowserContextOptions = { javaScriptEnabled: false };

async function link(subject: string, more: object = {}): Promise<string> {
  const { status, body, text } = await world.request('POST', '/v1/portal-tokens', {
    key: 'sk',
    body: { subject, ...more },
  });
  if (status !== 201) throw new Error(`no token: ${text}`);
  return body.url as string;
}
/** The code of the newest mail to an address. */
const codeFor = (to: string, seen = 0): Promise<string> =>
  until(async () => {
    const mails = await mailsTo(world, to);
    return mails.length > seen ? codeIn(mails[0]) : undefined;
  });
/** A link signs nobody in by itself: the person presses. */
async function followed(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.click('#enter button');
}
async function signedIn(subject: string, more: object = {}, context: BrowserContextOptions = {}): Promise<Page> {
  const page = await open(context);
  await followed(page, await link(subject, more));
  await page.waitForURL(portal());
  await page.locator('header button').waitFor();
  return page;
}
async function signedInByCode(to: string, context: BrowserContextOptions = NO_SCRIPTS): Promise<Page> {
  const page = await open(context);
  await page.goto(portal());
  await page.fill('#email', to);
  await page.click('main button:visible');
  await page.fill('#code', await codeFor(to));
  await page.click('main button:visible');
  return page;
}
const preferencesOf = async (subject: string): Promise<Answer['body']> =>
  (await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/preferences?fresh=true`)).body;
const consentOf = async (
  subject: string,
): Promise<Record<string, { state: string; effective: string; purposeVersion: number }>> =>
  (await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/consent?fresh=true`)).body.purposes as never;
const historyOf = async (subject: string): Promise<Record<string, unknown>[]> =>
  (await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/consent/history`)).body.data as never;
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['ASSENT_PICTURES'];
  if (folder) await page.screenshot({ path: `${folder}/portal-${name}.png`, fullPage: true });
}

describe('signing in', () => {
  it('is found by people who have no link, from the address of their site', async () => {
    const entry = (query = ''): Promise<Response> => fetch(`${world.url}/portal${query}`, { redirect: 'manual' });
    const led = async (query = ''): Promise<[number, string | null]> => {
      const { status, headers } = await entry(query);
      return [status, headers.get('location')];
    };
    // Other sites of the same service may have that domain too.
    const there = expect.stringMatching(/^\/portal\/demo[^/]*\/test$/);
    expect(await led('?site=https://www.demo.example/cart')).toEqual([303, there]);
    const nowhere = await entry('?site=nobody.example');
    expect([nowhere.status, await nowhere.text()]).toEqual([404, expect.stringContaining('No site with this address')]);
    const { status, headers } = await entry();
    if (status === 303) expect(headers.get('location')).toEqual(there);
    else expect(status).toBe(200);
  });

  it('by the link of the site works once, and leaves the token in no address', async () => {
    const url = await link(`email:${address()}`, { redirectUrl: 'https://demo.example/account' });
    const page = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(url);
    const button = page.locator('#enter button');
    await button.waitFor();
    // The token is in no address and nothing was sent before the person presses: another site may have led here.
    expect([page.url(), await page.innerText('h1')]).toEqual([portal(), 'Sign in']);
    expect(await page.context().cookies()).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, 'link');
    await button.click();
    await page.getByRole('heading', { name: 'Messages and settings' }).waitFor();
    expect(await page.locator('footer a').first().getAttribute('href')).toBe('https://demo.example/account');
    expect(asked.filter((one) => one.includes('eyJ') && one !== url)).toEqual([]);
    expect(new Set(asked.map((one) => new URL(one).origin))).toEqual(new Set([world.url]));
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate('document.cookie')).toBe('');

    const replayed = await open();
    await followed(replayed, url);
    await replayed.waitForURL('**?wrong=linkOver');
    expect(await replayed.innerText('[role=alert]')).toContain('used already');
    expect(await replayed.context().cookies()).toEqual([]);
    // Who is signed in and opens the link of somebody else does not stay signed in as before.
    await page.goto(await link(`email:${address()}`, { locale: 'de' }));
    expect(await page.innerText('#enter')).toContain('Your link is good');
    await page.click('#enter button');
    await page.getByRole('heading', { name: 'Nachrichten und Einstellungen' }).waitFor();
    const [{ name, value }] = (await page.context().cookies()) as [Cookie];
    await page.locator('header button').click();
    expect(await page.innerText('h1')).toBe('Sign in');
    expect(await page.context().cookies()).toEqual([]);
    // Nor is whoever kept a copy of the cookie, at the side that reads and at the one that writes.
    const headers = { cookie: `${name}=${value}`, origin: world.url };
    expect(await (await fetch(portal('/consents'), { headers })).text()).toContain('<h1>Sign in</h1>');
    const body = new URLSearchParams({ action: 'preferences' });
    const posted = await fetch(portal(), { method: 'POST', redirect: 'manual', headers, body });
    expect(posted.headers.get('location')).toContain('wrong=sessionOver');
  });

  it('by a token that is made up, changed or of another site shows nothing', async () => {
    const url = await link(`email:${address()}`);
    const [before, head, , signature] = /^(.*)#(.*)\.(.*)\.(.*)$/.exec(url)!.slice(1) as [
      string,
      string,
      string,
      string,
    ];
    const page = await open();
    for (const fragment of [`${head}.e30.${signature}`, 'a.b.c', `${head}.${signature}.${head}`]) {
      await followed(page, `${before}#${fragment}`);
      await page.waitForURL('**?wrong=linkOver');
    }
    const foreign = await open();
    await followed(foreign, url.replace('/test#', '/live#'));
    await foreign.waitForURL('**/live?wrong=linkOver');
    expect((await fetch(`${world.url}/portal/nobody/test`)).status).toBe(404);
  });

  it('by the link of a person who was erased since signs nobody in', async () => {
    const subject = `email:${address()}`;
    const url = await link(subject);
    const erased = await world.request('POST', `/v1/subjects/${encodeURIComponent(subject)}/erase`, { body: {} });
    expect(erased.status).toBe(200);
    const page = await open();
    await followed(page, url);
    await page.waitForURL('**?wrong=linkOver');
    expect(await page.context().cookies()).toEqual([]);
  });

  it('by a mailed code needs no scripts, and is the same for an address that nobody knows', async () => {
    const known = address();
    await world.recorded({ subject: `email:${known}` }, { key: 'sk' });
    for (const to of [known, address()]) {
      const page = await signedInByCode(to);
      expect(await page.innerText('h1')).toBe('Messages and settings');
      await page.click('nav a:has-text("Consents")');
      expect(await page.innerText('main')).toContain(
        to === known ? 'You agreed on' : 'You have said nothing about this.',
      );
    }
  });

  it('by a code to an address that nobody verified opens what was asked under it, and nothing else of the person', async () => {
    const to = address();
    const account = `user_id:portal-${to.replace(/\W/g, '-')}`;
    const identifiers = [
      { kind: 'user_id', value: account.slice('user_id:'.length), verified: true },
      { kind: 'email', value: to },
    ];
    expect((await world.request('POST', '/v1/subjects', { body: { identifiers } })).status).toBe(201);
    const { receiptId } = (await world.recorded({ subject: account }, { key: 'sk' })).body as { receiptId: string };
    const theirs = { subject: account, type: 'PORTABILITY', jurisdiction: { country: 'DE' } };
    expect((await world.request('POST', '/v1/data-requests', { body: theirs })).status).toBe(201);
    const page = await signedInByCode(to);
    expect(await page.locator('nav a').allInnerTexts()).toEqual(['Requests']);
    expect(await page.innerText('main')).toContain('has not been confirmed as yours yet');
    expect(await page.locator('li.card').count()).toBe(0);
    await picture(page, 'limited');
    for (const path of ['/preferences', '/consents', '/receipts', `/receipt?id=${receiptId}`])
      expect([path, (await page.goto(portal(path)))!.status()]).toEqual([path, 403]);
    // One of theirs is open: nothing says so. One of another kind is opened, and waits.
    for (const [kind, cards] of [
      ['PORTABILITY', 0],
      ['ACCESS', 1],
    ] as const) {
      await page.goto(portal('/requests'));
      await page.selectOption('#kind', kind);
      await page.click('section button');
      expect([kind, await page.locator('li.card').count()]).toEqual([kind, cards]);
      expect(await page.innerText('main')).not.toContain('already');
    }
    const asked = `/v1/data-requests?subject=${encodeURIComponent(account)}&type=ACCESS`;
    const { body } = await world.request('GET', asked);
    expect(body.data).toMatchObject([
      { state: 'RECEIVED', verification: { status: 'PENDING', reason: 'ADDRESS_NOT_VERIFIED' } },
    ]);
  });

  it('takes each code once, five tries, and no code of anybody else', async () => {
    const [to, other] = [address(), address()];
    const page = await open(NO_SCRIPTS);
    const ask = async (): Promise<string> => {
      await page.goto(portal());
      await page.fill('#email', to);
      await page.click('main button:visible');
      return (await page.locator('input[name=handle]').getAttribute('value'))!;
    };
    const enter = (handle: string, code: string): Promise<Response> =>
      fetch(portal(), {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: world.url },
        body: new URLSearchParams({ action: 'enter-code', handle, code }),
      });
    const [first, second] = [await ask(), await ask()];
    const newest = await codeFor(to, 1);
    const wrong = newest === '000000' ? '000001' : '000000';
    expect((await enter(second, wrong)).status).toBe(422);
    expect((await enter('pcd_made-up-by-somebody00', newest)).status).toBe(422);
    // At most one of the two codes fits its own handle; the newer one fits the newer.
    if ((await enter(first, newest)).status === 303) throw new Error('two codes were the same: run it again');
    expect((await enter(second, newest)).status).toBe(303);
    expect((await enter(second, newest)).status).not.toBe(200);
    expect((await enter(second, newest)).headers.get('set-cookie')).toBeNull();
    for (let tries = 1; tries < 5; tries++) expect((await enter(first, wrong)).headers.get('set-cookie')).toBeNull();
    expect((await enter(first, wrong)).headers.get('location')).toContain('wrong=codeOver');
    // A third is sent, a fourth within the hour is not, whoever asks.
    await ask();
    await page.goto(portal());
    await page.fill('#email', to);
    const [answer] = await Promise.all([page.waitForResponse(/\/code$/), page.click('main button:visible')]);
    expect(answer.status()).toBe(429);
    expect(Number(answer.headers()['retry-after'])).toBeGreaterThan(3000);
    expect(await page.innerText('[role=alert]')).toContain('Too many attempts');
    await until(async () => ((await mailsTo(world, to)).length === 3 ? true : undefined));
    expect(await mailsTo(world, other)).toEqual([]);
  });
});

describe('the preference centre', () => {
  it('saves every kind of field, a frequency, a pause and no messages at all, without scripts', async () => {
    const to = address();
    const page = await signedInByCode(to);
    await page.check('[name="value.email_product_updates"]');
    await page.selectOption('[name="often.email_product_updates"]', 'MONTHLY');
    await page.fill('[name="pause.sms_delivery"]', '2099-05-01');
    await page.check('[name="value.push_news"]');
    await page.selectOption('[name="value.digest_frequency"]', 'DAILY');
    await page.check('[name="choice.interests.0"]');
    await page.check('[name="choice.interests.2"]');
    await page.check('[name="value.personal_start_page"]');
    await page.selectOption('[name="value.language"]', 'de');
    await page.fill('[name="value.birthday"]', '1990-02-03');
    await page.fill('[name="value.age"]', '36');
    await page.fill('[name="value.note"]', 'Guten <b>Tag</b>');
    await page.click('main button:visible');
    expect(await page.innerText('[role=status]')).toBe('Saved.');
    await picture(page, 'preferences');
    const { channels, fields, globalOptOut } = await preferencesOf(`email:${to}`);
    expect(channels.email.topics.product_updates).toMatchObject({ state: 'GRANTED', frequency: 'MONTHLY' });
    expect(channels.sms.topics.delivery.pausedUntil).toBe('2099-05-01T00:00:00.000Z');
    expect(channels.push.topics.news.state).toBe('GRANTED');
    expect(
      Object.fromEntries(
        Object.entries(fields as Record<string, { value: unknown }>).map(([key, { value }]) => [key, value]),
      ),
    ).toEqual({
      age: 36,
      birthday: '1990-02-03',
      digest_frequency: 'DAILY',
      interests: ['books', 'garden'],
      language: 'de',
      note: 'Guten <b>Tag</b>',
      personal_start_page: true,
    });
    expect(globalOptOut.state).toBe('NONE');
    // All of it stands in the form again; what is taken away is cleared, and nothing else is said anew.
    expect(await page.inputValue('[name="value.note"]')).toBe('Guten <b>Tag</b>');
    const revision = (await preferencesOf(`email:${to}`)).revision as number;
    await page.click('main button:visible');
    expect((await preferencesOf(`email:${to}`)).revision).toBe(revision);
    await page.uncheck('[name="value.push_news"]');
    await page.fill('[name="pause.sms_delivery"]', '');
    await page.fill('[name="value.note"]', '');
    await page.check('[name="opt-out"]');
    await page.click('main button:visible');
    const after = await preferencesOf(`email:${to}`);
    expect(after.globalOptOut.state).toBe('ACTIVE');
    expect(after.channels.push.topics.news.state).toBe('DENIED');
    expect(after.channels.sms.topics.delivery.pausedUntil).toBeNull();
    expect(after.fields.note).toBeUndefined();
    expect(after.fields.age.value).toBe(36);
  });

  it('mails the person where a wish waits for confirmation', async () => {
    const to = address();
    const page = await signedInByCode(to);
    await page.check('[name="value.email_news"]');
    await page.click('main button:visible');
    expect(await page.innerText('main')).toContain('Waits for your confirmation');
    expect((await preferencesOf(`email:${to}`)).channels.email.topics.news.state).toBe('PENDING');
    const mail = await until(async () => (await mailsTo(world, to)).find((each) => tokenIn(each.text, 'cft') !== null));
    await world.request('POST', '/v1/preferences/confirm', { key: null, body: { token: tokenIn(mail.text, 'cft') } });
    expect((await preferencesOf(`email:${to}`)).channels.email.topics.news.state).toBe('GRANTED');
  });

  it('says which entry is wrong where the browser did not', async () => {
    const page = await signedInByCode(address());
    for (const index of [0, 1, 2, 3]) await page.check(`[name="choice.interests.${index}"]`);
    await page.click('main button:visible');
    expect(await page.innerText('[role=alert]')).toContain('check this entry');
    expect(await page.locator('[aria-invalid=true]').getAttribute('aria-labelledby')).toBe('f-interests-label');
  });
});

describe('every page', () => {
  it('has times of the reader, where there is JavaScript', async () => {
    const to = `email:${address()}`;
    const consent = { subject: to, purpose: 'analytics', decision: 'GRANTED', source: 'MIGRATION' };
    const givenAt = '2026-03-09T02:30:00.000Z';
    expect((await world.request('POST', '/v1/consent', { key: 'sk', body: { ...consent, givenAt } })).status).toBe(201);
    const page = await signedIn(to, {}, { timezoneId: 'America/New_York' });
    await page.goto(portal('/consents'));
    expect(await page.locator('li.card', { hasText: 'Statistics' }).innerText()).toContain(
      'You agreed on 8 March 2026 at 22:30.',
    );
    expect(await page.locator('header .until').innerText()).toMatch(/^Signed in until \d\d:\d\d$/);
  });

  it('says that the session is about to end, while there is time to save', async () => {
    const to = `email:${address()}`;
    const page = await open();
    await page.clock.install();
    await followed(page, await link(to));
    await page.locator('header button').waitFor();
    const ends = page.locator('#ends');
    expect(await ends.innerText()).toBe('');
    await page.clock.runFor('26:00');
    expect(await ends.innerText()).toContain('Save what you have entered');
  });

  it('is one in the words of a person, where there is none', async () => {
    const page = await open();
    const answer = await page.goto(portal('/nothing'));
    expect([answer!.status(), await page.innerText('main')]).toEqual([
      404,
      expect.stringContaining('There is no page at this address.'),
    ]);
  });
});

describe('consents', () => {
  it('are given and withdrawn by one button in the same place, with proof of where and of what was shown', async () => {
    const to = address();
    const page = await signedInByCode(to);
    await page.click('nav a:has-text("Consents")');
    const card = page.locator('li.card', { hasText: 'Statistics' });
    await card.getByRole('button', { name: 'Agree' }).click();
    expect(await page.innerText('[role=status]')).toBe('Saved.');
    expect((await consentOf(`email:${to}`))['analytics']).toMatchObject({ state: 'GRANTED', effective: 'ALLOWED' });
    expect(await card.innerText()).toMatch(/Allowed[\s\S]*You agreed on .* UTC\. Good until/);
    await card.locator('summary').click();
    expect(await card.innerText()).toContain('GDPR art. 6(1)(a)');
    await picture(page, 'consents');
    await card.getByRole('button', { name: 'Withdraw' }).click();
    expect((await consentOf(`email:${to}`))['analytics']).toMatchObject({ state: 'WITHDRAWN', effective: 'BLOCKED' });
    const [newest] = await historyOf(`email:${to}`);
    expect(newest).toMatchObject({
      decision: 'WITHDRAWN',
      collection: { method: 'TOGGLE', surface: 'PREFERENCE_CENTER', url: portal('/consents'), locale: 'en' },
      provenance: { keyId: 'portal' },
    });
    const sale = page.locator('li.card', { hasText: 'Sale and sharing' });
    if ((await consentOf(`email:${to}`))['sale_of_data']!.effective === 'ALLOWED')
      await sale.getByRole('button', { name: 'Object' }).click();
    else await sale.getByRole('button', { name: 'Agree' }).click();
    expect(['OBJECTED', 'GRANTED']).toContain((await consentOf(`email:${to}`))['sale_of_data']!.state);
    expect(await page.locator('li.card', { hasText: 'Running the shop' }).getByRole('button').count()).toBe(0);
  });

  it('hold the signal of the browser, also where it came more than once', async () => {
    const subject = `email:${address()}`;
    const page = await signedIn(subject);
    await page.setExtraHTTPHeaders({ 'Sec-GPC': '0, 1' });
    await page.goto(portal('/consents'));
    await page.locator('li.card', { hasText: 'Statistics' }).getByRole('button', { name: 'Agree' }).click();
    expect(await page.innerText('[role=status]')).toBe('Saved.');
    expect((await historyOf(subject))[0]).toMatchObject({ signals: { gpc: true } });
  });

  it('have receipts, which are verified on the page and downloaded', async () => {
    const subject = `email:${address()}`;
    const { receiptId } = (await world.recorded({ subject }, { key: 'sk' })).body as { receiptId: string };
    const page = await signedIn(subject, {}, { acceptDownloads: true });
    await page.goto(portal('/consents'));
    await page.click(`a[href*="${receiptId}"]`);
    expect(await page.innerText('.said[role=status]')).toContain('signature is right');
    const here = page.locator('#verified-here', { hasText: /./ });
    expect(await here.innerText()).toContain('Verified in this browser too');
    await picture(page, 'receipt');
    // What is changed on the way does not pass, whatever the service said of it.
    const isReceipt = ({ pathname }: URL): boolean => pathname.endsWith('/receipt');
    await page.route(isReceipt, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('GRANTED', 'DENIED') });
    });
    await page.reload();
    expect(await here.innerText()).toContain('could not be verified');
    await page.unroute(isReceipt);
    await page.reload();
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')]);
    expect(download.suggestedFilename()).toBe(`${receiptId}.json`);
    const other = (await world.recorded({ subject: `email:${address()}` }, { key: 'sk' })).body as {
      receiptId: string;
    };
    expect((await page.goto(portal(`/receipt?id=${other.receiptId}`)))!.status()).toBe(404);
  });

  it('have receipts of everything that was ever said, page by page, newest first, by the names of the catalogue', async () => {
    const subject = `email:${address()}`;
    const said = ['GRANTED', 'WITHDRAWN'].flatMap((decision) => Array.from({ length: 11 }, () => decision));
    const recorded: string[] = [];
    for (const decision of said)
      recorded.push((await world.recorded({ subject, decision }, { key: 'sk' })).body.receiptId as string);
    await world.request('POST', '/v1/preferences', {
      body: { subject, values: [{ field: 'email_product_updates', value: true }] },
    });
    const page = await signedIn(subject, { scopes: ['receipts:read'] });
    expect(await page.locator('nav a').allInnerTexts()).toEqual(['Receipts']);
    const cards = page.locator('li.card');
    const [first, second] = [await cards.nth(0).innerText(), await cards.nth(1).innerText()];
    expect(first).toMatch(/^About what you bought \(E-mail\)\s+Agreed: /);
    expect(second).toMatch(/^Statistics\s+Took consent back: /);
    const seen = (): Promise<string[]> =>
      page
        .locator('.actions a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')!.split('id=')[1]!));
    const newest = await seen();
    expect(newest.length).toBe(20);
    await picture(page, 'receipts-of-all');
    await page.getByRole('link', { name: 'Older receipts' }).click();
    await page.waitForURL('**/receipts?before=*');
    const all = [...newest, ...(await seen())];
    expect(all.slice(1)).toEqual(recorded.reverse());
    expect(await page.getByRole('link', { name: 'Older receipts' }).count()).toBe(0);
    await page.locator('.actions a').last().click();
    expect(await page.innerText('[role=status]')).toContain('signature is right');
    expect((await page.goto(portal('/receipts?before=nonsense')))!.status()).toBe(422);
  });

  it('are shown and changed only within the scopes of the token', async () => {
    const subject = `email:${address()}`;
    const page = await signedIn(subject, { scopes: ['consent:read'] });
    expect(await page.locator('nav a').allInnerTexts()).toEqual(['Consents']);
    expect(await page.locator('main button:visible').count()).toBe(0);
    expect((await page.goto(portal('/preferences')))!.status()).toBe(403);
    const form = await page
      .goto(portal('/consents'))
      .then(() => page.locator('input[name=form]').first().getAttribute('value'));
    const [cookie] = await page.context().cookies();
    const posted = await fetch(portal(), {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: world.url, cookie: `${cookie!.name}=${cookie!.value}` },
      body: new URLSearchParams({
        action: 'consent',
        form: form!,
        purpose: 'analytics',
        version: '1',
        decision: 'GRANTED',
      }),
    });
    expect(posted.status).toBe(403);
    expect((await consentOf(subject))['analytics']!.state).toBe('NOT_COLLECTED');
  });
});

describe('requests', () => {
  it('are made without scripts, shown with their dates, and made once while one of their kind is open', async () => {
    const to = address();
    const page = await signedInByCode(to);
    await page.click('nav a:has-text("Requests")');
    expect(await page.innerText('main')).toContain('You have made no request yet.');
    for (let times = 0; times < 2; times++) {
      await page.selectOption('#kind', 'ACCESS');
      await page.fill('#details', 'Everything since <2024>.');
      await page.click('section button');
      await page.goto(portal('/requests'));
    }
    const card = page.locator('li.card');
    expect(await card.count()).toBe(1);
    expect(await card.innerText()).toMatch(/A copy of my data[\s\S]*Confirmed[\s\S]*Received[\s\S]*Answer due by/);
    await picture(page, 'requests');
    const { body } = await world.request('GET', `/v1/data-requests?subject=${encodeURIComponent(`email:${to}`)}`);
    expect(body.data).toMatchObject([
      { type: 'ACCESS', state: 'VERIFIED', source: 'PORTAL', verification: { method: 'EMAIL_CODE' } },
    ]);
    await page.selectOption('#kind', 'OPT_OUT_SALE_SHARE');
    await page.click('section button');
    expect(await page.innerText('[role=status]')).toContain('received');
    expect((await consentOf(`email:${to}`))['sale_of_data']!.effective).toBe('BLOCKED');
  });

  it('hand the archive out by one press, once, and again where the operator makes a link', async () => {
    const [to, other] = [address(), address()];
    const page = await signedInByCode(to);
    await page.goto(portal('/requests'));
    await page.selectOption('#kind', 'ACCESS');
    await page.click('section button');
    const listed = await world.request('GET', `/v1/data-requests?subject=${encodeURIComponent(`email:${to}`)}`);
    const id = (listed.body.data as { id: string }[])[0]!.id;
    const done = await world.request('POST', `/v1/data-requests/${id}/complete`, { key: 'sk', body: {} });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('"ARCHIVE"')]);
    const at = done.headers['x-log-position'] as string;
    await page.goto(portal(`/requests?at=${at}`));
    const card = page.locator('li.card').first();
    expect(await card.innerText()).toMatch(/Done[\s\S]*You can fetch the archive once, until .* UTC\./);
    await picture(page, 'archive');
    // axe needs timers, which a page without scripts has none of.
    const looked = await signedIn(`email:${to}`);
    await looked.goto(portal(`/requests?at=${at}`));
    expect(await faultsOf(looked)).toEqual([]);

    const cookieOf = async (of: Page): Promise<string> => {
      const [cookie] = await of.context().cookies();
      return `${cookie!.name}=${cookie!.value}`;
    };
    const press = async (of: Page): Promise<Response> =>
      fetch(portal(), {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: world.url, cookie: await cookieOf(of) },
        body: new URLSearchParams({
          action: 'archive',
          request: id,
          form: (await of.locator('input[name=form]').first().getAttribute('value'))!,
        }),
      });
    const stranger = await signedInByCode(other);
    expect((await press(stranger)).status).toBe(404);
    const unable = await signedIn(`email:${to}`, { scopes: ['consent:read', 'consent:write'] });
    expect((await press(unable)).status).toBe(403);

    const both = await Promise.all([press(page), press(page)]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 303]);
    const [archive] = both.filter(({ status }) => status === 200);
    expect(archive!.headers.get('content-disposition')).toBe(`attachment; filename="your-data-${id}.zip"`);
    const sha256 = createHash('sha256')
      .update(Buffer.from(await archive!.arrayBuffer()))
      .digest('hex');
    expect(sha256).toBe(done.body.effect.archive.sha256);
    await page.reload();
    expect(await card.innerText()).toMatch(/You fetched the archive on .* UTC\./);
    expect(await card.locator('form').count()).toBe(0);

    const path = `/admin/v1/sites/${world.demo.site}/test/data-requests/${id}/archive-link`;
    const link = await world.request('POST', path, { key: 'operator', body: {} });
    expect(link.status).toBe(201);
    await page.reload();
    expect(await card.getByRole('button', { name: 'Fetch the archive' }).count()).toBe(1);
    const again = await press(page);
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([200, done.body.effect.archive.bytes]);
    // The press took the place of the link.
    const late = await fetch(`${world.url}/v1/archive`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: new URL(link.body.url as string).searchParams.get('token') }),
    });
    expect(late.status).toBe(404);
    expect((await press(page)).status).toBe(303);
  });

  it('to put data right say what is wrong and what is right, and show it', async () => {
    const [wrong, right] = [address(), address()];
    const page = await signedInByCode(wrong);
    await page.goto(portal('/requests'));
    const form = page.locator('section form');
    const fields = page.locator('fieldset.corrections');
    const send = (): Promise<void> => form.locator('button').click();
    expect(await fields.isVisible()).toBe(false);
    await page.selectOption('#kind', 'RECTIFICATION');
    expect(await fields.isVisible()).toBe(true);
    await picture(page, 'corrections-empty');

    // What is not understood is marked, and nothing has to be written twice.
    await page.fill('[id="wrong.email"]', wrong);
    await page.fill('[id="right.email"]', right);
    await page.fill('[id="right.phone"]', 'call me');
    await page.selectOption('#country', 'AT');
    await page.selectOption('#language', '-');
    await page.locator('summary').click();
    await page.check('[name="value.push_news"]');
    await page.fill('[name="value.note"]', 'In <b>haste</b>');
    await page.fill('#details', 'I moved.');
    await send();
    expect(await page.innerText('[role=alert]')).toContain('check this entry');
    expect(await page.locator('[aria-invalid=true]').getAttribute('id')).toBe('right.phone');
    expect(await page.evaluate('document.activeElement.id')).toBe('right.phone');
    expect(await page.inputValue('[id="wrong.email"]')).toBe(wrong);
    await picture(page, 'corrections-wrong');
    await page.fill('[id="right.phone"]', '+43 1 234567');
    await send();
    expect(await page.innerText('[role=status]')).toContain('received');

    const card = page.locator('li.card');
    const shown = await card.innerText();
    for (const line of [
      `Wrong: ${wrong}\nRight: ${right}`,
      'Right: +431234567',
      'Country\nRight: Austria',
      'Language\nRemove',
      'Right: Switched on',
      'Right: In <b>haste</b>',
    ])
      expect(shown.replace(/\s*\n\s*/g, '\n')).toContain(line);
    await picture(page, 'corrections');
    const { body } = await world.request('GET', `/v1/data-requests?subject=${encodeURIComponent(`email:${wrong}`)}`);
    const [{ id }] = body.data as [{ id: string }];
    const opened = await world.request('GET', `/v1/data-requests/${id}`);
    expect(opened.body.corrections).toEqual([
      { kind: 'email', value: right, replaces: wrong },
      { kind: 'phone', value: '+431234567' },
      { kind: 'country', value: 'AT' },
      { kind: 'locale', value: null },
      { kind: 'preference', field: 'channels.push.topics.news', value: true },
      { kind: 'preference', field: 'note', value: 'In <b>haste</b>' },
    ]);

    // A second one is not added to the first, and the page says so.
    await page.selectOption('#kind', 'RECTIFICATION');
    await page.selectOption('#country', 'CH');
    await send();
    expect(await page.innerText('[role=status]')).toContain('open already');
    expect(await card.count()).toBe(1);

    // What the operator puts in their place is shown too, identifiers masked.
    const corrections = [{ kind: 'email', value: right, replaces: wrong }];
    const done = await world.request('POST', `/v1/data-requests/${id}/complete`, { key: 'sk', body: { corrections } });
    expect([done.status, done.body.state]).toEqual([200, 'COMPLETED']);
    await page.goto(portal(`/requests?at=${done.headers['x-log-position'] as string}`));
    const put = await card.innerText();
    expect(put).toContain(`${right[0]}…@p….example`);
    expect([put.includes(right), put.includes('Austria')]).toEqual([false, false]);
  });

  it('are not made without the scope', async () => {
    const page = await signedIn(`email:${address()}`, { scopes: ['requests:read'] });
    expect(await page.innerText('h1')).toBe('Requests');
    expect(await page.locator('section').count()).toBe(0);
    expect((await page.goto(portal('/consents')))!.status()).toBe(403);
  });
});

describe('a session', () => {
  it('takes no form of another site, of another session, or without a session', async () => {
    const subject = `email:${address()}`;
    const page = await signedIn(subject);
    const [cookie] = await page.context().cookies();
    const form = (await page.locator('input[name=form]').first().getAttribute('value'))!;
    const grant = { action: 'consent', purpose: 'analytics', version: '1', decision: 'GRANTED', form };
    const post = (fields: Record<string, string>, headers: Record<string, string>): Promise<Response> =>
      fetch(portal(), { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers });
    const own = { origin: world.url, cookie: `${cookie!.name}=${cookie!.value}` };
    expect((await post(grant, { ...own, origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(grant, { ...own, origin: 'null' })).status).toBe(403);
    expect((await post(grant, { cookie: own.cookie })).status).toBe(403);
    expect((await post(grant, { ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post({ ...grant, form: 'made-up' }, own)).status).toBe(403);
    expect((await post(grant, { origin: world.url })).headers.get('location')).toContain('wrong=sessionOver');
    expect(
      (await post(grant, { ...own, cookie: `${cookie!.name}=${cookie!.value.slice(0, -4)}AAAA` })).headers.get(
        'location',
      ),
    ).toContain('sessionOver');
    expect((await consentOf(subject))['analytics']!.state).toBe('NOT_COLLECTED');
    expect((await post(grant, own)).status).toBe(303);
    expect((await consentOf(subject))['analytics']!.state).toBe('GRANTED');
  });

  it('ends with the secret key that let the person in, and with the person', async () => {
    const issued = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'test', name: 'soon gone' },
    });
    const { body } = await world.request('POST', '/v1/portal-tokens', {
      key: issued.body.key as string,
      body: { subject: `email:${address()}` },
    });
    const page = await open();
    await page.goto(body.url as string);
    await page.waitForURL(portal());
    await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys/${issued.body.id as string}/revoke`, {
      key: 'operator',
      body: {},
    });
    await page.goto(portal('/consents'));
    expect(await page.innerText('h1')).toBe('Sign in');

    const subject = `email:${address()}`;
    const gone = await signedIn(subject);
    await world.request('POST', `/v1/subjects/${encodeURIComponent(subject)}/erase`, { body: {} });
    await gone.check('[name="opt-out"]');
    const [answer] = await Promise.all([
      gone.waitForResponse((one) => one.request().method() === 'POST'),
      gone.click('main button:visible'),
    ]);
    expect(answer.status()).toBe(410);
    expect((await preferencesOf(subject)).globalOptOut.state).toBe('NONE');
  });
});

describe('every page', () => {
  it('runs nothing but what takes the token and what tells the time, loads nothing, is kept by nobody, and framed by the site alone', async () => {
    const { headers } = await fetch(portal());
    const csp = headers.get('content-security-policy')!;
    expect(csp).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+' 'sha256-[^']+'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'self' /,
    );
    expect(csp.split("frame-ancestors 'self' ")[1]!.split(' ').sort()).toEqual([...world.demo.allowedOrigins].sort());
    expect(headers.get('cache-control')).toBe('no-store');
    expect(
      (await fetch(portal('/consents'), { headers: { 'accept-language': 'he' } })).headers.get('content-language'),
    ).toBe('he');
  });

  it('says so in the language of the reader where one address opens too many in a second', async () => {
    const ask = (): Promise<Response> =>
      fetch(portal(), { headers: { 'x-forwarded-for': '10.8.0.1', 'accept-language': 'de' } });
    const refused = await until(async () =>
      (await Promise.all(Array.from({ length: 40 }, ask))).find(({ status }) => status === 429),
    );
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('Zu viele Versuche in kurzer Zeit.');
  });

  const looks: [string, BrowserContextOptions][] = [
    ['light', { colorScheme: 'light' }],
    ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
  ];
  if (ALL_OF_PAGES)
    looks.push(['from right to left', { locale: 'he' }], ['in high contrast', { forcedColors: 'active' }]);
  it.each(looks)('is accessible: %s', async (name, context) => {
    const subject = `email:${address()}`;
    const { receiptId } = (await world.recorded({ subject }, { key: 'sk' })).body as { receiptId: string };
    const page = await open(context);
    const look = async (of: string): Promise<void> => {
      expect([of, await faultsOf(page, { ofLooks: name !== 'light' && name !== 'from right to left' })]).toEqual([
        of,
        [],
      ]);
      await picture(page, `${of}-${name.replace(/\W+/g, '-')}`);
      if (context.viewport) expect([of, (await overflowOf(page, '200%')) <= 0]).toEqual([of, true]);
    };
    await page.goto(portal());
    await look('sign-in');
    await page.fill('#email', address());
    await page.click('main button:visible');
    await look('code');
    await page.goto(await link(subject));
    await page.locator('#enter button').waitFor();
    await look('link');
    await page.click('#enter button');
    await page.locator('header button').waitFor();
    await look('preferences');
    await page.goto(portal('/consents'));
    for (const summary of await page.locator('summary').all()) await summary.click();
    await look('consents');
    await page.goto(portal(`/receipt?id=${receiptId}`));
    await look('receipt');
    await page.goto(portal('/receipts'));
    await look('receipts');
    await page.goto(portal('/requests'));
    await page.selectOption('#kind', 'RECTIFICATION');
    for (const summary of await page.locator('summary').all()) await summary.click();
    await look('requests');
    await page.goto(`${world.url}/portal?site=nobody.example`);
    await look('entry');
  });

  it('stands in a frame of the site’s own origin, where people can use it, and of no other', async () => {
    const to = address();
    const around = createServer((_, response) =>
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><title>Shop</title><iframe title="Portal" src="${portal()}"></iframe>`),
    );
    await new Promise<void>((resolve) => around.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = around.address() as AddressInfo;
      const own = `http://127.0.0.1:${port}`;
      const allowed = await world.request('POST', `/admin/v1/sites/${world.demo.site}/origins`, {
        key: 'operator',
        body: { add: [own], env: 'test' },
      });
      expect([allowed.status, allowed.text]).toEqual([200, expect.stringContaining(own)]);
      const page = await open();
      await page.goto(own);
      const frame = page.frameLocator('iframe');
      expect(await frame.locator('h1').innerText()).toBe('Sign in');
      await frame.locator('#email').fill(to);
      await frame.locator('main button:visible').click();
      await frame.locator('#code').fill(await codeFor(to));
      await frame.locator('main button:visible').click();
      await frame.locator('nav a', { hasText: 'Consents' }).click();
      await frame.locator('li.card', { hasText: 'Statistics' }).getByRole('button', { name: 'Agree' }).click();
      await frame.locator('[role=status]').waitFor();
      expect((await consentOf(`email:${to}`))['analytics']!.state).toBe('GRANTED');

      // The same page by another name of this machine is another origin, which the site does not know.
      const foreign = await open();
      await foreign.goto(`http://localhost:${port}`);
      await until(() => Promise.resolve(foreign.frames()[1]?.url().startsWith('chrome-error:') ? true : undefined));
      expect(await foreign.frames()[1]!.locator('h1', { hasText: 'Sign in' }).count()).toBe(0);
    } finally {
      around.closeAllConnections();
      await new Promise((resolve) => around.close(resolve));
    }
  });

  it('can be used with the keyboard alone, and shows where it is', async () => {
    const subject = `email:${address()}`;
    const page = await signedIn(subject);
    await page.goto(portal('/consents'));
    const names: string[] = [];
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      const { tag, ringWidth, ringContrast, height } = await focusOf(page);
      if (tag === 'BODY') break;
      expect([ringWidth >= 2, ringContrast >= 3, height >= 24]).toEqual([true, true, true]);
      names.push(await page.evaluate<string>('document.activeElement.innerText'));
      if (names.at(-1) === 'Agree') {
        await page.keyboard.press('Enter');
        await page.locator('[role=status]').waitFor();
        break;
      }
    }
    expect(names.slice(0, 4)).toEqual(['Skip to content', 'Sign out', 'Messages and settings', 'Consents']);
    expect(names.at(-1)).toBe('Agree');
    expect((await historyOf(subject)).length).toBe(1);
  });
});
