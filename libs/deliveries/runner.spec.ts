import { setTimeout as pause } from 'node:timers/promises';
import { jest } from '@jest/globals';
import pg from 'pg';
import type { Scope } from '../kernel/index.js';
import { Database } from '../engines/database/database.js';
import { migrate } from '../engines/database/migrate.js';
import { CreateDeliveries1763750000001 } from './deliveries.migration.js';
import { waitMs, type Delivery, type NewDelivery, type Outcome } from './delivery.js';
import { Claims } from './claims.js';
import { Notes } from './notes.js';
import { backlog, dropSubjects, enqueue, prune } from './queue.js';
import { DeliveryRunner, type RunnerOptions } from './runner.js';
import { undisturbedMs, until } from '../../test/support/timing.js';

const SCOPE: Scope = { site: 'demo', env: 'test' };
let admin: pg.Client;
let name: string;
let database: Database;
const runners: DeliveryRunner<string>[] = [];

beforeAll(async () => {
  admin = new pg.Client({ connectionString: process.env['ASSENT_TEST_POSTGRES']! });
  await admin.connect();
  name = `deliveries_${process.pid}_${Date.now()}`;
  await admin.query(`create database ${name}`);
  const url = new URL(process.env['ASSENT_TEST_POSTGRES']!);
  url.pathname = `/${name}`;
  await migrate(url.href, [CreateDeliveries1763750000001]);
  database = new Database(url.href, { max: 6, budgetMs: 10_000 });
});
afterAll(async () => {
  await database.close();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await database.run('delete from deliveries.delivery');
});

const delivery = (key: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
  channel: 'mail',
  endpoint: 'smtp',
  key,
  scope: SCOPE,
  subjectId: `sub_${key}`,
  payload: Buffer.from(`sealed ${key}`),
  ...more,
});

/** Runs until the test ends; without waits between attempts unless it names some. */
function run(options: Pick<RunnerOptions<string>, 'deliver'> & Partial<RunnerOptions<string>>): DeliveryRunner<string> {
  const runner = new DeliveryRunner<string>({
    database,
    channel: 'mail',
    scheduleMs: [0, 0, 0],
    random: () => 0.5,
    graceMs: 50,
    ...options,
  });
  runners.push(runner);
  runner.start();
  return runner;
}

const row = async (key: string) =>
  (
    await database.run<{
      attempts: number;
      payload: Buffer | null;
      outcome: Outcome<string> | null;
      last_reason: string | null;
      finished: boolean;
      lease: string | null;
      due_in: number;
    }>(
      'select *, finished_at is not null as finished, extract(epoch from due_at - now())::float8 as due_in from deliveries.delivery where key = $1',
      [key],
    )
  )[0];

const finished = (key: string) => until(async () => ((await row(key))?.finished ? row(key) : null));
const delivered = async () => ({ outcome: 'delivered', evidence: 'yes' }) as const;

describe('deliveries', () => {
  it('go out once, however often they are enqueued, and leave no payload behind', async () => {
    const seen: Delivery[] = [];
    run({ deliver: async (one) => (seen.push(one), delivered()) });
    expect(await enqueue(database, [delivery('a'), delivery('a')])).toBe(1);
    expect(await finished('a')).toMatchObject({
      attempts: 1,
      payload: null,
      outcome: { outcome: 'delivered', evidence: 'yes', attempts: 1 },
    });
    expect(await enqueue(database, [delivery('a'), delivery('b')])).toBe(1);
    await finished('b');
    expect(seen.map(({ key, scope, payload, subjectId }) => [key, scope, payload.toString(), subjectId])).toEqual([
      ['a', SCOPE, 'sealed a', 'sub_a'],
      ['b', SCOPE, 'sealed b', 'sub_b'],
    ]);
  });

  it('are enqueued by a transaction or not at all', async () => {
    await expect(
      database.transaction(async (tx) => {
        await enqueue(tx, [delivery('a')]);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await row('a')).toBeUndefined();
  });

  it('are looked for when they are enqueued, not only now and then', async () => {
    run({ deliver: delivered });
    await until(
      async () =>
        (
          await database.run(
            `select 1 from pg_stat_activity where datname = current_database() and application_name = 'assent listener' and query like 'listen%'`,
          )
        ).length > 0,
    );
    const times: number[] = [];
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      times.push(
        await undisturbedMs([process.pid], async () => {
          await enqueue(database, [delivery(key)]);
          await finished(key);
        }),
      );
    }
    // By looking now and then alone each would wait for nearly a second.
    expect(times.sort((a, b) => a - b)[3]).toBeLessThan(800);
  });

  it('of another channel are left to its own runner', async () => {
    run({ deliver: delivered });
    await enqueue(database, [delivery('other', { channel: 'post' }), delivery('a')]);
    await finished('a');
    expect(await row('other')).toMatchObject({ attempts: 0, finished: false });
  });

  it('are tried again by schedule, and given up when it ends', async () => {
    const counts: string[] = [];
    run({
      deliver: async () => ({ outcome: 'retry', reason: 'busy', evidence: '451' }),
      scheduleMs: [0, 0],
      observed: (outcome) => counts.push(outcome),
    });
    await enqueue(database, [delivery('a')]);
    expect(await finished('a')).toMatchObject({
      attempts: 3,
      last_reason: 'busy',
      payload: null,
      outcome: { outcome: 'failed', reason: 'given_up', evidence: '451', attempts: 3 },
    });
    expect(counts).toEqual(['retry', 'retry', 'failed']);
  });

  it('wait as long as the receiver asks', async () => {
    run({
      deliver: async () => ({ outcome: 'retry', reason: 'busy', evidence: null, afterMs: 600_000 }),
      scheduleMs: [1_000],
    });
    await enqueue(database, [delivery('a')]);
    const { due_in: dueIn } = await until(async () => ((await row('a'))?.last_reason ? row('a') : null));
    expect(dueIn).toBeGreaterThan(590);
    expect(dueIn).toBeLessThan(800);
  });

  it('that failed for good are not tried again', async () => {
    run({ deliver: async () => ({ outcome: 'failed', reason: 'refused', evidence: '550' }) });
    await enqueue(database, [delivery('a')]);
    expect(await finished('a')).toMatchObject({
      attempts: 1,
      outcome: { outcome: 'failed', reason: 'refused', evidence: '550' },
    });
  });

  it('are not tried after the time at which they are worth nothing', async () => {
    const deliver = jest.fn(delivered);
    run({ deliver });
    await enqueue(database, [delivery('a', { giveUpAt: '2026-01-01T00:00:00.000Z' })]);
    expect((await finished('a'))?.outcome).toEqual({
      outcome: 'failed',
      reason: 'too_late',
      evidence: null,
      attempts: 1,
    });
    expect(deliver).not.toHaveBeenCalled();
  });

  it('about one subject go to one endpoint in order, while others overtake', async () => {
    const order: string[] = [];
    let refusals = 2;
    run({
      concurrency: 3,
      deliver: async ({ key }) => {
        if (key === 'ada-1' && refusals-- > 0) return { outcome: 'retry', reason: 'busy', evidence: null };
        order.push(key);
        return delivered();
      },
      scheduleMs: [300, 300, 300],
    });
    const ada = { subjectId: 'sub_ada' };
    await enqueue(database, [
      delivery('ada-1', ada),
      delivery('ada-2', ada),
      delivery('ada-elsewhere', { ...ada, endpoint: 'other' }),
      delivery('grace-1'),
    ]);
    await enqueue(database, [delivery('ada-3', ada), delivery('no-subject', { subjectId: null })]);
    await finished('ada-3');
    expect(order.filter((key) => /^ada-\d/.test(key))).toEqual(['ada-1', 'ada-2', 'ada-3']);
    expect(order.slice(0, 3).sort()).toEqual(['ada-elsewhere', 'grace-1', 'no-subject']);
  });

  it('are never with two runners at once', async () => {
    const out = new Map<string, number>();
    let together = 0;
    let most = 0;
    const deliver = async ({ key }: Delivery) => {
      out.set(key, (out.get(key) ?? 0) + 1);
      most = Math.max(most, ++together);
      await pause(1);
      together--;
      return delivered();
    };
    for (let i = 0; i < 3; i++) run({ deliver, concurrency: 5 });
    const keys = Array.from({ length: 300 }, (_, i) => `k${i}`);
    await enqueue(
      database,
      keys.map((key, i) => delivery(key, { subjectId: `sub_${i % 40}` })),
    );
    await until(async () => (await backlog(database)).length === 0);
    expect([...out.values()].every((times) => times === 1)).toBe(true);
    expect(out.size).toBe(300);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(15);
  });

  it('of a runner that was killed go on with another when its lease has run out', async () => {
    await enqueue(database, [delivery('a'), delivery('b', { subjectId: 'sub_a' })]);
    const killed = new Claims<string>(database, 'mail');
    const lease = 'b7a9a1c2-3d4e-4f5a-8b6c-7d8e9f0a1b2c';
    expect((await killed.claim([{ endpoint: 'smtp', room: 5 }], lease, 700)).map(({ key }) => key)).toEqual(['a']);
    const from = performance.now();
    const attempts: [string, number][] = [];
    run({ deliver: async ({ key, attempt }) => (attempts.push([key, attempt]), delivered()) });
    await finished('b');
    expect(performance.now() - from).toBeGreaterThan(400);
    expect(attempts).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('that were taken over cannot be noted by who had them before', async () => {
    await enqueue(database, [delivery('a')]);
    const claims = new Claims<string>(database, 'mail');
    const notes = new Notes<string>(database);
    const [mine, other] = ['b7a9a1c2-3d4e-4f5a-8b6c-7d8e9f0a1b2c', 'c7a9a1c2-3d4e-4f5a-8b6c-7d8e9f0a1b2c'] as const;
    const [{ id } = { id: 0n }] = await claims.claim([{ endpoint: 'smtp', room: 1 }], mine, 0);
    expect(await claims.claim([{ endpoint: 'smtp', room: 1 }], other, 60_000)).toHaveLength(1);
    const outcome = { outcome: 'delivered', evidence: 'late', attempts: 1 } as const;
    expect(await notes.note({ id, lease: mine, attempt: null, outcome, isFinished: true })).toBe(false);
    expect(await notes.note({ id, lease: mine, attempt: null, afterMs: 0, reason: 'late' })).toBe(false);
    expect(await row('a')).toMatchObject({ lease: other, outcome: null });
  });

  it('that hang are cut, and tried again', async () => {
    const aborted: boolean[] = [];
    run({
      attemptMs: 100,
      deliver: (one, signal) =>
        one.attempt > 1 ? delivered() : new Promise(() => signal.addEventListener('abort', () => aborted.push(true))),
    });
    await enqueue(database, [delivery('a')]);
    expect(await finished('a')).toMatchObject({ attempts: 2, last_reason: 'timed_out' });
    expect(aborted).toEqual([true]);
  });

  it('survive what is thrown', async () => {
    const faults: string[] = [];
    run({
      deliver: ({ attempt }) => (attempt > 1 ? delivered() : Promise.reject(new Error('bug'))),
      warn: (fault) => faults.push(fault),
    });
    await enqueue(database, [delivery('a')]);
    expect(await finished('a')).toMatchObject({ attempts: 2, last_reason: 'error' });
    expect(faults).toEqual(['a delivery failed unexpectedly']);
  });

  it('are not repeated because their report failed', async () => {
    const deliver = jest.fn(delivered);
    const reported: Outcome<string>[] = [];
    run({
      deliver,
      onFinished: async ({ key, subjectId }, outcome) => {
        expect([key, subjectId, (await row('a'))?.finished]).toEqual(['a', 'sub_a', false]);
        reported.push(outcome);
        if (reported.length === 1) throw new Error('the log is away');
        await Promise.resolve();
      },
    });
    await enqueue(database, [delivery('a')]);
    await until(async () => ((await row('a'))?.outcome !== null && (await row('a'))?.lease === null ? true : null));
    expect((await row('a'))?.payload).toBeNull();
    await database.run('update deliveries.delivery set due_at = now()');
    await finished('a');
    expect(deliver).toHaveBeenCalledTimes(1);
    expect(reported).toEqual(Array(2).fill({ outcome: 'delivered', evidence: 'yes', attempts: 1 }));
  });

  it('about a subject that is erased are dropped, and stay dropped', async () => {
    const deliver = jest.fn(delivered);
    await enqueue(database, [delivery('a'), delivery('b', { subjectId: 'sub_a' }), delivery('c')]);
    const claims = new Claims<string>(database, 'mail');
    const lease = 'b7a9a1c2-3d4e-4f5a-8b6c-7d8e9f0a1b2c';
    await claims.claim([{ endpoint: 'smtp', room: 1 }], lease, 60_000);
    expect(await dropSubjects(database, 'mail', ['sub_a', 'sub_nobody'])).toBe(2);
    for (const key of ['a', 'b'])
      expect(await row(key)).toMatchObject({
        payload: null,
        finished: true,
        outcome: { outcome: 'failed', reason: 'dropped' },
      });
    expect(await enqueue(database, [delivery('a')])).toBe(0);
    run({ deliver });
    await finished('c');
    expect(deliver).toHaveBeenCalledTimes(1);
  });

  it('that run at a stop may end; those that do not are put back', async () => {
    await enqueue(database, [delivery('short'), delivery('long')]);
    const begun: string[] = [];
    const runner = run({
      graceMs: 200,
      deliver: async ({ key }) => {
        begun.push(key);
        await (key === 'short' ? pause(50) : new Promise(() => undefined));
        return delivered();
      },
    });
    await until(() => begun.length === 2);
    await runner.stop();
    expect(await row('short')).toMatchObject({ finished: true });
    expect(await row('long')).toMatchObject({ finished: false, lease: null, last_reason: 'stopped' });
    expect((await row('long'))!.due_in).toBeLessThanOrEqual(0);
    await enqueue(database, [delivery('later')]);
    expect(await row('later')).toMatchObject({ attempts: 0 });
  });

  it('are counted while they wait, and forgotten 30 days after they ended', async () => {
    await enqueue(database, [delivery('waits'), delivery('waits-too'), delivery('old'), delivery('young')]);
    await dropSubjects(database, 'mail', ['sub_old', 'sub_young']);
    await database.run(
      `update deliveries.delivery set finished_at = now() - make_interval(days => case key when 'old' then 31 else 29 end) where finished_at is not null`,
    );
    expect(await backlog(database)).toEqual([{ channel: 'mail', open: 2, oldestSeconds: expect.any(Number) }]);
    expect(await prune(database)).toBe(1);
    expect(
      (await database.run<{ key: string }>('select key from deliveries.delivery order by id')).map(({ key }) => key),
    ).toEqual(['waits', 'waits-too', 'young']);
  });

  it('tidy up when a runner starts', async () => {
    const tidied = jest.fn(() => Promise.resolve());
    run({ deliver: delivered, housekeeping: tidied });
    await until(() => tidied.mock.calls.length === 1);
  });
});

describe('the wait before the next attempt', () => {
  it('is by schedule, within 20 % up or down, and ends with it', () => {
    expect([0, 0.5, 1].map((random) => waitMs([1000, 5000], 2, 0, () => random))).toEqual([4000, 5000, 6000]);
    expect(waitMs([1000, 5000], 3, 0, () => 0)).toBeNull();
  });

  it('is never shorter than the receiver asked, and never longer than about a day', () => {
    expect([0, 1].map((random) => waitMs([1000], 1, 60_000, () => random))).toEqual([60_000, 72_000]);
    expect(waitMs([1000], 1, 1e12, () => 0)).toBe(86_400_000);
  });
});
