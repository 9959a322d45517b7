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

/** How often the log is compared while it is not known to be the right one. */
const LOOK_AGAIN_MS = 200;
/** And while it is, in so many times that. */
const SURE_LOOKS_EVERY = 5;
/** What differs for this long is believed. Shorter would blame a node of a cluster that lags behind the others. */
const BELIEVED_AFTER_MS = 5_000;
/** Longest that a call waits for the log to be compared, if it has so much; the rest of its two seconds is for itself. */
const COMPARED_WITHIN_MS = 1_000;

export interface WatchedEventLogOptions {
  known: KnownLogs;
  /** What differs, once that is believed; null once the log is the known one again. */
  changed?: (difference: string | null) => void;
  /** An operator has accepted a log. All that this process remembers may be of the one before: it has to begin anew. */
  accepted?: () => void;
}

/** What became of one look; `away`: the log or the database did not answer. */
type Look = 'the known one' | 'another' | 'away' | 'doubted again';

/**
 * An event log that is used only while it is the one that the read side knows (see KnownLogs). It is compared at the
 * start, after every loss of it, and once a second. As long as that has not been done, or something differs, appends and
 * reads are refused and subscriptions deliver nothing, so that neither the log grows nor anything is made from it.
 *
 * While all is well this costs an append or a batch no more than to remember its last event.
 */
export class WatchedEventLog implements EventLog, Watch {
  readonly countsEvents: boolean;
  private isSure = false;
  /** What differs, once it is believed. */
  private difference: string | null = null;
  private differsSince: number | null = null;
  /** Counted, so that a look that began before a doubt does not answer it. */
  private doubts = 0;
  private epoch: string | null = null;
  /** The furthest event that this process has seen in the log, and the last one that it noted for all others. */
  private newest: SeenEvent | null = null;
  private noted: SeenEvent | null = null;
  private looking: Promise<Look> | null = null;
  /** Why the log could not be compared the last time. */
  private failure: unknown = null;
  private timer: NodeJS.Timeout | null = null;
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
    let round = 0;
    this.timer ??= setInterval(() => {
      if (!this.isSure || ++round % SURE_LOOKS_EVERY === 0) void this.look();
    }, LOOK_AGAIN_MS).unref();
    await this.compared(COMPARED_WITHIN_MS);
  }

  /** What is not as it was known, in words; null where nothing is, or is not known yet. */
  get notAccepted(): string | null {
    return this.difference;
  }

  /** Resolves as soon as the log is known to be the right one; false: it is not used any more. */
  async sure(): Promise<boolean> {
    while (!this.isSure && !this.ended) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.isSure;
  }

  /** The log may be another one from now on: it is compared before it is used again. */
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

  /** Answered by whatever log is there: who asks wants to know how it is, not what it says. */
  head(): Promise<Position> {
    return this.answered(this.log.head());
  }

  /** As `head`. */
  at(position: Position): Promise<RecordedEvent | null> {
    return this.answered(this.log.at(position));
  }

  /** Null of a log that is not accepted: its positions are not those that are known. */
  async ageAfter(position: Position): Promise<number | null> {
    return this.difference === null ? this.answered(this.log.ageAfter(position)) : null;
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
    if (this.timer) clearInterval(this.timer);
    this.announce();
    // What a second has brought since the last look is noted too, where the database still answers.
    if (this.isSure) await this.note().catch(() => undefined);
    this.isSure = false;
    await this.log.close();
  }

  /** Whether what a subscription brings may be used at once. */
  get isKnownOne(): boolean {
    return this.isSure;
  }

  /** Remembers an event as one by which the log is known again. */
  saw(event: SeenEvent): void {
    if (this.newest === null || event.position > this.newest.position) this.newest = event;
  }

  private async answered<R>(call: Promise<R>): Promise<R> {
    try {
      return await call;
    } catch (error) {
      // One that waits in line with a thousand others is late without any reason to doubt the log.
      if (wasAsked(error) && !(error instanceof LogTooSlow)) this.doubt();
      throw error;
    }
  }

  /** @param by when whoever asks has no more time, as `performance.now()` counts */
  private async ensureSure(by = Infinity): Promise<void> {
    const until = Math.min(by, performance.now() + COMPARED_WITHIN_MS);
    // A look that began before the doubt does not answer it: the one after it does.
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

  /** Compares the log with what is known of it, once for all who ask meanwhile. Never rejects. */
  private look(): Promise<Look> {
    return (this.looking ??= this.compare()
      .catch((error: unknown) => {
        this.failure = error;
        return 'away' as const;
      })
      .finally(() => (this.looking = null)));
  }

  private async compare(): Promise<Look> {
    if (this.ended) return 'away';
    const { isSure: wasSure, doubts, newest } = this;
    const { epoch, mark, furthest } = await this.options.known.read();
    if (this.ended) return 'away';
    if (epoch !== (this.epoch ??= epoch)) return this.beginAnew();
    // In quiet times the event that is noted tells enough. Where the log was away, all that anybody has seen of it counts.
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
      // That too much waits in this process says nothing about the log.
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

  /** Notes the newest event for all others. */
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

/** Whether the log had a part in it. A failure without a cause is about this process: too much waits, or it is closing. */
const wasAsked = (error: unknown): boolean => (error as Error).cause !== undefined;
