import { Controller, Get, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request } from 'express';
import type { Scope } from '../../kernel/index.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { invalid } from '../../http/errors/refused.js';
import { placeNamed } from '../../policy/services.js';
import { ConsentStatisticsQuery, type ConsentStatisticsDto } from '../dto.js';
import { GetConsentStatistics } from './get-consent-statistics.handler.js';

@Controller('v1/statistics')
export class StatisticsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('consent')
  @Operation('getConsentStatistics')
  consent(@CallerOf() caller: Caller, @Req() request: Request): Promise<ConsentStatisticsDto> {
    return this.queries.execute(questionIn(request, caller));
  }
}

function questionIn(request: Request, scope: Scope): GetConsentStatistics {
  const { purpose, country, from, to, by } = readQuery(ConsentStatisticsQuery, request.originalUrl);
  const place = placeNamed(country, undefined);
  if (place && by !== undefined && by !== 'month')
    throw invalid(
      [{ path: 'by', message: 'must be month where a country is named' }],
      'Ask for one country by month, or for all countries by day or week: both together could identify a person.',
    );
  return new GetConsentStatistics(
    scope,
    purpose,
    place?.country ?? null,
    by ?? (place ? 'month' : 'day'),
    from,
    to,
    positionIn(request.headers),
  );
}
