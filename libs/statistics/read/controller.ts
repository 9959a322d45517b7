import { Controller, Get, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import { CallerOf, type Caller } from '../../platform/http/caller.js';
import { Operation } from '../../platform/http/operation.js';
import { LOG_POSITION_HEADER, parsePosition } from '../../platform/http/position.js';
import { readQuery } from '../../platform/http/query.js';
import { invalid } from '../../platform/http/refused.js';
import { placeNamed } from '../../policy/asked.js';
import { ConsentStatisticsQuery, type ConsentStatisticsDto } from '../dto.js';
import { GetConsentStatistics } from './get-consent-statistics.handler.js';

@Controller('v1/statistics')
export class StatisticsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('consent')
  @Operation('getConsentStatistics')
  consent(@CallerOf() caller: Caller, @Req() request: Request): Promise<ConsentStatisticsDto> {
    const { purpose, country, from, to, by } = readQuery(ConsentStatisticsQuery, request.originalUrl);
    const place = placeNamed(country, undefined);
    if (place && by !== undefined && by !== 'month')
      throw invalid(
        [{ path: 'by', message: 'must be month where a country is named' }],
        'Ask for one country by month, or for all countries by day or week: from both together people could be told apart.',
      );
    return this.queries.execute(
      new GetConsentStatistics(
        caller,
        purpose,
        place?.country ?? null,
        by ?? (place ? 'month' : 'day'),
        from,
        to,
        parsePosition(request.headers[LOG_POSITION_HEADER.toLowerCase()]),
      ),
    );
  }
}
