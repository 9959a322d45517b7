import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { KeyDirectory, Sites } from '../access/index.js';
import { otherMasterKeyOf } from '../operator/context.js';
import { readConfig } from '../engines/config/config.js';
import { startBundledPostgres } from '../engines/database/bundled-postgres.js';
import { openDataFolder, secretFile } from '../engines/database/data-folder.js';
import { migrate } from '../engines/database/migrate.js';
import { patiently } from '../engines/patience.js';
import { openLogger } from '../engines/telemetry/logger.js';
import { announcement, showsSecrets } from './demo/announcement.js';
import { DEMO_FOLDER, seedDemo } from './demo/demo.js';
import { historyBegins } from './demo/history/history-key.js';
import { knowAda, makeHistory, openReceiver } from './demo/history/history.js';
import { RECEIVER_PORTS } from './demo/history/plan.js';
import { demoPortalUrl } from './demo/demo-portal.js';
import { offerDemoKeys } from './demo/demo-offer.js';
import { COMPOSITION } from './contexts.js';
import type { Infrastructure } from './infrastructure/infrastructure.js';
import { live, openProcess, requireFreePort } from './process.js';
import { ROLES } from '../context/role.js';

/** Everything in one process, on the bundled Postgres unless DATABASE_URL names another. What `npm start` runs. */
export async function startStandalone(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const config = readConfig(env);
  const isBundled = config.databaseUrl === null;
  const kind = config.demo ?? (isBundled ? 'on' : 'off');
  const hasReceiver = kind === 'on' && isBundled && env['NODE_ENV'] !== 'production';
  if (hasReceiver) config.webhooks.ports.push(...Object.values(RECEIVER_PORTS));
  const logger = openLogger(config.logLevel);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  await live(say, async (life) => {
    const { closing } = life;
    const folder = await openDataFolder(config.dataFolder);
    closing.add(() => folder.release());
    await requireFreePort(config);
    const masterKey = config.masterKey ?? (await secretFile(join(folder.path, 'master.key'), 32));
    const masterKeys = { key: masterKey, other: otherMasterKeyOf({ ...config, dataFolder: folder.path }) };
    const bundled = config.databaseUrl === null ? await startBundledPostgres(folder.path, say) : null;
    if (bundled) closing.add(() => bundled.stop());
    const databaseUrl = config.databaseUrl ?? bundled!.url;
    await patiently(say, () => migrate(databaseUrl, COMPOSITION.migrations, say));
    const running = await openProcess(config, databaseUrl, masterKeys, ROLES, logger, life);
    const { app, infrastructure } = running;
    // Nothing is read from a log that an operator has to accept first, nor written to it.
    const isUsable = infrastructure.notAccepted === null;
    const services = { sites: app.get(Sites), keys: app.get(KeyDirectory), commands: app.get(CommandBus) };
    const demo =
      kind !== 'off' && isUsable
        ? await patiently(say, () =>
            seedDemo(infrastructure, services, {
              dataFolder: folder.path,
              url: config.publicUrl,
              begins: kind === 'on' ? historyBegins() : null,
            }),
          )
        : null;
    if (demo && kind === 'on') await patiently(say, () => knowAda(app));
    if (demo) offerDemoKeys(app, demo, { ...config, nodeEnv: env['NODE_ENV'] });
    await running.listen();
    const shows = showsSecrets({
      isFirst: running.isFirstStart,
      toTerminal: process.stdout.isTTY === true,
      nodeEnv: env['NODE_ENV'],
    });
    process.stdout.write(
      announcement({
        url: config.publicUrl,
        hasConsole: config.console,
        hasOutbox: config.smtpUrl === null,
        data: config.databaseUrl === null ? `bundled Postgres in ${config.dataFolder}` : 'your Postgres',
        demo,
        // Requests are answered by now: a log that is away for a moment must not end them.
        portalUrl: shows && demo ? await patiently(say, () => demoPortalUrl(services.commands, demo)) : null,
        operatorToken: shows && isUsable ? await patiently(say, () => firstTokenThatWorks(infrastructure)) : null,
        showsSecrets: shows,
        visitor: randomBytes(16).toString('hex'),
      }),
    );
    if (demo && kind === 'on') {
      if (hasReceiver) closing.add(openReceiver());
      const stopping = new AbortController();
      const about = { demo, folder: DEMO_FOLDER, sites: services.sites, logger };
      const history = makeHistory(running, about, stopping.signal);
      closing.add(() => (stopping.abort(), history));
    }
    return running;
  });
}

async function firstTokenThatWorks({ master, operators }: Infrastructure): Promise<string | null> {
  const token = master.operatorToken();
  return (await operators.verify(token)) === null ? null : token;
}
