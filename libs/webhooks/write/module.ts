import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Commands } from '../../commands/commands.js';
import { StoredDeliveries } from '../deliveries/stored-deliveries.js';
import { WebhookStreamsModule } from '../streams.module.js';
import { WebhookEndpointsController } from './controllers.js';
import { DisableFailingEndpointsHandler } from './disable-failing.handler.js';
import { EndpointRequests } from './endpoint-requests.js';
import { SendingRequests } from './sending-requests.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** Changes endpoints; for the modules that do so over HTTP or by themselves. */
@Module({ imports: [WebhookStreamsModule], providers: [WebhookEndpoints], exports: [WebhookEndpoints] })
export class WebhookEndpointsModule {}

@Module({
  imports: [WebhookEndpointsModule],
  controllers: [WebhookEndpointsController],
  providers: [EndpointRequests, SendingRequests, StoredDeliveries, Commands],
})
export class WebhooksWriteModule {}

/** Gives up on receivers, without a request. */
@Module({ imports: [CqrsModule, WebhookEndpointsModule], providers: [DisableFailingEndpointsHandler] })
export class WebhooksDispatcherModule {}
