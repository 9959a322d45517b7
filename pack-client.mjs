// Makes the package @assent/client in dist/client, or in the folder that is named, ready for `npm publish`, of the modules in dist/libs/client.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'rolldown';

const ROOT = import.meta.dirname;
const SOURCE = join(ROOT, 'libs', 'client');
const COMPILED = join(ROOT, 'dist', 'libs', 'client');
const OUT = resolve(process.argv[2] ?? join(ROOT, 'dist', 'client'));
const MADE = `${OUT}.${process.pid}`;
/** Browsers of 2020 and later, Node.js 18 and later. */
const TARGET = 'es2020';
const ENTRIES = ['index', 'server/index', 'middleware/index', 'receipts/index'];

const COMMON = {
  cwd: ROOT,
  // tweetnacl asks for modules of Node.js where there are some; its `browser` field says to do without.
  platform: 'browser',
  transform: { target: TARGET },
};

/** Readable modules: who builds a page makes them small. */
const modules = (format) =>
  build({
    ...COMMON,
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(COMPILED, `${name}.js`)])),
    output: {
      dir: join(MADE, format),
      format,
      entryFileNames: '[name].js',
      chunkFileNames: 'parts/[name].js',
      minify: false,
      exports: 'named',
    },
  });

/** For pages without a build: one script, by which `assent` is a global name. What verifies receipts is loaded when needed. */
const script = () =>
  build({
    ...COMMON,
    input: join(COMPILED, 'index.js'),
    external: (id) => id.startsWith('./receipts/'),
    output: {
      file: join(MADE, 'assent.js'),
      format: 'iife',
      name: 'assent',
      minify: true,
      paths: () => './esm/receipts/index.js',
    },
  });

try {
  await Promise.all([modules('esm'), modules('cjs'), script()]);
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', SOURCE, '--outDir', join(MADE, 'esm')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the declarations were not made');
  // The same declarations, read as those of CommonJS by the package.json beside them.
  cpSync(join(MADE, 'esm'), join(MADE, 'cjs'), { recursive: true, filter: (path) => !path.endsWith('.js') });
  writeFileSync(join(MADE, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
  for (const name of ['package.json', 'README.md', 'examples'])
    cpSync(join(SOURCE, name), join(MADE, name), { recursive: true });
  cpSync(join(ROOT, 'LICENSE'), join(MADE, 'LICENSE'));
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(dirname(OUT), { recursive: true });
  renameSync(MADE, OUT);
} finally {
  rmSync(MADE, { recursive: true, force: true });
}
