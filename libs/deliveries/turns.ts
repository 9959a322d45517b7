import { randomUUID } from 'node:crypto';
import type { Claimed, Claims, Line } from './claims.js';
import { shareOut, type Room } from './room.js';

/**
 * Returns how many deliveries each of these endpoints may have under way in this process. An endpoint that the answer
 * lacks was deleted: its waiting deliveries are dropped.
 */
export type LimitsOf = (endpoints: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** A row that this process took. `leasedUntil` is a time of `performance.now()`, in ms. */
export interface Taken<E> {
  claimed: Claimed<E>;
  lease: string;
  leasedUntil: number;
}

type Claim<E> = (lease: string, leaseMs: number) => Promise<Claimed<E>[]>;

/** Least ms between two statements that put off rows behind a waiting head. */
const HOLD_EVERY_MS = 1_000;

/**
 * Decides which rows this process takes next: within the limits of process and endpoint, and in the order of each line.
 */
export class Turns<E> {
  private readonly inFlight = new Map<string, number>();
  private total = 0;
  /** Lines whose head ended in this process, each under a key of its own. */
  private readonly followUps = new Map<string, Line>();
  private turn = 0;
  private heldAt = 0;

  constructor(
    private readonly claims: Claims<E>,
    private readonly options: { concurrency: number; leaseMs: number; limits?: LimitsOf },
    /** Called at once with each taken row. */
    private readonly onTaken: (taken: Taken<E>) => void,
  ) {}

  /** Takes as many rows as there is room for. */
  async take(): Promise<void> {
    if (this.total >= this.options.concurrency) return;
    const due = await this.claims.dueEndpoints();
    const lines = [...this.followUps.values()];
    const limits = await this.limitsOf([...new Set([...due, ...lines.map(({ endpoint }) => endpoint)])]);
    const gone = due.filter((endpoint) => !limits.has(endpoint));
    if (gone.length > 0) await this.claims.dropEndpoints(gone);
    await this.takeNext(lines, limits);
    await this.takeDue(due, limits);
  }

  /** This process holds the row no longer. `ended`: the delivery is over, so the next one of its line may go. */
  release({ endpoint, subjectId }: Claimed<E>, ended: boolean): void {
    this.count(endpoint, -1);
    if (ended && subjectId !== null) this.followUps.set(`${endpoint} ${subjectId}`, { endpoint, subjectId });
  }

  private async takeNext(lines: readonly Line[], limits: ReadonlyMap<string, number>): Promise<void> {
    const next: Line[] = [];
    const asked = new Map<string, number>();
    for (const line of lines) {
      const { endpoint, subjectId } = line;
      const limit = limits.get(endpoint) ?? 0;
      const taking = asked.get(endpoint) ?? 0;
      const hasRoom = this.roomOf(endpoint, limit) > taking && this.total + next.length < this.options.concurrency;
      // A line without room keeps its turn. A row of an endpoint with limit 0 is found again when it is due.
      if (limit > 0 && !hasRoom) continue;
      this.followUps.delete(`${endpoint} ${subjectId}`);
      if (!hasRoom) continue;
      next.push(line);
      asked.set(endpoint, taking + 1);
    }
    if (next.length === 0) return;
    try {
      await this.claim((...lease) => this.claims.claimNext(next, ...lease));
    } catch (error) {
      for (const line of next) this.followUps.set(`${line.endpoint} ${line.subjectId}`, line);
      throw error;
    }
  }

  private async takeDue(due: readonly string[], limits: ReadonlyMap<string, number>): Promise<void> {
    const wanted = due.map((endpoint) => ({ endpoint, room: this.roomOf(endpoint, limits.get(endpoint) ?? 0) }));
    const shares = shareOut(this.options.concurrency - this.total, wanted, this.turn++);
    if (shares.length === 0) return;
    const giving = await this.claim((...lease) => this.claims.claim(shares, ...lease));
    await this.hold(shares, giving);
  }

  private async limitsOf(endpoints: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { limits, concurrency } = this.options;
    if (limits && endpoints.length > 0) return limits(endpoints);
    return new Map(endpoints.map((endpoint) => [endpoint, concurrency]));
  }

  private roomOf(endpoint: string, limit: number): number {
    return limit - (this.inFlight.get(endpoint) ?? 0);
  }

  private count(endpoint: string, by: 1 | -1): void {
    this.total += by;
    const inFlight = (this.inFlight.get(endpoint) ?? 0) + by;
    if (inFlight > 0) this.inFlight.set(endpoint, inFlight);
    else this.inFlight.delete(endpoint);
  }

  /** Returns the endpoints that gave at least one row. */
  private async claim(query: Claim<E>): Promise<ReadonlySet<string>> {
    const { leaseMs } = this.options;
    const lease = randomUUID();
    const leasedUntil = performance.now() + leaseMs;
    const rows = await query(lease, leaseMs);
    for (const claimed of rows) {
      this.count(claimed.endpoint, 1);
      this.onTaken({ claimed, lease, leasedUntil });
    }
    return new Set(rows.map(({ endpoint }) => endpoint));
  }

  /**
   * A due endpoint that gives no row has only rows behind a waiting head; endpoints that gave rows may have such rows
   * too.
   */
  private async hold(asked: readonly Room[], giving: ReadonlySet<string>): Promise<void> {
    const all = asked.map(({ endpoint }) => endpoint);
    const isTime = performance.now() - this.heldAt >= HOLD_EVERY_MS;
    if (isTime) this.heldAt = performance.now();
    const held = isTime ? all : all.filter((endpoint) => !giving.has(endpoint));
    if (held.length > 0) await this.claims.holdFollowers(held);
  }
}
