import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SubjectReads } from '../../access/index.js';
import { Refused } from '../../kernel/index.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { paged } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import type { DataRequestDto, DataRequestListDto } from '../dto.js';
import { DataRequestListQuery } from '../list.dto.js';
import { dataRequestRefusals } from '../refusals.js';
import { RequestViews } from '../request-views.js';
import { RequestLists } from './request-lists.js';

/** Requests of the site and environment of a secret key. */
@Controller('v1/data-requests')
export class ListedDataRequestsController {
  constructor(
    private readonly lists: RequestLists,
    private readonly views: RequestViews,
    private readonly reads: SubjectReads,
  ) {}

  @Get()
  @Operation('listDataRequests')
  list(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataRequestListDto> {
    return listed(this.lists, caller, request, response);
  }

  @Get(':id')
  @Operation('getDataRequest')
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<DataRequestDto> {
    return shown(this.views, this.reads, caller, id);
  }
}

/** The same for operators, of the site and environment that their path names. */
@Controller('admin/v1/sites/:site/:env/data-requests')
export class SiteListedDataRequestsController {
  constructor(
    private readonly lists: RequestLists,
    private readonly views: RequestViews,
    private readonly reads: SubjectReads,
  ) {}

  @Get()
  @Operation('listSiteDataRequests')
  list(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataRequestListDto> {
    return listed(this.lists, caller, request, response);
  }

  @Get(':id')
  @Operation('getSiteDataRequest')
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<DataRequestDto> {
    return shown(this.views, this.reads, caller, id);
  }
}

async function listed(
  lists: RequestLists,
  caller: Caller,
  request: Request,
  response: Response,
): Promise<DataRequestListDto> {
  const after = positionIn(request.headers);
  const page = await lists.list(caller, readQuery(DataRequestListQuery, request.originalUrl), after);
  return paged(request, response, page);
}

async function shown(views: RequestViews, reads: SubjectReads, caller: Caller, id: string): Promise<DataRequestDto> {
  const found = await views.find(caller, id);
  if (!found) throw new Refused(dataRequestRefusals.notFound());
  reads.note(caller, found.subjectId);
  return views.of(found);
}
