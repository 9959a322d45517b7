import { Injectable } from '@nestjs/common';
import type { Environment, Scope } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import type { RequestKey } from '../../commands/reservations.js';
import { Vault } from '../../vault/vault.js';

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
const BEGIN = {
  name: 'subject_work_begin',
  text: `insert into write.subject_work (id, kind, site, env, key, subjects) values ($1, $2, $3, $4, $5, $6::text[])
         on conflict (key) do update set key = excluded.key returning ${COLUMNS}`,
};
const FIND = {
  name: 'subject_work_find',
  text: `select ${COLUMNS} from write.subject_work where id = $1 and site = $2 and env = $3`,
};
const FIND_BY_KEY = { name: 'subject_work_by_key', text: `select ${COLUMNS} from write.subject_work where key = $1` };
const FINISH = {
  name: 'subject_work_finish',
  text: 'update write.subject_work set finished_at = now() where id = $1 and finished_at is null',
};
/** Longer than any request may run. */
const OLDER_THAN = `begun_at < now() - interval '10 seconds'`;
const UNFINISHED = {
  name: 'subject_work_unfinished',
  text: `select ${COLUMNS} from write.subject_work
         where finished_at is null and ${OLDER_THAN} and site = $1 and env = $2 and subjects[1] = $3 order by begun_at`,
};
const DUE = {
  name: 'subject_work_due',
  text: `select site, env, subjects[1] as subject_id from write.subject_work
         where finished_at is null and ${OLDER_THAN} and subjects[1] <> all($2::text[])
         group by site, env, subjects[1] order by min(begun_at) limit $1`,
};

/** The first subjects of what a process left unfinished when it died, the longest waiting first. */
export async function dueWork(
  database: Database,
  limit: number,
  /** Subjects that are left out for now. */
  except: readonly string[],
): Promise<(Scope & { subjectId: string })[]> {
  const rows = await database.query<{ site: string; env: Environment; subject_id: string }>(DUE, [limit, except]);
  return rows.map(({ site, env, subject_id }) => ({ site, env, subjectId: subject_id }));
}

/**
 * What was begun on several subjects at once: written before the first event, so that a repeat finds its id again and a
 * dispatcher finishes what a dead process left. Ids of subjects only; the log holds the rest.
 */
@Injectable()
export class SubjectWorks {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  /** The work as begun; under a key that was used before, as begun then. */
  async begin(work: SubjectWork, key: RequestKey | null): Promise<SubjectWork> {
    const { id, kind, scope, subjects } = work;
    if (kind === 'merge') await this.vault.noteMerge(subjects);
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

  async find(scope: Scope, id: string): Promise<SubjectWork | null> {
    const [row] = await this.database.query<Row>(FIND, [id, scope.site, scope.env]);
    return row ? workOf(row) : null;
  }

  async findByKey(digest: string): Promise<SubjectWork | null> {
    const [row] = await this.database.query<Row>(FIND_BY_KEY, [digest]);
    return row ? workOf(row) : null;
  }

  async finish(id: string): Promise<void> {
    await this.database.query(FINISH, [id]);
  }

  /** What was begun on a subject, as the first of all that it is about, and has no process any more that goes on with it. */
  async unfinished({ site, env }: Scope, subjectId: string): Promise<SubjectWork[]> {
    return (await this.database.query<Row>(UNFINISHED, [site, env, subjectId])).map(workOf);
  }
}

const workOf = ({ id, kind, site, env, subjects }: Row): SubjectWork => ({ id, kind, scope: { site, env }, subjects });
