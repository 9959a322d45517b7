import { hash } from 'node:crypto';
import { epochMs, plusMs, type Instant } from '../../kernel/index.js';
import type { OperatorRole } from '../../context/roles.js';
import type { Queries } from '../../engines/database/database.js';
import type { SignInWay } from './sign-ins.js';

/** How long a session lasts without a request, and how exactly that is noted: one write a minute at most. */
export const IDLE_MINUTES = 30;
const IDLE_MS = IDLE_MINUTES * 60_000;
const NOTED_EVERY_MS = 60_000;
/** Most sessions that a list shows. */
export const SESSIONS_SHOWN_MAX = 200;

/** A session of an operator in a browser, as it is stored. */
export interface SessionRow {
  /** `ses_` and a digest of the secret in the cookie. */
  id: string;
  operator: string;
  beganAt: Instant;
  lastSeenAt: Instant;
  endsAt: Instant;
  /** Null: those of the token that signed in. */
  roles: readonly OperatorRole[] | null;
}

/** How an operator signed in, and with which request. */
export interface SignedInBy {
  way: SignInWay;
  requestId?: string | null;
}

type Stored = Omit<SessionRow, 'beganAt' | 'lastSeenAt' | 'endsAt'> & Record<'beganAt' | 'lastSeenAt' | 'endsAt', Date>;

const FIELDS = `id, operator, began_at as "beganAt", last_seen_at as "lastSeenAt", ends_at as "endsAt", roles`;
const ACTIVE = 'ends_at > $2 and last_seen_at > $3';
const BEGIN = {
  name: 'operator_session_begin',
  text: `with journaled as (
           insert into write.operator_sign_in (id, at, action, operator, way, last_at, session, request_id)
           values ($1 || ' began', $3, 'signed_in', $2, $6, $3, $1, $7)
         )
         insert into write.operator_session (id, operator, began_at, last_seen_at, ends_at, roles)
         values ($1, $2, $3, $3, $4, $5::jsonb)`,
};
const FIND = {
  name: 'operator_session_find',
  text: `select ${FIELDS} from write.operator_session where id = $1 and ${ACTIVE}`,
};
const SEEN = {
  name: 'operator_session_seen',
  text: 'update write.operator_session set last_seen_at = $2 where id = $1 and last_seen_at < $2',
};
const END = {
  name: 'operator_session_end',
  text: `with gone as (delete from write.operator_session where id = $1 returning id, operator)
         insert into write.operator_sign_in (id, at, action, operator, last_at, session, request_id)
         select id || ' ended', $2, 'signed_out', operator, $2, id, $3 from gone`,
};
const END_ALL = {
  name: 'operator_session_end_all',
  text: `with gone as (delete from write.operator_session where operator = $1 returning id)
         insert into write.operator_sign_in (id, at, action, operator, times, last_at, target, session, request_id)
         select gen_random_uuid(), $2, 'sessions_ended', $3, ended, $2, $1, $4, $5
         from (select count(*)::int as ended from gone) as all_gone where ended > 0
         returning times`,
};
const LIST = {
  name: 'operator_session_list',
  text: `select ${FIELDS} from write.operator_session where operator = $1 and ${ACTIVE}
         order by began_at desc limit ${SESSIONS_SHOWN_MAX}`,
};
const PRUNE = { name: 'operator_session_prune', text: 'delete from write.operator_session where ends_at < now()' };

/**
 * Sessions of operators, one row each. A request finds the row of its session or is signed out, so that ending a row
 * holds on every instance at once, for every copy of the cookie.
 */
export class SessionRows {
  /** Only used without a database. */
  private readonly here = new Map<string, SessionRow>();

  constructor(private readonly queries: Queries | null) {}

  /** The journal has it in the same statement. */
  async begin(session: SessionRow, { way, requestId = null }: SignedInBy): Promise<void> {
    const { id, operator, beganAt, endsAt, roles } = session;
    if (this.queries === null) return void this.here.set(id, session);
    const stored = roles === null ? null : JSON.stringify(roles);
    await this.queries.query(BEGIN, [id, operator, beganAt, endsAt, stored, way, requestId]);
  }

  /** The session, unless it has ended or was idle for too long. Notes that it was seen. */
  async seen(id: string, at: Instant): Promise<SessionRow | null> {
    const [row] = await this.rows(FIND, id, at);
    if (!row) return null;
    if (epochMs(at) - epochMs(row.lastSeenAt) >= NOTED_EVERY_MS) {
      if (this.queries === null) this.here.set(id, { ...row, lastSeenAt: at });
      else await this.queries.query(SEEN, [id, at]);
    }
    return row;
  }

  /** Rejects while the database is away: the operator is then not signed out, and learns it. */
  async end(id: string, at: Instant, requestId: string | null): Promise<void> {
    if (this.queries === null) this.here.delete(id);
    else await this.queries.query(END, [id, at, requestId]);
  }

  /** Ends all sessions of an operator, and answers how many there were. `by`: who ends them, for the journal. */
  async endAll(
    operator: string,
    at: Instant,
    by: { keyId: string | null; session?: string; requestId: string },
  ): Promise<number> {
    if (this.queries !== null) {
      const values = [operator, at, by.keyId, by.session ?? null, by.requestId];
      return (await this.queries.query<{ times: number }>(END_ALL, values))[0]?.times ?? 0;
    }
    const ids = [...this.here.values()].filter((row) => row.operator === operator).map(({ id }) => id);
    return ids.filter((id) => this.here.delete(id)).length;
  }

  /** Sessions of an operator that have not ended, newest first. */
  of(operator: string, at: Instant): Promise<SessionRow[]> {
    return this.rows(LIST, operator, at);
  }

  private async rows(statement: typeof FIND, key: string, at: Instant): Promise<SessionRow[]> {
    const idleSince = plusMs(at, -IDLE_MS);
    if (this.queries === null)
      return [...this.here.values()].filter(
        ({ id, operator, endsAt, lastSeenAt }) =>
          (statement === FIND ? id : operator) === key && endsAt > at && lastSeenAt > idleSince,
      );
    const rows = await this.queries.query<Stored>(statement, [key, at, idleSince]);
    return rows.map((row) => ({
      ...row,
      beganAt: row.beganAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      endsAt: row.endsAt.toISOString(),
    }));
  }
}

/** Deletes sessions whose own end has passed. */
export async function pruneOperatorSessions(queries: Queries): Promise<void> {
  await queries.query(PRUNE, []);
}

/** A digest, because every form of the session contains the secret itself. */
export const sessionId = (secret: string): string => `ses_${hash('sha256', secret, 'base64url').slice(0, 32)}`;
