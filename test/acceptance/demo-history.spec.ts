import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/timing.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

const ADA = 'email:ada@demo.example';
const DAY_MS = 86_400_000;
const DAYS = 42;

let world: World;
const asked = (path: string, key = 'sk'): Promise<Answer> => world.request('GET', path, { key });
const listed = async <T>(path: string, key = 'sk'): Promise<T[]> => (await asked(path, key)).body['data'] as T[];

interface Key {
  name: string;
  createdAt: string;
  revokedAt: string | null;
}
/** The key whose end is that of the history. */
const historyKey = async (): Promise<Key> =>
  (await listed<Key>('/admin/v1/sites/demo/keys', 'operator')).find(({ name }) => name === 'shop before the move')!;
const isWhole = async (): Promise<boolean> => (await historyKey()).revokedAt !== null;

interface Week {
  from: string;
  grants: number | null;
  refusals: number | null;
  withdrawals: number | null;
  shown: number | null;
}
const weeksOf = async (purpose: string): Promise<Week[]> =>
  (await asked(`/v1/statistics/consent?purpose=${purpose}&by=week`)).body['periods'] as Week[];

interface Item {
  type: string;
  recordedAt: string;
}

beforeAll(async () => {
  world = await startWorld({ bundled: true, env: { ASSENT_DEMO: 'on', ASSENT_WEBHOOK_ALLOW: '' } });
  // A start that is cut off in the midst: the next one goes on.
  await until(hasMerged);
  await world.kill9();
  await world.restart();
  await until(isWhole);
  await world.caughtUp();
});
afterAll(() => world?.stop());

const hasMerged = async (): Promise<boolean> =>
  (await listed<Item>(`/v1/subjects/${encodeURIComponent(ADA)}/timeline`)).some(
    ({ type }) => type === 'subjects_merged',
  );

const daysAgo = (at: string): number => (Date.now() - Date.parse(at)) / DAY_MS;

it('happens once: a start after it adds nothing, and no step was refused', async () => {
  const before = await asked('/v1/statistics/consent?purpose=analytics&by=month');
  await world.restart();
  await world.caughtUp();
  expect((await asked('/v1/statistics/consent?purpose=analytics&by=month')).body).toEqual(before.body);
  expect(world.output()).not.toMatch(/history of the demo/);
});

describe('it shows', () => {
  it('a person over weeks, who was a visitor before', async () => {
    const items = await listed<Item>(`/v1/subjects/${encodeURIComponent(ADA)}/timeline?limit=100`);
    const past = items.filter(({ recordedAt }) => daysAgo(recordedAt) > 1);
    const days = past.map(({ recordedAt }) => daysAgo(recordedAt));
    expect(Math.max(...days) - Math.min(...days)).toBeGreaterThan(30);
    for (const type of [
      'subjects_merged',
      'preference_confirmed',
      'preference_set',
      'consent_recorded',
      'data_request_received',
    ])
      expect(past.map((item) => item.type)).toContain(type);
    const stateOn = async (day: number): Promise<unknown> => {
      const asOf = new Date(Date.parse((await historyKey()).createdAt) + day * DAY_MS).toISOString();
      const { body } = await asked(pathOf(ADA, `?purpose=marketing&asOf=${asOf}`));
      return (body['purposes'] as Record<string, { state: string }>)['marketing']?.state;
    };
    expect(await Promise.all([10, 18, 23].map(stateOn))).toEqual(['DENIED', 'GRANTED', 'WITHDRAWN']);
  });

  it('figures of weeks that are large enough to be shown, and not the same', async () => {
    for (const purpose of ['analytics', 'marketing']) {
      const weeks = (await weeksOf(purpose)).filter(({ shown }) => shown !== 0);
      expect(weeks.length).toBeGreaterThanOrEqual(6);
      const whole = weeks.filter(({ grants, refusals, shown }) => grants && refusals && shown);
      expect(whole.length).toBeGreaterThanOrEqual(3);
      expect(new Set(whole.map(({ grants }) => grants)).size).toBeGreaterThan(1);
      // The history begins on the weekday of today: its first week is cut off, and so may be the current one.
      const ended = whole.filter((week) => week !== weeks[0] && week !== weeks.at(-1));
      expect(ended.length).toBeGreaterThan(0);
      for (const { shown } of ended) expect(shown).toBeGreaterThan(50);
    }
    const months = await asked('/v1/statistics/consent?purpose=analytics&by=month&country=DE');
    expect((months.body['periods'] as Week[]).some(({ grants }) => (grants ?? 0) >= 10)).toBe(true);
  });

  it('data requests in each state, by their own dates', async () => {
    interface Shown {
      type: string;
      state: string;
      overdue: boolean;
      receivedAt: string;
      dueAt: string;
    }
    const requests = await listed<Shown>('/v1/data-requests');
    const states = requests.map(({ type, state, overdue }) => [type, state, overdue]);
    expect(states).toEqual(
      expect.arrayContaining([
        ['ERASURE', 'RECEIVED', true],
        ['ACCESS', 'COMPLETED', false],
        ['ACCESS', 'IN_PROGRESS', false],
        ['RECTIFICATION', 'ON_HOLD', false],
        ['OPT_OUT_SALE_SHARE', 'RECEIVED', false],
      ]),
    );
    const near = requests.find(({ state }) => state === 'IN_PROGRESS')!;
    expect(daysAgo(near.receivedAt)).toBeGreaterThan(25);
    expect(-daysAgo(near.dueAt)).toBeLessThan(8);
  });

  it('two versions of a text, and a banner that was published before the second', async () => {
    interface Version {
      at: string;
      changes: { key: string; version: number }[];
    }
    const versions = await listed<Version>('/admin/v1/sites/demo/test/catalogue/versions', 'operator');
    expect(versions.map(({ changes }) => changes.length > 1 || [changes[0]!.key, changes[0]!.version])).toEqual([
      ['marketing', 2],
      ['banner', 2],
      true,
    ]);
    expect(daysAgo(versions[2]!.at)).toBeGreaterThanOrEqual(DAYS);
  });

  it('an endpoint that works beside one at which nothing listens', async () => {
    interface Endpoint {
      description: string;
      state: string;
      health: { lastSuccessAt: string | null; failingSince: string | null };
    }
    const health = async (): Promise<Record<string, Endpoint>> =>
      Object.fromEntries((await listed<Endpoint>('/v1/webhook-endpoints')).map((each) => [each.description, each]));
    const { 'Customer relations': works, 'Data warehouse': fails } = await until(async () => {
      const now = await health();
      return now['Data warehouse']?.health.failingSince && now['Customer relations']?.health.lastSuccessAt ? now : null;
    });
    expect(works!.health.failingSince).toBeNull();
    expect([fails!.state, fails!.health.lastSuccessAt]).toEqual(['ENABLED', null]);
  });

  it('an opt-out by Global Privacy Control in California, and a consent by phone', async () => {
    interface Record {
      decision: string;
      signals: { gpc?: boolean };
      collection: { surface: string };
    }
    const of = (name: string, purpose: string): Promise<Record[]> =>
      listed(pathOf(`email:${name}`, `/history?purpose=${purpose}`));
    expect(await of('noah.garcia@example.org', 'sale_of_data')).toMatchObject([
      { decision: 'OBJECTED', signals: { gpc: true } },
    ]);
    expect((await of('ada@demo.example', 'marketing')).map(({ collection }) => collection.surface)).toContain('CALL');
  });

  it('who read of a person', async () => {
    const reads = await listed<{ lastAt: string }>('/admin/v1/sites/demo/test/reads', 'operator');
    expect(reads.filter(({ lastAt }) => daysAgo(lastAt) > 1).length).toBeGreaterThanOrEqual(2);
  });
});

it('has a service whose projections and ledger hold', async () => {
  const { body } = await asked('/admin/v1/health', 'operator');
  expect(body['status']).not.toBe('FAILED');
});
