// `npm run release`: makes everything that a release consists of in dist/release, of the commit that is tagged and checked
// out. `-- --trial` makes it of the working folder and of what is built there; `-- --check` then tries what was made, which
// installs packages; `-- --to <folder>` writes elsewhere.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeSdks } from '../../libs/sdk/make.mjs';
import { sbomOf } from './sbom.mjs';
import { tarOf } from './tar.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
/** What the archive of the service holds besides what the image does. */
const BESIDES = [
  ...['package-lock.json', 'README.md', 'CHANGELOG.md', 'SECURITY.md', '.env.example'],
  ...['deploy/kubernetes', 'deploy/helm'],
];
const CHART = 'deploy/helm/assent';
/** In what is made of the interface, until a user puts the own address there. */
const ANY_SERVICE = 'https://consent.example.com';
const START = '. ./apps/v8.env && exec node $V8_OPTIONS dist/apps/standalone/main.js';
const PACKAGES = { client: 'libs/client/package.json', elements: 'libs/elements/package/package.json' };

const { values } = parseArgs({
  options: { trial: { type: 'boolean' }, check: { type: 'boolean' }, to: { type: 'string' } },
});
const OUT = resolve(values.to ?? join(ROOT, 'dist', 'release'));
const MADE = `${OUT}.${process.pid}`;

class Refused extends Error {}
const read = (path) => readFileSync(join(ROOT, path));
const run = (command, args) =>
  execFileSync(command, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const git = (...args) => run('git', args).trim();
const node = (...args) => process.stderr.write(run(process.execPath, args));
const lines = (text) => text.split('\n').filter((line) => line !== '');

/** The version, the same in every package.json. */
function versionOf() {
  const { version } = JSON.parse(read('package.json'));
  for (const path of Object.values(PACKAGES)) {
    const other = JSON.parse(read(path)).version;
    if (other !== version)
      throw new Refused(`${path} says ${other}, package.json says ${version}: set the same version.`);
  }
  return version;
}

/** The commit, and its time in seconds. Refuses what is not the tagged commit, unless it is a trial. */
function sourceOf(version) {
  const changed = git('status', '--porcelain') !== '';
  const isTagged = lines(git('tag', '--points-at', 'HEAD')).includes(`v${version}`);
  if (!values.trial && changed)
    throw new Refused('the working folder has changes: commit them, or make a trial with `-- --trial`.');
  if (!values.trial && !isTagged)
    throw new Refused(`this commit is not tagged v${version}: check the tag out, or make a trial with \`-- --trial\`.`);
  const [commit, at] = git('show', '--no-patch', '--format=%H %ct', 'HEAD').split(' ');
  return { commit: changed ? `${commit} and changes` : commit, atS: Number(at) };
}

/** What changed in this version, as the changelog says; in a trial, what has changed since the last one. */
function changesOf(version) {
  const sections = String(read('CHANGELOG.md')).split(/^(?=## \[)/m);
  const found = (name) => sections.find((section) => section.startsWith(`## [${name}]`));
  const section = found(version) ?? (values.trial ? found('Unreleased') : undefined);
  if (!section)
    throw new Refused(`CHANGELOG.md has no section "## [${version}]": put version and day above its entries.`);
  return `${section.trim()}\n`;
}

/** The files below each of the paths. */
const filesBelow = (paths) =>
  paths.flatMap((path) =>
    statSync(join(ROOT, path)).isFile()
      ? [path]
      : readdirSync(join(ROOT, path), { recursive: true })
          .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
          .filter((name) => statSync(join(ROOT, name)).isFile()),
  );

/** What the last stage of the Dockerfile copies, packages apart. */
function runningFiles() {
  const stages = String(read('Dockerfile'))
    .replaceAll('\\\n', ' ')
    .split(/^FROM /m);
  return [...stages.at(-1).matchAll(/^COPY ((?:--\S+ )*)(.+)$/gm)]
    .filter(([, options]) => !options.includes('--from=packages'))
    .flatMap(([, , paths]) => paths.trim().split(/\s+/).slice(0, -1))
    .map((path) => path.replace(/^\/app\//, ''));
}

/** What .dockerignore lets through of the files that git knows, with those that say how to build and run it. */
function contextFiles() {
  const patterns = lines(String(read('.dockerignore'))).filter((line) => !line.startsWith('#'));
  const wanted = patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const unwanted = patterns.filter((line) => !line.startsWith('!') && line !== '*');
  const listed = git('ls-files', '-z', '--', ...wanted, ...unwanted.map((line) => `:(exclude,glob)${line}`)).split(
    '\0',
  );
  return [
    'Dockerfile',
    '.dockerignore',
    'docker-compose.yml',
    ...listed.filter((path) => path !== '' && existsSync(join(ROOT, path))),
  ];
}

/** The package.json of the archive: without the commands of a checkout. */
function servicePackage() {
  const declared = JSON.parse(read('package.json'));
  const { scripts: _, jest: __, ...rest } = declared;
  return Buffer.from(`${JSON.stringify({ ...rest, scripts: { start: START } }, null, 2)}\n`);
}

function archive(name, paths, atS, changed = {}) {
  const files = filesBelow(paths).map((path) => [`${name}/${path}`, changed[path] ?? read(path)]);
  writeFileSync(join(MADE, `${name}.tar.gz`), tarOf(files, atS));
}

/** The chart alone, as `helm package` makes it. */
function packChart(version, atS) {
  const files = filesBelow([CHART]).map((path) => [path.replace('deploy/helm/', ''), read(path)]);
  writeFileSync(join(MADE, `assent-chart-${version}.tgz`), tarOf(files, atS));
}

/** The OpenAPI document, and the collection for Postman that is made of it. */
async function describeInterface(version) {
  await import('reflect-metadata');
  const built = (path) => import(join(ROOT, 'dist/libs', path));
  const [{ openApiDocument }, { postmanOf }] = [
    await built('composition/openapi.js'),
    await built('http/openapi/postman.js'),
  ];
  const document = openApiDocument(ANY_SERVICE);
  const write = (name, value) => writeFileSync(join(MADE, name), `${JSON.stringify(value, null, 1)}\n`);
  write(`assent-${version}.openapi.json`, document);
  write(`assent-${version}.postman_collection.json`, postmanOf(document, ANY_SERVICE));
}

function packPackage(name) {
  const folder = join(MADE, `.${name}`);
  node(`pack-${name}.mjs`, folder);
  run('npm', ['pack', folder, '--pack-destination', MADE, '--silent']);
  rmSync(folder, { recursive: true });
}

async function release() {
  const version = versionOf();
  const source = sourceOf(version);
  const changes = changesOf(version);
  if (!values.trial || !existsSync(join(ROOT, 'dist', 'apps', 'service.js')))
    process.stderr.write(run('npm', ['run', '--silent', 'build']));
  mkdirSync(MADE, { recursive: true });
  for (const name of Object.keys(PACKAGES)) packPackage(name);
  const missing = await makeSdks({ to: MADE, version, atS: source.atS });
  if (missing.length > 0 && !values.trial) throw new Refused(`${missing.join('; ')}. A release has every SDK.`);
  for (const one of missing) process.stderr.write(`left out of this trial: ${one}\n`);
  archive(`assent-${version}`, [...new Set([...runningFiles(), ...BESIDES])], source.atS, {
    'package.json': servicePackage(),
  });
  packChart(version, source.atS);
  await describeInterface(version);
  archive(`assent-image-${version}`, contextFiles(), source.atS);
  const listed = run('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']);
  writeFileSync(join(MADE, `assent-${version}.cdx.json`), sbomOf(ROOT, listed, source));
  writeFileSync(join(MADE, `CHANGELOG-${version}.md`), changes);
  const sums = readdirSync(MADE)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(MADE, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(MADE, 'SHA256SUMS'), sums.join(''));
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(dirname(OUT), { recursive: true });
  renameSync(MADE, OUT);
  console.log(`${source.commit}\n${sums.join('')}${OUT}`);
  if (values.check) await (await import('./check.mjs')).check(OUT, version);
}

try {
  await release();
} catch (error) {
  console.error(error instanceof Refused ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(MADE, { recursive: true, force: true });
}
