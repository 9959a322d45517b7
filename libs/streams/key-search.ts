import { instantOf, epochMs, type Instant } from '../kernel/index.js';
import type { EventLog, RecordedEvent } from '../log/port.js';

/**
 * How far the clocks of two machines may differ, together with the time that a request takes: an event under a key may
 * say that it was recorded this much before the key was reserved, and events may be out of order by as much.
 */
export const CLOCK_LEEWAY_MS = 5 * 60_000;

/** When an event under a key that was reserved at this moment can have been recorded at the earliest. */
const earliestOf = (since: Instant): Instant => instantOf(epochMs(since) - CLOCK_LEEWAY_MS);

/** Most repeats come soon after the first time: so many events at the end are looked at before any search. */
const TAIL = 100;
const PAGE = 500;

/** Which keys to look for, and when what was done under them can have been recorded. */
export interface KeySearch {
  /** Digests of idempotency keys. */
  digests: readonly string[];
  /** When the first of them was first reserved. */
  since: Instant;
  /** When the last lease on any of them ended. Absent: it may have been recorded at any time since. */
  until?: Instant;
  /**
   * No other process can have written under these keys before this moment of `performance.now()`: the keys were new, and
   * this process holds the lease until then. A decision that begins earlier need not look for them.
   */
  leasedUntilMs?: number;
}

/** What a key stood for, and the revisions of the events that were written under it. */
export interface KeptKey {
  fingerprint: string;
  revisions: number[];
}

/** The keys that were seen on events, by their digests. */
export class SeenKeys extends Map<string, KeptKey> {
  note(events: readonly Pick<RecordedEvent, 'metadata' | 'revision'>[]): void {
    for (const { metadata, revision } of events) {
      const { idempotencyKey, fingerprint = '' } = metadata;
      if (idempotencyKey === undefined) continue;
      const known = this.get(idempotencyKey);
      if (!known) this.set(idempotencyKey, { fingerprint, revisions: [revision] });
      else if (!known.revisions.includes(revision)) {
        known.revisions.push(revision);
        // The end of a stream is read before what comes before it.
        if (known.revisions.at(-2)! > revision) known.revisions.sort((a, b) => a - b);
      }
    }
  }
}

/** The searches that are needed now, those whose windows touch joined to one: a batch has hundreds of keys of one moment. */
export function neededSearches(searches: readonly KeySearch[], nowMs: number): KeySearch[] {
  const needed = searches
    .filter(({ leasedUntilMs }) => leasedUntilMs === undefined || nowMs >= leasedUntilMs)
    .sort((a, b) => (a.since < b.since ? -1 : 1));
  const joined: KeySearch[] = [];
  for (const { digests, since, until } of needed) {
    const last = joined.at(-1);
    if (!last || (last.until !== undefined && since > last.until)) {
      joined.push({ digests, since, ...(until !== undefined && { until }) });
      continue;
    }
    const isOpen = last.until === undefined || until === undefined;
    const end = isOpen ? {} : { until: until > last.until! ? until : last.until! };
    joined[joined.length - 1] = { digests: [...last.digests, ...digests], since: last.since, ...end };
  }
  return joined;
}

/**
 * Looks for keys on a stream, in its last events first and then in the window of time, whose beginning is found by
 * halves: log2(n) reads of one event, and what was recorded in the window. Everything that was read is noted.
 */
export async function searchKeys(log: EventLog, stream: string, search: KeySearch, seen: SeenKeys): Promise<void> {
  const from = earliestOf(search.since);
  const until = search.until === undefined ? null : instantOf(epochMs(search.until) + CLOCK_LEEWAY_MS);
  const tail = await log.read(stream, { direction: 'backwards', limit: TAIL });
  seen.note(tail.reverse());
  const oldest = tail[0];
  if (!oldest || oldest.revision === 0 || oldest.metadata.recordedAt < from) return;
  const wanted = new Set(search.digests);
  const isFound = (): boolean => search.digests.every((digest) => seen.has(digest));
  // A key that was found stands in one append, whose first events may lie before the tail.
  if (isFound() && !wanted.has(oldest.metadata.idempotencyKey ?? '')) return;
  for (let next = await firstSince(log, stream, from, oldest.revision); next < oldest.revision;) {
    const events = await log.read(stream, {
      direction: 'forwards',
      from: next,
      limit: Math.min(PAGE, oldest.revision - next),
    });
    const last = events.at(-1);
    if (!last) return;
    seen.note(events);
    if (until !== null && last.metadata.recordedAt > until) return;
    if (isFound() && !wanted.has(last.metadata.idempotencyKey ?? '')) return;
    next = last.revision + 1;
  }
}

/** The first revision below `end` that was recorded at a moment or after it, as far as events are in order of time. */
async function firstSince(log: EventLog, stream: string, at: Instant, end: number): Promise<number> {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [event] = await log.read(stream, { direction: 'forwards', from: middle, limit: 1 });
    if (event && event.metadata.recordedAt < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
