import type { Fold, Instant, Scope } from '../kernel/index.js';
import type { DisabledReason, EndpointSettings, WebhookEndpointEvent, WebhookReplayRequestedData } from './events.js';

/** PAUSED: by an operator. DISABLED: the service gave up on the receiver. To neither anything is sent. */
export const ENDPOINT_STATES = ['ENABLED', 'PAUSED', 'DISABLED'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** An endpoint as it stands. */
export interface WebhookEndpoint extends EndpointSettings {
  /** `whe_…` */
  id: string;
  state: EndpointState;
  /** Null where it is not disabled. */
  disabledReason: DisabledReason | null;
  /** The secret that signs, sealed. */
  sealedSecret: string;
  /** The secret before, and until when it signs too; null where there was none. */
  previousSecret: { sealed: string; until: Instant } | null;
  createdAt: Instant;
  /** Null only while an event is decided and not yet recorded. */
  createdBy: string | null;
  /** When an operator or the service last changed it; tests, replays and retries do not count. */
  changedAt: Instant;
  /** The receiver began anew here: what an attempt before this showed of it does not count. */
  triedSince: Instant;
  /** What was last asked to be sent to it again; null where nothing was. */
  lastReplay: RequestedReplay | null;
}

/** Whether it is over stands in the tables of deliveries. */
export type RequestedReplay = Pick<WebhookReplayRequestedData, 'replayId' | 'requestedAt'>;

/** The endpoints of one site and environment. */
export interface WebhooksState {
  /** By id; those that were deleted are not there. */
  endpoints: Readonly<Record<string, WebhookEndpoint>>;
}

/** Streams of endpoints begin so; what follows is `<site>.<env>`. */
export const WEBHOOKS_PREFIX = 'webhooks-';
export const webhooksStream = ({ site, env }: Scope): string => `${WEBHOOKS_PREFIX}${site}.${env}`;

type Folded = WebhookEndpointEvent & { metadata?: { actor: string } };

export const webhooksFold: Fold<WebhooksState, Folded> = {
  initial: () => ({ endpoints: {} }),
  evolve: (state, event) => {
    switch (event.type) {
      case 'WebhookEndpointCreated': {
        const { endpointId, createdAt, ...settings } = event.data;
        const created: WebhookEndpoint = {
          ...settings,
          id: endpointId,
          state: 'ENABLED',
          disabledReason: null,
          previousSecret: null,
          createdAt,
          createdBy: event.metadata?.actor ?? null,
          changedAt: createdAt,
          triedSince: createdAt,
          lastReplay: null,
        };
        return { endpoints: { ...state.endpoints, [endpointId]: created } };
      }
      case 'WebhookEndpointChanged': {
        const { endpointId, changedAt, ...settings } = event.data;
        const hasMoved = settings.sealedUrl !== undefined;
        return withEndpoint(state, endpointId, () => ({
          ...settings,
          changedAt,
          ...(hasMoved && { triedSince: changedAt }),
        }));
      }
      case 'WebhookEndpointPaused': {
        const { endpointId, at } = event.data;
        return withEndpoint(state, endpointId, () => ({ state: 'PAUSED', disabledReason: null, changedAt: at }));
      }
      case 'WebhookEndpointResumed': {
        const { endpointId, at } = event.data;
        return withEndpoint(state, endpointId, () => ({
          state: 'ENABLED',
          disabledReason: null,
          changedAt: at,
          triedSince: at,
        }));
      }
      case 'WebhookEndpointDisabled': {
        const { endpointId, reason, at } = event.data;
        return withEndpoint(state, endpointId, () => ({ state: 'DISABLED', disabledReason: reason, changedAt: at }));
      }
      case 'WebhookSecretRotated': {
        const { endpointId, sealedSecret, previousUntil, rotatedAt } = event.data;
        return withEndpoint(state, endpointId, (before) => ({
          sealedSecret,
          previousSecret: { sealed: before.sealedSecret, until: previousUntil },
          changedAt: rotatedAt,
        }));
      }
      case 'WebhookEndpointDeleted': {
        const { [event.data.endpointId]: _, ...endpoints } = state.endpoints;
        return { endpoints };
      }
      case 'WebhookReplayRequested': {
        const { endpointId, replayId, requestedAt } = event.data;
        return withEndpoint(state, endpointId, () => ({ lastReplay: { replayId, requestedAt } }));
      }
      case 'WebhookTestRequested':
      case 'WebhookDeliveryRetried':
        return state;
      default:
        // Skipping an unknown event could send to a receiver that a newer release was asked to leave alone.
        throw new Error(`A stream of webhooks holds an event of unknown type "${(event as { type: string }).type}"`);
    }
  },
};

/** Of an endpoint that was deleted nothing is known, whatever is still said about it. */
function withEndpoint(
  state: WebhooksState,
  id: string,
  changed: (before: WebhookEndpoint) => Partial<WebhookEndpoint>,
): WebhooksState {
  const endpoint = endpointOf(state, id);
  if (!endpoint) return state;
  return { endpoints: { ...state.endpoints, [id]: { ...endpoint, ...changed(endpoint) } } };
}

/** An endpoint by its id. The id comes from a request and may be any text. */
export const endpointOf = ({ endpoints }: WebhooksState, id: string): WebhookEndpoint | undefined =>
  Object.hasOwn(endpoints, id) ? endpoints[id] : undefined;

/** All of them, the newest first. */
export const endpointsOf = ({ endpoints }: WebhooksState): WebhookEndpoint[] =>
  Object.values(endpoints).sort((a, b) => (a.id < b.id ? 1 : -1));
