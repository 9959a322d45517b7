import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, type Config } from '../../platform/config/config.js';
import { readMasterKey } from '../../platform/config/master-key.js';
import { bundledPostgresUrl } from '../../platform/database/bundled-url.js';
import { Database } from '../../platform/database/database.js';
import { pendingMigrations } from '../../platform/database/migrate.js';
import { StartRefused } from '../../platform/start-refused.js';
import { Infrastructure, openEventStore } from '../infrastructure.js';
import { proveMasterKey } from '../master-key-proof.js';
import { MIGRATIONS } from '../migrations.js';

export type Settings = Readonly<Record<string, string | undefined>>;

/** Checksums and copies of large tables take their time; the operator can see it run, and stop it. */
const PATIENCE_MS = 24 * 3600_000;

/** The engines of an installation as a command uses them: directly, without the service, by the same settings. */
export interface Engines extends Pick<Infrastructure, 'log' | 'codec' | 'vault'> {
  config: Config;
  databaseUrl: string;
  /** Without haste: for statements that read whole tables. */
  database: Database;
  close(): Promise<void>;
}

/** DATABASE_URL, else the Postgres that a running standalone serves from the data folder. */
export const databaseUrlOf = (config: Config): string => config.databaseUrl ?? bundledPostgresUrl(config.dataFolder);

/** ASSENT_MASTER_KEY, else the file in the data folder; never made here: a new one would fit nothing. */
export function masterKeyOf(config: Config): Buffer {
  if (config.masterKey) return config.masterKey;
  const file = join(config.dataFolder, 'master.key');
  const key = readMasterKey(contentOf(file));
  if (typeof key === 'string')
    throw new StartRefused(`${file} is damaged: it should hold 64 hex digits; restore it from your backup.`);
  return key;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StartRefused(
      `No master key: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}); set ASSENT_MASTER_KEY to the key of this installation, or ASSENT_DATA to its data folder.`,
      { cause: error },
    );
  }
}

/** Opens them, once it is sure that database, schema and master key are those of this installation and release. */
export async function openEngines(env: Settings): Promise<Engines> {
  const config = readConfig(env);
  const databaseUrl = databaseUrlOf(config);
  const masterKey = masterKeyOf(config);
  const pending = await pendingMigrations(databaseUrl, MIGRATIONS);
  if (pending.length > 0)
    throw new StartRefused(
      `The database lacks ${pending.length} migrations of this release; run "assent migrate" with this release first.`,
    );
  const infrastructure = new Infrastructure({
    databaseUrl,
    eventStore: await openEventStore(config.esdbUrl),
    masterKey,
    roles: [],
  });
  const database = new Database(databaseUrl, { max: 4, name: 'assent command', budgetMs: PATIENCE_MS });
  const close = async (): Promise<void> => {
    await infrastructure.close();
    await database.close();
  };
  try {
    await proveMasterKey(infrastructure.vault);
    const { log, codec, vault } = infrastructure;
    return { config, databaseUrl, log, codec, vault, database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs `work` with the engines, and closes them whatever becomes of it. */
export async function withEngines<T>(env: Settings, work: (engines: Engines) => Promise<T>): Promise<T> {
  const engines = await openEngines(env);
  try {
    return await work(engines);
  } finally {
    await engines.close();
  }
}
