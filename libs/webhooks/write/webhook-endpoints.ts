import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { decideOnce, type DoneBy } from '../../commands/decide-on-stream.js';
import type { Happened, Stream } from '../../streams/stream.js';
import {
  CLOCK,
  epochMs,
  fold,
  isRefusal,
  newId,
  type Clock,
  type Instant,
  type Position,
  type Refusal,
  type Scope,
} from '../../kernel/index.js';
import { MasterKey } from '../../vault/master-key.js';
import { decideWebhooks, type SwitchedState, type WebhookCommand } from '../decide.js';
import type { DisabledReason, EndpointSettings, WebhookEndpointEvent, WebhookReplayRequestedData } from '../events.js';
import { openUrl, sealSecret, sealUrl } from '../sealed-fields.js';
import { SECRET_BYTES } from '../sending/signature.js';
import { endpointOf, webhooksFold, webhooksStream, type RequestedReplay, type WebhooksState } from '../state.js';
import { WEBHOOK_STREAMS } from '../tokens.js';

/** What an owner says of an endpoint. `url` was judged by the caller. */
export type WantedEndpoint = Omit<EndpointSettings, 'sealedUrl'> & { url: string };

/** `events`: what was done, now or under the same key before; none where nothing was there to do. */
export interface EndpointsDone {
  refused: false;
  /** Right afterwards. */
  state: WebhooksState;
  events: readonly Happened<WebhookEndpointEvent>[];
  /** Of the last event; null where there is none. */
  position: Position | null;
}

/** Writes the streams of endpoints. Everything rejects with LogUnavailable where the log cannot be reached. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    @Inject(WEBHOOK_STREAMS) private readonly streams: Stream<WebhooksState, WebhookEndpointEvent>,
    private readonly master: MasterKey,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  create(scope: Scope, { url, ...settings }: WantedEndpoint, by: DoneBy): Promise<EndpointsDone | Refusal> {
    const at = this.clock();
    const endpointId = newId('whe', epochMs(at), randomBytes);
    const endpoint = {
      endpointId,
      sealedUrl: sealUrl(this.master, endpointId, url),
      ...settings,
      sealedSecret: sealSecret(this.master, endpointId, randomBytes(SECRET_BYTES)),
      createdAt: at,
    };
    return this.carryOut(scope, { type: 'create', endpoint }, by);
  }

  /** What is left out stays as it is. */
  change(
    scope: Scope,
    endpointId: string,
    { url, ...wanted }: Partial<WantedEndpoint> & { state?: SwitchedState },
    by: DoneBy,
  ): Promise<EndpointsDone | Refusal> {
    const { master } = this;
    const wantedUrl = url !== undefined && {
      sealed: sealUrl(master, endpointId, url),
      isThatOf: ({ id, sealedUrl }: { id: string; sealedUrl: string }) => openUrl(master, id, sealedUrl) === url,
    };
    const command = {
      type: 'change',
      endpointId,
      wanted: { ...wanted, ...(wantedUrl && { url: wantedUrl }) },
    } as const;
    return this.carryOut(scope, { ...command, at: this.clock() }, by);
  }

  rotateSecret(scope: Scope, endpointId: string, reason: string | null, by: DoneBy): Promise<EndpointsDone | Refusal> {
    const sealedSecret = sealSecret(this.master, endpointId, randomBytes(SECRET_BYTES));
    return this.carryOut(scope, { type: 'rotateSecret', endpointId, sealedSecret, reason, at: this.clock() }, by);
  }

  delete(scope: Scope, endpointId: string, by: DoneBy): Promise<EndpointsDone | Refusal> {
    return this.carryOut(scope, { type: 'delete', endpointId, at: this.clock() }, by);
  }

  /** Lets a `webhook.test` be sent to the endpoint. */
  test(scope: Scope, endpointId: string, by: DoneBy): Promise<EndpointsDone | Refusal> {
    return this.carryOut(scope, { type: 'test', endpointId, at: this.clock() }, by);
  }

  /** What was last asked to be sent to the endpoint again; null where nothing was, or there is no such endpoint. */
  async lastReplay(scope: Scope, endpointId: string): Promise<RequestedReplay | null> {
    const { state } = await this.streams.load(webhooksStream(scope));
    return endpointOf(state, endpointId)?.lastReplay ?? null;
  }

  /** Lets what was sent before be sent to the endpoint again. `over`: see `ReplayEvents`. */
  replay(
    scope: Scope,
    wanted: Omit<WebhookReplayRequestedData, 'replayId' | 'requestedAt'>,
    over: string | null,
    by: DoneBy,
  ): Promise<EndpointsDone | Refusal> {
    const requestedAt = this.clock();
    const replayId = newId('whr', epochMs(requestedAt), randomBytes);
    return this.carryOut(scope, { type: 'replay', replay: { ...wanted, replayId, requestedAt }, over }, by);
  }

  /** Lets one delivery be tried again at once. That there is one was looked up by the caller. */
  retry(scope: Scope, endpointId: string, deliveryId: string, by: DoneBy): Promise<EndpointsDone | Refusal> {
    return this.carryOut(scope, { type: 'retry', endpointId, deliveryId, at: this.clock() }, by);
  }

  /**
   * Gives up on a receiver; nothing where that was done before, or where the endpoint was paused, deleted, led elsewhere
   * or resumed since. `triedAt`: when the attempt was made whose answer says so.
   */
  disable(
    scope: Scope,
    endpointId: string,
    reason: DisabledReason,
    triedAt: Instant,
  ): Promise<EndpointsDone | Refusal> {
    const command = { type: 'disable', endpointId, reason, triedAt, at: this.clock() } as const;
    return this.carryOut(scope, command, { actor: 'system:webhooks' });
  }

  private async carryOut(scope: Scope, command: WebhookCommand, by: DoneBy): Promise<EndpointsDone | Refusal> {
    const done = await decideOnce(this.streams, {
      ...{ stream: webhooksStream(scope), by, clock: this.clock },
      decide: (state) => decideWebhooks(command, state),
    });
    if (isRefusal(done)) return done;
    const { before, events, position } = done;
    return { refused: false, state: fold(webhooksFold, events, before), events, position };
  }
}
