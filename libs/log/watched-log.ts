import { BEGINNING, type Position } from '../kernel/index.js';
import { differenceOf, markOf, type KnownLogs, type SeenEvent } from './known-log.js';
import {
  LogNotAccepted,
  LogTooSlow,
  LogUnavailable,
  type AppendOutcome,
  type EventLog,
  type NewEvent,
  type ReadStream,
  type RecordedEvent,
  type SubscribeOptions,
  type Subscription,
} from './port.js';
import { WatchedSubscription, type Watch } from './watched-subscription.js';

/** How often the log is compared while it may be another one. */
const LOOK_AGAIN_MS = 200;
/** How often it is compared while it is the known one, */
const SURE_LOOK_MS = 1_000;
/** and one of so many times where this process has seen no event since. */
const QUIET_LOOKS = 5;
/** How long a difference must last before it counts. A node of a cluster that lags behind the others needs less. */
const BELIEVED_AFTER_MS = 5_000;
/** How long a call waits for the comparison at most. The rest of its two seconds is for the call itself. */
const COMPARED_WITHIN_MS = 1_000;

export interface WatchedEventLogOptions {
  known: KnownLogs;
  /** Called with the difference once it counts, and with null once the log is the known one again. */
  changed?: (difference: string | null) => void;
  /** Called when an operator has accepted a log. The process must begin anew: its memory may be of the log before. */
  accepted?: () => void;
}

/** The result of one comparison; `away`: the log or the database did not answer. */
type Look = 'the known one' | 'another' | 'away' | 'doubted again';

/**
 * An event log that is used only while it is the one that the read side knows (see KnownLogs). It compares the log at the
 * start, after every loss, and once a second; every five seconds where it saw no event since. Until then, and while the
 * log differs, it refuses appends and reads, and subscriptions deliver nothing: a wrong log neither grows nor reaches a
 * read model.
 *
 * In normal times an append or a batch costs no more than remembering its last event.
 */
export class WatchedEventLog implements EventLog, Watch {
  readonly countsEvents: boolean;
  private isSure = false;
  /** The difference, once it counts. */
  private difference: string | null = null;
  private differsSince: number | null = null;
  /** Counts doubts, so that a comparison which began before a doubt does not end it. */
  private doubts = 0;
  private epoch: string | null = null;
  /** The furthest event that this process has seen in the log, and the last one that it noted for all others. */
  private newest: SeenEvent | null = null;
  private noted: SeenEvent | null = null;
  private looking: Promise<Look> | null = null;
  /** Why the log could not be compared the last time. */
  private failure: unknown = null;
  private timer: NodeJS.Timeout | null = null;
  /** How often it could have been compared since it last was, and was not. */
  private quietLooks = 0;
  private ended = false;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly log: EventLog,
    private readonly options: WatchedEventLogOptions,
  ) {
    this.countsEvents = log.countsEvents;
  }

  /** Begins to compare. Rejects where the database cannot be reached; does not wait for a log that is away. */
  async start(): Promise<void> {
    this.epoch ??= (await this.options.known.read()).epoch;
    this.lookLater();
    await this.compared(COMPARED_WITHIN_MS);
  }

  /** How the log differs from the known one, in words; null: it does not, or that is not known yet. */
  get notAccepted(): string | null {
    return this.difference;
  }

  /** Resolves with true as soon as the log is the known one; with false after `close` or a change of log. */
  async sure(): Promise<boolean> {
    while (!this.isSure && !this.ended) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.isSure;
  }

  /** Says that the log may be another one: it is compared before it is used again. */
  doubt(): void {
    this.isSure = false;
    this.doubts += 1;
    void this.look();
  }

  async append(stream: string, expected: number, events: readonly NewEvent[], until?: number): Promise<AppendOutcome> {
    if (!this.isSure) await this.ensureSure(until);
    const before = this.newest?.position ?? BEGINNING;
    const outcome = await this.answered(this.log.append(stream, expected, events, until));
    if (outcome.outcome === 'appended') {
      if (!outcome.already && outcome.position <= before) {
        this.doubt();
        throw new LogUnavailable('the event log has fallen back', true);
      }
      const { id, metadata } = events.at(-1)!;
      this.saw({ stream, revision: outcome.revision, position: outcome.position, id, metadata });
    } else if (outcome.outcome === 'conflict' && outcome.revision < expected) this.doubt();
    return outcome;
  }

  async read(stream: string, options: ReadStream): Promise<RecordedEvent[]> {
    if (!this.isSure) await this.ensureSure(options.until);
    return this.answered(this.log.read(stream, options));
  }

  /** Answers also where the log is not the known one: callers want to compare it. */
  head(): Promise<Position> {
    return this.answered(this.log.head());
  }

  /** As `head`. */
  at(position: Position): Promise<RecordedEvent | null> {
    return this.answered(this.log.at(position));
  }

  async readAt(positions: readonly Position[]): Promise<RecordedEvent[]> {
    if (!this.isSure) await this.ensureSure();
    return this.answered(this.log.readAt(positions));
  }

  /** Null where the log is not the known one, since its positions are others. */
  async ageAfter(position: Position): Promise<number | null> {
    return this.difference === null ? this.answered(this.log.ageAfter(position)) : null;
  }

  hurry(): void {
    this.log.hurry?.();
  }

  subscribe(options: SubscribeOptions): Subscription {
    return new WatchedSubscription(this, this.log, options);
  }

  async tombstone(stream: string): Promise<void> {
    if (!this.isSure) await this.ensureSure();
    await this.answered(this.log.tombstone(stream));
  }

  async close(): Promise<void> {
    this.ended = true;
    if (this.timer) clearTimeout(this.timer);
    this.announce();
    // Notes the events since the last comparison too, where the database still answers.
    if (this.isSure) await this.note().catch(() => undefined);
    this.isSure = false;
    await this.log.close();
  }

  /** Whether a subscription may deliver at once. */
  get isKnownOne(): boolean {
    return this.isSure;
  }

  /** Remembers an event of this log, by which it is recognised later. */
  saw(event: SeenEvent): void {
    if (this.newest === null || event.position > this.newest.position) this.newest = event;
  }

  private async answered<R>(call: Promise<R>): Promise<R> {
    try {
      return await call;
    } catch (error) {
      // A call that waited in a long line is late for that reason: the log is not in doubt.
      if (wasAsked(error) && !(error instanceof LogTooSlow)) this.doubt();
      throw error;
    }
  }

  /** @param by the caller's deadline, of `performance.now()` */
  private async ensureSure(by = Infinity): Promise<void> {
    const until = Math.min(by, performance.now() + COMPARED_WITHIN_MS);
    // A comparison that began before the doubt does not end it; the next one does.
    while (!this.isSure && this.difference === null) {
      const left = until - performance.now();
      if (left <= 0 || (await this.compared(left)) !== 'doubted again') break;
    }
    if (this.isSure) return;
    if (this.difference !== null) throw new LogNotAccepted(this.difference);
    const cause = this.failure instanceof LogUnavailable ? { cause: this.failure } : {};
    throw new LogUnavailable('the event log is still being compared with what is known of it', false, cause);
  }

  private async compared(timeoutMs: number): Promise<Look> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'away'>((resolve) => (timer = setTimeout(() => resolve('away'), timeoutMs)));
    const found = await Promise.race([this.look(), late]);
    clearTimeout(timer);
    return found;
  }

  /** Compares the log with the known one; calls that come meanwhile share the comparison. Never rejects. */
  private look(): Promise<Look> {
    return (this.looking ??= this.compare()
      .catch((error: unknown) => {
        this.failure = error;
        return 'away' as const;
      })
      .finally(() => {
        this.looking = null;
        this.lookLater();
      }));
  }

  /** After a time from the end of the last comparison on. */
  private lookLater(): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.ended) return;
    this.timer = setTimeout(
      () => {
        const isQuiet = this.isSure && this.newest === this.noted;
        this.quietLooks = isQuiet ? (this.quietLooks + 1) % QUIET_LOOKS : 0;
        if (this.quietLooks > 0) this.lookLater();
        else void this.look();
      },
      this.isSure ? SURE_LOOK_MS : LOOK_AGAIN_MS,
    ).unref();
  }

  private async compare(): Promise<Look> {
    if (this.ended) return 'away';
    const { isSure: wasSure, doubts, newest } = this;
    const { epoch, mark, furthest } = await this.options.known.read();
    if (this.ended) return 'away';
    if (epoch !== (this.epoch ??= epoch)) return this.beginAnew();
    // While the log never was away, the noted mark is enough. After a loss, the newest event of this process and the
    // furthest checkpoint have to be there too.
    const marks = [...(mark ? [mark] : []), ...(!wasSure && newest ? [markOf(newest)] : [])];
    const difference = await this.differenceOf(marks, wasSure ? BEGINNING : furthest);
    if (difference !== null) return this.differs(difference);
    if (doubts !== this.doubts) return 'doubted again';
    this.differsSince = null;
    if (this.difference !== null) this.options.changed?.((this.difference = null));
    this.isSure = true;
    this.failure = null;
    this.announce();
    await this.note();
    return 'the known one';
  }

  private async differenceOf(
    marks: Parameters<typeof differenceOf>[1]['marks'],
    furthest: Position,
  ): Promise<string | null> {
    try {
      return await differenceOf(this.log, { marks, furthest });
    } catch (error) {
      // A full line in this process says nothing about the log.
      if (wasAsked(error)) this.isSure = false;
      throw error;
    }
  }

  private differs(difference: string): Look {
    this.isSure = false;
    this.differsSince ??= performance.now();
    if (this.difference === null && performance.now() - this.differsSince >= BELIEVED_AFTER_MS)
      this.options.changed?.((this.difference = difference));
    return 'another';
  }

  private beginAnew(): Look {
    this.isSure = false;
    this.ended = true;
    this.announce();
    this.options.accepted?.();
    return 'another';
  }

  /** Notes the newest event for the other processes. */
  private async note(): Promise<void> {
    const { newest, epoch } = this;
    if (newest === null || newest === this.noted || epoch === null) return;
    await this.options.known.raise(epoch, markOf(newest));
    this.noted = newest;
  }

  private announce(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Whether the failure came from the log. One without a cause came from this process: its line is full, or it closes. */
const wasAsked = (error: unknown): boolean => (error as Error).cause !== undefined;
