import { CATALOGUE_WEBHOOKS } from './catalogue.js';
import { CONSENT_WEBHOOKS } from './consent.js';
import { DATA_REQUEST_WEBHOOKS } from './data-requests.js';
import { ENDPOINT_WEBHOOKS } from './endpoints.js';
import { KEY_WEBHOOKS } from './keys.js';
import { PREFERENCE_WEBHOOKS } from './preferences.js';
import { RECEIPT_WEBHOOKS } from './receipts.js';
import { SUBJECT_WEBHOOKS } from './subjects.js';
import { VENDOR_LIST_WEBHOOKS } from './vendor-list.js';
import type { WebhookType } from './webhook-type.js';

/**
 * Every type that is sent. Their order is part of what receivers have: of several webhook events that one event of the
 * log makes, it decides the `sequence`. Whoever adds a type adds it behind all others of the same events of the log.
 */
export const WEBHOOK_TYPES: readonly WebhookType[] = [
  ...CONSENT_WEBHOOKS,
  ...PREFERENCE_WEBHOOKS,
  ...SUBJECT_WEBHOOKS,
  ...CATALOGUE_WEBHOOKS,
  ...RECEIPT_WEBHOOKS,
  ...KEY_WEBHOOKS,
  ...ENDPOINT_WEBHOOKS,
  ...VENDOR_LIST_WEBHOOKS,
  ...DATA_REQUEST_WEBHOOKS,
];

/** By the type of the event of the log, what it may be told as, in the order of their sequence. */
export const TYPES_BY_LOGGED: ReadonlyMap<string, readonly WebhookType[]> = new Map(
  [...new Set(WEBHOOK_TYPES.flatMap(({ on }) => on))].map((logged) => [
    logged,
    WEBHOOK_TYPES.filter(({ on }) => on.includes(logged)),
  ]),
);
