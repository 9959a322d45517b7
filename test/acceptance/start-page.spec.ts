import { fromThisMachine } from '../support/from-this-machine.js';
import { FOUR_ROLES, startWorld, type Answer, type World } from '../support/world.js';

/** What Chromium and Firefox send when somebody opens an address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

/** Through a proxy, as all questions of this suite. */
const opened = (path: string, method = 'GET'): Promise<Answer> =>
  world.request(method, path, { key: null, headers: { Accept: BROWSER } });
const linksOf = (html: string): string[] => [...html.matchAll(/href="([^"#]+)"/g)].map(([, target]) => target!);

describe('the start page', () => {
  test('is a page for browsers', async () => {
    const { status, headers, text } = await opened('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Accept', 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self';/);
    expect(text).toMatch(/<b>Ready\.<\/b>/);
    expect(text).not.toMatch(/<script|<style|style="/);
    for (const target of ['/docs', '/docs/reference', '/docs/errors', '/docs/policy', '/openapi.json'])
      expect(linksOf(text)).toContain(target);
  });

  test.each([undefined, '*/*', 'application/json', 'application/json, text/html', 'image/png'])(
    'is JSON for a program that accepts %s',
    async (accept) => {
      const { status, headers, body } = await world.request('GET', '/', { key: null, headers: { Accept: accept } });
      expect([status, headers['cache-control'], headers.vary]).toEqual([200, 'no-store', 'Accept']);
      expect(body).toEqual({
        name: 'Assent',
        version: '0.1.0',
        status: 'ready',
        links: {
          docs: `${world.url}/docs`,
          guides: `${world.url}/docs/guides`,
          reference: `${world.url}/docs/reference`,
          errors: `${world.url}/docs/errors`,
          openapi: `${world.url}/openapi.json`,
        },
      });
    },
  );

  test('leads nowhere that is not there', async () => {
    const direct = await (await fromThisMachine(`${world.url}/`, { headers: { Accept: BROWSER } })).text();
    for (const target of linksOf(direct)) {
      const answer = await fromThisMachine(new URL(target, world.url));
      await answer.arrayBuffer();
      expect([target, answer.status]).toEqual([target, 200]);
    }
  });

  test('keeps to itself behind a proxy what the proxy keeps to itself', async () => {
    const { text } = await opened('/');
    for (const path of ['/outbox', '/readyz', '/metrics']) expect(linksOf(text)).not.toContain(path);
    expect(text).not.toContain('This process');
    expect(linksOf(text)).not.toContain('/docs/banner');
  });

  test('answers HEAD without a body', async () => {
    const { status, text, headers } = await opened('/', 'HEAD');
    expect([status, text, headers['content-type']]).toEqual([200, '', 'text/html; charset=utf-8']);
  });

  if (FOUR_ROLES)
    test('is in every process, which says what it is where no proxy stands before it', async () => {
      for (const { role, url } of world.roles!.instances()) {
        const html = await (await fromThisMachine(`${url}/`, { headers: { Accept: BROWSER } })).text();
        expect(html).toContain(`This process is only the <b>${role}</b>`);
        expect(linksOf(html)).toEqual(expect.arrayContaining(['/readyz', '/metrics']));
      }
    });
  else
    test('leads somebody at the machine to what only they may see', async () => {
      const html = await (await fromThisMachine(`${world.url}/`, { headers: { Accept: BROWSER } })).text();
      expect(linksOf(html)).toEqual(expect.arrayContaining(['/outbox', '/readyz', '/metrics']));
    });
});

describe('the mark of the service', () => {
  test('is where browsers look for it', async () => {
    const icon = await fromThisMachine(`${world.url}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(
      Buffer.from(await icon.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const known = await fromThisMachine(`${world.url}/favicon.ico`, {
      headers: { 'If-None-Match': icon.headers.get('etag')! },
    });
    expect(known.status).toBe(304);
  });
});

describe('an error', () => {
  test.each([
    ['at an address that is nobody’s', '/v1/nowhere', 404, 'route_not_found'],
    ['at an address that takes no GET', '/v1/consent', 405, 'method_not_allowed'],
    ['of the documentation', '/docs/errors/none', 404, 'route_not_found'],
    ['at an address that cannot be decoded', '/v1/%E0%A4', 404, 'route_not_found'],
    ['of a page for people at the machine', '/outbox/1', 401, 'api_key_missing'],
  ])('%s is a page for browsers', async (_, path, status, code) => {
    if (FOUR_ROLES && path.startsWith('/outbox')) return;
    const answer = await opened(path);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'Accept', 'content-language': 'en' });
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self';/);
    expect(answer.text).toContain(`<a href="/docs/errors/${code}">`);
    expect(answer.text).toContain(`<code>${answer.headers['x-request-id'] as string}</code>`);
    expect(answer.text).not.toMatch(/<script|<style|style="/);
    for (const target of linksOf(answer.text))
      expect([target, (await world.request('GET', target, { key: null })).status]).toEqual([target, 200]);

    const told = await world.request('GET', path, { key: null });
    expect([told.status, told.body.code]).toEqual([status, code]);
    expect(answer.text).toContain(`<h1>${told.body.message as string}`);
    expect(answer.headers.allow).toBe(told.headers.allow);
  });

  test('is JSON where the document says so, and for whoever does not ask for a page first', async () => {
    const asked: [string, string, Record<string, string | undefined>][] = [
      ['GET', '/v1/purposes', { Accept: BROWSER }],
      ['POST', '/v1/nowhere', { Accept: BROWSER }],
      ['GET', '/v1/nowhere', { Accept: undefined }],
      ['GET', '/v1/nowhere', { Accept: 'application/json, text/html;q=0.9' }],
      ['GET', '/v1/nowhere', { Accept: 'application/problem+json' }],
    ];
    for (const [method, path, headers] of asked) {
      const { status, body, headers: got } = await world.request(method, path, { key: null, headers });
      expect([method, path, body?.code]).toEqual([
        method,
        path,
        status === 401 ? 'api_key_missing' : 'route_not_found',
      ]);
      expect(got['content-type']).toMatch(/^application\/(problem\+)?json/);
    }
  });

  test('repeats nothing of the address as HTML', async () => {
    const { text } = await opened('/%3Cscript%3Ealert(1)%3C/script%3E?a="><script>alert(2)</script>');
    expect(text).not.toContain('alert');
  });
});
