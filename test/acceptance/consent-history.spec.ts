import { WEAKENED } from '../support/asked-person.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type Item = Record<string, unknown> & { id: string; sequence: number };
const history = (subject: string, query = '', ask: Ask = {}): Promise<Answer> =>
  world.request('GET', pathOf(subject, `/history${query}`), ask);
const record = (subject: string, more: Record<string, unknown> = {}): Promise<Answer> =>
  world.recorded({ subject, ...more }, { key: 'sk' });

test('everything that was recorded is told, newest first', async () => {
  const subject = world.visitor();
  const first = await record(subject);
  const second = await record(subject, {
    decision: 'DENIED',
    jurisdiction: { country: 'US', region: 'US-CA', source: 'DETECTED' },
    collection: {
      method: 'SAVE_CHOICES',
      surface: 'BANNER',
      url: 'https://shop.example/a',
      locale: 'de-AT',
      bannerVersion: 3,
      noticeHash: `sha256:${'a'.repeat(64)}`,
      display: WEAKENED,
    },
    signals: { gpc: true, dnt: false },
    actor: { type: 'GUARDIAN', id: 'g-1', relationship: 'parent' },
    vendors: [{ framework: 'TCF', id: 755, decision: 'DENIED' }],
    evidence: [
      { type: 'SCREENSHOT', sha256: 'b'.repeat(64), uri: 'https://archive.example/1', mediaType: 'image/png' },
    ],
    metadata: { campaign: 'autumn', nested: { list: [1, true, null] } },
  });
  const { status, body, headers } = await history(subject);
  expect(status).toBe(200);
  expect(body.data.map((item: Item) => item.id)).toEqual([second.body.id, first.body.id]);
  // The capability is told to who wrote, and to nobody else.
  const { subject: _, receiptToken: __, ...recorded } = second.body;
  expect(body.data[0]).toEqual({
    ...recorded,
    eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    mergedFrom: null,
    jurisdiction: { country: 'US', region: 'US-CA', source: 'DETECTED' },
    collection: {
      method: 'SAVE_CHOICES',
      surface: 'BANNER',
      url: 'https://shop.example/a',
      locale: 'de-AT',
      bannerVersion: 3,
      noticeHash: `sha256:${'a'.repeat(64)}`,
      display: WEAKENED,
    },
    signals: { gpc: true, dnt: false },
    actor: { type: 'GUARDIAN', id: 'g-1', relationship: 'parent' },
    vendors: [{ framework: 'TCF', id: 755, decision: 'DENIED' }],
    evidence: [
      { type: 'SCREENSHOT', sha256: 'b'.repeat(64), uri: 'https://archive.example/1', mediaType: 'image/png' },
    ],
    metadata: { campaign: 'autumn', nested: { list: [1, true, null] } },
    notice: { locale: 'de', contentHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    provenance: expect.objectContaining({ keyId: expect.stringMatching(/^key_/) }),
  });
  expect(body).toMatchObject({ nextCursor: null, hasMore: false });
  expect(headers.link).toBeUndefined();
  const shown = await world.request('GET', '/v1/purposes/analytics/current?locale=de');
  expect(body.data[0].notice.contentHash).toBe(shown.body.contentHash);
});

test('of somebody unknown is empty', async () => {
  const { status, body } = await history(world.visitor());
  expect([status, body]).toEqual([200, { data: [], nextCursor: null, hasMore: false }]);
});

test('is for secret keys only', async () => {
  const { status, body } = await history(world.visitor(), '', { key: 'pk' });
  expect([status, body.code]).toEqual([403, 'secret_key_required']);
});

test('is filtered by purpose and by the time of recording', async () => {
  const subject = world.visitor();
  const records: Answer[] = [];
  for (const purpose of ['analytics', 'marketing', 'analytics']) records.push(await record(subject, { purpose }));
  const ids = async (query: string): Promise<string[]> =>
    (await history(subject, query)).body.data.map((item: Item) => item.id);
  const [one, two, three] = records.map(({ body }) => body as Item);
  expect(await ids('?purpose=analytics')).toEqual([three!.id, one!.id]);
  expect(await ids('?purpose=necessary')).toEqual([]);
  const at = String(two!['recordedAt']);
  const all = [three!, two!, one!];
  expect(await ids(`?from=${at}`)).toEqual(all.filter((item) => String(item['recordedAt']) >= at).map(({ id }) => id));
  expect(await ids(`?to=${at}`)).toEqual(all.filter((item) => String(item['recordedAt']) < at).map(({ id }) => id));
});

test('pages join without gap or repeat while writes go on', async () => {
  const subject = world.visitor();
  const records = Array.from({ length: 40 }, (_, i) => ({
    subject,
    purpose: i % 3 ? 'analytics' : 'marketing',
    decision: i % 2 ? 'GRANTED' : 'DENIED',
  }));
  const { body: batch } = await world.request('POST', '/v1/consent/batch', { body: { records } });
  const before = batch.results.map((one: { record: Item }) => one.record.id).reverse();
  const seen: string[] = [];
  let next: string | null = pathOf(subject, '/history?limit=7');
  let pages = 0;
  while (next) {
    const { body, headers }: Answer = await world.request('GET', next);
    seen.push(...body.data.map((item: Item) => item.id));
    expect(body.hasMore).toBe(body.nextCursor !== null);
    const link: string | undefined = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
    expect(link === undefined).toBe(body.nextCursor === null);
    if (link) expect(new URL(link, world.url).searchParams.get('cursor')).toBe(body.nextCursor);
    next = link ?? null;
    pages++;
    await record(subject);
  }
  expect(seen).toEqual(before);
  expect(pages).toBe(6);
});

test('filters hold over pages', async () => {
  const subject = world.visitor();
  const records = Array.from({ length: 12 }, (_, i) => ({
    subject,
    purpose: i % 3 ? 'analytics' : 'marketing',
    decision: 'DENIED',
  }));
  await world.request('POST', '/v1/consent/batch', { body: { records } });
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await history(subject, `?purpose=marketing&limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map((item: Item) => item['purpose']));
    cursor = body.nextCursor ?? '';
  } while (cursor);
  expect(seen).toEqual(['marketing', 'marketing', 'marketing', 'marketing']);
});

test('a page that holds everything says that no more follows', async () => {
  const subject = world.visitor();
  for (let i = 0; i < 3; i++) await record(subject);
  const { body, headers } = await history(subject, '?limit=3');
  expect(body.data).toHaveLength(3);
  expect([body.hasMore, body.nextCursor, headers.link]).toEqual([false, null, undefined]);
});

const cursorOf = (...parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
test.each([
  ['no page', '?limit=0'],
  ['a page too large', '?limit=201'],
  ['half an item', '?limit=1.5'],
  ['a number that is none', '?limit=ten'],
  ['a cursor that is none', '?cursor=abc'],
  ['a cursor of another layout', `?cursor=${cursorOf(2, 5)}`],
  ['a cursor of text', `?cursor=${cursorOf(1, 'x')}`],
  ['a cursor of half a place', `?cursor=${cursorOf(1, 1.5)}`],
  ['a cursor before the beginning', `?cursor=${cursorOf(1, -7)}`],
  ['a cursor beyond all places', `?cursor=${cursorOf(1, 1e300)}`],
  ['a time that is none', '?from=now'],
  ['a parameter that is none', '?page=2'],
])('refuses %s', async (_, query) => {
  const subject = world.visitor();
  await record(subject);
  const { status, body } = await history(subject, query);
  expect([status, body.code]).toEqual([422, 'validation_failed']);
});
