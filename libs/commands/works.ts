import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Environment, Scope } from '../kernel/index.js';
import { Database } from '../engines/database/database.js';
import type { RequestKey } from './reservations.js';

/** How long the owner of a lease may be silent before another process takes the work over, in ms. */
const LEASE_MS = 5_000;
/** How often a lease is renewed, in ms. Two renewals may fail. */
const RENEW_EVERY_MS = 1_500;

/** Something that takes several streams. Ids of subjects only; the log holds the rest. */
export interface Work {
  /** `mrg_…` of a merge, `rct_…` of an erasure, `dsr_…` of the completion of a data request. */
  id: string;
  kind: 'merge' | 'erase' | 'complete';
  scope: Scope;
  /** Survivor first, then the absorbed ones; of an erasure the subject. None where the stream of the work names them. */
  subjects: readonly string[];
}

interface Row {
  id: string;
  kind: Work['kind'];
  site: string;
  env: Environment;
  subjects: string[];
}

const COLUMNS = 'id, kind, site, env, subjects';
const BEGIN = {
  name: 'work_begin',
  text: `insert into write.work (id, kind, site, env, key, subjects) values ($1, $2, $3, $4, $5, $6::text[])
         on conflict (key) do update set key = excluded.key returning ${COLUMNS}`,
};
const FIND = { name: 'work_find', text: `select ${COLUMNS} from write.work where id = $1 and site = $2 and env = $3` };
const FIND_BY_KEY = { name: 'work_by_key', text: `select ${COLUMNS} from write.work where key = $1` };
const FINISH = {
  name: 'work_finish',
  text: 'update write.work set finished_at = now() where id = $1 and finished_at is null',
};
/** Longer than any request may run. What is done under a lease is looked after by the context it belongs to. */
const LEFT = `finished_at is null and owner is null and begun_at < now() - interval '10 seconds'`;
const UNFINISHED = {
  name: 'work_unfinished',
  text: `select ${COLUMNS} from write.work
         where ${LEFT} and site = $1 and env = $2 and subjects[1] = $3 order by begun_at`,
};
/** The first subjects of what a process left unfinished when it died, the longest waiting first. See SubjectChore. */
export const dueWork = {
  name: 'work_due',
  text: `select site, env, subjects[1] as subject_id from write.work
         where ${LEFT} and subjects[1] <> all($2::text[])
         group by site, env, subjects[1] order by min(begun_at) limit $1`,
};
const UNTIL = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;
const CLAIM = {
  name: 'work_claim',
  text: `insert into write.work as w (id, kind, site, env, subjects, owner, leased_until)
           values ($1, $2, $3, $4, $5::text[], $6, ${UNTIL})
         on conflict (id) do update set owner = excluded.owner, leased_until = excluded.leased_until, finished_at = null
         where coalesce(w.leased_until < clock_timestamp(), true) returning 1`,
};
const RENEW = {
  name: 'work_renew',
  text: `update write.work set leased_until = ${UNTIL} where id = $1 and owner = $2`,
};
const RELEASE = {
  name: 'work_release',
  text: `update write.work set leased_until = null, finished_at = case when $3::boolean then now() end
         where id = $1 and owner = $2`,
};

/**
 * What takes several streams has a row, written before the first event: a repeat of the request finds it by its key, and
 * a dispatcher finishes what a dead process left. Each step can be repeated by any process.
 */
@Injectable()
export class Works {
  constructor(private readonly database: Database) {}

  /** The work as begun; under a key that was used before, as begun then. */
  async begin({ id, kind, scope, subjects }: Work, key: RequestKey | null): Promise<Work> {
    const [row] = await this.database.query<Row>(BEGIN, [
      id,
      kind,
      scope.site,
      scope.env,
      key?.digest ?? null,
      subjects,
    ]);
    return workOf(row!);
  }

  async find(scope: Scope, id: string): Promise<Work | null> {
    const [row] = await this.database.query<Row>(FIND, [id, scope.site, scope.env]);
    return row ? workOf(row) : null;
  }

  async findByKey(digest: string): Promise<Work | null> {
    const [row] = await this.database.query<Row>(FIND_BY_KEY, [digest]);
    return row ? workOf(row) : null;
  }

  async finish(id: string): Promise<void> {
    await this.database.query(FINISH, [id]);
  }

  /** What was begun on a subject, as the first of all that it is about, and has no process any more that goes on with it. */
  async unfinished({ site, env }: Scope, subjectId: string): Promise<Work[]> {
    return (await this.database.query<Row>(UNFINISHED, [site, env, subjectId])).map(workOf);
  }

  /**
   * Carries a work on while no other process does, for as long as it takes; null where another one is at it. The lease
   * saves double work and proves nothing: an owner that was silent for too long may find that another process did the
   * same meanwhile, so each effect must stand once all the same.
   */
  async hold<T>({ id, kind, scope, subjects }: Work, carryOn: () => Promise<T>): Promise<{ result: T } | null> {
    const owner = randomUUID();
    const claimed = await this.database.query(CLAIM, [id, kind, scope.site, scope.env, subjects, owner]);
    if (claimed.length === 0) return null;
    // A renewal that fails is made up for by the next one.
    const renew = (): void => void this.database.query(RENEW, [id, owner]).catch(() => undefined);
    const renewal = setInterval(renew, RENEW_EVERY_MS).unref();
    let isDone = false;
    try {
      const result = await carryOn();
      isDone = true;
      return { result };
    } finally {
      clearInterval(renewal);
      // Where the database is away, the lease runs out by itself.
      await this.database.query(RELEASE, [id, owner, isDone]).catch(() => undefined);
    }
  }
}

const workOf = ({ id, kind, site, env, subjects }: Row): Work => ({ id, kind, scope: { site, env }, subjects });
