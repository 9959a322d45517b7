import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

interface Key {
  id: string;
  key: string;
}
const SITE = 'rotating';
const operate = (method: string, path: string, body?: unknown): Promise<Answer> =>
  world.request(method, `/admin/v1/sites${path}`, { key: 'operator', ...(body === undefined ? {} : { body }) });
const issue = async (more: Record<string, unknown> = {}, site = SITE): Promise<Key> => {
  const { status, body } = await operate('POST', `/${site}/keys`, { type: 'sk', env: 'test', name: 'probe', ...more });
  expect(status).toBe(201);
  return body as Key;
};
const rotate = (id: string, body: Record<string, unknown> = {}, site = SITE): Promise<Answer> =>
  operate('POST', `/${site}/keys/${id}/rotate`, body);
const list = (query = ''): Promise<Answer> => operate('GET', `/${SITE}/keys${query}`);
const listed = async (id: string): Promise<Record<string, unknown>> =>
  (await list('?limit=200')).body.data.find((key: Key) => key.id === id);
const use = (key: string, origin?: string): Promise<Answer> =>
  world.request('GET', '/v1/purposes', { key, ...(origin && { headers: { Origin: origin } }) });
const brief = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code];
const HOUR_MS = 3_600_000;

beforeAll(() =>
  operate('POST', '', { site: SITE, name: 'Rotating', allowedOrigins: { test: ['http://localhost:3000'] } }),
);

describe('rotation', () => {
  test('issues a successor that may do the same, while the key works on for a day', async () => {
    const old = await issue({
      type: 'pk',
      name: 'pages',
      scopes: ['catalogue:read'],
      allowedOrigins: ['https://app.example'],
    });
    const before = Date.now();
    const { status, body } = await rotate(old.id, { reason: 'yearly' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'pk',
      env: 'test',
      name: 'pages',
      scopes: ['catalogue:read'],
      allowedOrigins: ['https://app.example'],
      state: 'live',
      createdBy: 'operator:opt_first',
      rotatedFrom: old.id,
      replacedBy: null,
      expiresAt: null,
    });
    const overlapMs = Date.parse(body.overlapEndsAt) - before;
    expect(overlapMs).toBeGreaterThan(24 * HOUR_MS - 60_000);
    expect(overlapMs).toBeLessThan(24 * HOUR_MS + 60_000);
    for (const key of [old.key, body.key]) expect((await use(key, 'https://app.example')).status).toBe(200);
    expect(await listed(old.id)).toMatchObject({ state: 'live', expiresAt: body.overlapEndsAt, replacedBy: body.id });
    expect((await list()).text).not.toContain(body.key.slice(20, 52));
  });

  test('without overlap ends the key at once, on every instance', async () => {
    const old = await issue();
    const { body } = await rotate(old.id, { overlap: '0' });
    expect(brief(await use(old.key))).toEqual([401, 'api_key_expired']);
    expect((await use(body.key)).status).toBe(200);
    expect(await listed(old.id)).toMatchObject({ state: 'expired', replacedBy: body.id });
  });

  test.each(['1h', '7d'])('knows the overlap %s', async (overlap) => {
    const old = await issue();
    const { body } = await rotate(old.id, { overlap });
    expect(Math.round((Date.parse(body.overlapEndsAt) - Date.parse(body.createdAt)) / HOUR_MS)).toBe(
      overlap === '1h' ? 1 : 168,
    );
  });

  test('happens once, also when it is asked for many times at once', async () => {
    const old = await issue();
    const answers = await Promise.all(Array.from({ length: 4 }, () => rotate(old.id)));
    expect(answers.map(brief).sort(([a], [b]) => a - b)).toEqual([
      [201, undefined],
      [409, 'state_conflict'],
      [409, 'state_conflict'],
      [409, 'state_conflict'],
    ]);
    const successor = answers.find(({ status }) => status === 201)!.body.id;
    const { body } = await list('?limit=200');
    expect(body.data.filter(({ rotatedFrom }: { rotatedFrom: string | null }) => rotatedFrom === old.id)).toHaveLength(
      1,
    );
    const again = await rotate(old.id);
    expect([...brief(again), again.body.hint.includes(successor)]).toEqual([409, 'state_conflict', true]);
  });

  test('goes on from the successor', async () => {
    const first = await issue();
    const second = (await rotate(first.id, { overlap: '0' })).body;
    const third = (await rotate(second.id, { overlap: '0' })).body;
    expect(third.rotatedFrom).toBe(second.id);
    expect([brief(await use(first.key)), brief(await use(second.key)), (await use(third.key)).status]).toEqual([
      [401, 'api_key_expired'],
      [401, 'api_key_expired'],
      200,
    ]);
  });

  test('is refused for a key that is revoked, expired or not of the site', async () => {
    const [revoked, ended, other] = [await issue(), await issue(), await issue({}, world.demo.site)];
    await operate('POST', `/${SITE}/keys/${revoked.id}/revoke`, {});
    await rotate(ended.id, { overlap: '0' });
    expect(brief(await rotate(revoked.id))).toEqual([409, 'state_conflict']);
    expect(brief(await rotate(ended.id))).toEqual([409, 'state_conflict']);
    for (const id of [other.id, 'key_nobody'])
      for (const what of ['rotate', 'revoke']) {
        const answer = await operate('POST', `/${SITE}/keys/${id}/${what}`, {});
        expect([answer.status, answer.body]).toMatchObject([404, { code: 'key_not_found', issues: [{ path: 'id' }] }]);
      }
    expect(brief(await rotate(other.id, {}, 'nowhere'))).toEqual([404, 'route_not_found']);
    expect(brief(await rotate(other.id, { overlap: '2h' }, world.demo.site))).toEqual([422, 'validation_failed']);
    expect((await use(other.key)).status).toBe(200);
  });

  test('leaves both keys to be revoked', async () => {
    const old = await issue();
    const { body } = await rotate(old.id);
    for (const { id, key } of [old, body as Key]) {
      expect((await operate('POST', `/${SITE}/keys/${id}/revoke`, {})).body).toMatchObject({ state: 'revoked' });
      expect(brief(await use(key))).toEqual([401, 'api_key_invalid']);
    }
  });

  test('holds after a restart', async () => {
    const old = await issue();
    const { body } = await rotate(old.id, { overlap: '0' });
    await world.restart();
    expect([brief(await use(old.key)), (await use(body.key)).status]).toEqual([[401, 'api_key_expired'], 200]);
  });
});

describe('the list of keys', () => {
  test('comes in pages, newest first, which join while keys are issued', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await issue({ name: `page ${i}` })).id);
    const first = await list('?limit=2');
    expect(first.headers.link).toMatch(/^<\/admin\/v1\/sites\/rotating\/keys\?limit=2&cursor=[\w-]+>; rel="next"$/);
    await issue();
    const second = await list(`?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }: Key) => id)).toEqual(ids.slice(0, 4));
    expect(first.body.hasMore).toBe(true);
  });

  test('ends', async () => {
    const all = await list('?limit=200');
    expect([all.body.hasMore, all.body.nextCursor, all.headers.link]).toEqual([false, null, undefined]);
    const last = await list(`?limit=${all.body.data.length}`);
    expect(last.body).toMatchObject({ hasMore: false, nextCursor: null });
  });

  test('is filtered by type, environment and state', async () => {
    await issue({ type: 'pk', env: 'live', name: 'only' });
    expect((await list('?type=pk&env=live&state=live')).body.data.map(({ name }: { name: string }) => name)).toEqual([
      'only',
    ]);
    for (const state of ['live', 'expired', 'revoked']) {
      const { body } = await list(`?state=${state}&limit=200`);
      expect(body.data.length).toBeGreaterThan(0);
      expect(body.data.every((key: { state: string }) => key.state === state)).toBe(true);
    }
  });

  test.each(['?type=xk', '?state=LIVE', '?limit=0', '?cursor=nonsense', '?colour=red'])('refuses %s', async (query) => {
    expect(brief(await list(query))).toEqual([422, 'validation_failed']);
  });

  test('tells the hour in which a key was last used: an instance writes it once a minute, and when it stops', async () => {
    const [used, idle] = [await issue(), await issue()];
    const hour = () => `${new Date().toISOString().slice(0, 13)}:00:00.000Z`;
    const before = hour();
    await use(used.key);
    await world.restart();
    expect([before, hour()]).toContain((await listed(used.id))['lastUsedAt']);
    expect((await listed(idle.id))['lastUsedAt']).toBeNull();
  });
});
