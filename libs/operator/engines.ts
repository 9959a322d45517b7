import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Codec } from '../streams/codec.js';
import type { EventLog } from '../log/port.js';
import { notedSkips } from '../following/skipped-events.js';
import { readConfig, type Config } from '../engines/config/config.js';
import { readMasterKey } from '../engines/config/master-key.js';
import { bundledPostgresUrl } from '../engines/database/bundled-url.js';
import { Database } from '../engines/database/database.js';
import { proveLogPrefix } from '../engines/database/log-prefix.js';
import { pendingMigrations } from '../engines/database/migrate.js';
import { StartRefused } from '../engines/start-refused.js';
import { proveMasterKey } from '../vault/master-key-proof.js';
import type { MasterKey } from '../vault/master-key.js';
import { openMasterKey, type GivenMasterKeys } from '../vault/open-master-key.js';
import { Vault } from '../vault/vault.js';
import { requireKnownLog } from './known-log.js';
import type { AnyProjection, Release, Settings } from './release.js';

/** Budget of checksums and copies of large tables: they may take long, and the operator can watch and stop them. */
const PATIENCE_MS = 24 * 3600_000;

/** The engines of an installation, which a command uses directly, by the same settings as the service. */
export interface Engines {
  config: Config;
  databaseUrl: string;
  log: EventLog;
  codec: Codec;
  master: MasterKey;
  vault: Vault;
  /** Every kind of stream. */
  streams: Release['streams'];
  /** How the events in streams of subjects are shown. */
  timeline: Release['timeline'];
  /** Every read model of this release. */
  projections: readonly AnyProjection[];
  /** Other followers of the log, such as the ledger. */
  sinks: Release['sinks'];
  /** For statements that read whole tables: it waits up to a day for each. */
  database: Database;
  close(): Promise<void>;
}

/** DATABASE_URL, else the Postgres that a running standalone serves from the data folder. */
export const databaseUrlOf = (config: Config): string => config.databaseUrl ?? bundledPostgresUrl(config.dataFolder);

/** ASSENT_MASTER_KEY, else the file in the data folder. Never makes a key: a new one would open nothing. */
export function masterKeyOf(config: Config): Buffer {
  if (config.masterKey) return config.masterKey;
  const file = join(config.dataFolder, 'master.key');
  const key = readMasterKey(contentOf(file));
  if (typeof key === 'string')
    throw new StartRefused(`${file} is damaged: it should hold 64 hex digits; restore it from your backup.`);
  return key;
}

/** The file of the other key in the data folder, while the key in `master.key` is rotated. */
export const OTHER_KEY_FILE = 'master.key.other';

/** The same, and the other one while the key is rotated. */
export const masterKeysOf = (config: Config): GivenMasterKeys => ({
  key: masterKeyOf(config),
  other: otherMasterKeyOf(config),
});

export function otherMasterKeyOf({ otherMasterKey, masterKey, dataFolder }: Config): Buffer | null {
  if (otherMasterKey || masterKey) return otherMasterKey;
  const file = join(dataFolder, OTHER_KEY_FILE);
  if (!existsSync(file)) return null;
  const key = readMasterKey(contentOf(file));
  if (typeof key === 'string') throw new StartRefused(`${file} is damaged: it should hold 64 hex digits.`);
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

export interface EnginesOptions {
  /** Also with a log that an operator has to accept first. Default: it is refused. */
  anyLog?: boolean;
}

/** Opens the engines. Rejects with StartRefused where database, schema or master key do not fit this release. */
export async function openEngines(
  release: Release,
  env: Settings,
  { anyLog = false }: EnginesOptions = {},
): Promise<Engines> {
  const config = readConfig(env);
  const databaseUrl = databaseUrlOf(config);
  const masterKeys = masterKeysOf(config);
  await requireMigrated(release, databaseUrl);
  // A pool of its own, so that a statement that runs for hours never takes a connection of log and vault.
  const requests = new Database(databaseUrl, { max: 10, name: 'assent operator' });
  const log = await release.openLog(requests, config);
  const database = new Database(databaseUrl, { max: 4, name: 'assent command', budgetMs: PATIENCE_MS });
  const close = async (): Promise<void> => {
    await log.close();
    await Promise.all([requests.close(), database.close()]);
  };
  try {
    const master = await openMasterKey(requests, masterKeys);
    await proveLogPrefix(requests, config.logPrefix);
    const vault = new Vault(requests, master);
    await proveMasterKey(vault);
    if (!anyLog) await requireKnownLog({ log, database });
    const { projections, sinks, streams, timeline } = release;
    const codec = release.codec.without(await notedSkips(database));
    return { config, databaseUrl, log, codec, master, vault, streams, timeline, projections, sinks, database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rejects with StartRefused where the schema is older than the release. */
export async function requireMigrated(
  { migrations }: Pick<Release, 'migrations'>,
  databaseUrl: string,
  say?: (line: string) => void,
): Promise<void> {
  const pending = await pendingMigrations(databaseUrl, migrations, say);
  if (pending.length > 0)
    throw new StartRefused(
      `The database lacks ${pending.length} migrations of this release; run "assent migrate" with this release first.`,
    );
}

/** Runs `work` with the engines, and closes them also after a failure. */
export async function withEngines<T>(
  release: Release,
  env: Settings,
  work: (engines: Engines) => Promise<T>,
  options: EnginesOptions = {},
): Promise<T> {
  const engines = await openEngines(release, env, options);
  try {
    return await work(engines);
  } finally {
    await engines.close();
  }
}

/** Runs `work` on the database alone, as the user that the settings name: without log, vault and master key. */
export async function withDatabase<T>(env: Settings, work: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database(databaseUrlOf(readConfig(env)), {
    max: 1,
    name: 'assent command',
    budgetMs: PATIENCE_MS,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
