import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../engines/database/database.js';

/** How long whoever completes a request may be silent before somebody else takes the work over, in ms. */
const LEASE_MS = 5_000;
/** How often a lease is renewed, in ms. Two renewals may fail. */
const RENEW_EVERY_MS = 1_500;

const LEASE = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;
const CLAIM = {
  name: 'data_request_lease_claim',
  text: `insert into write.data_request_lease as l (request_id, owner, leased_until) values ($1, $2, ${LEASE})
         on conflict (request_id) do update set owner = excluded.owner, leased_until = excluded.leased_until
         where l.leased_until < clock_timestamp() returning 1`,
};
const RENEW = {
  name: 'data_request_lease_renew',
  text: `update write.data_request_lease set leased_until = ${LEASE} where request_id = $1 and owner = $2`,
};
const RELEASE = {
  name: 'data_request_lease_release',
  text: 'delete from write.data_request_lease where request_id = $1 and owner = $2',
};
const PRUNE = {
  name: 'data_request_lease_prune',
  text: `delete from write.data_request_lease where leased_until < now() - interval '1 hour'`,
};

/**
 * Who completes a request right now. A lease saves double work and proves nothing: an owner that was silent for too long
 * may find that somebody else did the same meanwhile, and each effect stands once all the same.
 */
@Injectable()
export class CompletionLeases {
  constructor(private readonly database: Database) {}

  /** Does the work while nobody else does it, for as long as it takes; null where somebody else is at it. */
  async hold<T>(requestId: string, work: () => Promise<T>): Promise<{ result: T } | null> {
    const lease = [requestId, randomUUID()];
    if ((await this.database.query(CLAIM, lease)).length === 0) return null;
    // A renewal that fails is made up for by the next one.
    const renew = (): void => void this.database.query(RENEW, lease).catch(() => undefined);
    const renewal = setInterval(renew, RENEW_EVERY_MS).unref();
    try {
      return { result: await work() };
    } finally {
      clearInterval(renewal);
      // Where the database is away, the lease runs out by itself.
      await this.database.query(RELEASE, lease).catch(() => undefined);
    }
  }
}

/** Leases of those who died after the end of their work. */
export async function pruneLeases(database: Database): Promise<void> {
  await database.query(PRUNE, []);
}
