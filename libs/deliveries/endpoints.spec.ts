import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { until } from '../../test/support/timing.js';
import type { Scope } from '../kernel/index.js';
import { Claims } from './claims.js';
import type { Attempted, Delivery, NewDelivery, NotedAttempt } from './delivery.js';
import { backlog, enqueue } from './queue.js';
import { DeliveryRunner, type RunnerOptions } from './runner.js';

const SCOPE: Scope = { site: 'demo', env: 'test' };
const LEASE = 'b7a9a1c2-3d4e-4f5a-8b6c-7d8e9f0a1b2c';
let world: LogDatabase;
const runners: DeliveryRunner<null>[] = [];
const releases: (() => void)[] = [];

beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
});
afterAll(() => world?.stop());
afterEach(async () => {
  for (const release of releases.splice(0)) release();
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await world.database.run('delete from deliveries.delivery');
});

const delivery = (endpoint: string, key: string, subjectId: string | null = `sub_${key}`): NewDelivery => ({
  channel: 'post',
  endpoint,
  key,
  scope: SCOPE,
  subjectId,
  payload: Buffer.from(key),
});

function run(options: Pick<RunnerOptions<null>, 'deliver'> & Partial<RunnerOptions<null>>): DeliveryRunner<null> {
  const runner = new DeliveryRunner<null>({
    database: world.database,
    channel: 'post',
    scheduleMs: [0, 0, 0],
    random: () => 0.5,
    graceMs: 0,
    ...options,
  });
  runners.push(runner);
  runner.start();
  return runner;
}

const delivered: Attempted<null> = { outcome: 'delivered', evidence: null };
const failed: Attempted<null> = { outcome: 'retry', reason: 'busy', evidence: null };
/** Takes what it is given and says nothing until the test ends. */
const hang = (): Promise<Attempted<null>> => new Promise((resolve) => releases.push(() => resolve(delivered)));
const limited =
  (limit: number): NonNullable<RunnerOptions<null>['limits']> =>
  (endpoints) =>
    Promise.resolve(new Map(endpoints.map((endpoint) => [endpoint, limit])));

const rows = () =>
  world.database.run<{ endpoint: string; key: string; due_in: number; attempts: number; finished: boolean }>(
    'select endpoint, key, attempts, finished_at is not null as finished, extract(epoch from due_at - now())::float8 as due_in from deliveries.delivery order by id',
  );

describe('endpoints', () => {
  it.each([0, 64])('that hang take their own places and no other endpoint’s (%i rows ahead)', async (ahead) => {
    const inFlight = new Map<string, number>();
    const most = new Map<string, number>();
    let healthy = 0;
    const isHanging = (endpoint: string): boolean => Number(endpoint.slice(1)) % 10 === 0;
    run({
      concurrency: 512,
      ahead,
      limits: limited(8),
      deliver: async ({ endpoint }) => {
        inFlight.set(endpoint, (inFlight.get(endpoint) ?? 0) + 1);
        most.set(endpoint, Math.max(most.get(endpoint) ?? 0, inFlight.get(endpoint)!));
        await (isHanging(endpoint) ? hang() : pause(1));
        inFlight.set(endpoint, inFlight.get(endpoint)! - 1);
        if (!isHanging(endpoint)) healthy++;
        return delivered;
      },
    });
    const endpoints = Array.from({ length: 200 }, (_, n) => `e${n}`);
    for (let event = 0; event < 12; event++)
      await enqueue(
        world.database,
        endpoints.map((endpoint) => delivery(endpoint, `k${event}`)),
      );
    const hanging = endpoints.filter(isHanging);
    await until(() => healthy === 180 * 12 && hanging.every((endpoint) => inFlight.get(endpoint) === 8));
    expect(Math.max(...most.values())).toBe(8);
    expect([...inFlight].filter(([, now]) => now > 0).every(([endpoint]) => isHanging(endpoint))).toBe(true);
  });

  it('share what is free where there is not enough for all', async () => {
    const reached = new Set<string>();
    run({ concurrency: 20, limits: limited(8), deliver: ({ endpoint }) => (reached.add(endpoint), hang()) });
    await enqueue(
      world.database,
      Array.from({ length: 200 }, (_, n) => delivery(`e${n % 20}`, `k${n}`)),
    );
    await until(() => reached.size === 20);
  });

  it('get as much at once as they may have, which may change at any time, and nothing at 0', async () => {
    const limits = new Map([
      ['open', 3],
      ['shut', 0],
    ]);
    const under: string[] = [];
    run({
      concurrency: 50,
      limits: () => Promise.resolve(limits),
      deliver: async ({ endpoint, key }) => (under.push(`${endpoint} ${key}`), hang()),
    });
    await enqueue(
      world.database,
      ['open', 'shut'].flatMap((endpoint) => Array.from({ length: 6 }, (_, n) => delivery(endpoint, `k${n}`))),
    );
    await until(() => under.length === 3);
    limits.set('open', 5);
    await until(() => under.length === 5);
    limits.set('shut', 1);
    await until(() => under.length === 6);
    expect(under.filter((one) => one.startsWith('shut'))).toEqual(['shut k0']);
  });

  it('that are no more have nothing waiting', async () => {
    run({ limits: () => Promise.resolve(new Map([['there', 4]])), deliver: () => Promise.resolve(delivered) });
    await enqueue(world.database, [delivery('gone', 'a'), delivery('gone', 'b'), delivery('there', 'a')]);
    await until(async () => (await backlog(world.database)).length === 0);
    expect((await rows()).map(({ endpoint, attempts }) => [endpoint, attempts])).toEqual([
      ['gone', 0],
      ['gone', 0],
      ['there', 1],
    ]);
  });
});

describe('rows that were taken ahead', () => {
  const LIMIT = 4;
  let [limit, isHeld] = [LIMIT, false];
  let begun: Set<string>;
  let arrived: number;
  let answers: ((attempted: Attempted<null>) => void)[];
  beforeEach(() => {
    [limit, isHeld, begun, arrived, answers] = [LIMIT, false, new Set(), 0, []];
  });

  const leased = async () =>
    (
      await world.database.run<{ open: number }>(
        'select count(*)::int as open from deliveries.delivery where finished_at is null and lease is not null',
      )
    )[0]!.open;

  /** Until the endpoint answers no more, and rows wait in the process behind those that it does not answer. */
  async function hold(): Promise<void> {
    await until(async () => {
      isHeld = true;
      await until(() => answers.length === LIMIT);
      await until(async () => (await rows()).filter(({ finished }) => finished).length === arrived);
      if ((await leased()) > LIMIT) return true;
      isHeld = false;
      for (const answer of answers.splice(0)) answer(delivered);
      return false;
    });
  }

  async function start(): Promise<DeliveryRunner<null>> {
    const runner = run({
      concurrency: 64,
      ahead: 32,
      limits: (endpoints) => Promise.resolve(new Map(endpoints.map((endpoint) => [endpoint, limit]))),
      deliver: async ({ key }) => {
        begun.add(key);
        const attempted = isHeld ? await new Promise<Attempted<null>>((resolve) => answers.push(resolve)) : delivered;
        if (attempted === delivered) arrived++;
        return attempted;
      },
    });
    await enqueue(
      world.database,
      Array.from({ length: 2_000 }, (_, n) => delivery('e', `k${n}`)),
    );
    await until(() => arrived > 50);
    await hold();
    return runner;
  }

  it.each([
    [
      'their endpoint fails',
      () => {
        limit = 0;
        answers.splice(0).forEach((answer) => answer(failed));
      },
    ],
    ['their endpoint is paused', () => void (limit = 0)],
    ['the process stops', (runner: DeliveryRunner<null>) => runner.stop()],
  ])('go back where %s, and are no attempts', async (_, happens) => {
    const runner = await start();
    expect(await leased()).toBeGreaterThan(LIMIT);
    await happens(runner);
    await until(async () => (await leased()) <= answers.length);
    const attempted = (await rows()).filter(({ attempts }) => attempts > 0).map(({ key }) => key);
    expect(attempted.toSorted()).toEqual([...begun].toSorted());
    for (const answer of answers.splice(0)) answer(delivered);
  });

  it('go out once each as soon as there is room', async () => {
    await start();
    isHeld = false;
    for (const answer of answers.splice(0)) answer(delivered);
    await until(async () => (await backlog(world.database)).length === 0);
    expect([begun.size, arrived]).toEqual([2_000, 2_000]);
  });
});

describe('a line', () => {
  it.each([0, 32])(
    'goes on as soon as its head has arrived, in order, beside others (%i rows ahead)',
    async (ahead) => {
      const order: string[] = [];
      run({
        concurrency: 16,
        ahead,
        limits: limited(8),
        deliver: async ({ key }) => {
          await pause(1);
          order.push(key);
          return delivered;
        },
      });
      const lines = Array.from({ length: 300 }, (_, n) => delivery('e', `k${n}`, `sub_${n % 5}`));
      await enqueue(world.database, lines);
      const from = performance.now();
      await until(async () => (await backlog(world.database)).length === 0);
      for (let subject = 0; subject < 5; subject++) {
        const own = order.filter((key) => Number(key.slice(1)) % 5 === subject);
        expect(own).toEqual(Array.from({ length: 60 }, (_, n) => `k${n * 5 + subject}`));
      }
      // Looked for once a second, sixty in a row would take a minute.
      expect(performance.now() - from).toBeLessThan(45_000);
    },
  );

  it('waits as long as its head, without being looked at meanwhile; the lines beside it do not', async () => {
    let isFailing = true;
    const order: string[] = [];
    run({
      concurrency: 8,
      scheduleMs: [600_000],
      deliver: ({ key }) => {
        if (isFailing && key === 'a1') return Promise.resolve(failed);
        order.push(key);
        return Promise.resolve(delivered);
      },
    });
    await enqueue(world.database, [
      delivery('e', 'a1', 'sub_a'),
      ...Array.from({ length: 50 }, (_, n) => delivery('e', `a${n + 2}`, 'sub_a')),
      delivery('e', 'b1', 'sub_b'),
    ]);
    const putOff = async () => (await rows()).filter(({ finished, due_in: dueIn }) => !finished && dueIn > 30).length;
    await until(async () => (await putOff()) === 51);
    await until(async () => (await rows())[0]!.due_in > 470);
    expect(order).toEqual(['b1']);
    // What comes later is put off as well.
    await enqueue(world.database, [delivery('e', 'a99', 'sub_a')]);
    await until(async () => (await putOff()) === 52);
    isFailing = false;
    await world.database.run(`update deliveries.delivery set due_at = now() where key = 'a1'`);
    await until(async () => (await backlog(world.database)).length === 0);
    expect(order).toEqual(['b1', ...Array.from({ length: 51 }, (_, n) => `a${n + 1}`), 'a99']);
  });

  it('goes on after a crash between the end of its head and the next', async () => {
    await enqueue(world.database, [delivery('e', 'a1', 'sub_a'), delivery('e', 'a2', 'sub_a')]);
    const claims = new Claims<null>(world.database, 'post');
    const [{ id } = { id: 0n }] = await claims.claim([{ endpoint: 'e', room: 8 }], LEASE, 3_600_000);
    await claims.holdFollowers(['e']);
    expect((await rows())[1]!.due_in).toBeGreaterThan(3_000);
    await world.database.run(
      `update deliveries.delivery set finished_at = now(), payload = null, outcome = '{}' where id = $1`,
      [id],
    );
    run({ deliver: () => Promise.resolve(delivered) });
    await until(async () => (await rows()).every(({ finished }) => finished));
  });

  it('does not let a row that waits for another attempt go before its time', async () => {
    await enqueue(world.database, [delivery('e', 'a1', 'sub_a'), delivery('e', 'a2', 'sub_a')]);
    await world.database.run(
      `update deliveries.delivery set attempts = 2, due_at = now() + interval '1 hour' where key = 'a2'`,
    );
    const claims = new Claims<null>(world.database, 'post');
    await claims.claim([{ endpoint: 'e', room: 1 }], LEASE, 60_000);
    await world.database.run(
      `update deliveries.delivery set finished_at = now(), payload = null, outcome = '{}' where key = 'a1'`,
    );
    expect(await claims.claimNext([{ endpoint: 'e', subjectId: 'sub_a' }], LEASE, 60_000)).toEqual([]);
    await claims.releaseHeads();
    expect((await rows())[1]!.due_in).toBeGreaterThan(3_000);
  });
});

describe('attempts', () => {
  it('are handed on in the transaction that notes them, each once, with what came of it', async () => {
    const noted: NotedAttempt<null>[] = [];
    let refusals = 2;
    run({
      scheduleMs: [0, 0, 0],
      deliver: ({ key }: Delivery) =>
        Promise.resolve(key === 'a' && refusals-- > 0 ? { ...failed, answer: Buffer.from('no') } : delivered),
      onAttempts: async (tx, attempts) => {
        const ids = attempts.map(({ id }) => id);
        const [row] = await tx.run<{ open: number }>(
          'select count(*)::int as open from deliveries.delivery where id = any($1) and finished_at is null and lease is not null',
          [ids],
        );
        expect(row!.open).toBe(0);
        noted.push(...attempts);
      },
    });
    await enqueue(world.database, [delivery('e', 'a'), delivery('e', 'b')]);
    await until(async () => (await backlog(world.database)).length === 0);
    const of = (key: string) =>
      noted
        .filter((one) => one.key === key)
        .map(({ attempt, attempted, waitMs }) => [attempt, attempted.outcome, waitMs]);
    expect(of('a')).toEqual([
      [1, 'retry', 0],
      [2, 'retry', 0],
      [3, 'delivered', null],
    ]);
    expect(of('b')).toEqual([[1, 'delivered', null]]);
    expect(noted[0]!.at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('are not noted at all where what is to be noted with them cannot be', async () => {
    let isBroken = true;
    let [made, refused] = [0, 0];
    run({
      deliver: () => (made++, Promise.resolve(delivered)),
      onAttempts: () => (isBroken ? Promise.reject(new Error(`no ${++refused}`)) : Promise.resolve()),
    });
    await enqueue(world.database, [delivery('e', 'a')]);
    await until(() => refused === 2);
    expect((await rows())[0]!.finished).toBe(false);
    isBroken = false;
    await until(async () => (await rows())[0]!.finished);
    expect(made).toBe(1);
  });
});
