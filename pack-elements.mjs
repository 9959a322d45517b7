// Makes the package @assent/elements in dist/elements, or in the folder that is named, ready for `npm publish`, of the TypeScript in libs/elements.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'rolldown';
import { BUNDLING } from './bundle-elements.mjs';

const ROOT = import.meta.dirname;
const SOURCE = join(ROOT, 'libs', 'elements', 'package');
const SERVER = join(ROOT, 'libs', 'elements', 'server', 'index.ts');
const OUT = resolve(process.argv[2] ?? join(ROOT, 'dist', 'elements'));
const MADE = `${OUT}.${process.pid}`;
const TYPES = `${OUT}.types.${process.pid}`;

try {
  // Readable modules: who builds a page makes them small.
  await build({
    ...BUNDLING,
    transform: { target: 'es2020' },
    input: { index: join(SOURCE, 'index.ts') },
    output: { dir: MADE, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'parts/[name].js', minify: false },
  });
  for (const [format, extension] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ])
    await build({
      ...BUNDLING,
      platform: 'node',
      transform: { target: 'es2020' },
      input: SERVER,
      output: { file: join(MADE, `server.${extension}`), format, minify: false, exports: 'named' },
    });
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', SOURCE, '--outDir', TYPES], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the declarations were not made');
  for (const name of ['index', 'react', 'vue']) keepTypes(join(TYPES, 'elements', 'package', `${name}.d.ts`));
  const server = join(TYPES, 'elements', 'server', 'index.d.ts');
  keepTypes(server);
  // The same declarations, read as those of CommonJS by the package.json beside them.
  keepTypes(server, 'cjs');
  writeFileSync(join(MADE, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
  // Types only.
  for (const name of ['react', 'vue']) writeFileSync(join(MADE, `${name}.js`), 'export {};\n');
  for (const name of ['package.json', 'README.md']) cpSync(join(SOURCE, name), join(MADE, name));
  cpSync(join(ROOT, 'LICENSE'), join(MADE, 'LICENSE'));
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(dirname(OUT), { recursive: true });
  renameSync(MADE, OUT);
} finally {
  for (const folder of [MADE, TYPES]) rmSync(folder, { recursive: true, force: true });
}

/** Copies a declaration with all that it imports into a folder of the package. */
function keepTypes(file, folder = 'types') {
  const kept = join(MADE, folder, relative(TYPES, file));
  if (existsSync(kept)) return;
  cpSync(file, kept);
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g))
    keepTypes(join(dirname(file), `${name}.d.ts`), folder);
}
