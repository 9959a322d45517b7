import type { Instant } from '../kernel/index.js';
import type { DisabledReason } from './events.js';
import type { EndpointState, WebhookEndpoint } from './state.js';

/** An endpoint as its owner sees it: never with its secrets. */
export interface EndpointView {
  id: string;
  url: string;
  types: string[];
  state: EndpointState;
  disabledReason: DisabledReason | null;
  description: string | null;
  includeIdentifiers: boolean;
  previousSecretUntil: Instant | null;
  createdAt: Instant;
  createdBy: string;
  changedAt: Instant;
}

/** `url`: opened by the caller. */
export const endpointView = (endpoint: Omit<WebhookEndpoint, 'sealedUrl'>, url: string): EndpointView => ({
  id: endpoint.id,
  url,
  types: [...endpoint.types],
  state: endpoint.state,
  disabledReason: endpoint.disabledReason,
  description: endpoint.description,
  includeIdentifiers: endpoint.includeIdentifiers,
  previousSecretUntil: endpoint.previousSecret?.until ?? null,
  createdAt: endpoint.createdAt,
  createdBy: endpoint.createdBy!,
  changedAt: endpoint.changedAt,
});
