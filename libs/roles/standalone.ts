import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandBus } from '@nestjs/cqrs';
import { KeyDirectory } from '../access/key-directory.js';
import { Sites } from '../access/sites.js';
import { readConfig } from '../platform/config/config.js';
import { startBundledPostgres } from '../platform/database/bundled-postgres.js';
import { openDataFolder, secretFile } from '../platform/database/data-folder.js';
import { migrate } from '../platform/database/migrate.js';
import { StartRefused } from '../platform/start-refused.js';
import { openLogger } from '../platform/telemetry/logger.js';
import { createApplication } from './application.js';
import { curlLines, seedDemo, type DemoSettings } from './demo.js';
import { startExpiry } from './expiry.js';
import { Infrastructure } from './infrastructure.js';
import { MIGRATIONS } from './migrations.js';

const PURPOSES = fileURLToPath(new URL('../../../apps/standalone/demo/purposes', import.meta.url));

/** Everything in one process, on the bundled Postgres unless DATABASE_URL names another. What `npm start` runs. */
export async function startStandalone(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const config = readConfig(env);
  const logger = openLogger(config.logLevel);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.reverse()) await step().catch((error: unknown) => say(`while stopping: ${(error as Error).message}`));
  };
  try {
    const folder = await openDataFolder(config.dataFolder);
    closing.push(() => folder.release());
    const masterKey = config.masterKey ?? (await secretFile(join(folder.path, 'master.key'), 32));
    const bundled = config.databaseUrl === null ? await startBundledPostgres(folder.path, say) : null;
    if (bundled) closing.push(() => bundled.stop());
    const databaseUrl = config.databaseUrl ?? bundled!.url;
    await migrate(databaseUrl, MIGRATIONS, say);
    const infrastructure = new Infrastructure({ databaseUrl, masterKey });
    closing.push(() => infrastructure.close());
    await infrastructure.start();
    const app = await createApplication(infrastructure, { roles: ['write-api', 'read-api'], publicUrl: config.publicUrl, trustedProxies: config.trustProxy, logger });
    closing.push(() => app.close());
    const commands = app.get(CommandBus);
    const expiry = startExpiry(infrastructure, commands, logger);
    closing.push(() => expiry.stop());
    const demo = await seedDemo(infrastructure, { sites: app.get(Sites), keys: app.get(KeyDirectory), commands }, { dataFolder: folder.path, purposesFolder: PURPOSES, url: config.publicUrl });
    await app.listen(config.port, config.host).catch((error: NodeJS.ErrnoException) => {
      throw listenRefusal(error, config.host, config.port);
    });
    announce(demo, config.databaseUrl === null ? `bundled Postgres in ${config.dataFolder}` : 'your Postgres');
  } catch (error) {
    await close();
    throw error;
  }
  const stop = (): void => {
    say('stopping...');
    void close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

function listenRefusal(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  if (error.code === 'EADDRINUSE') return new StartRefused(`Port ${port} is taken by another program; stop it, or set PORT to a free one.`, { cause: error });
  if (error.code === 'EACCES') return new StartRefused(`Port ${port} may not be used by this user; set PORT to one above 1023.`, { cause: error });
  if (error.code === 'EADDRNOTAVAIL') return new StartRefused(`This machine has no address ${host}; set HOST to one it has.`, { cause: error });
  return error;
}

function announce(demo: DemoSettings, data: string): void {
  const visitor = randomBytes(16).toString('hex');
  process.stdout.write(
    [
      '',
      `Assent is running at ${demo.url}`,
      '',
      `  try it        ${demo.url}/docs`,
      `  health        ${demo.url}/readyz`,
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
