import { LRUCache } from 'lru-cache';

/** Of all things together, so that a caller who makes up new ones does not flood the log. */
const NOTED_A_MINUTE_MAX = 100;

/** Says things to the operator, who can mend them: each once a minute. */
export class NotedOnce {
  private readonly noted = new LRUCache<string, true>({ max: NOTED_A_MINUTE_MAX, ttl: 60_000 });

  /** @param log where they are noted; pino fits */
  constructor(private readonly log?: { warn(details: object, message: string): void }) {}

  warn(name: string, details: object, message: string): void {
    if (this.noted.has(name)) return;
    if (this.noted.size >= NOTED_A_MINUTE_MAX) this.noted.purgeStale();
    if (this.noted.size >= NOTED_A_MINUTE_MAX) return;
    // Stryker disable next-line BooleanLiteral: only that it is there counts
    this.noted.set(name, true);
    this.log?.warn(details, message);
  }
}
