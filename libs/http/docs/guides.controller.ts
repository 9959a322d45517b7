import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Operation } from '../contract/operation.js';
import { refused } from '../errors/refused.js';
import { DOCS_SOURCE, type DocsSource } from './docs-source.js';
import { readGuides } from './guide-files.js';
import { MadeOnce } from './made-once.js';
import { DOCS_CSP, prefixOf } from './page.js';

/** Pictures may carry styles of their own; opened by themselves they get no further than that. */
const FILE_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The guides of the folder `docs`, in every installation and of its own release. */
@Controller('docs/guides')
export class GuidesController {
  private readonly all = readGuides();
  private readonly made = new MadeOnce();
  private readonly prefix: string;

  constructor(@Inject(DOCS_SOURCE) { publicUrl }: DocsSource) {
    this.prefix = prefixOf(publicUrl);
  }

  @Get()
  @Operation('listGuides')
  list(@Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.page(req, res, '');
  }

  @Get(':guide')
  @Operation('getGuide')
  guide(@Param('guide') name: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): Promise<void> {
    return this.page(req, res, name);
  }

  @Get('files/:file')
  @Operation('getGuideFile')
  file(@Param('file') name: string, @Req() req: IncomingMessage, @Res() res: ServerResponse): void {
    const file = this.all.attachments.get(name);
    if (!file) throw refused('route_not_found');
    res.setHeader('Content-Security-Policy', FILE_CSP);
    this.made.send(req, res, `file ${name}`, file.type, () => file.content);
  }

  private async page(req: IncomingMessage, res: ServerResponse, name: string): Promise<void> {
    const guide = this.all.guides.get(name);
    if (!guide) throw refused('route_not_found', 'There is no such guide; see /docs/guides.');
    // Loaded by the first who reads a guide: it brings the Markdown reader, for which no start should wait.
    const { guidePage } = await import('./guide-pages.js');
    res.setHeader('Content-Security-Policy', DOCS_CSP);
    this.made.send(req, res, `page ${name}`, 'text/html; charset=utf-8', () => guidePage(guide, this.prefix));
  }
}
