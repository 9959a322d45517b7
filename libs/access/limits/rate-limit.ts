import type { RateLimitPolicy } from '../events.js';

export interface RateLimitOutcome {
  allowed: boolean;
  /** Units that may follow at once. */
  remaining: number;
  /** Until the whole burst is available again. */
  resetSeconds: number;
  /** Until the same request can be allowed; 0 if it is allowed now, else at least 1. */
  retryAfterSeconds: number;
}

/** A request to take units of work (a record, a read, a page of history) from a bucket. */
export interface Charge {
  units: number;
  /** Units that the same request was charged earlier. Default 0. */
  paid?: number;
  /**
   * The work is already done: it is charged even if nothing is left, and the next request waits until the debt is paid.
   */
  owed?: boolean;
}

export const ONE_UNIT: Charge = { units: 1 };

/**
 * Counts units of work. An adapter over a shared store answers with a promise. If the store is gone, it falls back to the
 * limiter in memory: the same limits for each process, never none. `nowMs` may start anywhere but must not be reset.
 */
export interface RateLimiter {
  take(
    bucket: string,
    policy: RateLimitPolicy,
    nowMs: number,
    charge?: Charge,
  ): RateLimitOutcome | Promise<RateLimitOutcome>;
}

/**
 * Most units beyond a burst that a bucket remembers, so that no caller is locked out for days. More than any one
 * request can owe: a batch has at most 500 records.
 */
export const DEBT_MAX = 10_000;

/** Tolerance for rounding errors of repeated sums, which must not cost the last unit of a burst. */
export const HAIR = 1e-3;

/**
 * Units that must be left for a charge to be allowed. A charge above the whole burst needs the whole burst and goes into
 * debt for the rest; if it were refused, it could never be sent. Units that the request has paid count as left.
 */
export const needOf = ({ burst }: RateLimitPolicy, { units, paid = 0, owed = false }: Charge): number =>
  owed ? -Infinity : Math.max(0, Math.min(units, burst - paid));

/** The answer to a caller. `used`: units that are used and not yet given back. */
export function outcomeOf(policy: RateLimitPolicy, charge: Charge, allowed: boolean, used: number): RateLimitOutcome {
  const { perSecond, burst } = policy;
  // A retry pays for the whole request again.
  const whole = Math.min(charge.units + (charge.paid ?? 0), burst);
  return {
    allowed,
    remaining: Math.max(0, Math.floor(burst - used + HAIR)),
    resetSeconds: wholeSeconds(used / perSecond),
    retryAfterSeconds: allowed ? 0 : Math.max(1, wholeSeconds((used + whole - burst) / perSecond)),
  };
}

/** Rounded up, but a rounding error from subtracting large clocks does not add a second. */
const wholeSeconds = (seconds: number): number => Math.ceil(seconds - 1e-6);

/** Units that are used and not given back, at an instant. */
interface Level {
  used: number;
  atMs: number;
}

/** Some 100 bytes each: about 10 MB when an attack fills them all. */
const BUCKETS_MAX = 100_000;

/**
 * GCRA, the generic cell rate algorithm (ITU-T I.371, as a continuous-state leaky bucket), with a cost per request:
 * used units are given back at `perSecond`, and a request is allowed if its cost fits below `burst`. Exact without
 * windows: in any t seconds a caller gets at most `burst + perSecond * t`, plus what one request was allowed or owed
 * beyond its burst.
 */
export class MemoryRateLimiter implements RateLimiter {
  /** Least recently used first. A bucket that is evicted starts again with one full burst, never more. */
  private readonly levels = new Map<string, Level>();

  constructor(private readonly bucketsMax = BUCKETS_MAX) {}

  take(bucket: string, policy: RateLimitPolicy, nowMs: number, charge: Charge = ONE_UNIT): RateLimitOutcome {
    const level = this.levelOf(bucket, policy, nowMs);
    const allowed = level.used + needOf(policy, charge) <= policy.burst + HAIR;
    if (allowed) level.used = Math.min(level.used + charge.units, policy.burst + DEBT_MAX);
    return outcomeOf(policy, charge, allowed, level.used);
  }

  /**
   * Takes over the level that all processes share, from the store. A charge that the store refused is not counted here
   * either.
   */
  learn(
    bucket: string,
    policy: RateLimitPolicy,
    charge: Charge,
    shared: { allowed: boolean; used: number },
  ): RateLimitOutcome {
    const level = this.levels.get(bucket);
    const own = (level?.used ?? 0) - (shared.allowed ? 0 : charge.units);
    const used = Math.max(own, shared.used);
    if (level) level.used = used;
    return outcomeOf(policy, charge, shared.allowed, used);
  }

  get size(): number {
    return this.levels.size;
  }

  /** The level as of now; marks the bucket as most recently used. */
  private levelOf(bucket: string, { perSecond }: RateLimitPolicy, nowMs: number): Level {
    let level = this.levels.get(bucket);
    if (level) {
      this.levels.delete(bucket);
      level.used = Math.max(0, level.used - (Math.max(0, nowMs - level.atMs) * perSecond) / 1000);
      level.atMs = nowMs;
    } else {
      if (this.levels.size >= this.bucketsMax) this.levels.delete(this.levels.keys().next().value!);
      level = { used: 0, atMs: nowMs };
    }
    this.levels.set(bucket, level);
    return level;
  }
}

/**
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10): the burst as quota, over the time in which it refills.
 */
export const policyHeader = (policy: RateLimitPolicy): string =>
  `"default";q=${policy.burst};w=${Math.max(1, Math.ceil(policy.burst / policy.perSecond))}`;
export const rateLimitHeader = (outcome: RateLimitOutcome): string =>
  `"default";r=${outcome.remaining};t=${outcome.resetSeconds}`;
