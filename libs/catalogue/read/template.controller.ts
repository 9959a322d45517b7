import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { CallerOf, type Caller } from '../../http/caller.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { LocaleQuery } from '../dto.js';
import type { TemplateView } from '../template/template-view.js';
import { cached, wishesOf } from './exchange.js';
import { GetTemplate } from './get-template.handler.js';

@Controller('v1/preference-template')
export class TemplateReadController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('getPreferenceTemplate')
  async current(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplateView | undefined> {
    const { etag, template } = await this.queries.execute(
      new GetTemplate(
        caller,
        wishesOf(request, readQuery(LocaleQuery, request.originalUrl).locale),
        positionIn(request.headers),
      ),
    );
    return cached(request, response, etag, [template.locale]) ? undefined : template;
  }
}
