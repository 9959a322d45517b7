import { LRUCache } from 'lru-cache';

/** Says things to the operator, who can mend them; each once a minute, so that nobody floods the log. */
export class NotedOnce {
  private readonly noted = new LRUCache<string, true>({ max: 1000, ttl: 60_000 });

  /** @param log where they are noted; pino fits */
  constructor(private readonly log?: { warn(details: object, message: string): void }) {}

  warn(name: string, details: object, message: string): void {
    if (this.noted.has(name)) return;
    // Stryker disable next-line BooleanLiteral: only that it is there counts
    this.noted.set(name, true);
    this.log?.warn(details, message);
  }
}
