import type { Scope } from '../../kernel/index.js';
import { GroupCommit } from '../../engines/database/group-commit.js';
import { bodyText, type Addressed } from '../envelope.js';
import type { SoughtEvent, WebhookEvents } from '../webhook-events.js';

/** Bodies of webhook events. Those that are asked for at once are read at once. */
export class EventBodies {
  private readonly finding: GroupCommit<SoughtEvent, Addressed | null>;

  constructor(events: WebhookEvents) {
    this.finding = new GroupCommit((sought) => events.find(sought));
  }

  /** Rejects where there is no such event, and with LogUnavailable. */
  async of({ site, env }: Scope, sequence: bigint): Promise<string> {
    const found = await this.finding.submit({ site, env, sequence: Number(sequence) });
    if (found === null) throw new Error(`there is no webhook event ${sequence} in ${site}.${env}`);
    return bodyText(found.envelope);
  }
}
