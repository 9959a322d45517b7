import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DemoKeys } from './demo-keys.js';
import { DOCS_OPERATIONS, DocsModule, renderErrorPages } from './docs-pages.js';
import { ErrorFilter, errorCatalogue } from '../errors/errors.js';
import { FastExpressAdapter } from '../fast-express.adapter.js';
import { Nested, OneOf, Text } from '../contract/fields.js';
import { buildOpenApi } from '../openapi/openapi.js';
import { searcher, type SearchIndex } from './searcher.js';

class Place {
  @Text({ description: 'Country, `ISO 3166-1`.', maxLength: 2, example: 'DE' })
  country!: string;
}
class Body {
  @Text({ description: 'Subject <reference>.', maxLength: 800, example: 'visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90' })
  subject!: string;
  @OneOf(['GRANTED', 'DENIED'], { description: 'What was decided.', example: 'GRANTED' })
  decision!: string;
  @Nested(() => Place, { description: 'Where.', optional: true, nullable: true })
  place?: Place | null;
}
const document = buildOpenApi({
  publicUrl: 'https://consent.example',
  version: '1.2.3',
  headings: {},
  operations: [
    {
      id: 'recordConsent',
      method: 'POST',
      path: '/v1/consent',
      keys: ['pk', 'sk'],
      scope: 'consent:write',
      bodyLimit: 65_536,
      tag: 'Consent',
      summary: 'Record a decision',
      description: 'One decision of one subject on one purpose.',
      headers: [
        { name: 'Idempotency-Key', description: 'Makes a retry harmless.', required: false, example: '0d5f8b9e' },
      ],
      body: {
        contract: Body,
        examples: { one: { subject: 'visitor_id:6f1c5f0e6b0a5d3c9a5e7c1b2d4e8f90', decision: 'GRANTED' } },
      },
      answers: [
        {
          status: 201,
          description: 'Recorded.',
          contract: Body,
          example: { subject: 'visitor_id:6f1c', decision: 'GRANTED' },
        },
      ],
      refusals: ['purpose_unknown'],
    },
    {
      id: 'getConsentState',
      method: 'GET',
      path: '/v1/subjects/{ref}/consent',
      keys: ['pk', 'sk'],
      scope: 'consent:read',
      tag: 'Consent',
      summary: 'Read the state',
      description: 'Of all purposes.',
      answers: [{ status: 200, description: 'The state.', contract: Body }],
      refusals: [],
    },
    {
      id: 'livez',
      method: 'GET',
      path: '/livez',
      keys: ['none'],
      scope: null,
      tag: 'Probes',
      summary: 'Alive',
      description: 'Whether the process runs.',
      answers: [{ status: 200, description: 'Alive.', mediaType: 'text/plain' }],
      refusals: [],
    },
  ],
});

@Module({ imports: [DocsModule.of({ document: () => document, publicUrl: 'https://consent.example' })] })
class Root {}

let app: NestExpressApplication;
let base: string;
beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(Root, new FastExpressAdapter(), {
    logger: false,
    bodyParser: false,
  });
  app.useGlobalFilters(
    new ErrorFilter({
      publicUrl: 'https://consent.example',
      routes: () => DOCS_OPERATIONS,
      log: { error: () => undefined },
    }),
  );
  await app.listen(0, '127.0.0.1');
  base = await app.getUrl();
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers });
const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url));
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));
/** `errors.md` and `jurisdictions.md` are served as pages of their own, `README.md` as the list of guides. */
const MADE_OTHERWISE = ['errors', 'jurisdictions'];
const GUIDES = filesIn(DOCS, '.md')
  .map((file) => basename(file, '.md'))
  .filter((name) => !MADE_OTHERWISE.includes(name))
  .map((name) => (name === 'README' ? '/docs/guides' : `/docs/guides/${name}`));
const PAGES = [
  '/docs',
  '/docs/reference',
  '/docs/reference/consent',
  '/docs/errors',
  '/docs/errors/validation_failed',
  '/docs/search?q=consent',
  ...GUIDES,
];

describe('the documentation', () => {
  it('serves the OpenAPI document with a tag, and nothing where the tag is known', async () => {
    const first = await get('/openapi.json');
    expect(await first.json()).toEqual(JSON.parse(JSON.stringify(document)));
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const again = await get('/openapi.json', { 'if-none-match': `"x", ${first.headers.get('etag')}` });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', first.headers.get('etag')]);
    expect((await get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each(PAGES)('serves %s as an accessible page without scripts or styles inside', async (path) => {
    const answer = await get(path);
    const html = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; (script-src 'self'; )?style-src 'self';/,
    );
    expect(html).toMatch(
      /<html lang="en" dir="ltr">[\s\S]*<header class="bar"><a class="skip" href="#main">[\s\S]*<nav aria-label=[\s\S]*<main id="main"[\s\S]*<footer>/,
    );
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script(?![^>]*src=)|style="|\son\w+="|<style/);
    const headings = [...html.replace(/<noscript>[\s\S]*<\/noscript>/, '').matchAll(/<h(\d)/g)].map(([, level]) =>
      Number(level),
    );
    headings.forEach((level, i) => expect(level - (headings[i - 1] ?? 0)).toBeLessThanOrEqual(1));
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id);
  });

  it('leads nowhere else: every link and asset is on this host and exists', async () => {
    const seen = new Set<string>();
    for (const path of PAGES) {
      for (const [, target] of (await (await get(path)).text()).matchAll(/(?:href|src|data-document)="([^"]+)"/g)) {
        const place = target!.replace('https://consent.example', '').split('#')[0]!;
        // The start page, which every page leads back to, and the table of law stand in the process and not in this module.
        if (place !== '' && !['/', '/docs/policy'].includes(place)) seen.add(place);
      }
    }
    expect([...seen].filter((target) => !target.startsWith('/'))).toEqual([]);
    for (const target of seen) {
      const answer = await get(target);
      await answer.arrayBuffer();
      expect([target, answer.status]).toEqual([target, 200]);
    }
  });

  it('names every operation, field, limit and error in the reference', async () => {
    const overview = await (await get('/docs/reference')).text();
    for (const { id, path } of [
      { id: 'recordConsent', path: '/v1/consent' },
      { id: 'livez', path: '/livez' },
    ]) {
      expect(overview).toContain(` id="${id}"`);
      expect(overview).toContain(`<code class="soft">${path}</code>`);
    }
    const html = await (await get('/docs/reference/consent')).text();
    expect((await get('/docs/reference/none')).status).toBe(404);
    for (const text of [
      '/v1/subjects/{ref}/consent',
      'Idempotency-Key',
      'At most 800 characters.',
      'One of GRANTED, DENIED.',
      'Known values: GRANTED, DENIED.',
      'purpose_unknown',
      'rate_limited',
      'Subject &#60;reference&#62;',
      '<code>ISO 3166-1</code>',
      'a public key with identity token',
    ])
      expect(html).toContain(text);
  });

  it('explains every code where docUrl leads', async () => {
    for (const { code } of errorCatalogue) expect((await get(`/docs/errors/${code}`)).status).toBe(200);
    const unknown = await get('/docs/errors/nope');
    expect([unknown.status, ((await unknown.json()) as { code: string }).code]).toEqual([404, 'route_not_found']);
  });

  it('serves only the assets it lists, to be kept long', async () => {
    const bundle = await get('/docs/assets/swagger-ui-bundle.js');
    expect([bundle.status, bundle.headers.get('content-type'), bundle.headers.get('cache-control')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect((await bundle.arrayBuffer()).byteLength).toBeGreaterThan(500_000);
    for (const name of [
      'package.json',
      'index.html',
      'constructor',
      '..%2fpackage.json',
      '..%5cpackage.json',
      'swagger-ui.css.map',
      'swagger-ui.css%00.js',
    ]) {
      const answer = await get(`/docs/assets/${name}`);
      expect([name, answer.status, answer.headers.get('cache-control')]).toEqual([name, 404, 'no-store']);
    }
  });

  it('offers the keys of a demo to a browser at this machine only', async () => {
    const keys = { publicKey: 'pk_test_one', secretKey: 'sk_test_one' };
    const { port } = new URL(base);
    /** Node's fetch does not let a caller name the host. */
    const offered = (headers: Record<string, string>): Promise<[number | undefined, string]> =>
      new Promise((resolve, reject) => {
        const request = http.get(`${base}/docs/demo-keys`, { headers }, (response) => {
          expect(response.headers['cache-control']).toBe('no-store');
          expect(response.headers['access-control-allow-origin']).toBeUndefined();
          response.toArray().then((parts) => resolve([response.statusCode, Buffer.concat(parts).toString()]), reject);
        });
        request.on('error', reject);
      });
    expect(await offered({})).toEqual([204, '']);
    app.get(DemoKeys).offer(() => keys);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect(await offered({ host, 'sec-fetch-site': 'same-origin' })).toEqual([200, JSON.stringify(keys)]);
    const others: Record<string, string>[] = [
      { host: `attacker.example:${port}` },
      { host: `127.0.0.1.attacker.example:${port}`, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
    ];
    for (const headers of others) expect([headers, ...(await offered(headers))]).toEqual([headers, 204, '']);
    app.get(DemoKeys).offer(() => null);
    expect(await offered({})).toEqual([204, '']);
  });

  it('shows a mark of its own in the tab of a browser', async () => {
    const icon = await get('/docs/assets/icon.svg');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(await (await get('/docs')).text()).toContain('<link rel="icon" href="/docs/assets/icon.svg?v=');
  });

  it('serves every guide whole where scripts are off, with a tag', async () => {
    expect(GUIDES.length).toBeGreaterThan(10);
    for (const path of GUIDES) {
      const answer = await get(path);
      const html = await answer.text();
      expect(html.match(/<script[^>]*>/g)).toEqual([
        expect.stringMatching(/^<script defer src="\/docs\/assets\/site\.js\?v=[\da-f]{16}">$/),
      ]);
      expect(html).not.toContain('<button>Copy');
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      const again = await get(path, { 'if-none-match': answer.headers.get('etag')! });
      expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
    }
  });

  it('shows guides whole: headings, tables, commands and pictures', async () => {
    const html = await (await get('/docs/guides/concepts')).text();
    expect(html).toContain('<h2 id="the-words"><a href="#the-words">The words</a></h2>');
    expect(html).toContain('<th scope="col">Word</th>');
    expect(html).toMatch(/<img src="\/docs\/guides\/files\/flow\.svg" alt="[^"]{40,}" width="960">/);
    const commands = await (await get('/docs/guides/getting-started')).text();
    const text = commands.replace(/<span class="hljs-[^"]+">|<\/span>/g, '');
    expect(text).toContain('VISITOR=visitor_id:$(openssl rand -hex 16)');
    expect(commands).toContain('<span class="hljs-');
    expect(commands).not.toMatch(/&amp;#|```|\]\(/);
  });

  it('leads from guide to guide as the files do, down to the section', async () => {
    const broken: string[] = [];
    let followed = 0;
    for (const path of GUIDES)
      for (const [, target, anchor] of (await (await get(path)).text()).matchAll(/href="(\/docs\/[^"#]*)#([^"]+)"/g)) {
        followed += 1;
        if (!(await (await get(target!)).text()).includes(` id="${anchor}"`))
          broken.push(`${path}: ${target}#${anchor}`);
      }
    expect(broken).toEqual([]);
    expect(followed).toBeGreaterThan(20);
  });

  it('leads through all pages by the kind of reader, in the order of the list', async () => {
    const html = await (await get('/docs/guides/concepts')).text();
    const [, list] = /<nav class="pages"[^>]*>([^]*?)<\/nav>/.exec(html)!;
    const targets = [...list!.matchAll(/href="([^"]+)"/g)].map(([, target]) => target!);
    expect(targets.slice(0, 2)).toEqual(['/docs/guides/getting-started', '/docs/guides/concepts']);
    expect([...targets].sort()).toEqual(
      [...GUIDES.slice(1), '/docs/errors', '/docs/policy', '/docs/reference']
        .sort()
        .filter((path) => path !== '/docs/guides'),
    );
    expect(list!.match(/<details class="group" open>/g)).toHaveLength(1);
    expect(list).toContain('<a href="/docs/guides/concepts" aria-current="page">');
    expect(html).toContain('<a rel="prev" href="/docs/guides/getting-started">');
    expect(html).toContain(`<a rel="next" href="${targets[2]}">`);
  });

  it('finds parts of guides, operations and errors by words or their beginnings, as a page and in the browser', async () => {
    const answer = await get('/docs/search/index.json');
    const body = await answer.text();
    expect(gzipSync(body).length).toBeLessThan(60_000);
    const find = searcher(JSON.parse(body) as SearchIndex);
    for (const [query, address] of [
      ['rotate keys', '/docs/guides/keys#rotate-keys'],
      ['pg_dump', '/docs/guides/backup#with-pg_dump'],
      ['read the state', '/docs/reference/consent#getConsentState'],
      ['validation_failed', '/docs/errors#validation_failed'],
      ['double opt', '/docs/guides/http-api#double-opt-in'],
      ['ASSENT_WEBHOOK_ALLOW', '/docs/guides/settings'],
    ] as const) {
      const hits = find(query, 8).map((hit) => hit.address);
      expect([query, hits]).toEqual([query, expect.arrayContaining([address])]);
      const page = await get(`/docs/search?q=${encodeURIComponent(query)}`);
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const html = await page.text();
      for (const hit of hits) expect(html).toContain(`href="${hit}"`);
    }
    expect(find('zzzz', 8)).toEqual([]);
    expect(find('.*[', 8)).toEqual([]);
  });

  it('answers a search for anything: for nothing, for what is not there, for markup and for more than it reads', async () => {
    for (const [query, shown] of [
      ['', 'Type a few words'],
      ['zzzz', 'Nothing holds all of these words'],
      ['<script>"', 'Search: &#60;script&#62;&#34;'],
      ['(a|b', 'Search: (a|b'],
      ['key '.repeat(1_000), 'places'],
    ]) {
      const answer = await get(`/docs/search?q=${encodeURIComponent(query!)}`);
      expect([query, answer.status]).toEqual([query, 200]);
      expect(await answer.text()).toContain(shown);
    }
  });

  it('shows a link to what is not served, such as source code, as its text', async () => {
    const html = await (await get('/docs/guides/contributing')).text();
    expect(html).toContain('<code>libs/context/define-context.ts</code>');
    expect(html).not.toContain('define-context.ts"');
  });

  it('serves pictures and files of the guides, and no file that is not on the list', async () => {
    for (const [name, type] of [
      ['flow.svg', 'image/svg+xml; charset=utf-8'],
      ['grafana-dashboard.json', 'application/json; charset=utf-8'],
      ['alerts.yml', 'text/plain; charset=utf-8'],
    ]) {
      const answer = await get(`/docs/guides/files/${name}`);
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, type]);
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      );
      expect((await answer.text()).length).toBeGreaterThan(500);
    }
    for (const path of [
      '/docs/guides/errors',
      '/docs/guides/README',
      '/docs/guides/settings.md',
      '/docs/guides/operating',
      '/docs/guides/..%2f..%2fpackage',
      '/docs/guides/guides%2fauditors',
      '/docs/guides/settings%00',
      '/docs/guides/constructor',
      '/docs/guides/files/settings.md',
      '/docs/guides/files/..%2f..%2fpackage.json',
      '/docs/guides/files/..%5c..%5cpackage.json',
      '/docs/guides/files/%2e%2e%2fpackage.json',
      '/docs/guides/files/__proto__',
      '/docs/guides/files/flow.svg%00',
    ]) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
    }
  });

  // After a change of the catalogue: WRITE_DOCS=1 npx jest docs-pages
  it('agrees with docs/errors.md', () => {
    const file = new URL('../../../docs/errors.md', import.meta.url);
    if (process.env.WRITE_DOCS) writeFileSync(file, renderErrorPages());
    expect(readFileSync(file, 'utf8')).toBe(renderErrorPages());
  });
});
