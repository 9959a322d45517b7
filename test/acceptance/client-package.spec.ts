import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { startBrowser, type Browsing } from '../support/browser.js';
import {
  allowOrigin,
  bundled,
  codeBlocks,
  copyExamples,
  inPlace,
  startExample,
  startShop,
  type Shop,
} from '../support/client-examples.js';
import { freePort } from '../support/free-port.js';
import { AssentClient } from '../../libs/client/index.js';
import { signIdentityToken } from '../../libs/client/server/index.js';
import { startWorld, type World } from '../support/world.js';

/* The package as it is published: packed, installed into an empty project, and used by programs, compilers and pages. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let folder: string;
let installed: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-client-'));
  await run(process.execPath, [join(ROOT, 'pack-client.mjs')]);
  const { stdout } = await run('npm', ['pack', join(ROOT, 'dist/client'), '--pack-destination', folder, '--json'], {
    cwd: folder,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', `./${filename}`, '--no-audit', '--no-fund', '--offline'], { cwd: folder });
  installed = join(folder, 'node_modules/@assent/client');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readme = () => codeBlocks(readFileSync(join(installed, 'README.md'), 'utf8'));
/** The block of the README below a heading, of a language. */
function block(heading: string, language: string, at = 0): string {
  const found = readme().filter((one) => one.heading === heading && one.language === language)[at];
  if (!found) throw new Error(`the README has no such block: ${heading}`);
  return found.code;
}

/** Runs a program in the project. */
async function runs(name: string, code: string): Promise<string> {
  writeFileSync(join(folder, name), code);
  return (await run(process.execPath, [join(folder, name)], { cwd: folder })).stdout.trim();
}

describe('a program', () => {
  const USE = `
    const client = new AssentClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'pk_test_abcdefghijkl', timeoutMs: 100 });
    const events = verifyWebhookSignature({ header: null, rawBody: '', secret: 's' });
    client.createSubject({ identifiers: [] }).catch((error) => client
      .verifyReceipt('nothing', { keys: { keys: [] } })
      .then(({ verdict }) => console.log(error instanceof UsageError, error.code, events, verdict, typeof verifyReceipt)));`;
  const SAID = 'true secret_key_required false NOT_A_RECEIPT function';

  test('imports it', async () =>
    expect(
      await runs(
        'program.mjs',
        `import { AssentClient, UsageError } from '@assent/client';
         import { verifyWebhookSignature } from '@assent/client/server';
         import { verifyReceipt } from '@assent/client/receipts';${USE}`,
      ),
    ).toBe(SAID));

  test('requires it', async () =>
    expect(
      await runs(
        'program.cjs',
        `const { AssentClient, UsageError } = require('@assent/client');
         const { verifyWebhookSignature } = require('@assent/client/server');
         const { verifyReceipt } = require('@assent/client/receipts');${USE}`,
      ),
    ).toBe(SAID));

  test('can have ten thousand gates wait', async () => {
    const bytes = await runs(
      'gates.mjs',
      `import { setFlagsFromString } from 'node:v8';
       import { runInNewContext } from 'node:vm';
       import { Connection, gate } from '@assent/client';
       setFlagsFromString('--expose-gc');
       const collect = runInNewContext('gc');
       const fetch = () => Promise.resolve(new Response('{"purposes":{}}'));
       const connection = new Connection({ baseUrl: '', apiKey: 'pk_test_', fetch });
       collect();
       const before = process.memoryUsage().heapUsed;
       const stops = Array.from({ length: 10000 }, (_, i) => gate(connection, 'user_id:1', ['analytics'], () => i));
       await new Promise((done) => setTimeout(done));
       collect();
       console.log(process.memoryUsage().heapUsed - before);
       stops.forEach((stop) => stop());`,
    );
    console.info(`@assent/client: 10,000 gates that wait take ${bytes} bytes`);
    expect(Number(bytes)).toBeLessThan(10_000 * 1000);
  });

  test('finds no dependency and nothing of the service in it', () => {
    const declared = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect([declared['dependencies'], declared['sideEffects']]).toEqual([undefined, false]);
    for (const file of [
      'esm/index.js',
      'cjs/index.js',
      'esm/server/index.js',
      'esm/middleware/index.js',
      'esm/receipts/index.js',
    ])
      expect(readFileSync(join(installed, file), 'utf8')).not.toMatch(/from ["'][^.]|require\(["'][^.]|node:/);
  });
});

describe('a compiler', () => {
  const SOURCE = `
    import { AssentClient, type ConsentState } from '@assent/client';
    import { constructWebhookEvent, type WebhookEvent } from '@assent/client/server';
    import { verifyReceipt, type ReceiptVerdict } from '@assent/client/receipts';

    const open = new AssentClient({ baseUrl: 'https://consent.example', apiKey: 'pk_test_' });
    export const any: Promise<ConsentState> = open.getConsentState('user_id:1', { purpose: 'whatever' });
    const client = new AssentClient<{ purpose: 'analytics' | 'marketing'; channel: 'email'; topic: 'news' }>({ baseUrl: '', apiKey: '' });
    export async function allowed(): Promise<boolean> {
      const { purposes } = await client.getConsentState('user_id:1', { purpose: ['analytics'] });
      await client.recordConsent({ subject: 'user_id:1', purpose: 'marketing', decision: 'GRANTED', metadata: { seen: 3 } });
      await client.recordPreferences({ subject: 'user_id:1', channel: 'email', values: [{ field: 'news', value: true }] });
      // @ts-expect-error no purpose of the catalogue
      await client.recordConsent({ subject: 'user_id:1', purpose: 'markting', decision: 'GRANTED' });
      // @ts-expect-error no decision
      await client.recordConsent({ subject: 'user_id:1', purpose: 'marketing', decision: 'GRANT' });
      // @ts-expect-error no purpose of the catalogue
      client.gate('user_id:1', ['ads'], () => undefined);
      // @ts-expect-error it may be missing
      purposes.marketing.effective;
      return purposes.analytics?.effective === 'ALLOWED';
    }
    export function told(event: WebhookEvent): string {
      switch (event.type) {
        case 'consent.granted': return event.data.object.purpose;
        case 'preference.confirmed': return event.data.object.requestId;
        default: return event.type;
      }
    }
    export const judged: Promise<ReceiptVerdict> = verifyReceipt('', { keys: 'https://consent.example' });
    export const event: WebhookEvent = constructWebhookEvent({ header: '', rawBody: '', secret: '' });
  `;

  /** What the compiler says of files with that code; empty where it finds nothing wrong. */
  async function faultsIn(files: string[], code: string, module: string, moduleResolution: string): Promise<string> {
    for (const name of files) writeFileSync(join(folder, name), code);
    const compilerOptions = {
      // The compiler's own declarations take longer than ours.
      ...{
        noEmit: true,
        skipDefaultLibCheck: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
      },
      ...{ target: 'es2020', lib: ['es2022', 'dom'], types: [], module, moduleResolution },
    };
    const project = join(folder, `${files[0]}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, files }));
    return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  test.each([
    ['of node16, as a module and as CommonJS', 'node16', 'node16', ['use.mts', 'use.cts']],
    ['for a bundler', 'esnext', 'bundler', ['use.ts']],
  ])('finds the types %s', async (_, module, moduleResolution, files) =>
    expect(await faultsIn(files, SOURCE, module, moduleResolution)).toBe(''),
  );

  test('knows the names of a catalogue that is declared', async () =>
    expect(
      await faultsIn(
        ['declared.ts'],
        `import { AssentClient } from '@assent/client';
         ${block('Your catalogue, in types', 'ts')}
         const client = new AssentClient({ baseUrl: '', apiKey: '' });
         void client.getPurpose('analytics');
         // @ts-expect-error none of the catalogue
         void client.getPurpose('other');
         // @ts-expect-error as the README says
         void client.recordConsent({ subject: 'user_id:1', purpose: 'markting', decision: 'GRANTED' });`,
        'esnext',
        'bundler',
      ),
    ).toBe(''));
});

describe('the README', () => {
  test('begins with ten lines to a first consent, and has no block that the tests here do not run', () => {
    const blocks = readme();
    expect(blocks.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
      'First consent: html',
      'People who log in: js',
      'People who log in: js',
      'Webhooks: js',
      'Routes that need consent: js',
      'Your catalogue, in types: ts',
    ]);
    expect(blocks[0]!.code.trim().split('\n')).toHaveLength(10);
  });

  test('verifies a webhook', async () =>
    expect(
      await runs(
        'webhook.mjs',
        `import { createHmac } from 'node:crypto';
         const [secret, rawBody, t] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '{"type":"webhook.test"}', Math.floor(Date.now() / 1000)];
         const v1 = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(t + '.' + rawBody).digest('hex');
         const request = { headers: { 'consent-signature': 't=' + t + ',v1=' + v1 } };
         ${block('Webhooks', 'js')}
         console.log(event.type, WebhookSignatureError.name);`,
      ),
    ).toBe('webhook.test WebhookSignatureError'));
});

describe('what a bundler makes of it', () => {
  /** Most bytes of what a page loads first, gzipped. */
  const MOST: Record<string, [code: string, bytes: number]> = {
    everything: [`export * from '@assent/client';`, 7000],
    'recording and reading': [`export { Connection, recordConsent, getConsentState } from '@assent/client';`, 3000],
    'the entry for routes': [`export * from '@assent/client/middleware';`, 4000],
    'the server entry': [`export * from '@assent/client/server';`, 2500],
    nothing: [`import '@assent/client';`, 100],
  };
  let sizes: Record<string, { first: number; all: number }>;
  beforeAll(() => {
    const codes = Object.fromEntries(Object.entries(MOST).map(([name, [code]]) => [name, code]));
    const measured = spawnSync(process.execPath, [join(ROOT, 'test/support/bundled-sizes.mjs'), folder], {
      input: JSON.stringify(codes),
      encoding: 'utf8',
    });
    if (measured.status !== 0) throw new Error(measured.stderr);
    sizes = JSON.parse(measured.stdout) as typeof sizes;
  });

  test.each(Object.entries(MOST))('%s is small', (name, [, most]) => {
    const { first, all } = sizes[name]!;
    console.info(`@assent/client, ${name}: ${first} bytes gzipped, ${all} with what is loaded when needed`);
    expect(first).toBeLessThanOrEqual(most);
  });
});

describe('in a browser', () => {
  let world: World;
  let browser: Browsing;
  beforeAll(async () => {
    world = await startWorld();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.stop();
    await world?.stop();
  });

  const SCRIPT = '<script src="/package/assent.js"></script>';
  /** A page of the shop, with `client` and its visitor. `head` runs before it. */
  const shop = (body: string, options = ''): string => `<!doctype html><title>Shop</title>${SCRIPT}<script>
    window.said = [];
    const client = new assent.AssentClient({ baseUrl: '', apiKey: '${world.demo.publicKey}'${options} });
    const subject = client.visitor();
    const decide = (decision, purpose = 'analytics') => client.recordConsent({ subject, purpose, decision });
    </script><script>${body}</script>`;
  /** Serves the package and the page below the origin of the service. Everything else goes to the service. */
  async function serve(page: Page, html: string): Promise<void> {
    await page
      .context()
      .route(`${world.url}/package/**`, (route) =>
        route.fulfill({ path: join(installed, new URL(route.request().url()).pathname.slice('/package/'.length)) }),
      );
    await page.context().route(`${world.url}/shop`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
    // A real tag: a script that writes a cookie.
    await page
      .context()
      .route(`${world.url}/tag.js`, (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: `document.cookie = 'tag=' + Date.now(); said.push('tag ran');`,
        }),
      );
  }
  const visit = async (html: string, page?: Page): Promise<Page> => {
    const opened = page ?? (await browser.open());
    await serve(opened, html);
    await opened.goto(`${world.url}/shop`);
    return opened;
  };
  const said = (page: Page) => page.evaluate<string[]>('said');
  const hasSaid = (page: Page, count: number) => page.waitForFunction(`said.length >= ${count}`);
  const cookies = async (page: Page) => (await page.context().cookies()).map(({ name }) => name);

  const TAG = `client.gate(subject, ['analytics'], () => {
    const tag = document.createElement('script');
    tag.src = '/tag.js';
    document.head.append(tag);
  });`;

  test('a tag behind a gate writes nothing before consent, runs at once after it, and not after a withdrawal', async () => {
    const page = await visit(shop(TAG));
    await page.evaluate('client.getConsentState(subject)');
    expect([await said(page), await cookies(page)]).toEqual([[], []]);
    await page.evaluate(`decide('GRANTED').then(() => client.notifyConsentChanged())`);
    await hasSaid(page, 1);
    expect(await cookies(page)).toEqual(['tag']);
    // On the next load at once.
    await page.reload();
    await hasSaid(page, 1);
    await page.evaluate(`decide('WITHDRAWN')`);
    await page.context().clearCookies();
    await page.reload();
    await page.evaluate('client.getConsentState(subject)');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect([await said(page), await cookies(page)]).toEqual([[], []]);
  });

  test('what is decided in one tab opens the gates of the others', async () => {
    const first = await visit(shop(TAG));
    const second = await visit(shop(TAG), await first.context().newPage());
    expect(await second.evaluate('subject')).toBe(await first.evaluate('subject'));
    await second.evaluate('client.getConsentState(subject)');
    await first.evaluate(`decide('GRANTED').then(() => client.notifyConsentChanged())`);
    await hasSaid(second, 1);
  });

  test('a secret key, and a token of a double opt-in, are refused before anything is sent', async () => {
    const page = await visit(shop(''));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const codes = await page.evaluate(`(async () => [
      (() => { try { new assent.AssentClient({ baseUrl: '', apiKey: 'sk_test_abcdefghijkl' }); } catch (error) { return error.code; } })(),
      await client.createPreferenceConfirmationToken({}).catch((error) => error.code),
      await client.createSubject({}).catch((error) => error.code),
    ])()`);
    expect(codes).toEqual(['secret_key_in_browser', 'server_only', 'secret_key_required']);
    expect(asked).toEqual([]);
  });

  test('Global Privacy Control goes along with a decision', async () => {
    const page = await browser.open();
    await page.addInitScript(`Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`);
    await visit(shop(''), page);
    const sent = page.waitForRequest('**/v1/consent');
    await page.evaluate(`decide('DENIED', 'sale_of_data')`);
    expect((await sent).postDataJSON()).toMatchObject({ signals: { gpc: true } });
  });

  test('a receipt is verified, by what is loaded when it is needed', async () => {
    const page = await visit(shop(''));
    const verdict = await page.evaluate(`decide('GRANTED')
      .then(({ receiptId, receiptToken }) => client.getReceipt(receiptId, { token: receiptToken }))
      .then((receipt) => client.verifyReceipt(receipt))
      .then(({ verdict }) => verdict)`);
    expect(verdict).toBe('VALID');
  });

  test('what is decided without a connection survives the tab, and is sent once and in its order', async () => {
    const html = shop('', ', offlineQueue: (error) => said.push(error.code), timeoutMs: 2000');
    const page = await visit(html);
    const subject = await page.evaluate<string>('subject');
    let lost = 0;
    // The first one reaches the service, but its answer is lost; then nothing gets through.
    await page.context().route('**/v1/consent', async (route) => {
      if (lost++ === 0) await route.fetch();
      await route.abort();
    });
    for (const decision of ['GRANTED', 'DENIED', 'GRANTED'])
      expect(await page.evaluate(`decide('${decision}').catch((error) => error.code)`)).toBe('queued');
    await page.context().unroute('**/v1/consent');
    const next = await page.context().newPage();
    await page.close();
    await visit(html, next);
    await next.waitForFunction(`Object.keys(localStorage).every((name) => !name.includes('.queue.'))`);
    const { body } = await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/consent/history`, {
      key: 'sk',
    });
    expect((body.data as { decision: string }[]).map(({ decision }) => decision)).toEqual([
      'GRANTED',
      'DENIED',
      'GRANTED',
    ]);
    expect(await said(next)).toEqual([]);
  });

  test('a visitor logs in, is the person, logs out, and is somebody new', async () => {
    const page = await visit(shop(''));
    const visitor = await page.evaluate<string>('subject');
    await page.evaluate(`decide('DENIED')`);
    // On the server of the shop, at the login.
    const server = new AssentClient({ baseUrl: world.url, apiKey: world.demo.secretKey, timeoutMs: 120_000 });
    const id = randomBytes(6).toString('hex');
    const person = `user_id:${id}`;
    await server.createSubject({ identifiers: [{ kind: 'user_id', value: id }] });
    const [kind, value] = visitor.split(':') as [string, string];
    await server.addIdentifier(person, { kind, value });
    const token = signIdentityToken({ subject: person, secretKey: world.demo.secretKey, site: world.demo.site });
    const state =
      await page.evaluate(`new assent.AssentClient({ baseUrl: '', apiKey: client.options.apiKey, identityToken: '${token}' })
      .getConsentState('${person}', { fresh: true }).then(({ purposes }) => purposes.analytics.state)`);
    expect(state).toBe('DENIED');
    // Without the token the visitor is refused by now: the client says so and begins a new one.
    const error = await page.evaluate<{ code: string; visitor: string }>(
      `client.getConsentState(subject).catch(({ code, visitor }) => ({ code, visitor }))`,
    );
    expect(error.code).toBe('visitor_linked');
    expect([error.visitor, await page.evaluate('client.visitor()')]).not.toContain(visitor);
    expect(await page.evaluate('client.visitor()')).toBe(error.visitor);
    expect(
      await page.evaluate(`client.getConsentState(client.visitor()).then(({ purposes }) => purposes.analytics.state)`),
    ).toBe('NOT_COLLECTED');
    expect(await page.evaluate('client.newVisitor()')).not.toBe(error.visitor);
  });

  test('ten thousand gates wait by one request, and cost nothing until they are told', async () => {
    const page = await visit(shop(''));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.evaluate(`(async () => {
      for (let i = 0; i < 10000; i++) client.gate(subject, ['analytics'], () => said.push(i));
      await client.getConsentState(subject);
    })()`);
    expect(asked.length).toBeLessThanOrEqual(2);
    await page.evaluate(`decide('GRANTED').then(() => client.notifyConsentChanged())`);
    await hasSaid(page, 10_000);
    expect(asked.filter((url) => url.includes('/subjects/')).length).toBeLessThanOrEqual(2);
  });

  test('what is at hand is read without a request, in microseconds', async () => {
    const page = await visit(shop('', ', cacheTtlMs: 60000'));
    const us = await page.evaluate<number>(`(async () => {
      await client.getConsentState(subject);
      const begun = performance.now();
      for (let i = 0; i < 20000; i++) await client.getConsentState(subject);
      return (performance.now() - begun) / 20;
    })()`);
    console.info(`@assent/client: a read of what is at hand takes ${us.toFixed(2)} µs`);
    expect(us).toBeGreaterThan(0);
  });

  describe('at another origin', () => {
    let theShop: Shop;
    let examples: string;
    beforeAll(async () => {
      theShop = await startShop(folder, world);
      examples = copyExamples(folder, world);
    });
    afterAll(() => theShop?.stop());
    const example = (path: string): string => readFileSync(join(examples, path), 'utf8');
    const shopAt = async (html: string, scripts?: Record<string, string>, page?: Page): Promise<Page> => {
      theShop.shows(html, scripts);
      const opened = page ?? (await browser.open());
      await opened.goto(theShop.origin);
      return opened;
    };
    const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

    test('a first consent takes the ten lines of the README', async () => {
      const page = await shopAt(inPlace(block('First consent', 'html'), world));
      const begun = page.waitForEvent('console', { predicate: (line) => line.text() === 'statistics begin here' });
      await click(page, 'Count my visits');
      await begun;
    });

    test('a visitor becomes a person on the server, whom the page reaches by a token, as the README has it', async () => {
      const page = await shopAt('<script src="/assent/assent.js"></script>');
      const visitor = await page.evaluate<string>(
        `new assent.AssentClient({ baseUrl: '${world.url}', apiKey: '${world.demo.publicKey}' }).visitor()`,
      );
      const [onServer, inPage] = [0, 1].map((at) => inPlace(block('People who log in', 'js', at), world));
      const token = await runs('login.mjs', `const visitor = '${visitor}';\n${onServer}\nprocess.stdout.write(token);`);
      const [state, next] = await page.evaluate<[string, string]>(`(async () => {
        const [{ AssentClient }, token] = [assent, '${token}'];
        ${inPage}
        return [purposes.analytics.state, client.visitor()];
      })()`);
      expect(state).toMatch(/^[A-Z_]+$/);
      expect(next).not.toBe(visitor);
    });
    test('a route needs consent, as the README has it', async () => {
      const said = await runs(
        'route.mjs',
        `${inPlace(block('Routes that need consent', 'js'), world).replace(', timeoutMs: 2000', '')}
         const listening = app.listen(0, '127.0.0.1', async () => {
           const url = 'http://127.0.0.1:' + listening.address().port + '/offers';
           const headers = { 'x-user': 'route-1' };
           const ask = async (headers) => { const answer = await fetch(url, { headers }); return [answer.status, (await answer.json()).reason]; };
           const collection = { method: 'CHECKBOX', surface: 'FORM' };
           const decide = (decision) => server.recordConsent({ subject: 'user_id:route-1', purpose: 'marketing', decision, collection });
           const said = [await ask({})];
           for (const decision of ['GRANTED', 'WITHDRAWN']) { await decide(decision); said.push(await ask(headers)); }
           console.log(JSON.stringify(said));
           process.exit();
         });`,
      );
      expect(JSON.parse(said)).toEqual([
        [403, 'NO_SUBJECT'],
        [200, null],
        [403, 'EXPLICIT'],
      ]);
    });

    test('the example by a script tag asks once, and runs the tag of who accepts, in every tab', async () => {
      const TAG_URL = 'https://statistics.example/tag.js';
      const page = await browser.open();
      await page.context().route(TAG_URL, (route) => route.fulfill({ body: `document.cookie = 'counted=1';` }));
      await shopAt(example('script-tag/index.html'), {}, page);
      const asks = (tab: Page) => tab.getByRole('heading', { name: 'May we count your visit?' });
      await asks(page).waitFor();
      const other = await page.context().newPage();
      await other.goto(theShop.origin);
      await asks(other).waitFor();
      expect(await cookies(page)).toEqual([]);
      const loaded = [page, other].map((tab) => tab.waitForResponse(TAG_URL));
      await click(page, 'Accept');
      await Promise.all(loaded);
      await asks(page).waitFor({ state: 'hidden' });
      expect(await cookies(page)).toEqual(['counted']);
      // Comes back: the tag at once, and no question.
      const again = page.waitForResponse(TAG_URL);
      await page.reload();
      await again;
      expect(await asks(page).isVisible()).toBe(false);
      // Takes it back: no tag on the next load.
      await click(page, 'Privacy choices');
      await click(page, 'Reject');
      await asks(page).waitFor({ state: 'hidden' });
      await page.context().clearCookies();
      const looked = page.waitForResponse((answer) => answer.url().includes('/v1/subjects/'));
      await page.reload();
      await (await looked).finished();
      await page.evaluate('client.getConsentState(visitor)');
      expect(await cookies(page)).toEqual([]);
    });

    test('the example of consent mode tells Google’s tags nothing but no before a choice, and the choice right after it', async () => {
      // What Google's tag does with its queue, as far as consent goes: a cookie only while that is granted.
      const TAG = `window.taken = [];
        const standing = {};
        const take = ([command, action, values]) => {
          taken.push(command === 'consent' ? action + ' ' + values.analytics_storage : command);
          if (command === 'consent') Object.assign(standing, values);
          if (standing.analytics_storage === 'granted') document.cookie = '_ga=1';
        };
        dataLayer.forEach(take);
        dataLayer.push = (...more) => { Array.prototype.push.apply(dataLayer, more); more.forEach(take); };`;
      const page = await browser.open();
      await page.context().route('https://www.googletagmanager.com/**', (route) => route.fulfill({ body: TAG }));
      await shopAt(example('consent-mode/index.html'), {}, page);
      const taken = () => page.evaluate<string[]>('taken');
      const hasTaken = (count: number) => page.waitForFunction(`window.taken?.length >= ${count}`);
      await hasTaken(4);
      expect([(await taken())[0], [...(await taken())].sort()]).toEqual([
        'default denied',
        ['config', 'default denied', 'js', 'update denied'],
      ]);
      expect(await cookies(page)).toEqual([]);
      await click(page, 'Accept');
      await hasTaken(5);
      expect((await taken())[4]).toBe('update granted');
      expect(await cookies(page)).toEqual(['_ga']);
      await page.reload();
      await hasTaken(4);
      expect([(await taken())[0], (await taken()).includes('update granted')]).toEqual(['default denied', true]);
      await click(page, 'Reject');
      await hasTaken(5);
      expect((await taken())[4]).toBe('update denied');
      await page.context().clearCookies();
      await page.reload();
      await hasTaken(4);
      expect((await taken()).filter((one) => one.includes('granted'))).toEqual([]);
      expect(await cookies(page)).toEqual([]);
    });

    test.each([
      ['React', 'react/app.jsx'],
      ['Vue', 'vue/app.js'],
    ])(
      'the example of %s shows what is allowed, after each choice, in every tab, and asks once for all components',
      async (_, file) => {
        const page = await shopAt('<div id="app"></div><script src="/app.js"></script>', {
          '/app.js': await bundled(join(examples, file)),
        });
        const reads: string[] = [];
        page.on('request', (request) => request.url().includes('/v1/subjects/') && reads.push(request.url()));
        await page.reload();
        const shows = (tab: Page, text: string) => tab.getByText(text).waitFor();
        await page.getByText('No map without your consent').nth(1).waitFor();
        const other = await page.context().newPage();
        await other.goto(theShop.origin);
        await other.getByText('No map without your consent').nth(1).waitFor();
        await click(page, 'Show maps');
        for (const tab of [page, other]) for (const place of ['Rome', 'Oslo']) await shows(tab, `A map of ${place}`);
        expect(reads).toHaveLength(2);
        await click(other, 'Show no maps');
        for (const tab of [page, other]) await tab.getByText('No map without your consent').nth(1).waitFor();
      },
    );

    test('the example of Express goes through a login and a logout', async () => {
      const { site, publicKey, secretKey } = world.demo;
      const server = await startExample(join(examples, 'express/server.js'), {
        ASSENT_URL: world.url,
        ASSENT_SITE: site,
        ASSENT_PUBLIC_KEY: publicKey,
        ASSENT_SECRET_KEY: secretKey,
      });
      const origin = `http://127.0.0.1:${server.port}`;
      try {
        await allowOrigin(world, origin);
        const page = await browser.open();
        const visitors: (string | undefined)[] = [];
        const isShown = async (who: string, state: string): Promise<void> => {
          await page.locator('#who', { hasText: who }).waitFor();
          await page.locator('#state', { hasText: state }).waitFor();
          visitors.push(
            await page.evaluate<string>(
              `localStorage[Object.keys(localStorage).find((name) => name.endsWith('.visitor'))]`,
            ),
          );
        };
        await page.goto(origin);
        await isShown('a visitor', 'NOT_COLLECTED');
        await click(page, 'Refuse analytics');
        await isShown('a visitor', 'DENIED');
        // What the visitor refused, the person has refused; what the person says then, the visitor does not hear.
        await click(page, 'Log in as 42');
        await isShown('user_id:42', 'DENIED');
        await click(page, 'Accept analytics');
        await isShown('user_id:42', 'GRANTED');
        // The session is over, without a logout: the visitor is a person, whom the public key alone does not reach.
        await page.context().clearCookies();
        const begun = page.waitForEvent('console', {
          predicate: (line) => line.text().includes('beginning a new one'),
        });
        await page.reload();
        await begun;
        await isShown('a visitor', 'NOT_COLLECTED');
        await click(page, 'Log in as 42');
        await isShown('user_id:42', 'GRANTED');
        await click(page, 'Log out');
        await isShown('a visitor', 'NOT_COLLECTED');
        const [first, , , linked, second, , third] = visitors;
        expect(linked).toBe(first);
        expect(new Set([first, second, third]).size).toBe(3);
      } finally {
        await server.stop();
      }
    });

    test('the example of a webhook receiver takes what the service signed, once, and nothing else', async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const created = await world.request('POST', '/v1/webhook-endpoints', {
        key: 'sk',
        body: { url: `${url}/assent`, types: ['consent.granted', 'consent.withdrawn'] },
      });
      expect(created.status).toBe(201);
      const { id, secret } = created.body as { id: string; secret: string };
      const receiver = await startExample(join(examples, 'webhooks/receiver.js'), {
        ASSENT_WEBHOOK_SECRET: secret,
        PORT: String(port),
      });
      try {
        const forged = await fetch(url, { method: 'POST', body: '{"type":"consent.withdrawn"}' });
        expect(forged.status).toBe(401);
        const subject = world.visitor();
        const { body } = await world.recorded({ subject });
        await receiver.hasSaid(/received consent\.granted/);
        await world.recorded({ subject, decision: 'WITHDRAWN' });
        await receiver.hasSaid(/stop /);
        expect(receiver.said().split('\n').slice(1, -1)).toEqual([
          'refused: missing_header',
          'received consent.granted',
          `stop analytics for ${body.subject.id}`,
        ]);
      } finally {
        await world.request('DELETE', `/v1/webhook-endpoints/${id}`, { key: 'sk' });
        await receiver.stop();
      }
    });
  });
});
