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
  const query = readQuery(ConsentStatisticsQuery, request.originalUrl);
  const { purpose: purposes = [], country, split, imported = 'without', from, to, by } = query;
  const place = placeNamed(country, undefined);
  if (place && split !== undefined)
    throw invalid(
      [{ path: 'split', message: 'must be left out where a country is named' }],
      'Ask for one split at a time: two together could identify a person.',
    );
  const isSplit = place !== null || split !== undefined;
  if (isSplit && by !== undefined && by !== 'month')
    throw invalid(
      [{ path: 'by', message: 'must be month where a country or a split is named' }],
      'Ask for a split by month, or for all together by day or week: both together could identify a person.',
    );
  const asked = {
    purposes,
    split: place ? 'country' : (split ?? null),
    value: place?.country ?? null,
    imported,
    by: by ?? (isSplit ? 'month' : 'day'),
  } as const;
  return new GetConsentStatistics(scope, asked, from, to, positionIn(request.headers));
}
