import { randomBytes } from 'node:crypto';
import { luaScript, type Redis, type Script } from './redis.js';
import type { TagCache, TagOfView } from './tag-cache.js';

/** How long Redis keeps a tag that no projector raises again. */
const TAG_TTL_MS = 60_000;
/** Tags count only as long as a projector renews this, see `lead`. */
const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;
/** Most tags of one script: Redis does nothing else meanwhile, about 3 µs for each. */
const KEYS_AT_ONCE = 500;
/** Parts in a cluster, so that each server holds some. Their hash tags lie in slots that are spread evenly. */
const PARTS_OF_CLUSTER = 16;

/** A tag is stored as `epoch revision through points view`. Epoch `-`: its row changed, only the revision still counts. */
const RAISE = luaScript(`
local epoch = redis.call('GET', KEYS[1])
if not epoch then return 0 end
for i = 2, #KEYS do
  local revision, through, points, view = ARGV[i * 4 - 6], ARGV[i * 4 - 5], ARGV[i * 4 - 4], ARGV[i * 4 - 3]
  local known = redis.call('GET', KEYS[i])
  local knownRevision, knownThrough
  if known then knownRevision, knownThrough = string.match(known, '^%S+ (%S+) (%S+)') end
  if not knownRevision or tonumber(knownRevision) <= tonumber(revision) then
    if knownThrough and tonumber(knownThrough) > tonumber(through) then through = knownThrough end
    redis.call('SET', KEYS[i], epoch .. ' ' .. revision .. ' ' .. through .. ' ' .. points .. ' ' .. view, 'PX', ARGV[1])
  end
end
return 1`);

/** A full Redis refuses to write, but never to delete. */
const DROP = luaScript(`
for _, key in ipairs(KEYS) do
  local known = redis.call('GET', key)
  if known then
    local written = redis.pcall('SET', key, '-' .. string.match(known, ' .*'), 'PX', ARGV[1])
    if written.err then redis.call('DEL', key) end
  end
end`);

/** Deletes first, because a full Redis lets a script write once it has deleted. If it does not, no epoch means no tag. */
const RENEW = luaScript(`
if ARGV[3] == 'anew' then redis.call('DEL', KEYS[1]) end
if redis.call('PEXPIRE', KEYS[1], ARGV[1]) == 0 then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) end`);

/**
 * Tags that share one epoch. In a cluster all keys of one script must be on one server: the hash tag in braces puts them
 * there.
 */
class Part {
  readonly epoch: string;
  private readonly prefix: string;
  /** Tags of this part may be older than their rows, and its epoch was not ended yet. */
  newsWasLost = false;

  constructor(hashTag: string | null) {
    this.epoch = hashTag === null ? 'assent:tags:epoch' : `assent:{${hashTag}}:epoch`;
    this.prefix = hashTag === null ? 'assent:tag:' : `assent:{${hashTag}}:tag:`;
  }

  keyOf(subjectId: string): string {
    return this.prefix + subjectId;
  }
}

/**
 * ETags that all instances share. Written only forward, by comparison in Redis.
 *
 * A tag counts only in the epoch in which it was written. An epoch lives while a projector that can raise tags renews it.
 * A projector ends the epoch as soon as it can in three cases: it could not raise a tag that it committed, it lost a
 * connection, or it starts. At a start the projector before it may have died between commit and raise, and a Redis server
 * that takes over may lack what the server before it acknowledged. So an outdated tag is answered for LEASE_MS at most,
 * or for TAG_TTL_MS where one of several projectors cannot reach a Redis that the others reach. A caller who names the
 * position of their write never gets one.
 */
export class RedisTagCache implements TagCache<TagOfView> {
  private readonly parts: readonly Part[];
  private readonly raised = new Map<string, TagOfView>();
  private leading = false;
  private renewal: NodeJS.Timeout | null = null;

  constructor(private readonly redis: Pick<Redis, 'available' | 'clustered' | 'run' | 'getAll' | 'onLoss'>) {
    this.parts = redis.clustered
      ? Array.from({ length: PARTS_OF_CLUSTER }, (_, i) => new Part(`tags${i}`))
      : [new Part(null)];
    redis.onLoss(() => this.lose(this.parts));
  }

  async find(subjectId: string): Promise<TagOfView | null> {
    this.flush();
    if (!this.redis.available) return null;
    const part = this.partOf(subjectId);
    try {
      const [epoch, stored] = await this.redis.getAll(part.epoch, part.keyOf(subjectId));
      if (!epoch || !stored) return null;
      const [writtenIn, revision, through, points, view] = stored.split(' ');
      if (writtenIn !== epoch) return null;
      return {
        revision: Number(revision),
        through: BigInt(through!),
        turningPoints: points ? points.split(',') : [],
        view: Number(view),
      };
    } catch {
      return null;
    }
  }

  /** Collects the tags of one turn of the event loop for one script: a projector raises a whole batch. */
  raise(subjectId: string, tag: TagOfView): void {
    if (this.raised.has(subjectId) || this.raised.size === KEYS_AT_ONCE) this.flush();
    if (this.raised.size === 0) queueMicrotask(() => this.flush());
    this.raised.set(subjectId, tag);
  }

  drop(subjectIds: readonly string[]): void {
    this.flush();
    for (const [part, ids] of this.byPart(subjectIds))
      for (let from = 0; from < ids.length; from += KEYS_AT_ONCE)
        this.send(
          part,
          DROP,
          ids.slice(from, from + KEYS_AT_ONCE).map((id) => part.keyOf(id)),
          [String(TAG_TTL_MS)],
        );
  }

  /** Renews the epochs until `stop`. For projectors, which raise the tag of every row that they change. */
  lead(): void {
    this.leading = true;
    for (const part of this.parts) part.newsWasLost = true;
    this.renewal ??= setInterval(() => this.renew(), RENEW_EVERY_MS).unref();
    this.renew();
  }

  stop(): void {
    this.leading = false;
    if (this.renewal) clearInterval(this.renewal);
    this.renewal = null;
  }

  private flush(): void {
    if (this.raised.size === 0) return;
    const tags = new Map(this.raised);
    this.raised.clear();
    for (const [part, ids] of this.byPart([...tags.keys()])) {
      this.send(
        part,
        RAISE,
        [part.epoch, ...ids.map((id) => part.keyOf(id))],
        [
          String(TAG_TTL_MS),
          ...ids.flatMap((id) => {
            const { revision, through, turningPoints, view } = tags.get(id)!;
            return [String(revision), String(through), turningPoints.join(','), String(view)];
          }),
        ],
      );
    }
  }

  private byPart(subjectIds: readonly string[]): Map<Part, string[]> {
    const parts = new Map<Part, string[]>();
    for (const id of subjectIds) {
      const part = this.partOf(id);
      const ids = parts.get(part);
      if (ids) ids.push(id);
      else parts.set(part, [id]);
    }
    return parts;
  }

  private partOf(subjectId: string): Part {
    if (this.parts.length === 1) return this.parts[0]!;
    let hash = 0;
    // Ids end in random characters.
    for (let i = Math.max(0, subjectId.length - 6); i < subjectId.length; i++)
      hash = (hash * 31 + subjectId.charCodeAt(i)) >>> 0;
    return this.parts[hash % this.parts.length]!;
  }

  /** Waits for no answer: Redis carries out the commands of a connection in order, so this process finds what it raised. */
  private send(part: Part, script: Script, keys: readonly string[], values: readonly string[]): void {
    if (this.redis.available) this.redis.run(script, keys, values).catch(() => this.lose([part]));
    else this.lose([part]);
  }

  private lose(parts: readonly Part[]): void {
    if (!this.leading) return;
    const unknown = parts.filter((part) => !part.newsWasLost);
    for (const part of unknown) part.newsWasLost = true;
    if (unknown.length > 0) this.renew(unknown);
  }

  private renew(parts: readonly Part[] = this.parts): void {
    if (!this.redis.available) return;
    for (const part of parts) {
      const anew = part.newsWasLost;
      part.newsWasLost = false;
      this.redis
        .run(RENEW, [part.epoch], [String(LEASE_MS), randomBytes(9).toString('base64url'), anew ? 'anew' : ''])
        .catch(() => (part.newsWasLost = true));
    }
  }
}
