import { Injectable } from '@nestjs/common';
import type { Environment, Instant, Scope } from '../kernel/index.js';
import { Database } from '../engines/database/database.js';

/** How long after its end a link is still known to have expired. */
const KEPT_DAYS = 90;
const PRUNED_AT_ONCE = 1_000;

const PUT = {
  name: 'confirmations_put',
  text: `insert into write.confirmation_tokens (token_hash, site, env, subject_id, request_id, expires_at) values (decode($1, 'hex'), $2, $3, $4, $5, $6) on conflict (token_hash) do nothing`,
};
const FIND = {
  name: 'confirmations_find',
  text: `select site, env, subject_id, request_id from write.confirmation_tokens where token_hash = decode($1, 'hex')`,
};
const DROP = {
  name: 'confirmations_drop_subjects',
  text: 'delete from write.confirmation_tokens where subject_id = any($1)',
};
const PRUNE = {
  name: 'confirmations_prune',
  text: `delete from write.confirmation_tokens where token_hash = any(array(
           select token_hash from write.confirmation_tokens where expires_at < now() - make_interval(days => $1) order by expires_at limit $2)) returning 1`,
};

export interface IndexedRequest {
  scope: Scope;
  /** Whose request it was when it was made. */
  subjectId: string;
  requestId: string;
}

/** Finds the request behind a token. A row without its event, which a crash can leave, is a link that is not valid. */
@Injectable()
export class ConfirmationIndex {
  constructor(private readonly database: Database) {}

  /** To be called before the event is appended. */
  async put(tokenHash: string, { scope, subjectId, requestId }: IndexedRequest, expiresAt: Instant): Promise<void> {
    await this.database.query(PUT, [tokenHash, scope.site, scope.env, subjectId, requestId, expiresAt]);
  }

  async find(tokenHash: string): Promise<IndexedRequest | null> {
    const [row] = await this.database.query<{ site: string; env: Environment; subject_id: string; request_id: string }>(
      FIND,
      [tokenHash],
    );
    return row
      ? { scope: { site: row.site, env: row.env }, subjectId: row.subject_id, requestId: row.request_id }
      : null;
  }

  async dropSubjects(subjectIds: readonly string[]): Promise<void> {
    await this.database.query(DROP, [subjectIds]);
  }

  /** Forgets links that expired 90 days ago. */
  async prune(): Promise<void> {
    while ((await this.database.query(PRUNE, [KEPT_DAYS, PRUNED_AT_ONCE])).length === PRUNED_AT_ONCE);
  }
}
