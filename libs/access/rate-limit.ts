import type { RateLimitPolicy } from './events.js';

export interface RateLimitOutcome {
  allowed: boolean;
  /** Calls that may follow at once. */
  remaining: number;
  /** Until the whole burst is there again. */
  resetSeconds: number;
  /** 0 when allowed, else at least 1. */
  retryAfterSeconds: number;
}

/**
 * Counts calls. An adapter over a shared store answers with a promise and, when the store is gone, falls back to the
 * one in memory: the same limits per instance, never none. `nowMs` may start anywhere but must not be reset.
 */
export interface RateLimiter {
  take(bucket: string, policy: RateLimitPolicy, nowMs: number): RateLimitOutcome | Promise<RateLimitOutcome>;
}

/** What a caller is told; `usedMs` is the time until the bucket is full again. */
export function outcomeOf({ perSecond, burst }: RateLimitPolicy, allowed: boolean, usedMs: number): RateLimitOutcome {
  const interval = 1000 / perSecond;
  const tolerance = interval * burst;
  return {
    allowed,
    remaining: Math.max(0, Math.floor((tolerance - usedMs) / interval + 1e-3)),
    resetSeconds: wholeSeconds(usedMs),
    retryAfterSeconds: allowed ? 0 : Math.max(1, wholeSeconds(usedMs + interval - tolerance)),
  };
}

/** Rounded up; the hair that comes of subtracting large clocks is no second. */
const wholeSeconds = (ms: number): number => Math.ceil(ms / 1000 - 1e-6);

/** Some 100 bytes each: about 10 MB when an attack fills them all. */
const BUCKETS_MAX = 100_000;

/**
 * GCRA, the generic cell rate algorithm (ITU-T I.371): one number per bucket, the time at which it will be full again.
 * Exact without windows: never more than `burst` at once, nor than `burst + perSecond * t` in any t seconds.
 */
export class MemoryRateLimiter implements RateLimiter {
  /** Least recently used first. One that is pushed out starts again with one full burst, never more. */
  private readonly fullAgainAt = new Map<string, number>();

  constructor(private readonly bucketsMax = BUCKETS_MAX) {}

  take(bucket: string, policy: RateLimitPolicy, nowMs: number): RateLimitOutcome {
    const interval = 1000 / policy.perSecond;
    const tolerance = interval * policy.burst;
    const known = this.fullAgainAt.get(bucket);
    // Further ahead than a whole burst is only possible after the clock or the policy was set back.
    const fullAt = known === undefined || known < nowMs ? nowMs : Math.min(known, nowMs + tolerance);
    const next = fullAt + interval;
    // Repeated sums drift by a hair; that must not cost the last of a burst.
    const allowed = next - nowMs <= tolerance + interval * 1e-3;
    const kept = allowed ? next : fullAt;
    if (known !== undefined) this.fullAgainAt.delete(bucket);
    else if (this.fullAgainAt.size >= this.bucketsMax) this.fullAgainAt.delete(this.fullAgainAt.keys().next().value!);
    this.fullAgainAt.set(bucket, kept);
    return outcomeOf(policy, allowed, kept - nowMs);
  }

  get size(): number {
    return this.fullAgainAt.size;
  }
}

/** `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10): the burst as quota, over the time it takes to come back. */
export const policyHeader = (policy: RateLimitPolicy): string =>
  `"default";q=${policy.burst};w=${Math.max(1, Math.ceil(policy.burst / policy.perSecond))}`;
export const rateLimitHeader = (outcome: RateLimitOutcome): string =>
  `"default";r=${outcome.remaining};t=${outcome.resetSeconds}`;
