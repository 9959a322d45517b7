import { randomBytes } from 'node:crypto';
import { MemoryEventLog } from '../../libs/log/adapters/memory.js';
import { anEvent } from '../../libs/log/contract/log.contract.js';
import { NO_STREAM } from '../../libs/log/port.js';
import type { Scope } from '../../libs/kernel/index.js';
import type { Database } from '../../libs/engines/database/database.js';
import { MasterKey } from '../../libs/vault/master-key.js';
import { AnnouncedRows, insertAnnounced } from '../../libs/webhooks/announced-rows.js';
import { positionOf, WEBHOOK_API_VERSION, type Addressed } from '../../libs/webhooks/envelope.js';
import { sealSecret, sealUrl } from '../../libs/webhooks/sealed-fields.js';
import { WebhookEvents } from '../../libs/webhooks/webhook-events.js';

const SCOPE: Scope = { site: 'shop', env: 'test' };
const AT = '2026-11-22T12:00:00.000Z';
/** Events of one append. */
const APPENDED_MAX = 1_000;
const ULID = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An id that is as long as a real one and ends with a number. */
export const numbered = (prefix: string, number: number): string => {
  const digits = [...String(number)].map((digit) => ULID[Number(digit)]).join('');
  return `${prefix}_${digits.padStart(26, '0')}`;
};

export interface QueuedEvent {
  type: string;
  subjectId: string | null;
  /** Only this endpoint is told. */
  endpoint?: string;
}

/** The tables of webhooks, filled as their writer fills them, and a log in memory that holds one event for each webhook event. */
export class WebhookQueue {
  readonly master = new MasterKey(randomBytes(32));
  private endpoints = 0;
  private events = 0;
  private appends = 0;
  private log = new MemoryEventLog();
  /** The next reads of the log fail by these. */
  readonly faults: Error[] = [];
  readonly made = new WebhookEvents({ readAt: (positions) => this.readAt(positions) }, ({ data }) => [
    data as Addressed,
  ]);

  constructor(
    private readonly database: Database,
    private readonly scope: Scope = SCOPE,
  ) {}

  private async readAt(positions: readonly bigint[]): ReturnType<MemoryEventLog['readAt']> {
    const fault = this.faults.shift();
    if (fault) throw fault;
    return this.log.readAt(positions);
  }

  /** The next sequence. */
  get next(): number {
    return this.events * 16;
  }

  /** Enabled, and told of what comes from now on. */
  async endpoint(
    types: readonly string[],
    url = 'https://receiver.example/',
    includeIdentifiers = false,
  ): Promise<string> {
    const id = numbered('whe', ++this.endpoints);
    await this.database.run(
      `insert into webhooks.endpoint (id, site, env, url, types, include_identifiers, secret, created_at, created_by, changed_at, enqueued_through)
       values ($1, $2, $3, $4, $5, $6, $7, now(), 'key_of_the_test', now() - interval '1 minute', $8)`,
      [
        id,
        this.scope.site,
        this.scope.env,
        sealUrl(this.master, id, url),
        types,
        includeIdentifiers,
        sealSecret(this.master, id, randomBytes(32)),
        this.next - 1,
      ],
    );
    return id;
  }

  /** Written in one transaction, as a batch of the log is. Answers the ids of the events. */
  async happened(events: readonly QueuedEvent[]): Promise<string[]> {
    const queued = events.map((event): Addressed => {
      const number = this.events++;
      return {
        envelope: {
          id: numbered('evt', number),
          type: event.type,
          apiVersion: WEBHOOK_API_VERSION,
          createdAt: AT,
          occurredAt: AT,
          environment: this.scope.env,
          site: this.scope.site,
          sequence: number * 16,
          subject: event.subjectId === null ? null : { id: event.subjectId },
          data: { object: {}, previous: null },
        },
        endpoint: event.endpoint ?? null,
      };
    });
    const { site, env } = this.scope;
    for (let at = 0; at < queued.length; at += APPENDED_MAX) {
      const part = queued.slice(at, at + APPENDED_MAX).map((event) => anEvent('Queued', event));
      await this.log.append(`queued-${this.appends++}`, NO_STREAM, part);
    }
    await this.database.transaction(async (tx) => {
      const announced = queued.map(({ envelope: { sequence, type } }) => ({
        site,
        env,
        position: positionOf(sequence),
        recordedAt: AT,
        types: [type],
      }));
      await tx.run(insertAnnounced(1), await new AnnouncedRows(tx).of(announced));
    });
    return queued.map(({ envelope }) => envelope.id);
  }

  /** So many events about as many subjects. */
  async many(count: number, type = 'consent.granted'): Promise<string[]> {
    return this.happened(
      Array.from({ length: count }, (_, n) => ({ type, subjectId: numbered('sub', this.events + n) })),
    );
  }

  async keys(endpoint: string): Promise<string[]> {
    const rows = await this.database.run<{ key: string }>(
      'select key from deliveries.delivery where endpoint = $1 order by id',
      [endpoint],
    );
    return rows.map(({ key }) => key);
  }

  async set(endpoint: string, assignments: string): Promise<void> {
    await this.database.run(`update webhooks.endpoint set ${assignments} where id = $1`, [endpoint]);
  }

  async clear(): Promise<void> {
    await this.database.run(
      'delete from deliveries.delivery; delete from webhooks.endpoint; delete from webhooks.event; delete from webhooks.replay',
    );
    this.events = 0;
    this.log = new MemoryEventLog();
  }
}
