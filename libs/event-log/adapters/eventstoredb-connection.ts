import { EventStoreDBClient, type Credentials } from '@eventstore/db-client';
import { within } from './within.js';

/** The client refuses less, and takes -1 for never. */
const KEEP_ALIVE_MS_MIN = 10_000;
/** What `close` waits for calls that are open. */
export const CLOSE_MS_MAX = 2000;

let connectionsMade = 0;

/**
 * A client with a connection of its own. gRPC shares one connection among all channels of equal settings, and the
 * client closes its channel whenever one call fails; so each gets a keep-alive interval that no other has.
 */
export class Connection {
  readonly client: EventStoreDBClient;

  constructor(url: string, name: string) {
    const asked = Number(/[?&]keepAliveInterval=(-?\d+)/i.exec(url)?.[1] ?? 0);
    const settings = new URLSearchParams({
      keepAliveInterval: `${Math.max(asked, KEEP_ALIVE_MS_MIN) + (connectionsMade++ % 10_000)}`,
      throwOnAppendFailure: 'true',
    });
    if (!/[?&]connectionName=/i.test(url)) settings.set('connectionName', name);
    const base = url.trim().replace(/\/+$/, '');
    // Of a setting that is given twice the last counts.
    this.client = EventStoreDBClient.connectionString(`${base}${base.includes('?') ? '&' : '?'}${settings}`);
  }

  /** Never hangs: the client's own `dispose` waits for ever where a read was left in the middle. */
  async close(): Promise<void> {
    await within(CLOSE_MS_MAX, this.client.dispose()).catch(() => undefined);
    // It leaves its channel open and offers no way to close it. Without one it would look for a node just to be closed.
    const inside = this.client as unknown as {
      getChannel(): Promise<{ close(): void }>;
      resolveUri: () => Promise<never>;
    };
    inside.resolveUri = () => Promise.reject(new Error('the connection is closed'));
    await inside.getChannel().then(
      (channel) => channel.close(),
      () => undefined,
    );
  }
}

/**
 * Those of the URL. Without TLS the client sends none, so any will do to get the classic call. With TLS and no
 * credentials every append would go through the shared call instead, whose promises a failure elsewhere can reject.
 */
export function credentialsOf(url: string): Credentials {
  const [, username, password] = /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(url) ?? [];
  if (username !== undefined && password !== undefined)
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  if (/[?&]tls=false/i.test(url)) return { username: 'none', password: 'none' };
  throw new TypeError('the EventStoreDB URL needs a user and a password where TLS is on');
}
