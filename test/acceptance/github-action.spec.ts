import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { assent } from '../support/command-line.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/*
 * The workflow for pull requests: its shell lines run here as GitHub runs them, in a repository with a changed catalogue,
 * with a token of the role that its head names. The archive of the release is a small one that calls the command of this
 * checkout, and the packages are not installed.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILE = join(ROOT, 'docs/examples/github-action/consent-catalogue.yml');
interface Workflow {
  jobs: { catalogue: { env: Record<string, string>; steps: { name?: string; run?: string }[] } };
}
const { env: declared, steps } = (parse(readFileSync(FILE, 'utf8')) as Workflow).jobs.catalogue;

let world: World;
let repository: string;
let env: Record<string, string>;

beforeAll(async () => {
  world = await startWorld({ own: true });
  repository = mkdtempSync(join(tmpdir(), 'assent-action-'));
  const [archive, bin, temporary] = ['archive', 'bin', 'temporary'].map((name) => join(repository, name));
  const command = join(archive!, 'assent-0/apps/cli');
  for (const folder of [command, bin!, temporary!]) mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(command, 'assent.mjs'),
    `process.argv[1] = 'assent';\nawait import(${JSON.stringify(pathToFileURL(join(ROOT, 'apps/cli/assent.mjs')).href)});`,
  );
  const release = join(repository, 'assent.tar.gz');
  await promisify(execFile)('tar', ['-czf', release, '-C', archive!, 'assent-0']);
  writeFileSync(join(bin!, 'npm'), '#!/bin/sh\n');
  chmodSync(join(bin!, 'npm'), 0o755);
  const issued = await assent(
    ['operator-tokens', 'issue', '--name', 'pull requests', '--role', `EDITOR@${world.demo.site}/test`, '--json'],
    { ASSENT_DATA: world.dataFolder },
  );
  env = {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: repository,
    RUNNER_TEMP: temporary!,
    GITHUB_STEP_SUMMARY: join(repository, 'summary'),
    ...declared,
    SITE: world.demo.site,
    ENVIRONMENT: 'test',
    ASSENT_URL: world.url,
    ASSENT_OPERATOR_TOKEN: (JSON.parse(issued.out) as { token: string }).token,
    ASSENT_RELEASE: pathToFileURL(release).href,
    ASSENT_RELEASE_SHA256: createHash('sha256').update(readFileSync(release)).digest('hex'),
  };
  cpSync(join(ROOT, 'apps/standalone/demo'), join(repository, declared['CATALOGUE']!), { recursive: true });
});
afterAll(async () => {
  await world?.stop();
  rmSync(repository, { recursive: true, force: true });
});

/** A step as GitHub runs it. */
const runs = (name: string): Promise<{ stdout: string }> =>
  promisify(execFile)(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', steps.find((step) => step.name === name)!.run!],
    { cwd: repository, env },
  );
const edit = (from: string, to: string): void => {
  const file = join(repository, declared['CATALOGUE']!, 'purposes/analytics.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
};

test('says what a pull request would publish and whom it would concern, and publishes nothing', async () => {
  await world.recorded({ subject: world.visitor(), purpose: 'analytics' });
  await runs('Get the command');
  await runs('What would be published');
  edit('validityDays: 365', 'validityDays: 300');
  await runs('What would be published');
  await runs('Whom it would concern');
  const summary = readFileSync(env['GITHUB_STEP_SUMMARY']!, 'utf8');
  expect(summary).toMatch(/```diff\nno differences to demo test\n```/);
  expect(summary).toMatch(/^-\s*validityDays: 365$/m);
  expect(summary).toMatch(/^\+\s*validityDays: 300$/m);
  expect(summary).toMatch(/## Whom it would concern\n```text\n[^`]*nothing published\n```/);
  const { body } = await world.request('GET', '/v1/purposes/analytics/versions');
  expect(body.data).toHaveLength(1);
});

test('has a token that compares and cannot publish, as a DEVELOPER has', async () => {
  const send = (key: string, dryRun: boolean): Promise<Answer> =>
    world.request('POST', `/admin/v1/sites/${world.demo.site}/test/catalogue`, { key, body: { purposes: [], dryRun } });
  const issued = await assent(
    ['operator-tokens', 'issue', '--name', 'builds', '--role', `DEVELOPER@${world.demo.site}/test`, '--json'],
    { ASSENT_DATA: world.dataFolder },
  );
  for (const token of [env['ASSENT_OPERATOR_TOKEN']!, (JSON.parse(issued.out) as { token: string }).token]) {
    expect((await send(token, true)).body).toEqual({ published: false, changes: [] });
    expect(await send(token, false)).toMatchObject({
      status: 403,
      body: { code: 'role_missing', hint: expect.stringContaining('PRIVACY, ADMIN') },
    });
  }
});

test('fails where a file is refused, and where the archive is another one', async () => {
  edit('validityDays: 300', 'validityDays: soon');
  await expect(runs('What would be published')).rejects.toMatchObject({ code: 1 });
  rmSync(join(env['RUNNER_TEMP']!, 'assent'), { recursive: true });
  env['ASSENT_RELEASE_SHA256'] = '0'.repeat(64);
  await expect(runs('Get the command')).rejects.toMatchObject({ code: 1 });
});
