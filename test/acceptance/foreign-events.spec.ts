import { randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { assent, commanded } from '../support/command-line.js';
import { createDatabase, type OwnDatabase } from '../support/databases.js';
import { until } from '../support/double-opt-in.js';
import { ProtocolServer } from '../support/eventstoredb/protocol-server.js';
import { startWorld, type World } from '../support/world.js';

/** Every kind of data request whose completion is recorded on the stream of its subject, with what completes it. */
const COMPLETED: Record<string, object> = {
  WITHDRAW_ALL: {},
  OPT_OUT_SALE_SHARE: {},
  OPT_OUT_TARGETED_ADS: {},
  OPT_OUT_PROFILING: {},
  LIMIT_SENSITIVE: {},
  OBJECTION: {},
  RECTIFICATION: { corrections: [{ kind: 'email', value: `${randomUUID()}@example.org` }] },
  RESTRICTION: {},
  ACCESS: {},
  ERASURE: {},
};
const hex = (): string => randomBytes(32).toString('hex');

/** As if the log had been put back from an older copy and had grown again. */
async function forgetLog(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`update projection.known_log set event_id = $1`, [randomUUID()]);
  await client.end();
}

describe.each([
  ['without a prefix', {}, ['orders-1', 'subject-1', 'subject-orders', 'catalogue-1', 'site', 'Shop.subject-1']],
  [
    'with a prefix',
    { ASSENT_LOG_PREFIX: 'shop' },
    ['orders-1', 'shop.orders-1', 'shop.subject-1', 'shop_eu.site-demo'],
  ],
])('an EventStoreDB that other applications write to, %s', (_, prefix: Record<string, string>, streams) => {
  let server: ProtocolServer;
  let world: World;
  let scratch: string;
  let restored: OwnDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'assent-shared-log-'));
    [server, restored] = await Promise.all([ProtocolServer.start(), createDatabase('template1')]);
    writeForeign();
    world = await startWorld({ fourRoles: false, env: { ESDB_URL: server.url, ...prefix } });
    env = { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl!, ESDB_URL: server.url, ...prefix };
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
    await server?.stop();
    await restored?.drop();
    rmSync(scratch, { recursive: true, force: true });
  });

  const write = (stream: string, type: string, data: object, metadata: object = {}): void =>
    void server.ledger.append(stream, 'any', [
      {
        id: randomUUID(),
        type,
        contentType: 'application/json',
        data: Buffer.from(JSON.stringify(data)),
        metadata: Buffer.from(JSON.stringify(metadata)),
      },
    ]);
  /** Events that look like those of the service in all but the names of their streams. */
  function writeForeign(): void {
    for (const stream of streams)
      for (const type of ['OrderPlaced', 'ConsentRecorded', 'SubjectErased', 'ProjectionSkipped'])
        write(
          stream,
          type,
          { rootId: 'sub_1', erasedTogether: [] },
          { idempotencyKey: hex(), fingerprint: hex(), request: { key: hex(), fingerprint: hex() } },
        );
  }
  const post = async (path: string, body: object, key = 'sk'): Promise<Record<string, unknown>> => {
    const answer = await world.request('POST', path, { key, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const said = async (...args: string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await commanded([...args, '--json'], env)) as Record<string, unknown>;

  test('counts for nothing wherever the log is read as a whole, and the keys of the service are no difference', async () => {
    for (const [type, body] of Object.entries(COMPLETED)) {
      const { id } = await post('/v1/data-requests', {
        subject: `user_id:${randomUUID()}`,
        type,
        jurisdiction: { country: 'US', region: 'US-CA' },
      });
      await post(`/v1/data-requests/${String(id)}/verify`, {});
      await post(`/v1/data-requests/${String(id)}/complete`, body);
    }
    const subject = `email:${randomUUID()}@example.org`;
    await post('/v1/data-requests/portal', { subject, type: 'OPT_OUT_SALE_SHARE' }, 'pk');
    await until(async () => {
      const listed = await world.request('GET', `/v1/data-requests?subject=${encodeURIComponent(subject)}`, {});
      const [request] = (listed.body as { data: { state: string }[] }).data;
      return request?.state === 'COMPLETED' ? true : undefined;
    });
    writeForeign();
    await world.caughtUp();
    expect(await said('idempotency', 'rebuild', '--verify')).toMatchObject({ equal: true, missing: 0, other: 0 });
    expect(await said('idempotency', 'rebuild')).toMatchObject({ written: 0, erasedWritten: 0, erased: 1 });
    expect(await said('audit', 'verify')).toMatchObject({ differences: 0 });
    expect(await said('log', 'status')).toMatchObject({ difference: null, erasuresLost: { subjects: 0 } });
    expect(await said('doctor')).toMatchObject({ summary: { fail: 0 } });
    const exported = await commanded(['audit', 'export', '--since', '2020-01-01T00:00:00Z'], env);
    expect(exported).toContain('"DataRequestCompleted"');
    for (const stream of streams) expect(exported).not.toContain(`"stream":"${stream}"`);
    expect(exported).not.toContain('OrderPlaced');
  }, 240_000);

  test('nor after a restore, by which an operator accepts the log with what is foreign in it', async () => {
    const backup = join(scratch, 'backup');
    await commanded(['backup', backup], env);
    const data = join(scratch, 'data');
    mkdirSync(data, { mode: 0o700 });
    copyFileSync(join(world.dataFolder, 'master.key'), join(data, 'master.key'));
    const own = env;
    env = { ...env, ASSENT_DATA: data, DATABASE_URL: restored.url };
    try {
      await commanded(['restore', backup], env);
      expect(await said('idempotency', 'rebuild', '--verify')).toMatchObject({ equal: true });
      await forgetLog(restored.url);
      const { out } = await assent(['log', 'status', '--json'], env);
      const { last } = JSON.parse(out) as { last: { position: string } };
      await commanded(['log', 'accept', last.position], env);
      expect(await said('idempotency', 'rebuild', '--verify')).toMatchObject({ equal: true });
    } finally {
      env = own;
    }
  }, 240_000);

  test('names a stream of the service that lost its beginning, and shows nothing of it', async () => {
    const subject = `user_id:${randomUUID()}`;
    for (const decision of ['GRANTED', 'WITHDRAWN']) await world.recorded({ subject, decision }, { key: 'sk' });
    await world.caughtUp();
    const path = `/v1/subjects/${encodeURIComponent(subject)}`;
    const { id } = (await world.request('GET', path, {})).body as { id: string };
    const stream = `${prefix['ASSENT_LOG_PREFIX'] ? 'shop.' : ''}subject-${world.demo.site}.test.${id}`;
    write(`$$${stream}`, '$metadata', { $maxCount: 1 });
    await world.restart();
    for (const cut of [`${path}/consent?fresh=true`, `${path}/consent/history`, path]) {
      const answer = await world.request('GET', cut);
      expect([cut, answer.status, answer.body.code]).toEqual([cut, 503, 'log_incomplete']);
    }
    const { out } = await assent(['doctor', '--json'], env);
    expect(JSON.parse(out)).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({ check: 'streams', verdict: 'fail', found: expect.stringContaining(id) }),
      ]),
    });
    await post(`${path}/erase`, {});
    expect((await world.request('GET', path)).status).toBe(404);
  }, 240_000);
});
