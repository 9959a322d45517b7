import { Module } from '@nestjs/common';
import { Commands } from '../../commands/commands.js';
import { StoredDeliveries } from '../deliveries/stored-deliveries.js';
import { EndpointRequests } from '../write/endpoint-requests.js';
import { WebhookEndpointsModule } from '../write/module.js';
import { SendingRequests } from '../write/sending-requests.js';
import { WebhookPagesController } from './controller.js';

/** The page for operators: where their other paths lead, to the role that writes. */
@Module({
  imports: [WebhookEndpointsModule],
  controllers: [WebhookPagesController],
  providers: [EndpointRequests, SendingRequests, StoredDeliveries, Commands],
})
export class WebhookPagesModule {}
