import { Controller, Get, Inject, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { EFFECTIVE_CONSENT, type EffectiveConsent } from '../../consent/index.js';
import type { Work } from '../../kernel/index.js';
import { CallerOf, WorkOf, type CalledRequest, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { ExplainStringQuery, type ExplainedStringDto } from './dto.js';
import { ExplainString } from './explain-string.handler.js';
import type { StringFramework } from './explain.js';

/** Explains framework strings to people. */
@Controller('v1/consent')
export class DecodeController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(EFFECTIVE_CONSENT) private readonly consent: EffectiveConsent,
  ) {}

  @Get('tcstring/decode')
  @Operation('explainTcString')
  tcString(@CallerOf() caller: Caller, @Req() request: Request, @WorkOf() work: Work): Promise<ExplainedStringDto> {
    return this.explained('TCF', caller, request, work);
  }

  @Get('gpp/decode')
  @Operation('explainGppString')
  gppString(@CallerOf() caller: Caller, @Req() request: Request, @WorkOf() work: Work): Promise<ExplainedStringDto> {
    return this.explained('GPP', caller, request, work);
  }

  private explained(
    framework: StringFramework,
    caller: Caller,
    request: Request & CalledRequest,
    work: Work,
  ): Promise<ExplainedStringDto> {
    const { string, subject, ...place } = readQuery(ExplainStringQuery, request.originalUrl);
    const options = { fresh: true, after: null, ifNoneMatch: undefined, work };
    const asked = this.consent.asked(request.headers, caller, place);
    const question = subject === undefined ? null : { caller, ref: request.reference ?? subject, asked, options };
    return this.queries.execute(new ExplainString(framework, string, question));
  }
}
