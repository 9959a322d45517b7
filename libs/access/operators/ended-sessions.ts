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
  /** Random, and of this session alone. */
  formSecret: string;
  /** When it ends by itself. */
  endsAt: Instant;
}

/**
 * Sessions that somebody signed out of. The session itself stands in its cookie, sealed, and would be good until it ends:
 * whoever kept a copy is refused by this list, on every process and after every start. Nothing is kept of sessions that
 * end by themselves.
 */
export class EndedSessions {
  /** Only where there is no database. */
  private readonly here = new Set<string>();

  constructor(private readonly queries: Queries | null) {}

  /** Rejects where the database is away: then nobody is signed out, and the page says so. */
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

/** Forgets sessions that would have ended by now. */
export async function pruneSessions(queries: Queries): Promise<void> {
  await queries.query(PRUNE, []);
}

/** The secret itself is in every form of the session. */
const idOf = (formSecret: string): string => createHash('sha256').update(formSecret).digest('base64url');
