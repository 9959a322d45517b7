import type { EventLog, RecordedEvent } from '../log/port.js';
import type { Position, Scope } from '../kernel/index.js';
import type { Announcer } from './announced-events.js';
import { positionOf, type Addressed } from './envelope.js';

/** Events of the log that are read at once: some 1 kB each. */
const READ_MAX = 500;

/** Which webhook event is meant. */
export interface SoughtEvent extends Scope {
  sequence: number;
}

/** Webhook events, made of the events of the log whenever they are asked for. */
export class WebhookEvents {
  constructor(
    private readonly log: Pick<EventLog, 'readAt'>,
    /** What is made of an event of the log. Throws where the event cannot be read. Pure. */
    private readonly made: (event: RecordedEvent) => readonly Addressed[],
  ) {}

  /** In the order of the question; null where the log holds no such event any more. Rejects with LogUnavailable, or UnreadableEvent. */
  async find(sought: readonly SoughtEvent[]): Promise<(Addressed | null)[]> {
    const wanted = new Set(sought.map(nameOf));
    const found = new Map<string, Addressed>();
    const positions = [...new Set(sought.map(({ sequence }) => positionOf(sequence)))].sort(byOrder);
    for (let at = 0; at < positions.length; at += READ_MAX) {
      for (const event of await this.log.readAt(positions.slice(at, at + READ_MAX)))
        for (const each of this.made(event)) {
          const { site, environment: env, sequence } = each.envelope;
          const name = nameOf({ site, env, sequence });
          if (wanted.has(name)) found.set(name, each);
        }
    }
    return sought.map((each) => found.get(nameOf(each)) ?? null);
  }
}

const nameOf = ({ site, env, sequence }: SoughtEvent): string => `${site}.${env}.${sequence}`;
const byOrder = (a: Position, b: Position): number => (a < b ? -1 : 1);

/** Those of a log. */
export const webhookEventsIn = (log: Pick<EventLog, 'readAt'>, announcer: Announcer): WebhookEvents =>
  new WebhookEvents(log, (event) => announcer.webhookEvents(event));
