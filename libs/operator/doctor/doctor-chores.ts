import { setTimeout as pause } from 'node:timers/promises';
import { subjectsDue } from '../../context/subjects-due.js';
import type { Database } from '../../engines/database/database.js';
import { ok, warn, type Finding } from './findings.js';
import type { AnyChore } from '../release.js';

/** How long work may be overdue. The dispatcher looks once a second, and does a hundred at a time. */
const DONE_WITHIN_MS = 3_000;
const LOOKED_AT = 100;
const NAMED = 5;
/** SQLSTATE of a table or view that does not exist. */
const UNDEFINED_TABLE = '42P01';

/** A read model that was never built is a finding of its own. */
function noneWithoutTable(error: { code?: string }): [] {
  if (error.code !== UNDEFINED_TABLE) throw error as Error;
  return [];
}

/** Checks that work which is due for subjects gets done. The longest waiting come first: one that stays has failed. */
export async function checkChores(chores: readonly AnyChore[], database: Database): Promise<Finding[]> {
  const look = (): Promise<Set<string>[]> =>
    Promise.all(
      chores.map(async ({ due }) => {
        const subjects = await subjectsDue(database, due, LOOKED_AT, []).catch(noneWithoutTable);
        return new Set(subjects.map(({ subjectId }) => subjectId));
      }),
    );
  const before = await look();
  if (before.some(({ size }) => size > 0)) await pause(DONE_WITHIN_MS);
  const after = await look();
  return chores.map(({ name }, i) => {
    const left = [...after[i]!].filter((subjectId) => before[i]!.has(subjectId));
    if (left.length === 0) return ok(name, 'none overdue');
    const named = `${left.slice(0, NAMED).join(', ')}${left.length > NAMED ? ', …' : ''}`;
    return warn(
      name,
      `overdue for ${left.length === LOOKED_AT ? `${LOOKED_AT} or more` : left.length} subjects: ${named}`,
      'Start a dispatcher. Where one runs, its log says why these fail (assent_chore_failures_total); all others go on.',
    );
  });
}
