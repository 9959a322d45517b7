import { setTimeout as pause } from 'node:timers/promises';
import { readConfig, type Config } from '../engines/config/config.js';
import { pendingMigrations } from '../engines/database/migrate.js';
import { patiently } from '../engines/patience.js';
import { StartRefused } from '../engines/start-refused.js';
import { openLogger } from '../engines/telemetry/logger.js';
import { COMPOSITION } from './contexts.js';
import { live, openProcess } from './process.js';
import type { Role } from '../context/role.js';

/** How long a role waits at its start for an operator to migrate the database. */
const MIGRATED_WITHIN_MS = 60_000;

/** One role of several processes on shared engines. Never migrates: that is `assent migrate`, once per release. */
export async function startRole(role: Role, env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${role}: ${line}\n`);
  await live(say, async (life) => {
    const config = readConfig(env);
    const { databaseUrl, masterKey } = sharedBy(role, config);
    const masterKeys = { key: masterKey, other: config.otherMasterKey };
    await gate(databaseUrl, say);
    const running = await openProcess(config, databaseUrl, masterKeys, [role], openLogger(config.logLevel), life);
    await running.listen();
    say(`listening on ${config.host}:${config.port}`);
    return running;
  });
}

/** What several processes can only have in common when it is given to them. */
function sharedBy(role: Role, { databaseUrl, masterKey }: Config): { databaseUrl: string; masterKey: Buffer } {
  const missing = [
    ...(databaseUrl === null ? ['DATABASE_URL'] : []),
    ...(masterKey === null ? ['ASSENT_MASTER_KEY'] : []),
  ];
  if (databaseUrl === null || masterKey === null)
    throw new StartRefused(
      `A ${role} shares its engines with other processes: set ${missing.join(' and ')}, the same for all of them.`,
    );
  return { databaseUrl, masterKey };
}

async function gate(databaseUrl: string, say: (line: string) => void): Promise<void> {
  for (const deadline = Date.now() + MIGRATED_WITHIN_MS; ; await pause(500)) {
    const pending = await patiently(say, () => pendingMigrations(databaseUrl, COMPOSITION.migrations, say));
    if (pending.length === 0) return;
    if (Date.now() > deadline)
      throw new StartRefused(
        `The database lacks ${pending.length} migrations of this release; run "assent migrate" with this release first.`,
      );
    if (deadline - Date.now() > MIGRATED_WITHIN_MS - 400) say('waiting for "assent migrate"...');
  }
}
