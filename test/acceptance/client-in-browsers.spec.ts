import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import { AssentClient } from '../../libs/client/index.js';
import { signIdentityToken } from '../../libs/client/server/index.js';
import { pathOf, startWorld, type World } from '../support/world.js';

/*
 * The client library where a browser, a device or a page does not do as it should: clocks that are wrong, connections that
 * end, parts of the browser that are missing, and origins that are not allowed. What is tried here stands in its README.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PATIENCE_MS = 120_000;

let world: World;
let browser: Browsing;
let library: string;
/** The page as it is, and its script, by their paths. */
let shown: Record<string, string> = {};
const servers: Server[] = [];
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assent-in-browsers-'));
  const [entry, file] = [join(folder, 'entry.js'), join(folder, 'library.js')];
  writeFileSync(entry, `import * as assent from '${ROOT}dist/libs/client/index.js'; window.assent = assent;`);
  const bundler = join(ROOT, 'test/support/bundle-page.mjs');
  // As a person has it who has just started: pages of this machine are welcome in `test`.
  [world, browser] = await Promise.all([
    startWorld({ bundled: true }),
    startBrowser(),
    promisify(execFile)(process.execPath, [bundler, entry, file, join(ROOT, 'node_modules')]),
  ]);
  library = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
});
afterEach(() => browser?.rest());
afterAll(async () => {
  await browser?.stop();
  await world?.stop();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const typeOf = (path: string): string => (path.endsWith('.js') ? 'text/javascript' : 'text/html');

/** Serves what is shown, on a host of this machine; answers the port. Chromium lets pages call this machine that come from it. */
async function serve(host: string): Promise<number> {
  const server = createServer(({ url }, response) => {
    response.setHeader('Content-Type', typeOf(url!));
    response.setHeader('Cache-Control', 'no-store');
    response.end(shown[url!] ?? '');
  });
  server.listen(0, host);
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** A clock that the page can be given, and the time that passes in it. */
const CLOCK = `{
  const RealDate = Date, now = performance.now.bind(performance);
  window.wrongBy ??= 0;
  window.passed = 0;
  window.Date = class extends RealDate {
    constructor(...parts) { parts.length > 0 ? super(...parts) : super(Date.now()); }
    static now() { return RealDate.now() + wrongBy + passed; }
  };
  performance.now = () => now() + passed;
}`;

interface Visit {
  /** Runs before everything else in the page. */
  before?: string;
  /** More options of the client, as source. */
  options?: string;
  origin?: string;
  baseUrl?: string;
  context?: BrowserContext;
}

/** A page with `client` and its visitor, `subject`; `notified` holds what its queue notified the page of. */
async function visit({
  before = '',
  options = '',
  origin = world.url,
  baseUrl = world.url,
  context,
}: Visit = {}): Promise<Page> {
  const page = context ? await context.newPage() : await browser.open();
  page.setDefaultTimeout(PATIENCE_MS);
  const { publicKey } = world.demo;
  const html = `<!doctype html><title>Shop</title><script src="/library.js"></script><script>
    window.notified = [];
    const client = new assent.AssentClient({ baseUrl: '${baseUrl}', apiKey: '${publicKey}', timeoutMs: 8000,
      offlineQueue: ({ code }, { body }, fate) => notified.push(code + ' ' + fate)${options && `, ${options}`} });
    const subject = client.visitor();
    const decide = (decision, more) => client.recordConsent({ subject, purpose: 'analytics', decision, ...more })
      .then(({ state }) => state, ({ code }) => code);
    const queue = () => Object.keys(localStorage).filter((name) => name.includes('.queue.'));
    </script>`;
  shown = { '/shop': html, '/library.js': `${before}\n${library}` };
  for (const path of origin === world.url ? Object.keys(shown) : [])
    await page.route(origin + path, (route) =>
      // Never kept: the next page gets a script of its own, with a clock of its own.
      route.fulfill({ contentType: typeOf(path), headers: { 'Cache-Control': 'no-store' }, body: shown[path]! }),
    );
  await page.goto(`${origin}/shop`);
  return page;
}

const stateOf = async (subject: string, purpose = 'analytics'): Promise<string> => {
  const { body } = await world.request('GET', pathOf(subject, '?fresh=true'), { key: 'sk' });
  return (body.purposes as Record<string, { state: string }>)[purpose]!.state;
};
/** Decisions, the newest first. */
const historyOf = async (subject: string): Promise<string[]> => {
  const { body } = await world.request('GET', pathOf(subject, '/history'), { key: 'sk' });
  return (body.data as { decision: string }[]).map(({ decision }) => decision);
};
const notified = (page: Page): Promise<string[]> => page.evaluate('notified');
const sent = (page: Page): Promise<unknown> => page.waitForFunction('queue().length === 0');
/** What a write says of when, in whole hours: the machine may be slow. */
const hoursAgo = (request: Request): number =>
  Math.floor((request.postDataJSON() as { givenSecondsAgo: number }).givenSecondsAgo / 3600);
const offline = (page: Page, isOffline: boolean): Promise<void> => page.context().setOffline(isOffline);

describe('a withdrawal without a connection, after a grant', () => {
  const clock = (wrongByMs: number): string => `window.wrongBy = ${wrongByMs};${CLOCK}`;

  test.each<[string, { wrongBy?: number; then?: string; notified?: string[] }]>([
    ['is right', {}],
    ['is 20 minutes fast', { wrongBy: 20 * MINUTE }],
    ['is 10 minutes slow', { wrongBy: -10 * MINUTE }],
    ['is a year slow', { wrongBy: -365 * DAY }],
    ['is a year fast', { wrongBy: 365 * DAY }],
    ['counts 25 hours until then', { then: `passed = ${25 * HOUR}`, notified: ['validation_failed SENT_AGAIN'] }],
    ['stood still while the machine slept for 25 hours', { then: `wrongBy = ${25 * HOUR}` }],
    ['is 20 minutes fast, and set right meanwhile', { wrongBy: 20 * MINUTE, then: 'wrongBy = 0' }],
    ['is 10 minutes slow, and set right meanwhile', { wrongBy: -10 * MINUTE, then: 'wrongBy = 0' }],
  ])('counts where the clock of the device %s', async (_, { wrongBy = 0, then = '', notified: expected = [] }) => {
    const page = await visit({ before: clock(wrongBy) });
    const subject = await page.evaluate<string>('subject');
    expect(await page.evaluate(`decide('GRANTED')`)).toBe('GRANTED');
    await offline(page, true);
    expect(await page.evaluate(`decide('WITHDRAWN')`)).toBe('queued');
    await page.evaluate(then);
    await offline(page, false);
    await sent(page);
    expect([await stateOf(subject), await notified(page)]).toEqual(['WITHDRAWN', expected]);
  });

  test.each<[string, number, number, string[]]>([
    ['right', 0, 0, []],
    ['right, a day and an hour later', 0, 25 * HOUR, ['validation_failed SENT_AGAIN']],
    ['fast by 20 minutes, and right by then', 20 * MINUTE, 0, []],
    ['slow by 10 minutes, and right by then', -10 * MINUTE, 0, ['out_of_order SENT_AGAIN']],
    ['slow by a year, and right by then', -365 * DAY, 0, ['validation_failed SENT_AGAIN']],
    ['right, and slow by a year by then', 0, -365 * DAY, []],
  ])('counts where another page sends it, and the clock was %s', async (_, wrongBy, wrongByThen, expected) => {
    const page = await visit({ before: clock(wrongBy) });
    const subject = await page.evaluate<string>('subject');
    expect(await page.evaluate(`decide('GRANTED')`)).toBe('GRANTED');
    await offline(page, true);
    expect(await page.evaluate(`decide('WITHDRAWN')`)).toBe('queued');
    const context = page.context();
    await page.close();
    await context.setOffline(false);
    // Chromium delivers one in ten of the requests that it tells its page are cut off. The service then repeats its
    // answer, and there is nothing to notify the page of.
    let isReplayed = false;
    context.on('response', (response) => (isReplayed ||= 'idempotent-replayed' in response.headers()));
    const next = await visit({ before: clock(wrongByThen), context });
    await sent(next);
    const seen = {
      state: await stateOf(subject),
      notified: await notified(next),
      wrongBy: await next.evaluate('wrongBy'),
    };
    expect(seen).toEqual({ state: 'WITHDRAWN', notified: isReplayed ? [] : expected, wrongBy: wrongByThen });
  });

  test('and others before it keeps its place, however the clock is set between them', async () => {
    const page = await visit({ before: CLOCK });
    const subject = await page.evaluate<string>('subject');
    await offline(page, true);
    const said = ['GRANTED', 'DENIED', 'GRANTED', 'WITHDRAWN'];
    for (const [i, decision] of said.entries()) {
      await page.evaluate(`wrongBy = ${[0, -3 * HOUR, 20 * MINUTE, -2 * DAY][i]!}`);
      expect(await page.evaluate(`decide('${decision}')`)).toBe('queued');
    }
    await offline(page, false);
    await sent(page);
    expect([await historyOf(subject), await stateOf(subject)]).toEqual([[...said].reverse(), 'WITHDRAWN']);
    expect(await notified(page)).toEqual([]);
  });

  test('followed by a grant ends in that grant, although the clock is set ahead before it is sent', async () => {
    const page = await visit({ before: CLOCK });
    const subject = await page.evaluate<string>('subject');
    expect(await page.evaluate(`decide('DENIED')`)).toBe('DENIED');
    await offline(page, true);
    expect(await page.evaluate(`decide('GRANTED')`)).toBe('queued');
    await page.evaluate(`wrongBy = ${3 * HOUR}`);
    await offline(page, false);
    await sent(page);
    expect([await stateOf(subject), await notified(page)]).toEqual(['GRANTED', ['out_of_order SENT_AGAIN']]);
  });

  test('is not undone by a grant of before the machine slept: that is dated before it', async () => {
    const page = await visit({ before: CLOCK });
    await offline(page, true);
    expect(await page.evaluate(`decide('GRANTED')`)).toBe('queued');
    // The clock went on, and the page did not.
    await page.evaluate(`wrongBy = ${9 * HOUR}`);
    const asked = page.waitForRequest(
      (request) => request.url().endsWith('/v1/consent') && request.method() === 'POST',
    );
    await offline(page, false);
    expect(hoursAgo(await asked)).toBe(9);
    await sent(page);
  });

  test('whose answer is lost has one effect, however long it takes to send it again', async () => {
    const page = await visit({ before: CLOCK });
    const subject = await page.evaluate<string>('subject');
    expect(await page.evaluate(`decide('GRANTED')`)).toBe('GRANTED');
    let first: string | undefined;
    await page.route('**/v1/consent', async (route: Route) => {
      first ??= await (await route.fetch()).text();
      await route.abort();
    });
    expect(await page.evaluate(`decide('WITHDRAWN')`)).toBe('queued');
    await page.unroute('**/v1/consent');
    await page.evaluate(`passed = ${2 * HOUR}`);
    const again = page.waitForResponse('**/v1/consent');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    const answer = await again;
    await sent(page);
    expect(hoursAgo(answer.request())).toBe(2);
    expect([await answer.text(), answer.headers()['idempotent-replayed']]).toEqual([first, 'true']);
    expect([await historyOf(subject), await notified(page)]).toEqual([['WITHDRAWN', 'GRANTED'], []]);
  });

  test('goes on alone where it was said with grants that are too old by then, in a batch and in preferences', async () => {
    const page = await visit({ before: CLOCK });
    const subject = await page.evaluate<string>('subject');
    await offline(page, true);
    const codes = await page.evaluate(`(async () => [
      await decide('GRANTED', { purpose: 'marketing' }),
      await client.recordConsentBatch([
        { subject, purpose: 'analytics', decision: 'GRANTED' },
        { subject, purpose: 'sale_of_data', decision: 'OBJECTED', purposeVersion: 1 },
      ], { mode: 'ATOMIC' }).catch(({ code }) => code),
      await client.recordPreferences({ subject, globalOptOut: true,
        values: [{ field: 'channels.email.topics.product_updates', value: true }] }).catch(({ code }) => code),
    ])()`);
    expect(codes).toEqual(['queued', 'queued', 'queued']);
    await page.evaluate(`passed = ${25 * HOUR}`);
    await offline(page, false);
    await sent(page);
    expect(await notified(page)).toEqual([
      'validation_failed DROPPED',
      'validation_failed DROPPED',
      'validation_failed SENT_AGAIN',
      'validation_failed SENT_AGAIN',
    ]);
    expect(await historyOf(subject)).toEqual(['OBJECTED']);
    const { body } = await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/preferences`, {
      key: 'sk',
    });
    expect([body.globalOptOut.state, body.channels.email.topics.product_updates.state]).toEqual(['ACTIVE', 'UNSET']);
  });
});

describe('a visitor who was linked to a person', () => {
  const link = async (subject: string): Promise<{ person: string; token: string }> => {
    const server = new AssentClient({ baseUrl: world.url, apiKey: world.demo.secretKey, timeoutMs: 120_000 });
    const id = randomBytes(6).toString('hex');
    await server.createSubject({ identifiers: [{ kind: 'user_id', value: id }] });
    await server.addIdentifier(`user_id:${id}`, { kind: 'visitor_id', value: subject.slice('visitor_id:'.length) });
    const { secretKey, site } = world.demo;
    return { person: `user_id:${id}`, token: signIdentityToken({ subject: `user_id:${id}`, secretKey, site }) };
  };

  test('hears so from a client that keeps decisions, and a new visitor has begun', async () => {
    const page = await visit();
    const subject = await page.evaluate<string>('subject');
    expect(await page.evaluate(`decide('DENIED')`)).toBe('DENIED');
    await link(subject);
    const [code, visitor, isNew] = await page.evaluate<[string, string, boolean]>(
      `client.recordConsent({ subject, purpose: 'analytics', decision: 'GRANTED' })
        .catch(({ code, visitor }) => [code, visitor, visitor === client.visitor() && visitor !== subject])`,
    );
    expect([code, isNew, await page.evaluate('queue()')]).toEqual(['visitor_linked', true, []]);
    expect(
      await page.evaluate(`client.recordConsent({ subject: '${visitor}', purpose: 'analytics', decision: 'GRANTED' })
      .then(({ state }) => state)`),
    ).toBe('GRANTED');
  });

  test('and withdrew before without a connection is heard once a page has an identity token of that visitor', async () => {
    const page = await visit();
    const context = page.context();
    const subject = await page.evaluate<string>('subject');
    expect(await page.evaluate(`decide('GRANTED')`)).toBe('GRANTED');
    const { person } = await link(subject);
    await offline(page, true);
    expect(await page.evaluate(`decide('WITHDRAWN')`)).toBe('queued');
    await page.close();
    await context.setOffline(false);
    const without = await visit({ context });
    await without.waitForFunction('notified.length > 0');
    expect(await notified(without)).toEqual([
      expect.stringMatching(/^(visitor_linked|identity_token_required) WAITING$/),
    ]);
    // Others are not kept waiting by it.
    expect(
      await without.evaluate(`client.recordConsent({ subject: client.visitor(), purpose: 'analytics', decision: 'DENIED' })
      .then(({ state }) => state)`),
    ).toBe('DENIED');
    const { secretKey, site } = world.demo;
    const token = signIdentityToken({ subject, secretKey, site });
    const loggedIn = await visit({ context, options: `identityToken: '${token}'` });
    await sent(loggedIn);
    expect([await stateOf(person), await notified(loggedIn)]).toEqual(['WITHDRAWN', []]);
  });

  test('loses nothing while the page cannot get an identity token', async () => {
    const page = await visit({
      options: `identityToken: () => fetch('/nowhere', { mode: 'no-cors' }).then(() => { if (!window.token) throw null; return token; })`,
    });
    const { person, token } = await link(`visitor_id:${randomBytes(16).toString('hex')}`);
    const withdraw = `client.recordConsent({ subject: '${person}', purpose: 'analytics', decision: 'WITHDRAWN' }).catch(({ code }) => code)`;
    expect(await page.evaluate(withdraw)).toBe('queued');
    await page.evaluate(`window.token = '${token}'; dispatchEvent(new Event('online'))`);
    await sent(page);
    expect(await stateOf(person)).toBe('WITHDRAWN');
  });
});

describe('a page whose browser', () => {
  const throwing = `() => { throw new DOMException('It is forbidden.', 'SecurityError'); }`;
  const instead = (of: string, name: string, what: string): string =>
    `Object.defineProperty(${of}, '${name}', { configurable: true, writable: true, value: ${what} });`;
  const guarded = (of: string, name: string): string =>
    `Object.defineProperty(${of}, '${name}', { configurable: true, get: ${throwing} });`;

  test.each<[string, string]>([
    ['has no BroadcastChannel', `delete window.BroadcastChannel;`],
    ['forbids BroadcastChannel', instead('window', 'BroadcastChannel', `class { constructor() { (${throwing})(); } }`)],
    ['has a BroadcastChannel that does nothing', instead('window', 'BroadcastChannel', 'class {}')],
    ['has no storage', instead('window', 'localStorage', 'null')],
    ['forbids storage', guarded('window', 'localStorage')],
    [
      'has no room in its storage',
      `localStorage.clear(); for (let size = 4e6; size >= 1; size = Math.floor(size / 2))
      try { for (let i = 0; ; i++) localStorage.setItem('filler' + size + '.' + i, 'x'.repeat(size)); } catch {}`,
    ],
    [
      'has a storage that forgets',
      instead(
        'window',
        'localStorage',
        '{ length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {} }',
      ),
    ],
    ['has a storage that is none', instead('window', 'localStorage', '{}')],
    [
      'has something else stored under our names',
      `for (const name of ['', '.visitor', '.answered', '.queue.1.x', '.queue.x'])
      localStorage.setItem('assent.' + KEY + name, 'undefined');`,
    ],
    ['has no crypto', instead('window', 'crypto', 'undefined')],
    ['has a crypto that throws', `crypto.getRandomValues = ${throwing};`],
    ['has a crypto that fills nothing in', `crypto.getRandomValues = (bytes) => bytes;`],
    ['has no AbortController', `delete window.AbortController; delete window.AbortSignal;`],
    ['has no URL', `delete window.URL;`],
    ['has no performance', instead('window', 'performance', 'undefined')],
    ['gives no word of Global Privacy Control', guarded('Navigator.prototype', 'globalPrivacyControl')],
    ['takes no listeners', instead('window', 'addEventListener', 'undefined')],
    [
      'refuses to send after a page is left',
      `const send = fetch; window.fetch = (url, init) =>
      init?.keepalive ? Promise.reject(new TypeError('Failed to fetch')) : send(url, init);`,
    ],
    [
      'gives every call to a script that watches',
      `const send = fetch; window.fetch = async (...asked) =>
      { const answer = await send(...asked); answer.clone().text(); return answer; };`,
    ],
  ])('%s records, reads and opens gates all the same', async (_, before) => {
    const page = await visit({ before: before.replace('KEY', `'${world.demo.publicKey.slice(0, 20)}'`) });
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    const seen = await page.evaluate(`(async () => {
      const opened = new Promise((open) => client.gate(subject, ['analytics'], () => open('opened')));
      const decided = await decide('GRANTED');
      client.notifyConsentChanged();
      return [decided, await opened, client.visitor() === subject, client.newVisitor() !== subject, client.visitor() !== subject,
        /^visitor_id:[0-9a-f]{32}$/.test(subject)];
    })()`);
    expect(seen).toEqual(['GRANTED', 'opened', true, true, true, true]);
    expect([await notified(page), faults]).toEqual([[], []]);
    // Ids differ.
    const other = await visit({ before: before.replace('KEY', `'${world.demo.publicKey.slice(0, 20)}'`) });
    expect(await other.evaluate('client.newVisitor()')).not.toBe(await page.evaluate('client.visitor()'));
  });

  test.each<[string, string]>([
    ['has no storage', instead('window', 'localStorage', 'null')],
    [
      'has a storage that forgets',
      instead(
        'window',
        'localStorage',
        '{ length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {} }',
      ),
    ],
    ['has a storage that another script clears', ''],
  ])('%s keeps decisions as long as the page is open', async (_, before) => {
    const page = await visit({ before });
    const subject = await page.evaluate<string>('subject');
    await offline(page, true);
    expect(await page.evaluate(`decide('DENIED')`)).toBe('queued');
    if (before === '') await page.evaluate('localStorage.clear()');
    const recorded = page.waitForResponse((answer) => answer.url().endsWith('/v1/consent') && answer.status() === 201);
    await offline(page, false);
    await recorded;
    expect([await stateOf(subject), await notified(page)]).toEqual(['DENIED', []]);
  });

  test.each<[string, string, string]>([
    ['has no fetch', `delete window.fetch;`, 'queued'],
    ['has a fetch that throws', `window.fetch = ${throwing};`, 'queued'],
    ['has a fetch that answers nothing', `window.fetch = () => Promise.resolve();`, 'queued'],
    ['has a fetch that never ends', `window.fetch = () => new Promise(() => {});`, 'queued'],
  ])('%s says so in time, and keeps the decision', async (_, before, code) => {
    const page = await visit({ before, options: 'timeoutMs: 1500' });
    expect(await page.evaluate(`decide('DENIED')`)).toBe(code);
    expect(await page.evaluate('queue().length')).toBe(1);
    const opened = await page.evaluate(`(async () => {
      let opened = false;
      client.gate(subject, ['analytics'], () => (opened = true));
      await client.getConsentState(subject).catch(() => undefined);
      return opened;
    })()`);
    expect(opened).toBe(false);
  });

  test('sends large decisions at the same time, more than it takes along from a page that is left', async () => {
    const page = await visit({ options: 'offlineQueue: false' });
    const vendors = Array.from({ length: 700 }, (_, i) => ({ framework: 'TCF', id: i + 1, decision: 'DENIED' }));
    const body = JSON.stringify({ vendors });
    expect(Buffer.byteLength(body)).toBeGreaterThan(32_000);
    const states = await page.evaluate(
      `Promise.all([1, 2, 3].map((i) => client.recordConsent({ subject: 'visitor_id:' + String(i).repeat(2) + subject.slice(13), purpose: 'analytics',
        decision: 'DENIED', ...${body} }).then(({ state }) => state, (error) => error.message)))`,
    );
    expect(states).toEqual(['DENIED', 'DENIED', 'DENIED']);
  });
});

describe('a page of another origin', () => {
  let port: number;
  /** An origin that is not that of this machine by its name, so that no site lists it. */
  let elsewhere: string;
  beforeAll(async () => {
    port = await serve('127.0.0.1');
    elsewhere = `http://127.0.0.2:${await serve('127.0.0.2')}`;
  });
  const WATCHED = `const send = fetch; window.fetch = (url, init = {}) => send(url, { ...init, headers: { ...init.headers,
    baggage: 'a=1', 'sentry-trace': '1-2-0', traceparent: '00-${'1'.repeat(32)}-${'2'.repeat(16)}-00', tracestate: 'a=b',
    'x-datadog-origin': 'rum', 'x-datadog-trace-id': '1', newrelic: 'e30=' } });`;
  const hint = (origin: string): string => `assent sites origins add ${origin} --site`;

  test('on this machine records at whatever port, in an installation that was just begun', async () => {
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      const page = await visit({ origin });
      expect(await page.evaluate(`decide('GRANTED')`)).toBe('GRANTED');
    }
  });

  test('records although a script that watches adds its headers to each call', async () => {
    const page = await visit({ origin: `http://localhost:${port}`, before: WATCHED });
    expect(await page.evaluate(`decide('GRANTED')`)).toBe('GRANTED');
  });

  test.each([
    ['', ''],
    [', whose calls a script watches', WATCHED],
  ])('that is not allowed hears so, with what to do%s, and so does the operator', async (_, before) => {
    const page = await visit({ origin: elsewhere, before, options: 'offlineQueue: false' });
    for (const call of [
      `client.getConsentState(subject)`,
      `client.recordConsent({ subject, purpose: 'analytics', decision: 'GRANTED' })`,
    ]) {
      const error = await page.evaluate<Record<string, string>>(
        `${call}.catch((error) => ({ code: error.code, name: error.constructor.name, message: error.message }))`,
      );
      expect(error['code']).toBe('origin_not_allowed');
      expect(error['message']).toContain(`${hint(elsewhere)} <site> --env test`);
      expect(await page.evaluate(`${call}.catch((error) => error instanceof assent.PermissionError)`)).toBe(true);
    }
    const output = await world.outputWith((text) => text.includes(hint(elsewhere)));
    expect(output).toContain(`${hint(elsewhere)} demo --env test`);
  });

  test('keeps decisions until the origin is allowed', async () => {
    const page = await visit({ origin: elsewhere });
    const subject = await page.evaluate<string>('subject');
    const error = await page.evaluate<string>(
      `client.recordConsent({ subject, purpose: 'analytics', decision: 'DENIED' }).catch(({ message }) => message)`,
    );
    expect(error).toMatch(/^queued: .*origin_not_allowed/);
    const { status } = await world.request('POST', '/admin/v1/sites/demo/origins', {
      key: 'operator',
      body: { env: 'test', add: [elsewhere] },
    });
    expect(status).toBeLessThan(300);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await sent(page);
    expect([await stateOf(subject), await notified(page)]).toEqual(['DENIED', []]);
  });

  test.each<[string, (route: Route) => Promise<void>]>([
    ['cannot be reached', (route) => route.abort()],
    ['is away behind a proxy that answers for it', (route) => route.fulfill({ status: 502, body: 'Bad gateway' })],
  ])('whose service %s is not said to be of the wrong origin', async (_, way) => {
    const page = await visit({
      origin: `http://localhost:${port}`,
      baseUrl: 'http://consent.example',
      options: 'offlineQueue: false',
    });
    await page.route('http://consent.example/**', way);
    const code = await page.evaluate(`decide('GRANTED')`);
    expect(['no_connection', 'http_502']).toContain(code);
  });
});
