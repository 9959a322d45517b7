import { Injectable } from '@nestjs/common';
import type { Instant, Scope } from '../../kernel/index.js';
import { Database, type Queries } from '../../engines/database/database.js';
import { dropMails } from '../../deliveries/mail/mail-delivery.js';
import { CODE_TRIES, COUNTED_MS } from './code.js';

/** What a code lets a person do. */
export type CodePurpose = 'SIGN_IN' | 'DATA_REQUEST';

export interface CodeRow {
  id: string;
  scope: Scope;
  purpose: CodePurpose;
  /** Keyed digest of the address. */
  address: string;
  /** Keyed digest of the code. */
  digest: string;
  /** What it is for. */
  sealed: Buffer;
  createdAt: Instant;
  expiresAt: Instant;
}

/** So many codes that are over are blanked in one statement. */
const BLANKED_AT_ONCE = 1_000;

/** What became of one try. `TRIED`: it was counted, and is to be compared. */
export type Tried =
  { outcome: 'TRIED'; digest: string; sealed: Buffer; triesLeft: number } | { outcome: 'OVER' | 'USED' | 'UNKNOWN' };

// Requests for the same address at the same time wait here, so that rivals never pass the limit.
const LOCK = { name: 'portal_code_lock', text: 'select pg_advisory_xact_lock(hashtextextended($1, 17))' };
const ASKED = {
  name: 'portal_code_asked',
  text: 'select created_at from portal.code where address = $1 and created_at > $2 order by created_at desc limit 100',
};
const PUT = {
  name: 'portal_code_put',
  text: `insert into portal.code (id, site, env, purpose, address, digest, sealed, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
// One statement counts and reads: however many try at once, no code is compared more often than it may be.
const TRY = {
  name: 'portal_code_try',
  text: `update portal.code set tries = tries + 1
         where id = $1 and site = $2 and env = $3 and purpose = $4 and used_at is null and tries < ${CODE_TRIES} and expires_at > $5 and sealed <> ''
         returning digest, sealed, ${CODE_TRIES} - tries as left`,
};
const WHY_NOT = {
  name: 'portal_code_why_not',
  text: 'select used_at is not null as used from portal.code where id = $1 and site = $2 and env = $3 and purpose = $4',
};
const USE = {
  name: 'portal_code_use',
  text: `update portal.code set used_at = $2, sealed = '' where id = $1 and used_at is null returning id`,
};
/** What a code was for is forgotten once it opens nothing. The row stays, because codes are counted. */
const BLANK = { name: 'portal_code_blank', text: `update portal.code set sealed = '' where id = $1` };
const BLANK_OVER = {
  name: 'portal_code_blank_over',
  text: `update portal.code set sealed = '' where id = any(array(
           select id from portal.code where sealed <> '' and expires_at <= $1 order by expires_at limit ${BLANKED_AT_ONCE} for update skip locked))`,
};
const OF_ADDRESSES = {
  name: 'portal_code_of_addresses',
  text: 'select id from portal.code where address = any($1::text[])',
};
const DROP = { name: 'portal_code_drop', text: 'delete from portal.code where id = any($1::text[])' };
const USE_TOKEN = {
  name: 'portal_token_use',
  text: 'insert into portal.used_token (id, expires_at) values ($1, $2) on conflict do nothing returning id',
};
const PRUNE = [
  { name: 'portal_code_prune', text: `delete from portal.code where created_at < now() - make_interval(secs => $1)` },
  {
    name: 'portal_token_prune',
    text: `delete from portal.used_token where expires_at < now() - make_interval(secs => $1)`,
  },
];

/** The rows of codes and used tokens. */
@Injectable()
export class CodeRows {
  constructor(private readonly database: Database) {}

  /**
   * Puts a row where `allowed`, called with when codes went to the same address before, refuses nothing; and in the same
   * transaction writes what `beside` writes. Answers what `allowed` answered; null: it was put.
   */
  put<R>(
    row: CodeRow,
    allowed: (asked: Instant[]) => R | null,
    beside: (tx: Queries) => Promise<unknown>,
  ): Promise<R | null> {
    const { id, scope, purpose, address, digest, sealed, createdAt, expiresAt } = row;
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK, [address]);
      const since = new Date(Date.parse(createdAt) - COUNTED_MS);
      const before = await tx.query<{ created_at: Date }>(ASKED, [address, since]);
      const refused = allowed(before.map(({ created_at: at }) => at.toISOString()));
      if (refused !== null) return refused;
      await tx.query(PUT, [id, scope.site, scope.env, purpose, address, digest, sealed, createdAt, expiresAt]);
      await beside(tx);
      return null;
    });
  }

  async tryOne({ site, env }: Scope, purpose: CodePurpose, id: string, at: Instant): Promise<Tried> {
    const [tried] = await this.database.query<{ digest: string; sealed: Buffer; left: number }>(TRY, [
      id,
      site,
      env,
      purpose,
      at,
    ]);
    if (tried) return { outcome: 'TRIED', digest: tried.digest, sealed: tried.sealed, triesLeft: tried.left };
    const [row] = await this.database.query<{ used: boolean }>(WHY_NOT, [id, site, env, purpose]);
    return { outcome: !row ? 'UNKNOWN' : row.used ? 'USED' : 'OVER' };
  }

  /** It is good for nothing any more. */
  async blank(id: string): Promise<void> {
    await this.database.query(BLANK, [id]);
  }

  /** The same of those that are past their time. */
  async blankOver(at: Instant): Promise<void> {
    await this.database.query(BLANK_OVER, [at]);
  }

  /** False where it was used before. */
  async use(id: string, at: Instant): Promise<boolean> {
    return (await this.database.query(USE, [id, at])).length === 1;
  }

  /** The same of a portal token, which is kept until it expires. */
  async useToken(id: string, expiresAt: Instant): Promise<boolean> {
    return (await this.database.query(USE_TOKEN, [id, expiresAt])).length === 1;
  }
}

/** Forgets codes that went to these addresses, by their digests, and all that was asked for with them; mails that wait too. */
export async function forgetCodes(database: Database, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await database.transaction(async (tx) => {
    const codes = (await tx.query<{ id: string }>(OF_ADDRESSES, [addresses])).map(({ id }) => id);
    await dropMails(tx, codes);
    await tx.query(DROP, [codes]);
  });
}

/** Deletes what counts no longer. */
export async function pruneCodes(database: Database): Promise<void> {
  for (const statement of PRUNE) await database.query(statement, [COUNTED_MS / 1000]);
}
