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

/** Endpoints of the site and environment of a secret key. */
@Controller('v1/webhook-endpoints')
export class ListedEndpointsController {
  constructor(
    private readonly lists: EndpointLists,
    private readonly sent: EndpointDeliveries,
  ) {}

  @Get()
  @Operation('listWebhookEndpoints')
  list(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookEndpointListDto> {
    return listed(this.lists, caller, request, response);
  }

  @Get(':id')
  @Operation('getWebhookEndpoint')
  get(@CallerOf() caller: Caller, @Param('id') id: string, @Req() request: Request): Promise<ListedWebhookEndpointDto> {
    return found(this.lists, caller, id, request);
  }

  @Get(':id/deliveries')
  @Operation('listWebhookDeliveries')
  deliveries(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDeliveryListDto> {
    return delivered(this.sent, caller, id, request, response);
  }
}

/** The same for operators, of the site and environment that their path names. */
@Controller('admin/v1/sites/:site/:env/webhook-endpoints')
export class SiteListedEndpointsController {
  constructor(
    private readonly lists: EndpointLists,
    private readonly sent: EndpointDeliveries,
  ) {}

  @Get()
  @Operation('listSiteWebhookEndpoints')
  list(
    @CallerOf() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookEndpointListDto> {
    return listed(this.lists, caller, request, response);
  }

  @Get(':id')
  @Operation('getSiteWebhookEndpoint')
  get(@CallerOf() caller: Caller, @Param('id') id: string, @Req() request: Request): Promise<ListedWebhookEndpointDto> {
    return found(this.lists, caller, id, request);
  }

  @Get(':id/deliveries')
  @Operation('listSiteWebhookDeliveries')
  deliveries(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WebhookDeliveryListDto> {
    return delivered(this.sent, caller, id, request, response);
  }
}

async function listed(
  lists: EndpointLists,
  caller: Caller,
  request: Request,
  response: Response,
): Promise<WebhookEndpointListDto> {
  const query = readQuery(WebhookEndpointListQuery, request.originalUrl);
  return paged(request, response, await lists.list(caller, query, positionIn(request.headers)));
}

async function found(
  lists: EndpointLists,
  caller: Caller,
  id: string,
  request: Request,
): Promise<ListedWebhookEndpointDto> {
  const endpoint = await lists.get(caller, id, positionIn(request.headers));
  if (!endpoint) throw new Refused(webhookRefusals.endpointNotFound());
  return endpoint;
}

async function delivered(
  deliveries: EndpointDeliveries,
  caller: Caller,
  id: string,
  request: Request,
  response: Response,
): Promise<WebhookDeliveryListDto> {
  const page = await deliveries.list(
    caller,
    id,
    readQuery(ListQuery, request.originalUrl),
    positionIn(request.headers),
  );
  if (!page) throw new Refused(webhookRefusals.endpointNotFound());
  return paged(request, response, page);
}
