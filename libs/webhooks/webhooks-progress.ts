/** Name of the checkpoint of the sink that writes the webhook events. */
export const WEBHOOKS = 'webhooks';

/** Injection token of the ReadProgress of the webhook events. */
export const WEBHOOKS_PROGRESS = Symbol('WebhooksProgress');
