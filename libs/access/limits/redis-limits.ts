import type { Redis } from '../../engines/cache/redis.js';
import type { RateLimiter } from './rate-limit.js';
import { DailyRecordQuota, type RecordQuota } from './record-quota.js';
import { RedisRateLimiter } from './redis-rate-limit.js';
import { RedisDailyCounts } from './redis-record-quota.js';

/** Limits that all processes count together. `epoch`: of the log, so that records of a log that is gone are not counted. */
export const redisLimits = (redis: Redis, epoch: string): { limiter: RateLimiter; quota: RecordQuota } => ({
  limiter: new RedisRateLimiter(redis),
  quota: new DailyRecordQuota(new RedisDailyCounts(redis, epoch)),
});
