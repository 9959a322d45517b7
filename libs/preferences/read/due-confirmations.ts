import type { Environment, Scope } from '../../kernel/index.js';
import type { Database } from '../../engines/database/database.js';

const DUE = {
  name: 'preference_due_confirmations',
  text: 'select site, env, subject_id from read.preference_state where next_turn <= now() and subject_id <> all($2::text[]) order by next_turn limit $1',
};

/** Subjects with a request for confirmation that has run out and is not yet said to have. */
export async function dueConfirmations(
  database: Database,
  limit: number,
  /** Subjects that are left out for now. */
  except: readonly string[],
): Promise<(Scope & { subjectId: string })[]> {
  const rows = await database.query<{ site: string; env: Environment; subject_id: string }>(DUE, [limit, except]);
  return rows.map(({ site, env, subject_id }) => ({ site, env, subjectId: subject_id }));
}
