import type { Queries, Statement } from '../engines/database/database.js';
import type { Environment } from '../kernel/index.js';
import type { DueSubject } from './define-context.js';

/** Those for whom a chore is due, by its statement. `except`: subject ids that are left out for now. */
export async function subjectsDue(
  database: Queries,
  due: Statement,
  limit: number,
  except: readonly string[],
): Promise<DueSubject[]> {
  const rows = await database.query<{ site: string; env: Environment; subject_id: string }>(due, [limit, except]);
  return rows.map(({ site, env, subject_id }) => ({ site, env, subjectId: subject_id }));
}

/**
 * Of each chore whether it is due for a subject, by one statement for all chores of a process. Rejects where one of them
 * would.
 */
export async function anyDue(
  database: Queries,
  chores: readonly { due: Statement }[],
  /** Of each the subject ids that are left out for now. */
  excepts: readonly (readonly string[])[],
): Promise<boolean[]> {
  const found = chores.map(
    ({ due: { text } }, i) => `exists (${text.replaceAll('$1', '1').replaceAll('$2', `$${i + 1}`)})`,
  );
  const statement = { name: 'chores-any-due', text: `select array[${found.join(', ')}] as found` };
  const [row] = await database.query<{ found: boolean[] }>(statement, excepts);
  return row!.found;
}
