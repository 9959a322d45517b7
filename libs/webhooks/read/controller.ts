import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MadeOnce } from '../../http/docs/made-once.js';
import { Operation } from '../../http/contract/operation.js';
import { DELIVERY_CONTRACT } from '../deliveries/delivery-contract.js';
import { WebhookTypes } from '../../context/webhook-types.js';
import type { WebhookCatalogueDto } from '../dto.js';
import { eventCatalogue } from '../types/event-catalogue.js';

@Controller('v1/webhook-events')
export class WebhookEventsController {
  private readonly made = new MadeOnce();

  constructor(private readonly types: WebhookTypes) {}

  @Get()
  @Operation('listWebhookEvents')
  list(@Req() request: Request, @Res() response: Response): void {
    this.made.send(request, response, 'events', 'application/json; charset=utf-8', () =>
      JSON.stringify({ events: eventCatalogue(this.types), delivery: DELIVERY_CONTRACT } satisfies WebhookCatalogueDto),
    );
  }
}
