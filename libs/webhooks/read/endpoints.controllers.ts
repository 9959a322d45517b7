import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Refused } from '../../kernel/index.js';
import { CallerOf, type Caller } from '../../http/caller.js';
import { ListQuery, paged } from '../../http/list.js';
import { Operation } from '../../http/contract/operation.js';
import { positionIn } from '../../http/position.js';
import { readQuery } from '../../http/contract/query.js';
import {
  WebhookEndpointListQuery,
  type ListedWebhookEndpointDto,
  type WebhookEndpointListDto,
} from '../endpoints/dto.js';
import type { WebhookDeliveryListDto } from '../endpoints/delivery.dto.js';
import { webhookRefusals } from '../refusals.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import { EndpointLists } from './endpoint-lists.js';

/** Endpoints of the site and environment of the caller. */
@Controller('v1/webhook-endpoints')
export class ListedEndpointsController {
  constructor(
    private readonly lists: EndpointLists,
    private readonly sent: EndpointDeliveries,
  ) {}

  @Get()
  @Operation('listWebhookEndpoints')
  async list(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookEndpointListDto> {
    const query = readQuery(WebhookEndpointListQuery, request.originalUrl);
    return paged(request, response, await this.lists.list(caller, query, positionIn(request.headers)));
  }

  @Get(':id')
  @Operation('getWebhookEndpoint')
  async get(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<ListedWebhookEndpointDto> {
    const endpoint = await this.lists.get(caller, id, positionIn(request.headers));
    if (!endpoint) throw new Refused(webhookRefusals.endpointNotFound());
    return endpoint;
  }

  @Get(':id/deliveries')
  @Operation('listWebhookDeliveries')
  async deliveries(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDeliveryListDto> {
    const query = readQuery(ListQuery, request.originalUrl);
    const page = await this.sent.list(caller, id, query, positionIn(request.headers));
    if (!page) throw new Refused(webhookRefusals.endpointNotFound());
    return paged(request, response, page);
  }
}
