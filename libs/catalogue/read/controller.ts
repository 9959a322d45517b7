import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../platform/http/caller.js';
import { ifNoneMatchHits } from '../../platform/http/conditional.js';
import { Operation } from '../../platform/http/operation.js';
import { LOG_POSITION_HEADER, parsePosition } from '../../platform/http/position.js';
import { readQuery } from '../../platform/http/query.js';
import { acceptedLocales } from '../locale.js';
import { LocaleQuery, type PurposeDto, type PurposeListDto } from '../dto.js';
import { GetPurposes, type PurposesAnswer } from './get-purposes.handler.js';

@Controller('v1/purposes')
export class CatalogueReadController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('listPurposes')
  list(@CallerOf() caller: Caller, @Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<PurposeListDto | undefined> {
    return this.answer(caller, request, response, { kind: 'all' }, listed);
  }

  @Get(':key/current')
  @Operation('getPurpose')
  current(@CallerOf() caller: Caller, @Param('key') key: string, @Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<PurposeDto | undefined> {
    return this.answer(caller, request, response, { kind: 'current', key }, ([purpose]) => purpose!);
  }

  @Get(':key/versions')
  @Operation('listPurposeVersions')
  versions(@CallerOf() caller: Caller, @Param('key') key: string, @Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<PurposeListDto | undefined> {
    return this.answer(caller, request, response, { kind: 'versions', key }, listed);
  }

  @Get(':key/versions/:n')
  @Operation('getPurposeVersion')
  version(@CallerOf() caller: Caller, @Param('key') key: string, @Param('n') n: string, @Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<PurposeDto | undefined> {
    return this.answer(caller, request, response, { kind: 'version', key, version: /^\d{1,9}$/.test(n) ? Number(n) : 0 }, ([purpose]) => purpose!);
  }

  private async answer<T>(caller: Caller, request: Request, response: Response, what: GetPurposes['what'], shape: (purposes: PurposeDto[]) => T): Promise<T | undefined> {
    const { locale } = readQuery(LocaleQuery, request.originalUrl);
    const wishes = [...(locale === undefined ? [] : [locale]), ...acceptedLocales(request.headers['accept-language'])];
    const { etag, purposes } = await this.queries.execute<GetPurposes, PurposesAnswer>(new GetPurposes(caller, what, wishes, parsePosition(request.headers[LOG_POSITION_HEADER.toLowerCase()])));
    const locales = [...new Set(purposes.map((purpose) => purpose.locale))];
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.vary('Accept-Language');
    response.vary('Authorization');
    if (locales.length > 0) response.setHeader('Content-Language', locales.join(', '));
    if (!ifNoneMatchHits(request.headers['if-none-match'], etag)) return shape(purposes);
    response.status(304);
    return undefined;
  }
}

const listed = (data: PurposeDto[]): PurposeListDto => ({ data, nextCursor: null, hasMore: false });
