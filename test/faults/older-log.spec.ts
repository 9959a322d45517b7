import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../libs/engines/database/database.js';
import { assent, commanded, type Outcome } from '../support/command-line.js';
import { createDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { copiedEventStore, copiedPostgres, type CopiedLog } from '../support/log-copies.js';
import { finish, launch } from '../support/processes.js';
import { expectFresh, unhurried } from '../support/asking.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';
import { until } from '../support/timing.js';

const NOTICED_WITHIN_MS = 120_000;

/** Waits until it is noted that the log holds this write: a copy that is less than a second old may be told later. */
async function noted(database: Database, { headers }: Answer): Promise<void> {
  const wanted = BigInt(headers['x-log-position'] as string);
  const look = () => database.run<{ position: bigint | null }>('select position from projection.known_log');
  await until(async () => ((await look())[0]!.position ?? -1n) >= wanted);
}

interface Write {
  subject: string;
  key: string;
  decision: string;
  answer: Answer;
}

describe.each<[string, (database: () => Database) => Promise<CopiedLog>]>([
  ['EventStoreDB', copiedEventStore],
  ['Postgres', async (database) => copiedPostgres(database)],
])('a log in %s that is restored from an older copy while the service runs', (_, open) => {
  let log: CopiedLog;
  let world: World;
  let database: Database;
  let env: Record<string, string>;
  beforeAll(async () => {
    log = await open(() => database);
    world = await startWorld({ breakable: true, env: { ASSENT_DEMO: 'empty', ...log.env } });
    database = new Database(world.databaseUrl!, { max: 2, budgetMs: 30_000 });
    env = { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl!, ...log.env };
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
    await database?.close();
    await log?.close();
  });

  const consent = (subject: string, decision: string, key: string): ['POST', string, Ask] => [
    'POST',
    '/v1/consent',
    { key: 'sk', body: { subject, purpose: 'analytics', decision }, headers: { 'Idempotency-Key': key } },
  ];
  const sendOnce = (subject: string): Promise<Answer> => world.request(...consent(subject, 'GRANTED', randomUUID()));
  const send = (subject: string, decision = 'GRANTED', key: string = randomUUID()): Promise<Answer> =>
    unhurried(world.request, ...consent(subject, decision, key));
  const written = async (subject: string, decision = 'GRANTED'): Promise<Write> => {
    const key = randomUUID();
    const answer = await send(subject, decision, key);
    expect(answer.status).toBe(201);
    return { subject, key, decision, answer };
  };
  const inTime = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + NOTICED_WITHIN_MS; !(await holds()); await pause(50))
      if (Date.now() > deadline) throw new Error(`not in time: ${what}\n${world.output()}`);
  };
  const state = async (subject: string, query = ''): Promise<[number, unknown]> => {
    const { status, body } = await world.request('GET', pathOf(subject, query), { key: 'sk' });
    return [status, status === 200 ? body.purposes.analytics.state : body.code];
  };
  const problem = ({ out }: Outcome): string => (JSON.parse(out) as { code: string }).code;
  const readyz = async (): Promise<{ status: number; hint: string }> => {
    const answer = await fetch(`${world.url}/readyz`);
    return { status: answer.status, hint: ((await answer.json()) as { hint?: string }).hint ?? '' };
  };

  const kept: Write[] = [];
  const lost: Write[] = [];
  let keyOfLater: string;
  let erasedLater: string;
  let copied: number;

  it('takes nothing from the moment on at which it is back, and says so everywhere', async () => {
    const both = world.visitor();
    for (let n = 0; n < 10; n++) kept.push(await written(world.visitor()));
    kept.push(await written(both));
    const erased = await written(world.visitor());
    await world.caughtUp();
    await log.copy();
    copied = await log.events();

    for (let n = 0; n < 10; n++) lost.push(await written(world.visitor()));
    lost.push(await written(both, 'WITHDRAWN'));
    const issued = await unhurried(world.request, 'POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'test', name: 'later' },
    });
    keyOfLater = issued.body.key as string;
    erasedLater = erased.answer.body.subject.id as string;
    const erase = `/v1/subjects/${encodeURIComponent(erased.subject)}/erase`;
    expect((await unhurried(world.request, 'POST', erase, { key: 'sk', body: {} })).status).toBe(200);
    await world.caughtUp();

    // Writers do not pause for it.
    let writing = true;
    const answers: Answer[] = [];
    const writers = Array.from({ length: 8 }, async () => {
      while (writing) answers.push(await sendOnce(world.visitor()).catch(() => ({ status: 0 }) as Answer));
    });
    await inTime('writes are taken', async () => answers.some(({ status }) => status === 201));
    writing = false;
    await Promise.all(writers.splice(0));
    await noted(database, (await written(world.visitor())).answer);
    writing = true;
    answers.length = 0;
    await log.restore();
    writers.push(
      ...Array.from({ length: 8 }, async () => {
        while (writing) answers.push(await sendOnce(world.visitor()).catch(() => ({ status: 0 }) as Answer));
      }),
    );
    await inTime('the code is named', async () => answers.some(({ body }) => body?.code === 'log_not_accepted'));
    writing = false;
    await Promise.all(writers);
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([503]);
    expect(await log.events()).toBe(copied);

    const { status, hint } = await readyz();
    expect(status).toBe(503);
    expect(hint).toMatch(
      /^Waiting for .*an operator to accept the event log: it ends at position \d+, before the event recorded at/,
    );
    expect(await (await fetch(`${world.url}/metrics`)).text()).toMatch(/^assent_log_accepted 0$/m);
    const difference = /"difference":"it ends at position .*the event log is not the one that is known/;
    expect(await world.outputWith((output) => difference.test(output))).toMatch(difference);
    const doctor = await assent(['doctor', '--json'], env);
    expect(doctor.code).toBe(1);
    const { findings } = JSON.parse(doctor.out) as { findings: { check: string; verdict: string; found: string }[] };
    expect(findings.find(({ check }) => check === 'log')).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('is not the one that the service knows'),
    });
  });

  it('shows what rows hold, which is what was acknowledged, and reads nothing from the log', async () => {
    const { subject } = lost.at(-1)!;
    expect(await state(subject)).toEqual([200, 'WITHDRAWN']);
    expect(await state(subject, '?fresh=true')).toEqual([503, 'log_not_accepted']);
    const history = await world.request('GET', pathOf(subject, '/history'), { key: 'sk' });
    expect([history.status, history.body.code]).toEqual([503, 'log_not_accepted']);
  });

  it('lets no command change anything but the one that accepts it', async () => {
    for (const command of [
      ['projections', 'rebuild', 'consent_state'],
      ['projections', 'status'],
      ['audit', 'verify'],
      ['idempotency', 'rebuild'],
    ])
      expect([command, problem(await assent([...command, '--json'], env))]).toEqual([command, 'log_not_accepted']);
    expect(await log.events()).toBe(copied);
  });

  it('is not used by a process that starts either', async () => {
    await world.kill9();
    const started = world.restart();
    started.catch(() => undefined);
    await inTime('it says what it waits for', async () =>
      readyz().then(
        ({ hint }) => /accept the event log/.test(hint),
        () => false,
      ),
    );
    expect(await state(lost.at(-1)!.subject)).toEqual([200, 'WITHDRAWN']);
    expect(await send(world.visitor())).toMatchObject({ status: 503, body: { code: 'log_not_accepted' } });
    expect(await log.events()).toBe(copied);

    const found = await assent(['log', 'status', '--json'], env);
    expect(found.code).toBe(1);
    const status = JSON.parse(found.out) as { last: { position: string }; known: { position: string }; events: number };
    expect(status).toMatchObject({
      difference: expect.stringContaining('restored from an older copy'),
      events: copied,
      erasuresLost: { subjects: 1, first: [erasedLater] },
    });
    expect(problem(await assent(['log', 'accept', status.known.position, '--json'], env))).toBe('position_wrong');
    expect(await log.events()).toBe(copied);
    await commanded(['log', 'accept', status.last.position, '--operator', 'ada', '--json'], env);
    await started;
  });

  it('is the truth from then on: what was lost counts as new when it is repeated, and every write is in the rows', async () => {
    await world.caughtUp();
    const { subject } = lost.at(-1)!;
    expect(await state(subject)).toEqual([200, 'GRANTED']);
    expect((await world.request('GET', '/v1/purposes', { key: keyOfLater })).status).toBe(401);
    // What the log holds has its first answer, what it lost is written now.
    for (const { subject: of, key, decision, answer } of kept)
      expect(await send(of, decision, key)).toMatchObject({
        status: 201,
        text: answer.text,
        headers: { 'idempotent-replayed': 'true' },
      });
    for (const { subject: of, key, decision } of lost) {
      const again = await send(of, decision, key);
      expect(again.status).toBe(201);
      expectFresh(again);
    }
    const since = await Promise.all(Array.from({ length: 30 }, () => written(world.visitor(), 'DENIED')));
    await world.caughtUp();
    for (const { subject: of, decision } of [...kept.slice(0, 10), ...lost, ...since])
      expect(await state(of)).toEqual([200, decision]);
    expect(JSON.parse(await commanded(['audit', 'verify', '--json'], env))).toMatchObject({ differences: 0 });
    expect(JSON.parse(await commanded(['idempotency', 'rebuild', '--verify', '--json'], env))).toMatchObject({
      equal: true,
    });
    expect(JSON.parse(await commanded(['log', 'status', '--json'], env))).toMatchObject({ difference: null });
    const left = await database.run<{ table: string }>(
      `select schemaname || '.' || tablename as table from pg_tables where schemaname = 'read' and tablename !~ '_r1(_counts)?$'`,
    );
    expect(left).toEqual([]);
  });

  it('can be restored again below a process that has begun anew', async () => {
    await noted(database, (await written(world.visitor())).answer);
    await log.restore();
    await inTime('it is noticed', async () => (await readyz()).hint.includes('accept the event log'));
    const { last } = JSON.parse((await assent(['log', 'status', '--json'], env)).out) as { last: { position: string } };
    await commanded(['log', 'accept', last.position, '--json'], env);
    // It listens no more while it begins anew.
    await inTime('it has begun anew', async () =>
      readyz().then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    await world.caughtUp();
    const { subject } = await written(world.visitor());
    await world.caughtUp();
    expect(await state(subject)).toEqual([200, 'GRANTED']);
    expect(world.output().match(/beginning anew\.\.\./g)!.length).toBeGreaterThanOrEqual(1);
  });
});

it('is restored from a copy of EventStoreDB and a backup that was taken after it: nobody is without a key, and what came between is asked about', async () => {
  const log = await copiedEventStore();
  const world = await startWorld({ breakable: true, env: log.env });
  const scratch = mkdtempSync(join(tmpdir(), 'assent-restore-'));
  const restored = await createDatabase('template1');
  const said: string[] = [];
  const database = new Database(world.databaseUrl!, { max: 1 });
  try {
    const write = async (): Promise<{ subject: string; answer: Answer }> => {
      const subject = `email:${randomUUID()}@example.org`;
      return { subject, answer: await world.recorded({ subject }, { key: 'sk' }) };
    };
    const kept = await Promise.all(Array.from({ length: 5 }, write));
    // First the log, then all that its events need to be read.
    await log.copy();
    const between = await write();
    const env = { ASSENT_DATA: world.dataFolder, DATABASE_URL: world.databaseUrl!, ...log.env };
    await noted(database, between.answer);
    await commanded(['backup', join(scratch, 'backup')], env);
    await world.kill9();

    await log.restore();
    const data = join(scratch, 'data');
    mkdirSync(data, { mode: 0o700 });
    copyFileSync(join(world.dataFolder, 'master.key'), join(data, 'master.key'));
    copyFileSync(join(world.dataFolder, 'demo.json'), join(data, 'demo.json'));
    const anew = { ...env, ASSENT_DATA: data, DATABASE_URL: restored.url };
    await commanded(['restore', join(scratch, 'backup')], anew);
    const status = JSON.parse((await assent(['log', 'status', '--json'], anew)).out) as { last: { position: string } };
    expect(status).toMatchObject({ difference: expect.stringContaining('older copy') });
    await commanded(['log', 'accept', status.last.position], anew);

    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = launch('standalone', [], { ...anew, PORT: String(port), ASSENT_DEMO: 'empty' }, said);
    try {
      for (const deadline = Date.now() + NOTICED_WITHIN_MS; ; await pause(50)) {
        if (
          await fetch(`${url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          )
        )
          break;
        if (Date.now() > deadline) throw new Error(`not ready:\n${said.join('')}`);
      }
      const stateOf = async (subject: string): Promise<[number, string]> => {
        const headers = { Authorization: `Bearer ${world.demo.secretKey}` };
        const answer = await fetch(url + pathOf(subject), { headers });
        return [answer.status, ((await answer.json()) as Answer['body']).purposes?.analytics.state];
      };
      for (const { subject } of kept) expect(await stateOf(subject)).toEqual([200, 'GRANTED']);
      expect((await stateOf(between.subject))[1]).not.toBe('GRANTED');
      expect(JSON.parse(await commanded(['audit', 'verify', '--json'], anew))).toMatchObject({ differences: 0 });
    } finally {
      await finish(service, 'SIGTERM');
    }
  } finally {
    await database.close();
    await world.stop();
    await log.close();
    await restored.drop();
    rmSync(scratch, { recursive: true });
  }
});
