import { html } from '../../pages/html.js';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CATALOGUE, type Catalogue } from '../../catalogue/index.js';
import { isId, type Work } from '../../kernel/index.js';
import { EDGE_HEADERS, type EdgeHeaders } from '../../engines/config/edge-headers.js';
import { WorkOf, type CalledRequest, type Caller } from '../../http/caller.js';
import { hasGpc } from '../../http/gpc.js';
import { Operation } from '../../http/contract/operation.js';
import { pageScript } from '../../http/page-scripts.js';
import { parsePosition } from '../../http/position.js';
import { refused } from '../../http/errors/refused.js';
import { edgePlace } from '../../policy/services.js';
import { PORTAL_DOORS, type PortalDoors } from '../doors.js';
import { consentsPage } from './consents-page.js';
import type { ShownPage } from '../../pages/frame.js';
import { framed, filled, type NoticeWord } from './frame.js';
import { isPortalPage, pagesOf, type PortalPage, type PortalPlace } from './place.js';
import { PortalPlaces } from './places.js';
import { preferencesPage } from './preferences-page.js';
import { emptyDraft } from './request-form.js';
import { requestsPage } from './requests-page.js';
import { receiptsPage } from './receipts-page.js';
import { receiptPage } from './receipt-page.js';
import { sendPage } from '../../pages/send.js';
import { signInPage } from './sign-in.js';
import { siteNames } from './site-names.js';

type PortalRequest = Request & CalledRequest;

/** What a signed-in person asks for. */
interface Asked {
  place: PortalPlace;
  caller: Caller;
  subjectId: string;
  request: PortalRequest;
  work: Work;
}

/** What a page of the portal shows. Opening one changes nothing. */
@Controller('portal/:site/:env')
export class PortalShowController {
  private readonly verifyScript = pageScript('receipt');

  constructor(
    private readonly places: PortalPlaces,
    @Inject(PORTAL_DOORS) private readonly doors: PortalDoors,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(EDGE_HEADERS) private readonly edge: EdgeHeaders,
  ) {}

  /** Where links lead: the first page, which takes the token of the fragment, with or without a session. */
  @Get()
  @Operation('showPortal')
  async first(@Req() request: PortalRequest, @Res() response: Response, @WorkOf() work: Work): Promise<void> {
    const place = { ...(await this.places.of(request)), takesToken: true };
    if (!place.session) return sendPage(response, signInPage(place, wrongIn(request)), 200);
    const [page] = pagesOf(place);
    if (page !== undefined) return sendPage(response, await this.shown(page, this.askedBy(place, request, work)), 200);
    const { title, nothingHere } = place.words;
    sendPage(response, framed(place, { title, main: html`<p>${filled(place, nothingHere)}</p>` }), 200);
  }

  @Get(':page')
  @Operation('showPortalPage')
  async page(
    @Req() request: PortalRequest,
    @Res() response: Response,
    @WorkOf() work: Work,
    @Param('page') page: string,
    @Query('id') receiptId?: unknown,
    @Query('download') download?: unknown,
  ): Promise<void> {
    const place = await this.places.of(request);
    if (page !== 'receipt' && !isPortalPage(page)) throw refused('route_not_found');
    if (!place.session) return sendPage(response, signInPage(place, wrongIn(request)), 200);
    const asked = this.askedBy(place, request, work);
    if (page !== 'receipt') return sendPage(response, await this.shown(page, asked), 200);
    if (typeof receiptId !== 'string' || !isId('rct', receiptId)) throw refused('receipt_not_found');
    const receipt = await this.doors.receipt(asked.caller, receiptId);
    if (download === undefined)
      return sendPage(response, receiptPage(place, receiptId, receipt, this.verifyScript), 200);
    response
      .set({
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': `attachment; filename="${receiptId}.json"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      .end(JSON.stringify({ receipt: receipt.receipt, jws: receipt.jws }));
  }

  private askedBy(place: PortalPlace, request: PortalRequest, work: Work): Asked {
    const session = place.session!;
    return {
      place,
      caller: this.places.callerOf(request, place, session),
      subjectId: session.subjectId,
      request,
      work,
    };
  }

  private async shown(page: PortalPage, asked: Asked): Promise<ShownPage> {
    const { place, caller, subjectId, request, work } = asked;
    const query = request.query as Record<string, unknown>;
    const saved = query['done'] === 'saved';
    switch (page) {
      case 'preferences': {
        const view = await this.doors.preferencesOf(caller, subjectId, work);
        const wrong = typeof query['wrong'] === 'string' ? query['wrong'] : null;
        return preferencesPage(place, siteNames(this.catalogue, place).template, view, { saved, wrong });
      }
      case 'consents': {
        const seen = { place: edgePlace(request.headers, this.edge), gpc: hasGpc(request.headers) };
        const view = await this.doors.consentOf(caller, subjectId, seen, work);
        return consentsPage(place, this.catalogue.of(place.scope), view, saved);
      }
      case 'receipts': {
        const before = typeof query['before'] === 'string' ? query['before'] : null;
        return receiptsPage(
          place,
          siteNames(this.catalogue, place).names,
          await this.doors.receiptsOf(caller, subjectId, before),
        );
      }
      case 'requests': {
        const after = parsePosition(typeof query['at'] === 'string' ? query['at'] : undefined);
        const { scopes, limitedTo } = place.session!;
        const asksAboutPreferences = scopes.includes('requests:write') && scopes.includes('preferences:read');
        const [requests, view] = await Promise.all([
          this.doors.requestsOf(caller, subjectId, after, limitedTo),
          asksAboutPreferences ? this.doors.preferencesOf(caller, subjectId, work) : null,
        ]);
        const known = siteNames(this.catalogue, place);
        const news = after !== null ? 'requestSent' : query['done'] === 'open' ? 'requestOpen' : null;
        return requestsPage(place, known, requests, emptyDraft(known.template, view), news);
      }
    }
  }
}

const WRONG: readonly NoticeWord[] = ['linkOver', 'sessionOver', 'codeOver', 'tooMany', 'failed'];

/** Why a person was sent back to sign in, as the address says. */
function wrongIn({ query }: Request): NoticeWord | null {
  const named = query['wrong'];
  return WRONG.find((word) => word === named) ?? null;
}
