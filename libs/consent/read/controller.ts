import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { parseInstant, type Work } from '../../kernel/index.js';
import { CallerOf, WorkOf, type CalledRequest, type Caller } from '../../platform/http/caller.js';
import { LIST_LIMIT_DEFAULT, nextLink, readHistoryCursor, type Page } from '../../platform/http/list.js';
import { Operation } from '../../platform/http/operation.js';
import { LOG_POSITION_HEADER, parsePosition } from '../../platform/http/position.js';
import { readQuery } from '../../platform/http/query.js';
import {
  ConsentHistoryQuery,
  ConsentStateQuery,
  ExplainQuery,
  type ConsentHistoryItemDto,
  type ExplanationDto,
} from './dto.js';
import { ExplainConsent } from './explain-consent.handler.js';
import { GetConsentHistory } from './get-consent-history.handler.js';
import { GetConsentState } from './get-consent-state.handler.js';
import { EDGE_HEADERS, type EdgeHeaders } from '../../platform/config/edge-headers.js';
import { edgePlace, placeNamed } from '../../policy/asked.js';
import type { Asked } from '../circumstances.js';
import type { ConsentStateView } from '../state-view.js';

@Controller('v1/subjects/:ref/consent')
export class ConsentReadController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(EDGE_HEADERS) private readonly edge: EdgeHeaders,
  ) {}

  @Get()
  @Operation('getConsentState')
  async state(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Req() request: Request & CalledRequest,
    @Res({ passthrough: true }) response: Response,
    @WorkOf() work: Work,
  ): Promise<ConsentStateView | undefined> {
    const { purpose, fresh, asOf, knownAt, ...place } = readQuery(ConsentStateQuery, request.originalUrl);
    const query = new GetConsentState(
      caller,
      request.reference ?? ref,
      purpose && [...new Set(purpose)].sort(),
      this.asked(request, caller, place),
      {
        fresh: fresh === true || /\bno-cache\b/i.test(request.headers['cache-control'] ?? ''),
        ...(asOf !== undefined && { asOf: parseInstant(asOf)! }),
        ...(knownAt !== undefined && { knownAt: parseInstant(knownAt)! }),
        after: parsePosition(request.headers[LOG_POSITION_HEADER.toLowerCase()]),
        ifNoneMatch: request.headers['if-none-match'],
        work,
      },
    );
    const { etag, view } = await this.queries.execute(query);
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (view) return view;
    response.status(304);
    return undefined;
  }

  @Get('explain')
  @Operation('explainConsent')
  explain(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Req() request: Request,
    @WorkOf() work: Work,
  ): Promise<ExplanationDto> {
    const { purpose, ...place } = readQuery(ExplainQuery, request.originalUrl);
    return this.queries.execute(new ExplainConsent(caller, ref, purpose, this.asked(request, caller, place), work));
  }

  @Get('history')
  @Operation('getConsentHistory')
  async history(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<ConsentHistoryItemDto>> {
    const { purpose, from, to, limit, cursor } = readQuery(ConsentHistoryQuery, request.originalUrl);
    const filter = {
      ...(purpose !== undefined && { purpose }),
      ...(from !== undefined && { from: parseInstant(from)! }),
      ...(to !== undefined && { to: parseInstant(to)! }),
    };
    const after = cursor === undefined ? undefined : readHistoryCursor(cursor);
    const page = await this.queries.execute(
      new GetConsentHistory(caller, ref, filter, limit ?? LIST_LIMIT_DEFAULT, after),
    );
    const link = nextLink(request.originalUrl, page);
    if (link) response.setHeader('Link', link);
    return page;
  }

  /** Proxy and signal tell of the person where the person's own browser asks, with a public key; a server's headers do not. */
  private asked(request: Request, caller: Caller, { country, region }: { country?: string; region?: string }): Asked {
    const named = placeNamed(country, region);
    const isBrowser = caller.kind === 'pk';
    const seen = named === null && isBrowser ? edgePlace(request.headers, this.edge) : null;
    return {
      place: named ? { ...named, by: 'REQUEST' } : seen?.country ? { ...seen, by: 'PROXY' } : null,
      gpcOnRequest: isBrowser && request.headers['sec-gpc'] === '1',
    };
  }
}
