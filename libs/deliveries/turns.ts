import { randomUUID } from 'node:crypto';
import { Ahead } from './ahead.js';
import type { Claimed, Claims, Line, Taken } from './claims.js';
import { shareOut, type Room } from './room.js';

/**
 * Returns how many deliveries each of these endpoints may have under way in this process. An endpoint that the answer
 * lacks was deleted: its waiting deliveries are dropped.
 */
export type LimitsOf = (endpoints: readonly string[]) => Promise<ReadonlyMap<string, number>>;

type Claim<E> = (lease: string, leaseMs: number) => Promise<Claimed<E>[]>;

/** Least ms between two statements that put off rows behind a waiting head. */
const HOLD_EVERY_MS = 1_000;

/**
 * Decides which rows this process takes next, and when it begins each: within the limits of process and endpoint, and in
 * the order of each line.
 */
export class Turns<E> {
  /** Rows of each endpoint that have begun and are not over. */
  private readonly underWay = new Map<string, number>();
  private total = 0;
  /** Those of them whose receiver has not answered yet. */
  private readonly sending = new Set<Taken<E>>();
  private readonly sendingTo = new Map<string, number>();
  private readonly ahead: Ahead<E>;
  /** Rows that go back into the queue with the next statement. */
  private readonly returned: Taken<E>[] = [];
  /** As of the last time that rows were taken. */
  private limits: ReadonlyMap<string, number> = new Map();
  /** Lines whose head ended in this process, each under a key of its own. */
  private readonly followUps = new Map<string, Line>();
  private turn = 0;
  private heldAt = 0;

  constructor(
    private readonly claims: Claims<E>,
    private readonly options: { concurrency: number; leaseMs: number; ahead: number; limits?: LimitsOf },
    private readonly on: {
      /** Called at once with rows that were taken together. */
      taken: (taken: readonly Taken<E>[]) => void;
      /** Called with each row when its turn has come. */
      begins: (taken: Taken<E>) => void;
    },
  ) {
    this.ahead = new Ahead(options.ahead);
  }

  /** Takes as many rows as there is room for. Answers whether the channel has open rows, here or in another process. */
  async take(): Promise<boolean> {
    await this.giveBack();
    if (this.total >= this.options.concurrency) return true;
    const { due, isEmpty } = await this.claims.dueEndpoints();
    const lines = [...this.followUps.values()];
    const ahead = this.ahead.endpoints();
    const limits = await this.limitsOf([...new Set([...due, ...ahead, ...lines.map(({ endpoint }) => endpoint)])]);
    this.limits = limits;
    const gone = due.filter((endpoint) => !limits.has(endpoint));
    if (gone.length > 0) await this.claims.dropEndpoints(gone);
    for (const endpoint of ahead) if (!limits.get(endpoint)) this.returned.push(...this.ahead.drop(endpoint));
    await this.giveBack();
    await this.takeNext(lines, limits);
    await this.takeDue(due, limits);
    return !isEmpty;
  }

  /** The receiver has answered. What it answered is not stored yet, and another row to its endpoint may begin. */
  answered(taken: Taken<E>, isDelivered: boolean): void {
    const { endpoint } = taken.claimed;
    if (!this.sending.delete(taken)) return;
    added(this.sendingTo, endpoint, -1);
    if (isDelivered) this.ahead.delivered(endpoint);
    else {
      this.ahead.failed(endpoint);
      this.returned.push(...this.ahead.drop(endpoint));
    }
    this.beginAhead(endpoint);
  }

  /**
   * This process holds the row no longer. `ended`: the delivery is over, so the next one of its line may go. Returns
   * whether it is time to take more.
   */
  release(taken: Taken<E>, ended: boolean): boolean {
    const { endpoint, subjectId } = taken.claimed;
    if (this.sending.delete(taken)) added(this.sendingTo, endpoint, -1);
    const wasFull = this.total >= this.options.concurrency;
    this.total--;
    added(this.underWay, endpoint, -1);
    for (const each of wasFull ? this.ahead.endpoints() : [endpoint]) this.beginAhead(each);
    if (ended && subjectId !== null) this.followUps.set(`${endpoint} ${subjectId}`, { endpoint, subjectId });
    return this.ahead.isLow(endpoint);
  }

  /** Puts all rows back that have not begun. Rejects where the database is away: their leases then expire. */
  async stop(): Promise<void> {
    for (const endpoint of this.ahead.endpoints()) this.returned.push(...this.ahead.drop(endpoint));
    await this.giveBack();
  }

  private begin(taken: Taken<E>): void {
    const { endpoint } = taken.claimed;
    this.total++;
    this.sending.add(taken);
    added(this.underWay, endpoint, 1);
    added(this.sendingTo, endpoint, 1);
    this.on.begins(taken);
  }

  private canBegin(endpoint: string): boolean {
    return this.total < this.options.concurrency && this.roomOf(endpoint, this.limits.get(endpoint) ?? 0) > 0;
  }

  private beginAhead(endpoint: string): void {
    while (this.canBegin(endpoint)) {
      const next = this.ahead.next(endpoint);
      if (!next) return;
      if (next.isStale) this.returned.push(next.taken);
      else this.begin(next.taken);
    }
  }

  private async giveBack(): Promise<void> {
    const rows = this.returned.splice(0);
    if (rows.length === 0) return;
    try {
      await this.claims.giveBack(rows.map(({ claimed, lease }) => ({ id: claimed.id, lease })));
    } catch (error) {
      this.returned.push(...rows);
      throw error;
    }
  }

  private async takeNext(lines: readonly Line[], limits: ReadonlyMap<string, number>): Promise<void> {
    const next: Line[] = [];
    const asked = new Map<string, number>();
    for (const line of lines) {
      const { endpoint, subjectId } = line;
      const limit = limits.get(endpoint) ?? 0;
      const taking = asked.get(endpoint) ?? 0;
      const room = this.roomOf(endpoint, limit) + this.aheadOf(endpoint, limits);
      const hasRoom = room > taking && this.total + next.length < this.options.concurrency;
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
    const shares = new Map(
      shareOut(this.options.concurrency - this.total, wanted, this.turn++).map(({ endpoint, room }) => [
        endpoint,
        room,
      ]),
    );
    const rooms = due
      .map((endpoint) => ({ endpoint, room: (shares.get(endpoint) ?? 0) + this.aheadOf(endpoint, limits) }))
      .filter(({ room }) => room > 0);
    if (rooms.length === 0) return;
    const giving = await this.claim((...lease) => this.claims.claim(rooms, ...lease));
    await this.hold(rooms, giving);
  }

  private async limitsOf(endpoints: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { limits, concurrency } = this.options;
    if (limits && endpoints.length > 0) return limits(endpoints);
    return new Map(endpoints.map((endpoint) => [endpoint, concurrency]));
  }

  /** How many rows of the endpoint may begin. One whose answer waits to be stored counts only beyond `ahead` of them. */
  private roomOf(endpoint: string, limit: number): number {
    const beyond = (this.underWay.get(endpoint) ?? 0) - this.options.ahead;
    return limit - Math.max(this.sendingTo.get(endpoint) ?? 0, beyond);
  }

  private aheadOf(endpoint: string, limits: ReadonlyMap<string, number>): number {
    return limits.get(endpoint) ? this.ahead.roomOf(endpoint) : 0;
  }

  /** Returns the endpoints that gave at least one row. */
  private async claim(query: Claim<E>): Promise<ReadonlySet<string>> {
    const { leaseMs } = this.options;
    const lease = randomUUID();
    const leasedUntil = performance.now() + leaseMs;
    const taken = (await query(lease, leaseMs)).map((claimed) => ({ claimed, lease, leasedUntil }));
    const giving = new Set(taken.map(({ claimed }) => claimed.endpoint));
    this.on.taken(taken);
    for (const each of taken) this.ahead.add(each);
    for (const endpoint of giving) this.beginAhead(endpoint);
    return giving;
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

function added(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
