import { LRUCache } from 'lru-cache';
import type { Taken } from './claims.js';

/** A row that was taken ahead and did not begin within this time goes back into the queue. */
const STALE_MS = 1_000;
/** Rows of an endpoint that are taken ahead: at most as many as it took within this time. */
const PACE_MS = 250;
/** Rows taken ahead for all endpoints. */
const AHEAD_IN_ALL_MAX = 1_024;
const PACES_REMEMBERED = 10_000;

interface Pace {
  since: number;
  delivered: number;
  deliveredBefore: number;
}

/**
 * Rows that this process took before there was room to send them, so that one statement takes rows for many deliveries.
 * Only an endpoint that takes deliveries now has some: what it takes within a quarter of a second.
 */
export class Ahead<E> {
  private readonly rows = new Map<string, { taken: Taken<E>; since: number }[]>();
  private readonly paces = new LRUCache<string, Pace>({ max: PACES_REMEMBERED });
  private count = 0;

  /** `most`: rows that one endpoint may have ahead. */
  constructor(private readonly most: number) {}

  endpoints(): string[] {
    return [...this.rows.keys()];
  }

  of(endpoint: string): number {
    return this.rows.get(endpoint)?.length ?? 0;
  }

  /** How many more rows of the endpoint may be taken ahead. */
  roomOf(endpoint: string): number {
    return Math.max(0, Math.min(this.paceOf(endpoint) - this.of(endpoint), AHEAD_IN_ALL_MAX - this.count));
  }

  /** Whether so few are left that it is time to take more. */
  isLow(endpoint: string): boolean {
    return this.of(endpoint) <= this.paceOf(endpoint) / 2;
  }

  add(taken: Taken<E>): void {
    const { endpoint } = taken.claimed;
    const rows = this.rows.get(endpoint) ?? [];
    rows.push({ taken, since: performance.now() });
    this.rows.set(endpoint, rows);
    this.count++;
  }

  /** The oldest row of the endpoint; null: none is left. */
  next(endpoint: string): { taken: Taken<E>; isStale: boolean } | null {
    const rows = this.rows.get(endpoint);
    const first = rows?.shift();
    if (!rows || !first) return null;
    this.count--;
    if (rows.length === 0) this.rows.delete(endpoint);
    return { taken: first.taken, isStale: performance.now() - first.since > STALE_MS };
  }

  /** Answers the rows of the endpoint, which are not ahead any more. */
  drop(endpoint: string): Taken<E>[] {
    const rows = this.rows.get(endpoint) ?? [];
    this.rows.delete(endpoint);
    this.count -= rows.length;
    return rows.map(({ taken }) => taken);
  }

  /** The endpoint took a delivery. */
  delivered(endpoint: string): void {
    if (this.most === 0) return;
    const now = performance.now();
    const pace = this.paces.get(endpoint);
    if (pace && now - pace.since < PACE_MS) {
      pace.delivered++;
      return;
    }
    const deliveredBefore = pace && now - pace.since < 2 * PACE_MS ? pace.delivered : 0;
    this.paces.set(endpoint, { since: now, delivered: 1, deliveredBefore });
  }

  /** The endpoint took one not: nothing is taken ahead for it until it takes some again. */
  failed(endpoint: string): void {
    this.paces.delete(endpoint);
  }

  private paceOf(endpoint: string): number {
    const pace = this.paces.get(endpoint);
    if (!pace || performance.now() - pace.since >= 2 * PACE_MS) return 0;
    return Math.min(this.most, Math.max(pace.delivered, pace.deliveredBefore));
  }
}
