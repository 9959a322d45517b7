import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { createDatabase } from '../support/databases.js';
import { programAt } from '../support/debian.mjs';
import { freePort } from '../support/free-port.js';
import { keep } from '../support/keeper.mjs';
import { NODE_OPTIONS } from '../support/node-options.mjs';
import { ready } from '../support/ready.js';

/*
 * What `npm run release` makes of the working folder. `npm run release -- --check` tries more of it, and takes packages
 * from the registry for that; client-package and elements-package install the packages.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
interface Declared {
  version: string;
  dependencies: Record<string, string>;
}
const { version, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Declared;
/** Compilers of other languages take a minute of processor, and much longer beside other specs. */
const MADE_WITHIN_MS = 1_200_000;
/** Where the archives are unpacked, and the release below it. */
let folder: string;
let release: string;
let service: string;
let image: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-release-'));
  release = join(folder, 'release');
  await run(process.execPath, [join(ROOT, 'deploy/release/run.mjs'), '--trial', '--to', release]);
  [service, image] = [join(folder, `assent-${version}`), join(folder, `assent-image-${version}`)];
  for (const archive of [service, image])
    await run('tar', ['-xzf', join(release, `${archive.slice(folder.length + 1)}.tar.gz`), '-C', folder]);
}, MADE_WITHIN_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesOf = (place: string): string[] => readdirSync(place, { recursive: true }) as string[];

test('one command makes everything, and a sum of each', () => {
  const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  const names = [
    // Left out of a trial where .NET, or Python, is missing.
    ...(programAt('dotnet') ? [`Assent.Client.${version}.nupkg`] : []),
    `CHANGELOG-${version}.md`,
    `assent-${version}.cdx.json`,
    `assent-${version}.openapi.json`,
    `assent-${version}.postman_collection.json`,
    `assent-${version}.tar.gz`,
    `assent-chart-${version}.tgz`,
    `assent-client-${version}.tgz`,
    `assent-elements-${version}.tgz`,
    `assent-image-${version}.tar.gz`,
    ...(programAt('python3') ? [`assent_client-${version}-py3-none-any.whl`] : []),
  ];
  expect(filesOf(release).sort()).toEqual(['SHA256SUMS', ...names].sort());
  const sumOf = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(release, name)))
      .digest('hex');
  expect(sums).toEqual(names.map((name) => `${sumOf(name)}  ${name}`));
});

test('an archive has the same bytes in whatever order its files are found', async () => {
  const { tarOf } = (await import(join(ROOT, 'deploy/release/tar.mjs'))) as {
    tarOf: (files: [string, Buffer][], atS: number) => Buffer;
  };
  const files: [string, Buffer][] = [
    ['b/long'.padEnd(99, '-') + '/name'.padEnd(60, '+'), Buffer.from('#!/bin/sh\n')],
    ['a', Buffer.alloc(512)],
  ];
  expect(tarOf([...files].reverse(), 7)).toEqual(tarOf(files, 7));
});

test('the list of parts names what is installed and what was bundled, and no tool of the tests', () => {
  const sbom = JSON.parse(readFileSync(join(release, `assent-${version}.cdx.json`), 'utf8')) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { 'bom-ref': string }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const parts = sbom.components.map((part) => part['bom-ref']);
  expect([sbom.bomFormat, sbom.metadata.component.name]).toEqual(['CycloneDX', 'assent']);
  expect(parts).toEqual(
    expect.arrayContaining(Object.entries(dependencies).map(([name, wanted]) => `${name}@${wanted}`)),
  );
  // The console is made of it, though a checkout has it for development.
  expect(parts).toContainEqual(expect.stringMatching(/^preact@/));
  expect(parts.filter((part) => /^(jest|typescript|eslint|fast-check)@/.test(part))).toEqual([]);
  const named = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => ref !== `assent@${version}` && !parts.includes(ref))).toEqual([]);
});

test('the context of the image holds what the Dockerfile copies, and no tests', () => {
  const copied = [...readFileSync(join(image, 'Dockerfile'), 'utf8').matchAll(/^COPY (?!--)(.+)$/gm)].flatMap(
    ([, paths]) => paths!.split(' ').slice(0, -1),
  );
  const files = filesOf(image);
  expect([...copied, 'docker-compose.yml'].filter((path) => !files.includes(path))).toEqual([]);
  expect(files.filter((path) => /\.(spec|contract)\.ts$/.test(path))).toEqual([]);
});

test('the archive of the service holds what it is set up with, and the chart is one of its own', async () => {
  const files = filesOf(service);
  for (const name of ['.env.example', 'deploy/kubernetes/kustomization.yaml']) expect(files).toContain(name);
  for (const name of ['assent@.service', 'assent-migrate.service', 'assent.env', 'nginx.conf', 'alerts.yml'])
    expect(files).toContain(`docs/operating/${name}`);
  await run('tar', ['-xzf', join(release, `assent-chart-${version}.tgz`), '-C', folder]);
  const chart = join(folder, 'assent');
  expect(filesOf(chart).sort()).toEqual(filesOf(join(ROOT, 'deploy/helm/assent')).sort());
  expect(filesOf(join(service, 'deploy/helm/assent')).sort()).toEqual(filesOf(chart).sort());
});

test('the interface is described for machines, without an address of this one', () => {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(release, `assent-${version}.${name}.json`), 'utf8'));
  expect(read('openapi')).toMatchObject({ openapi: '3.1.0', info: { version } });
  const { info, variable } = read('postman_collection') as { info: object; variable: object[] };
  expect(info).toMatchObject({ name: 'Assent', version });
  expect(variable[0]).toMatchObject({ key: 'baseUrl', value: 'https://consent.example.com' });
});

test('the workflow for releases publishes files that are there, states where each comes from, and pins the base image', async () => {
  const file = readFileSync(join(ROOT, 'docs/examples/github-action/release.yml'), 'utf8');
  const { permissions, jobs } = parse(file) as {
    permissions: object;
    jobs: { release: { permissions: object; steps: { name?: string; run?: string; uses?: string; with?: object }[] } };
  };
  const { steps } = jobs.release;
  expect([permissions, jobs.release.permissions]).toMatchObject([{}, { 'id-token': 'write', attestations: 'write' }]);
  const checkout = join(folder, 'checkout');
  const bin = join(folder, 'bin');
  for (const place of [bin, join(checkout, 'dist'), join(folder, 'temporary')]) mkdirSync(place, { recursive: true });
  cpSync(join(ROOT, 'Dockerfile'), join(checkout, 'Dockerfile'));
  symlinkSync(release, join(checkout, 'dist/release'));
  const digest = `sha256:${'0'.repeat(64)}`;
  for (const [name, does] of [
    ...['npm', 'gh'].map((each) => [each, `echo ${each} "$@" >> "$CALLS"`] as const),
    ['docker', `echo docker "$@" >> "$CALLS"; echo ${digest}`] as const,
  ])
    writeFileSync(join(bin, name), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  const env: Record<string, string> = {
    PATH: `${bin}:${process.env['PATH']}`,
    CALLS: join(folder, 'calls'),
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_ENV: join(folder, 'env'),
    GITHUB_OUTPUT: join(folder, 'output'),
    RUNNER_TEMP: join(folder, 'temporary'),
  };
  const attested: object[] = [];
  for (const step of steps) {
    if (step.uses?.startsWith('actions/attest-')) attested.push(step.with!);
    if (!step.run) continue;
    await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { cwd: checkout, env });
    if (existsSync(env['GITHUB_ENV']!))
      for (const line of readFileSync(env['GITHUB_ENV']!, 'utf8').trim().split('\n'))
        env[line.split('=')[0]!] = line.slice(line.indexOf('=') + 1);
  }
  expect(attested).toEqual([
    { 'subject-checksums': 'dist/release/SHA256SUMS' },
    expect.objectContaining({ 'subject-digest': expect.stringContaining('steps.image.outputs.digest') }),
  ]);
  expect(readFileSync(env['GITHUB_OUTPUT']!, 'utf8')).toMatch(/^image=node:[\d.]+-bookworm-slim@sha256:0{64}\n$/);
  expect(filesOf(env['CONTEXT']!)).toContain('Dockerfile');
  const calls = readFileSync(env['CALLS']!, 'utf8').trim().split('\n');
  expect(calls.map((call) => call.split(' ').slice(0, 2).join(' '))).toEqual([
    ...['npm ci', 'npm run', 'docker buildx', 'npm publish', 'npm publish', 'gh release'],
  ]);
  const named = calls.flatMap((call) => call.match(/dist\/release\/\S+/g) ?? []);
  expect(new Set(named)).toEqual(new Set(readdirSync(release).map((name) => `dist/release/${name}`)));
});

test('the service starts from its archive, with nothing of a checkout but the packages', async () => {
  symlinkSync(join(ROOT, 'node_modules'), join(service, 'node_modules'));
  const keeper = keep(folder);
  const database = await createDatabase('assent_whole');
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [...NODE_OPTIONS, 'dist/apps/standalone/main.js'], {
    cwd: service,
    env: {
      PATH: process.env['PATH'],
      PORT: new URL(url).port,
      ASSENT_DATA: join(folder, 'data'),
      DATABASE_URL: database.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  keeper.watch(child.pid ?? null);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    await ready(child, url, () => said);
    for (const path of ['/docs/guides/releasing', '/elements/v1/assent.js', '/console'])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
    const { stdout } = await run(process.execPath, ['apps/cli/assent.mjs', '--version'], { cwd: service });
    expect(stdout).toContain(version);
  } finally {
    child.kill();
    await ended;
    await keeper.clean();
    await database.drop();
  }
});
