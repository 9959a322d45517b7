import type { RateLimiter, RecordQuota } from '../../access/index.js';
import { ownStreams } from '../../context/stream-kind.js';
import type { EventLog } from '../../log/port.js';
import type { RedisTagCache } from '../../engines/cache/redis-tag-cache.js';
import type { LogSettings } from '../../engines/config/config.js';
import { loadRedisLimits } from '../../access/context.js';
import { COMPOSITION } from '../contexts.js';

/** The log in EventStoreDB, where one is configured. Its client takes 0.2 s to load, so it is loaded only then. */
export async function openEventStore({ esdbUrl, logPrefix }: LogSettings): Promise<EventLog | null> {
  if (esdbUrl === null) return null;
  const { EventStoreDbLog } = await import('../../log/adapters/eventstoredb/eventstoredb.js');
  return new EventStoreDbLog({ url: esdbUrl, prefix: logPrefix, isOwn: ownStreams(COMPOSITION.streams) });
}

/** What several processes share, so that caches are warmer and limits stricter. Nothing is lost when it goes away. */
export interface SharedCaches {
  tags: RedisTagCache;
  limiter: RateLimiter;
  quota: RecordQuota;
  close(): void;
}

/**
 * Redis, where one is configured; loaded only then. Does not wait for it: nothing here needs it to be there. `epoch`: of
 * the log, so that counts of what a log held that is gone are not counted on.
 */
export async function openSharedCaches(
  redisUrl: string | null,
  epoch: string,
  changed: (available: boolean, reason: string) => void,
): Promise<SharedCaches | null> {
  if (redisUrl === null) return null;
  const [{ Redis }, { RedisTagCache }, { redisLimits }] = await Promise.all([
    import('../../engines/cache/redis.js'),
    import('../../engines/cache/redis-tag-cache.js'),
    loadRedisLimits(),
  ]);
  const redis = new Redis(redisUrl, changed);
  const tags = new RedisTagCache(redis);
  const close = (): void => {
    tags.stop();
    redis.close();
  };
  return { tags, ...redisLimits(redis, epoch), close };
}
