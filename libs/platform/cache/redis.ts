import { createHash, randomBytes } from 'node:crypto';
import { Redis as Client } from 'ioredis';
import type { TagCache, TagOfView } from './tag-cache.js';

/** What a request waits for Redis at most, per command. */
const COMMAND_WITHIN_MS = 50;
/** How soon after a failure Redis is asked again whether it is there; then twice as late each time. */
const PROBE_AFTER_MS_MIN = 100;
const PROBE_AFTER_MS_MAX = 1_000;
/** Only who held out this long is trusted like at first: a server that comes and goes is asked ever more seldom. */
const STEADY_AFTER_MS = 10_000;
const CONNECT_WITHIN_MS = 2_000;
/** A process that ends waits for nobody. */
const DISCONNECT_WITHIN_MS = 100;
/** A connection that a firewall dropped without a word is given up when it has owed an answer for so long. */
const SILENT_MS_MAX = 5_000;
const RECONNECT_AFTER_MS_MAX = 2_000;

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** What every new connection makes known at once: a command sent after another must not be overtaken while its script is sent again. */
const scripts: Script[] = [];

/** Lua that runs in Redis as one step. For constants: it is kept for ever. */
export function luaScript(text: string): Script {
  const script = { text, sha: createHash('sha1').update(text).digest('hex') };
  scripts.push(script);
  return script;
}

/** All that an adapter outside this folder gets to see of Redis. */
export interface ScriptRunner {
  /** False while Redis is away or too slow: do without it instead of asking. */
  readonly available: boolean;
  /** Resolves within COMMAND_WITHIN_MS or rejects; after a rejection nobody knows whether it took effect. */
  run(script: Script, keys: readonly string[], values: readonly string[]): Promise<unknown>;
}

/**
 * A Redis (6 or newer) that requests can do without. No command waits for a connection, is repeated, or takes longer
 * than COMMAND_WITHIN_MS. After one that was late nobody waits again until a probe in the background has been answered
 * in time, so a slow server costs the requests of one moment, not all of them.
 */
export class Redis implements ScriptRunner {
  private readonly client: Client;
  private tripped = false;
  private failures = 0;
  private trippedAt = -Infinity;
  private probe: NodeJS.Timeout | null = null;
  private shown: boolean | null = null;
  private closed = false;

  /** `changed` hears when Redis comes and goes; the reason is for operators and holds no data. */
  constructor(
    url: string,
    private readonly changed: (available: boolean, reason: string) => void = () => undefined,
  ) {
    this.client = new Client(url, {
      connectionName: 'assent',
      // Nothing here needs RESP3, and not every managed or proxied Redis speaks it.
      protocol: 2,
      disableClientInfo: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_WITHIN_MS,
      disconnectTimeout: DISCONNECT_WITHIN_MS,
      socketTimeout: SILENT_MS_MAX,
      retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_AFTER_MS_MAX) * (0.5 + Math.random()),
    });
    // Without a listener an 'error' would end the process.
    this.client.on('error', (error: NodeJS.ErrnoException) => this.show(false, error.code ?? error.name));
    this.client.on('close', () => this.show(false, 'connection closed'));
    this.client.on('ready', () => {
      for (const { text } of scripts) this.client.script('LOAD', text).catch(() => undefined);
      if (!this.tripped) this.show(true, 'connected');
    });
  }

  get available(): boolean {
    return !this.tripped && this.client.status === 'ready';
  }

  async run(script: Script, keys: readonly string[], values: readonly string[]): Promise<unknown> {
    return this.bounded(this.evaluate(script, [...keys, ...values], keys.length));
  }

  async getAll(...keys: string[]): Promise<(string | null)[]> {
    return this.bounded(this.client.mget(keys));
  }

  close(): void {
    this.closed = true;
    if (this.probe) clearTimeout(this.probe);
    this.client.disconnect();
  }

  /** Redis forgets scripts when it restarts or is told to. */
  private async evaluate({ text, sha }: Script, args: readonly string[], keys: number): Promise<unknown> {
    try {
      return await this.client.evalsha(sha, keys, ...args);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return this.client.eval(text, keys, ...args);
    }
  }

  private bounded<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let settled = false;
      const late = (): void => {
        if (settled) return;
        settled = true;
        this.trip();
        reject(new Error('Redis did not answer in time'));
      };
      // An event loop that was busy runs its timers before it looks at answers, which may have come long ago: they count.
      const timer = setTimeout(() => setImmediate(late), COMMAND_WITHIN_MS);
      const settle = (how: () => void): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        how();
      };
      reply.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }

  private trip(): void {
    if (this.tripped || this.closed) return;
    const now = performance.now();
    this.failures = now - this.trippedAt > STEADY_AFTER_MS ? 0 : this.failures + 1;
    this.trippedAt = now;
    this.tripped = true;
    this.show(false, `no answer within ${COMMAND_WITHIN_MS} ms`);
    this.probeLater();
  }

  private probeLater(): void {
    if (this.closed) return;
    this.probe = setTimeout(
      () => void this.ask(),
      Math.min(PROBE_AFTER_MS_MIN * 2 ** Math.min(this.failures, 10), PROBE_AFTER_MS_MAX),
    ).unref();
  }

  private async ask(): Promise<void> {
    try {
      await this.bounded(this.client.ping());
      this.tripped = false;
      this.show(true, 'answers again');
    } catch {
      this.failures += 1;
      this.probeLater();
    }
  }

  private show(available: boolean, reason: string): void {
    if (this.shown === available || this.closed) return;
    this.shown = available;
    this.changed(available, reason);
  }
}

/** How long a tag that nobody raises is kept. */
const TAG_TTL_MS = 60_000;
/** Tags count only as long as a projector renews this, see `lead`. */
const LEASE_MS = 3_000;
const RENEW_EVERY_MS = 1_000;
/** Most tags of one script: Redis does nothing else meanwhile, about 3 µs for each. */
const KEYS_AT_ONCE = 500;
const EPOCH = 'assent:tags:epoch';
const keyOf = (subjectId: string): string => `assent:tag:${subjectId}`;

/** A tag is stored as `epoch revision through points view`; epoch `-`: its row has changed, and only the revision still says something. */
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

/** Deletes first: a full Redis lets a script that has written go on writing, and where it does not, no epoch is no tag. */
const RENEW = luaScript(`
if ARGV[3] == 'anew' then redis.call('DEL', KEYS[1]) end
if redis.call('PEXPIRE', KEYS[1], ARGV[1]) == 0 then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1]) end`);

/**
 * ETags that all instances share. Written only forward, by comparison in Redis.
 *
 * A tag counts only in the epoch it was written in, and an epoch lives only while a projector that can raise tags
 * renews it. A projector that could not tell what it committed ends the epoch as soon as it can, and one that starts
 * does so too, since the one before it may have died between commit and raise. So news that was lost is felt for
 * LEASE_MS at most, or for TAG_TTL_MS where one of several projectors is cut off from a Redis that all others reach;
 * and never by a caller who names the position of his write.
 */
export class RedisTagCache implements TagCache<TagOfView> {
  private readonly raised = new Map<string, TagOfView>();
  private leading = false;
  private newsWasLost = false;
  private renewal: NodeJS.Timeout | null = null;

  constructor(private readonly redis: Pick<Redis, 'available' | 'run' | 'getAll'>) {}

  async find(subjectId: string): Promise<TagOfView | null> {
    this.flush();
    if (!this.redis.available) return null;
    try {
      const [epoch, stored] = await this.redis.getAll(EPOCH, keyOf(subjectId));
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

  /** What is raised in one turn of the event loop goes to Redis together: a projector raises a whole batch. */
  raise(subjectId: string, tag: TagOfView): void {
    if (this.raised.has(subjectId) || this.raised.size === KEYS_AT_ONCE) this.flush();
    if (this.raised.size === 0) queueMicrotask(() => this.flush());
    this.raised.set(subjectId, tag);
  }

  drop(subjectIds: readonly string[]): void {
    this.flush();
    for (let from = 0; from < subjectIds.length; from += KEYS_AT_ONCE)
      this.send(DROP, subjectIds.slice(from, from + KEYS_AT_ONCE).map(keyOf), [String(TAG_TTL_MS)]);
  }

  /** Vouches, until `stop`, for raising every tag whose row this process changes. For processes that project. */
  lead(): void {
    this.leading = true;
    this.newsWasLost = true;
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
    const tags = [...this.raised];
    this.raised.clear();
    this.send(
      RAISE,
      [EPOCH, ...tags.map(([id]) => keyOf(id))],
      [
        String(TAG_TTL_MS),
        ...tags.flatMap(([, tag]) => [
          String(tag.revision),
          String(tag.through),
          tag.turningPoints.join(','),
          String(tag.view),
        ]),
      ],
    );
  }

  /** Nobody waits: commands of one connection are carried out in order, so this process finds what it raised. */
  private send(script: Script, keys: readonly string[], values: readonly string[]): void {
    if (this.redis.available) this.redis.run(script, keys, values).catch(() => this.lose());
    else this.lose();
  }

  private lose(): void {
    if (!this.leading || this.newsWasLost) return;
    this.newsWasLost = true;
    this.renew();
  }

  private renew(): void {
    if (!this.redis.available) return;
    const anew = this.newsWasLost;
    this.newsWasLost = false;
    this.redis
      .run(RENEW, [EPOCH], [String(LEASE_MS), randomBytes(9).toString('base64url'), anew ? 'anew' : ''])
      .catch(() => (this.newsWasLost = true));
  }
}
