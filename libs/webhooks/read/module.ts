import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { WebhookStreamsModule } from '../streams.module.js';
import { WebhookEventsController } from './controller.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import { EndpointLists } from './endpoint-lists.js';
import { ListedEndpointsController, SiteListedEndpointsController } from './endpoints.controllers.js';
import { EventsController } from './events.controller.js';
import { FeedNews } from './feed-news.js';
import { EventFeed } from './feed.js';
import { GetEventsHandler } from './get-events.handler.js';

@Module({
  imports: [WebhookStreamsModule],
  providers: [EndpointLists, EndpointDeliveries],
  exports: [EndpointLists, EndpointDeliveries],
})
class EndpointListsModule {}

@Module({
  imports: [CqrsModule, EndpointListsModule],
  controllers: [WebhookEventsController, EventsController, ListedEndpointsController],
  providers: [EventFeed, FeedNews, GetEventsHandler],
})
export class WebhooksReadModule {}

/** For operators, whose paths lead to the role that writes. */
@Module({ imports: [EndpointListsModule], controllers: [SiteListedEndpointsController] })
export class SiteWebhooksReadModule {}
