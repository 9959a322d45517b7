// The `assent` command once Node.js is new enough. Plain JavaScript: on a fresh clone nothing is built yet.
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const main = new URL('../../dist/apps/cli/main.js', import.meta.url);
const settings = fileURLToPath(new URL('../../.env', import.meta.url));

try {
  if (!existsSync(main)) {
    const { prepare } = await import('../standalone/prepare.mjs');
    await prepare({ build: true });
  }
  // What the environment sets already is kept.
  if (existsSync(settings)) process.loadEnvFile(settings);
  // Node 22 keeps what it has compiled for the next command, in the temporary folder of the system.
  nodeModule.enableCompileCache?.();
  await import(main);
} catch (error) {
  console.error(error && error.name === 'StartRefused' ? error.message : error);
  process.exitCode = 1;
}
