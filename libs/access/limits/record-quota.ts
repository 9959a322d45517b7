import { epochMs, refusal, type Instant, type Refusal } from '../../kernel/index.js';
import type { Caller } from '../../http/caller.js';

/** Records that all public keys together may add to one subject in a day (UTC). */
export const RECORDS_A_DAY = 1_000;

/** Injection token of the RecordQuota. */
export const RECORD_QUOTA = Symbol('RecordQuota');

/** Room for records, reserved before they are written. */
export interface Room {
  /** Null if there is room; else the refusal for records that would be added. Repeats of older records need no room. */
  readonly refused: Refusal | null;
  /** Reports how many records were added, and gives the rest of the room back. */
  used(records: number): void;
}

/**
 * Bounds the history that a public key, which every visitor can read, can give to one subject. Counted by subject id, so
 * that all references to a subject, and a subject that others were merged into, share one quota.
 */
export interface RecordQuota {
  /**
   * Reserves room for all of these records or for none. If the shared count fails, it counts in memory: never without a
   * bound.
   */
  roomFor(
    caller: Pick<Caller, 'kind' | 'site' | 'env'>,
    subjectId: string,
    records: number,
    at: Instant,
  ): Promise<Room>;
}

/** Counts of one day. */
export interface DailyCounts {
  /** Adds all or nothing: false if the count would pass `most`. */
  add(day: string, subject: string, records: number, most: number): boolean | Promise<boolean>;
  giveBack(day: string, subject: string, records: number): void;
}

export class DailyRecordQuota implements RecordQuota {
  constructor(private readonly counts: DailyCounts = new MemoryDailyCounts()) {}

  async roomFor(
    { kind, site, env }: Pick<Caller, 'kind' | 'site' | 'env'>,
    subjectId: string,
    records: number,
    at: Instant,
  ): Promise<Room> {
    if (kind !== 'pk') return BOUNDLESS;
    const [day, subject] = [at.slice(0, 10), `${site}.${env}.${subjectId}`];
    const there = await this.counts.add(day, subject, records, RECORDS_A_DAY);
    if (!there) return { refused: tooManyRecords(at), used: () => undefined };
    return {
      refused: null,
      used: (added) => {
        if (added < records) this.counts.giveBack(day, subject, records - added);
      },
    };
  }
}

const BOUNDLESS: Room = { refused: null, used: () => undefined };

/** Some 100 bytes each: about 10 MB when an attack fills them all. */
const SUBJECTS_MAX = 100_000;

/** Counts of this process, for the newest day that it was asked about. */
export class MemoryDailyCounts implements DailyCounts {
  private day = '';
  /**
   * Least recently used first. A count that is evicted starts again at 0: 100,000 other subjects were written
   * meanwhile.
   */
  private readonly counts = new Map<string, number>();

  constructor(private readonly subjectsMax = SUBJECTS_MAX) {}

  add(day: string, subject: string, records: number, most: number): boolean {
    if (day > this.day) {
      this.day = day;
      this.counts.clear();
    }
    const counted = this.counts.get(subject) ?? 0;
    if (counted + records > most) return false;
    this.set(subject, counted + records);
    return true;
  }

  giveBack(day: string, subject: string, records: number): void {
    const counted = this.counts.get(subject);
    if (day === this.day && counted !== undefined) this.set(subject, Math.max(0, counted - records));
  }

  get size(): number {
    return this.counts.size;
  }

  private set(subject: string, counted: number): void {
    if (!this.counts.delete(subject) && this.counts.size >= this.subjectsMax)
      this.counts.delete(this.counts.keys().next().value!);
    this.counts.set(subject, counted);
  }
}

const tooManyRecords = (at: Instant): Refusal => ({
  ...refusal(
    'rate_limited',
    'Public keys have added as many records to this subject today as they may.',
    `Public keys add at most ${RECORDS_A_DAY} records a day (UTC) to one subject. Wait for the time in Retry-After, or record from your server with a secret key.`,
  ),
  retryAfterSeconds: Math.max(
    1,
    Math.ceil((epochMs(at.slice(0, 10) + 'T00:00:00.000Z') + DAY_MS - epochMs(at)) / 1000),
  ),
});

const DAY_MS = 24 * 60 * 60 * 1000;
