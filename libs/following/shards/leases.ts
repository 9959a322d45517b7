import type { Database } from '../../engines/database/database.js';

/** How long an owner may be silent before another process takes its shard over, in ms. */
const LEASE_MS = 1500;
/** How often the leases of a process are renewed, in ms. */
export const RENEW_EVERY_MS = 400;

/** The end of a lease that is given now. */
export const LEASE = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;

/**
 * A row that is being written is left alone: that write renews its lease too (see MOVED), or takes it away. Leases may be
 * lost with a crash of the database: they need not wait for its disk.
 */
const RENEW = {
  name: 'shards-renew',
  text: `
with unflushed as (select set_config('synchronous_commit', 'off', true)),
free as (
  select owner from projection.shards, unflushed where owner = any($1::text[]) for update of shards skip locked
),
renewed as (update projection.shards set owned_until = ${LEASE} from free where shards.owner = free.owner)
select owner from projection.shards where owner = any($1::text[])`,
};

/** The leases of the shards that a process owns. However many they are, one statement renews all of them. */
export class Leases {
  /** For each owner the function that is called when it owns its shard no more. */
  private readonly owners = new Map<string, () => void>();
  private timer: NodeJS.Timeout | null = null;
  private renewing: Promise<void> | null = null;

  constructor(private readonly database: Pick<Database, 'query'>) {}

  /** Renews the lease of an owner until the returned function is called. Calls `lost` once, where another process owns its shard by now. */
  keep(owner: string, lost: () => void): () => void {
    this.owners.set(owner, lost);
    this.timer ??= setInterval(() => void this.renew(), RENEW_EVERY_MS).unref();
    return () => {
      if (this.owners.get(owner) === lost) this.owners.delete(owner);
      if (this.owners.size > 0 || !this.timer) return;
      clearInterval(this.timer);
      this.timer = null;
    };
  }

  /** Where answers do not come nothing more is asked, so that the leases run out. Never rejects. */
  renew(): Promise<void> {
    return (this.renewing ??= this.renewed().finally(() => (this.renewing = null)));
  }

  private async renewed(): Promise<void> {
    const asked = [...this.owners];
    // What the database refuses or does not answer, the next write will say.
    const rows = await this.database.query<{ owner: string }>(RENEW, [asked.map(([owner]) => owner)]).catch(() => null);
    if (rows === null) return;
    const owning = new Set(rows.map(({ owner }) => owner));
    for (const [owner, lost] of asked) {
      // One that has left and come back meanwhile is not meant.
      if (owning.has(owner) || this.owners.get(owner) !== lost) continue;
      this.owners.delete(owner);
      lost();
    }
  }
}

const LEASES = new WeakMap<Database, Leases>();

/** Those of all who own shards by one pool of connections. */
export function leasesOn(database: Database): Leases {
  let leases = LEASES.get(database);
  if (!leases) LEASES.set(database, (leases = new Leases(database)));
  return leases;
}
