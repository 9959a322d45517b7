import { EventStoreDBClient, type Credentials } from '@eventstore/db-client';
import { within } from '../within.js';

/**
 * How often a connection with open calls is pinged, and how long the answer may take. The client warns below 10 s. Most
 * silent connections are found by their unanswered calls (see Link). This finds those without calls, as a subscription's.
 */
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_ANSWER_MS = 2000;
/** How long a node may take to name its cluster, in seconds: a frozen one never does. The client's 5 s are too long. */
const GOSSIP_SECONDS = 1;
/** How long `close` waits for open calls. */
export const CLOSE_MS_MAX = 2000;

let connectionsMade = 0;

/**
 * A client with a connection of its own. gRPC shares a connection among all channels with equal settings, and the client
 * closes its channel whenever one call fails. So each client gets a keep-alive time-out that no other has: up to a second
 * more than the setting.
 */
export class Connection {
  readonly client: EventStoreDBClient;

  constructor(url: string, name: string) {
    this.client = EventStoreDBClient.connectionString(addressOf(url, name, connectionsMade++ % 1000));
    const inside = this.client as unknown as ClientInside;
    // After a failed call the client checks whether it needs a new channel, and does not handle a rejection of that check:
    // it would end the process. Here the rejection is dropped, since the next call meets the same error and reports it.
    // The checks run one after the other: two at once would both give up the same channel, and the second would drop the
    // channel that the first had made, which then stays connected for ever.
    const { handleError } = inside;
    let looking: Promise<unknown> | null = null;
    inside.handleError = async (...failed) => {
      while (looking) await looking;
      looking = handleError(...failed)
        .catch(() => undefined)
        .then(() => (looking = null));
      await looking;
    };
  }

  /** Ends within CLOSE_MS_MAX. The client's own `dispose` waits for ever where a read was left in the middle. */
  async close(): Promise<void> {
    await within(CLOSE_MS_MAX, this.client.dispose()).catch(() => undefined);
    // `dispose` leaves the channel open and offers no way to close it. Without a channel, asking for one would connect.
    const inside = this.client as unknown as ClientInside;
    inside.resolveUri = () => Promise.reject(new Error('the connection is closed'));
    await inside.getChannel().then(
      (channel) => channel.close(),
      () => undefined,
    );
  }
}

/** Members of the client that this file uses and that its types hide. */
interface ClientInside {
  getChannel(): Promise<{ close(): void }>;
  handleError: (...failed: unknown[]) => Promise<void>;
  resolveUri: () => Promise<never>;
}

/**
 * The URL with our defaults for settings that it lacks. Its own settings stay, but `own` ms are added to keepAliveTimeout
 * (to keepAliveInterval where the time-out is off).
 */
export function addressOf(url: string, name: string, own: number): string {
  const interval = numberOf(url, 'keepAliveInterval') ?? KEEP_ALIVE_MS;
  const answer = numberOf(url, 'keepAliveTimeout') ?? KEEP_ALIVE_ANSWER_MS;
  // A negative number means never.
  const isNever = answer < 0 && interval >= 0;
  const settings = new URLSearchParams({
    keepAliveInterval: `${isNever ? interval + own : interval}`,
    keepAliveTimeout: `${isNever ? answer : Math.max(answer, 0) + own}`,
    throwOnAppendFailure: 'true',
  });
  if (numberOf(url, 'gossipTimeout') === null) settings.set('gossipTimeout', `${GOSSIP_SECONDS}`);
  if (!/[?&]connectionName=/i.test(url)) settings.set('connectionName', name);
  const base = url.trim().replace(/\/+$/, '');
  // Of a setting that is given twice the client takes the last.
  return `${base}${base.includes('?') ? '&' : '?'}${settings}`;
}

/** A setting of the URL that is a number; null where it is not there. */
function numberOf(url: string, setting: string): number | null {
  const given = new RegExp(`[?&]${setting}=(-?\\d+)`, 'i').exec(url)?.[1];
  return given === undefined ? null : Number(given);
}

/**
 * The credentials of the URL, or made-up ones: appends need some to use the classic call, and without TLS the client sends
 * none. With TLS and no credentials every append uses the shared call, whose promises another call's failure can reject.
 */
export function credentialsOf(url: string): Credentials {
  const [, username, password] = /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(url) ?? [];
  if (username !== undefined && password !== undefined)
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  if (/[?&]tls=false/i.test(url)) return { username: 'none', password: 'none' };
  throw new TypeError('the EventStoreDB URL needs a user and a password where TLS is on');
}
