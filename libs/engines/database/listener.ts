import pg from 'pg';

/** The payload of the notification; undefined when listening has (again) begun. */
export type OnNotify = (payload?: string) => void;

const BACKOFF_MS_MIN = 50;
const BACKOFF_MS_MAX = 2_000;
/** How soon a connection is found dead that a firewall dropped without a word. */
const HEARTBEAT_MS = 15_000;

/** One connection for all channels. It exists while there is a listener, and reconnects until the last one ends. */
export class Listener {
  private readonly channels = new Map<string, Set<OnNotify>>();
  private client: pg.Client | null = null;
  private connected = false;
  private backoffMs = BACKOFF_MS_MIN;
  private retry: NodeJS.Timeout | null = null;
  private heartbeat: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(private readonly options: pg.ClientConfig) {}

  listen(channel: string, onNotify: OnNotify): () => void {
    const listeners = this.channels.get(channel) ?? new Set();
    // Its own function, so that the same callback given twice is two listeners.
    const listener: OnNotify = (payload) => onNotify(payload);
    listeners.add(listener);
    const isNew = !this.channels.has(channel);
    this.channels.set(channel, listeners);
    if (!this.client) this.connect();
    else if (this.connected && isNew) this.begin(this.client, [channel]);
    else if (this.connected) queueMicrotask(() => listeners.has(listener) && listener());
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.channels.delete(channel);
      if (this.channels.size === 0) this.drop();
      else if (this.connected) this.client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  close(): void {
    this.closed = true;
    this.channels.clear();
    this.drop();
  }

  private connect(): void {
    if (this.closed || this.client || this.retry || this.channels.size === 0) return;
    const client = (this.client = new pg.Client(this.options));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload }) =>
      this.channels.get(channel)?.forEach((listener) => listener(payload)),
    );
    client.connect().then(
      () => {
        if (this.client !== client) return;
        this.connected = true;
        this.backoffMs = BACKOFF_MS_MIN;
        this.begin(client, [...this.channels.keys()]);
        this.heartbeat = setInterval(() => void client.query('select 1').catch(() => this.lost(client)), HEARTBEAT_MS);
        this.heartbeat.unref();
      },
      () => this.lost(client),
    );
  }

  private begin(client: pg.Client, channels: string[]): void {
    for (const channel of channels) {
      client.query(`listen ${pg.escapeIdentifier(channel)}`).then(
        () => this.channels.get(channel)?.forEach((listener) => listener()),
        () => this.lost(client),
      );
    }
  }

  private lost(client: pg.Client): void {
    if (this.client !== client) return;
    this.drop();
    if (this.closed || this.channels.size === 0) return;
    // Random, so that many processes do not reconnect in one moment.
    this.retry = setTimeout(
      () => {
        this.retry = null;
        this.connect();
      },
      this.backoffMs * (0.5 + Math.random()),
    );
    this.backoffMs = Math.min(this.backoffMs * 2, BACKOFF_MS_MAX);
  }

  private drop(): void {
    if (this.retry) clearTimeout(this.retry);
    if (this.heartbeat) clearInterval(this.heartbeat);
    const client = this.client;
    this.retry = this.heartbeat = this.client = null;
    this.connected = false;
    if (!client) return;
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    client.end().catch(() => undefined);
  }
}
