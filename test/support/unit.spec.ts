import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';

const { ASSENT_TEST_POSTGRES: _, ASSENT_TEST_INSTALLATIONS: __, ...env } = process.env;
const unit = (spec: string): Promise<{ code: number; printed: string }> =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL('unit.mjs', import.meta.url)), spec], { env }).then(
    ({ stderr }) => ({ code: 0, printed: stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, printed: stderr }),
  );

const passing = unit('libs/kernel/nearest.spec.ts');
const inNeed = unit('libs/vault/rewrap.spec.ts');
afterAll(() => Promise.all([passing, inNeed]));

it('a spec of pure functions runs without a build and without a database', async () => {
  expect((await passing).code).toBe(0);
});

it('a spec that needs a database names the command that starts one', async () => {
  const { code, printed } = await inNeed;
  expect([code, printed]).toEqual([1, expect.stringContaining('run it with `npm test -- <file>`')]);
});
