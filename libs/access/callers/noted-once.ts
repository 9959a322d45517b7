import { LRUCache } from 'lru-cache';

/** Limit of notes a minute, so that a caller who invents new names cannot flood the log. */
const NOTED_A_MINUTE_MAX = 100;

/** Notes faults for the operator, who can correct them: each fault once a minute. */
export class NotedOnce {
  private readonly noted = new LRUCache<string, true>({ max: NOTED_A_MINUTE_MAX, ttl: 60_000 });

  /** @param log takes the notes; pino fits */
  constructor(private readonly log?: { warn(details: object, message: string): void }) {}

  warn(name: string, details: object, message: string): void {
    if (this.noted.has(name)) return;
    if (this.noted.size >= NOTED_A_MINUTE_MAX) this.noted.purgeStale();
    if (this.noted.size >= NOTED_A_MINUTE_MAX) return;
    // Stryker disable next-line BooleanLiteral: only the presence of the entry counts
    this.noted.set(name, true);
    this.log?.warn(details, message);
  }
}
