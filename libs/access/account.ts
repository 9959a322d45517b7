import type { Response } from 'express';
import { proceed, type Work } from '../kernel/index.js';
import { refused } from '../http/errors/refused.js';
import type { RateLimitPolicy } from './events.js';
import {
  policyHeader,
  rateLimitHeader,
  type Charge,
  type RateLimiter,
  type RateLimitOutcome,
} from './limits/rate-limit.js';

/**
 * Events that a replaying read folds for one unit: they cost about as much as a record. A read that folds this many or
 * fewer is charged like any other read.
 */
export const EVENTS_PER_UNIT = 100;

/** Bytes of a body that one unit pays for: the largest body that holds a single record. */
export const BODY_BYTES_PER_UNIT = 64 * 1024;

/** Charges one request to the limit of its caller, step by step as the service learns what the request costs. */
export class WorkAccount implements Work {
  private paid = 0;
  private events = 0;

  constructor(
    private readonly limiter: RateLimiter,
    readonly bucket: string,
    readonly policy: RateLimitPolicy,
    private readonly response: Response,
  ) {}

  /** Charges what is missing to `units` for the whole request. Throws Refused (`rate_limited`) if too little is left. */
  charge(units: number): void | Promise<void> {
    const missing = units - this.paid;
    if (missing <= 0) return;
    const taken = this.take({ units: missing, paid: this.paid });
    return proceed(taken, (outcome) => this.pay(units, outcome));
  }

  private pay(units: number, { allowed, retryAfterSeconds }: RateLimitOutcome): void {
    if (!allowed) throw refused('rate_limited', undefined, [], { 'Retry-After': String(retryAfterSeconds) });
    this.paid = units;
  }

  async folded(events: number): Promise<void> {
    this.events += events;
    const missing = Math.ceil(this.events / EVENTS_PER_UNIT) - this.paid;
    if (missing > 0) {
      await this.take({ units: missing, paid: this.paid, owed: true });
      this.paid += missing;
    }
  }

  private take(charge: Charge): RateLimitOutcome | Promise<RateLimitOutcome> {
    const taken = this.limiter.take(this.bucket, this.policy, performance.now(), charge);
    if (!(taken instanceof Promise)) return this.announced(taken);
    return taken.then((outcome) => this.announced(outcome));
  }

  private announced(outcome: RateLimitOutcome): RateLimitOutcome {
    this.response.setHeader('RateLimit-Policy', policyHeaderOf(this.policy));
    this.response.setHeader('RateLimit', rateLimitHeader(outcome));
    return outcome;
  }
}

/** Opens the account of each request. Requests of one bucket share a limit. */
export class Accounts {
  constructor(private readonly limiter: RateLimiter) {}

  /** Charges the one unit that every request costs, before any work. Throws Refused (`rate_limited`). */
  open(response: Response, bucket: string, policy: RateLimitPolicy): WorkAccount | Promise<WorkAccount> {
    const account = new WorkAccount(this.limiter, bucket, policy, response);
    // A limiter in memory charges at once: then there is no promise to wait for.
    const charging = account.charge(1);
    return charging ? charging.then(() => account) : account;
  }
}

const policyHeaders = new WeakMap<RateLimitPolicy, string>();

function policyHeaderOf(policy: RateLimitPolicy): string {
  let header = policyHeaders.get(policy);
  if (header === undefined) policyHeaders.set(policy, (header = policyHeader(policy)));
  return header;
}
