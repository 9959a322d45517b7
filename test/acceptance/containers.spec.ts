import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startWorld, type World } from '../support/world.js';

/*
 * The commands in the head of each compose file lead from a running service to an operator token and a first key. They
 * run here as they stand there, in processes instead of containers: with the settings that a container has, and only
 * those variables of the shell that a command hands on (-e).
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILES = ['docker-compose.yml', 'docs/operating/compose.one-container.yml'];
const SHELL = `
set -eu
docker() {
  handed_on=no
  while [ "$1" != exec ]; do shift; done
  shift
  while :; do case "$1" in -T) shift ;; -e) [ "$2" = ASSENT_OPERATOR_TOKEN ]; handed_on=yes; shift 2 ;; *) break ;; esac; done
  shift
  if [ "$handed_on" = yes ]; then "$@"; else (unset ASSENT_OPERATOR_TOKEN; "$@"); fi
}
assent() { "$NODE" apps/cli/assent.mjs "$@"; }
`;

let world: World;
let folder: string;
beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'assent-containers-'));
});
afterAll(async () => {
  await world?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

it.each(FILES)('the commands in the head of %s end with an operator token and a first key', async (file) => {
  const head = readFileSync(join(ROOT, file), 'utf8').split('\nname: ')[0]!;
  const commands = head.split('\n').flatMap((line) => /^#   (.*docker compose .*exec .*)$/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(2);
  const script = `${SHELL}\n${commands.join('\n')}\necho "token $ASSENT_OPERATOR_TOKEN"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script.replaceAll(' shop ', ` ${siteOf(file)} `)], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      NODE: process.execPath,
      NODE_ENV: 'production',
      DATABASE_URL: world.databaseUrl!,
      ASSENT_MASTER_KEY_FILE: join(world.dataFolder, 'master.key'),
      ASSENT_DATA: folder,
      // In a container the process answers at the address that the command takes by itself.
      ASSENT_URL: world.url,
    },
  });
  const key = /\bsk_test_\w{50}\b/.exec(stdout)?.[0];
  expect({ stdout, key }).toEqual({ stdout, key: expect.any(String) });
  const { body } = await world.request('GET', '/v1/purposes', { key: key! });
  expect((body['data'] as unknown[]).length).toBeGreaterThan(2);
  const token = /^token (op_\S+)$/m.exec(stdout)![1]!;
  expect((await world.request('GET', '/admin/v1/sites', { key: token })).status).toBe(200);
});

/** Each file's own, since all are tried on one installation. */
const siteOf = (file: string): string => (file === FILES[0] ? 'shop' : 'shop-one');
