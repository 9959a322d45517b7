import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import type { Work } from '../../kernel/index.js';
import { CallerOf, WorkOf, type CalledRequest, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { FrameworkQuery } from '../dto.js';
import { frameworkAnswer } from '../read/controller.js';
import { FrameworkReader } from '../read/framework-reader.js';
import type { GppStringDto } from './dto.js';
import { GetGppString } from './get-gpp-string.handler.js';

@Controller('v1/consent/gpp')
export class GppController {
  constructor(
    private readonly queries: QueryBus,
    private readonly reader: FrameworkReader,
  ) {}

  @Get()
  @Operation('getGppString')
  async gppString(
    @CallerOf() caller: Caller,
    @Req() request: Request & CalledRequest,
    @Res({ passthrough: true }) response: Response,
    @WorkOf() work: Work,
  ): Promise<GppStringDto | undefined> {
    const query = readQuery(FrameworkQuery, request.originalUrl);
    const question = this.reader.question(query, request, caller, work);
    return frameworkAnswer(response, await this.queries.execute(new GetGppString(question)));
  }
}
