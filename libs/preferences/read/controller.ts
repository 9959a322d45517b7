import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { parseInstant, type Work } from '../../kernel/index.js';
import { CallerOf, WorkOf, type Caller } from '../../platform/http/caller.js';
import { LIST_LIMIT_DEFAULT, nextLink, readHistoryCursor, type Page } from '../../platform/http/list.js';
import { Operation } from '../../platform/http/operation.js';
import { LOG_POSITION_HEADER, parsePosition } from '../../platform/http/position.js';
import { readQuery } from '../../platform/http/query.js';
import type { PreferencesView } from '../view.js';
import { PreferenceHistoryQuery, PreferencesQuery, type PreferenceHistoryItemDto } from './dto.js';
import { GetPreferenceHistory } from './get-preference-history.handler.js';
import { GetPreferences } from './get-preferences.handler.js';

@Controller('v1/subjects/:ref/preferences')
export class PreferenceReadController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('getPreferences')
  async state(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @WorkOf() work: Work,
  ): Promise<PreferencesView | undefined> {
    const { fresh, asOf } = readQuery(PreferencesQuery, request.originalUrl);
    const query = new GetPreferences(caller, ref, {
      fresh: fresh === true || /\bno-cache\b/i.test(request.headers['cache-control'] ?? ''),
      ...(asOf !== undefined && { asOf: parseInstant(asOf)! }),
      after: parsePosition(request.headers[LOG_POSITION_HEADER.toLowerCase()]),
      ifNoneMatch: request.headers['if-none-match'],
      work,
    });
    const { etag, view } = await this.queries.execute(query);
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (view) return view;
    response.status(304);
    return undefined;
  }

  @Get('history')
  @Operation('getPreferenceHistory')
  async history(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<PreferenceHistoryItemDto>> {
    const { field, from, to, limit, cursor } = readQuery(PreferenceHistoryQuery, request.originalUrl);
    const filter = {
      ...(field !== undefined && { field }),
      ...(from !== undefined && { from: parseInstant(from)! }),
      ...(to !== undefined && { to: parseInstant(to)! }),
    };
    const after = cursor === undefined ? undefined : readHistoryCursor(cursor);
    const page = await this.queries.execute(
      new GetPreferenceHistory(caller, ref, filter, limit ?? LIST_LIMIT_DEFAULT, after),
    );
    const link = nextLink(request.originalUrl, page);
    if (link) response.setHeader('Link', link);
    return page;
  }
}
