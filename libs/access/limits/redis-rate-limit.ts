import { luaScript, type ScriptRunner } from '../../engines/cache/redis.js';
import type { RateLimitPolicy } from '../events.js';
import {
  DEBT_MAX,
  HAIR,
  MemoryRateLimiter,
  needOf,
  ONE_UNIT,
  type Charge,
  type RateLimiter,
  type RateLimitOutcome,
} from './rate-limit.js';

/**
 * MemoryRateLimiter's arithmetic on the clock of Redis, which all processes share. A bucket is deleted when it is full
 * again, so nothing piles up. Numbers travel as text, because Redis would cut off their decimals. The value is `used at`:
 * units, and the time in ms at which so many were used.
 */
const TAKE = luaScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local perMs, burst, units, need = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local used = 0
local known = redis.call('GET', KEYS[1])
if known then
  local level, at = string.match(known, '^(%S+) (%S+)$')
  used = math.max(0, tonumber(level) - math.max(0, now - tonumber(at)) * perMs)
end
local allowed = used + need <= burst + ${HAIR}
if allowed then
  used = math.min(used + units, burst + ${DEBT_MAX})
  redis.call('SET', KEYS[1], string.format('%.17g %.17g', used, now), 'PX', string.format('%d', math.max(1, math.ceil(used / perMs))))
end
return { allowed and 1 or 0, string.format('%.17g', used), string.format('%.17g', now) }`);

/** Below any need; Lua reads no -Infinity. */
const NO_NEED = -1e15;

export interface SharedTake {
  allowed: boolean;
  /** Units used and not yet given back. */
  used: number;
  /** On the clock of Redis. */
  atMs: number;
}

/** Takes from a bucket that all processes share. Rejects if Redis does not answer in time. */
export async function takeShared(
  redis: ScriptRunner,
  bucket: string,
  policy: RateLimitPolicy,
  charge: Charge = ONE_UNIT,
): Promise<SharedTake> {
  const [allowed, used, atMs] = (await redis.run(
    TAKE,
    [`assent:work:${bucket}`],
    [policy.perSecond / 1000, policy.burst, charge.units, Math.max(NO_NEED, needOf(policy, charge))].map(String),
  )) as [number, string, string];
  return { allowed: allowed === 1, used: Number(used), atMs: Number(atMs) };
}

/**
 * One limit for all processes. Every charge is counted in memory too, and a charge that this process alone would refuse
 * is refused without asking Redis. So the limit holds for each process even if Redis is away, slow, full or emptied,
 * and a flood stops here instead of reaching Redis. Each answer of Redis raises the count in memory to what all
 * processes have used, so that the limit continues from there when Redis is gone.
 */
export class RedisRateLimiter implements RateLimiter {
  private readonly memory = new MemoryRateLimiter();

  constructor(private readonly redis: ScriptRunner) {}

  take(
    bucket: string,
    policy: RateLimitPolicy,
    nowMs: number,
    charge: Charge = ONE_UNIT,
  ): RateLimitOutcome | Promise<RateLimitOutcome> {
    const here = this.memory.take(bucket, policy, nowMs, charge);
    if (!here.allowed || !this.redis.available) return here;
    return takeShared(this.redis, bucket, policy, charge).then(
      (shared) => this.memory.learn(bucket, policy, charge, shared),
      () => here,
    );
  }
}
