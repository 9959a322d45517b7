import { Injectable } from '@nestjs/common';
import { earliestOf } from '../../event-log/key-search.js';
import type { Environment, Scope } from '../../kernel/index.js';
import { Database } from '../../platform/database/database.js';
import type { UsedKey } from '../../platform/idempotency/reservations.js';

export interface SubjectWork {
  /** `mrg_…` of a merge, `rct_…` of an erasure. */
  id: string;
  kind: 'merge' | 'erase';
  scope: Scope;
  /** Survivor first, then the absorbed ones; of an erasure the subject. */
  subjects: readonly string[];
}

interface Row {
  id: string;
  kind: SubjectWork['kind'];
  site: string;
  env: Environment;
  subjects: string[];
}

const COLUMNS = 'id, kind, site, env, subjects';
/** Of work that was begun under an earlier use of the key, only its id is left. */
const BEGIN = {
  name: 'subject_work_begin_since',
  text: `with earlier as (
           update write.subject_work set key = null where key = $5 and begun_at < $7::timestamptz returning id
         )
         insert into write.subject_work (id, kind, site, env, key, subjects)
         select $1, $2, $3, $4, $5, $6::text[] from (select count(*) from earlier) as freed
         on conflict (key) do update set key = excluded.key returning ${COLUMNS}`,
};
const FIND = {
  name: 'subject_work_find',
  text: `select ${COLUMNS} from write.subject_work where id = $1 and site = $2 and env = $3`,
};
const FIND_BY_KEY = {
  name: 'subject_work_by_key_since',
  text: `select ${COLUMNS} from write.subject_work where key = $1 and begun_at >= $2`,
};
const FINISH = {
  name: 'subject_work_finish',
  text: 'update write.subject_work set finished_at = now() where id = $1 and finished_at is null',
};
const UNFINISHED = {
  name: 'subject_work_unfinished',
  text: `select ${COLUMNS} from write.subject_work where finished_at is null and begun_at < now() - make_interval(secs => $1) order by begun_at limit $2`,
};

/**
 * What was begun on several subjects at once: written before the first event, so that a repeat finds its id again and a
 * dispatcher finishes what a dead process left. Ids of subjects only; the log holds the rest.
 */
@Injectable()
export class SubjectWorks {
  constructor(private readonly database: Database) {}

  /** The work as begun; under a key that was used before, as begun then. */
  async begin(work: SubjectWork, key: UsedKey | null): Promise<SubjectWork> {
    const { id, kind, scope, subjects } = work;
    const [row] = await this.database.query<Row>(BEGIN, [
      id,
      kind,
      scope.site,
      scope.env,
      key?.digest ?? null,
      subjects,
      key && earliestOf(key.since),
    ]);
    return workOf(row!);
  }

  async find(scope: Scope, id: string): Promise<SubjectWork | null> {
    const [row] = await this.database.query<Row>(FIND, [id, scope.site, scope.env]);
    return row ? workOf(row) : null;
  }

  async findByKey({ digest, since }: UsedKey): Promise<SubjectWork | null> {
    const [row] = await this.database.query<Row>(FIND_BY_KEY, [digest, earliestOf(since)]);
    return row ? workOf(row) : null;
  }

  async finish(id: string): Promise<void> {
    await this.database.query(FINISH, [id]);
  }

  async unfinished(olderThanMs: number, limit: number): Promise<SubjectWork[]> {
    return (await this.database.query<Row>(UNFINISHED, [olderThanMs / 1000, limit])).map(workOf);
  }
}

const workOf = ({ id, kind, site, env, subjects }: Row): SubjectWork => ({ id, kind, scope: { site, env }, subjects });
