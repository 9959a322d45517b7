import { setTimeout as pause } from 'node:timers/promises';
import { expectFresh } from '../support/asking.js';
import { until } from '../support/timing.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

/** As many as a batch holds: the longer it takes, the surer is a kill to come in its midst. */
const RECORDS_MAX = 500;
const KILLS_MAX = 5;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type Item = Record<string, unknown>;
let keys = 0;
const newKey = (): string => `key-${process.pid}-${++keys}`;
const grant = (more: Item = {}): Item => ({
  subject: world.visitor(),
  purpose: 'analytics',
  decision: 'GRANTED',
  ...more,
});
const post = (body: unknown, key: string | undefined, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/consent', { body, headers: { 'Idempotency-Key': key }, ...ask });
const postBatch = (records: Item[], key: string | undefined, more: Item = {}): Promise<Answer> =>
  world.request('POST', '/v1/consent/batch', { body: { records, ...more }, headers: { 'Idempotency-Key': key } });
const historyOf = async (subject: unknown): Promise<Item[]> =>
  (await world.request('GET', pathOf(String(subject), '/history?limit=200'))).body.data;
const purposeFile = (key: string, more: Item = {}): Item => ({
  key,
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'OTHER',
  controller: { name: 'Shop', contact: 'x@shop.example' },
  defaultLocale: 'en',
  translations: { en: { name: key, description: key } },
  ...more,
});
async function apply(file: Item): Promise<void> {
  const { headers } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/test/catalogue`, {
    key: 'operator',
    body: { purposes: [file] },
  });
  // Until the process that takes decisions knows it.
  await world.request('GET', '/v1/purposes', { headers: { 'X-Log-Position': headers['x-log-position'] } });
}

describe('the same key and body', () => {
  test('get the first answer again, byte for byte, and have one effect', async () => {
    const body = grant();
    const key = newKey();
    const first = await post(body, key);
    expectFresh(first);
    for (let i = 0; i < 3; i++) {
      const again = await post(body, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.headers['x-log-position']).toBe(first.headers['x-log-position']);
    }
    expect(await historyOf(body['subject'])).toHaveLength(1);
  });

  test('are the same in another order, with other spaces, and with the key in quotes', async () => {
    const body = grant({ metadata: { a: 1, b: [1, 2] } });
    const key = newKey();
    const first = await post(body, key);
    const turned = Object.fromEntries(Object.entries(body).reverse());
    for (const again of [
      await post(undefined, `"${key}"`, { raw: JSON.stringify(turned, null, 4) }),
      await post(undefined, key, { raw: ` ${JSON.stringify(body)}\n`, headers: { 'Idempotency-Key': key } }),
    ]) {
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    }
  });

  test('stay the same whatever was decided since', async () => {
    const body = grant();
    const key = newKey();
    const first = await post(body, key);
    await post({ ...body, decision: 'WITHDRAWN' }, newKey());
    expect((await post(body, key)).text).toBe(first.text);
    expect(
      (await world.request('GET', pathOf(String(body['subject']), '?fresh=true'))).body.purposes.analytics.state,
    ).toBe('WITHDRAWN');
  });

  test('answer with the old success although the purpose was retired since, singly and as an item', async () => {
    await apply(purposeFile('short_lived'));
    const body = grant({ purpose: 'short_lived' });
    const key = newKey();
    const itemKey = newKey();
    const first = await post(body, key);
    const item = { ...grant({ purpose: 'short_lived' }), idempotencyKey: itemKey };
    const batch = await postBatch([item], undefined);
    await apply(purposeFile('short_lived', { status: 'RETIRED' }));
    expect((await post(grant({ purpose: 'short_lived' }), newKey())).body.code).toBe('purpose_retired');
    const again = await post(body, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    const itemAgain = await postBatch([grant(), item, { ...item, idempotencyKey: newKey() }], undefined);
    expect(itemAgain.body.results.map((one: { status: string }) => one.status)).toEqual([
      'RECORDED',
      'REPLAYED',
      'REJECTED',
    ]);
    expect(itemAgain.body.results[1].record).toEqual(batch.body.results[0].record);
  });

  test('without a key are two decisions', async () => {
    const body = grant();
    const [one, two] = [await post(body, undefined), await post(body, undefined)];
    expect(two.body.id).not.toBe(one.body.id);
    expect(await historyOf(body['subject'])).toHaveLength(2);
  });

  test('stay the same whichever secret key of the site repeats the request', async () => {
    const issued = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'test', name: 'the next one' },
    });
    const body = grant();
    const key = newKey();
    const first = await post(body, key, { key: 'sk' });
    const second = await post(body, key, { key: issued.body.key as string });
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });
});

describe('a key that a page sends', () => {
  const operations: [string, (key: string, subject: string) => Promise<Answer>][] = [
    ['a record', (key, subject) => post(grant({ subject }), key, { key: 'pk' })],
    [
      'a batch',
      (key, subject) =>
        world.request('POST', '/v1/consent/batch', {
          key: 'pk',
          body: { records: [grant({ subject })] },
          headers: { 'Idempotency-Key': key },
        }),
    ],
    [
      'an item of a batch',
      (key, subject) =>
        world.request('POST', '/v1/consent/batch', {
          key: 'pk',
          body: { records: [{ ...grant({ subject }), idempotencyKey: key }] },
        }),
    ],
    [
      'preferences',
      (key, subject) =>
        world.request('POST', '/v1/preferences', {
          key: 'pk',
          body: { subject, channel: 'email', values: [{ field: 'news', value: false }] },
          headers: { 'Idempotency-Key': key },
        }),
    ],
  ];

  test.each(operations)('for %s occupies neither a key of the server nor one of another visitor', async (_, send) => {
    const key = newKey();
    const [visitor, another] = [world.visitor(), world.visitor()];
    const first = await send(key, visitor);
    expect(first.status).toBeLessThan(300);
    const ofServer = await post(grant({ subject: visitor, decision: 'DENIED' }), key, { key: 'sk' });
    expect(ofServer.status).toBe(201);
    expectFresh(ofServer);
    const ofAnother = await send(key, another);
    expect(ofAnother.status).toBe(first.status);
    expectFresh(ofAnother);
    expect((ofAnother.body.results as Item[] | undefined)?.[0]!['status'] ?? 'RECORDED').toBe('RECORDED');
  });

  test('stands for one request of its visitor, however the visitor is spelled', async () => {
    const key = newKey();
    const subject = world.visitor();
    const body = grant({ subject });
    const first = await post(body, key, { key: 'pk' });
    const again = await post(body, key, { key: 'pk' });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    for (const other of [
      { ...body, decision: 'DENIED' },
      { ...body, subject: `${subject} ` },
    ])
      expect((await post(other, key, { key: 'pk' })).body.code).toBe('idempotency_key_reused');
  });
});

describe('the same key with anything else', () => {
  test.each<[string, (body: Item) => Item]>([
    ['another decision', (body) => ({ ...body, decision: 'DENIED' })],
    ['another subject', (body) => ({ ...body, subject: world.visitor() })],
    ['one field more', (body) => ({ ...body, metadata: {} })],
    ['a value that is only written alike', (body) => ({ ...body, metadata: { n: '1' } })],
  ])('is refused: %s', async (_, change) => {
    const body = grant();
    const key = newKey();
    await post(body, key);
    const changed = change(body);
    const { status, body: error, headers } = await post(changed, key);
    expect([status, error.code, headers['idempotent-replayed']]).toEqual([422, 'idempotency_key_reused', undefined]);
    expect(error.hint).toMatch(/new key/);
    expect(await historyOf(body['subject'])).toHaveLength(1);
  });

  test('is refused: the batch of the same record, and the other way round', async () => {
    const body = grant();
    const key = newKey();
    await post(body, key);
    expect((await postBatch([body], key)).body.code).toBe('idempotency_key_reused');
    const other = newKey();
    await postBatch([body], other);
    expect((await post(body, other)).body.code).toBe('idempotency_key_reused');
  });
});

test.each([
  ['empty', ''],
  ['an empty quotation', '""'],
  ['longer than 255', 'x'.repeat(256)],
  ['with a space in it', 'a b'],
  ['with a letter that is not ASCII', 'schl\u00fcssel'],
  ['with a tab in it', 'a\tb'],
])('a key that is %s is refused', async (_, key) => {
  for (const path of ['/v1/consent', '/v1/consent/batch']) {
    const body = path.endsWith('batch') ? { records: [grant()] } : grant();
    const answer = await world.request('POST', path, { body, headers: { 'Idempotency-Key': key } });
    expect([answer.status, answer.body.code]).toEqual([400, 'idempotency_key_invalid']);
  }
});

test('a key of 255 visible characters is taken', async () => {
  const key = `~!"#$%&'()*+,-./:;<=>?@[]^_\`{|}${'x'.repeat(255)}`.slice(0, 255);
  const body = grant();
  expect((await post(body, key)).status).toBe(201);
  expect((await post(body, key)).headers['idempotent-replayed']).toBe('true');
});

test('a hundred simultaneous requests with one key have one effect', async () => {
  const body = grant();
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(body, key)));
  const done = answers.filter(({ status }) => status === 201);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  // None, where the one that had the effect was answered too late and asked again.
  expect(done.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length).toBeLessThanOrEqual(1);
  for (const { status, body: error, headers } of answers)
    if (status !== 201)
      expect([status, error.code, headers['retry-after']]).toEqual([409, 'idempotency_in_progress', '1']);
  expect(await historyOf(body['subject'])).toHaveLength(1);
  expect((await post(body, key)).text).toBe(done[0]!.text);
});

test('a hundred simultaneous batches with one key have one effect', async () => {
  const records = [grant(), grant()];
  const key = newKey();
  const answers = await Promise.all(Array.from({ length: 100 }, () => postBatch(records, key)));
  const done = answers.filter(({ status }) => status === 200);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  for (const { status, body } of answers)
    if (status !== 200) expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
  for (const { subject } of records) expect(await historyOf(subject)).toHaveLength(1);
});

describe('a refused request', () => {
  test.each<[string, Item]>([
    ['by its declaration', { decision: 'MAYBE' }],
    ['by the catalogue', { purpose: 'nonsense' }],
    ['by its reference', { subject: 'nobody' }],
    ['by its time', { givenAt: '2020-01-01T00:00:00Z' }],
    ['for a subject that does not exist', { subject: 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }],
  ])('%s is not remembered: the key is free for the mended one', async (_, fault) => {
    const body = grant();
    const key = newKey();
    expect((await post({ ...body, ...fault }, key)).status).toBeGreaterThanOrEqual(400);
    const mended = await post(body, key);
    expect(mended.status).toBe(201);
    expectFresh(mended);
  });

  test('of a batch is not remembered when nothing was recorded', async () => {
    const body = grant();
    const key = newKey();
    expect((await postBatch([{ ...body, purpose: 'nonsense' }], key)).body.summary.rejected).toBe(1);
    expect(
      (await postBatch([body, { ...body, purpose: 'nonsense' }], key, { mode: 'ATOMIC' })).body.summary.recorded,
    ).toBe(0);
    expect((await postBatch([body], key)).body.summary.recorded).toBe(1);
  });
});

describe('a batch', () => {
  test('is answered again byte for byte, refusals included', async () => {
    const records = [grant(), grant({ purpose: 'nonsense' }), grant({ idempotencyKey: newKey() })];
    const key = newKey();
    const first = await postBatch(records, key);
    const again = await postBatch(records, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect(first.body.results.map((one: { status: string }) => one.status)).toEqual([
      'RECORDED',
      'REJECTED',
      'RECORDED',
    ]);
    for (const { subject } of [records[0]!, records[2]!]) expect(await historyOf(subject)).toHaveLength(1);
    expect((await postBatch(records.slice(0, 2), key)).body.code).toBe('idempotency_key_reused');
  });

  // A kill and a start of the whole service take their time: what holds over them is seen together.
  test('that was cut off by the end of the process goes on where it stopped, each record once; keys hold over a kill', async () => {
    const [single, singleKey] = [grant(), newKey()];
    const [pair, pairKey] = [[grant(), grant()], newKey()];
    const [first, batch] = [await post(single, singleKey), await postBatch(pair, pairKey)];
    const { records, key } = await cutOff();
    expect((await post(single, singleKey)).text).toBe(first.text);
    expect((await postBatch(pair, pairKey)).text).toBe(batch.text);
    expect((await post({ ...single, decision: 'DENIED' }, singleKey)).body.code).toBe('idempotency_key_reused');
    const again = await repeat(() => postBatch(records, key));
    const total = records.length;
    expect(again.body.summary).toEqual({ total, recorded: total, replayed: 0, rejected: 0 });
    expect((await postBatch(records, key)).text).toBe(again.text);
    for (const { subject } of records.slice(0, 40)) expect(await historyOf(subject)).toHaveLength(1);
    const unique = new Set(again.body.results.map((one: { record: { id: string } }) => one.record.id));
    expect(unique.size).toBe(total);
  });

  const isRecorded = async ({ subject }: Item): Promise<boolean> =>
    (await world.request('GET', pathOf(String(subject), '?fresh=true'))).body.purposes.analytics.state === 'GRANTED';

  /**
   * A batch that a kill cut off: it was not answered, and of its records some are in the log and some are not. Kills the
   * process as soon as the first record is there. Where all of them were by then, it sends another batch.
   */
  async function cutOff(): Promise<{ records: Item[]; key: string }> {
    for (let kills = 0; kills < KILLS_MAX; kills++) {
      const records = Array.from({ length: RECORDS_MAX }, () => grant());
      const key = newKey();
      const sent = postBatch(records, key).then(
        ({ status }) => status,
        () => null,
      );
      await until(() => isRecorded(records[0]!));
      await world.kill9();
      const status = await sent;
      await world.restart();
      const recorded = (await Promise.all(records.map(isRecorded))).filter(Boolean).length;
      if (status === null && recorded > 0 && recorded < records.length) return { records, key };
    }
    throw new Error(`the process was killed ${KILLS_MAX} times, and never between two records of a batch`);
  }
});

/** As the answer 409 asks: the same request again, until it is through. */
async function repeat(ask: () => Promise<Answer>): Promise<Answer> {
  for (const deadline = Date.now() + 240_000; ; await pause(100)) {
    const answer = await ask();
    if (answer.status !== 409 || Date.now() > deadline) return answer;
  }
}

test('keys hold over a restart', async () => {
  const body = grant();
  const key = newKey();
  const records = [grant(), grant()];
  const batchKey = newKey();
  const [first, batch] = [await post(body, key), await postBatch(records, batchKey)];
  await world.restart();
  expect((await post(body, key)).text).toBe(first.text);
  expect((await postBatch(records, batchKey)).text).toBe(batch.text);
  expect((await post({ ...body, decision: 'DENIED' }, key)).body.code).toBe('idempotency_key_reused');
});

test('an environment has its own keys', async () => {
  const { body: issued } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
    key: 'operator',
    body: { type: 'sk', env: 'live', name: 'live' },
  });
  const applied = await world.request('POST', `/admin/v1/sites/${world.demo.site}/live/catalogue`, {
    key: 'operator',
    body: { purposes: [purposeFile('analytics')] },
  });
  await world.request('GET', '/v1/purposes', {
    key: issued.key,
    headers: { 'X-Log-Position': applied.headers['x-log-position'] },
  });
  const body = grant();
  const key = newKey();
  const inTest = await post(body, key);
  const inLive = await post({ ...body, decision: 'DENIED' }, key, { key: issued.key });
  expect([inTest.status, inLive.status]).toEqual([201, 201]);
  expect(inLive.body.subject.id).not.toBe(inTest.body.subject.id);
});
