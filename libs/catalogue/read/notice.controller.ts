import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../http/caller.js';
import { ifNoneMatchHits, weakETag } from '../../http/answers/conditional.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { NOTICE_VIEW_VERSION } from '../notices/notice.js';
import type { PublishedTextDto } from '../notices/dto.js';
import { GetNotice } from './get-notice.handler.js';

/** A year: the text of a hash never changes. */
const KEPT_S = 31_536_000;

@Controller('v1/notices')
export class NoticeReadController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':hash')
  @Operation('getNotice')
  async notice(
    @CallerOf() caller: Caller,
    @Param('hash') hash: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PublishedTextDto | undefined> {
    const notice = await this.queries.execute(new GetNotice(caller, hash, positionIn(request.headers)));
    const etag = weakETag(`n${NOTICE_VIEW_VERSION}.${hash}`);
    response.setHeader('ETag', etag);
    response.setHeader('Cache-Control', `public, max-age=${KEPT_S}, immutable`);
    response.vary('Authorization');
    response.setHeader('Content-Language', notice.locale);
    if (!ifNoneMatchHits(request.headers['if-none-match'], etag)) return notice;
    response.status(304);
    return undefined;
  }
}
