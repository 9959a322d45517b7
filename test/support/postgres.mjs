// Jest's globalSetup: one bundled Postgres for the whole run. Each world has a database of its own in it.
// Plain JavaScript on the built service: jest loads this file without the options that the specs are loaded with.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keep } from './keeper.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export default async function startPostgres() {
  const built = join(ROOT, 'dist/libs/platform/database/bundled-postgres.js');
  if (!existsSync(built))
    spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.base.json'], {
      cwd: ROOT,
      stdio: 'inherit',
    });
  const { startBundledPostgres } = await import(built);
  const folder = mkdtempSync(join(tmpdir(), 'assent-tests-'));
  const keeper = keep(folder);
  const postgres = await startBundledPostgres(folder, () => undefined);
  process.env.ASSENT_TEST_POSTGRES = postgres.url;
  globalThis.stopTestPostgres = async () => {
    await postgres.stop();
    await keeper.clean();
  };
}
