/** The channel of webhooks among deliveries. */
export const WEBHOOK_CHANNEL = 'webhook';
