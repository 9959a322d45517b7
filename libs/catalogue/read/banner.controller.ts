import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { EDGE_HEADERS, type EdgeHeaders } from '../../engines/config/edge-headers.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { Questions } from '../../http/questions.js';
import { edgePlace, placeNamed } from '../../policy/services.js';
import { BannerQuery } from '../banner/dto.js';
import { wishesOf } from './exchange.js';
import { GetBannerManifest } from './get-banner-manifest.handler.js';
import { GetBanner } from './get-banner.handler.js';

/** How long a server may go on with an old manifest while it asks for a new one. A page that took an old banner draws it anew. */
const STALE_SECONDS = 86_400;

@Controller('v1/banner')
export class BannerReadController {
  /** Names of headers that change the answer, besides place, language and caller. */
  private readonly variesBy: string;
  private readonly questions = new Questions((url) => {
    const { country, region, locale, contentHash } = readQuery(BannerQuery, url);
    return { named: placeNamed(country, region), wish: locale, contentHash: contentHash ?? null };
  });

  constructor(
    private readonly queries: QueryBus,
    @Inject(EDGE_HEADERS) private readonly edge: EdgeHeaders,
  ) {
    this.variesBy = ['Origin', 'Authorization', 'Accept-Language', edge.country, edge.region]
      .filter(Boolean)
      .join(', ');
  }

  @Get()
  @Operation('getBanner')
  async banner(@CallerOf() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { named, wish, contentHash } = this.questions.at(request.originalUrl);
    const place = named ?? edgePlace(request.headers, this.edge);
    const { body, etag, locale, keptSeconds } = await this.queries.execute(
      new GetBanner(caller, place, wishesOf(request, wish), positionIn(request.headers), contentHash),
    );
    response.setHeader('Vary', this.variesBy);
    response.setHeader('ETag', etag);
    // If the proxy names the place, one address has many answers, and only the visitor's own browser may cache one.
    const isShared = named !== null || this.edge.country === null;
    response.setHeader('Cache-Control', `${isShared ? 'public' : 'private'}, max-age=${keptSeconds}`);
    response.setHeader('Content-Language', locale);
    body.answer(request, response, etag);
  }

  @Get('manifest')
  @Operation('getBannerManifest')
  async manifest(@CallerOf() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { body, etag, keptSeconds } = await this.queries.execute(
      new GetBannerManifest(caller, positionIn(request.headers)),
    );
    response.setHeader('Vary', 'Origin, Authorization');
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', `public, max-age=${keptSeconds}, stale-while-revalidate=${STALE_SECONDS}`);
    body.answer(request, response, etag);
  }
}
