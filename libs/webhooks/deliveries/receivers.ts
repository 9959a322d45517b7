import { LRUCache } from 'lru-cache';
import type { Environment } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import type { MasterKey } from '../../vault/master-key.js';
import { openSecret, openUrl } from '../sealed-fields.js';

/** At once to one receiver, of each process that delivers. */
export const IN_FLIGHT_MAX = 8;
/** From so many failures in a row on it is one at a time: a receiver that hangs takes up one place and not eight. */
export const FAILURES_TILL_ONE = 5;
/** Some 300 bytes each. */
const REMEMBERED = 10_000;

/** Where deliveries to an endpoint go. */
export interface Receiver {
  env: Environment;
  url: string;
  includeIdentifiers: boolean;
  key: Buffer;
  /** The key before, and until when it signs too. */
  previous: { key: Buffer; until: Date } | null;
}

interface EndpointRow {
  id: string;
  env: Environment;
  isOpen: boolean;
  failures: number;
  url: string;
  include_identifiers: boolean;
  secret: string;
  previous_secret: string | null;
  previous_until: Date | null;
}

const FIND = {
  name: 'webhooks_receivers',
  text: `select id, env, state = 'ENABLED' and gone_at is null as "isOpen", consecutive_failures as failures, url, include_identifiers, secret, previous_secret, previous_until
         from webhooks.endpoint where id = any($1)`,
};

/** What has to be known of endpoints to deliver to them, as of the last time that it was asked how much they may have. */
export class Receivers {
  private readonly known = new LRUCache<string, { row: EndpointRow; receiver: Receiver }>({ max: REMEMBERED });

  constructor(
    private readonly queries: Queries,
    private readonly master: Pick<MasterKey, 'openSecret'>,
  ) {}

  /** How many deliveries each may have at once; none while it is paused or disabled. Endpoints that were deleted are missing. */
  async limits(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.queries.query<EndpointRow>(FIND, [ids]);
    for (const row of rows) this.remember(row);
    return new Map(rows.map((row) => [row.id, limitOf(row)]));
  }

  /** Null where the endpoint was deleted. */
  async find(id: string): Promise<Receiver | null> {
    if (!this.known.has(id)) await this.limits([id]);
    return this.known.get(id)?.receiver ?? null;
  }

  private remember(row: EndpointRow): void {
    const before = this.known.get(row.id);
    if (before && isSame(before.row, row)) return;
    const { id, env, url, secret, previous_secret: previous, previous_until: until } = row;
    const receiver: Receiver = {
      env,
      url: openUrl(this.master, id, url),
      includeIdentifiers: row.include_identifiers,
      key: openSecret(this.master, id, secret),
      previous: previous !== null && until !== null ? { key: openSecret(this.master, id, previous), until } : null,
    };
    this.known.set(id, { row, receiver });
  }
}

const limitOf = ({ isOpen, failures }: EndpointRow): number => {
  if (!isOpen) return 0;
  return failures < FAILURES_TILL_ONE ? IN_FLIGHT_MAX : 1;
};

/** Opening what is sealed costs more than a look whether it is another. */
const isSame = (a: EndpointRow, b: EndpointRow): boolean =>
  a.url === b.url &&
  a.secret === b.secret &&
  a.previous_secret === b.previous_secret &&
  a.previous_until?.getTime() === b.previous_until?.getTime() &&
  a.include_identifiers === b.include_identifiers;

/** The keys that sign at this time: two while the secret is rotated. */
export const keysAt = ({ key, previous }: Receiver, nowMs: number): Buffer[] =>
  previous && previous.until.getTime() > nowMs ? [key, previous.key] : [key];
