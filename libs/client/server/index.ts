export { signIdentityToken, type IdentityTokenRequest } from './identity-token.js';
export {
  constructWebhookEvent,
  verifyWebhookSignature,
  WEBHOOK_EVENTS,
  WebhookSignatureError,
  type SignedWebhook,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookSignatureReason,
} from './webhook.js';
