import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { readQuery } from '../../http/contract/query.js';
import { invalid } from '../../http/errors/refused.js';
import { LIST_LIMIT_DEFAULT, paged, readCursor, writeCursor } from '../../http/list.js';
import { Refused } from '../../kernel/index.js';
import { catalogueRefusals } from '../refusals.js';
import { catalogueVersion } from '../state.js';
import { DraftDesk } from './draft-desk.js';
import {
  CatalogueDifferenceQuery,
  CatalogueVersionsQuery,
  type CatalogueDifferenceDto,
  type CatalogueVersionDto,
  type CatalogueVersionListDto,
} from './dto.js';
import { catalogueDifference, catalogueVersionAt } from './versions.js';

/** What was published together, and how it differs. */
@Controller('admin/v1/sites/:site/:env/catalogue/versions')
export class CatalogueVersionsController {
  constructor(private readonly desk: DraftDesk) {}

  @Get()
  @Operation('listCatalogueVersions')
  async list(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueVersionListDto> {
    const { limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(CatalogueVersionsQuery, request.originalUrl);
    const state = await this.desk.catalogue(caller);
    const newest = catalogueVersion(state);
    const first = cursor === undefined ? newest : Math.min(newest, readCursor(cursor, ['number'] as const)[0]);
    const numbers = Array.from({ length: Math.min(limit, first) }, (_, i) => first - i);
    const next = first - numbers.length;
    response.setHeader('Cache-Control', 'private, no-store');
    return paged(request, response, {
      data: numbers.map(
        (n) => ({ object: 'catalogue_version', ...catalogueVersionAt(state, n)! }) as CatalogueVersionDto,
      ),
      nextCursor: next > 0 ? writeCursor([next]) : null,
      hasMore: next > 0,
    });
  }

  @Get(':n/diff')
  @Operation('compareCatalogueVersions')
  async compare(
    @CallerOf() caller: Caller,
    @Param('n') text: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CatalogueDifferenceDto> {
    const { from } = readQuery(CatalogueDifferenceQuery, request.originalUrl);
    const state = await this.desk.catalogue(caller);
    const newest = catalogueVersion(state);
    const n = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
    if (n < 1 || n > newest) throw new Refused(catalogueRefusals.catalogueVersionNotFound(newest));
    if (from !== undefined && from > newest)
      throw invalid([{ path: 'from', message: `must be from 0 to ${newest}, the newest version` }]);
    response.setHeader('Cache-Control', 'private, no-store');
    return { object: 'catalogue_difference', ...catalogueDifference(state, from ?? n - 1, n) };
  }
}
