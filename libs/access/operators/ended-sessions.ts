import { createHash } from 'node:crypto';
import type { Instant } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';

const END = {
  name: 'session_end',
  text: 'insert into write.ended_session (id, ends_at) values ($1, $2) on conflict (id) do nothing',
};
const IS_ENDED = { name: 'session_is_ended', text: 'select 1 from write.ended_session where id = $1' };
const PRUNE = { name: 'session_prune', text: 'delete from write.ended_session where ends_at < now()' };

/** A session in a browser. */
export interface EndingSession {
  /** Random, and unique to this session. */
  formSecret: string;
  /** When the session ends without a sign-out. */
  endsAt: Instant;
}

/**
 * Sessions that a person signed out of. The session itself is sealed in its cookie and would work until its end:
 * this list refuses a copy of the cookie, in every process and after every start. A session that ends without a
 * sign-out is not stored.
 */
export class EndedSessions {
  /** Only used without a database. */
  private readonly here = new Set<string>();

  constructor(private readonly queries: Queries | null) {}

  /** Rejects while the database is away: the operator is then not signed out, and the page says so. */
  async end({ formSecret, endsAt }: EndingSession): Promise<void> {
    const id = idOf(formSecret);
    if (this.queries === null) this.here.add(id);
    else await this.queries.query(END, [id, endsAt]);
  }

  async has({ formSecret }: Pick<EndingSession, 'formSecret'>): Promise<boolean> {
    const id = idOf(formSecret);
    if (this.queries === null) return this.here.has(id);
    return (await this.queries.query(IS_ENDED, [id])).length > 0;
  }
}

/** Deletes sessions whose own end has passed. */
export async function pruneSessions(queries: Queries): Promise<void> {
  await queries.query(PRUNE, []);
}

/** A digest, because every form of the session contains the secret itself. */
const idOf = (formSecret: string): string => createHash('sha256').update(formSecret).digest('base64url');
