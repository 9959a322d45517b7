import type { Instant, Scope } from '../kernel/index.js';

/** Something to be delivered once. */
export interface NewDelivery {
  /** What kind of thing it is, and so which runner takes it: `mail`. */
  channel: string;
  /** Where it goes: the id of a receiver, never an address. */
  endpoint: string;
  /** What makes it once per channel and endpoint: the id of the event or token behind it. */
  key: string;
  scope: Scope;
  /** Deliveries to one endpoint about one subject go in the order in which they were enqueued; null: about nobody. */
  subjectId: string | null;
  /** Sealed: it stands in a column, and is all that may be personal. */
  payload: Uint8Array;
  /** After this it is worth nothing and is not tried any more. */
  giveUpAt?: Instant;
}

export interface DeliveryName {
  channel: string;
  endpoint: string;
  key: string;
  scope: Scope;
  subjectId: string | null;
}

/** One attempt at it, counted from 1. */
export interface Delivery extends DeliveryName {
  /** Of its row. */
  id: bigint;
  /** Where its content stands, of a channel that keeps it elsewhere. */
  sequence: bigint | null;
  payload: Buffer;
  attempt: number;
}

/** What came of one attempt. Reasons are short codes; evidence is kept in clear, so nothing personal may be in it. */
export type Attempted<E> = (
  | { outcome: 'delivered'; evidence: E }
  /** `afterMs`: the earliest that the receiver wants to hear of it again. */
  | { outcome: 'retry'; reason: string; evidence: E | null; afterMs?: number }
  | { outcome: 'failed'; reason: string; evidence: E | null }
) & {
  /** What the receiver answered, for whoever notes attempts: it is no part of the outcome. Sealed where it may be personal. */
  answer?: Buffer;
};

/** What came of it in the end. */
export type Outcome<E> =
  | { outcome: 'delivered'; evidence: E; attempts: number }
  | { outcome: 'failed'; reason: string; evidence: E | null; attempts: number };

/** An attempt that was made, as it is noted. */
export interface NotedAttempt<E> extends DeliveryName {
  id: bigint;
  attempt: number;
  /** When it began. */
  at: Date;
  durationMs: number;
  attempted: Attempted<E>;
  /** Until the next attempt; null: there is none. */
  waitMs: number | null;
}

/** Longest wait that a receiver can ask for: a day. */
const DEFERRED_MS_MAX = 86_400_000;

/** The wait before the next attempt, ±20 %, or what the receiver asked for where that is longer; null: the last one was the last. */
export function waitMs(
  schedule: readonly number[],
  attempt: number,
  afterMs: number,
  random: () => number,
): number | null {
  const scheduled = schedule[attempt - 1];
  if (scheduled === undefined) return null;
  // What was asked for is not shortened; many who were asked for the same come back spread out.
  return Math.round(
    Math.max(scheduled * (0.8 + 0.4 * random()), Math.min(afterMs, DEFERRED_MS_MAX) * (1 + 0.2 * random())),
  );
}
