import { purposeFile } from '../support/purposes.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

/* Whom to ask again: a comparison at reading, of which publishing writes nothing for anybody. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

let purposes = 0;

/** Publishes a version whose text is new. */
async function publish(key: string, text: string, over: object = {}): Promise<Answer> {
  const translations = { en: { name: 'Statistics', description: text } };
  const answer = await world.request('POST', `/admin/v1/sites/${world.demo.site}/test/catalogue`, {
    key: 'operator',
    body: { purposes: [purposeFile(key, { category: 'ANALYTICS', translations, ...over })] },
  });
  expect([answer.status, answer.body]).toMatchObject([200, { published: true }]);
  return answer;
}
const material = { change: { kind: 'MATERIAL', summary: 'More is counted.' } };
const editorial = { change: { kind: 'EDITORIAL', summary: 'Clearer words.' } };

async function newPurpose(): Promise<string> {
  const key = `counting_${++purposes}`;
  await publish(key, 'First words.');
  return key;
}

/** A subject and what it decided; answers its id. */
async function decided(purpose: string, record: object = {}, subject = world.visitor()): Promise<string> {
  const answer = await world.recorded({ subject, purpose, ...record }, { key: 'sk' });
  return answer.body.subject.id as string;
}
const inCountry = (country: string, region?: string) => ({ jurisdiction: { country, region, source: 'DETECTED' } });
const RAN_OUT = { source: 'IMPORT', givenAt: '2020-01-01T00:00:00.000Z', expiresAt: '2021-01-01T00:00:00.000Z' };

const page = (purpose: string, query = '', ask: object = {}): Promise<Answer> =>
  world.request('GET', `/v1/purposes/${purpose}/renewals${query}`, { key: 'sk', ...ask });

/** Every item of the list, page after page; a page may be empty while there are more. */
async function renewals(
  purpose: string,
  query = '',
): Promise<{ subject: { id: string }; [member: string]: unknown }[]> {
  await world.caughtUp();
  const items: { subject: { id: string } }[] = [];
  for (let cursor = ''; ;) {
    const { status, body, headers } = await page(purpose, `?${query}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    items.push(...body.data);
    expect(body.hasMore).toBe(body.nextCursor !== null);
    expect(String(headers['link'] ?? '')).toContain(body.hasMore ? body.nextCursor : '');
    if (!body.hasMore) return items;
    cursor = body.nextCursor as string;
  }
}
const ids = async (purpose: string, query = ''): Promise<string[]> =>
  (await renewals(purpose, query)).map(({ subject: { id } }) => id);

test('a MATERIAL version asks every holder again without a write for any, an EDITORIAL one nobody', async () => {
  const purpose = await newPurpose();
  const holders = [await decided(purpose), await decided(purpose, inCountry('DE'))];
  await decided(purpose, { decision: 'DENIED' });
  expect(await ids(purpose)).toEqual([]);
  await publish(purpose, 'Clearer words.', editorial);
  expect(await ids(purpose)).toEqual([]);

  const published = await publish(purpose, 'Other things.', material);
  await world.caughtUp();
  const { body: ready } = await world.request('GET', '/readyz', { key: null });
  expect(ready.logPosition).toBe(published.headers['x-log-position']);
  const listed = await renewals(purpose);
  expect(listed.map(({ subject: { id } }) => id)).toEqual([...holders].sort());
  expect(listed.find(({ subject: { id } }) => id === holders[1])).toMatchObject({
    reason: 'PURPOSE_VERSION_CHANGED',
    state: 'GRANTED',
    purposeVersion: 1,
    country: 'DE',
    region: null,
  });

  await decided(purpose, {}, `subject:${holders[0]}`);
  expect(await ids(purpose)).toEqual([holders[1]]);
});

test('lists exactly those whose state says so', async () => {
  const purpose = await newPurpose();
  const known = [
    await decided(purpose),
    await decided(purpose, { decision: 'DENIED' }),
    await decided(purpose, RAN_OUT),
    await decided(purpose, { expiresAt: new Date(Date.now() + 86_400_000).toISOString() }),
  ];
  await decided('analytics');
  for (const change of [editorial, material]) {
    await publish(purpose, JSON.stringify(change), change);
    const wanted: [string, string][] = [];
    for (const id of known) {
      const { body } = await world.request('GET', pathOf(`subject:${id}`, '?fresh=true'), { key: 'sk' });
      const { required, reason } = body.purposes[purpose].renewal;
      if (required) wanted.push([id, reason]);
    }
    const listed = (await renewals(purpose)).map(({ subject: { id }, reason }) => [id, reason]);
    expect(listed).toEqual(wanted.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
});

test('of a country: by the newest record that names a place, else by the country of the subject', async () => {
  const purpose = await newPurpose();
  const told = world.visitor();
  const [kind, value] = told.split(':');
  const body = { identifiers: [{ kind, value }], country: 'DE' };
  expect((await world.request('POST', '/v1/subjects', { key: 'sk', body })).status).toBe(201);
  const germans = [await decided(purpose, inCountry('DE')), await decided(purpose, {}, told)];
  const moved = world.visitor();
  await decided(purpose, inCountry('DE'), moved);
  const american = await decided(purpose, inCountry('US', 'US-CA'), moved);
  const nowhere = await decided(purpose);
  const british = await decided(purpose, inCountry('UK'));
  await publish(purpose, 'Other things.', material);

  expect(await ids(purpose, 'country=DE')).toEqual([...germans].sort());
  expect(await renewals(purpose, 'country=US')).toMatchObject([
    { subject: { id: american }, country: 'US', region: 'US-CA' },
  ]);
  for (const code of ['GB', 'UK']) expect(await ids(purpose, `country=${code}`)).toEqual([british]);
  expect(await ids(purpose, 'country=FR')).toEqual([]);
  expect(await ids(purpose)).toEqual([...germans, american, nowhere, british].sort());
});

test('pages join without gap or repeat, also while somebody decides', async () => {
  const purpose = await newPurpose();
  const holders: string[] = [];
  for (let i = 0; i < 5; i++) holders.push(await decided(purpose));
  await publish(purpose, 'Other things.', material);
  holders.sort();
  expect(await ids(purpose, 'limit=2')).toEqual(holders);

  const first = await page(purpose, '?limit=2');
  expect(first.body).toMatchObject({ data: [{ subject: { id: holders[0] } }, {}], hasMore: true });
  await decided(purpose, {}, `subject:${holders[0]}`);
  await decided(purpose);
  await world.caughtUp();
  const rest = await page(purpose, `?limit=200&cursor=${first.body.nextCursor}`);
  expect(rest.body.data.map(({ subject: { id } }: { subject: { id: string } }) => id)).toEqual(holders.slice(2));
});

test('leaves out who was merged into somebody else or erased, and asks nobody for a retired purpose', async () => {
  const purpose = await newPurpose();
  const [merged, erased] = [`user_id:merged-${purpose}`, `user_id:erased-${purpose}`];
  const target = `user_id:target-${purpose}`;
  await decided(purpose, {}, merged);
  await decided(purpose, {}, erased);
  const survivor = await decided('analytics', {}, target);
  await publish(purpose, 'Other things.', material);
  const post = (path: string, body: object) => world.request('POST', `/v1/subjects/${path}`, { key: 'sk', body });
  expect((await post('merge', { sources: [merged], target })).status).toBe(200);
  expect((await post(`${encodeURIComponent(erased)}/erase`, {})).status).toBe(200);
  expect(await ids(purpose)).toEqual([survivor]);

  await publish(purpose, 'Other things.', { status: 'RETIRED' });
  expect(await ids(purpose)).toEqual([]);
});

test('reflects a write that the caller names', async () => {
  const purpose = await newPurpose();
  const granted = await world.recorded({ purpose }, { key: 'sk' });
  const published = await publish(purpose, 'Other things.', material);
  const headers = { 'X-Log-Position': String(published.headers['x-log-position']) };
  const { body } = await page(purpose, '?limit=200', { headers });
  expect(body.data).toMatchObject([{ subject: { id: granted.body.subject.id } }]);
});

test.each([
  ['a purpose that nobody published', 'analytic', '', 404, 'purpose_not_found', 'key'],
  ['a country that is none', 'analytics', '?country=ZZ', 422, 'validation_failed', 'country'],
  ['a cursor of another list', 'analytics', '?cursor=MSxbIjQyIl0', 422, 'validation_failed', 'cursor'],
])('refuses %s', async (_, purpose, query, status, code, path) => {
  const answer = await page(purpose, query);
  expect([answer.status, answer.body.code, answer.body.issues[0].path]).toEqual([status, code, path]);
});

test('is not for public keys', async () => {
  expect(await page('analytics', '', { key: 'pk' })).toMatchObject({
    status: 403,
    body: { code: 'secret_key_required' },
  });
});
