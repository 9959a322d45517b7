import type { Database } from '../../engines/database/database.js';
import { fail, ok, type Finding } from './findings.js';

const PARTED =
  'select site, env, parted_at::float8 as size from ledger.trees where parted_at is not null order by site, env';

/** Checks that every tree of the ledger still grows. */
export async function checkLedger(database: Database): Promise<Finding> {
  const parted = await database.run<{ site: string; env: string; size: number }>(PARTED);
  if (parted.length === 0) return ok('ledger', 'every tree grows with the log');
  const named = parted.map(({ site, env, size }) => `${site} in ${env} at ${size} leaves`).join(', ');
  return fail(
    'ledger',
    `the log does not lead to what was signed: ${named}`,
    'What was recorded is lost or was changed, as by a log that was restored from an older copy: assent ledger verify names the first break. With the log that was signed, assent ledger rebuild goes on.',
  );
}
