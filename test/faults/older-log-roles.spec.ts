import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../libs/engines/database/database.js';
import { assent, commanded } from '../support/command-line.js';
import { copiedEventStore, type CopiedLog } from '../support/log-copies.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

const NOTICED_WITHIN_MS = 120_000;

let log: CopiedLog;
let world: World;
let database: Database;
beforeAll(async () => {
  log = await copiedEventStore();
  world = await startWorld({ fourRoles: true, perRole: 1, env: log.env });
  database = new Database(world.databaseUrl!, { max: 1, budgetMs: 30_000 });
}, 240_000);
afterAll(async () => {
  await database?.close();
  await world?.stop();
  await log?.close();
});

const send = (subject: string, decision: string, key: string = randomUUID()): Promise<Answer> =>
  world.request('POST', '/v1/consent', {
    key: 'sk',
    body: { subject, purpose: 'analytics', decision },
    headers: { 'Idempotency-Key': key },
  });
const ask = (subject: string, headers: Record<string, string> = {}): Promise<Answer> =>
  world.request('GET', pathOf(subject), { key: 'sk', headers });
const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + NOTICED_WITHIN_MS; !(await holds()); await pause(50))
    if (Date.now() > deadline) throw new Error(`not in time: ${what}\n${world.output()}`);
};
/** What each role says of itself; null where it does not listen, as while it begins anew. */
const rolesSay = (): Promise<({ role: string; status: number; hint: string } | null)[]> =>
  Promise.all(
    world.roles!.instances().map(({ role, url }) =>
      fetch(`${url}/readyz`).then(
        async (answer) => ({
          role,
          status: answer.status,
          hint: ((await answer.json()) as { hint?: string }).hint ?? '',
        }),
        () => null,
      ),
    ),
  );

it('is noticed by each of four roles, and goes on in all of them once it is accepted', async () => {
  const subject = world.visitor();
  const kept = randomUUID();
  const keptAnswer = await send(subject, 'GRANTED', kept);
  await world.caughtUp();
  await log.copy();
  const lost = randomUUID();
  const lostAnswer = await send(subject, 'WITHDRAWN', lost);
  expect([keptAnswer.status, lostAnswer.status]).toEqual([201, 201]);
  await world.caughtUp();
  // Its tag is in Redis now, at a revision that the copy does not have.
  const before = await ask(subject);
  expect(before.body.purposes.analytics.state).toBe('WITHDRAWN');
  expect((await ask(subject, { 'If-None-Match': before.headers['etag']! })).status).toBe(304);
  const wanted = BigInt(lostAnswer.headers['x-log-position'] as string);
  await until('the newest write is noted', async () => {
    const [row] = await database.run<{ position: bigint | null }>('select position from projection.known_log');
    return (row!.position ?? -1n) >= wanted;
  });

  await log.restore();
  const copied = await log.events();
  await until('every role notices', async () =>
    (await rolesSay()).every((said) => said?.status === 503 && said.hint.includes('accept the event log')),
  );
  expect(await send(world.visitor(), 'GRANTED')).toMatchObject({ status: 503, body: { code: 'log_not_accepted' } });
  expect((await ask(subject)).body.purposes.analytics.state).toBe('WITHDRAWN');
  expect(await log.events()).toBe(copied);

  const { env } = world.roles!;
  const { last } = JSON.parse((await assent(['log', 'status', '--json'], env)).out) as { last: { position: string } };
  await commanded(['log', 'accept', last.position, '--operator', 'ada', '--json'], env);
  await until('every role is ready again', async () => (await rolesSay()).every((said) => said?.status === 200));
  await world.caughtUp();

  // Nothing that a cache remembers of the log that was is answered any more.
  const after = await ask(subject, { 'If-None-Match': before.headers['etag']! });
  expect([after.status, after.body.purposes?.analytics.state]).toEqual([200, 'GRANTED']);
  expect((await ask(subject, { 'If-None-Match': after.headers['etag']! })).status).toBe(304);
  expect(await send(subject, 'GRANTED', kept)).toMatchObject({
    status: 201,
    text: keptAnswer.text,
    headers: { 'idempotent-replayed': 'true' },
  });
  const again = await send(subject, 'WITHDRAWN', lost);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  await world.caughtUp();
  expect((await ask(subject)).body.purposes.analytics.state).toBe('WITHDRAWN');
  expect(JSON.parse(await commanded(['audit', 'verify', '--json'], env))).toMatchObject({ differences: 0 });
  expect(world.output().match(/beginning anew\.\.\./g)).toHaveLength(4);
}, 600_000);
