import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verdictOn } from '../support/audit-bundle.js';
import { assent } from '../support/command-line.js';
import { until } from '../support/timing.js';
import { startWorld, type World } from '../support/world.js';

/* Audit bundles that operators ask for over HTTP. What is in one, audit-bundle.spec.ts says. */

interface Bundle {
  id: string;
  state: string;
  progress: number;
  records: number | null;
  bytes: number | null;
  sha256: string | null;
  problem: { code: string } | null;
}

let world: World;
let folder: string;
let subject: string;
let subjectId: string;
let through: string;
beforeAll(async () => {
  world = await startWorld();
  folder = mkdtempSync(join(tmpdir(), 'assent-bundle-jobs-'));
  subject = `user_id:${randomUUID()}`;
  await world.recorded({ subject }, { key: 'sk' });
  const { body, headers } = await world.recorded({ subject, decision: 'WITHDRAWN' }, { key: 'sk' });
  subjectId = body.subject.id;
  through = headers['x-log-position'] as string;
  await world.caughtUp();
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const path = (rest = ''): string => `/admin/v1/sites/${world.demo.site}/test/audit-bundles${rest}`;
const ask = (body: object) => world.request('POST', path(), { key: 'operator', body });
const look = async (id: string): Promise<Bundle> =>
  (await world.request('GET', path(`/${id}`), { key: 'operator' })).body as Bundle;
const finished = (id: string): Promise<Bundle> =>
  until(async () => {
    const bundle = await look(id);
    return ['READY', 'FAILED'].includes(bundle.state) ? bundle : undefined;
  });
const fetched = (id: string): Promise<Response> =>
  fetch(`${world.url}${path(`/${id}/download`)}`, { headers: { Authorization: `Bearer ${world.demo.operatorToken}` } });

test('one is made in the background, and is byte for byte what the command line makes', async () => {
  const asked = await ask({ subject, through });
  expect([asked.status, asked.body]).toMatchObject([202, { object: 'audit_bundle', subjectId, through }]);
  const bundle = await finished(asked.body.id);
  expect(bundle).toMatchObject({ state: 'READY', progress: 1, problem: null });
  const answer = await fetched(bundle.id);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([bundle.bytes, bundle.sha256]);
  const file = join(folder, 'by-command.zip');
  const { code } = await assent(
    ['audit', 'bundle', '--subject', `subject:${subjectId}`, '--through', through].concat([
      ...['--site', world.demo.site, '--out', file],
    ]),
    { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl! },
  );
  expect(code).toBe(0);
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(await verdictOn(file)).toMatchObject({ verdict: 'GENUINE' });
  // The person could be shown who had it made.
  const reads = await until(async () => {
    const { body } = await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/reads`, { key: 'sk' });
    const { data } = body as { data: { reader: string; operation: string }[] };
    return data.some(({ operation }) => operation === 'downloadAuditBundle') ? data : undefined;
  });
  expect(reads.filter(({ reader }) => reader.startsWith('operator:')).map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['audit bundle', 'downloadAuditBundle']),
  );
});

test('the same question asked again while the first waits is that one, and not more than five wait', async () => {
  let days = 0;
  const question = () => ({ since: new Date(Date.now() - ++days * 86_400_000).toISOString() });
  // One that is made between the two asks is another one, so this is tried again.
  await until(async () => {
    const same = question();
    const [first, second] = await Promise.all([ask(same), ask(same)]);
    return first.status === 202 && first.body.id === second.body.id;
  });
  const made: string[] = [];
  const refused = await until(async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(question())));
    made.push(...answers.flatMap(({ status, body }) => (status === 202 ? [body.id as string] : [])));
    const others = answers.filter(({ status }) => status !== 202);
    return others.length > 0 ? others : undefined;
  });
  for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'state_conflict']);
  for (const id of made) await finished(id);
  const { data } = (await world.request('GET', path(), { key: 'operator' })).body as { data: Bundle[] };
  expect(data.length).toBeGreaterThan(1);
});

test.each([
  ['about nobody who is known', { subject: 'user_id:not-known' }, 404, 'subject_not_found'],
  ['with neither question', {}, 422, 'validation_failed'],
  ['with both questions', { subject: 'user_id:a', since: '2026-01-01T00:00:00Z' }, 422, 'validation_failed'],
  ['with a reference that is none', { subject: 'ada' }, 400, 'subject_ref_invalid'],
])('a question %s is refused', async (_, body, status, code) => {
  const answer = await ask(body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('one of another environment, or of no id, is not found; one that failed says why and has no file', async () => {
  const { body } = await ask({ subject: 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T' });
  const failed = await finished(body.id);
  expect(failed).toMatchObject({ state: 'FAILED', problem: { code: 'subject_not_found' } });
  expect((await fetched(failed.id)).status).toBe(409);
  expect((await fetched('abn_01KAK3V0ZC8W9J2M4N6P8Q0R2T')).status).toBe(404);
  const elsewhere = await world.request('GET', path(`/${failed.id}`).replace('/test/', '/live/'), { key: 'operator' });
  expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'audit_bundle_not_found']);
});
