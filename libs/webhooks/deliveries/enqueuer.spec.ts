import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { startLogDatabase, type LogDatabase } from '../../../test/support/log-database.js';
import { WebhookQueue } from '../../../test/support/webhook-queue.js';
import { until } from '../../../test/support/timing.js';
import { Database, type Statement } from '../../engines/database/database.js';
import { NEWS, newsIn, newsText, type News } from '../news.js';
import { WebhookEnqueuer } from './enqueuer.js';

/** Counts the statements that are sent, by their names. */
class CountingDatabase extends Database {
  readonly asked = new Map<string, number>();

  override query<R>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    this.asked.set(statement.name, this.count(statement.name) + 1);
    return super.query(statement, values);
  }

  count(name: string): number {
    return this.asked.get(name) ?? 0;
  }
}

let world: LogDatabase;
let queue: WebhookQueue;
let own: CountingDatabase;
let enqueuer: WebhookEnqueuer | null = null;

beforeAll(async () => {
  world = await startLogDatabase('assent_whole');
  queue = new WebhookQueue(world.database);
  own = new CountingDatabase(world.url);
});
afterEach(async () => {
  await enqueuer?.stop();
  enqueuer = null;
  await queue.clear();
});
afterAll(async () => {
  await own.close();
  await world.stop();
});

const tell = (news: Partial<News>): Promise<unknown> =>
  world.database.run('select pg_notify($1, $2)', [
    NEWS,
    newsText({ scope: 'shop.test', types: [], endpoints: false, ...news }),
  ]);
const rounds = (): number => own.count('webhooks_enqueue_new');
const looks = (): number => own.count('webhooks_scopes_notified');
/** Has looked once since it began to listen, and rests. */
async function start(): Promise<void> {
  enqueuer = new WebhookEnqueuer({ database: own, events: queue.made });
  const before = looks();
  enqueuer.start();
  await until(() => looks() >= before + 2);
  await pause(100);
}

describe('the queue of endpoints', () => {
  it('is not looked at where nobody is to be told, however much happens', async () => {
    await start();
    const [before, looksBefore] = [rounds(), looks()];
    for (let n = 0; n < 40; n++) await tell({ types: ['consent.recorded'] });
    await queue.many(1);
    await until(() => looks() > looksBefore);
    expect(rounds()).toBe(before);
  });

  it('is not looked at for the news of others', async () => {
    await queue.endpoint(['*']);
    await start();
    const [before, looksBefore] = [rounds(), looks()];
    // Further apart than rounds are, so that each could be the reason for one.
    for (let n = 0; n < 20; n++, await pause(30)) await tell({ scope: 'other.test', types: ['consent.recorded'] });
    await until(() => looks() > looksBefore);
    // What is looked at by itself, once a second, and not once for each.
    expect(rounds() - before).toBeLessThanOrEqual(looks() - looksBefore + 1);
  });

  it('is filled at once for an endpoint that has just come', async () => {
    await start();
    const endpoint = await queue.endpoint(['*']);
    const looksBefore = looks();
    await tell({ endpoints: true, types: ['consent.recorded'] });
    await until(() => looks() > looksBefore);
    const ids = await queue.many(3);
    await tell({ types: ['consent.granted'] });
    await until(async () => (await queue.keys(endpoint)).length === 3);
    expect(await queue.keys(endpoint)).toEqual(ids);
  });

  it('is filled within seconds where the news was lost', async () => {
    await start();
    const endpoint = await queue.endpoint(['*']);
    const ids = await queue.many(2);
    await until(async () => (await queue.keys(endpoint)).length === 2);
    expect(await queue.keys(endpoint)).toEqual(ids);
  });
});

describe('news', () => {
  it.each<News>([
    { scope: 'shop.live', types: [], endpoints: true },
    { scope: 'shop.live', types: ['consent.recorded', 'receipt.issued'], endpoints: true },
    { scope: 'shop.live', types: ['webhook.endpoint_disabled'], endpoints: false },
  ])('are read as they were written: %j', (news) => {
    expect(newsIn(newsText(news))).toEqual(news);
  });
});
