import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../http/caller.js';
import { LIST_LIMIT_DEFAULT, paged, readCursor, writeCursor } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { LocaleQuery, PurposeListQuery, type PurposeDto, type PurposeListDto } from '../dto.js';
import { cached, wishesOf } from './exchange.js';
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
    return this.page(caller, request, response, { kind: 'all' });
  }

  @Get(':key/current')
  @Operation('getPurpose')
  current(
    @CallerOf() caller: Caller,
    @Param('key') key: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PurposeDto | undefined> {
    return this.one(caller, request, response, { kind: 'current', key });
  }

  @Get(':key/versions')
  @Operation('listPurposeVersions')
  versions(
    @CallerOf() caller: Caller,
    @Param('key') key: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PurposeListDto | undefined> {
    return this.page(caller, request, response, { kind: 'versions', key });
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
    return this.one(caller, request, response, {
      kind: 'version',
      key,
      version: /^[1-9]\d{0,8}$/.test(n) ? Number(n) : 0,
    });
  }

  private async one(
    caller: Caller,
    request: Request,
    response: Response,
    what: GetPurposes['what'],
  ): Promise<PurposeDto | undefined> {
    const { locale } = readQuery(LocaleQuery, request.originalUrl);
    const { etag, purposes } = await this.queries.execute(
      new GetPurposes(caller, what, wishesOf(request, locale), positionIn(request.headers)),
    );
    return cached(request, response, etag, [purposes[0]!.locale]) ? undefined : purposes[0]!;
  }

  private async page(
    caller: Caller,
    request: Request,
    response: Response,
    what: GetPurposes['what'] & { kind: 'all' | 'versions' },
  ): Promise<PurposeListDto | undefined> {
    const { locale, limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(PurposeListQuery, request.originalUrl);
    const after = cursor === undefined ? undefined : readCursor(cursor, [CURSORS[what.kind]] as const)[0];
    const { etag, purposes, next } = await this.queries.execute(
      new GetPurposes(caller, what, wishesOf(request, locale), positionIn(request.headers), {
        limit,
        ...(after !== undefined && { after }),
      }),
    );
    const page = { data: purposes, nextCursor: next === null ? null : writeCursor([next]), hasMore: next !== null };
    if (cached(request, response, etag, [...new Set(purposes.map((purpose) => purpose.locale))])) return undefined;
    return paged(request, response, page);
  }
}

/** The cursor of a page: the key of its last purpose, or the number of its last version. */
const CURSORS = { all: 'string', versions: 'number' } as const;
