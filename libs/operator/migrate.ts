import { readConfig } from '../engines/config/config.js';
import { migrate, pendingMigrations } from '../engines/database/migrate.js';
import { patiently } from '../engines/patience.js';
import { databaseUrlOf } from './engines.js';
import type { Release, Settings } from './release.js';

/** Brings the schema up to this release; answers the names of what ran, or with `dryRun` of what would. */
export async function migrateDatabase(
  { migrations }: Pick<Release, 'migrations'>,
  env: Settings,
  dryRun: boolean,
  say: (line: string) => void,
): Promise<string[]> {
  const url = databaseUrlOf(readConfig(env));
  return patiently(say, () => (dryRun ? pendingMigrations(url, migrations, say) : migrate(url, migrations, say)));
}
