/** Name of the checkpoint of whoever writes the webhook events. */
export const WEBHOOKS = 'webhooks';

/** Injection token of the ReadProgress of the webhook events. */
export const WEBHOOKS_PROGRESS = Symbol('WebhooksProgress');

/** Prefixes of the streams whose events are told, or say who is. */
export const WEBHOOK_STREAMS = ['subject-', 'catalogue-', 'site-', 'webhooks-', 'request-'] as const;
