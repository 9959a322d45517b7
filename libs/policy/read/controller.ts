import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { parseInstant, type Instant } from '../../kernel/index.js';
import { EDGE_HEADERS, type EdgeHeaders } from '../../engines/config/edge-headers.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { Questions } from '../../http/questions.js';
import { edgePlace, placeNamed } from '../asked.js';
import { PolicyQuery } from '../dto.js';
import type { Whereabouts } from '../look-up.js';
import { GetPolicy } from './get-policy.handler.js';

interface Question {
  /** Null where the query names no place. */
  named: Whereabouts | null;
  at: Instant | null;
}

@Controller('v1/policy')
export class PolicyController {
  /** `Vary` of answers whose query names no place. */
  private readonly variesBy: string;
  private readonly questions = new Questions(questionOf);

  constructor(
    private readonly queries: QueryBus,
    @Inject(EDGE_HEADERS) private readonly edge: EdgeHeaders,
  ) {
    this.variesBy = ['Origin', 'Authorization', edge.country, edge.region].filter(Boolean).join(', ');
  }

  @Get()
  @Operation('getPolicy')
  async policy(@CallerOf() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { named, at } = this.questions.at(request.originalUrl);
    const place = named ?? edgePlace(request.headers, this.edge);
    const { body, etag, keptSeconds } = await this.queries.execute(
      new GetPolicy(caller, place, at, positionIn(request.headers)),
    );
    response.setHeader('Vary', this.variesBy);
    response.setHeader('ETag', etag);
    // Where the proxy's header gives the place, one address has many answers: only the visitor's own browser may keep one.
    const isShared = named !== null || this.edge.country === null;
    response.setHeader('Cache-Control', `${isShared ? 'public' : 'private'}, max-age=${keptSeconds}`);
    body.answer(request, response, etag);
  }
}

/** What the query names. Throws Refused where that is no place. */
function questionOf(url: string): Question {
  if (!url.includes('?')) return { named: null, at: null };
  const { country, region, at } = readQuery(PolicyQuery, url);
  return { named: placeNamed(country, region), at: at === undefined ? null : parseInstant(at) };
}
