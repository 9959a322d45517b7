import pg from 'pg';
import { assent } from '../support/command-line.js';
import { newEmail, newKey, subjectPath } from '../support/subjects.js';
import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
let database: pg.Client;
beforeAll(async () => {
  world = await startWorld({ own: true });
  database = new pg.Client({ connectionString: world.databaseUrl! });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await world?.stop();
});

type Body = Record<string, unknown>;
/** A request under a key of its own, and what it was answered. */
interface Sent {
  path: string;
  body: Body;
  key: string;
  by: 'sk' | 'pk' | 'operator';
  first: Answer;
}

const sent: Sent[] = [];
const send = ({ path, body, key, by }: Omit<Sent, 'first'>): Promise<Answer> =>
  world.request('POST', path, { key: by, body, headers: { 'Idempotency-Key': key } });
async function request(path: string, body: Body, by: Sent['by'] = 'sk'): Promise<Answer> {
  const key = newKey();
  const first = await send({ path, body, key, by });
  if (first.status >= 300) throw new Error(`${path}: ${first.status} ${first.text}`);
  sent.push({ path, body, key, by, first });
  return first;
}
const command = async (...args: string[]): Promise<{ code: number | null; body: Body }> => {
  const { code, out, err } = await assent(['idempotency', 'rebuild', ...args, '--json'], {
    ASSENT_DATA: world.dataFolder,
    DATABASE_URL: world.databaseUrl!,
  });
  if (out === '') throw new Error(err);
  return { code, body: JSON.parse(out) as Body };
};
const events = async (): Promise<string> =>
  (await database.query<{ count: string }>('select count(*) from log.events')).rows[0]!.count;
const record = (subject: string, purpose = 'analytics', decision = 'GRANTED'): Body => ({ subject, purpose, decision });
const created = async (email: string): Promise<string> =>
  (await request('/v1/subjects', { identifiers: [{ kind: 'email', value: email }] })).body.id as string;

/** Something of everything that is written under a key; some of it about people who were erased since. */
async function history(): Promise<void> {
  const [ada, bob, cyd, gone] = [newEmail(), newEmail(), newEmail(), newEmail()].map((email) => `email:${email}`);
  for (const person of [ada!, bob!, cyd!, gone!]) await created(person.slice('email:'.length));
  await request('/v1/consent', record(ada!));
  await request('/v1/consent/batch', { records: [record(ada!, 'marketing'), record(ada!, 'analytics', 'WITHDRAWN')] });
  await request('/v1/consent/batch', {
    records: [
      record(bob!),
      record(world.visitor()),
      record(cyd!, 'nonsense'),
      { ...record(cyd!), idempotencyKey: newKey() },
    ],
  });
  await request('/v1/consent/batch', { records: [record(bob!, 'marketing'), record(bob!, 'nonsense')] });
  const banner = world.visitor();
  await request('/v1/consent/batch', { records: [record(banner), record(banner, 'marketing', 'DENIED')] }, 'pk');
  await request('/v1/preferences', {
    subject: cyd!,
    channel: 'email',
    values: [{ field: 'product_updates', value: true }],
  });
  const asked = await request('/v1/preferences/confirmation-token', {
    subject: cyd!,
    channel: 'email',
    values: [{ field: 'news', value: true }],
    redirectUrl: 'https://demo.example/thanks',
  });
  const confirmed = await world.request('POST', '/v1/preferences/confirm', {
    key: null,
    body: { token: asked.body.token as string },
  });
  expect(confirmed.status).toBe(200);
  await request(subjectPath(ada!, '/identifiers'), { kind: 'user_id', value: newKey() });
  const visitor = world.visitor();
  await request('/v1/consent', record(visitor, 'analytics', 'DENIED'));
  await request(subjectPath(bob!, '/identifiers'), { kind: 'visitor_id', value: visitor.slice('visitor_id:'.length) });
  const unknown = world.visitor();
  await request('/v1/consent', record(unknown));
  // The visitor turns out to be somebody of whom nobody knew.
  await request(subjectPath(unknown, '/identifiers'), { kind: 'email', value: newEmail() });
  await request(subjectPath(cyd!, '/restrict'), { reason: 'a dispute' });
  await request(subjectPath(cyd!, '/lift-restriction'), {});
  const { body: merged } = await request('/v1/subjects/merge', { sources: [ada!, cyd!], target: bob! });
  await request('/v1/consent', record(ada!, 'marketing', 'DENIED'));
  await request(`/v1/subjects/merge/${merged.mergeId as string}/revert`, {});
  await request('/v1/subjects/merge', { sources: [ada!], target: bob! });

  await request(`/admin/v1/sites/${world.demo.site}/keys`, { type: 'sk', env: 'test', name: 'one more' }, 'operator');

  await request('/v1/consent', record(gone!));
  await request('/v1/consent/batch', { records: [record(gone!, 'marketing')] });
  const absorbed = newEmail();
  await created(absorbed);
  await request('/v1/consent', record(`email:${absorbed}`));
  await request('/v1/subjects/merge', { sources: [`email:${absorbed}`], target: gone! });
  await request(subjectPath(gone!, '/erase'), {});
}

test('every request is answered as before once the index was lost and built anew from the log, and has no second effect', async () => {
  await history();
  const before = await Promise.all(sent.map(send));
  const count = await events();
  expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200, 201, 410]));
  expect(await command('--verify')).toMatchObject({ code: 0, body: { equal: true, missing: 0, other: 0 } });
  expect((await command()).body).toMatchObject({ written: 0, erasedWritten: 0 });

  await database.query('truncate write.idempotency, write.erased_subjects');
  const lost = await command('--verify');
  expect(lost.code).toBe(1);
  expect(lost.body).toMatchObject({ equal: false, other: 0, erasedMissing: 2 });
  const rebuilt = await command();
  expect(rebuilt.code).toBe(0);
  expect(rebuilt.body).toMatchObject({ erasedWritten: 2 });
  // One more than were sent: an item of a batch brought a key of its own.
  expect(rebuilt.body['written']).toBeGreaterThanOrEqual(sent.length + 1);
  expect(await command('--verify')).toMatchObject({ code: 0, body: { equal: true } });
  const rows = await database.query<{ count: number }>('select count(*)::int from write.idempotency');
  expect(rows.rows[0]!.count).toBe(sent.length + 1);

  for (const [i, each] of sent.entries()) {
    const again = await send(each);
    const was = before[i]!;
    expect([each.path, again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
      each.path,
      was.status,
      was.status === 410 ? expect.any(String) : was.text,
      was.status === 410 ? undefined : 'true',
    ]);
    if (was.status === 410) expect(again.body.code).toBe('subject_erased');
    else expect(again.text).toBe(each.first.text);
  }
  for (const each of sent.filter(({ by }) => by !== 'operator')) {
    // The key of a public key counts for its subject.
    const subject = each.by === 'pk' ? (each.body['records'] as Body[])[0]!['subject'] : world.visitor();
    const other = await send({ ...each, path: '/v1/consent', body: record(String(subject), 'marketing', 'GRANTED') });
    expect([each.path, other.status, other.body.code]).toEqual([each.path, 422, 'idempotency_key_reused']);
  }
  expect(await events()).toBe(count);
});

test('people read what was done', async () => {
  const run = (...args: string[]) =>
    assent(['idempotency', 'rebuild', ...args], { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl! });
  expect(await run()).toMatchObject({ code: 0, out: expect.stringMatching(/KEYS REBUILT[\s\S]*keys written +0/) });
  expect(await run('--verify')).toMatchObject({ code: 0, out: expect.stringMatching(/KEYS EQUAL/) });
  await world.request('POST', '/v1/consent', {
    body: record(world.visitor()),
    headers: { 'Idempotency-Key': newKey() },
  });
  await database.query('truncate write.idempotency');
  expect(await run('--verify')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/KEYS DIFFERENT/),
    err: expect.stringMatching(/assent idempotency rebuild/),
  });
});
