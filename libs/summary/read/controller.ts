import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { SummaryQuery, type SummaryDto } from '../dto.js';
import { Summaries } from './summaries.js';

@Controller('admin/v1/summary')
export class SummaryController {
  constructor(private readonly summaries: Summaries) {}

  @Get()
  @Operation('getSummary')
  summary(@CallerOf() { roles }: Caller, @Req() request: Request): Promise<SummaryDto> {
    return this.summaries.of(roles!, readQuery(SummaryQuery, request.originalUrl));
  }
}
