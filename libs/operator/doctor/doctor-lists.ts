import type { Config } from '../../engines/config/config.js';
import type { Database } from '../../engines/database/database.js';
import { ok, warn, type Finding } from './findings.js';

/** How late a dispatcher may look at a source, in seconds. */
const LATE_S = 3_600;

interface SourceRow {
  looked_at: Date | null;
  refused: string | null;
  failed: string | null;
  failures: number;
  is_late: boolean;
}

const CHECK = 'vendor list';
const STAYS = 'The list before stays in use.';

/** Checks that a dispatcher reads the source of vendor lists and uses its lists. Until then the list in use stays. */
export async function checkVendorList(
  { path, url }: Pick<Config['vendorLists'], 'path' | 'url'>,
  database: Database,
): Promise<Finding> {
  const source = path ?? url;
  if (source === null) return ok(CHECK, 'none configured: the synthetic one is in use');
  const setting = path === null ? 'TCF_GVL_URL' : 'TCF_GVL_PATH';
  const [row] = await database.run<SourceRow>(
    `select looked_at, refused, failed, failures, due_at < now() - make_interval(secs => ${LATE_S}) as is_late
       from write.vendor_list_source where name = $1`,
    [source],
  );
  if (!row || (row.looked_at === null && row.failed === null))
    return warn(CHECK, `${setting} was never looked at`, 'Start a dispatcher with the same settings.');
  if (row.is_late)
    return warn(
      CHECK,
      `no dispatcher has looked at ${setting} when it was due`,
      'Start a dispatcher with the same settings.',
    );
  if (row.failed !== null)
    return warn(
      CHECK,
      `${setting} cannot be read: ${row.failed}, ${row.failures} times in a row`,
      `Correct ${setting}, or wait until it is back. ${STAYS}`,
    );
  if (row.refused === 'NONE') return warn(CHECK, `${setting} leads to no list`, `Correct ${setting}. ${STAYS}`);
  if (row.refused !== null)
    return warn(CHECK, `what ${setting} leads to is refused: ${row.refused}`, `Put a newer list there. ${STAYS}`);
  return ok(CHECK, `looked at ${row.looked_at!.toISOString()}`);
}
