import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { KeyDirectory } from '../../access/index.js';
import { acceptedLocales } from '../../pages/locale.js';
import { PUBLIC_URL } from '../../engines/config/public-url.js';
import { prefixOf } from '../../http/docs/page.js';
import { Operation } from '../../http/contract/operation.js';
import { portalOf, siteAt } from './entry.js';
import { entryPage } from './entry-page.js';
import { unbranded } from './errors.js';
import { sendPage } from '../../pages/send.js';

/** See other: the browser gets the page by itself, and keeps a token that stands in the fragment. */
const SEE_OTHER = 303;
const ADDRESS_LENGTH_MAX = 2048;

/**
 * For people who come without a link to the portal of a site. Where the service has one site they are led on; else they
 * enter its address, so that the page lists no customers of the service.
 */
@Controller('portal')
export class PortalEntryController {
  private readonly prefix: string;

  constructor(
    private readonly directory: KeyDirectory,
    @Inject(PUBLIC_URL) publicUrl: string,
  ) {
    this.prefix = prefixOf(publicUrl);
  }

  @Get()
  @Operation('showPortalEntry')
  show(@Req() request: Request, @Res() response: Response, @Query('site') site?: unknown): void {
    const sites = this.directory.sites();
    const asked = typeof site === 'string' && site.trim() !== '' ? site.slice(0, ADDRESS_LENGTH_MAX) : null;
    const found = asked === null ? (sites.length === 1 ? sites[0]! : null) : siteAt(sites, asked);
    if (found) return response.redirect(SEE_OTHER, `${this.prefix}${portalOf(found)}`);
    const place = { ...unbranded(acceptedLocales(request.headers['accept-language'])), path: `${this.prefix}/portal` };
    sendPage(response, entryPage(place, asked), asked === null ? 200 : 404);
  }
}
