import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareLock } from './prepare-lock.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const DIST = join(ROOT, 'dist');
const INSTALLED = join(ROOT, 'node_modules', '.assent-installed');
const BUILT = join(DIST, '.assent-built');
/** The same as `npm run build`. */
const BUILD_STEPS = [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.base.json'], ['bundle.mjs']];
const BUILD_FAILED = 'The build failed; the errors stand above.';

/**
 * Makes a checkout runnable: installs the packages of package-lock.json and, with `build`, compiles to dist/libs and
 * bundles to dist/apps, each only where it has to be done. Stamps are written last, so what was interrupted is done
 * again. Two that prepare at once do so one after the other. Rejects with an error named StartRefused.
 * @param {{ build: boolean }} options
 */
export async function prepare({ build }) {
  if (isInstalled(build) && (!build || isBuilt())) return;
  mkdirSync(DIST, { recursive: true });
  const lock = await prepareLock(join(DIST, '.preparing'), () =>
    console.error('another start is preparing this folder; waiting for it...'),
  );
  try {
    if (!isInstalled(build)) await install(lock);
    if (build && !isBuilt()) await buildAll(lock);
  } finally {
    lock.release();
  }
}

const lockFile = () => readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
const digest = (text) => createHash('sha256').update(text).digest('hex');
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Written whole or not at all. */
function stamp(path, content) {
  writeFileSync(`${path}.${process.pid}`, content);
  renameSync(`${path}.${process.pid}`, path);
}

/** Dependencies are for one platform: a folder shared with a container of another one is installed again there. */
const installStamp = () => digest(`${lockFile()} ${process.platform} ${process.arch}`);

function isInstalled(build) {
  // An image without development packages runs what was built into it.
  if (build && !isBuilt() && !canBuild()) return false;
  if (read(INSTALLED) === installStamp()) return true;
  return wasInstalledByHand();
}

/** The bundler's program is one of several optional packages: which one depends on the machine. */
function canBuild() {
  const folder = join(ROOT, 'node_modules');
  const programs = join(folder, '@rolldown');
  return (
    existsSync(join(folder, 'typescript')) &&
    existsSync(programs) &&
    readdirSync(programs).some((name) => name.startsWith('binding-'))
  );
}

/** `npm ci` and `npm install` leave a list of what they put there, as their last step. */
function wasInstalledByHand() {
  const listed = read(join(ROOT, 'node_modules', '.package-lock.json'));
  if (listed === '') return false;
  const found = JSON.parse(listed).packages;
  const wanted = Object.entries(JSON.parse(lockFile()).packages).filter(
    ([path, entry]) => path !== '' && !entry.dev && !entry.optional && !entry.devOptional && !entry.peer,
  );
  return wanted.every(([path, entry]) => found[path]?.version === entry.version && existsSync(join(ROOT, path)));
}

async function install(lock) {
  console.error('installing packages (npm ci, about half a minute)...');
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  // Development packages hold the compiler, also where NODE_ENV says production.
  await run(
    lock,
    [...npm, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'],
    'npm ci failed; the reason stands above. Fix it and start again.',
  );
  stamp(INSTALLED, installStamp());
}

/** Names, sizes and times of all sources: 10 ms, and it sees a file that was removed or checked out with an older date. */
function sourceStamp() {
  const lines = [];
  const walk = (folder) => {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (/\.(tsx?|css|json|sql)$/.test(path) && !/\.(spec|contract)\.ts$/.test(path)) lines.push(line(path));
    }
  };
  const line = (path) => {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    return `${path} ${size} ${mtimeMs}`;
  };
  for (const folder of ['apps', 'libs']) walk(folder);
  const settings = [
    'tsconfig.base.json',
    'bundle.mjs',
    'bundle-console.mjs',
    'bundle-elements.mjs',
    'package-lock.json',
  ];
  return digest([...lines.sort(), ...settings.map(line)].join('\n'));
}

const isBuilt = () =>
  read(BUILT) !== '' && existsSync(join(DIST, 'apps', 'standalone', 'main.js')) && read(BUILT) === sourceStamp();

async function buildAll(lock) {
  console.error('building...');
  // Taken before the compiler reads: what is edited meanwhile is compiled next time.
  const before = sourceStamp();
  // Without the output the compiler's memory of it is wrong: it would write nothing.
  if (read(BUILT) === '') rmSync(join(DIST, '.tsbuildinfo'), { force: true });
  rmSync(BUILT, { force: true });
  for (const step of BUILD_STEPS) await run(lock, [process.execPath, ...step], BUILD_FAILED);
  stamp(BUILT, before);
}

function run(lock, [command, ...args], failure) {
  return new Promise((resolve, reject) => {
    const refuse = (cause) => reject(Object.assign(new Error(failure, { cause }), { name: 'StartRefused' }));
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
    if (child.pid) lock.alsoHeldBy(child.pid);
    child.on('error', refuse).on('exit', (code, signal) => (code === 0 ? resolve() : refuse(signal ?? code)));
  });
}
