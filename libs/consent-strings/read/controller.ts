import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import type { Work } from '../../kernel/index.js';
import { CallerOf, WorkOf, type CalledRequest, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { answeredWithTag } from '../../http/state-read.js';
import {
  FrameworkQuery,
  TcStringQuery,
  type AdditionalConsentDto,
  type GoogleConsentModeDto,
  type TcStringDto,
} from '../dto.js';
import type { FrameworkAnswer } from './framework-answers.js';
import { FrameworkReader, type FrameworkQuestion } from './framework-reader.js';
import { GetAdditionalConsent, GetGoogleConsentMode } from './get-google-consent.handler.js';
import { GetTcString } from './get-tc-string.handler.js';

/** A subject's choices, in the formats of ad tech and Google. */
@Controller('v1/consent')
export class FrameworksController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reader: FrameworkReader,
  ) {}

  @Get('tcstring')
  @Operation('getTcString')
  async tcString(
    @CallerOf() caller: Caller,
    @Req() request: Request & CalledRequest,
    @Res({ passthrough: true }) response: Response,
    @WorkOf() work: Work,
  ): Promise<TcStringDto | undefined> {
    const query = readQuery(TcStringQuery, request.originalUrl);
    const question = this.reader.question(query, request, caller, work);
    return frameworkAnswer(response, await this.queries.execute(new GetTcString(question, query.format === 'tcdata')));
  }

  @Get('google-consent-mode')
  @Operation('getGoogleConsentMode')
  async googleConsentMode(
    @CallerOf() caller: Caller,
    @Req() request: Request & CalledRequest,
    @Res({ passthrough: true }) response: Response,
    @WorkOf() work: Work,
  ): Promise<GoogleConsentModeDto | undefined> {
    return frameworkAnswer(
      response,
      await this.queries.execute(new GetGoogleConsentMode(this.question(request, caller, work))),
    );
  }

  @Get('google-additional-consent')
  @Operation('getAdditionalConsent')
  async additionalConsent(
    @CallerOf() caller: Caller,
    @Req() request: Request & CalledRequest,
    @Res({ passthrough: true }) response: Response,
    @WorkOf() work: Work,
  ): Promise<AdditionalConsentDto | undefined> {
    return frameworkAnswer(
      response,
      await this.queries.execute(new GetAdditionalConsent(this.question(request, caller, work))),
    );
  }

  private question(request: Request & CalledRequest, caller: Caller, work: Work): FrameworkQuestion {
    return this.reader.question(readQuery(FrameworkQuery, request.originalUrl), request, caller, work);
  }
}

/** An answer with its tag; 304 if the caller has it already. */
export function frameworkAnswer<A>(response: Response, { etag, answer }: FrameworkAnswer<A>): A | undefined {
  return answeredWithTag(response, etag, answer);
}
