import { Inject, Injectable } from '@nestjs/common';
import type { EventLog } from '../../log/port.js';
import { EVENT_LOG } from '../../log/tokens.js';
import { CLOCK, parseInstant, Refused, type Clock, type Scope } from '../../kernel/index.js';
import { invalid } from '../../http/errors/refused.js';
import { deliveryIdOf, readDeliveryId } from '../deliveries/delivery-id.js';
import type { ReplayWebhookEventsDto } from '../endpoints/dto.js';
import type { RequestedWebhookTestDto, RetriedWebhookDeliveryDto, WebhookReplayDto } from '../endpoints/request.dto.js';
import { envelopesOf, lastSequenceOf } from '../envelope.js';
import { WebhookTypes } from '../../context/webhook-types.js';
import { webhookRefusals } from '../refusals.js';
import { StoredDeliveries } from '../deliveries/stored-deliveries.js';
import type { Call } from './call.js';
import { EndpointRequests, happened, only, requireKnown } from './endpoint-requests.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** What is asked to be sent over HTTP, and what is answered: it is recorded, and sent a moment later. Throws Refused. */
@Injectable()
export class SendingRequests {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly requests: EndpointRequests,
    private readonly stored: StoredDeliveries,
    private readonly types: WebhookTypes,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async test(call: Call<null>, endpointId: string): Promise<RequestedWebhookTestDto> {
    const { site, env } = call.caller;
    const done = await this.requests.change(call, (by) => this.endpoints.test(call.caller, endpointId, by));
    const { metadata, ...event } = happened(done, 'WebhookTestRequested');
    const logged = { ...event, site, env, subjectId: null, recordedAt: metadata.recordedAt };
    const { id: eventId, sequence } = envelopesOf(logged, env, this.types)[0]!;
    return {
      endpointId,
      eventId,
      sequence,
      deliveryId: deliveryIdOf({ endpoint: endpointId, eventId, replayId: null }),
      requestedAt: event.data.requestedAt,
    };
  }

  async replay(call: Call<ReplayWebhookEventsDto>, endpointId: string): Promise<WebhookReplayDto> {
    const { types = null } = call.input;
    const done = await this.requests.change(call, async (by) => {
      requireKnown(types ?? [], this.types);
      const fromSequence = await this.beginningOf(call.caller, call.input);
      const throughSequence = lastSequenceOf(await this.log.head());
      const last = await this.endpoints.lastReplay(call.caller, endpointId);
      const over = last && (await this.stored.isOver(last, this.clock())) ? last.replayId : null;
      return this.endpoints.replay(call.caller, { endpointId, fromSequence, throughSequence, types }, over, by);
    });
    const { replayId: id, ...replay } = only(done, 'WebhookReplayRequested');
    return { id, ...replay, types: replay.types && [...replay.types] };
  }

  async retry(call: Call<null>, deliveryId: string): Promise<RetriedWebhookDeliveryDto> {
    const delivery = readDeliveryId(deliveryId);
    if (!delivery) throw new Refused(webhookRefusals.deliveryNotFound());
    const { endpoint: endpointId } = delivery;
    const done = await this.requests.change(call, async (by) => {
      if (!(await this.stored.has(call.caller, delivery))) return webhookRefusals.deliveryNotFound();
      return this.endpoints.retry(call.caller, endpointId, deliveryId, by);
    });
    return { id: deliveryId, endpointId, requestedAt: only(done, 'WebhookDeliveryRetried').requestedAt };
  }

  /** The first sequence that a replay sends. */
  private async beginningOf(scope: Scope, { fromSequence, since }: ReplayWebhookEventsDto): Promise<number> {
    const isEither = (fromSequence === undefined) !== (since === undefined);
    if (!isEither) throw invalid([{ path: 'since', message: 'must be given, or fromSequence: one of the two' }]);
    if (fromSequence !== undefined) return fromSequence;
    const from = parseInstant(since!)!;
    if (from > this.clock()) throw invalid([{ path: 'since', message: 'must not be in the future' }]);
    return this.stored.firstSince(scope, from);
  }
}
