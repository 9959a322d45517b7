import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../http/caller.js';
import { quality } from '../../http/accept.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { ReceiptQuery, type ReceiptDto } from './dto.js';
import { GetReceipt } from './get-receipt.handler.js';

/** Media type of a bare JWS (RFC 7515 section 9.2.1). */
export const JOSE = 'application/jose';

@Controller('v1/receipts')
export class ReceiptsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id')
  @Operation('getReceipt')
  async receipt(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReceiptDto | string> {
    const { token, format = 'assent' } = readQuery(ReceiptQuery, request.originalUrl);
    // The capability is the permission, whatever page shows it.
    if (caller.kind === 'none') response.setHeader('Access-Control-Allow-Origin', '*');
    response.vary('Accept');
    response.setHeader('Cache-Control', 'private, no-store');
    const after = positionIn(request.headers);
    const signed = await this.queries.execute(new GetReceipt(caller, id, token, format, after));
    if (!prefersJose(request.headers.accept)) return signed;
    response.setHeader('Content-Type', JOSE);
    return signed.jws;
  }
}

/** Only where it is named: `*` means JSON. */
const prefersJose = (accept: string | undefined): boolean =>
  accept !== undefined &&
  accept.toLowerCase().includes(JOSE) &&
  quality(accept, JOSE) > 0 &&
  quality(accept, JOSE) >= quality(accept, 'application/json');
