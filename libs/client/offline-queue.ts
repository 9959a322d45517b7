import type { Connection, Write } from './connection.js';
import { ConnectionError, type AssentError } from './errors.js';
import { mayPass } from './exchange.js';
import { inPage, onOnline, stored } from './page.js';

/** A write that waits, as it is kept. */
interface Kept extends Write {
  /** When it was said, in milliseconds since 1970. */
  at: number;
}

interface Waiting {
  kept: Kept;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** Called with a kept write that the service refuses for good, which nobody waits for any more. */
export type OnRefused = (error: AssentError, write: Write) => void;

const RETRY_MS = 30_000;
/** What is sent later than this says when it was said. */
const LATE_MS = 60_000;
/** What may be sent by a page that is opened later. */
const KEPT_PATHS = /^\/v1\/(consent(\/batch)?|preferences)$/;

/**
 * Keeps decisions and preferences while there is no connection: they survive a closed tab and are sent in their order, each
 * with one effect, by whichever page of this origin is open. The call rejects with `queued` meanwhile. Outside of pages it
 * does nothing.
 */
export function keepOffline(connection: Connection, onRefused: OnRefused = console.error): void {
  if (!inPage()) return;
  const queue = new OfflineQueue(connection, onRefused);
  connection.deliver = (write, signal) =>
    KEPT_PATHS.test(write.path) ? queue.deliver(write) : connection.send(write, signal);
  onOnline(() => void queue.flush());
  void queue.flush();
}

class OfflineQueue {
  /** By the name under which it is kept, who in this page waits for an answer. */
  private readonly waiting = new Map<string, Waiting>();
  private isSending = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private count = 0;

  constructor(
    private readonly connection: Connection,
    private readonly onRefused: OnRefused,
  ) {}

  deliver(write: Write): Promise<unknown> {
    const kept: Kept = { ...write, at: Date.now() };
    // Names in the order of time. Each write has one of its own, so that tabs do not overwrite each other’s.
    const name = `${this.prefix}${kept.at}.${1e6 + this.count++}.${write.idempotencyKey}`;
    stored((store) => store.setItem(name, JSON.stringify(kept)));
    return new Promise((resolve, reject) => {
      this.waiting.set(name, { kept, resolve, reject });
      void this.flush();
    });
  }

  /** Sends what is kept, the oldest first, until the service cannot be reached. */
  async flush(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    clearTimeout(this.timer);
    for (let name = this.first(); name !== undefined; name = this.first()) {
      const failure = await this.sendOne(name);
      if (failure === null) continue;
      this.timer = setTimeout(() => void this.flush(), RETRY_MS);
      for (const { reject } of this.waiting.values()) reject(queued(failure));
      this.waiting.clear();
      break;
    }
    this.isSending = false;
  }

  private get prefix(): string {
    return `${this.connection.name}.queue.`;
  }

  /** Another tab may have sent what somebody here waits for: sent again, it is answered the same. */
  private first(): string | undefined {
    const names = stored((store) => Object.keys(store).filter((name) => name.startsWith(this.prefix))) ?? [];
    return [...this.waiting.keys(), ...names].sort()[0];
  }

  /** Why it has to be sent later; null where it is done. */
  private async sendOne(name: string): Promise<AssentError | null> {
    const waiting = this.waiting.get(name);
    const kept = waiting?.kept ?? (JSON.parse(stored((store) => store.getItem(name)) ?? 'null') as Kept | null);
    if (kept === null) return null;
    try {
      const answer = await this.connection.send(Date.now() - kept.at < LATE_MS ? kept : dated(kept));
      waiting?.resolve(answer);
    } catch (error) {
      const refusal = error as AssentError;
      // Somebody may have to log in again first.
      if (mayPass(refusal) || refusal.status === 401) return refusal;
      if (waiting) waiting.reject(refusal);
      // Under this key it was recorded before, when its answer was lost.
      else if (refusal.code !== 'idempotency_key_reused') this.onRefused(refusal, kept);
    }
    stored((store) => store.removeItem(name));
    this.waiting.delete(name);
    return null;
  }
}

/** With the time at which it was said, where it does not name one. */
function dated({ at, body, ...write }: Kept): Write {
  const givenAt = new Date(at).toISOString();
  const said = JSON.parse(body) as { records?: object[] };
  const dated = (one: object): object => ({ givenAt, ...one });
  const whole = said.records ? { ...said, records: said.records.map(dated) } : dated(said);
  return { ...write, body: JSON.stringify(whole) };
}

const queued = (cause: AssentError): ConnectionError =>
  Object.assign(
    new ConnectionError({ code: 'queued', message: 'It could not be sent yet.', hint: 'It is kept and sent later.' }),
    { cause },
  );
