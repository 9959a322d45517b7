import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { acceptedLocales } from '../../../pages/locale.js';
import { CallerOf, type Caller } from '../../../http/caller.js';
import { Operation } from '../../../http/contract/operation.js';
import { readQuery } from '../../../http/contract/query.js';
import { Questions } from '../../../http/questions.js';
import { VendorListQuery } from '../dto.js';
import { GetVendorList } from './get-list.handler.js';

/** How long a page may cache the list in use, in seconds. That list changes once a week. */
const IN_USE_S = 3_600;
/** A year: the list of a number never changes. Except the synthetic one, whose number a real list may have too. */
const BY_NUMBER_S = 31_536_000;

@Controller('v1/tcf')
export class VendorListController {
  private readonly questions = new Questions((url) => readQuery(VendorListQuery, url));

  constructor(private readonly queries: QueryBus) {}

  @Get('vendor-list')
  @Operation('getVendorList')
  async list(@CallerOf() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { version, locale: wish } = this.questions.at(request.originalUrl);
    const wishes = [...(wish === undefined ? [] : [wish]), ...acceptedLocales(request.headers['accept-language'])];
    const { etag, locale, isSynthetic, body } = await this.queries.execute(new GetVendorList(caller, version, wishes));
    const isForEver = version !== undefined && !isSynthetic;
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', `public, max-age=${isForEver ? BY_NUMBER_S : IN_USE_S}`);
    response.vary('Accept-Language').vary('Authorization');
    response.setHeader('Content-Language', locale);
    body.answer(request, response, etag);
  }
}
