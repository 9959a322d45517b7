import { newEmail, newKey } from '../support/subjects.js';
import { startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type Item = Record<string, unknown>;
const UPDATES = 'channels.email.topics.product_updates';
const NEWS = 'channels.email.topics.news';
const wish = (value: boolean, more: Item = {}): Item => ({
  subject: world.visitor(),
  values: [{ field: UPDATES, value }],
  ...more,
});
const post = (records: unknown[], more: Item = {}, headers: Ask['headers'] = {}): Promise<Answer> =>
  world.request('POST', '/v1/preferences/batch', { body: { records, ...more }, headers });
const statuses = ({ body }: Answer): string[] => body.results.map((one: { status: string }) => one.status);
const pathOf = (subject: unknown, rest: string): string =>
  `/v1/subjects/${encodeURIComponent(String(subject))}/preferences${rest}`;
const historyOf = async (subject: unknown): Promise<Item[]> =>
  (await world.request('GET', pathOf(subject, '/history'))).body.data;

test('every record has its result, in the order of the input, and the records of one subject stand together', async () => {
  const [subject, other] = [world.visitor(), world.visitor()];
  const answer = await post([
    wish(true, { subject }),
    wish(false, { subject: other }),
    wish(false, { subject }),
    wish(true, { subject, values: [{ field: 'nonsense', value: true }] }),
    { subject, globalOptOut: true },
  ]);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    object: 'batch_result',
    mode: 'PARTIAL',
    summary: { total: 5, recorded: 4, replayed: 0, rejected: 1 },
    results: [
      { index: 0, status: 'RECORDED', record: { object: 'preference_record', changes: [{ state: 'GRANTED' }] } },
      { index: 1, status: 'RECORDED', record: { changes: [{ previousState: 'UNSET', state: 'DENIED' }] } },
      { index: 2, status: 'RECORDED', record: { changes: [{ previousState: 'GRANTED', state: 'DENIED' }] } },
      {
        index: 3,
        status: 'REJECTED',
        error: { code: 'field_unknown', issues: [{ path: 'records[3].values[0].field' }] },
      },
      { index: 4, status: 'RECORDED', record: { globalOptOut: { previousState: 'NONE', state: 'ACTIVE' } } },
    ],
  });
  const [first, , third, , fifth] = answer.body.results.map(({ record }: { record?: Item }) => record?.['sequence']);
  expect([third, fifth]).toEqual([first + 1, first + 2]);
  const { body } = await world.request('GET', pathOf(subject, ''), {
    headers: { 'X-Log-Position': answer.headers['x-log-position'] },
  });
  expect(body).toMatchObject({
    globalOptOut: { state: 'ACTIVE' },
    channels: { email: { topics: { product_updates: { state: 'DENIED' } } } },
  });
  const { receiptId, receiptToken } = answer.body.results[0].record;
  expect((await world.request('GET', `/v1/receipts/${receiptId}?token=${receiptToken}`, { key: null })).status).toBe(
    200,
  );
});

test('whatever is wrong with one item, its shape included, refuses that item alone, in the same words again', async () => {
  const wrong: [unknown, string][] = [
    [wish(true, { valus: [] }), 'records[1].valus'],
    [{ values: [{ field: UPDATES, value: true }] }, 'records[2].subject'],
    [null, 'records[3]'],
    [{ subject: world.visitor() }, 'records[4].values'],
    [
      wish(true, {
        values: [
          { field: UPDATES, value: true },
          { field: UPDATES, value: false },
        ],
      }),
      'records[5].values[1].field',
    ],
    [wish(true, { idempotencyKey: 'no blanks' }), 'records[6].idempotencyKey'],
    [wish(true, { subject: 'nobody' }), 'records[7].subject'],
  ];
  const subject = world.visitor();
  const records = [wish(true, { subject }), ...wrong.map(([item]) => item)];
  const headers = { 'Idempotency-Key': newKey() };
  const answer = await post(records, {}, headers);
  expect([answer.status, statuses(answer)]).toEqual([200, ['RECORDED', ...wrong.map(() => 'REJECTED')]]);
  expect(
    answer.body.results.slice(1).map((one: Item) => (one as { error: { issues: Item[] } }).error.issues[0]!['path']),
  ).toEqual(wrong.map(([, path]) => path));
  const again = await post(records, {}, headers);
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([answer.text, 'true']);
  expect(await historyOf(subject)).toHaveLength(1);
  const atomic = await post(records, { mode: 'ATOMIC' });
  expect([atomic.status, atomic.body.code]).toEqual([422, 'validation_failed']);
});

test('an ATOMIC batch records all or nothing', async () => {
  const subject = world.visitor();
  const refused = await post([wish(true, { subject }), wish(true, { subject: 'nobody' })], { mode: 'ATOMIC' });
  expect(statuses(refused)).toEqual(['NOT_APPLIED', 'REJECTED']);
  expect(await historyOf(subject)).toEqual([]);
  expect(statuses(await post([wish(true, { subject }), wish(true)], { mode: 'ATOMIC' }))).toEqual([
    'RECORDED',
    'RECORDED',
  ]);
});

test.each([
  ['501 records', 413, 'batch_too_large', () => ({ body: { records: Array.from({ length: 501 }, () => wish(true)) } })],
  [
    'more than 2 MB',
    413,
    'batch_too_large',
    () => ({ raw: JSON.stringify({ records: [wish(true)] }).padEnd(2 * 1024 * 1024 + 1, ' ') }),
  ],
  ['no record', 422, 'validation_failed', () => ({ body: { records: [] } })],
  ['a public key', 403, 'secret_key_required', () => ({ key: 'pk', body: { records: [wish(true)] } })],
])('is refused with %s', async (_, status, code, ask) => {
  const answer = await world.request('POST', '/v1/preferences/batch', ask());
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('500 subjects are recorded, each with a record of its own', async () => {
  const answer = await post(
    Array.from({ length: 500 }, (_, i) => wish(i % 2 === 0)),
    {},
    { 'Idempotency-Key': newKey() },
  );
  expect(answer.body.summary).toEqual({ total: 500, recorded: 500, replayed: 0, rejected: 0 });
});

test('the key of a batch stands for that batch, whatever its records are', async () => {
  const headers = { 'Idempotency-Key': newKey() };
  const subject = world.visitor();
  await post([wish(true, { subject })], {}, headers);
  const consents = await world.request('POST', '/v1/consent/batch', {
    body: { records: [{ subject, purpose: 'analytics', decision: 'GRANTED' }] },
    headers,
  });
  expect(consents.body.code).toBe('idempotency_key_reused');
});

describe('the key of an item', () => {
  test('makes it recorded once, in whichever batch or single request it comes again', async () => {
    const idempotencyKey = newKey();
    const body = wish(true);
    const first = await post([{ ...body, idempotencyKey }]);
    const second = await post([wish(true), { ...body, idempotencyKey }]);
    expect(statuses(second)).toEqual(['RECORDED', 'REPLAYED']);
    expect(second.body.results[1].record).toEqual(first.body.results[0].record);
    const single = await world.request('POST', '/v1/preferences', {
      body,
      headers: { 'Idempotency-Key': idempotencyKey },
    });
    expect([single.headers['idempotent-replayed'], single.body]).toEqual(['true', first.body.results[0].record]);
    const other = await post([wish(false, { subject: body['subject'], idempotencyKey })]);
    expect(other.body.results[0].error.code).toBe('idempotency_key_reused');
  });

  test.each(['PARTIAL', 'ATOMIC'])('tells a dry run what is recorded already, in the mode %s', async (mode) => {
    const recorded = [wish(true, { idempotencyKey: newKey() }), wish(false, { idempotencyKey: newKey() })];
    const first = await post(recorded);
    const open = wish(true, { idempotencyKey: newKey() });
    const dry = await post([...recorded, open, { ...recorded[0], values: [{ field: NEWS, value: true }] }], {
      ...{ mode, dryRun: true },
    });
    expect(statuses(dry)).toEqual(['REPLAYED', 'REPLAYED', 'NOT_APPLIED', 'REJECTED']);
    expect(dry.body.summary).toEqual({ total: 4, recorded: 0, replayed: 2, rejected: 1 });
    expect(dry.body.results.slice(0, 2).map(({ record }: { record: Item }) => record)).toEqual(
      first.body.results.map(({ record }: { record: Item }) => record),
    );
    expect(await historyOf(open['subject'])).toEqual([]);
  });
});

test('what others claim without a date never supersedes an unsubscription, a refusal or an opt-out', async () => {
  const address = newEmail();
  const [subject, visitor] = [`email:${address}`, world.visitor()];
  await post([wish(true, { subject })]);
  const link = await world.request('POST', '/v1/preferences/unsubscribe-link', { body: { subject, channel: 'email' } });
  const left = await world.request('POST', '/v1/preferences/unsubscribe', {
    key: null,
    body: { token: link.body.token },
  });
  expect(left.status).toBe(200);
  await post([wish(false, { subject: visitor, globalOptOut: true })]);
  const claims = [subject, visitor].flatMap((each) =>
    ['IMPORT', 'MIGRATION'].map((source) => wish(true, { subject: each, source, globalOptOut: false })),
  );
  const claimed = await post(claims);
  expect(statuses(claimed)).toEqual(claims.map(() => 'RECORDED'));
  for (const { record } of claimed.body.results)
    expect(record.changes).toMatchObject([{ state: 'DENIED', value: true, appliedToState: false }]);
  expect(claimed.body.results[2].record.globalOptOut).toMatchObject({ state: 'ACTIVE', appliedToState: false });
  expect((await historyOf(visitor)).length).toBe(3);
  const dated = await post([
    wish(true, { subject: visitor, source: 'MIGRATION', givenAt: new Date(Date.now() + 1000).toISOString() }),
  ]);
  expect(dated.body.results[0].record.changes).toMatchObject([{ state: 'GRANTED', appliedToState: true }]);
});
