// Jest's globalSetup: what all specs of a run share. One bundled Postgres, in which each test has a database of its own
// that is copied from one migrated before, and whoever keeps installations for several specs.
// Plain JavaScript on the built service: jest loads this file without the options that the specs are loaded with.
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { prepare } from '../../apps/standalone/prepare.mjs';
import { keep } from './keeper.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const built = (file) => import(join(ROOT, 'dist/libs', file));

export default async function setUp() {
  if (!existsSync(join(ROOT, 'dist/libs'))) await prepare({ build: true });
  const { startBundledPostgres } = await built('engines/database/bundled-postgres.js');
  const folder = mkdtempSync(join(tmpdir(), 'assent-tests-'));
  const keeper = keep(folder);
  const postgres = await startBundledPostgres(folder, () => undefined);
  await makeTemplates(postgres.url);
  register('./typescript.mjs', import.meta.url);
  const { hostInstallations } = await import('./installation-host.ts');
  const installations = await hostInstallations();
  process.env.ASSENT_TEST_POSTGRES = postgres.url;
  process.env.ASSENT_TEST_INSTALLATIONS = installations.url;
  globalThis.tearDownTests = async () => {
    await installations.stop();
    await postgres.stop();
    await keeper.clean();
  };
}

async function makeTemplates(url) {
  const { COMPOSITION } = await built('composition/contexts.js');
  const { migrate } = await built('engines/database/migrate.js');
  const templates = {
    assent_whole: COMPOSITION.migrations,
    // The tables of the event log, its snapshots and its followers, and none of the contexts.
    assent_log: (await Promise.all(['log', 'streams', 'following'].map(migrationsIn))).flat(),
  };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // No test cuts the power of this server; those that end one have their own.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await fewerRounds(client, new URL(url));
  for (const [name, migrations] of Object.entries(templates)) {
    await client.query(`create database ${name}`);
    const own = new URL(url);
    own.pathname = `/${name}`;
    await migrate(own.href, migrations);
  }
  await client.end();
}

/** With every connection both sides hash the password 4,096 times, unless it was set with fewer; there are thousands. */
async function fewerRounds(client, { username, password }) {
  await client.query('set scram_iterations = 1');
  const [role, secret] = [username, password].map(decodeURIComponent);
  await client.query(`alter role ${client.escapeIdentifier(role)} password ${client.escapeLiteral(secret)}`);
}

async function migrationsIn(room) {
  const files = readdirSync(join(ROOT, 'dist/libs', room), { recursive: true }).filter((file) =>
    file.endsWith('.migration.js'),
  );
  return (await Promise.all(files.map((file) => built(join(room, file))))).flatMap(Object.values);
}
