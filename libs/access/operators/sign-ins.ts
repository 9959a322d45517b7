import { type Clock, type Instant } from '../../kernel/index.js';
import type { Queries } from '../../engines/database/database.js';
import { GatheredNotes } from '../gathered-notes.js';

/** How an operator signs in. */
export type SignInWay = 'TOKEN' | 'OIDC' | 'DEMO';
/**
 * TOKEN: no token that works. ONLY_FIRST: another token than that of the first start, where only that one signs in.
 * NOT_PROVEN: the identity provider's answer proves nothing. NO_ROLE: a person of whom no group has a role.
 */
export type SignInRefusal = 'TOKEN' | 'ONLY_FIRST' | 'NOT_PROVEN' | 'NO_ROLE';

/** What was done about sessions of operators, as rows of `write.operator_sign_in`. */
export interface SignInRow {
  id: string;
  at: Instant;
  action: 'signed_in' | 'sign_in_refused' | 'signed_out' | 'sessions_ended';
  /** Who did it; null: not known. */
  operator: string | null;
  way: SignInWay | null;
  refusal: SignInRefusal | null;
  /** Refused: how often in this hour. Ended: how many sessions. */
  times: number;
  lastAt: Instant;
  /** Whose sessions were ended. */
  target: string | null;
  session: string | null;
  requestId: string | null;
}

/** Refused sign-ins of one hour that look the same. */
interface Refusals {
  hour: Instant;
  way: SignInWay;
  refusal: SignInRefusal;
  operator: string;
  times: number;
  firstAt: Instant;
  lastAt: Instant;
}

// In the order of the ids, so that two processes cannot deadlock. The first that is written says since when.
const REFUSED = {
  name: 'operator_sign_in_refused',
  text: `insert into write.operator_sign_in as s (id, at, action, operator, way, refusal, times, last_at)
         select 'refused ' || hour || ' ' || way || ' ' || refusal || ' ' || operator, first_at, 'sign_in_refused',
                nullif(operator, ''), way, refusal, times, last_at
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[])
           as w(hour, way, refusal, operator, times, first_at, last_at)
         order by hour, way, refusal, operator
         on conflict (id) do update set times = s.times + excluded.times, last_at = greatest(s.last_at, excluded.last_at)`,
};

/**
 * Counts refused sign-ins, which any caller can repeat: one row for those of an hour that look the same, so that the table
 * grows with the hours and not with the attempts. No address is kept.
 */
export class RefusedSignIns {
  private readonly notes: GatheredNotes<Refusals> | null;

  constructor(
    /** null: none is kept. */
    database: Pick<Queries, 'query'> | null,
    private readonly clock: Clock,
  ) {
    this.notes =
      database &&
      new GatheredNotes({
        write: (group) => writeRefused(database, group),
        add: (noted, { times, lastAt }) => ({ ...noted, times: noted.times + times, lastAt }),
        what: 'journal of sign-ins',
      });
  }

  /** `operator`: of a person whom the provider knows. */
  note(way: SignInWay, refusal: SignInRefusal, operator = ''): void {
    const at = this.clock();
    const hour = at.slice(0, 13);
    const name = `${hour} ${way} ${refusal} ${operator}`;
    const noted = this.notes?.get(name);
    if (noted) {
      noted.times++;
      noted.lastAt = at;
    } else this.notes?.begin(name, { hour, way, refusal, operator, times: 1, firstAt: at, lastAt: at });
  }

  async write(): Promise<void> {
    await this.notes?.write();
  }

  async stop(): Promise<void> {
    await this.notes?.stop();
  }
}

async function writeRefused(database: Pick<Queries, 'query'>, group: readonly Refusals[]): Promise<void> {
  const columns = ['hour', 'way', 'refusal', 'operator', 'times', 'firstAt', 'lastAt'] as const;
  await database.query(
    REFUSED,
    columns.map((column) => group.map((noted) => noted[column])),
  );
}

/** Which of them are wanted: before a place, newest first. */
export interface SignInsWanted {
  operator: string | null;
  before: { at: string; key: string };
  from: string;
  limit: number;
}

const listed = (which: string): string => `
  select id, at, action, operator, way, refusal, times, last_at as "lastAt", target, session, request_id as "requestId"
  from write.operator_sign_in where ${which} (at, id) < ($1::timestamptz, $2) and at >= $3::timestamptz
  order by at desc, id desc limit $4`;
const ALL = { name: 'operator_sign_in_all', text: listed('') };
const OF_ONE = { name: 'operator_sign_in_of', text: listed('operator = $5 and') };

/** Sign-ins, refused ones, and ends of sessions. Rejects with DependencyUnavailable. */
export async function listSignIns(
  database: Pick<Queries, 'query'>,
  { operator, before, from, limit }: SignInsWanted,
): Promise<SignInRow[]> {
  const values = [before.at, before.key, from, limit];
  const rows = await (operator === null
    ? database.query<StoredSignIn>(ALL, values)
    : database.query<StoredSignIn>(OF_ONE, [...values, operator]));
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), lastAt: row.lastAt.toISOString() }));
}

type StoredSignIn = Omit<SignInRow, 'at' | 'lastAt'> & Record<'at' | 'lastAt', Date>;
