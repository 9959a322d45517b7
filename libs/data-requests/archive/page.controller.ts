import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { KeyDirectory, brandOfSite } from '../../access/index.js';
import { isRefusal, Refused } from '../../kernel/index.js';
import { sendPage } from '../../pages/send.js';
import { Operation } from '../../http/contract/operation.js';
import { ArchiveLinks } from './archive-links.js';
import { linkPage } from './link-page.js';

/** The page that a link leads to. Programs that scan mails open links, so that only its button fetches the archive. */
@Controller('v1/archive')
export class ArchivePageController {
  constructor(
    private readonly links: ArchiveLinks,
    private readonly directory: KeyDirectory,
  ) {}

  @Get()
  @Operation('archivePage')
  async show(@Res() response: Response, @Query('token') token: unknown): Promise<void> {
    const given = typeof token === 'string' ? token : '';
    const found = await this.links.look(given);
    if (isRefusal(found)) throw new Refused(found);
    sendPage(response, linkPage(given, found, brandOfSite(this.directory, found.site, found.language)), 200);
  }
}
