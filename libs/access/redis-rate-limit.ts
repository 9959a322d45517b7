import { luaScript, type ScriptRunner } from '../platform/cache/redis.js';
import type { RateLimitPolicy } from './events.js';
import { MemoryRateLimiter, outcomeOf, type RateLimiter, type RateLimitOutcome } from './rate-limit.js';

/**
 * MemoryRateLimiter's arithmetic on the clock of Redis, the one that all instances have in common. A bucket goes when it
 * is full again, so nothing piles up. Numbers travel as text: Redis would cut off their decimals.
 */
const TAKE = luaScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2])
local known = tonumber(redis.call('GET', KEYS[1]) or nil)
local fullAt = now
if known and known >= now then fullAt = math.min(known, now + tolerance) end
local allowed = fullAt + interval - now <= tolerance + interval * 1e-3
local kept = allowed and fullAt + interval or fullAt
if kept ~= known and kept > now then redis.call('SET', KEYS[1], string.format('%.17g', kept), 'PX', string.format('%d', math.ceil(kept - now))) end
return { allowed and 1 or 0, string.format('%.17g', kept - now), string.format('%.17g', now) }`);

export interface SharedTake {
  allowed: boolean;
  usedMs: number;
  /** On the clock of Redis. */
  atMs: number;
}

/** Takes from a bucket that all instances share. Rejects where Redis does not do it in time. */
export async function takeShared(
  redis: ScriptRunner,
  bucket: string,
  { perSecond, burst }: RateLimitPolicy,
): Promise<SharedTake> {
  const interval = 1000 / perSecond;
  const [allowed, usedMs, atMs] = (await redis.run(
    TAKE,
    [`assent:limit:${bucket}`],
    [String(interval), String(interval * burst)],
  )) as [number, string, string];
  return { allowed: allowed === 1, usedMs: Number(usedMs), atMs: Number(atMs) };
}

/**
 * One limit for all instances. Every call is counted in memory too, and what this instance would not allow by itself is
 * refused without asking: so whatever happens to Redis, be it away, slow, full or emptied, the limit holds per instance,
 * and a flood stops here instead of going on to Redis. Beside a Redis that works the count in memory is at most one
 * call stricter: it is ahead only by calls that Redis refused, when the shared bucket was empty as well.
 */
export class RedisRateLimiter implements RateLimiter {
  private readonly memory = new MemoryRateLimiter();

  constructor(private readonly redis: ScriptRunner) {}

  take(bucket: string, policy: RateLimitPolicy, nowMs: number): RateLimitOutcome | Promise<RateLimitOutcome> {
    const here = this.memory.take(bucket, policy, nowMs);
    if (!here.allowed || !this.redis.available) return here;
    return this.takeEverywhere(bucket, policy, here);
  }

  private async takeEverywhere(
    bucket: string,
    policy: RateLimitPolicy,
    here: RateLimitOutcome,
  ): Promise<RateLimitOutcome> {
    let shared: SharedTake;
    try {
      shared = await takeShared(this.redis, bucket, policy);
    } catch {
      return here;
    }
    const everywhere = outcomeOf(policy, shared.allowed, shared.usedMs);
    if (!everywhere.allowed) return everywhere;
    return {
      ...everywhere,
      remaining: Math.min(here.remaining, everywhere.remaining),
      resetSeconds: Math.max(here.resetSeconds, everywhere.resetSeconds),
    };
  }
}
