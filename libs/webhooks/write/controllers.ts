import { Controller, Delete, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { Operation } from '../../http/contract/operation.js';
import type {
  ChangeWebhookEndpointDto,
  CreateWebhookEndpointDto,
  DeletedWebhookEndpointDto,
  ReplayWebhookEventsDto,
  RotateWebhookSecretDto,
  WebhookEndpointDto,
  WebhookEndpointWithSecretDto,
} from '../endpoints/dto.js';
import type { RequestedWebhookTestDto, RetriedWebhookDeliveryDto, WebhookReplayDto } from '../endpoints/request.dto.js';
import { CallOf, type Call } from './call.js';
import { EndpointRequests } from './endpoint-requests.js';
import { SendingRequests } from './sending-requests.js';

/** Endpoints of the site and environment of the caller. */
@Controller('v1')
export class WebhookEndpointsController {
  constructor(
    private readonly requests: EndpointRequests,
    private readonly sending: SendingRequests,
  ) {}

  @Post('webhook-endpoints')
  @HttpCode(201)
  @Operation('createWebhookEndpoint')
  create(@CallOf() call: Call<CreateWebhookEndpointDto>): Promise<WebhookEndpointWithSecretDto> {
    return this.requests.create(call);
  }

  @Patch('webhook-endpoints/:id')
  @Operation('changeWebhookEndpoint')
  change(@CallOf() call: Call<ChangeWebhookEndpointDto>, @Param('id') id: string): Promise<WebhookEndpointDto> {
    return this.requests.update(call, id);
  }

  @Delete('webhook-endpoints/:id')
  @Operation('deleteWebhookEndpoint')
  delete(@CallOf() call: Call<null>, @Param('id') id: string): Promise<DeletedWebhookEndpointDto> {
    return this.requests.delete(call, id);
  }

  @Post('webhook-endpoints/:id/rotate-secret')
  @HttpCode(200)
  @Operation('rotateWebhookSecret')
  rotate(@CallOf() call: Call<RotateWebhookSecretDto>, @Param('id') id: string): Promise<WebhookEndpointWithSecretDto> {
    return this.requests.rotateSecret(call, id);
  }

  @Post('webhook-endpoints/:id/test')
  @HttpCode(202)
  @Operation('testWebhookEndpoint')
  test(@CallOf() call: Call<null>, @Param('id') id: string): Promise<RequestedWebhookTestDto> {
    return this.sending.test(call, id);
  }

  @Post('webhook-endpoints/:id/replay')
  @HttpCode(202)
  @Operation('replayWebhookEvents')
  replay(@CallOf() call: Call<ReplayWebhookEventsDto>, @Param('id') id: string): Promise<WebhookReplayDto> {
    return this.sending.replay(call, id);
  }

  @Post('webhook-deliveries/:id/retry')
  @HttpCode(202)
  @Operation('retryWebhookDelivery')
  retry(@CallOf() call: Call<null>, @Param('id') id: string): Promise<RetriedWebhookDeliveryDto> {
    return this.sending.retry(call, id);
  }
}
