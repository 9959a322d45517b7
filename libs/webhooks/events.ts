import { defineEvent } from '../streams/codec.js';
import type { DomainEvent, Instant } from '../kernel/index.js';

/*
 * What operators and owners of secret keys did to the endpoints of one site and environment, and what the service itself
 * found out about them. Who did it stands in the metadata (`actor`). Nothing in it is about a person.
 */

/** GONE: the receiver answered 410. FAILING: nothing but failures for five days. */
export const DISABLED_REASONS = ['GONE', 'FAILING'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What an owner says of an endpoint, and can change later. */
export interface EndpointSettings {
  /** Where deliveries go, sealed: receivers put tokens into their addresses. See `sealed-fields.ts`. */
  sealedUrl: string;
  /** `*`, `consent.*` or a type: see `type-patterns.ts`. */
  types: readonly string[];
  description: string | null;
  /** Whether bodies name the identifiers of the subject in clear. */
  includeIdentifiers: boolean;
}

export interface WebhookEndpointCreatedData extends EndpointSettings {
  /** `whe_…` */
  endpointId: string;
  /** The 32 bytes of the key that signs deliveries, sealed. */
  sealedSecret: string;
  createdAt: Instant;
}

/** Holds the settings that changed, each whole. */
export interface WebhookEndpointChangedData extends Partial<EndpointSettings> {
  endpointId: string;
  changedAt: Instant;
}

/** An operator paused it, or let it go on. */
export interface WebhookEndpointSwitchedData {
  endpointId: string;
  at: Instant;
}

/** The service gave up on the receiver. */
export interface WebhookEndpointDisabledData {
  endpointId: string;
  reason: DisabledReason;
  at: Instant;
}

export interface WebhookSecretRotatedData {
  endpointId: string;
  sealedSecret: string;
  /** The secret before signs too, up to here. Of older ones none does any more. */
  previousUntil: Instant;
  rotatedAt: Instant;
  reason: string | null;
}

export interface WebhookEndpointDeletedData {
  endpointId: string;
  deletedAt: Instant;
}

/** A `webhook.test` is to be sent to this endpoint. */
export interface WebhookTestRequestedData {
  endpointId: string;
  requestedAt: Instant;
}

/** Events are to be sent again that were sent before. Sequences are inclusive. */
export interface WebhookReplayRequestedData {
  endpointId: string;
  /** `whr_…` */
  replayId: string;
  fromSequence: number;
  /** Where the log ended at that moment: what comes later is delivered anyway. */
  throughSequence: number;
  /** Patterns, beside those of the endpoint; null: all that the endpoint is sent. */
  types: readonly string[] | null;
  requestedAt: Instant;
}

/** One delivery is to be tried again at once. */
export interface WebhookDeliveryRetriedData {
  endpointId: string;
  /** See `delivery-id.ts`. */
  deliveryId: string;
  requestedAt: Instant;
}

export type WebhookEndpointCreated = DomainEvent<'WebhookEndpointCreated', WebhookEndpointCreatedData>;
export type WebhookEndpointChanged = DomainEvent<'WebhookEndpointChanged', WebhookEndpointChangedData>;
export type WebhookEndpointPaused = DomainEvent<'WebhookEndpointPaused', WebhookEndpointSwitchedData>;
export type WebhookEndpointResumed = DomainEvent<'WebhookEndpointResumed', WebhookEndpointSwitchedData>;
export type WebhookEndpointDisabled = DomainEvent<'WebhookEndpointDisabled', WebhookEndpointDisabledData>;
export type WebhookSecretRotated = DomainEvent<'WebhookSecretRotated', WebhookSecretRotatedData>;
export type WebhookEndpointDeleted = DomainEvent<'WebhookEndpointDeleted', WebhookEndpointDeletedData>;
export type WebhookTestRequested = DomainEvent<'WebhookTestRequested', WebhookTestRequestedData>;
export type WebhookReplayRequested = DomainEvent<'WebhookReplayRequested', WebhookReplayRequestedData>;
export type WebhookDeliveryRetried = DomainEvent<'WebhookDeliveryRetried', WebhookDeliveryRetriedData>;

export type WebhookEndpointEvent =
  | WebhookEndpointCreated
  | WebhookEndpointChanged
  | WebhookEndpointPaused
  | WebhookEndpointResumed
  | WebhookEndpointDisabled
  | WebhookSecretRotated
  | WebhookEndpointDeleted
  | WebhookTestRequested
  | WebhookReplayRequested
  | WebhookDeliveryRetried;

/** Stream `webhooks-<site>.<env>`. */
export const WEBHOOK_ENDPOINT_EVENTS = (
  [
    'WebhookEndpointCreated',
    'WebhookEndpointChanged',
    'WebhookEndpointPaused',
    'WebhookEndpointResumed',
    'WebhookEndpointDisabled',
    'WebhookSecretRotated',
    'WebhookEndpointDeleted',
    'WebhookTestRequested',
    'WebhookReplayRequested',
    'WebhookDeliveryRetried',
  ] as const satisfies readonly WebhookEndpointEvent['type'][]
).map((type) => defineEvent({ type, version: 1, personal: [] }));
