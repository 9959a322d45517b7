import { createHash } from 'node:crypto';
import { Cluster, Redis as Client, type RedisOptions } from 'ioredis';
import { parseRedisUrl, type RedisAddress } from './redis-url.js';

/** How long a request waits for one command. */
const COMMAND_WITHIN_MS = 50;
/** How soon after a failure the process probes Redis again. The wait doubles with each probe. */
const PROBE_AFTER_MS_MIN = 100;
const PROBE_AFTER_MS_MAX = 1_000;
/** A connection that lasted this long resets the wait. A server that comes and goes is probed ever more seldom. */
const STEADY_AFTER_MS = 10_000;
const CONNECT_WITHIN_MS = 2_000;
/** How long a process that ends waits for its connection to close. */
const DISCONNECT_WITHIN_MS = 100;
/** How long a connection may owe an answer before it is given up. A firewall drops connections without a word. */
const SILENT_MS_MAX = 5_000;
const RECONNECT_AFTER_MS_MAX = 2_000;
/** How often a process asks the cluster which servers are masters: a failover without an error shows within it. */
const LOOK_AT_CLUSTER_EVERY_MS = 1_000;
/** How often a command follows a slot that was moved. After that it fails. */
const MOVES_MAX = 4;

export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** Scripts that every new connection loads first. Loading one later would let later commands overtake it. */
const scripts: Script[] = [];

/** Lua that runs in Redis as one step. For constants only: the process never drops a script. */
export function luaScript(text: string): Script {
  const script = { text, sha: createHash('sha1').update(text).digest('hex') };
  scripts.push(script);
  return script;
}

/** What adapters outside this folder use of Redis. */
export interface ScriptRunner {
  /** False while Redis is away or too slow. Callers do without it then. */
  readonly available: boolean;
  /** Resolves within COMMAND_WITHIN_MS or rejects. After a rejection the script may have run or not. */
  run(script: Script, keys: readonly string[], values: readonly string[]): Promise<unknown>;
}

/**
 * A Redis (6 or newer) or a Redis Cluster. Requests can do without it. A command never waits for a connection, is never
 * repeated, and takes COMMAND_WITHIN_MS at most. After a late command `available` is false until Redis has answered a
 * probe in the background in time, so that a slow server costs the requests of one moment only. In a cluster every master
 * has to answer the probe. A command on a slot that is moving or has no server fails at once.
 */
export class Redis implements ScriptRunner {
  /** Whether keys are spread over servers. If so, all keys of one script or one read need the same hash tag. */
  readonly clustered: boolean;
  private readonly client: Client | Cluster;
  private readonly lossListeners: (() => void)[] = [];
  private tripped = false;
  private failures = 0;
  private trippedAt = -Infinity;
  private probe: NodeJS.Timeout | null = null;
  private shown: boolean | null = null;
  private closed = false;

  /**
   * `changed` is called when Redis comes or goes; the reason is for operators and holds no data. `withinMs`: how long a
   * command may take.
   */
  constructor(
    url: string,
    private readonly changed: (available: boolean, reason: string) => void = () => undefined,
    private readonly withinMs = COMMAND_WITHIN_MS,
  ) {
    const address = parseRedisUrl(url);
    if (address === null) throw new TypeError('the address of Redis cannot be read');
    this.clustered = address.clustered;
    this.client = this.clustered ? this.openCluster(address) : this.openServer(url);
    // Without a listener an 'error' would end the process.
    this.client.on('error', (error: NodeJS.ErrnoException) => this.show(false, error.code ?? error.name));
    this.client.on('close', () => {
      this.show(false, 'connection closed');
      this.lost();
    });
  }

  private openServer(url: string): Client {
    const client = new Client(url, { ...CONNECTION, enableOfflineQueue: false, retryStrategy: reconnectAfterMs });
    client.on('ready', () => {
      loadScripts(client);
      if (!this.tripped) this.show(true, 'connected');
    });
    return client;
  }

  private openCluster({ nodes, tls, username, password }: RedisAddress): Cluster {
    const cluster = new Cluster(nodes, {
      redisOptions: {
        ...CONNECTION,
        ...(username !== null && { username }),
        ...(password !== null && { password }),
        ...(tls && { tls: {} }),
      },
      // Hosts are dialled by name: certificates name them so, and each connection resolves them anew.
      dnsLookup: (host, callback) => callback(null, host),
      enableOfflineQueue: false,
      maxRedirections: MOVES_MAX,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      retryDelayOnTryAgain: 1,
      slotsRefreshInterval: LOOK_AT_CLUSTER_EVERY_MS,
      slotsRefreshTimeout: CONNECT_WITHIN_MS,
      clusterRetryStrategy: reconnectAfterMs,
    });
    cluster.on('+node', (node: Client) => node.on('ready', () => loadScripts(node)));
    cluster.on('-node', () => {
      this.lost();
      // The client calls itself ready while it still looks for masters.
      if (!mastersOf(cluster).some(({ status }) => status === 'ready')) this.trip('no server of the cluster answers');
    });
    let known = '';
    cluster.on('refresh', () => {
      const masters = mastersOf(cluster)
        .map(({ options: { host, port } }) => `${host}:${port}`)
        .sort()
        .join();
      if (known !== '' && masters !== known) this.lost();
      known = masters;
    });
    // The client connects to a server at the first command for it: let that be the probe, not a request.
    cluster.on('ready', () => {
      if (this.tripped) return;
      this.tripped = true;
      void this.ask();
    });
    return cluster;
  }

  /**
   * Calls back whenever a write that Redis acknowledged may be lost: a connection broke, or another server of the cluster
   * took over, which may lack the last writes.
   */
  onLoss(listener: () => void): void {
    this.lossListeners.push(listener);
  }

  private lost(): void {
    if (!this.closed) for (const listener of this.lossListeners) listener();
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

  /** Sends the script again where Redis has dropped it, after a restart or a SCRIPT FLUSH. */
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
        this.trip(`no answer within ${this.withinMs} ms`);
        reject(new Error('Redis did not answer in time'));
      };
      // A busy event loop runs timers before it reads answers. setImmediate lets an answer count that has arrived by now.
      const timer = setTimeout(() => setImmediate(late), this.withinMs);
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

  private trip(reason: string): void {
    if (this.tripped || this.closed) return;
    const now = performance.now();
    this.failures = now - this.trippedAt > STEADY_AFTER_MS ? 0 : this.failures + 1;
    this.trippedAt = now;
    this.tripped = true;
    this.show(false, reason);
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
      await this.bounded(this.pings());
      this.tripped = false;
      this.show(true, 'answers again');
    } catch {
      this.failures += 1;
      this.probeLater();
    }
  }

  private pings(): Promise<unknown> {
    if (!(this.client instanceof Cluster)) return this.client.ping();
    const masters = mastersOf(this.client);
    if (masters.length === 0) return Promise.reject(new Error('no server of the cluster is known'));
    return Promise.all(masters.map((master) => master.ping()));
  }

  private show(available: boolean, reason: string): void {
    if (this.shown === available || this.closed) return;
    this.shown = available;
    this.changed(available, reason);
  }
}

const CONNECTION = {
  connectionName: 'assent',
  // Nothing here needs RESP3, and not every managed or proxied Redis speaks it.
  protocol: 2,
  disableClientInfo: true,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_WITHIN_MS,
  disconnectTimeout: DISCONNECT_WITHIN_MS,
  socketTimeout: SILENT_MS_MAX,
} as const satisfies RedisOptions;

const reconnectAfterMs = (times: number): number =>
  Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_AFTER_MS_MAX) * (0.5 + Math.random());

const mastersOf = (cluster: Cluster): Client[] => cluster.nodes('master');

function loadScripts(client: Client): void {
  for (const { text } of scripts) client.script('LOAD', text).catch(() => undefined);
}
