import { html, type Html } from '../../pages/html.js';
import { Controller, Get, Inject, Module, Param, Req, Res, type DynamicModule } from '@nestjs/common';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Compressible } from '../answers/compression.js';
import { weakETag } from '../answers/conditional.js';
import { bannerPage, type BannerPageQuery } from './banner-page.js';
import { DOCS_SOURCE, type DocsSource } from './docs-source.js';
import { errorPage, errorsPage } from './error-pages.js';
import { GuidesController } from './guides.controller.js';
import { ICON_PNG, ICON_SVG } from './icon.js';
import { answeredUnchanged, hashOf, MadeOnce } from './made-once.js';
import { DOCS_CSP, docsPage, DOCS_STYLE, prefixOf } from './page.js';
import { DemoKeys } from './demo-keys.js';
import { SearchController } from './search.controller.js';
import { SITE_SCRIPT } from './site-script.js';
import { TRY_IT_SCRIPT } from './try-it.js';
import { errorEntry } from '../errors/error-catalogue.js';
import { Operation } from '../contract/operation.js';
import { refused } from '../errors/refused.js';
import { isErrorCode } from '../errors/status.js';

export { renderErrorPages } from './error-pages.js';

/**
 * How often one address may fetch assets: a page takes up to six, so that these run out no sooner than the pages that it
 * may open. Counted apart from those, so that a page never comes without its style.
 */
const ASSET_LIMIT = { perSecond: 60, burst: 120 } as const;

/** For the operation table: these need no key. */
export const DOCS_OPERATIONS = [
  { id: 'getOpenApi', method: 'GET', path: '/openapi.json', anyOrigin: true },
  { id: 'getPostmanCollection', method: 'GET', path: '/docs/postman.json' },
  { id: 'getDocs', method: 'GET', path: '/docs' },
  { id: 'getReference', method: 'GET', path: '/docs/reference' },
  { id: 'getReferencePage', method: 'GET', path: '/docs/reference/{tag}' },
  { id: 'searchDocs', method: 'GET', path: '/docs/search' },
  { id: 'getSearchIndex', method: 'GET', path: '/docs/search/index.json' },
  { id: 'listErrors', method: 'GET', path: '/docs/errors' },
  { id: 'getErrorPage', method: 'GET', path: '/docs/errors/{code}' },
  { id: 'getDocsAsset', method: 'GET', path: '/docs/assets/{asset}', limited: false, perAddress: ASSET_LIMIT },
  { id: 'getDemoKeys', method: 'GET', path: '/docs/demo-keys' },
  { id: 'getBannerPage', method: 'GET', path: '/docs/banner' },
  { id: 'getFavicon', method: 'GET', path: '/favicon.ico' },
  { id: 'listGuides', method: 'GET', path: '/docs/guides' },
  { id: 'getGuide', method: 'GET', path: '/docs/guides/{guide}' },
  { id: 'getGuideFile', method: 'GET', path: '/docs/guides/files/{file}' },
] as const;

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};
/** The files of swagger-ui-dist that are served; every other name is unknown. */
const SWAGGER_FILES: readonly string[] = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const OWN_FILES: Record<string, string> = {
  'pages.css': DOCS_STYLE,
  'site.js': SITE_SCRIPT,
  'start.js': TRY_IT_SCRIPT,
  'icon.svg': ICON_SVG,
};

const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const swaggerVersion = (JSON.parse(readFileSync(join(swaggerFolder, 'package.json'), 'utf8')) as { version: string })
  .version;
const ICON_TAG = weakETag(hashOf(ICON_PNG));

@Controller()
export class DocsController {
  private readonly made = new MadeOnce();
  private readonly compressibles = new Map<string, Compressible>();
  private readonly prefix: string;

  constructor(
    @Inject(DOCS_SOURCE) private readonly source: DocsSource,
    private readonly demoKeys: DemoKeys,
  ) {
    this.prefix = prefixOf(source.publicUrl);
  }

  @Get('openapi.json')
  @Operation('getOpenApi')
  openApi(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    // Read by pages of other origins too, such as editors and code generators; it holds nothing of anyone.
    res.setHeader('Access-Control-Allow-Origin', '*');
    this.made.send(req, res, 'openapi', 'application/json; charset=utf-8', () =>
      JSON.stringify(this.source.document()),
    );
  }

  @Get('docs/postman.json')
  @Operation('getPostmanCollection')
  async postman(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const { postmanOf } = await import('../openapi/postman.js');
    this.made.send(req, res, 'postman', 'application/json; charset=utf-8', () =>
      JSON.stringify(postmanOf(this.source.document(), this.source.publicUrl)),
    );
  }

  @Get('docs')
  @Operation('getDocs')
  async docs(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const { operationList } = await import('./reference-page.js');
    const { prefix, source } = this;
    this.html(req, res, 'docs', () => this.tryPage(operationList(source.document(), prefix)));
  }

  @Get('docs/reference')
  @Operation('getReference')
  async reference(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    // Loaded by the first who reads it: it brings what colours listings, for which no start should wait.
    const { referencePage } = await import('./reference-page.js');
    this.html(req, res, 'reference', () => referencePage(this.source.document(), this.prefix));
  }

  @Get('docs/reference/:tag')
  @Operation('getReferencePage')
  async referenceOf(
    @Param('tag') slug: string,
    @Req() req: IncomingMessage,
    @Res() res: ServerResponse,
  ): Promise<void> {
    const { tagPage, tagsOf } = await import('./reference-page.js');
    const document = this.source.document();
    const tag = tagsOf(document).find((each) => each.slug === slug);
    if (!tag) throw refused('route_not_found', 'There is no such part of the reference; see /docs/reference.');
    this.html(req, res, `reference ${slug}`, () => tagPage(document, tag, this.prefix));
  }

  @Get('docs/banner')
  @Operation('getBannerPage')
  banner(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    const { searchParams } = new URL(req.url ?? '', this.source.publicUrl);
    const html = bannerPage(
      this.prefix,
      this.demoKeys.publicKeyFor(req),
      Object.fromEntries(searchParams) as BannerPageQuery,
    );
    res.setHeader('Content-Security-Policy', DOCS_CSP);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.setHeader('Content-Length', Buffer.byteLength(html));
    res.end(html);
  }

  @Get('docs/errors')
  @Operation('listErrors')
  errors(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    this.html(req, res, 'errors', () => errorsPage(this.prefix));
  }

  @Get('docs/errors/:code')
  @Operation('getErrorPage')
  error(@Param('code') code: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    if (!isErrorCode(code)) throw refused('route_not_found', 'There is no such error code; see /docs/errors.');
    this.html(req, res, `error ${code}`, () => errorPage(this.prefix, errorEntry(code)));
  }

  @Get('docs/assets/:asset')
  @Operation('getDocsAsset')
  async asset(@Param('asset') asset: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const type = TYPES[asset.slice(asset.lastIndexOf('.') + 1)];
    const own = Object.hasOwn(OWN_FILES, asset) ? OWN_FILES[asset] : undefined;
    if (!type || (own === undefined && !SWAGGER_FILES.includes(asset))) throw refused('route_not_found');
    const etag = weakETag(own === undefined ? swaggerVersion : hashOf(own));
    // Pages name their assets with a version, so that a copy may be kept for a year.
    res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    const compressible = this.compressibleAsset(asset, own);
    const isCompressed = compressible.isTaken(req, res);
    if (answeredUnchanged(req, res, etag)) return;
    res.setHeader('Content-Type', type);
    if (isCompressed) return compressible.send(res);
    if (own !== undefined) return void res.end(own);
    const file = join(swaggerFolder, asset);
    res.setHeader('Content-Length', (await stat(file)).size);
    if (req.method === 'HEAD') return void res.end();
    // A reader who leaves midway is no error of ours.
    await pipeline(createReadStream(file), res).catch(() => undefined);
  }

  /** 204 where nothing is offered: that is how it mostly is, and no fault of the page that asks. */
  @Get('docs/demo-keys')
  @Operation('getDemoKeys')
  keysOfDemo(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    const keys = this.demoKeys.for(req);
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (keys === null) {
      res.statusCode = 204;
      return void res.end();
    }
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.end(JSON.stringify(keys));
  }

  @Get('favicon.ico')
  @Operation('getFavicon')
  favicon(@Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    res.setHeader('Cache-Control', 'public, max-age=86400');
    if (answeredUnchanged(req, res, ICON_TAG)) return;
    res.setHeader('Content-Type', 'image/png');
    res.setHeader('Content-Length', ICON_PNG.length);
    res.end(ICON_PNG);
  }

  /** Of a file only the compressed form is kept. */
  private compressibleAsset(asset: string, own: string | undefined): Compressible {
    let compressible = this.compressibles.get(asset);
    if (!compressible) {
      const body = own === undefined ? () => readFileSync(join(swaggerFolder, asset)) : () => Buffer.from(own);
      const length = own === undefined ? statSync(join(swaggerFolder, asset)).size : Buffer.byteLength(own);
      this.compressibles.set(asset, (compressible = new Compressible(length, body)));
    }
    return compressible;
  }

  private tryPage(list: Html): string {
    const { prefix } = this;
    const asset = (name: string, version: string): string => `${prefix}/docs/assets/${name}?v=${version}`;
    return docsPage({
      title: 'Try it – Assent',
      prefix,
      at: '/docs',
      isBroad: true,
      isOwnDrawing: true,
      heading: 'Try it',
      head: html`<link rel="stylesheet" href="${asset('swagger-ui.css', swaggerVersion)}">\n<script defer src="${asset('swagger-ui-bundle.js', swaggerVersion)}"></script>\n<script defer src="${asset('start.js', hashOf(TRY_IT_SCRIPT))}"></script>\n`,
      main: html`<p>Open an operation, press “Try it out”, then “Execute”. “Authorize” takes your keys: public keys, secret keys of <code>test</code>, and the token of an operator. The same operations without scripts: <a href="${prefix}/docs/reference">Reference</a>. How to go about it: <a href="${prefix}/docs/guides">Guides</a>.</p>
<p id="demo-keys" data-keys="${prefix}/docs/demo-keys" hidden><button type="button">Use the keys of the demo</button> <a href="${prefix}/docs/banner">See its banner</a> <span role="status"></span></p>
<div id="swagger-ui" data-document="${prefix}/openapi.json"></div>
<noscript><nav class="plain" aria-label="Operations">${list}</nav></noscript>`,
    });
  }

  private html(req: IncomingMessage, res: ServerResponse, name: string, make: () => string): void {
    res.setHeader('Content-Security-Policy', DOCS_CSP);
    this.made.send(req, res, name, 'text/html; charset=utf-8', make);
  }
}

/** Serves the OpenAPI document, the pages made of it, and the guides, without a key. */
@Module({})
export class DocsModule {
  static of(source: DocsSource): DynamicModule {
    return {
      module: DocsModule,
      controllers: [GuidesController, SearchController, DocsController],
      providers: [{ provide: DOCS_SOURCE, useValue: source }, DemoKeys],
    };
  }
}
