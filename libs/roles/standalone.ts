import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { KeyDirectory } from '../access/key-directory.js';
import { Sites } from '../access/sites.js';
import { readConfig } from '../platform/config/config.js';
import { startBundledPostgres } from '../platform/database/bundled-postgres.js';
import { openDataFolder, secretFile } from '../platform/database/data-folder.js';
import { migrate } from '../platform/database/migrate.js';
import { patiently } from '../platform/patience.js';
import { openLogger } from '../platform/telemetry/logger.js';
import type { DemoSettings } from '../operator/demo-settings.js';
import { curlLines, seedDemo } from './demo.js';
import { COMPOSITION } from './contexts.js';
import { Closing, openProcess, stopOnSignal } from './process.js';
import { ROLES } from '../context/role.js';

/** Everything in one process, on the bundled Postgres unless DATABASE_URL names another. What `npm start` runs. */
export async function startStandalone(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const config = readConfig(env);
  const logger = openLogger(config.logLevel);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const closing = new Closing(say);
  try {
    const folder = await openDataFolder(config.dataFolder);
    closing.add(() => folder.release());
    const masterKey = config.masterKey ?? (await secretFile(join(folder.path, 'master.key'), 32));
    const bundled = config.databaseUrl === null ? await startBundledPostgres(folder.path, say) : null;
    if (bundled) closing.add(() => bundled.stop());
    const databaseUrl = config.databaseUrl ?? bundled!.url;
    await patiently(say, () => migrate(databaseUrl, COMPOSITION.migrations, say));
    const running = await openProcess(config, databaseUrl, masterKey, ROLES, logger, closing, say);
    const { app, infrastructure } = running;
    const services = { sites: app.get(Sites), keys: app.get(KeyDirectory), commands: app.get(CommandBus) };
    const demo = await patiently(say, () =>
      seedDemo(infrastructure, services, { dataFolder: folder.path, url: config.publicUrl }),
    );
    await running.listen();
    announce(
      demo,
      config.smtpUrl === null,
      config.databaseUrl === null ? `bundled Postgres in ${config.dataFolder}` : 'your Postgres',
    );
    // Nobody else could take over the traffic.
    stopOnSignal(running, closing, 0, say);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

function announce(demo: DemoSettings, hasOutbox: boolean, data: string): void {
  const visitor = randomBytes(16).toString('hex');
  process.stdout.write(
    [
      '',
      `Assent is running at ${demo.url}`,
      '',
      `  try it        ${demo.url}/docs`,
      `  health        ${demo.url}/readyz`,
      ...(hasOutbox ? [`  mail          ${demo.url}/outbox`] : []),
      `  data          ${data}`,
      `  public key    ${demo.publicKey}`,
      `  secret key    ${demo.secretKey}`,
      `  operator      ${demo.operatorToken}`,
      '',
      'Five lines to paste:',
      '',
      ...curlLines(demo, visitor),
      '',
      '',
    ].join('\n'),
  );
}
