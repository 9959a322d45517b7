// What `npm start` runs. Plain JavaScript without dependencies: it has to work on a fresh clone.
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Assent needs Node.js 20.19 or newer, this is ${process.versions.node}; install a newer one from https://nodejs.org.`,
  );
  process.exit(1);
}

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
  // Node 22 keeps what it has compiled for the next start. Without a folder of its own it takes one in the system's temporary folder.
  nodeModule.enableCompileCache?.();
  await import('../../dist/apps/standalone/main.js');
} catch (error) {
  fail(error);
}
