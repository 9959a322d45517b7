import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Scope } from '../../kernel/index.js';
import { Database, type Statement } from '../../engines/database/database.js';
import { refused } from '../../http/errors/refused.js';
import { NEWS, newsIn } from '../news.js';
import { namesType } from '../types/type-patterns.js';

/** So many calls may wait at once in one process, and of them so many of one site and environment. */
export const WAITING_MAX = { process: 1_000, scope: 50 } as const;
/** How often a waiting request looks whether a notification was missed. */
const LOOK_EVERY_MS = 1_000;

/** The last position of each site and environment that calls wait for. */
const HEADS: Statement = {
  name: 'webhooks-heads',
  text: `select scope, webhooks.last_position(split_part(scope, '.', 1), split_part(scope, '.', 2)) as head
         from unnest($1::text[]) as scope`,
};

/** A request that waits for news. What came since it began, or since `next` last answered, is not missed. */
export interface Watch {
  /** Resolves when there are events of the types, after `ms`, or when the signal is aborted; whichever comes first. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  end(): void;
}

interface Waiter {
  types: readonly string[] | null;
  news: () => void;
}

/** Tells those who wait for webhook events when there are some. Waiting holds no connection. */
@Injectable()
export class FeedNews implements OnModuleDestroy {
  private readonly waiting = new Map<string, Set<Waiter>>();
  private readonly heads = new Map<string, bigint | null>();
  private count = 0;
  private stopListening: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly database: Database) {}

  onModuleDestroy(): void {
    this.stopListening?.();
    if (this.timer) clearInterval(this.timer);
  }

  /** Begin to watch before you look, so that nothing is missed in between. Refuses where too many wait. */
  watch({ site, env }: Scope, types: readonly string[] | null): Watch {
    const scope = `${site}.${env}`;
    const own = this.waiting.get(scope) ?? new Set();
    if (this.count >= WAITING_MAX.process || own.size >= WAITING_MAX.scope) throw tooMany();
    let isNew = false;
    let wake = (): void => undefined;
    const waiter: Waiter = {
      types,
      news: () => {
        isNew = true;
        wake();
      },
    };
    own.add(waiter);
    this.waiting.set(scope, own);
    this.count += 1;
    this.listen();
    return {
      next: async (ms, signal) => {
        if (!isNew && !signal.aborted)
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, ms);
            wake = () => (clearTimeout(timer), resolve());
            signal.addEventListener('abort', wake, { once: true });
          });
        signal.removeEventListener('abort', wake);
        isNew = false;
      },
      end: () => {
        if (!own.delete(waiter)) return;
        this.count -= 1;
        if (own.size > 0) return;
        this.waiting.delete(scope);
        this.heads.delete(scope);
      },
    };
  }

  /** From the first call on: who waits once will wait again. */
  private listen(): void {
    this.stopListening ??= this.database.listen(NEWS, (text) => {
      if (text === undefined) return this.waiting.forEach((waiters) => waiters.forEach(({ news }) => news()));
      const { scope, types } = newsIn(text);
      for (const { types: wanted, news } of this.waiting.get(scope) ?? [])
        if (wanted === null || types.some((type) => namesType(wanted, type))) news();
    });
    this.timer ??= setInterval(() => void this.look().catch(() => undefined), LOOK_EVERY_MS).unref();
  }

  /** Wakes those of whose site and environment there is more than when it last looked, and at its first look. */
  private async look(): Promise<void> {
    if (this.count === 0) return;
    const rows = await this.database.query<{ scope: string; head: bigint | null }>(HEADS, [[...this.waiting.keys()]]);
    for (const { scope, head } of rows) {
      const waiters = this.waiting.get(scope);
      if (!waiters) continue;
      if (this.heads.get(scope) === head) continue;
      this.heads.set(scope, head);
      for (const { news } of waiters) news();
    }
  }
}

const tooMany = () =>
  refused(
    'rate_limited',
    `At most ${WAITING_MAX.scope} calls may wait for events of one site and environment at a time; ask without wait, or let one reader hand them on.`,
    [],
    { 'Retry-After': '1' },
  );
