import { codeIn, mailsTo, until } from './double-opt-in.js';
import type { World } from './world.js';

let askers = 0;

/** Handle and code of a request that somebody new made on a page. */
export async function mailedCode(world: World): Promise<{ handle: string; code: string }> {
  const to = `asker${++askers}-${Date.now()}@codes.example`;
  const { status, body, text } = await world.request('POST', '/v1/data-requests/portal', {
    key: 'pk',
    body: { subject: `email:${to}`, type: 'ACCESS' },
  });
  if (status !== 202) throw new Error(`not asked: ${status} ${text}`);
  const code = await until(async () => codeIn((await mailsTo(world, to))[0]));
  return { handle: (body.verification as { handle: string }).handle, code };
}
