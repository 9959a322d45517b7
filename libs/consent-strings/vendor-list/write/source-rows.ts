import type { Queries, Statement } from '../../../engines/database/database.js';
import type { Looked, Validators } from './sources.js';

/** Lease of the process that asks a source, in seconds; another process takes over after that. */
const LEASE_S = 120;
/** Seconds until a retry after a failure; doubled after each further failure. */
const AGAIN_S = { first: 60, max: 3_600 } as const;

const CLAIM: Statement = {
  name: 'vendor-list-source-claim',
  text: `
insert into write.vendor_list_source as source (name, due_at) values ($1, now() + make_interval(secs => ${LEASE_S}))
on conflict (name) do update set due_at = excluded.due_at where source.due_at <= now()
returning etag, last_modified, failures`,
};

const LOOKED: Statement = {
  name: 'vendor-list-source-looked',
  text: `
update write.vendor_list_source set etag = $2, last_modified = $3, looked_at = now(),
  fresh_until = now() + make_interval(secs => $4), due_at = now() + make_interval(secs => $4),
  refused = case when $5 then $6 else refused end, failed = null, failures = 0
where name = $1`,
};

const FAILED: Statement = {
  name: 'vendor-list-source-failed',
  text: `
update write.vendor_list_source set failed = $2, failures = failures + 1, due_at = now() + make_interval(secs => $3)
where name = $1`,
};

export interface Claimed extends Validators {
  /** Failures in a row. */
  failures: number;
}

/** Which process asks a source next, and what it found. */
export class SourceRows {
  constructor(private readonly database: Queries) {}

  /** Null if the source is not due, or another process asks it. */
  async claim(name: string): Promise<Claimed | null> {
    const [row] = await this.database.query<{ etag: string | null; last_modified: string | null; failures: number }>(
      CLAIM,
      [name],
    );
    return row ? { etag: row.etag, lastModified: row.last_modified, failures: row.failures } : null;
  }

  /** `refused`: why the found list is not used; null if it is used; undefined: it is the same as the last time. */
  async looked(
    name: string,
    { freshS, validators }: { freshS: number; validators: Validators },
    refused?: string | null,
  ): Promise<void> {
    const isNew = refused !== undefined;
    await this.database.query(LOOKED, [name, validators.etag, validators.lastModified, freshS, isNew, refused ?? null]);
  }

  async failed(
    name: string,
    { reason, retryAfterS }: Extract<Looked, { outcome: 'FAILED' }>,
    failures: number,
  ): Promise<void> {
    const backOffS = Math.min(AGAIN_S.max, AGAIN_S.first * 2 ** Math.min(failures, 10));
    await this.database.query(FAILED, [name, reason, Math.max(retryAfterS ?? 0, retryAfterS === null ? backOffS : 1)]);
  }
}
