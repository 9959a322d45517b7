import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'rolldown';
import { bundleConsole } from './bundle-console.mjs';
import { bundleElements } from './bundle-elements.mjs';

const ROOT = import.meta.dirname;
const LIBS = join(ROOT, 'dist', 'libs', '/');
const OUT = join(ROOT, 'dist', 'apps');
/** Where the programs are made, as deep as OUT, so that their maps lead to the source from there too. */
const MADE = `${OUT}.${process.pid}`;
const SERVICES = ['dispatcher', 'projector', 'read-api', 'standalone', 'write-api'];
/** What their main.ts import from libs/composition. */
const STARTS = ['process', 'single-role', 'standalone'];

/** Scripts of pages, by the name that they are served under, and the modules that they begin with. */
const PAGE_SCRIPTS = { receipt: 'portal/pages/verify-in-page.js' };

/** Packages that stay in node_modules: few processes load them, or they find their own parts by place or name. */
const LEFT_ALONE = [
  '@eventstore/db-client',
  '@opentelemetry/',
  'ioredis',
  'nodemailer',
  'pg',
  'pg-copy-streams',
  'pino',
  'playwright-core',
  'typeorm',
];

/** What Nest and class-transformer look for, and do without. */
const ABSENT = [
  '@fastify/',
  '@nestjs/microservices',
  '@nestjs/platform-fastify',
  '@nestjs/websockets',
  'class-transformer/storage',
];

const isOf = (list) => (id) =>
  list.some((name) => id === name || id.startsWith(name.endsWith('/') ? name : `${name}/`));
const [isLeftAlone, isAbsent] = [isOf(LEFT_ALONE), isOf(ABSENT)];

const isRole = (id) => id.startsWith('../../libs/composition/');
const compiledModules = {
  name: 'compiled modules',
  resolveId: (id) => (isRole(id) ? join(LIBS, id.slice('../../libs/'.length)) : null),
  // With the compiler's map, so that those of the programs lead to the source.
  load: (id) =>
    id.startsWith(LIBS) && id.endsWith('.js')
      ? { code: withTexts(readFileSync(id, 'utf8'), id), map: readFileSync(`${id}.map`, 'utf8') }
      : null,
};

/** Puts the text of a file in the place of the call that would read it, so that a program needs no such file. */
const withTexts = (code, id) =>
  code.replace(/\btextBeside\(import\.meta\.url, '([^']+)'\)/g, (_, name) =>
    JSON.stringify(readFileSync(join(dirname(id), name), 'utf8')),
  );

const PACKAGE = 'package:';
/** Required by the first module that runs and needs it. An import would load it at the start, wherever it stands. */
const packages = {
  name: 'packages',
  resolveId(id, importer) {
    if (isAbsent(id) || importer?.startsWith(PACKAGE)) return { id, external: true };
    return isLeftAlone(id) ? `${PACKAGE}${id}` : null;
  },
  load(id) {
    if (!id.startsWith(PACKAGE)) return null;
    const code = `module.exports = require('${id.slice(PACKAGE.length)}');`;
    return id === `${PACKAGE}pg` ? namedRuntime(code) : code;
  },
};

/**
 * pg asks in which runtime it is. Where that has no navigator, as Node.js 20, it tries what `fetch` is made with, and
 * that alone loads 5 MB.
 */
const namedRuntime = (code) => `
const isNamed = 'navigator' in globalThis;
if (!isNamed) globalThis.navigator = { userAgent: 'Node.js' };
${code}
if (!isNamed) delete globalThis.navigator;`;

const SERVICE = 'service';
const allStarts = {
  name: 'all starts',
  resolveId: (id) => (id === SERVICE ? id : null),
  load: (id) =>
    id === SERVICE ? STARTS.map((name) => `export * from '../../libs/composition/${name}.js';`).join('\n') : null,
};
const startsAreElsewhere = {
  name: 'starts are elsewhere',
  resolveId: (id) =>
    isRole(id) && STARTS.includes(basename(id, '.js')) ? { id: '../service.js', external: true } : null,
};

// Nothing is left out: the bundler takes a call of decodeURIComponent whose result nobody uses for one without effect.
const COMMON = { cwd: ROOT, platform: 'node', treeshake: false, checks: { ineffectiveDynamicImport: false } };
// Decorators need reflect-metadata to have run before them, also where the two are in different files.
const OUTPUT = { dir: MADE, sourcemap: true, strictExecutionOrder: true, minify: false };
const mains = (names) => Object.fromEntries(names.map((name) => [name, `apps/${name}/main.ts`]));

/** Files that modules read by `textBeside`. The compiler copies none of them; tools run the modules of dist/libs as they are. */
for (const name of filesOf(join(ROOT, 'libs')))
  if (/\.(css|sql|yaml)$/.test(name)) {
    mkdirSync(dirname(join(LIBS, name)), { recursive: true });
    copyFileSync(join(ROOT, 'libs', name), join(LIBS, name));
  }

/*
 * Makes the programs of dist/apps from the modules that the compiler wrote to dist/libs. A process that loads a few
 * files instead of 1,966 needs 0.7 seconds of processor less to start. The compiler goes first, because Nest and the
 * validation need the types of parameters at run time, which only it writes. Names of classes have to stay as they are,
 * since the OpenAPI document, migrations and logs show them: esbuild renames decorated ones, or names every inner
 * function again at each call (0.5 µs). The scripts of pages are made beside them.
 */

/**
 * V8 keeps the text of a program in memory, with two bytes for each character where a single one needs them: 16 MB instead
 * of 8. Lines stay as they are; the map of a column behind an escaped character is some columns off.
 */
function inOneByte(file) {
  const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // A backslash before such a character means nothing, and would escape that of the escape.
  const one = (found, slashes, char) => (slashes.length % 2 === 1 ? slashes.slice(1) : slashes) + escaped(char);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(\\*)([^\0-\xff])/g, one));
}

try {
  // A service is one file, without parts that are loaded later: a process that runs finds its code also when the next
  // release has been built in its place.
  await build({
    ...COMMON,
    plugins: [allStarts, compiledModules, packages],
    input: SERVICE,
    output: {
      ...OUTPUT,
      comments: { legal: true, annotation: false, jsdoc: false },
      entryFileNames: 'service.js',
      codeSplitting: false,
    },
  });
  inOneByte(join(MADE, 'service.js'));
  await build({
    ...COMMON,
    plugins: [startsAreElsewhere],
    input: mains(SERVICES),
    makeAbsoluteExternalsRelative: false,
    output: { dir: MADE, sourcemap: true, entryFileNames: '[name]/main.js' },
  });
  // A command loads what it needs when it begins, so that short ones are quick.
  await build({
    ...COMMON,
    plugins: [compiledModules, packages],
    input: mains(['cli']),
    output: { ...OUTPUT, entryFileNames: '[name]/main.js', chunkFileNames: 'cli/parts/[name]-[hash].js' },
  });
  // Of the client library only what a page calls, and readable, since people look at it.
  for (const [name, path] of Object.entries(PAGE_SCRIPTS))
    await build({
      cwd: ROOT,
      platform: 'browser',
      transform: { target: 'es2020' },
      input: join(LIBS, path),
      output: { file: join(MADE, 'pages', `${name}.js`), format: 'iife', minify: false },
    });
  await bundleElements(join(MADE, 'elements'));
  await bundleConsole(join(MADE, 'console'));
  publish();
} finally {
  rmSync(MADE, { recursive: true, force: true });
}

/**
 * Moves each file over the one before it, so that a process that starts meanwhile reads the old file or the new one, and
 * never half of one. Programs go last: what they load is there already. Names of parts change with their content, so what
 * only earlier builds made is removed then; a command that began before has its parts by that time.
 */
function publish() {
  const made = filesOf(MADE);
  const isProgram = (name) => basename(name) === 'main.js';
  for (const name of made.sort((a, b) => isProgram(a) - isProgram(b))) {
    mkdirSync(dirname(join(OUT, name)), { recursive: true });
    renameSync(join(MADE, name), join(OUT, name));
  }
  for (const name of filesOf(OUT)) if (!made.includes(name)) rmSync(join(OUT, name));
}

/** Paths below a folder. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile());
}
