import { Controller, Get, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import type { Work } from '../../kernel/index.js';
import { CallerOf, WorkOf, type Caller } from '../../http/caller.js';
import type { FastExpressAdapter } from '../../http/fast-express.adapter.js';
import { LIST_LIMIT_DEFAULT } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import { invalid } from '../../http/errors/refused.js';
import { WebhookTypes } from '../../context/webhook-types.js';
import { issuesOfPatterns } from '../types/type-patterns.js';
import { FeedQuery, LATEST } from './feed.dto.js';
import type { FeedPage } from './feed.js';
import { GetEvents } from './get-events.handler.js';

@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly webhooks: WebhookTypes,
    private readonly host: HttpAdapterHost<FastExpressAdapter>,
  ) {}

  @Get()
  @Operation('listEvents')
  async list(
    @CallerOf() caller: Caller,
    @WorkOf() work: Work,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { after, types, limit = LIST_LIMIT_DEFAULT, wait = 0 } = readQuery(FeedQuery, request.originalUrl);
    const issues = issuesOfPatterns(types ?? [], this.webhooks.names, 'types');
    if (issues.length > 0) throw invalid(issues);
    const written = positionIn(request.headers);
    const { ending } = this.host.httpAdapter;
    const over = new AbortController();
    const end = (): void => over.abort();
    response.once('close', end);
    ending.addEventListener('abort', end, { once: true });
    if (ending.aborted) end();
    try {
      const patience = {
        ms: wait * 1_000,
        until: over.signal,
        waited: (ms: number) => void (request.waitedMs = (request.waitedMs ?? 0) + ms),
      };
      const from = after === undefined || after === LATEST ? (after ?? null) : Number(after);
      const question = new GetEvents(caller, from, types ?? null, limit, patience, written, work);
      answer(request, response, await this.queries.execute(question));
    } finally {
      ending.removeEventListener('abort', end);
      response.off('close', end);
    }
  }
}

/** The bodies go out as they are delivered; parsing and writing them again could change them. */
function answer(request: Request, response: Response, { bodies, through, hasMore }: FeedPage): void {
  const nextCursor = through === null ? null : String(through);
  if (nextCursor !== null) response.setHeader('Link', nextLinkOf(request.originalUrl, nextCursor));
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(`{"data":[${bodies.join(',')}],"nextCursor":${JSON.stringify(nextCursor)},"hasMore":${hasMore}}`);
}

function nextLinkOf(originalUrl: string, after: string): string {
  const query = new URLSearchParams(originalUrl.split('?', 2)[1] ?? '');
  query.set('after', after);
  return `</v1/events?${query.toString()}>; rel="next"`;
}
