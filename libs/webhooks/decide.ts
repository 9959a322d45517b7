import { happened, plusMs, type Decision, type Instant } from '../kernel/index.js';
import { SECRET_OVERLAP_MS } from './secret-overlap.js';
import type {
  DisabledReason,
  EndpointSettings,
  WebhookEndpointChangedData,
  WebhookEndpointCreatedData,
  WebhookEndpointEvent,
  WebhookReplayRequestedData,
} from './events.js';
import { webhookRefusals } from './refusals.js';
import { endpointOf, type EndpointState, type WebhookEndpoint, type WebhooksState } from './state.js';

/** Endpoints of one site and environment: each event is looked at for each of them. */
export const ENDPOINTS_MAX = 50;

/** The secret was minted and sealed by the caller: a decision has no randomness and no keys. */
export interface CreateEndpoint {
  type: 'create';
  endpoint: WebhookEndpointCreatedData;
}

/** What is left out stays as it is. */
export interface ChangeEndpoint {
  type: 'change';
  endpointId: string;
  wanted: Partial<Omit<EndpointSettings, 'sealedUrl'>> & { url?: WantedUrl; state?: SwitchedState };
  at: Instant;
}

/** An address that the same text seals to different bytes: only who can open them knows whether it is the one that is there. */
export interface WantedUrl {
  sealed: string;
  isThatOf: (endpoint: WebhookEndpoint) => boolean;
}

/** What an owner can switch an endpoint to. */
export const SWITCHED_STATES = ['ENABLED', 'PAUSED'] as const satisfies readonly EndpointState[];
export type SwitchedState = (typeof SWITCHED_STATES)[number];

/** The service gives up on the receiver. */
export interface DisableEndpoint {
  type: 'disable';
  endpointId: string;
  reason: DisabledReason;
  /** When the attempt was made whose answer says so. */
  triedAt: Instant;
  at: Instant;
}

export interface RotateSecret {
  type: 'rotateSecret';
  endpointId: string;
  sealedSecret: string;
  reason: string | null;
  at: Instant;
}

export interface DeleteEndpoint {
  type: 'delete';
  endpointId: string;
  at: Instant;
}

export interface TestEndpoint {
  type: 'test';
  endpointId: string;
  at: Instant;
}

export interface ReplayEvents {
  type: 'replay';
  replay: WebhookReplayRequestedData;
  /** The replay to this endpoint that is known to be over: none may have been asked for since. Null: none is. */
  over: string | null;
}

export interface RetryDelivery {
  type: 'retry';
  endpointId: string;
  deliveryId: string;
  at: Instant;
}

export type WebhookCommand =
  | CreateEndpoint
  | ChangeEndpoint
  | DisableEndpoint
  | RotateSecret
  | DeleteEndpoint
  | TestEndpoint
  | ReplayEvents
  | RetryDelivery;

export function decideWebhooks(command: WebhookCommand, state: WebhooksState): Decision<WebhookEndpointEvent> {
  if (command.type === 'create') return createEndpoint(command, state);
  const endpointId = command.type === 'replay' ? command.replay.endpointId : command.endpointId;
  const endpoint = endpointOf(state, endpointId);
  // The service itself comes late where an operator deleted the endpoint meanwhile.
  if (!endpoint) return command.type === 'disable' ? happened() : webhookRefusals.endpointNotFound();
  switch (command.type) {
    case 'change':
      return changeEndpoint(command, endpoint);
    case 'disable':
      return disableEndpoint(command, endpoint);
    case 'rotateSecret':
      return rotateSecret(command, endpoint);
    case 'delete':
      return happened({ type: 'WebhookEndpointDeleted', data: { endpointId, deletedAt: command.at } });
    default:
      return endpoint.state === 'ENABLED' ? send(command, endpoint) : webhookRefusals.notEnabled(endpoint.state);
  }
}

function createEndpoint({ endpoint }: CreateEndpoint, state: WebhooksState): Decision<WebhookEndpointEvent> {
  if (endpointOf(state, endpoint.endpointId)) return happened();
  return Object.keys(state.endpoints).length < ENDPOINTS_MAX
    ? happened({ type: 'WebhookEndpointCreated', data: endpoint })
    : webhookRefusals.tooManyEndpoints(ENDPOINTS_MAX);
}

function changeEndpoint({ wanted, at }: ChangeEndpoint, endpoint: WebhookEndpoint): Decision<WebhookEndpointEvent> {
  const { url, state: switched, ...settings } = wanted;
  if (switched === 'PAUSED' && endpoint.state === 'DISABLED') return webhookRefusals.alreadyDisabled();
  const different = Object.entries(settings).filter(
    ([name, value]) => !isSame(value, endpoint[name as keyof typeof settings]),
  );
  const changed: Partial<EndpointSettings> = {
    ...(url && !url.isThatOf(endpoint) && { sealedUrl: url.sealed }),
    ...(Object.fromEntries(different) as Partial<EndpointSettings>),
  };
  const { id: endpointId } = endpoint;
  const data: WebhookEndpointChangedData = { endpointId, ...changed, changedAt: at };
  const events: WebhookEndpointEvent[] = [];
  if (Object.keys(changed).length > 0) events.push({ type: 'WebhookEndpointChanged', data });
  if (switched !== undefined && switched !== endpoint.state)
    events.push({
      type: switched === 'PAUSED' ? 'WebhookEndpointPaused' : 'WebhookEndpointResumed',
      data: { endpointId, at },
    });
  return happened(...events);
}

/** A list of types is the same whatever its order. */
function isSame(wanted: unknown, stands: unknown): boolean {
  if (!Array.isArray(wanted) || !Array.isArray(stands)) return wanted === stands;
  return wanted.length === stands.length && wanted.every((each) => stands.includes(each));
}

/** What was found out before the endpoint was resumed, or led elsewhere, is no reason any more. */
function disableEndpoint(
  { reason, triedAt, at }: DisableEndpoint,
  endpoint: WebhookEndpoint,
): Decision<WebhookEndpointEvent> {
  if (endpoint.state !== 'ENABLED' || triedAt < endpoint.triedSince) return happened();
  return happened({ type: 'WebhookEndpointDisabled', data: { endpointId: endpoint.id, reason, at } });
}

function rotateSecret(
  { sealedSecret, reason, at }: RotateSecret,
  endpoint: WebhookEndpoint,
): Decision<WebhookEndpointEvent> {
  if (endpoint.sealedSecret === sealedSecret) return happened();
  return happened({
    type: 'WebhookSecretRotated',
    data: {
      endpointId: endpoint.id,
      sealedSecret,
      previousUntil: plusMs(at, SECRET_OVERLAP_MS),
      rotatedAt: at,
      reason,
    },
  });
}

function send(
  command: TestEndpoint | ReplayEvents | RetryDelivery,
  { lastReplay }: WebhookEndpoint,
): Decision<WebhookEndpointEvent> {
  switch (command.type) {
    case 'test':
      return happened({
        type: 'WebhookTestRequested',
        data: { endpointId: command.endpointId, requestedAt: command.at },
      });
    case 'replay': {
      const { replay, over } = command;
      if (replay.fromSequence > replay.throughSequence) return webhookRefusals.nothingToReplay();
      if (lastReplay && lastReplay.replayId !== over) return webhookRefusals.replayRunning(lastReplay.replayId);
      return happened({ type: 'WebhookReplayRequested', data: replay });
    }
    case 'retry': {
      const { endpointId, deliveryId, at } = command;
      return happened({ type: 'WebhookDeliveryRetried', data: { endpointId, deliveryId, requestedAt: at } });
    }
  }
}
