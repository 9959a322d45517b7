import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { parse } from 'yaml';
import { signIdentityToken } from '../support/identity-token.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';
import { until } from '../support/timing.js';

/** So little comes back that a test can count what is left. */
const COUNTED = { pk: { perSecond: 0.05, burst: 20 }, sk: { perSecond: 0.05, burst: 30 } };

let world: World;
let pk: string;
beforeAll(async () => {
  world = await startWorld({ own: true });
  await operate('', { site: 'counted', name: 'Counted', rateLimits: COUNTED });
  const file = new URL('../../apps/standalone/demo/purposes/analytics.yaml', import.meta.url);
  await operate('/counted/test/catalogue', { purposes: [parse(readFileSync(file, 'utf8'))] });
  pk = await issue('pk', 'counted');
  await until(async () => (await recording({ from: '10.9.9.9' })).status !== 422);
});
afterAll(() => world?.stop());

async function operate(path: string, body: unknown): Promise<Answer> {
  const answer = await world.request('POST', `/admin/v1/sites${path}`, { key: 'operator', body });
  expect([200, 201]).toContain(answer.status);
  return answer;
}
const issue = async (type: 'pk' | 'sk', site: string): Promise<string> =>
  (await operate(`/${site}/keys`, { type, env: 'test', name: 'limits' })).body.key as string;

const recordOf = (subject: string) => ({ subject, purpose: 'analytics', decision: 'GRANTED' });
const recording = ({ subject = world.visitor(), ...ask }: Ask & { subject?: string } = {}): Promise<Answer> =>
  world.request('POST', '/v1/consent', { key: pk, body: recordOf(subject), ...ask });
const batching = (subjects: string[], ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/consent/batch', { key: pk, body: { records: subjects.map(recordOf) }, ...ask });
const visitors = (count: number): string[] => Array.from({ length: count }, () => world.visitor());
const times = (count: number, subject: string): string[] => new Array<string>(count).fill(subject);
/** Appends the last event of a subject's stream so many times more. */
async function appendAgain(subjectId: string, count: number): Promise<void> {
  const database = new pg.Client({ connectionString: world.databaseUrl! });
  await database.connect();
  try {
    await database.query(
      `select log.append(array[stream], array[revision], array[$2::int], ids.made, types.same, datas.same, metas.same, 1000)
       from (select * from log.events where stream like $1 order by revision desc limit 1) last,
            lateral (select array_agg(gen_random_uuid()) as made from generate_series(1, $2)) ids,
            lateral (select array_fill(last.type, array[$2]) as same) types,
            lateral (select array_fill(last.data, array[$2]) as same) datas,
            lateral (select array_fill(last.metadata, array[$2]) as same) metas`,
      [`subject-%.${subjectId}`, count],
    );
  } finally {
    await database.end();
  }
}
const left = ({ headers }: Answer): number => Number(/r=(\d+)/.exec(headers['ratelimit'] as string)![1]);
const waits = ({ headers }: Answer): number => Number(headers['retry-after']);

describe('a limit counts work, not requests', () => {
  test('a record, a read and each record of a batch are one unit', async () => {
    const ask = { from: '192.0.2.11' };
    const subject = world.visitor();
    const recorded = await recording({ ...ask, subject });
    expect([recorded.status, left(recorded), recorded.headers['ratelimit-policy']]).toEqual([
      201,
      19,
      '"default";q=20;w=400',
    ]);
    expect(left(await world.request('GET', pathOf(subject), { key: pk, ...ask }))).toBe(18);
    expect(left(await world.request('GET', pathOf(subject, '?fresh=true'), { key: pk, ...ask }))).toBe(17);
    expect(left(await batching(visitors(7), ask))).toBe(10);
    expect(left(await batching(visitors(1), ask))).toBe(9);
  });

  test('a batch for which not enough is left is refused whole, and costs the one unit of having been read', async () => {
    const ask = { from: '192.0.2.12' };
    expect(left(await batching(visitors(14), ask))).toBe(6);
    const subject = world.visitor();
    const refused = await batching(times(7, subject), ask);
    expect([refused.status, refused.body.code, left(refused)]).toEqual([429, 'rate_limited', 5]);
    expect(waits(refused)).toBeGreaterThan(30);
    expect(waits(refused)).toBeLessThanOrEqual(40);
    expect((await world.request('GET', pathOf(subject, '?fresh=true'), { key: pk })).body.revision).toBe(-1);
    expect((await batching(visitors(5), ask)).status).toBe(200);
  });

  test('a batch that is larger than the burst goes through when nothing was used, and later requests wait for it', async () => {
    const ask = { from: '192.0.2.13' };
    const whole = await batching(visitors(45), ask);
    expect([whole.status, whole.body.summary.recorded, left(whole)]).toEqual([200, 45, 0]);
    const next = await recording(ask);
    expect(next.status).toBe(429);
    expect(waits(next)).toBeGreaterThan(500);
    expect(waits(next)).toBeLessThanOrEqual(520);
    await recording({ from: '192.0.2.14' });
    expect((await batching(visitors(45), { from: '192.0.2.14' })).status).toBe(429);
  });

  test('a large body is paid for before it is looked into', async () => {
    const ask = { from: '192.0.2.15', headers: { 'Content-Type': 'application/json' } };
    const malformed = await world.request('POST', '/v1/consent/batch', {
      key: pk,
      raw: `{${' '.repeat(300_000)}`,
      ...ask,
    });
    expect([malformed.status, left(malformed)]).toEqual([400, 15]);
    const wide = `{"records":[${'7,'.repeat(16)}7]}`;
    expect((await world.request('POST', '/v1/consent/batch', { key: pk, raw: wide, ...ask })).status).toBe(429);
  });

  test('a read that replays history costs a unit for each hundred events, once they are counted', async () => {
    const subject = world.visitor();
    // A moment before all of it: no state that is kept already can answer that.
    const at = encodeURIComponent(new Date().toISOString());
    expect((await batching(times(240, subject), { key: await issue('sk', 'counted') })).status).toBe(200);
    const ask = { key: pk, from: '192.0.2.16' };
    expect(left(await world.request('GET', pathOf(subject), ask))).toBe(19);
    expect(left(await world.request('GET', pathOf(subject, `?asOf=${at}`), ask))).toBe(16);
    const known = await world.request('GET', pathOf(subject, `?knownAt=${at}`), ask);
    expect([known.status, left(known)]).toEqual([200, 13]);
    const again = { ...ask, headers: { 'If-None-Match': known.headers.etag! } };
    const same = await world.request('GET', pathOf(subject, `?knownAt=${at}`), again);
    expect([same.status, left(same)]).toEqual([304, 10]);
    // What is owed is never refused, and delays whatever comes next.
    for (let i = 0; i < 3; i++) await world.request('GET', pathOf(subject, `?asOf=${at}`), ask);
    expect((await world.request('GET', pathOf(subject, `?asOf=${at}`), ask)).status).toBe(200);
    const refused = await world.request('GET', '/v1/purposes', ask);
    expect(refused.status).toBe(429);
    expect(waits(refused)).toBeGreaterThan(40);
  });

  test('so does a fresh read of what this process has not folded yet; what it knows already costs one unit', async () => {
    const key = await issue('sk', 'counted');
    const [subject, explained, long, other] = visitors(4) as [string, string, string, string];
    const ids = new Map<string, string>();
    for (const visitor of [subject, explained, long, other])
      ids.set(visitor, (await recording({ key, subject: visitor })).body.subject.id as string);
    /**
     * As if another process had written them. To each of these once: a stream of which a snapshot is taken is read again
     * for it, and what comes then is known without having been paid for.
     */
    const elsewhere = (visitor: string, count: number): Promise<unknown> => appendAgain(ids.get(visitor)!, count);
    const read = (path: string, headers = {}): Promise<Answer> =>
      world.request('GET', path, { key: pk, from: '192.0.2.17', headers });
    const fresh = (visitor: string, headers = {}): Promise<Answer> => read(pathOf(visitor, '?fresh=true'), headers);
    expect(left(await fresh(subject))).toBe(19);
    await elsewhere(subject, 250);
    expect(left(await fresh(subject))).toBe(16);
    expect(left(await fresh(subject))).toBe(15);
    const explain = pathOf(explained, '/explain?purpose=analytics');
    await elsewhere(explained, 150);
    expect(left(await read(explain))).toBe(13);
    expect(left(await read(explain))).toBe(12);
    await elsewhere(long, 850);
    const known = await fresh(long);
    expect(left(known)).toBe(3);
    const same = await fresh(long, { 'If-None-Match': known.headers.etag! });
    expect([same.status, left(same)]).toEqual([304, 2]);
    // Another fold is charged like any other. It is answered, and what is owed delays what comes next.
    await elsewhere(other, 1_250);
    expect((await read(pathOf(other, '?fresh=true').replace('/consent?', '/preferences?'))).status).toBe(200);
    expect((await fresh(subject)).status).toBe(429);
  });

  test('a page of history is one unit', async () => {
    const key = await issue('sk', 'counted');
    const subject = world.visitor();
    expect((await batching(times(4, subject), { key })).status).toBe(200);
    const before = left(await world.request('GET', pathOf(subject, '/history?limit=2'), { key }));
    expect(left(await world.request('GET', pathOf(subject, '/history?limit=2'), { key }))).toBe(before - 1);
  });
});

test('a page of the documentation comes with its styles and scripts, as often as pages may be opened at once', async () => {
  const reader = { key: null, from: '10.9.9.8' };
  const { text } = await world.request('GET', '/docs', { key: null });
  const assets = [...new Set([...text.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path!))];
  expect(assets.length).toBeGreaterThan(3);
  for (let opened = 0; opened < 20; opened++) {
    const answers = await Promise.all(['/docs', ...assets].map((path) => world.request('GET', path, { ...reader })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  }
  const asset = await world.request('GET', assets[0]!, reader);
  expect(asset.headers['ratelimit-policy']).toBe('"default";q=120;w=2');
});

describe('public keys add at most 1,000 records a day to one subject', () => {
  /** With the keys of the demo site: its limits per address are not met, since each request comes from another one. */
  const demo = { key: 'pk' };
  const prefer = (subject: string, ask: Ask = {}): Promise<Answer> =>
    world.request('POST', '/v1/preferences', { ...demo, body: { subject, globalOptOut: true }, ...ask });
  const refusedForToday = (answer: Answer): void => {
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
    expect(answer.body.hint).toContain('at most 1000 records a day');
    const midnight = new Date().setUTCHours(24, 0, 0, 0);
    expect(Math.abs(waits(answer) - (midnight - Date.now()) / 1000)).toBeLessThan(30);
  };
  const linked = async (subjects: string[]): Promise<void> => {
    const identifiers = subjects.map((subject) => {
      const [kind, value] = subject.split(':');
      return { kind, value };
    });
    expect((await world.request('POST', '/v1/subjects', { body: { identifiers } })).status).toBe(201);
  };

  test('by whichever reference, singly or in batches, as consent or as preferences', async () => {
    const [visitor, device] = [world.visitor(), `device_id:${randomUUID()}`];
    await linked([visitor, device]);
    expect((await batching(times(500, visitor), demo)).body.summary.recorded).toBe(500);
    expect((await batching(times(497, device), demo)).body.summary.recorded).toBe(497);
    expect((await prefer(device)).status).toBe(201);
    refusedForToday(await batching(times(3, visitor), demo));
    const kept = { headers: { 'Idempotency-Key': randomUUID() } };
    const last = await batching(times(2, visitor), { ...demo, ...kept });
    expect([last.status, last.body.summary.recorded]).toEqual([200, 2]);
    refusedForToday(await recording({ ...demo, subject: visitor }));
    refusedForToday(await recording({ ...demo, subject: device, headers: { 'Idempotency-Key': randomUUID() } }));
    refusedForToday(await prefer(visitor));
    // What was recorded is answered again, and others are not held up.
    const repeated = await batching(times(2, visitor), { ...demo, ...kept });
    expect([repeated.status, repeated.text]).toEqual([200, last.text]);
    const mixed = await batching([world.visitor(), visitor], demo);
    expect(
      mixed.body.results.map(({ status, error }: { status: string; error?: { code: string } }) => [
        status,
        error?.code,
      ]),
    ).toEqual([
      ['RECORDED', undefined],
      ['REJECTED', 'rate_limited'],
    ]);
    expect((await recording({ key: 'sk', subject: visitor })).status).toBe(201);
    const history = await world.request('GET', pathOf(visitor, '?fresh=true'), { key: 'sk' });
    // Who it is, with two identifiers, a thousand records, and the one of the secret key: counted from 0.
    expect(history.body.revision).toBe(3 + 1000 + 1 - 1);
  }, 60_000);

  test('a refused batch leaves its key free, and nothing behind', async () => {
    const subject = world.visitor();
    for (let i = 0; i < 2; i++) expect((await batching(times(500, subject), demo)).status).toBe(200);
    const headers = { 'Idempotency-Key': randomUUID() };
    refusedForToday(await batching(times(2, subject), { ...demo, headers }));
    const mended = await batching(visitors(2), { ...demo, headers });
    expect([mended.status, mended.body.summary.recorded]).toEqual([200, 2]);
  }, 60_000);

  test('what is refused for another reason is not counted', async () => {
    const subject = world.visitor();
    const wrong = { ...recordOf(subject), decision: 'ACKNOWLEDGED' };
    for (let i = 0; i < 3; i++) {
      const refused = await world.request('POST', '/v1/consent/batch', {
        ...demo,
        body: { records: new Array<unknown>(500).fill(wrong) },
      });
      expect(refused.body.summary).toMatchObject({ recorded: 0, rejected: 500 });
    }
    expect((await batching(times(500, subject), demo)).body.summary.recorded).toBe(500);
    expect((await batching(times(500, subject), demo)).body.summary.recorded).toBe(500);
  }, 60_000);

  test('the quota of a merged subject is that of whom it was merged into', async () => {
    const [source, target] = [world.visitor(), world.visitor()];
    expect((await batching(times(400, source), demo)).body.summary.recorded).toBe(400);
    for (const count of [500, 200])
      expect((await batching(times(count, target), demo)).body.summary.recorded).toBe(count);
    const merged = await world.request('POST', '/v1/subjects/merge', { body: { sources: [source], target } });
    expect(merged.status).toBe(200);
    refusedForToday(await batching(times(301, source), demo));
    expect((await batching(times(300, source), demo)).body.summary.recorded).toBe(300);
    for (const subject of [source, target]) refusedForToday(await recording({ ...demo, subject }));
  }, 60_000);

  test('an identity token makes no difference', async () => {
    const subject = `email:${randomUUID()}@example.com`;
    const ask = {
      ...demo,
      headers: { 'Consent-Identity': signIdentityToken({ secretKey: world.demo.secretKey, subject }) },
    };
    for (let i = 0; i < 2; i++) expect((await batching(times(500, subject), ask)).body.summary.recorded).toBe(500);
    refusedForToday(await recording({ ...ask, subject }));
    expect((await recording({ key: 'sk', subject })).status).toBe(201);
  }, 60_000);
});
