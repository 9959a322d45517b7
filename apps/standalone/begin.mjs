// What `npm start` runs once Node.js is new enough. Plain JavaScript without dependencies: it has to work on a fresh clone.
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/** A refusal to start is one sentence for the operator; everything else is a bug and keeps its stack. */
function fail(error) {
  console.error(error && error.name === 'StartRefused' ? error.message : error);
  process.exit(1);
}
process.on('uncaughtException', fail);

try {
  const { prepare } = await import('./prepare.mjs');
  await prepare({ build: true });
  const settings = fileURLToPath(new URL('../../.env', import.meta.url));
  // What the environment sets already is kept.
  if (existsSync(settings)) process.loadEnvFile(settings);
  // Node 22 keeps what it has compiled for the next start, in the temporary folder of the system.
  nodeModule.enableCompileCache?.();
  await import('../../dist/apps/standalone/main.js');
} catch (error) {
  fail(error);
}
