import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { WebhookEventsController } from './controller.js';
import { EventsController } from './events.controller.js';
import { FeedNews } from './feed-news.js';
import { EventFeed } from './feed.js';
import { GetEventsHandler } from './get-events.handler.js';

@Module({
  imports: [CqrsModule],
  controllers: [WebhookEventsController, EventsController],
  providers: [EventFeed, FeedNews, GetEventsHandler],
})
export class WebhooksReadModule {}
