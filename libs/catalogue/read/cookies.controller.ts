import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../http/caller.js';
import { LIST_LIMIT_DEFAULT, paged, readCursor, writeCursor } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { Questions } from '../../http/questions.js';
import { CookieListQuery } from '../cookies/dto.js';
import { cached, wishesOf } from './exchange.js';
import { GetCookies } from './get-cookies.handler.js';

@Controller('v1/cookies')
export class CookiesReadController {
  private readonly questions = new Questions((url) => {
    const { locale, purpose, limit = LIST_LIMIT_DEFAULT, cursor } = readQuery(CookieListQuery, url);
    return {
      locale,
      purpose,
      page: { limit, from: cursor === undefined ? 0 : readCursor(cursor, ['number'] as const)[0] },
    };
  });

  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('listCookies')
  async list(@CallerOf() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { locale, purpose, page: wanted } = this.questions.at(request.originalUrl);
    const {
      etag,
      locale: shown,
      body,
      next,
    } = await this.queries.execute(
      new GetCookies(caller, purpose, wishesOf(request, locale), positionIn(request.headers), wanted),
    );
    if (cached(request, response, etag, [shown])) return void response.end();
    paged(request, response, { nextCursor: next === null ? null : writeCursor([next]) });
    body.answer(request, response, etag);
  }
}
