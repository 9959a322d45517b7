import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Operation } from '../contract/operation.js';
import { DOCS_SOURCE, type DocsSource } from './docs-source.js';
import { MadeOnce } from './made-once.js';
import { prefixOf, QUERY_LENGTH_MAX } from './page.js';
import { searchPage } from './search-page.js';
import type { SearchedPart } from './search-index.js';
import { searcher, type Hit, type SearchIndex } from './searcher.js';

const HITS_MAX = 30;

interface Searched {
  parts: SearchedPart[];
  index: SearchIndex;
  find: (query: string, max: number) => Hit[];
}

/** The search through guides, operations and errors: as a page, and as the index that pages search themselves. */
@Controller('docs/search')
export class SearchController {
  private readonly made = new MadeOnce();
  private readonly prefix: string;
  private searched: Promise<Searched> | undefined;

  constructor(@Inject(DOCS_SOURCE) private readonly source: DocsSource) {
    this.prefix = prefixOf(source.publicUrl);
  }

  /** `q`: what is searched for; characters beyond QUERY_LENGTH_MAX are left out. */
  @Get()
  @Operation('searchDocs')
  async search(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const { searchParams } = new URL(req.url ?? '', this.source.publicUrl);
    const query = (searchParams.get('q') ?? '').trim().slice(0, QUERY_LENGTH_MAX);
    const { parts, find } = await this.all();
    const { html, headers } = searchPage(this.prefix, query, find(query, HITS_MAX), parts);
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    res.end(html);
  }

  @Get('index.json')
  @Operation('getSearchIndex')
  async index(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    const { index } = await this.all();
    this.made.send(req, res, 'index', 'application/json; charset=utf-8', () => JSON.stringify(index));
  }

  /** Made by the first who searches: it reads every guide, for a third of a second of processor. */
  private all(): Promise<Searched> {
    return (this.searched ??= import('./search-index.js').then(async ({ searchedParts, searchIndexOf }) => {
      const parts = await searchedParts(this.source.document());
      const index = searchIndexOf(parts);
      return { parts, index, find: searcher(index) };
    }));
  }
}
