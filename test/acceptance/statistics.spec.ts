import { startWorld, type Answer, type Ask, type World } from '../support/world.js';

/* Counted without saying who: exact where it is shown, and not shown where it would tell of somebody. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ own: true });
});
afterAll(() => world?.stop());

const get = (query: string, ask: Ask = {}): Promise<Answer> =>
  world.request('GET', `/v1/statistics/consent?${query}`, { key: 'sk', ...ask });

let purposes = 0;
async function newPurpose(): Promise<string> {
  const key = `counted_${++purposes}`;
  const purpose = {
    key,
    legalBasis: 'CONSENT',
    consentModel: 'OPT_IN',
    category: 'ANALYTICS',
    controller: { name: 'Shop', contact: 'privacy@shop.example' },
    defaultLocale: 'en',
    translations: { en: { name: 'Statistics', description: `What is counted, ${key}.` } },
  };
  const answer = await world.request('POST', `/admin/v1/sites/${world.demo.site}/test/catalogue`, {
    key: 'operator',
    body: { purposes: [purpose] },
  });
  expect(answer.status).toBe(200);
  return key;
}

interface Decided {
  purpose: string;
  position: string;
  day: string;
}

const MIDNIGHTS_MAX = 3;

/** So many decisions of people of their own on a new purpose, all on one day: near midnight it is tried again. */
async function decided(groups: readonly [times: number, decision: string, more?: object][]): Promise<Decided> {
  for (let tries = 0; tries < MIDNIGHTS_MAX; tries++) {
    const purpose = await newPurpose();
    const records = groups.flatMap(([times, decision, more]) =>
      Array.from({ length: times }, () => ({ subject: world.visitor(), purpose, decision, ...more })),
    );
    const { body, headers } = await world.request('POST', '/v1/consent/batch', { key: 'sk', body: { records } });
    expect(body.summary).toMatchObject({ total: records.length, recorded: records.length });
    const days = new Set(
      (body.results as { record: { recordedAt: string } }[]).map(({ record }) => record.recordedAt.slice(0, 10)),
    );
    if (days.size === 1) return { purpose, position: String(headers['x-log-position']), day: [...days][0]! };
  }
  throw new Error(`${MIDNIGHTS_MAX} batches in a row were recorded on two days each`);
}
const counted = async ({ purpose, position, day }: Decided, query = ''): Promise<Record<string, unknown>> => {
  const range = query.includes('by=month') ? '' : `&from=${day}&to=${day}`;
  const { status, body } = await get(`purpose=${purpose}${range}${query}`, { headers: { 'X-Log-Position': position } });
  expect([status, body.object, body.purpose]).toEqual([200, 'consent_statistics', purpose]);
  return (body.periods as Record<string, unknown>[]).at(-1)!;
};
const inCountry = (country: string) => ({ jurisdiction: { country, source: 'DETECTED' } });

it('counts decisions on the day on which they were recorded, and their share', async () => {
  const done = await decided([
    [30, 'GRANTED'],
    [10, 'DENIED'],
    [12, 'GRANTED', { source: 'IMPORT', givenAt: '2020-01-01T00:00:00.000Z' }],
  ]);
  expect(await counted(done)).toEqual({
    from: done.day,
    to: done.day,
    grants: 30,
    refusals: 10,
    withdrawals: 0,
    expiries: 0,
    grantShare: 0.75,
    shown: 0,
    unanswered: 0,
    suppressed: [],
  });
});

it('a refusal after a grant is a withdrawal', async () => {
  const { purpose } = await decided([[1, 'GRANTED']]);
  const subjects = Array.from({ length: 11 }, () => world.visitor());
  let position = '';
  for (const decision of ['GRANTED', 'DENIED']) {
    const records = subjects.map((subject) => ({ subject, purpose, decision }));
    const answer = await world.request('POST', '/v1/consent/batch', { key: 'sk', body: { records } });
    position = String(answer.headers['x-log-position']);
  }
  const { body } = await get(`purpose=${purpose}&by=month`, { headers: { 'X-Log-Position': position } });
  expect(body.periods.at(-1)).toMatchObject({ grants: 12, refusals: 0, withdrawals: 11, suppressed: [] });
});

it('says nothing of fewer than ten, nor of what they could be told from', async () => {
  const few = await decided([
    [20, 'GRANTED'],
    [9, 'DENIED'],
  ]);
  const hidden = { refusals: null, grantShare: null, unanswered: null, suppressed: ['refusals'] };
  for (const by of ['', '&by=week', '&by=month'])
    expect(await counted(few, by)).toMatchObject({ grants: 20, ...hidden });

  const places = await decided([
    [30, 'GRANTED', inCountry('DE')],
    [20, 'GRANTED', inCountry('FR')],
    [3, 'GRANTED', inCountry('AT')],
  ]);
  const of = async (country: string) => (await counted(places, `&country=${country}&by=month`)).grants;
  expect(await counted(places, '&by=month')).toMatchObject({ grants: 53 });
  // Without France, Austria would be what is left of the whole.
  expect([await of('DE'), await of('FR'), await of('AT'), await of('PL')]).toEqual([30, null, null, 0]);
});

it('counts a country by month only, and one split at a time', async () => {
  expect(await get('purpose=analytics&country=DE&by=day')).toMatchObject({
    status: 422,
    body: { code: 'validation_failed', issues: [{ path: 'by' }] },
  });
  expect((await get('purpose=analytics&country=DE')).body).toMatchObject({ by: 'month', country: 'DE' });
  expect((await get('split=method&by=week')).body).toMatchObject({
    code: 'validation_failed',
    issues: [{ path: 'by' }],
  });
  expect((await get('split=method&country=DE')).body).toMatchObject({ issues: [{ path: 'split' }] });
  expect((await get('split=person')).body).toMatchObject({ issues: [{ path: 'split' }] });
  expect((await get('split=method&from=2020-01-01')).body).toMatchObject({ issues: [{ path: 'from' }] });
  expect(await get('purpose=nobody_asked')).toMatchObject({ status: 404, body: { code: 'purpose_not_found' } });
  expect((await get('purpose=analytics&from=2020-01-01&to=2026-01-01')).body).toMatchObject({
    code: 'validation_failed',
    issues: [{ path: 'from' }],
  });
  expect((await get('purpose=analytics&from=2026-02-01&to=2026-01-01')).body).toMatchObject({
    issues: [{ path: 'from' }],
  });
  const { periods } = (await get('purpose=analytics&from=2024-01-10&to=2024-02-10&by=week')).body as {
    periods: { from: string; to: string }[];
  };
  expect([periods[0], periods.at(-1), periods.length]).toMatchObject([
    { from: '2024-01-08', to: '2024-01-14' },
    { from: '2024-02-05', to: '2024-02-11' },
    5,
  ]);
});

it('counts what was shown, also to who had it already, and what was not answered', async () => {
  const done = await decided([[10, 'GRANTED', inCountry('NO')]]);
  const shown = (headers = {}) => world.request('GET', '/v1/banner?country=NO', { key: 'pk', headers });
  const first = await shown();
  expect(first.body.purposes).toContainEqual(expect.objectContaining({ key: done.purpose }));
  for (let n = 0; n < 14; n++) await shown({ 'If-None-Match': String(first.headers.etag) });
  // What has come together in memory is written when a process stops.
  await world.restart();
  const { purpose, position } = done;
  const { body } = await get(`purpose=${purpose}&by=month&country=NO`, { headers: { 'X-Log-Position': position } });
  expect(body.periods.at(-1)).toMatchObject({ grants: 10, shown: 15, unanswered: 5 });
});

it('tells the values of each split apart, and hides what could be told from them', async () => {
  const collected = (method: string, surface: string) => ({ collection: { method, surface } });
  const done = await decided([
    [20, 'GRANTED', { ...collected('ACCEPT_ALL', 'BANNER'), ...inCountry('DE') }],
    [15, 'GRANTED', { ...collected('TOGGLE', 'PREFERENCE_CENTER'), ...inCountry('DE') }],
    [12, 'GRANTED', { ...collected('TOGGLE', 'BANNER'), ...inCountry('FR') }],
    [4, 'GRANTED', collected('VERBAL', 'CALL')],
    [12, 'DENIED', collected('REJECT_ALL', 'BANNER')],
  ]);
  const split = async (name: string): Promise<Record<string, unknown>> => {
    const { status, body } = await get(`purpose=${done.purpose}&split=${name}`, {
      headers: { 'X-Log-Position': done.position },
    });
    expect([status, body.split, body.by]).toEqual([200, name, 'month']);
    expect(body.periods.at(-1)).toMatchObject({ grants: 51, refusals: 12 });
    const series = body.series as { value: string; periods: { grants: number | null }[] }[];
    return Object.fromEntries(series.map(({ value, periods }) => [value, periods.at(-1)!.grants]));
  };
  // VERBAL alone would be what is left.
  expect(await split('method')).toEqual({ ACCEPT_ALL: null, REJECT_ALL: 0, TOGGLE: 27, VERBAL: null });
  expect(await split('surface')).toEqual({ BANNER: 32, CALL: null, PREFERENCE_CENTER: null });
  expect(await split('country')).toEqual({ DE: 35, FR: null });
  expect(await split('locale')).toEqual({ en: 51 });
  expect(await split('purposeVersion')).toEqual({ 1: 51 });
  expect(await split('bannerVersion')).toEqual({});
});

it('counts what was imported apart, and adds it to nothing', async () => {
  const imported = { source: 'IMPORT', givenAt: '2020-01-01T00:00:00.000Z' };
  const done = await decided([
    [14, 'GRANTED'],
    [11, 'GRANTED', { ...imported, ...inCountry('DE') }],
    [13, 'DENIED', { ...imported, source: 'MIGRATION' }],
  ]);
  expect(await counted(done, '&imported=without')).toMatchObject({ grants: 14, refusals: 0 });
  expect(await counted(done, '&imported=only')).toMatchObject({
    grants: 11,
    refusals: 13,
    expiries: null,
    shown: null,
    unanswered: null,
    suppressed: [],
  });
});

it('answers several purposes, or all, each by itself and the sum of what is shown', async () => {
  const one = await decided([
    [30, 'GRANTED'],
    [10, 'DENIED'],
  ]);
  const other = await decided([
    [20, 'GRANTED'],
    [3, 'DENIED'],
  ]);
  const ask = { headers: { 'X-Log-Position': other.position } };
  const { body } = await get(`purpose=${one.purpose}&purpose=${other.purpose}&by=month`, ask);
  expect([body.purpose, body.purposes]).toEqual([null, [one.purpose, other.purpose]]);
  expect(body.periods.at(-1)).toMatchObject({ grants: 50, refusals: 10, grantShare: 0.75, suppressed: ['refusals'] });
  const ofEach = (body.series as { purpose: string; periods: { grants: number }[] }[]).map(({ purpose, periods }) => [
    purpose,
    periods.at(-1)!.grants,
  ]);
  expect(ofEach).toEqual([
    [one.purpose, 30],
    [other.purpose, 20],
  ]);
  const all = await get('by=month', ask);
  expect(all.body.purposes).toEqual(expect.arrayContaining([one.purpose, other.purpose, 'analytics']));
  expect(all.body.periods.at(-1).grants).toBeGreaterThanOrEqual(50);
  expect(await get(`purpose=${one.purpose}&purpose=nobody_asked`)).toMatchObject({
    status: 404,
    body: { code: 'purpose_not_found' },
  });
});
