import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../../http/caller.js';
import { LIST_LIMIT_DEFAULT, paged, readCursor } from '../../../http/list.js';
import { Operation } from '../../../http/contract/operation.js';
import { positionIn } from '../../../http/position.js';
import { readQuery } from '../../../http/contract/query.js';
import { placeNamed } from '../../../policy/services.js';
import { ListRenewals } from './list-renewals.handler.js';
import { RenewalsQuery, type RenewalListDto } from './renewals.dto.js';

@Controller('v1/purposes/:key/renewals')
export class RenewalsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('listRenewals')
  async list(
    @CallerOf() caller: Caller,
    @Param('key') key: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RenewalListDto> {
    const { country, limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(RenewalsQuery, request.originalUrl);
    const after = cursor === undefined ? '' : readCursor(cursor, ['string'] as const)[0];
    const place = placeNamed(country, undefined);
    const page = await this.queries.execute(
      new ListRenewals(caller, key, place?.country ?? null, limit, after, positionIn(request.headers)),
    );
    return paged(request, response, page);
  }
}
