import { WEBHOOK_EVENTS, type components } from '../generated/webhook-events.js';
import { areEqual, hmacSha256 } from './sha256.js';

export { WEBHOOK_EVENTS };

/** The type of a webhook event, such as `consent.granted`. */
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];

/** The body of a webhook; `type` determines its `data`. New members may appear within an `apiVersion`. */
export type WebhookEvent<Type extends WebhookEventType = WebhookEventType> = Type extends WebhookEventType
  ? components['schemas'][Type]
  : never;

export interface SignedWebhook {
  /** `Consent-Signature`, as in the request. */
  header: string | readonly string[] | null | undefined;
  /** The body as it came, before any parser. */
  rawBody: string | Uint8Array | ArrayBuffer;
  /** The secret of the endpoint (`whsec_…`); during a rotation, both. */
  secret: string | readonly string[];
  /** How old or new a signature may be; default 300. 0: any age. */
  toleranceSeconds?: number;
}

export type WebhookSignatureReason =
  | 'missing_header'
  | 'malformed_header'
  /** None of the secrets made one of the signatures over this body. */
  | 'no_match'
  | 'timestamp_out_of_tolerance'
  /** The signature is right, but the body is no event. */
  | 'invalid_payload';

export class WebhookSignatureError extends Error {
  readonly reason: WebhookSignatureReason;

  constructor(reason: WebhookSignatureReason) {
    super(`The webhook is not taken: ${reason}.`);
    this.name = 'WebhookSignatureError';
    this.reason = reason;
  }
}

const TOLERANCE_S = 300;

/**
 * The event of a webhook with a right signature; throws a WebhookSignatureError for a wrong one. Returns also an event
 * of a type that this version of the package does not know.
 */
export function constructWebhookEvent(webhook: SignedWebhook): WebhookEvent {
  const reason = fault(webhook);
  if (reason !== null) throw new WebhookSignatureError(reason);
  const event = parsed(bytesOf(webhook.rawBody));
  if (typeof event?.type !== 'string') throw new WebhookSignatureError('invalid_payload');
  return event as WebhookEvent;
}

/** Whether one of the secrets signed the body, not too long ago. */
export const verifyWebhookSignature = (webhook: SignedWebhook): boolean => fault(webhook) === null;

/** Null: the webhook is right. Throws a TypeError without a secret: any sender could sign with an empty one. */
function fault({
  header,
  rawBody,
  secret,
  toleranceSeconds = TOLERANCE_S,
}: SignedWebhook): WebhookSignatureReason | null {
  const keys = [secret].flat().map(keyOf);
  if (keys.length === 0) throw new TypeError('secret must be the secret of the endpoint');
  const text = [header ?? []].flat().join(',');
  if (text === '') return 'missing_header';
  const fields = text.split(',').map((field) => field.trim().split('=') as [string, string | undefined]);
  const times = fields.filter(([name]) => name === 't').map(([, time]) => time ?? '');
  const signatures = fields.filter(([name]) => name === 'v1').map(([, hex]) => fromHex(hex ?? ''));
  const [time = ''] = times;
  if (times.length !== 1 || !/^\d{1,12}$/.test(time) || signatures.length === 0) return 'malformed_header';
  const expected = keys.map((key) => hmacSha256(key, utf8(`${time}.`), bytesOf(rawBody)));
  // Compares every pair, so that timing does not show which one fits.
  const fitting = expected.flatMap((mac) => signatures.filter((signature) => areEqual(mac, signature)));
  if (fitting.length === 0) return 'no_match';
  const apart = Math.abs(Date.now() / 1000 - Number(time));
  return toleranceSeconds > 0 && apart > toleranceSeconds ? 'timestamp_out_of_tolerance' : null;
}

/** The part after `whsec_`, decoded; for a secret without that prefix its characters. */
function keyOf(secret: string): Uint8Array {
  if (!secret) throw new TypeError('secret must be the secret of the endpoint');
  if (!secret.startsWith('whsec_')) return utf8(secret);
  const key = Uint8Array.from(atob(secret.slice(6)), (character) => character.charCodeAt(0));
  if (key.length === 0) throw new TypeError('secret must be the whole secret of the endpoint');
  return key;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function bytesOf(body: SignedWebhook['rawBody']): Uint8Array {
  if (typeof body === 'string') return utf8(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

/** Empty if the text is no hex. */
const fromHex = (hex: string): Uint8Array =>
  /^([0-9a-f]{2})*$/.test(hex)
    ? Uint8Array.from(hex.match(/../g) ?? [], (digits) => parseInt(digits, 16))
    : new Uint8Array();

function parsed(body: Uint8Array): { type?: unknown } | null {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as { type?: unknown } | null;
  } catch {
    return null;
  }
}
