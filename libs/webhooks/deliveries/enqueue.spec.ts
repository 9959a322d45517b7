import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generator } from '../../../test/support/generator.js';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { numbered, WebhookQueue } from '../../../test/support/webhook-queue.js';
import { until } from '../../../test/support/timing.js';
import { Database } from '../../engines/database/database.js';
import { enqueueAgain, enqueueNew, OPEN_MAX, READY_MAX } from './enqueue.js';

const SEED = Number(process.env['LAWS_SEED'] ?? Date.now() % 2 ** 31);
let world: LogDatabase;
let queue: WebhookQueue;

beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
  queue = new WebhookQueue(world.database);
});
afterAll(() => world?.stop());
afterEach(() => queue.clear());

/** Rounds until there is nothing more to do, or nothing that there is room for. */
async function enqueued(): Promise<void> {
  await until(async () => {
    const done = [
      ...(await enqueueNew(world.database, queue.made, [])),
      ...(await enqueueAgain(world.database, queue.made, [])),
    ];
    return done.every(({ scanned }) => scanned === 0);
  });
}
/** Ends the oldest open deliveries of the endpoint. */
const finish = (endpoint: string, count: number) =>
  world.database.run(
    `update deliveries.delivery set finished_at = now(), payload = null, outcome = '{"outcome":"delivered"}'
     where id = any(array(select id from deliveries.delivery where endpoint = $1 and finished_at is null order by id limit $2)) returning id`,
    [endpoint, count],
  );
const finishAll = (endpoint: string) => finish(endpoint, OPEN_MAX);

describe('what an endpoint is sent', () => {
  it('is what came after it, of its types, in their order, and each once', async () => {
    await queue.many(3);
    const all = await queue.endpoint(['*']);
    const consent = await queue.endpoint(['consent.*']);
    const one = await queue.endpoint(['subject.erased']);
    const none = await queue.endpoint([]);
    const ids = await queue.happened(
      ['consent.granted', 'subject.erased', 'consentious.thing', 'consent.withdrawn'].map((type, n) => ({
        type,
        subjectId: n === 1 ? null : numbered('sub', n),
      })),
    );
    await enqueued();
    await enqueued();
    expect(await queue.keys(all)).toEqual(ids);
    expect(await queue.keys(consent)).toEqual([ids[0], ids[3]]);
    expect(await queue.keys(one)).toEqual([ids[1]]);
    expect(await queue.keys(none)).toEqual([]);
  });

  it('is what is meant for it alone, whatever its types, and nothing that is meant for another', async () => {
    const tested = await queue.endpoint(['consent.granted']);
    const other = await queue.endpoint(['*']);
    const [id] = await queue.happened([{ type: 'webhook.test', subjectId: null, endpoint: tested }]);
    await enqueued();
    expect(await queue.keys(tested)).toEqual([id]);
    expect(await queue.keys(other)).toEqual([]);
  });

  it('waits while it is paused, and is exactly what it missed afterwards', async () => {
    const endpoint = await queue.endpoint(['*']);
    const before = await queue.many(3);
    await enqueued();
    await queue.set(endpoint, `state = 'PAUSED'`);
    const meanwhile = await queue.many(5);
    await enqueued();
    expect(await queue.keys(endpoint)).toEqual(before);
    await queue.set(endpoint, `state = 'ENABLED'`);
    await enqueued();
    expect(await queue.keys(endpoint)).toEqual([...before, ...meanwhile]);
  });

  it('is a cursor and no row as long as enough is ready, however much it is', async () => {
    const endpoint = await queue.endpoint(['*']);
    const ids = await queue.many(READY_MAX * 3 + 7);
    await enqueued();
    expect(await queue.keys(endpoint)).toEqual(ids.slice(0, READY_MAX));
    await finish(endpoint, READY_MAX / 5);
    expect(await enqueueNew(world.database, queue.made, [])).toMatchObject([{ room: 0, scanned: 0, isFull: false }]);
    await finish(endpoint, READY_MAX / 5);
    expect(await enqueueNew(world.database, queue.made, [])).toMatchObject([{ room: (READY_MAX * 2) / 5 }]);
    await finishAll(endpoint);
    await enqueued();
    expect(await queue.keys(endpoint)).toHaveLength((READY_MAX * 12) / 5);
    await finishAll(endpoint);
    await enqueued();
    expect(await queue.keys(endpoint)).toEqual(ids);
  });

  it('goes on beside what waits for another attempt, up to a bound', async () => {
    const endpoint = await queue.endpoint(['*']);
    await queue.many(OPEN_MAX + 2_000);
    for (let waiting = READY_MAX; waiting <= OPEN_MAX; waiting += READY_MAX) {
      await enqueued();
      expect(await queue.keys(endpoint)).toHaveLength(waiting);
      await world.database.run(`update deliveries.delivery set due_at = now() + interval '1 hour'`);
    }
    await enqueued();
    expect(await queue.keys(endpoint)).toHaveLength(OPEN_MAX);
    expect(await enqueueNew(world.database, queue.made, [])).toMatchObject([{ endpoint, isFull: true, scanned: 0 }]);
    expect(await enqueueNew(world.database, queue.made, [endpoint])).toEqual([]);
  });

  it('does not wait for another endpoint with a long backlog', async () => {
    const behind = await queue.endpoint(['*']);
    await queue.set(behind, `state = 'PAUSED'`);
    await queue.many(8_000);
    const fresh = await queue.endpoint(['*']);
    await queue.set(behind, `state = 'ENABLED'`);
    const ids = await queue.many(2);
    await enqueueNew(world.database, queue.made, []);
    expect(await queue.keys(fresh)).toEqual(ids);
  });
});

describe('a replay', () => {
  const replayed = (id: string, endpoint: string, from: number, through: number, types: string[] | null) =>
    world.database.run(
      `insert into webhooks.replay (id, endpoint, from_sequence, through_sequence, types, cursor, requested_at)
       values ($1, $2, $3::bigint, $4::bigint, $5, $3::bigint - 1, now())`,
      [id, endpoint, from, through, types],
    );
  const finished = async () =>
    (await world.database.run('select id from webhooks.replay where finished_at is not null order by id')).length;

  it('sends a stretch again under the ids of its events, in rows of its own, and then is over', async () => {
    const endpoint = await queue.endpoint(['*']);
    const ids = await queue.many(6);
    await enqueued();
    const replay = numbered('whr', 1);
    await replayed(replay, endpoint, 16, 64, null);
    await enqueued();
    await enqueued();
    expect(await queue.keys(endpoint)).toEqual([...ids, ...ids.slice(1, 5).map((id) => `${id} ${replay}`)]);
    expect(await finished()).toBe(1);
  });

  it('sends again what it names, of what the endpoint is sent', async () => {
    await queue.happened(
      ['consent.granted', 'subject.merged', 'consent.denied'].map((type) => ({ type, subjectId: null })),
    );
    const endpoint = await queue.endpoint(['consent.*', 'subject.merged']);
    const narrow = await queue.endpoint(['consent.granted']);
    await replayed(numbered('whr', 1), endpoint, 0, 100, ['subject.*', 'consent.denied']);
    await replayed(numbered('whr', 2), narrow, 0, 100, ['*']);
    await enqueued();
    expect((await queue.keys(endpoint)).map((key) => key.slice(0, 30))).toEqual([
      numbered('evt', 1),
      numbered('evt', 2),
    ]);
    expect((await queue.keys(narrow)).map((key) => key.slice(0, 30))).toEqual([numbered('evt', 0)]);
    expect(await finished()).toBe(2);
  });

  it('of a long stretch goes as the receiver takes it, one replay after the other', async () => {
    await queue.many(READY_MAX + 500);
    const endpoint = await queue.endpoint(['*']);
    await replayed(numbered('whr', 1), endpoint, 0, 1e6, null);
    await replayed(numbered('whr', 2), endpoint, 0, 16, null);
    await enqueued();
    expect(await queue.keys(endpoint)).toHaveLength(READY_MAX);
    await finishAll(endpoint);
    await enqueued();
    const keys = await queue.keys(endpoint);
    expect(keys.slice(0, READY_MAX + 500).every((key) => key.endsWith(numbered('whr', 1)))).toBe(true);
    expect(keys.slice(READY_MAX + 500)).toEqual([0, 1].map((n) => `${numbered('evt', n)} ${numbered('whr', 2)}`));
    expect(await finished()).toBe(2);
  });
});

it(`is missed and doubled by nobody, with rivals that roll back and whose connections are cut at any moment (seed ${SEED})`, async () => {
  const random = generator(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const types = ['consent.granted', 'consent.denied', 'subject.merged', 'receipt.issued'];
  const patterns = [['*'], ['consent.*'], ['subject.merged', 'receipt.*'], ['consent.denied']];
  const endpoints: { id: string; patterns: string[]; from: number }[] = [];
  const events: { id: string; type: string }[] = [];
  const rivals = [0, 1, 2].map(() => new Database(world.url, { max: 1, budgetMs: 10_000, name: 'assent rival' }));
  let isOver = false;
  let [cut, rolledBack, committed] = [0, 0, 0];

  const rounds = async (database: Database): Promise<void> => {
    while (!isOver) {
      const fails = random() < 0.2;
      const round = database.transaction(async (tx) => {
        await enqueueNew(tx, queue.made, []);
        if (fails) throw new Error('rolled back');
      });
      await round.then(
        () => committed++,
        (error: Error) => (error.message === 'rolled back' ? rolledBack++ : cut++),
      );
    }
  };
  /** Between two cuts some round comes to its end, however slow rounds are: else each of them is cut, and none rolls back. */
  const killer = async (): Promise<void> => {
    for (let ended = -1; !isOver; await pause(random() * 20)) {
      if (committed + rolledBack === ended) continue;
      ended = committed + rolledBack;
      await world.database.run(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assent rival' and datname = current_database() and random() < 0.5`,
      );
    }
  };
  /** What is ready is delivered now and then, so that there is room. */
  const drain = async (): Promise<void> => {
    while (!isOver) {
      await pause(5);
      for (const { id } of endpoints) await finishAll(id);
    }
  };
  const running = [...rivals.map(rounds), killer(), drain()];
  // Beside a load a round may take as long as many steps, and a step as long as all of them: it goes on until some were
  // cut and some rolled back, and then no longer than a minute.
  const lastsUntil = Date.now() + 60_000;
  const isEnough = (steps: number): boolean => rolledBack > 0 && cut > 0 && (steps >= 150 || Date.now() > lastsUntil);
  for (let step = 0; !isEnough(step); step++) {
    if (step % 25 === 0) {
      const wanted = pick(patterns);
      endpoints.push({ id: await queue.endpoint(wanted), patterns: wanted, from: events.length });
    }
    if (random() < 0.2)
      await queue.set(pick(endpoints).id, `state = case state when 'ENABLED' then 'PAUSED' else 'ENABLED' end`);
    const batch = Array.from({ length: 1 + Math.floor(random() * 40) }, () => ({ type: pick(types), subjectId: null }));
    const ids = await queue.happened(batch);
    events.push(...batch.map(({ type }, i) => ({ type, id: ids[i]! })));
  }
  await world.database.run(`update webhooks.endpoint set state = 'ENABLED'`);
  isOver = true;
  await Promise.all(running);
  await Promise.all(rivals.map((rival) => rival.close()));
  for (const { id, patterns: wanted, from } of endpoints) {
    await until(async () => {
      await enqueued();
      return (await finishAll(id)).length === 0;
    });
    const matching = events
      .slice(from)
      .filter(({ type }) =>
        wanted.some((pattern) => pattern === '*' || pattern === type || pattern === `${type.split('.')[0]}.*`),
      );
    expect(await queue.keys(id)).toEqual(matching.map((event) => event.id));
  }
}, 600_000);
