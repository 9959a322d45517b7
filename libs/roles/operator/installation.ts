import { CommandBus } from '@nestjs/cqrs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KeyDirectory } from '../../access/key-directory.js';
import { Sites } from '../../access/sites.js';
import { readConfig } from '../../platform/config/config.js';
import { migrate, pendingMigrations } from '../../platform/database/migrate.js';
import { patiently } from '../../platform/patience.js';
import { StartRefused } from '../../platform/start-refused.js';
import { openLogger } from '../../platform/telemetry/logger.js';
import { seedDemo, type DemoSettings } from '../demo.js';
import { MIGRATIONS } from '../migrations.js';
import { Closing, openProcess } from '../process.js';
import { databaseUrlOf, masterKeyOf, type Settings } from './engines.js';

/** Brings the schema up to this release; answers the names of what ran, or with `dryRun` of what would. */
export async function migrateDatabase(env: Settings, dryRun: boolean, say: (line: string) => void): Promise<string[]> {
  const url = databaseUrlOf(readConfig(env));
  return patiently(say, () => (dryRun ? pendingMigrations(url, MIGRATIONS, say) : migrate(url, MIGRATIONS, say)));
}

/**
 * The same demo site that a standalone process makes for itself, for an installation of several. The keys are kept in
 * `demo.json` only where a data folder is named; without one each call issues new keys.
 */
export async function seedInstallation(
  env: Settings,
  say: (line: string) => void,
): Promise<{ demo: DemoSettings; folder: string | null }> {
  const config = readConfig(env);
  const folder = env['ASSENT_DATA'] ? resolve(config.dataFolder) : null;
  const databaseUrl = databaseUrlOf(config);
  const masterKey = masterKeyOf(config);
  const pending = await patiently(say, () => pendingMigrations(databaseUrl, MIGRATIONS, say));
  if (pending.length > 0)
    throw new StartRefused(
      `The database lacks ${pending.length} migrations of this release; run "assent migrate" with this release first.`,
    );
  if (folder !== null) await mkdir(folder, { recursive: true, mode: 0o700 });
  const closing = new Closing(say);
  try {
    const { app, infrastructure } = await openProcess(
      config,
      databaseUrl,
      masterKey,
      ['write-api'],
      openLogger('error'),
      closing,
      say,
    );
    const services = { sites: app.get(Sites), keys: app.get(KeyDirectory), commands: app.get(CommandBus) };
    return {
      demo: await patiently(say, () =>
        seedDemo(infrastructure, services, { dataFolder: folder, url: config.publicUrl }),
      ),
      folder,
    };
  } finally {
    await closing.close();
  }
}
