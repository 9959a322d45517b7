import { randomUUID } from 'node:crypto';
import { canonicalJson, refusal, type Refusal, type Scope } from '../../kernel/index.js';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { GroupCommit } from '../database/group-commit.js';
import { MasterKey } from '../vault/master-key.js';

/** How long an unfinished request keeps others with its key waiting; longer than any request may run. */
const LEASE_MS = 5_000;

/** An Idempotency-Key in its scope and the request that it stands for, both as digests in hex. */
export interface RequestKey {
  digest: string;
  fingerprint: string;
}

export interface Reservation {
  /** Digest of the key in its scope, hex. */
  key: string;
  fingerprint: string;
}

export type Reserved =
  /** Ours to carry out. `fresh`: the key was never seen before. */
  | { kind: 'ours'; owner: string; fresh: boolean }
  /** Somebody had the same key with the same body: done, or still running. The stream tells which. */
  | { kind: 'seen' }
  /** What was recorded under the key went with its subject, who was erased. */
  | { kind: 'gone' }
  /** The key stands for another request. */
  | { kind: 'other' };

// A lease that ran out may be taken over by the same request: whoever held it died between reserving and answering.
// No statement joins the table: Postgres would keep the plan it made while the table was empty, and read all of it
// each time (20 ms instead of 2 at 200,000 keys).
const RESERVE = {
  name: 'idempotency_reserve',
  text: `with wanted as (
           select decode(key, 'hex') as key, decode(fingerprint, 'hex') as fingerprint, owner
           from unnest($1::text[], $2::text[], $3::uuid[]) as w(key, fingerprint, owner)
         ), taken as (
           insert into write.idempotency as i (key, fingerprint, owner, leased_until)
           select key, fingerprint, owner, now() + make_interval(secs => $4) from wanted order by key
           on conflict (key) do update set owner = excluded.owner, leased_until = excluded.leased_until
           where i.fingerprint = excluded.fingerprint and i.leased_until < now()
           returning i.owner, (xmax = 0) as fresh
         )
         select w.owner, t.fresh, (select i.fingerprint = w.fingerprint from write.idempotency i where i.key = w.key) as same,
           (select i.leased_until = 'infinity' from write.idempotency i where i.key = w.key) as closed
         from wanted w left join taken t using (owner)`,
};

const SEEN = {
  name: 'idempotency_seen',
  text: `select fingerprint = decode($2, 'hex') as same from write.idempotency where key = decode($1, 'hex')`,
};
/** An owner is one reservation's alone. */
const OWNED = `key = any(array(select decode(hex, 'hex') from unnest($1::text[]) as hex)) and owner = any($2::uuid[])`;
const FORGET = { name: 'idempotency_forget', text: `delete from write.idempotency where ${OWNED}` };
const RELEASE = {
  name: 'idempotency_release',
  text: `update write.idempotency set leased_until = now() where ${OWNED}`,
};

/** A lease that never ends is never taken over. */
const CLOSE = {
  name: 'idempotency_close',
  text: `update write.idempotency set leased_until = 'infinity' where key = any(array(select decode(hex, 'hex') from unnest($1::text[]) as hex))`,
};

interface ReservedRow {
  owner: string;
  fresh: boolean | null;
  /** Null where the row appeared after the statement began: a rival is just being served. */
  same: boolean | null;
  closed: boolean | null;
}

/**
 * One row per idempotency key, written before the effect. It finds the reuse of a key with another body or subject, and
 * a request in flight. It is a reservation, not the proof: that stands in the event stream.
 */
@Injectable()
export class IdempotencyReservations {
  private readonly running = new Map<string, string>();
  private readonly reserving: GroupCommit<Reservation & { owner: string }, Reserved>;

  constructor(
    private readonly database: Database,
    private readonly master: MasterKey,
  ) {
    this.reserving = new GroupCommit((items) => this.reserveGroup(items), 200);
  }

  /**
   * A key inside its scope: keys are the caller's text and may say anything. Keyed with the master key, as the
   * fingerprint is: both stay in the log after an erasure, and a plain hash of an e-mail address and five possible
   * decisions would tell by trying whose the anonymous evidence is.
   */
  digestOf({ site, env }: Scope, key: string): string {
    return this.master.requestDigest(`${site}\u001f${env}\u001f${key}`);
  }

  /** What makes two requests the same: method, path and canonical body. */
  fingerprintOf(method: string, path: string, body: unknown): string {
    return this.master.requestDigest(`${method} ${path}\n${canonicalJson(body)}`);
  }

  /** The key of a request as it was sent; null where it has none. */
  keyOf(scope: Scope, key: string | null, method: string, path: string, body: unknown): RequestKey | null {
    if (key === null) return null;
    return { digest: this.digestOf(scope, key), fingerprint: this.fingerprintOf(method, path, body) };
  }

  async reserve({ key, fingerprint }: Reservation): Promise<Reserved> {
    const rival = this.running.get(key);
    if (rival !== undefined) return rival === fingerprint ? { kind: 'seen' } : { kind: 'other' };
    this.running.set(key, fingerprint);
    try {
      const reserved = await this.reserving.submit({ key, fingerprint, owner: randomUUID() });
      if (reserved.kind !== 'ours') this.running.delete(key);
      return reserved;
    } catch (error) {
      this.running.delete(key);
      throw error;
    }
  }

  /** Whether a key was seen before, without reserving it. */
  async seen({ key, fingerprint }: Reservation): Promise<'never' | 'same' | 'other'> {
    const [row] = await this.database.query<{ same: boolean }>(SEEN, [key, fingerprint]);
    return row === undefined ? 'never' : row.same ? 'same' : 'other';
  }

  /** The effect is in the log; the row stays. */
  done(keys: readonly string[]): void {
    for (const key of keys) this.running.delete(key);
  }

  /** The request was refused and had no effect: refused requests are not remembered. */
  async forget(reserved: readonly { key: string; owner: string }[]): Promise<void> {
    this.done(reserved.map(({ key }) => key));
    await this.database.query(FORGET, [reserved.map(({ key }) => key), reserved.map(({ owner }) => owner)]);
  }

  /** Whether it had an effect is not known; a retry may look at once. Best effort: else the lease runs out by itself. */
  async release(reserved: readonly { key: string; owner: string }[]): Promise<void> {
    this.done(reserved.map(({ key }) => key));
    await this.database
      .query(RELEASE, [reserved.map(({ key }) => key), reserved.map(({ owner }) => owner)])
      .catch(() => undefined);
  }

  /** Nothing is ever carried out under these keys again, nor answered: their subject was erased. */
  async close(keys: readonly string[]): Promise<void> {
    await this.database.query(CLOSE, [keys]);
  }

  private async reserveGroup(items: (Reservation & { owner: string })[]): Promise<Reserved[]> {
    const rows = await this.database.query<ReservedRow>(RESERVE, [
      items.map((i) => i.key),
      items.map((i) => i.fingerprint),
      items.map((i) => i.owner),
      LEASE_MS / 1000,
    ]);
    const byOwner = new Map(rows.map((row) => [row.owner, row]));
    return items.map(({ owner }) => {
      const row = byOwner.get(owner)!;
      if (row.fresh !== null) return { kind: 'ours', owner, fresh: row.fresh };
      if (row.same === false) return { kind: 'other' };
      return row.closed ? { kind: 'gone' } : { kind: 'seen' };
    });
  }
}

export const keyReused = (): Refusal =>
  refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request.',
    'Use a new key for a new request; repeat a request with exactly the same body.',
    [{ path: 'Idempotency-Key', message: 'stands for another request' }],
  );

export const stillRunning = (): Refusal =>
  refusal(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running.',
    'Repeat the same request after a second; its answer will be the one of the first.',
  );
