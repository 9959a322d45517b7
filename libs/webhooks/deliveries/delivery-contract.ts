import { WEBHOOK_API_VERSION } from '../envelope.js';
import { JITTER, RETRY_SCHEDULE_S } from '../sending/retry-schedule.js';
import { SECRET_OVERLAP_H } from '../secret-overlap.js';
import { SECRET_BYTES, SECRET_PREFIX } from '../sending/signature.js';

/** How long a receiver may take for its whole answer. */
export const TIMEOUT_S = 15;
/** Of its answer, no more is read. */
export const ANSWER_BYTES_MAX = 65_536;
export const FAILING_DAYS_MAX = 5;
/** By how much the clock of a receiver may differ from ours. */
export const TOLERANCE_S = 300;

/** All that receivers are promised of deliveries, in the words of the interface. */
export const DELIVERY_CONTRACT = {
  apiVersion: WEBHOOK_API_VERSION,
  method: 'POST',
  contentType: 'application/json; charset=utf-8',
  headers: [
    { name: 'webhook-id', description: 'Id of the event, the same on every attempt: what to tell duplicates by.' },
    { name: 'webhook-timestamp', description: 'When this attempt was made, in seconds since 1970.' },
    { name: 'webhook-signature', description: 'Signatures of Standard Webhooks, separated by spaces.' },
    { name: 'Consent-Signature', description: 'Time and signatures, as the client library verifies them.' },
  ],
  signatures: [
    {
      header: 'Consent-Signature',
      format: 't=<timestamp>,v1=<signature>[,v1=<signature>]',
      algorithm: 'HMAC-SHA256',
      encoding: 'hex',
      signedContent: '<timestamp>.<body>',
    },
    {
      header: 'webhook-signature',
      format: 'v1,<signature>[ v1,<signature>]',
      algorithm: 'HMAC-SHA256',
      encoding: 'base64',
      signedContent: '<webhook-id>.<webhook-timestamp>.<body>',
    },
  ],
  secret: { prefix: SECRET_PREFIX, encoding: 'base64', bytes: SECRET_BYTES, overlapHours: SECRET_OVERLAP_H },
  toleranceSeconds: TOLERANCE_S,
  attempts: { afterSeconds: [...RETRY_SCHEDULE_S], jitter: JITTER, retryAfter: true },
  timeoutSeconds: TIMEOUT_S,
  answerBytesMax: ANSWER_BYTES_MAX,
  success: '2xx',
  redirects: 'NOT_FOLLOWED',
  guarantee: 'AT_LEAST_ONCE',
  ordering: 'PER_SUBJECT',
  disabled: { byStatus: 410, afterDaysOfFailures: FAILING_DAYS_MAX },
} as const;
