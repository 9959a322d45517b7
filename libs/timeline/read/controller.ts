import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { LIST_LIMIT_DEFAULT, paged, readHistoryCursor, type Page } from '../../http/list.js';
import { positionIn } from '../../http/position.js';
import type { TimelineItem } from '../../context/timeline-item.js';
import { TimelineQuery } from '../dto.js';
import { GetTimeline } from './get-timeline.handler.js';

@Controller('v1/subjects/:ref/timeline')
export class TimelineController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('getTimeline')
  async timeline(
    @CallerOf() caller: Caller,
    @Param('ref') ref: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<TimelineItem>> {
    const { types, limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(TimelineQuery, request.originalUrl);
    const after = cursor === undefined ? undefined : readHistoryCursor(cursor);
    const query = new GetTimeline(caller, ref, types, { after, limit }, positionIn(request.headers));
    response.setHeader('Cache-Control', 'private, no-store');
    return paged(request, response, await this.queries.execute(query));
  }
}
