import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { parseInstant, type Work } from '../../kernel/index.js';
import { CallerOf, WorkOf, type Caller } from '../../http/caller.js';
import { LIST_LIMIT_DEFAULT, paged, readHistoryCursor, type Page } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { answeredWithTag, stateAsked } from '../../http/state-read.js';
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
    const asked = stateAsked(readQuery(PreferencesQuery, request.originalUrl), request.headers, work);
    const { etag, view } = await this.queries.execute(new GetPreferences(caller, ref, asked));
    return answeredWithTag(response, etag, view);
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
    return paged(request, response, page);
  }
}
