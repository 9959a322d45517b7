// Tries the packed client library where it says that it runs: Node.js 18, 20, 22 and 24, Deno, Bun and a worker, each with a
// started Assent; and as older compilers see it. `npm run release -- --check` asks publint and "are the types wrong". `npm run client:runtimes`; arguments name
// what to try, of `node20`, `node18`, …, `worker`. What they need is installed into a folder of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const folder = process.env.CLIENT_RUNTIMES ?? mkdtempSync(join(tmpdir(), 'assent-runtimes-'));
const wanted = process.argv.slice(2);

const binary = (name, file) => join(folder, 'node_modules', name, file);
const NODES = {
  node20: process.execPath,
  node18: binary('node18', 'bin/node'),
  node22: binary('node22', 'bin/node'),
  node24: binary('node24', 'bin/node'),
};
const program = (command, args) => async () => {
  const { stdout } = await run(command, [...args, join(folder, 'program.mjs')], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
  });
  return stdout.trim();
};

const TRIES = {
  ...Object.fromEntries(Object.entries(NODES).map(([name, node]) => [name, program(node, [])])),
  deno: program(binary('deno', 'bin.cjs'), ['run', '--no-lock', '--allow-net', '--allow-env']),
  bun: program(binary('@oven/bun-linux-x64', 'bin/bun'), ['run']),
  worker: inWorker,
  'TypeScript 5.4': () => compiled('typescript54'),
  'TypeScript 5.9': () => compiled('typescript59'),
};

/** The suite as one module, in the runtime of Cloudflare Workers. */
async function inWorker() {
  const { build } = await import('rolldown');
  const { output } = await build({
    input: join(folder, 'worker.mjs'),
    cwd: folder,
    platform: 'browser',
    write: false,
    output: { format: 'esm', codeSplitting: false },
  });
  writeFileSync(join(folder, 'worker.bundled.mjs'), output[0].code);
  const { Miniflare } = createRequire(import.meta.url)(binary('miniflare', 'dist/src/index.js'));
  const worker = new Miniflare({ modules: true, script: output[0].code, compatibilityDate: '2026-05-01' });
  try {
    const answer = await worker.dispatchFetch('http://worker.test/');
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  } finally {
    await worker.dispose();
  }
}

/** Compiles a user of every entry, libraries checked too. */
async function compiled(typescript) {
  const tsc = binary(typescript, 'bin/tsc');
  for (const [module, moduleResolution, file] of [
    ['node16', 'node16', 'user.mts'],
    ['node16', 'node16', 'user.cts'],
    ['esnext', 'bundler', 'user.ts'],
  ]) {
    writeFileSync(join(folder, file), USER);
    const options = {
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      target: 'es2020',
      lib: ['es2022', 'dom'],
      types: [],
      module,
      moduleResolution,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: [file] }));
    await run(process.execPath, [tsc, '-p', folder]).catch(({ stdout }) => {
      throw new Error(`${file}: ${stdout}`);
    });
  }
  return 'as a module, as CommonJS, for a bundler';
}

const USER = `import { AssentClient, type ConsentState } from '@assent/client';
import { constructWebhookEvent, type WebhookEvent } from '@assent/client/server';
import { verifyReceipt, type ReceiptVerdict } from '@assent/client/receipts';
const client = new AssentClient<{ purpose: 'analytics' }>({ baseUrl: '', apiKey: 'pk_test_' });
export const state: Promise<ConsentState<{ purpose: 'analytics' }>> = client.getConsentState('user_id:1', { purpose: 'analytics' });
export const event: WebhookEvent = constructWebhookEvent({ header: '', rawBody: '', secret: '' });
export const verdict: Promise<ReceiptVerdict> = verifyReceipt('', { keys: 'https://consent.example' });
// @ts-expect-error none of the catalogue
void client.getPurpose('other');
`;

/** A service with an empty data folder; answers what its demo site is reached by. */
async function startAssent(data) {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  const env = { ...process.env, ASSENT_DATA: data, PORT: String(port), HOST: '127.0.0.1' };
  for (const name of ['DATABASE_URL', 'ESDB_URL', 'REDIS_URL', 'ASSENT_PUBLIC_URL']) delete env[name];
  const service = spawn(process.execPath, [join(ROOT, 'dist/apps/standalone/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of service.stdout) if (String(chunk).includes('Assent is running at')) break;
  service.stdout.resume?.();
  return {
    installation: JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8')),
    stop: async () => (service.kill(), once(service, 'exit')),
  };
}

const data = mkdtempSync(join(tmpdir(), 'assent-runtimes-data-'));
let failed = 0;
let tried = 0;
let service;
try {
  await run(process.execPath, [join(ROOT, 'pack-client.mjs')]);
  for (const name of ['package.json', 'suite.mjs']) cpSync(join(import.meta.dirname, name), join(folder, name));
  const { stdout } = await run('npm', ['pack', join(ROOT, 'dist/client'), '--pack-destination', folder, '--json'], {
    cwd: folder,
  });
  cpSync(join(folder, JSON.parse(stdout)[0].filename), join(folder, 'client.tgz'));
  console.error('installing runtimes...');
  await run('npm', ['install', './client.tgz', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
  });
  service = await startAssent(data);
  const facts = JSON.stringify(service.installation);
  writeFileSync(
    join(folder, 'program.mjs'),
    `import { suite } from './suite.mjs';\nconsole.log((await suite(${facts})).length + ' hold');\n`,
  );
  writeFileSync(
    join(folder, 'worker.mjs'),
    `import { suite } from './suite.mjs';
export default { fetch: () => suite(${facts}).then((tried) => new Response(tried.length + ' hold'), (error) => new Response(String(error.stack), { status: 500 })) };\n`,
  );
  for (const [name, attempt] of Object.entries(TRIES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    tried++;
    const said = await attempt().catch((error) => (failed++, `FAILED ${error.stderr || error.message}`));
    console.log(`${name}: ${said}`);
  }
} finally {
  await service?.stop();
  rmSync(data, { recursive: true, force: true });
  if (!process.env.CLIENT_RUNTIMES) rmSync(folder, { recursive: true, force: true });
}
console.log(`${tried - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
