import { LogUnavailable } from './port.js';

/** Failures that are further apart than this, in ms, belong to different outages. */
const APART_MS = 10_000;
/** Characters of a reason. */
const REASON_MAX = 200;

/** Changes in whether the log answers. Each is reported once. */
export type LogNews =
  /** It has not answered since the process began: the process waits for it. */
  | { is: 'awaited'; reason: string }
  /** It answers for the first time, after so many ms. */
  | { is: 'there'; afterMs: number }
  /** It has stopped answering. */
  | { is: 'lost'; reason: string }
  /** It answers again, after so many ms. */
  | { is: 'back'; afterMs: number };

/**
 * Whether the log answers, learnt from the calls that the process makes anyway. Followers ask for the head of the log once
 * a second, so a process without requests learns it too.
 */
export class LogReach {
  private is: 'unknown' | 'there' | 'awaited' | 'lost' = 'unknown';
  private answeredAt = -Infinity;
  private failingSince = Infinity;
  private failedAt = -Infinity;
  private lostTimes = 0;

  /**
   * @param lostAfterMs the log is lost after failing for so long without an answer
   * @param nowMs a clock that is never set
   */
  constructor(
    private readonly tell: (news: LogNews) => void,
    private readonly lostAfterMs: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Whether it has answered, and was not lost since. */
  get isThere(): boolean {
    return this.is === 'there';
  }

  /** Whether it was found not to answer. */
  get isAway(): boolean {
    return this.is === 'lost' || this.is === 'awaited';
  }

  /** How often it was lost. */
  get losses(): number {
    return this.lostTimes;
  }

  /** How long ago a call failed the last time, in ms. */
  get failedMsAgo(): number {
    return this.nowMs() - this.failedAt;
  }

  /** Makes a call, and notes whether the log answered it. */
  async asked<T>(call: () => Promise<T>): Promise<T> {
    const begunAt = this.nowMs();
    try {
      const answer = await call();
      this.answered();
      return answer;
    } catch (error) {
      if (error instanceof LogUnavailable) this.failed(begunAt, error);
      throw error;
    }
  }

  private answered(): void {
    this.answeredAt = this.nowMs();
    const [was, afterMs] = [this.is, Math.round(this.answeredAt - this.failingSince)];
    this.is = 'there';
    this.failingSince = Infinity;
    if (was === 'awaited') this.tell({ is: 'there', afterMs });
    if (was === 'lost') this.tell({ is: 'back', afterMs });
  }

  /** Ignores calls that began before the last answer: they say nothing about now. */
  private failed(begunAt: number, error: LogUnavailable): void {
    if (wasNotAsked(error) || this.answeredAt >= begunAt) return;
    const isApart = begunAt - this.failedAt > APART_MS;
    this.failingSince = isApart && !this.isAway ? begunAt : Math.min(this.failingSince, begunAt);
    this.failedAt = this.nowMs();
    if (this.isAway || this.failedAt - this.failingSince < this.lostAfterMs) return;
    const reason = reasonOf(error);
    if (this.is === 'unknown') this.tell({ is: (this.is = 'awaited'), reason });
    else {
      this.lostTimes += 1;
      this.tell({ is: (this.is = 'lost'), reason });
    }
  }
}

/** Whether this process refused the call: its line is full, or the log was closed. Failures of the log have a cause. */
const wasNotAsked = ({ cause }: LogUnavailable): boolean => cause === undefined;

/** What the innermost cause says, in one line. */
export function reasonOf(error: unknown): string {
  let reason = '';
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as { code?: unknown };
    // An attempt at several addresses has a code and no message of its own.
    reason = each.message || (typeof code === 'string' ? code : each.name);
  }
  return reason.replace(/\s+/g, ' ').trim().slice(0, REASON_MAX);
}
