import { KnownLogs } from '../../log/known-log.js';
import { Refused, refusal } from '../../kernel/index.js';
import { readConfig, type Config } from '../../engines/config/config.js';
import { startBundledPostgres } from '../../engines/database/bundled-postgres.js';
import { openDataFolder } from '../../engines/database/data-folder.js';
import { migrate, migrationName, pendingMigrations } from '../../engines/database/migrate.js';
import { TableCopies, type CopyableTable } from '../../engines/database/table-copies.js';
import { proveMasterKey } from '../../vault/master-key-proof.js';
import { openMasterKey } from '../../vault/open-master-key.js';
import { KEPT_SCHEMAS, readBackup, rowsOf, type Backup } from './backup.js';
import { masterKeysOf } from '../engines.js';
import type { Release, Settings } from '../release.js';

/** Tables into which the first start of a service writes before all others. */
const IN_USE: readonly string[] = ['log.events', 'vault.sealed_secrets', 'vault.subject_keys'];

interface Restoring {
  migrations: Release['migrations'];
  config: Config;
  folder: string;
  backup: Backup;
  say: (line: string) => void;
  look: (share: number, rows: number) => void;
}

/**
 * Brings a backup into an empty database: that of DATABASE_URL, else the bundled one, which it starts in the data folder
 * and stops again. Everything is there afterwards, or nothing. Refuses a damaged backup, one of a newer release, a
 * database that holds data, and another master key than the one that the data was made with.
 */
export async function restore(
  { migrations }: Pick<Release, 'migrations'>,
  env: Settings,
  folder: string,
  say: (line: string) => void,
  look: (share: number, rows: number) => void,
): Promise<Backup> {
  const config = readConfig(env);
  // Checked before anything is made in the data folder: without its key no personal data could be read.
  masterKeysOf(config);
  const backup = await readBackup(folder);
  requireKnown(backup, migrations);
  const restoring = { migrations, config, folder, backup, say, look };
  if (config.databaseUrl !== null) await restoreInto(config.databaseUrl, restoring);
  else await restoreIntoBundled(restoring);
  return backup;
}

async function restoreIntoBundled(restoring: Restoring): Promise<void> {
  const folder = await openDataFolder(restoring.config.dataFolder);
  try {
    const postgres = await startBundledPostgres(folder.path, restoring.say);
    try {
      await restoreInto(postgres.url, restoring);
    } finally {
      await postgres.stop();
    }
  } finally {
    await folder.release();
  }
}

async function restoreInto(url: string, restoring: Restoring): Promise<void> {
  const { migrations, backup, say } = restoring;
  const ofBackup = migrations.filter((migration) => backup.migrations.includes(migrationName(migration)));
  const pending = await pendingMigrations(url, migrations, say);
  // A database with migrations that the backup lacks was in use, or its tables no longer fit.
  if (migrations.some((each) => !ofBackup.includes(each) && !pending.includes(migrationName(each)))) throw notEmpty();
  await migrate(url, ofBackup, say);
  await TableCopies.within(url, 'read write', (copies) => fill(copies, restoring));
  await migrate(url, migrations, say);
}

async function fill(copies: TableCopies, { config, folder, backup, look }: Restoring): Promise<void> {
  const tables = await copies.tables(KEPT_SCHEMAS);
  for (const table of tables) if (IN_USE.includes(table.name) && !(await copies.isEmpty(table))) throw notEmpty();
  const all = backup.tables.reduce((sum, { rows }) => sum + rows, 0);
  let rows = 0;
  for (const copied of backup.tables) {
    const table = fitting(tables, copied);
    // Migrations put rows of their own into new tables. The backup holds these rows as well, so clear them first.
    if (!(await copies.isEmpty(table))) await copies.clear(table);
    rows += await copies.in(table, rowsOf(folder, copied));
    look(rows / Math.max(1, all), rows);
  }
  // Notes the last event that the log in EventStoreDB must hold. Where its copy is older, an operator has to accept that.
  if (backup.knownLog) await new KnownLogs(copies).accept(backup.knownLog);
  const master = await openMasterKey(copies, masterKeysOf(config));
  await proveMasterKey({
    secret: async (name) => {
      const [found] = await copies.run<{ sealed: Buffer }>('select sealed from vault.sealed_secrets where name = $1', [
        name,
      ]);
      return found ? master.openSecret(name, found.sealed) : null;
    },
  });
}

/** The database's own name of a table, so that no name from a file goes into SQL. */
function fitting(tables: readonly CopyableTable[], copied: Backup['tables'][number]): CopyableTable {
  const table = tables.find(({ name }) => name === copied.name);
  const known = table && copied.columns.every((column) => table.columns.includes(column));
  if (known) return { ...table, columns: copied.columns };
  throw new Refused(
    refusal(
      'backup_damaged',
      `The backup names ${copied.name} (${copied.columns.join(', ')}), which its migrations do not make.`,
      'Bring the folder back as assent backup wrote it; nothing was restored.',
    ),
  );
}

function requireKnown({ migrations }: Backup, known: Release['migrations']): void {
  const names = known.map(migrationName);
  const unknown = migrations.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw new Refused(
    refusal(
      'backup_newer',
      `The backup was made by a newer release: this one does not know ${unknown.join(', ')}.`,
      'Restore it with the release that made it, or a newer one.',
    ),
  );
}

const notEmpty = (): Refused =>
  new Refused(
    refusal(
      'database_not_empty',
      'The database holds data of Assent already; nothing was restored.',
      'Restore into an empty database, or set ASSENT_DATA to a new folder that holds master.key and nothing else.',
    ),
  );
