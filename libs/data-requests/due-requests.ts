import type { Database } from '../engines/database/database.js';

/**
 * Subjects with a request that has something to be done about it: a date to notice, an end, a completion to finish. Not a
 * request that another process is just completing.
 */
export const dueRequests = {
  name: 'data_requests_due',
  text: `select site, env, subject_id from (
           select site, env, subject_id, next_chore_at as due_at from read.data_requests r where next_chore_at <= now()
             and not exists (select from write.work w where w.id = r.id and w.leased_until > now())
           union all
           select site, env, subject_id, now() from write.data_request where subject_erased
         ) as due
         where subject_id <> all($2::text[])
         group by site, env, subject_id order by min(due_at) limit $1`,
};

const ERASED = {
  name: 'data_requests_subjects_erased',
  text: 'update write.data_request set subject_erased = true where subject_id = any($1::text[]) and is_newest and not subject_erased',
};

/** The subjects are gone: a dispatcher cancels what they still asked for. */
export async function noteErased(database: Database, subjectIds: readonly string[]): Promise<void> {
  await database.query(ERASED, [subjectIds]);
}
