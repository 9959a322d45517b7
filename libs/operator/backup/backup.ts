import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { KnownLogs, type LogMark } from '../../log/known-log.js';
import { Refused, refusal } from '../../kernel/index.js';
import { readConfig } from '../../engines/config/config.js';
import { migrationName } from '../../engines/database/migrate.js';
import { Passing, TableCopies, type Copied, type CopyableTable } from '../../engines/database/table-copies.js';
import { databaseUrlOf, requireMigrated, withDatabase } from '../engines.js';
import { noteUpkeep } from '../health/upkeep.js';
import type { Release, Settings } from '../release.js';

/** Schemas in a backup: the log, and those that cannot be made anew from it. */
export const KEPT_SCHEMAS = ['log', 'vault', 'ledger', 'write', 'webhooks', 'deliveries'] as const;

/** Written last: a folder without it is no backup. */
const MANIFEST = 'backup.json';

type CopiedTable = Pick<CopyableTable, 'name' | 'columns'> & Copied;

/** What is in a backup. */
export interface Backup {
  takenAt: string;
  /** Engine of the log. A log in EventStoreDB is not in the backup. */
  log: 'postgres' | 'eventstoredb';
  /** The last event of a log in EventStoreDB. A copy of that log which lacks it is older: the restore asks about it. */
  knownLog?: LogMark | null;
  /** Migrations that made the tables. A restore runs them before it fills the tables. */
  migrations: string[];
  tables: CopiedTable[];
}

/** `log.events` is kept as `log/events.copy.gz`, so that each schema can be kept elsewhere and for another time. */
const fileOf = (folder: string, { name }: Pick<CopyableTable, 'name'>): string =>
  `${join(folder, ...name.split('.'))}.copy.gz`;

/**
 * Writes everything that has to be kept into a new folder, as it is at one moment, while the service runs. Refuses a
 * folder that is not empty. Calls `look` with the share, 0 to 1, and the rows so far.
 */
export async function backUp(
  release: Pick<Release, 'migrations'>,
  env: Settings,
  folder: string,
  look: (share: number, rows: number) => void,
): Promise<Backup> {
  const config = readConfig(env);
  const url = databaseUrlOf(config);
  await requireMigrated(release, url);
  await requireEmptyFolder(folder);
  const takenAt = new Date().toISOString();
  let knownLog: LogMark | null = null;
  const tables = await TableCopies.within(url, 'read only', async (copies) => {
    if (config.esdbUrl !== null) knownLog = (await new KnownLogs(copies).read()).mark;
    const all = await copies.tables(KEPT_SCHEMAS);
    const size = all.reduce((sum, { bytes }) => sum + bytes, 0);
    const done: CopiedTable[] = [];
    for (const table of all) {
      const before = done.reduce((sum, { bytes }) => sum + bytes, 0);
      const rows = done.reduce((sum, each) => sum + each.rows, 0);
      const copied = await copyOut(copies, table, fileOf(folder, table), (bytes) =>
        look(Math.min(1, (before + bytes) / Math.max(1, size)), rows),
      );
      done.push({ name: table.name, columns: table.columns, ...copied });
    }
    return done;
  });
  const backup: Backup = {
    takenAt,
    ...(config.esdbUrl === null ? { log: 'postgres' } : { log: 'eventstoredb', knownLog }),
    migrations: release.migrations.map(migrationName),
    tables,
  };
  await writeFile(
    join(folder, MANIFEST),
    `${JSON.stringify(backup, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 2)}\n`,
    { mode: 0o600, flag: 'wx', flush: true },
  );
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  // The backup is whole, whether or not this login may write that down.
  await withDatabase(env, (database) => noteUpkeep(database, 'BACKUP', { tables: tables.length, rows })).catch(
    () => undefined,
  );
  return backup;
}

async function requireEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length === 0) return;
  throw new Refused(
    refusal(
      'folder_not_empty',
      `${folder} holds something already.`,
      'Name a new folder; a backup never replaces another.',
    ),
  );
}

async function copyOut(
  copies: TableCopies,
  table: CopyableTable,
  path: string,
  look: (bytes: number) => void,
): Promise<Copied> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const packed = createGzip();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(packed, file);
  const [copied] = await Promise.all([copies.out(table, packed, look), written]);
  if (!file.closed) await once(file, 'close');
  return copied;
}

/** The manifest of a backup, after every file was read and found unchanged. Refuses every other folder. */
export async function readBackup(folder: string): Promise<Backup> {
  const backup = await manifestOf(folder);
  for (const table of backup.tables) {
    const passing = new Passing();
    const ignored = new Writable({ write: (_, __, done) => done() });
    const file = fileOf(folder, table);
    await pipeline(createReadStream(file), createGunzip(), passing, ignored).catch((error: unknown) => {
      throw damaged(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    });
    if (passing.seen().sha256 !== table.sha256) throw damaged(`${file} is not what was backed up.`);
  }
  return backup;
}

async function manifestOf(folder: string): Promise<Backup> {
  const file = join(folder, MANIFEST);
  try {
    const backup = JSON.parse(await readFile(file, 'utf8')) as Backup;
    const known = backup.knownLog;
    return known ? { ...backup, knownLog: { ...known, position: BigInt(known.position) } } : backup;
  } catch (error) {
    throw damaged(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no JSON'}), so this is no whole backup.`,
    );
  }
}

const damaged = (message: string): Refused =>
  new Refused(
    refusal(
      'backup_damaged',
      message,
      'Bring the folder back as assent backup wrote it, or take an older backup; nothing was restored.',
    ),
  );

/** The rows of a table, as they go into the database. */
export const rowsOf = (folder: string, table: CopiedTable): NodeJS.ReadableStream =>
  createReadStream(fileOf(folder, table)).pipe(createGunzip());
