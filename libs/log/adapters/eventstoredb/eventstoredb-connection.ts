import { EventStoreDBClient, type Credentials } from '@eventstore/db-client';
import { within } from '../within.js';

/**
 * How often a connection with open calls is tried, and how long it may stay silent then. The client warns where the
 * interval is below 10 s, so it stays there: most silent connections are found by their unanswered calls (see Link), and
 * this finds those on which nothing is asked, as a subscription's.
 */
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVE_ANSWER_MS = 2000;
/** How long a node may take to tell of its cluster, in seconds; a frozen one never does. The client's own 5 s are longer than a write may take. */
const GOSSIP_SECONDS = 1;
/** What `close` waits for calls that are open. */
export const CLOSE_MS_MAX = 2000;

let connectionsMade = 0;

/**
 * A client with a connection of its own. gRPC shares one connection among all channels of equal settings, and the
 * client closes its channel whenever one call fails; so each gets a time for answering keep-alive that no other has: up
 * to a second more than is set.
 */
export class Connection {
  readonly client: EventStoreDBClient;

  constructor(url: string, name: string) {
    this.client = EventStoreDBClient.connectionString(addressOf(url, name, connectionsMade++ % 1000));
    const inside = this.client as unknown as ClientInside;
    // Of a call that failed the client looks whether it needs a new channel, and waits for nobody to hear how that went:
    // where none can be had, or no more, the error would end the process. The next call meets it and tells it.
    // It looks at one after the other here: two at once would both give up the same channel, the second one by forgetting
    // the channel that was made in between, which then stays connected for ever.
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

  /** Never hangs: the client's own `dispose` waits for ever where a read was left in the middle. */
  async close(): Promise<void> {
    await within(CLOSE_MS_MAX, this.client.dispose()).catch(() => undefined);
    // It leaves its channel open and offers no way to close it. Without one it would look for a node just to be closed.
    const inside = this.client as unknown as ClientInside;
    inside.resolveUri = () => Promise.reject(new Error('the connection is closed'));
    await inside.getChannel().then(
      (channel) => channel.close(),
      () => undefined,
    );
  }
}

/** What is used of the client, and not part of what it offers. */
interface ClientInside {
  getChannel(): Promise<{ close(): void }>;
  handleError: (...failed: unknown[]) => Promise<void>;
  resolveUri: () => Promise<never>;
}

/**
 * The URL with what it does not say. What it says explicitly holds, but for `own` ms more of keepAliveTimeout (of
 * keepAliveInterval, where no answer is too late).
 */
export function addressOf(url: string, name: string, own: number): string {
  const interval = numberOf(url, 'keepAliveInterval') ?? KEEP_ALIVE_MS;
  const answer = numberOf(url, 'keepAliveTimeout') ?? KEEP_ALIVE_ANSWER_MS;
  // Less than nothing means never.
  const isNever = answer < 0 && interval >= 0;
  const settings = new URLSearchParams({
    keepAliveInterval: `${isNever ? interval + own : interval}`,
    keepAliveTimeout: `${isNever ? answer : Math.max(answer, 0) + own}`,
    throwOnAppendFailure: 'true',
  });
  if (numberOf(url, 'gossipTimeout') === null) settings.set('gossipTimeout', `${GOSSIP_SECONDS}`);
  if (!/[?&]connectionName=/i.test(url)) settings.set('connectionName', name);
  const base = url.trim().replace(/\/+$/, '');
  // Of a setting that is given twice the last counts.
  return `${base}${base.includes('?') ? '&' : '?'}${settings}`;
}

/** A setting of the URL that is a number; null where it is not there. */
function numberOf(url: string, setting: string): number | null {
  const given = new RegExp(`[?&]${setting}=(-?\\d+)`, 'i').exec(url)?.[1];
  return given === undefined ? null : Number(given);
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
