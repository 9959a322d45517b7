import { CommandBus } from '@nestjs/cqrs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KeyDirectory, Sites } from '../../access/index.js';
import {
  type DemoSettings,
  databaseUrlOf,
  masterKeysOf,
  requireMigrated,
  type Settings,
} from '../../operator/context.js';
import { readConfig } from '../../engines/config/config.js';
import { folderRefusal } from '../../engines/database/data-folder.js';
import { patiently } from '../../engines/patience.js';
import { openLogger } from '../../engines/telemetry/logger.js';
import { seedDemo } from './demo.js';
import { COMPOSITION } from '../contexts.js';
import { Closing, openProcess } from '../process.js';

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
  const masterKeys = masterKeysOf(config);
  await patiently(say, () => requireMigrated(COMPOSITION, databaseUrl, say));
  if (folder !== null)
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw folderRefusal(folder, error);
    });
  const closing = new Closing(say);
  try {
    const { app, infrastructure } = await openProcess(
      config,
      databaseUrl,
      masterKeys,
      ['write-api'],
      openLogger('error'),
      { closing, say, beginAnew: () => undefined },
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
