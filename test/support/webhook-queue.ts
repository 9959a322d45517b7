import { randomBytes } from 'node:crypto';
import type { Scope } from '../../libs/kernel/index.js';
import type { Database } from '../../libs/engines/database/database.js';
import { MasterKey } from '../../libs/vault/master-key.js';
import { sealSecret, sealUrl } from '../../libs/webhooks/sealed-fields.js';

const SCOPE: Scope = { site: 'shop', env: 'test' };
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

/** The tables of webhooks, filled as their writer fills them, without a log. */
export class WebhookQueue {
  readonly master = new MasterKey(randomBytes(32));
  private endpoints = 0;
  private events = 0;

  constructor(
    private readonly database: Database,
    private readonly scope: Scope = SCOPE,
  ) {}

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
    const rows = events.map((event) => {
      const number = this.events++;
      const id = numbered('evt', number);
      return {
        ...event,
        id,
        sequence: number * 16,
        body: JSON.stringify({ id, type: event.type, subject: event.subjectId && { id: event.subjectId } }),
      };
    });
    await this.database.run(
      `insert into webhooks.event (site, env, sequence, id, type, subject_id, endpoint, body)
       select $1, $2, * from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])`,
      [
        this.scope.site,
        this.scope.env,
        rows.map(({ sequence }) => sequence),
        rows.map(({ id }) => id),
        rows.map(({ type }) => type),
        rows.map(({ subjectId }) => subjectId),
        rows.map(({ endpoint }) => endpoint ?? null),
        rows.map(({ body }) => body),
      ],
    );
    return rows.map(({ id }) => id);
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
  }
}
