import type { Attempted } from '../../deliveries/delivery.js';
import type { Answer } from '../../engines/outbound/outbound.js';
import { retryAfterSeconds } from './retry-schedule.js';

/** What is kept in clear of an attempt. */
export interface WebhookEvidence {
  /** Null: no answer came. */
  status: number | null;
  durationMs: number;
}

/** Why an endpoint that answers 410 gets nothing any more. */
export const GONE = 'gone';

/**
 * What an answer means by the contract of deliveries. `nowMs`: when it came, milliseconds since 1970. A reason is a fault
 * of the connection, or the status as text.
 */
export function outcomeOf(answer: Answer, nowMs: number): Attempted<WebhookEvidence> {
  const { status, fault, durationMs, headers } = answer;
  const evidence = { status, durationMs };
  if (status === 410) return { outcome: 'failed', reason: GONE, evidence };
  const isSuccess = status !== null && status >= 200 && status <= 299;
  if (isSuccess && fault === null) return { outcome: 'delivered', evidence };
  // A status other than 2xx says more than that its body broke off.
  const reason = status === null || isSuccess ? fault! : String(status);
  const afterS = isSuccess ? null : retryAfterSeconds(headers['retry-after'], nowMs);
  return { outcome: 'retry', reason, evidence, ...(afterS !== null && { afterMs: afterS * 1_000 }) };
}
