import type { Connection, Write } from './connection.js';
import { allRefused, dated, outcomesOf, refuses, saidAgain, saidIn, type Outcome, type Said } from '../decisions.js';
import { AssentError, ConnectionError } from '../errors.js';
import { mayPass } from './exchange.js';
import { isKept, keyAgain, readKept, type Kept } from './kept-write.js';
import { forget, inPage, keep, kept, keptNames, onOnline, tried, uptimeMs } from '../page.js';
import { ServiceClock } from '../service-clock.js';

/** Of a write of this page, which no other script can take out of the storage. */
interface Mine {
  text: string;
  /** By `uptimeMs`. */
  since: number;
  /** Who waits for the answer; null from then on when it could not be sent. */
  call: { resolve: (answer: unknown) => void; reject: (error: unknown) => void } | null;
}

/** Up to where this browser is answered: order of the write, and the latest moment that was given. */
interface Answered {
  order: number;
  at: number;
}

/**
 * What becomes of a kept write that the service refuses and no call waits for any more. SENT_AGAIN: the refusals in it, such
 * as a withdrawal, are sent once more, as of now. WAITING: it is sent when a page is opened whose identity token, visitor or
 * origin the service takes. DROPPED: it is lost, such as a grant of more than a day ago; ask the person again.
 */
export type Fate = 'SENT_AGAIN' | 'WAITING' | 'DROPPED';

/** Called with a kept write that the service refuses, or that counts for nothing because of its date. */
export type OnRefused = (error: AssentError, write: Write, fate: Fate) => void;

const RETRY_MS = 30_000;
/** How far back the service lets a decision be dated. */
const DAY_MS = 86_400_000;
/** Refusals that are about the page that sends, and not about what is sent. What a proxy in between refuses is one too. */
const OF_THIS_PAGE = /^(identity_token_|visitor_linked|origin_|http_)/;

/**
 * Keeps decisions and preferences while there is no connection: they survive a closed tab and are sent in their order, each
 * with one effect, by whichever page of this origin is open. The call rejects with `queued` meanwhile. Outside of pages it
 * does nothing.
 *
 * No clock of the device decides. The order is a counter. When something was said is sent as how long ago that was: by the
 * time that passed in this page, else by the clock, and never before what the service dated earlier for this browser. In
 * doubt a refusal is later and a grant is earlier.
 */
export function keepOffline(connection: Connection, onRefused: OnRefused = console.error): void {
  if (!inPage()) return;
  const queue = new OfflineQueue(connection, onRefused);
  connection.deliver = (write, signal) => (isKept(write) ? queue.deliver(write) : connection.send(write, signal));
  onOnline(() => void queue.flush());
  void queue.flush();
}

class OfflineQueue {
  /** By the name under which it is kept. */
  private readonly mine = new Map<string, Mine>();
  /** What waits for another page, in this round. */
  private readonly passed = new Set<string>();
  /** What of that the page was notified of. */
  private readonly noted = new Set<string>();
  /** What is done, and could not be removed. */
  private readonly done = new Set<string>();
  private readonly prefix: string;
  private readonly answeredName: string;
  private isSending = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly clock = new ServiceClock();

  constructor(
    private readonly connection: Connection,
    private readonly onRefused: OnRefused,
  ) {
    this.prefix = `${connection.name}.queue.`;
    this.answeredName = `${connection.name}.answered`;
  }

  deliver(write: Write): Promise<unknown> {
    const answered = this.answered();
    const order = 1 + Math.max(answered.order, ...this.names().map((name) => this.orderOf(name)));
    // Each write has a name of its own, so that tabs do not overwrite each other’s.
    const name = `${this.prefix}${order}.${write.idempotencyKey}`;
    const text = JSON.stringify({ ...write, at: Date.now(), after: answered.at } satisfies Kept);
    keep(name, text);
    return new Promise((resolve, reject) => {
      this.mine.set(name, { text, since: uptimeMs(), call: { resolve, reject } });
      void this.flush();
    });
  }

  /** Sends what is kept, the oldest first, until the service cannot be reached. */
  async flush(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    clearTimeout(this.timer);
    this.passed.clear();
    let failure: unknown = null;
    for (let name = this.next(); name !== undefined && failure === null; name = this.next())
      failure = await this.sendOne(name);
    this.isSending = false;
    if (failure !== null) this.wait(failure);
  }

  private wait(failure: unknown): void {
    this.timer = setTimeout(() => void this.flush(), RETRY_MS);
    for (const mine of this.mine.values()) {
      mine.call?.reject(queued(failure));
      mine.call = null;
    }
  }

  /** Another tab may have sent what this page keeps: sent again, it is answered the same. */
  private names(): string[] {
    return [...keptNames(this.prefix), ...this.mine.keys()].filter((name) => !this.done.has(name));
  }

  private next(): string | undefined {
    const names = this.names().filter((name) => !this.passed.has(name));
    return names.sort((a, b) => this.orderOf(a) - this.orderOf(b) || (a < b ? -1 : 1))[0];
  }

  private orderOf(name: string): number {
    return parseInt(name.slice(this.prefix.length)) || 0;
  }

  /** Why it has to be sent later, and all that comes after it; null where the next one can be sent. */
  private async sendOne(name: string): Promise<unknown> {
    const mine = this.mine.get(name);
    const write = readKept(kept(name)) ?? readKept(mine?.text ?? null);
    if (write === null) return this.end(name);
    const order = this.orderOf(name);
    const answered = this.answered();
    const bound = order > answered.order ? answered.at : (write.after ?? 0);
    const body = dated(write.body, (said) => this.ageOf(said, write, mine, bound));
    let outcomes: Outcome[];
    const call = mine?.call ?? null;
    try {
      const answer = await this.connection.send({ ...write, body });
      call?.resolve(answer);
      outcomes = outcomesOf(answer);
      this.note(order, outcomes);
    } catch (error) {
      // The person may have to log in again first; the function that answers the token may have failed.
      if (!(error instanceof AssentError) || mayPass(error) || error.status === 401)
        return error ?? new Error('No reason was given.');
      call?.reject(error);
      if (!call && OF_THIS_PAGE.test(error.code)) return this.pass(name, error, write);
      outcomes = allRefused(body, error);
    }
    return this.settle(name, write, { body, outcomes, bound, isWaitedFor: call !== null });
  }

  /** What counts for nothing is sent again: refusals that were refused, and all that was dated before what was said before. */
  private settle(
    name: string,
    write: Kept,
    { body, outcomes, bound, isWaitedFor }: { body: string; outcomes: Outcome[]; bound: number; isWaitedFor: boolean },
  ): null {
    const said = saidIn(body);
    const again = write.again
      ? []
      : [...said.keys()].filter((i) => {
          const { refused, givenAt } = outcomes[i] ?? {};
          return refused
            ? !isWaitedFor && refuses(said[i]!)
            : said[i]!.givenSecondsAgo !== undefined && givenAt! < bound;
        });
    const errorIn = (isAgain: boolean): AssentError | undefined =>
      outcomes.map(({ refused }) => refused).find((refused, i) => refused && again.includes(i) === isAgain) ??
      undefined;
    const lost = isWaitedFor ? undefined : errorIn(false);
    if (lost) this.notify(lost, write, 'DROPPED');
    if (again.length === 0) return this.end(name);
    this.notify(errorIn(true) ?? outOfOrder(), write, 'SENT_AGAIN');
    const text = JSON.stringify({
      ...write,
      body: saidAgain(write.body, again),
      idempotencyKey: keyAgain(write.idempotencyKey),
      after: bound,
      again: true,
    } satisfies Kept);
    keep(name, text);
    const mine = this.mine.get(name);
    if (mine) Object.assign(mine, { text, call: null });
    return null;
  }

  private pass(name: string, error: AssentError, write: Write): null {
    this.passed.add(name);
    if (!this.noted.has(name)) this.notify(error, write, 'WAITING');
    this.noted.add(name);
    return null;
  }

  private end(name: string): null {
    forget(name);
    this.mine.delete(name);
    if (kept(name) !== null) this.done.add(name);
    return null;
  }

  private notify(error: AssentError, { path, body, idempotencyKey }: Write, fate: Fate): void {
    try {
      this.onRefused(error, { path, body, idempotencyKey }, fate);
    } catch (failure) {
      // What waits behind it is sent all the same.
      console.error(failure);
    }
  }

  /** Milliseconds. `bound`: the moment after which it was said, by the clock of the service. */
  private ageOf(said: Said, { at, again }: Kept, mine: Mine | undefined, bound: number): number {
    const isRefusing = refuses(said);
    if (again && isRefusing) return 0;
    const byClock = Date.now() - at;
    const inPage = mine ? uptimeMs() - mine.since : byClock;
    // A page does not count the time for which the machine sleeps; a clock may have been set since.
    const age = isRefusing ? inPage : Math.max(inPage, byClock);
    const sinceBound = (isRefusing || again ? this.clock.byPage() : this.clock.byDevice()) - bound;
    // What is older than the service takes is not made younger: it has to be refused.
    return age > DAY_MS ? age : Math.min(age, sinceBound);
  }

  private answered(): Answered {
    const { order = 0, at = 0 } = tried(() => JSON.parse(kept(this.answeredName) ?? '{}') as Answered) ?? {};
    return { order: Number(order) || 0, at: Number(at) || 0 };
  }

  private note(order: number, outcomes: readonly Outcome[]): void {
    const recorded = outcomes.filter(({ refused }) => !refused);
    for (const { recordedAt } of recorded) this.clock.note(recordedAt);
    const known = this.answered();
    const at = Math.max(known.at, ...recorded.map((one) => Math.min(one.givenAt, one.recordedAt) || 0));
    keep(this.answeredName, JSON.stringify({ order: Math.max(known.order, order), at } satisfies Answered));
  }
}

const queued = (cause: unknown): ConnectionError =>
  Object.assign(
    new ConnectionError({
      code: 'queued',
      message: 'It could not be sent yet.',
      hint: `It is kept and sent later. (${String((cause as Error | null)?.message)})`,
    }),
    { cause },
  );

const outOfOrder = (): AssentError =>
  new AssentError({ code: 'out_of_order', message: 'It was dated before what this browser said before it.' });
