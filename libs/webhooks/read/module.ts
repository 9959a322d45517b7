import { Module } from '@nestjs/common';
import { WebhookEventsController } from './controller.js';

@Module({ controllers: [WebhookEventsController] })
export class WebhooksReadModule {}
