/** Injection token of the Stream of endpoints: the one way to read and write what stands in `webhooks-<site>.<env>`. */
export const WEBHOOK_STREAMS = Symbol('WebhookStreams');
