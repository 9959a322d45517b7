import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { readCatalogueFolder } from '../../libs/catalogue/files.js';
import { expectFresh } from '../support/asking.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';
import type { ServedOperation } from '../support/openapi.js';
import { givenUpDelivery, newEndpoint } from '../support/webhook-endpoints.js';

let world: World;
let keys = 0;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const newKey = (): string => `operator-${process.pid}-${++keys}`;
const operate = (path: string, body: unknown, key?: string, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', `/admin/v1/sites${path}`, {
    key: 'operator',
    body,
    headers: { 'Idempotency-Key': key },
    ...ask,
  });
const siteKeys = (path = ''): string => `/${world.demo.site}/keys${path}`;
const keyIds = async (): Promise<string[]> =>
  (await world.request('GET', `/admin/v1/sites${siteKeys()}`, { key: 'operator' })).body.data.map(
    ({ id }: { id: string }) => id,
  );
const purpose = (key: string, more: object = {}): object => ({
  key,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'OTHER',
  controller: { name: 'Shop', contact: 'x@shop.example' },
  defaultLocale: 'en',
  translations: { en: { name: key, description: key } },
  ...more,
});

describe('a request of an operator, repeated under its Idempotency-Key', () => {
  const SK = { type: 'sk', env: 'test', name: 'repeated' };

  async function expectRepeated(
    ask: (key: string) => Promise<Answer>,
    since?: () => Promise<unknown>,
  ): Promise<Answer> {
    const key = newKey();
    const first = await ask(key);
    expect(first.status).toBeLessThan(300);
    expectFresh(first);
    await since?.();
    for (let i = 0; i < 2; i++) {
      const again = await ask(key);
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
        first.status,
        first.text,
        'true',
      ]);
      expect(again.headers['x-log-position']).toBe(first.headers['x-log-position']);
    }
    return first;
  }

  test('issues one key, and shows the same secret again', async () => {
    const before = await keyIds();
    const { body } = await expectRepeated(
      (key) => operate(siteKeys(), SK, key),
      async () => operate(siteKeys(), { ...SK, name: 'another' }),
    );
    const issued = (await keyIds()).filter((id) => !before.includes(id));
    expect(issued).toHaveLength(2);
    expect(issued).toContain(body.id);
    expect((await world.request('GET', '/v1/purposes', { key: body.key })).status).toBe(200);
  });

  test('gives the first answer although the key was revoked since', async () => {
    let id = '';
    await expectRepeated(
      async (key) => {
        const answer = await operate(siteKeys(), SK, key);
        id = answer.body.id;
        return answer;
      },
      () => operate(siteKeys(`/${id}/revoke`), {}),
    );
    const { body } = await world.request('GET', `/admin/v1/sites${siteKeys()}?state=revoked`, { key: 'operator' });
    expect(body.data.map((one: { id: string }) => one.id)).toContain(id);
  });

  test('rotates a key once', async () => {
    const { body: old } = await operate(siteKeys(), SK);
    const { body } = await expectRepeated((key) => operate(siteKeys(`/${old.id}/rotate`), { overlap: '1h' }, key));
    expect(body.rotatedFrom).toBe(old.id);
    expect((await operate(siteKeys(`/${old.id}/rotate`), { overlap: '1h' }, newKey())).body.code).toBe(
      'state_conflict',
    );
  });

  test('revokes a key, at the moment of the first time', async () => {
    const { body: old } = await operate(siteKeys(), SK);
    const { body } = await expectRepeated((key) => operate(siteKeys(`/${old.id}/revoke`), { reason: 'leaked' }, key));
    expect(body.state).toBe('revoked');
  });

  test('registers and changes a site, and tells of it as it was then', async () => {
    const site = `s-${Math.random().toString(36).slice(2, 12)}`;
    await expectRepeated(
      (key) => operate('', { site, name: 'First' }, key),
      () => operate('', { site, name: 'Second' }),
    );
    const { body } = await expectRepeated((key) => operate('', { site, name: 'Third', languages: ['en', 'de'] }, key));
    expect(body).toMatchObject({ site, name: 'Third', languages: ['en', 'de'] });
  });

  test('publishes a catalogue once, and tells of it as it was then', async () => {
    const path = `/${world.demo.site}/test/catalogue`;
    const { body } = await expectRepeated(
      (key) => operate(path, { purposes: [purpose('once_only'), purpose('beside')] }, key),
      () => operate(path, { purposes: [purpose('once_only', { category: 'ANALYTICS' })] }),
    );
    expect(body.changes.map(({ key, version }: { key: string; version: number }) => [key, version])).toEqual([
      ['once_only', 1],
      ['beside', 1],
    ]);
    const { body: current } = await world.request('GET', '/v1/purposes/once_only/current');
    expect(current.version).toBe(2);
  });

  test('is refused with another body, and on another path', async () => {
    const key = newKey();
    await operate(siteKeys(), SK, key);
    for (const again of [
      await operate(siteKeys(), { ...SK, name: 'other' }, key),
      await operate(`/${world.demo.site}/test/catalogue`, { purposes: [purpose('other_path')] }, key),
    ])
      expect([again.status, again.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await operate(siteKeys(), SK, 'with a space')).body.code).toBe('idempotency_key_invalid');
  });

  test('that was refused is free for the mended one', async () => {
    const key = newKey();
    expect((await operate(siteKeys(), { ...SK, expiresAt: '2020-01-01T00:00:00Z' }, key)).status).toBe(422);
    expect((await operate(siteKeys(), SK, key)).status).toBe(201);
  });

  test('does not meet the keys of the site', async () => {
    const key = newKey();
    const record = { subject: world.visitor(), purpose: 'analytics', decision: 'GRANTED' };
    await world.recorded(record, { key: 'sk', headers: { 'Idempotency-Key': key } });
    expect((await operate(siteKeys(), SK, key)).status).toBe(201);
  });

  test('has one effect however many come at once', async () => {
    const before = (await keyIds()).length;
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => operate(siteKeys(), SK, key)));
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { status, body } of answers)
      if (status !== 201) expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
    expect(await keyIds()).toHaveLength(before + 1);
  });
});

/** Who asks who read somebody is counted too, while it is asked: without those. */
const others = (items: object[]): object[] =>
  items.filter((item) => !/^list(Site)?SubjectReads$/.test((item as { operation?: string }).operation ?? ''));

/** Somebody of whom it is on record that three operations read them; nobody reads them any more. */
async function readByThree(): Promise<string> {
  const subject = world.visitor();
  await world.recorded({ subject });
  for (const rest of ['', '/history', '/explain?purpose=analytics'])
    expect((await world.request('GET', pathOf(subject, rest), { key: 'sk' })).status).toBe(200);
  const listed = async (): Promise<object[]> => {
    const { body } = await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/reads`);
    return others(body.data as object[]);
  };
  for (const deadline = Date.now() + 120_000; (await listed()).length < 3 && Date.now() < deadline;) await pause(100);
  return subject;
}

test('every list is paged by limit and cursor, and its pages join', async () => {
  const path = `/${world.demo.site}/test/catalogue`;
  for (const category of ['OTHER', 'ANALYTICS', 'MARKETING', 'FUNCTIONAL'])
    await operate(path, { purposes: [purpose('paged', { category })] });
  const lists = Object.entries(world.document.paths).flatMap(([template, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema as { $ref?: string } | undefined;
    const name = schema?.$ref?.split('/').at(-1);
    // Keys that sign receipts come in one page: each rotation makes one. A feed has no end (event-feed.spec.ts).
    return name &&
      !['SigningKeyList', 'EventList'].includes(name) &&
      world.document.components.schemas[name]!.properties?.nextCursor
      ? [{ template, operation: get! }]
      : [];
  });
  expect(lists.length).toBeGreaterThanOrEqual(6);
  const subject = world.visitor();
  for (const decision of ['GRANTED', 'WITHDRAWN', 'GRANTED']) await world.recorded({ subject, decision });
  const readers = await readByThree();
  const told = await newEndpoint(world);
  for (let times = 0; times < 3; times++) await givenUpDelivery(world, told);
  for (const { template, operation } of lists) {
    const names = operation.parameters!.map(({ name }) => name);
    expect([template, names]).toEqual([template, expect.arrayContaining(['limit', 'cursor'])]);
    const address = template
      .replace('{ref}', encodeURIComponent(template.endsWith('/reads') ? readers : subject))
      .replace('{site}', world.demo.site)
      .replace('{env}', 'test')
      .replace('{id}', told)
      .replace('{key}', 'paged');
    const key = operation.security.some((way) => 'operatorToken' in way) ? 'operator' : 'sk';
    const get = async (query: string): Promise<Answer> => {
      const answer = await world.request('GET', `${address}?${query}`, { key });
      expect([template, answer.status]).toEqual([template, 200]);
      return answer;
    };
    const inPagesOf = async (limit: number): Promise<object[]> => {
      const joined: object[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { body, headers }: Answer = await get(`limit=${limit}${cursor && `&cursor=${cursor}`}`);
        expect(body.data.length).toBeLessThanOrEqual(limit);
        expect(body.hasMore).toBe(body.nextCursor !== null);
        expect(headers.link !== undefined).toBe(body.hasMore);
        joined.push(...others(body.data as object[]));
        cursor = body.nextCursor;
      }
      return joined;
    };
    // What operators see is of every site, those of the specs before included: more than one page holds.
    const bothWays = async (): Promise<[object[], object[]]> => [await inPagesOf(200), await inPagesOf(1)];
    // Reads are written down a second after they were made: those of the lists before may come between the pages.
    let [whole, joined] = await bothWays();
    for (const deadline = Date.now() + 60_000; template.endsWith('/reads') && Date.now() < deadline;) {
      if (isDeepStrictEqual(joined, whole)) break;
      await pause(1_000);
      [whole, joined] = await bothWays();
    }
    expect(joined).toEqual(whole);
    expect((await world.request('GET', `${address}?limit=201`, { key })).status).toBe(422);
    expect((await world.request('GET', `${address}?cursor=x`, { key })).status).toBe(422);
  }
});

describe('a condition', () => {
  const reads = (): [string, ServedOperation][] =>
    Object.entries(world.document.paths).flatMap(([template, { get }]): [string, ServedOperation][] =>
      get ? [[template, get]] : [],
    );

  test.each(['*', ' * ', '"x", *', 'W/"', '""', 'nonsense', '*, "x"'])(
    'If-None-Match: %s is answered as declared',
    async (condition) => {
      for (const [template, operation] of reads()) {
        const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(
            name === 'site' ? world.demo.site : String(operation.parameters!.find((one) => one.name === name)!.example),
          ),
        );
        const required = operation.parameters?.filter((one) => one.in === 'query' && one.required) ?? [];
        const query = required.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
        const key =
          operation.security.length === 0 ? null : 'operatorToken' in operation.security[0]! ? 'operator' : 'sk';
        const ask = (headers: Record<string, string>): Promise<Answer> =>
          world.request('GET', `${path}${query && `?${query}`}`, { key, headers });
        const { status: plain } = await ask({});
        const { status, headers, text } = await ask({ 'If-None-Match': condition });
        // A star stands for whatever there is (RFC 9110 13.1.2), alone.
        const hits = condition.trim() === '*' && plain === 200 && '304' in operation.responses;
        expect([template, status]).toEqual([template, hits ? 304 : plain]);
        if (hits) expect([headers.etag === undefined, text]).toEqual([false, '']);
      }
    },
  );
});

test('the probes are part of the document', async () => {
  for (const path of ['/livez', '/readyz', '/metrics']) {
    expect(Object.keys(world.document.paths)).toContain(path);
    expect((await world.request('GET', path, { key: null })).status).toBe(200);
  }
});

test.each(['name\nof two lines', 'bell\u0007', '\u001b[2Jcleared', 'next\u0085line', 'para\u2029graph'])(
  'a name that would steer a terminal is refused: %j',
  async (name) => {
    const site = 'controlling';
    for (const { status, body } of [
      await operate('', { site, name }),
      await operate(siteKeys(), { type: 'sk', env: 'test', name }),
    ]) {
      expect([status, body.code]).toEqual([422, 'validation_failed']);
      expect(body.issues.map(({ path }: { path: string }) => path)).toEqual(['name']);
    }
  },
);

test('a mail of a live environment is refused at once where there is no mail server', async () => {
  const { body: live } = await operate(siteKeys(), { type: 'sk', env: 'live', name: 'live' });
  const { purposes, template } = await readCatalogueFolder('apps/standalone/demo');
  const applied = await operate(`/${world.demo.site}/live/catalogue`, { purposes, template });
  await world.request('GET', '/v1/purposes', {
    key: live.key,
    headers: { 'X-Log-Position': applied.headers['x-log-position'] },
  });
  const subject = 'email:nobody-mails@live.example';
  const ask = (more: object): Promise<Answer> =>
    world.request('POST', '/v1/preferences/confirmation-token', {
      key: live.key,
      body: {
        subject,
        channel: 'email',
        values: [{ field: 'news', value: true }],
        redirectUrl: 'https://demo.example/',
        ...more,
      },
    });
  const { status, body, headers } = await ask({ to: 'nobody-mails@live.example' });
  expect([status, body.code, body.issues[0].path]).toEqual([503, 'dependency_unavailable', 'to']);
  expect(body.hint).toMatch(/SMTP_URL/);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}`, { key: live.key })).status).toBe(
    404,
  );
  expect((await ask({})).status).toBe(201);
});
