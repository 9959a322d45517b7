import type { Environment, Scope } from '../../kernel/index.js';
import type { Database } from '../../engines/database/database.js';

const DUE = {
  name: 'consent_due_expiries',
  text: 'select site, env, subject_id from read.consent_state where next_expiry <= now() and subject_id <> all($2::text[]) order by next_expiry limit $1',
};

/** Subjects with a grant that has run out and is not yet said to have. */
export async function dueExpiries(
  database: Database,
  limit: number,
  /** Subjects that are left out for now. */
  except: readonly string[],
): Promise<(Scope & { subjectId: string })[]> {
  const rows = await database.query<{ site: string; env: Environment; subject_id: string }>(DUE, [limit, except]);
  return rows.map(({ site, env, subject_id }) => ({ site, env, subjectId: subject_id }));
}
