import type { Instant, Scope } from '../kernel/index.js';

/** A delivery to enqueue. The queue sends it at least once. */
export interface NewDelivery {
  /** The kind of delivery, such as `mail`. One runner serves each channel. */
  channel: string;
  /** The id of the receiver, never an address. */
  endpoint: string;
  /** Unique per channel and endpoint: the id of the event or token that caused the delivery. */
  key: string;
  scope: Scope;
  /** Deliveries to one endpoint about one subject are sent in the order in which they were enqueued. Null: no subject. */
  subjectId: string | null;
  /** Sealed by the caller. The only column that may be personal. */
  payload: Uint8Array;
  /** The runner gives up after this time, because the delivery is then useless. */
  giveUpAt?: Instant;
}

export interface DeliveryName {
  channel: string;
  endpoint: string;
  key: string;
  scope: Scope;
  subjectId: string | null;
}

export interface DeliveryContent extends DeliveryName {
  /** Null, or the number under which the channel stores the content elsewhere. */
  sequence: bigint | null;
}

/** One attempt to send a delivery, counted from 1. */
export interface Delivery extends DeliveryContent {
  /** Id of its row. */
  id: bigint;
  payload: Buffer;
  attempt: number;
}

/** The result of one attempt. Reasons are short codes. Evidence is stored in clear: put nothing personal into it. */
export type Attempted<E> = (
  | { outcome: 'delivered'; evidence: E }
  /** `afterMs`: the receiver asked to be tried no earlier than after this many ms. */
  | { outcome: 'retry'; reason: string; evidence: E | null; afterMs?: number }
  | { outcome: 'failed'; reason: string; evidence: E | null }
) & {
  /** The receiver's answer, for `onAttempts`. It is no part of the outcome. Seal it if it may be personal. */
  answer?: Buffer;
};

/** The final result of a delivery. */
export type Outcome<E> =
  | { outcome: 'delivered'; evidence: E; attempts: number }
  | { outcome: 'failed'; reason: string; evidence: E | null; attempts: number };

/** A finished attempt, as `onAttempts` receives it. */
export interface NotedAttempt<E> extends DeliveryName {
  id: bigint;
  attempt: number;
  /** When it began. */
  at: Date;
  durationMs: number;
  attempted: Attempted<E>;
  /** Until the next attempt, in ms; null: there is none. */
  waitMs: number | null;
}

/** Longest wait that a receiver can ask for: one day. */
const DEFERRED_MS_MAX = 86_400_000;

/**
 * Ms until the next attempt: the scheduled wait ±20 %, or the wait that the receiver asked for if that is longer. Null:
 * no attempt is left.
 */
export function waitMs(
  schedule: readonly number[],
  attempt: number,
  afterMs: number,
  random: () => number,
): number | null {
  const scheduled = schedule[attempt - 1];
  if (scheduled === undefined) return null;
  // A requested wait is never shortened. It is lengthened by up to 20 %, so that many deliveries do not return at once.
  return Math.round(
    Math.max(scheduled * (0.8 + 0.4 * random()), Math.min(afterMs, DEFERRED_MS_MAX) * (1 + 0.2 * random())),
  );
}
