import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { parseInstant, type Work } from '../../kernel/index.js';
import { CallerOf, WorkOf, type CalledRequest, type Caller } from '../../http/caller.js';
import { LIST_LIMIT_DEFAULT, paged, readHistoryCursor, type Page } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { answeredWithTag, stateAsked } from '../../http/state-read.js';
import { ConsentAnswers } from './consent-answers.js';
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
import type { ConsentStateView } from '../state-view.js';

@Controller('v1/subjects/:ref/consent')
export class ConsentReadController {
  constructor(
    private readonly queries: QueryBus,
    private readonly answers: ConsentAnswers,
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
    const asked = readQuery(ConsentStateQuery, request.originalUrl);
    const { purpose, country, region } = asked;
    const place = { ...(country !== undefined && { country }), ...(region !== undefined && { region }) };
    const query = new GetConsentState(
      caller,
      request.reference ?? ref,
      purpose && [...new Set(purpose)].sort(),
      this.answers.asked(request.headers, caller, place),
      stateAsked(asked, request.headers, work),
    );
    const { etag, view } = await this.queries.execute(query);
    return answeredWithTag(response, etag, view);
  }

  @Get('explain')
  @Operation('explainConsent')
  explain(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Req() request: Request,
    @WorkOf() work: Work,
  ): Promise<ExplanationDto> {
    const { purpose, asOf, ...place } = readQuery(ExplainQuery, request.originalUrl);
    const asked = this.answers.asked(request.headers, caller, place);
    const at = asOf === undefined ? null : parseInstant(asOf)!;
    return this.queries.execute(new ExplainConsent(caller, ref, purpose, at, asked, work));
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
    return paged(request, response, page);
  }
}
