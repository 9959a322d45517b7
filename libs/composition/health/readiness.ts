import { Inject, Injectable } from '@nestjs/common';
import { KeyDirectory, STALE_AFTER_MS } from '../../access/index.js';
import type { Role } from '../../context/role.js';
import { LogUnavailable } from '../../log/port.js';
import { BEGINNING, type Position } from '../../kernel/index.js';
import type { Readiness } from '../../operator/context.js';
import { inTime } from '../../engines/in-time.js';
import { keptFor } from '../../engines/kept-for.js';
import { Infrastructure } from '../infrastructure/infrastructure.js';

/** How old the oldest event may be that is not in the rows yet, in ms. A process that reads or makes rows is not ready after that. */
export const LAG_MS_MAX = 60_000;
/** How long one look waits for the log in all, in ms; and where it is known to be away, only to see whether it is back. */
const LOG_WITHIN_MS = 1_500;
const AWAY_LOG_WITHIN_MS = 150;
/** How long it waits after that for keys and catalogue to arrive that are late, in ms. */
const ARRIVES_WITHIN_MS = 500;
/** Appends that failed longer ago than this are forgotten: a process that is sent no writes cannot see that they work again. */
const APPENDS_REMEMBERED_MS = 5_000;
/** More than any position: a progress that is asked for it looks once and answers how far it is. */
const FAR: Position = 2n ** 63n - 1n;

type Followed = Pick<KeyDirectory, 'isReady' | 'staleForMs' | 'stillForMs' | 'holdsAll'>;

export interface ReadinessSeen extends Readiness {
  /** What the instance waits for, in words; empty where it takes requests. */
  waiting: string[];
}

/**
 * Whether this instance can do what its roles are for: write-api can write, read-api can answer from rows, projector
 * keeps them, dispatcher can do what is due. A process of several roles is ready when all of them are.
 */
@Injectable()
export class ReadinessProbe {
  /** Set when the process is about to end. It still answers, but asks for traffic to go elsewhere. */
  draining = false;
  /** Where the rows were when keys first were stale because the log was away; null while it is not. */
  private rowsWithoutLog: Position | null = null;

  constructor(
    @Inject(Infrastructure) private readonly infrastructure: Infrastructure,
    private readonly keys: KeyDirectory,
  ) {}

  /** Anybody may ask without a limit: however many do, one looks, and all get what it sees. */
  private readonly lookOnce = keptFor(0, () => this.lookAround());

  /** Rejects with DependencyUnavailable where the database does not answer. */
  async look(): Promise<ReadinessSeen> {
    const seen = await this.lookOnce();
    return this.draining ? { ...seen, waiting: ['nothing: this instance is stopping', ...seen.waiting] } : seen;
  }

  private async lookAround(): Promise<ReadinessSeen> {
    const { catalogue, waits } = this.infrastructure;
    const begunAt = performance.now();
    const [head, rows] = await Promise.all([this.head(), this.rows()]);
    const lagMs = head === null ? null : await this.lagMs(rows, head, begunAt + LOG_WITHIN_MS);
    const waiting = [
      ...this.missedOfLog(head),
      ...(await this.missedOfDirectories(head, rows, begunAt)),
      ...this.missedOfRows(head, rows, lagMs),
      ...this.stoppedProjections(),
      ...(await Promise.all(waits.map(async (waitedFor) => waitedFor()))).flat(),
    ];
    return {
      status: 'ready',
      logPosition: head?.toString() ?? null,
      readPosition: (head !== null && head < rows ? head : rows).toString(),
      lagSeconds: lagMs === null ? null : Math.round(lagMs) / 1000,
      keysPosition: this.keys.position.toString(),
      cataloguePosition: catalogue.follower.position.toString(),
      waiting,
    };
  }

  private is(...roles: Role[]): boolean {
    return roles.some((role) => this.infrastructure.roles.includes(role));
  }

  /** Null where the log does not answer. */
  private async head(): Promise<Position | null> {
    const { log, reach } = this.infrastructure;
    return inTime(log.head(), reach.isAway ? AWAY_LOG_WITHIN_MS : LOG_WITHIN_MS).catch(unlessAway);
  }

  /** The lowest position of the read models that callers may wait for: one look, no waiting. */
  private async rows(): Promise<Position> {
    const awaited = this.infrastructure.readModels.flatMap(({ model, progress }) => (model.progress ? [progress] : []));
    await Promise.all(awaited.map((progress) => progress.reached(FAR, 0)));
    return awaited.map((progress) => progress.position()).reduce((a, b) => (a < b ? a : b), FAR);
  }

  /** Null where the log does not say. */
  private async lagMs(rows: Position, head: Position, until: number): Promise<number | null> {
    if (rows >= head) return 0;
    const { log } = this.infrastructure;
    return inTime(
      log.ageAfter(rows).then((age) => age ?? 0),
      until - performance.now(),
    ).catch(unlessAway);
  }

  /** Who answers from rows goes on without the log; `fresh` and histories are refused meanwhile, each by itself. */
  private missedOfLog(head: Position | null): string[] {
    if (!this.is('write-api', 'projector', 'dispatcher')) return [];
    if (head === null) return ['the event log'];
    const { appends } = this.infrastructure;
    const refusesAppends = appends.isAway && appends.failedMsAgo < APPENDS_REMEMBERED_MS;
    return this.is('write-api') && refusesAppends ? ['the event log, which takes no appends'] : [];
  }

  private async missedOfDirectories(head: Position | null, rows: Position, begunAt: number): Promise<string[]> {
    if (!this.is('write-api', 'read-api', 'dispatcher')) return [];
    const isAlone = this.isAloneWithoutLog(head, rows);
    const missed = async (name: string, followed: Followed): Promise<string[]> =>
      (await this.isMissed(followed, head, isAlone, begunAt)) ? [name] : [];
    const { follower } = this.infrastructure.catalogue;
    return (await Promise.all([missed('keys', this.keys), missed('catalogue', follower)])).flat();
  }

  private async isMissed(
    followed: Followed,
    head: Position | null,
    isAlone: boolean,
    begunAt: number,
  ): Promise<boolean> {
    const { isReady, staleForMs, stillForMs } = followed;
    if (!isReady || staleForMs === null) return !isReady;
    if (head === null) return isAlone;
    // One that goes on is behind because there is too much to do, which would not get less without this instance.
    if (stillForMs <= STALE_AFTER_MS && staleForMs <= LAG_MS_MAX) return false;
    // After a pause of the log or of this process the news is on its way: it is late only if it does not come.
    return !(await followed.holdsAll(head, performance.now() - begunAt, ARRIVES_WITHIN_MS));
  }

  /**
   * While the log is away from everybody nothing can be written, so no key can be revoked. Rows that move on show that it is
   * away from this instance alone, and that others may know more than it does.
   */
  private isAloneWithoutLog(head: Position | null, rows: Position): boolean {
    if (head !== null || this.keys.staleForMs === null) {
      this.rowsWithoutLog = null;
      return false;
    }
    this.rowsWithoutLog ??= rows;
    return rows > this.rowsWithoutLog;
  }

  private missedOfRows(head: Position | null, rows: Position, lagMs: number | null): string[] {
    if (!this.is('read-api', 'projector')) return [];
    if (rows === BEGINNING && head !== BEGINNING) return ['read models, which are not made yet'];
    return lagMs !== null && lagMs > LAG_MS_MAX
      ? [`read models, which are ${Math.floor(lagMs / 1000)} s behind the event log`]
      : [];
  }

  private stoppedProjections(): string[] {
    return this.infrastructure.readModels.flatMap(({ served }) =>
      (served?.status() ?? [])
        .filter(({ state }) => state === 'stopped' || state === 'awaiting')
        .map(({ name }) => `projection ${name}, which an event has stopped`),
    );
  }
}

function unlessAway(error: unknown): null {
  if (error instanceof LogUnavailable) return null;
  throw error;
}
