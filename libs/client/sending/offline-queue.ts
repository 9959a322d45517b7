import type { Connection, Write } from './connection.js';
import { allRefused, dated, outcomesOf, refuses, saidAgain, saidIn, type Outcome, type Said } from '../decisions.js';
import { AssentError, ConnectionError } from '../errors.js';
import { mayPass } from './exchange.js';
import { isKept, keyAgain, readKept, type Kept } from './kept-write.js';
import { forget, inPage, keep, kept, keptNames, onOnline, tried, uptimeMs } from '../page.js';
import { ServiceClock } from '../service-clock.js';

/** A write of this page, in memory, where no other script can remove it. */
interface Mine {
  text: string;
  /** By `uptimeMs`. */
  since: number;
  /** The call that waits for the answer; null once it could not be sent. */
  call: { resolve: (answer: unknown) => void; reject: (error: unknown) => void } | null;
}

/** The last answered write of this browser: its place in the order, and the newest time that it was given. */
interface Answered {
  order: number;
  at: number;
}

/**
 * What the queue does with a kept write that the service refuses and no call waits for any more. SENT_AGAIN: it sends
 * the refusals in it, such as a withdrawal, once more, as of now. WAITING: it sends the write when a page is opened
 * whose identity token, visitor or origin the service accepts. DROPPED: the write is lost, such as a grant of more than
 * a day ago; ask the person again.
 */
export type Fate = 'SENT_AGAIN' | 'WAITING' | 'DROPPED';

/** Called with a kept write that the service refuses, or that has no effect because of its date. */
export type OnRefused = (error: AssentError, write: Write, fate: Fate) => void;

const RETRY_MS = 30_000;
/** Oldest age of a decision that the service accepts. */
const DAY_MS = 86_400_000;
/** Refusals that depend on the sending page and not on the write. A proxy's refusal counts as one. */
const OF_THIS_PAGE = /^(identity_token_|visitor_linked|origin_|http_)/;

/**
 * Keeps decisions and preferences while there is no connection. They survive a closed tab. Any open page of this origin
 * sends them in their order, each with one effect. Meanwhile the call rejects with `queued`. Does nothing outside of
 * pages.
 *
 * The device's clock does not decide. The order is a counter. The age of a decision is sent: the time that passed in
 * this page, else the time by the clock, and never before an earlier decision of this browser as the service dated it.
 * In doubt a refusal gets a later time and a grant an earlier one.
 */
export function keepOffline(connection: Connection, onRefused: OnRefused = console.error): void {
  if (!inPage()) return;
  const queue = new OfflineQueue(connection, onRefused);
  connection.deliver = (write, signal) => (isKept(write) ? queue.deliver(write) : connection.send(write, signal));
  onOnline(() => void queue.flush());
  void queue.flush();
}

class OfflineQueue {
  /** By the name under which it is stored. */
  private readonly mine = new Map<string, Mine>();
  /** Writes that wait for another page, in this round. */
  private readonly passed = new Set<string>();
  /** Those of them that the page was notified of. */
  private readonly noted = new Set<string>();
  /** Finished writes that could not be removed from the storage. */
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

  /** Sends the kept writes, the oldest first, until the service cannot be reached. */
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

  /** Names of stored writes. Another tab may have sent one already: sent again, it gets the same answer. */
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

  /** Returns why this write, and all after it, must be sent later; null if the next one can be sent. */
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
      // The person may have to log in again first; the function that returns the token may have failed.
      if (!(error instanceof AssentError) || mayPass(error) || error.status === 401)
        return error ?? new Error('No reason was given.');
      call?.reject(error);
      if (!call && OF_THIS_PAGE.test(error.code)) return this.pass(name, error, write);
      outcomes = allRefused(body, error);
    }
    return this.settle(name, write, { body, outcomes, bound, isWaitedFor: call !== null });
  }

  /** Sends again what had no effect: refused refusals, and decisions that were dated before an earlier one. */
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
      // Report the error, and send the writes behind it.
      console.error(failure);
    }
  }

  /** Milliseconds. `bound`: time by the clock of the service after which the person decided. */
  private ageOf(said: Said, { at, again }: Kept, mine: Mine | undefined, bound: number): number {
    const isRefusing = refuses(said);
    if (again && isRefusing) return 0;
    const byClock = Date.now() - at;
    const inPage = mine ? uptimeMs() - mine.since : byClock;
    // `uptimeMs` does not count while the machine sleeps, and the clock may have been set since.
    const age = isRefusing ? inPage : Math.max(inPage, byClock);
    const sinceBound = (isRefusing || again ? this.clock.byPage() : this.clock.byDevice()) - bound;
    // Do not shorten an age that the service refuses: it has to refuse the write.
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
