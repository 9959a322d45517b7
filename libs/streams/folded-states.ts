import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../kernel/index.js';
import type { Folding } from './folding.js';
import type { EventLog, RecordedEvent } from '../log/port.js';
import { roughSize } from './rough-size.js';
import type { SnapshotStore } from './snapshot-store.js';
import { isWithin, type Folded, type FoldedBefore } from './stream-fold.js';
import { letGo, PAGE, type Reading } from './stream-pages.js';

/** While a long stream is folded, states are kept the further apart the further it has come: by half. */
const FURTHER_ON_THE_WAY = 0.5;
/** Bound of one cache of folded states, in bytes as `roughSize` counts them: some 2,500 visitors of the last seconds. */
const CACHED_BYTES = 4 * 1024 * 1024;
/** A state larger than this counts as this large, so that it is cached like any other and leaves room for others. */
const CACHED_BYTES_EACH = 4;

export interface FoldedStatesOptions {
  /** Absent: states are kept in memory only. */
  snapshots?: SnapshotStore;
  /** Bound of the cache, in bytes. */
  cachedBytes?: number;
}

interface Cached<S> {
  folded: Folded<S>;
  /** Revision of the newest snapshot that this process knows of; -1 where it knows of none. */
  snapshotAt: number;
  /** The same of those that were left on the way to a newer state. */
  onTheWayAt: number;
  bytes: number;
  /** The revision at which the bytes were counted. */
  countedAt: number;
}

interface KeepOptions {
  /** A snapshot of the stream that is known to stand, by its revision. */
  snapshotAt?: number;
  /** More of the stream is about to be folded. */
  isOnTheWay?: boolean;
}

/** States of streams as far as this process knows them, brought up to date from the log. */
export class FoldedStates<S, E extends DomainEvent> {
  private readonly cached: LRUCache<string, Cached<S>>;
  private readonly snapshots: SnapshotStore | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly folding: Folding<S, E>,
    { snapshots, cachedBytes = CACHED_BYTES }: FoldedStatesOptions,
  ) {
    this.snapshots = folding.by.snapshots && snapshots;
    // A fold that passes unreadable events is used by erasures only. Its states are not kept for other readers.
    if (this.snapshots && !folding.by.passesUnreadable)
      this.snapshots.follow(folding.by.snapshots!, async (stream, work) => void (await this.newest(stream, { work })));
    const each = Math.ceil(cachedBytes / CACHED_BYTES_EACH);
    this.cached = new LRUCache({ maxSize: cachedBytes, sizeCalculation: ({ bytes }) => Math.min(bytes, each) });
  }

  /** As far as this process knows, without asking the log. */
  known(stream: string): Folded<S> | null {
    const known = this.cached.get(stream)?.folded;
    return known && this.folding.isCurrent(known) ? known : null;
  }

  /** With everything acknowledged so far. */
  async newest(stream: string, reading: Reading = {}): Promise<Folded<S>> {
    const known = this.known(stream);
    return known ? this.catchUp(stream, known, reading) : this.first(stream, reading);
  }

  /**
   * The same, from a state of this stream. Without `note` it goes on from the furthest state that this process has folded.
   * What was folded before a failure is kept: a repeat goes on from there.
   */
  async catchUp(stream: string, from: Folded<S>, { note, work }: Reading = {}): Promise<Folded<S>> {
    let folded = from;
    for (let isLast = false; !isLast;) {
      if (!note) folded = this.furthest(stream, folded);
      const page = await this.log.read(stream, { direction: 'forwards', from: folded.revision + 1, limit: PAGE });
      isLast = page.length < PAGE;
      folded = this.folding.over(stream, folded, page);
      this.keep(stream, folded, { isOnTheWay: !isLast });
      note?.(page);
      if (page.length > 0) await work?.folded(letGo(page));
    }
    return folded;
  }

  /** As far as this process knows within a bound, where that is further than a state of the stream; else the state. */
  furthest(stream: string, folded: Folded<S>, bound: FoldedBefore = {}): Folded<S> {
    const known = this.known(stream);
    return known && known.revision > folded.revision && isWithin(known, bound) ? known : folded;
  }

  /** Remembers what a stream came to. A slow reader never puts an older state over a newer one. */
  keep(stream: string, folded: Folded<S>, { snapshotAt = -1, isOnTheWay = false }: KeepOptions = {}): void {
    if (!this.folding.isCurrent(folded)) return;
    const cached = this.cached.peek(stream);
    const before = cached && this.folding.isCurrent(cached.folded) ? cached : undefined;
    if (before && before.folded.revision > folded.revision) return;
    // A state grows no faster than its stream: that of a long one need not be counted each time.
    const isCounted = before !== undefined && folded.revision < before.countedAt * 1.2 + 5;
    const { bytes, countedAt } = isCounted
      ? before
      : { bytes: 200 + stream.length + roughSize(folded.state), countedAt: Math.max(folded.revision, 0) };
    const kept = {
      folded,
      snapshotAt: Math.max(before?.snapshotAt ?? -1, snapshotAt),
      onTheWayAt: before?.onTheWayAt ?? -1,
      bytes,
      countedAt,
    };
    if (this.isFarFromSnapshot(kept, isOnTheWay) && this.offer(stream, folded, isOnTheWay))
      kept[isOnTheWay ? 'onTheWayAt' : 'snapshotAt'] = folded.revision;
    this.cached.set(stream, kept);
  }

  /** The newest known state that holds nothing from beyond a bound: where a reading of the past begins. */
  async before(stream: string, bound: FoldedBefore): Promise<Folded<S>> {
    const known = this.known(stream);
    if (known && isWithin(known, bound)) return known;
    const kept = await this.snapshot(stream, bound);
    if (!kept) return this.folding.empty();
    const [last] = await this.log.read(stream, { direction: 'forwards', from: kept.revision, limit: 1 });
    return (await this.endsWith(stream, kept, last)) ? kept : this.folding.empty();
  }

  private async first(stream: string, reading: Reading): Promise<Folded<S>> {
    const nothing = this.folding.empty();
    if (this.folding.by.on?.length === 0) {
      const [last] = await this.log.read(stream, { direction: 'backwards', limit: 1 });
      return last ? { ...nothing, revision: last.revision, position: last.position } : nothing;
    }
    if (!this.snapshots) return this.catchUp(stream, nothing, reading);
    // Nearly every stream is so short that it is loaded by this one read, and has no snapshot.
    const limit = this.snapshots.every;
    const events = await this.log.read(stream, { direction: 'forwards', from: 0, limit });
    const begun = this.folding.over(stream, nothing, events);
    reading.note?.(events);
    const isWhole = events.length < limit;
    await reading.work?.folded(letGo(events));
    if (isWhole) {
      this.keep(stream, begun);
      return begun;
    }
    const kept = await this.snapshot(stream, {});
    if (!kept || kept.revision <= begun.revision) return this.catchUp(stream, begun, reading);
    return (await this.sinceSnapshot(stream, kept, reading)) ?? this.catchUp(stream, begun, reading);
  }

  private async snapshot(stream: string, bound: FoldedBefore): Promise<Folded<S> | null> {
    const kept = this.snapshots && (await this.snapshots.newest<S>(this.folding.by.snapshots!, stream, bound));
    return kept ? this.folding.resumed(kept) : null;
  }

  /** Null where the log does not hold the event that the snapshot ends with: it was restored to an earlier moment. */
  private async sinceSnapshot(stream: string, kept: Folded<S>, reading: Reading): Promise<Folded<S> | null> {
    const events = await this.log.read(stream, { direction: 'forwards', from: kept.revision, limit: PAGE });
    if (!(await this.endsWith(stream, kept, events[0]))) return null;
    const folded = this.folding.over(stream, kept, events.slice(1));
    this.keep(stream, folded, { snapshotAt: kept.revision });
    reading.note?.(events);
    const isAll = events.length < PAGE;
    await reading.work?.folded(letGo(events));
    return isAll ? folded : this.catchUp(stream, folded, reading);
  }

  /** Whether that is the event which a snapshot ends with. The snapshots of a stream go where it is not. */
  private async endsWith(stream: string, kept: Folded<S>, event: RecordedEvent | undefined): Promise<boolean> {
    if (event?.position === kept.position) return true;
    await this.snapshots!.drop(stream);
    return false;
  }

  private isFarFromSnapshot({ folded: { revision }, snapshotAt, onTheWayAt }: Cached<S>, isOnTheWay: boolean): boolean {
    if (!this.snapshots) return false;
    const { every } = this.snapshots;
    if (!isOnTheWay) return revision - snapshotAt >= every;
    return revision - Math.max(snapshotAt, onTheWayAt) >= Math.max(every, revision * FURTHER_ON_THE_WAY);
  }

  private offer(stream: string, folded: Folded<S>, isOnTheWay: boolean): boolean {
    const { snapshots: rules, isOver } = this.folding.by;
    if (!this.snapshots || !rules || folded.unreadable || isOver?.(folded.state)) return false;
    const isWanted = async (): Promise<boolean> =>
      this.folding.isCurrent(folded) && !(await this.endedSince(stream, folded));
    return this.snapshots.offer(rules, stream, folded, isWanted, { leads: !isOnTheWay });
  }

  /** Whether the last event of the stream says that nothing counts any more, or the stream is gone. */
  private async endedSince(stream: string, folded: Folded<S>): Promise<boolean> {
    const [last] = await this.log.read(stream, { direction: 'backwards', limit: 1 });
    if (!last) return true;
    if (last.revision <= folded.revision) return false;
    return this.folding.by.isOver?.(this.folding.over(stream, folded, [last]).state) === true;
  }
}
