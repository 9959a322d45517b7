import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../platform/http/caller.js';
import { Operation } from '../../platform/http/operation.js';
import type { PurposeDto, PurposeListDto } from '../dto.js';
import { cached, positionOf, wishesOf } from './exchange.js';
import { GetPurposes } from './get-purposes.handler.js';

@Controller('v1/purposes')
export class CatalogueReadController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('listPurposes')
  list(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PurposeListDto | undefined> {
    return this.answer(caller, request, response, { kind: 'all' }, listed);
  }

  @Get(':key/current')
  @Operation('getPurpose')
  current(
    @CallerOf() caller: Caller,
    @Param('key') key: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PurposeDto | undefined> {
    return this.answer(caller, request, response, { kind: 'current', key }, ([purpose]) => purpose!);
  }

  @Get(':key/versions')
  @Operation('listPurposeVersions')
  versions(
    @CallerOf() caller: Caller,
    @Param('key') key: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PurposeListDto | undefined> {
    return this.answer(caller, request, response, { kind: 'versions', key }, listed);
  }

  @Get(':key/versions/:n')
  @Operation('getPurposeVersion')
  version(
    @CallerOf() caller: Caller,
    @Param('key') key: string,
    @Param('n') n: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PurposeDto | undefined> {
    return this.answer(
      caller,
      request,
      response,
      { kind: 'version', key, version: /^[1-9]\d{0,8}$/.test(n) ? Number(n) : 0 },
      ([purpose]) => purpose!,
    );
  }

  private async answer<T>(
    caller: Caller,
    request: Request,
    response: Response,
    what: GetPurposes['what'],
    shape: (purposes: PurposeDto[]) => T,
  ): Promise<T | undefined> {
    const { etag, purposes } = await this.queries.execute(
      new GetPurposes(caller, what, wishesOf(request), positionOf(request)),
    );
    return cached(request, response, etag, [...new Set(purposes.map((purpose) => purpose.locale))])
      ? undefined
      : shape(purposes);
  }
}

const listed = (data: PurposeDto[]): PurposeListDto => ({ data, nextCursor: null, hasMore: false });
