import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SubjectReads } from '../../access/index.js';
import { Refused } from '../../kernel/index.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { paged } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import type { DataRequestCountsDto, DataRequestDto, DataRequestListDto } from '../dto.js';
import { DataRequestListQuery } from '../list.dto.js';
import { dataRequestRefusals } from '../refusals.js';
import { RequestViews } from '../request-views.js';
import { RequestLists } from './request-lists.js';

/** Requests of the site and environment of the caller. */
@Controller('v1/data-requests')
export class ListedDataRequestsController {
  constructor(
    private readonly lists: RequestLists,
    private readonly views: RequestViews,
    private readonly reads: SubjectReads,
  ) {}

  @Get()
  @Operation('listDataRequests')
  async list(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataRequestListDto> {
    const after = positionIn(request.headers);
    const page = await this.lists.list(caller, readQuery(DataRequestListQuery, request.originalUrl), after);
    return paged(request, response, page);
  }

  @Get('counts')
  @Operation('countDataRequests')
  counts(@CallerOf() caller: Caller, @Req() request: Request): Promise<DataRequestCountsDto> {
    return this.lists.counts(caller, positionIn(request.headers));
  }

  @Get(':id')
  @Operation('getDataRequest')
  async get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<DataRequestDto> {
    const found = await this.views.find(caller, id);
    if (!found) throw new Refused(dataRequestRefusals.notFound());
    this.reads.note(caller, found.subjectId);
    return this.views.of(found);
  }
}
