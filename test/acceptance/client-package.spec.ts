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
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', `./${filename}`, '--no-audit', '--no-fund', '--offline'], { cwd: folder });
  installed = join(folder, 'node_modules/@assent/client');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    for (const file of ['esm/index.js', 'cjs/index.js', 'esm/server/index.js', 'esm/receipts/index.js'])
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

  /** What the compiler says of a file; empty where it finds nothing wrong. */
  async function faultsIn(name: string, code: string, module: string, moduleResolution: string): Promise<string> {
    writeFileSync(join(folder, name), code);
    const compilerOptions = {
      ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ target: 'es2020', lib: ['es2022', 'dom'], types: [], module, moduleResolution },
    };
    const project = join(folder, `${name}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, files: [name] }));
    return run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  test.each([
    ['of node16, as a module', 'node16', 'node16', 'mts'],
    ['of node16, as CommonJS', 'node16', 'node16', 'cts'],
    ['for a bundler', 'esnext', 'bundler', 'ts'],
  ])('finds the types %s', async (_, module, moduleResolution, extension) =>
    expect(await faultsIn(`use.${extension}`, SOURCE, module, moduleResolution)).toBe(''),
  );

  test('knows the names of a catalogue that is declared', async () =>
    expect(
      await faultsIn(
        'declared.ts',
        `import { AssentClient } from '@assent/client';
         declare module '@assent/client' { interface CatalogueNames { purpose: 'analytics' } }
         const client = new AssentClient({ baseUrl: '', apiKey: '' });
         void client.getPurpose('analytics');
         // @ts-expect-error none of the catalogue
         void client.getPurpose('other');`,
        'esnext',
        'bundler',
      ),
    ).toBe(''));
});

describe('what a bundler makes of it', () => {
  /** Most bytes of what a page loads first, gzipped. */
  const MOST: Record<string, [code: string, bytes: number]> = {
    everything: [`export * from '@assent/client';`, 5000],
    'recording and reading': [`export { Connection, recordConsent, getConsentState } from '@assent/client';`, 2500],
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
});
