import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { WebhookStreamsModule } from '../streams.module.js';
import { WebhookEventsController } from './controller.js';
import { EndpointDeliveries } from './endpoint-deliveries.js';
import { EndpointLists } from './endpoint-lists.js';
import { ListedEndpointsController } from './endpoints.controllers.js';
import { EventsController } from './events.controller.js';
import { FeedNews } from './feed-news.js';
import { EventFeed } from './feed.js';
import { GetEventsHandler } from './get-events.handler.js';

@Module({
  imports: [CqrsModule, WebhookStreamsModule],
  controllers: [WebhookEventsController, EventsController, ListedEndpointsController],
  providers: [EndpointLists, EndpointDeliveries, EventFeed, FeedNews, GetEventsHandler],
})
export class WebhooksReadModule {}
