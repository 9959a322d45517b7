import { LRUCache } from 'lru-cache';
import type { Scope } from '../../kernel/index.js';
import { GroupCommit } from '../../engines/database/group-commit.js';
import { bodyText, type Addressed } from '../envelope.js';
import type { SoughtEvent, WebhookEvents } from '../webhook-events.js';

/** Bodies that are kept, in characters: an event is sent to many endpoints within seconds. */
const KEPT_CHARACTERS = 4_000_000;

/** Bodies of webhook events. Those that are asked for at once are read at once. */
export class EventBodies {
  private readonly finding: GroupCommit<SoughtEvent, Addressed | null>;
  private readonly reading = new Map<string, Promise<string>>();
  private readonly kept = new LRUCache<string, string>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });

  constructor(events: WebhookEvents) {
    this.finding = new GroupCommit((sought) => events.find(sought));
  }

  /** Rejects where there is no such event, and with LogUnavailable. */
  async of(scope: Scope, sequence: bigint): Promise<string> {
    const name = `${scope.site}.${scope.env}.${sequence}`;
    return this.kept.get(name) ?? this.reading.get(name) ?? this.read(name, scope, sequence);
  }

  /** Reads the bodies of several at once, and keeps them for a while. Rejects as `of`. */
  async prepare(of: readonly { scope: Scope; sequence: bigint | null }[]): Promise<void> {
    await Promise.all(of.flatMap(({ scope, sequence }) => (sequence === null ? [] : [this.of(scope, sequence)])));
  }

  private read(name: string, { site, env }: Scope, sequence: bigint): Promise<string> {
    const reading = this.finding
      .submit({ site, env, sequence: Number(sequence) })
      .then((found) => {
        if (found === null) throw new Error(`there is no webhook event ${sequence} in ${site}.${env}`);
        const body = bodyText(found.envelope);
        this.kept.set(name, body);
        return body;
      })
      .finally(() => this.reading.delete(name));
    this.reading.set(name, reading);
    return reading;
  }
}
