import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type Item = Record<string, unknown>;
const grant = (more: Item = {}): Item => ({
  subject: world.visitor(),
  purpose: 'analytics',
  decision: 'GRANTED',
  ...more,
});
const post = (records: unknown[], more: Item = {}, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/consent/batch', { key: 'pk', body: { records, ...more }, ...ask });
const statuses = ({ body }: Answer): string[] => body.results.map((one: { status: string }) => one.status);
const historyOf = async (subject: unknown): Promise<Item[]> =>
  (await world.request('GET', pathOf(String(subject), '/history'))).body.data;

test('every record has its result, in the order of the input', async () => {
  const subject = world.visitor();
  const other = world.visitor();
  const answer = await post([
    grant({ subject }),
    grant({ subject: other, purpose: 'marketing', decision: 'DENIED' }),
    grant({ subject, decision: 'WITHDRAWN' }),
    grant({ subject, purpose: 'nonsense' }),
  ]);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    object: 'batch_result',
    mode: 'PARTIAL',
    summary: { total: 4, recorded: 3, replayed: 0, rejected: 1 },
    results: [
      {
        index: 0,
        status: 'RECORDED',
        record: { purpose: 'analytics', state: 'GRANTED', previousState: 'NOT_COLLECTED' },
      },
      { index: 1, status: 'RECORDED', record: { purpose: 'marketing', state: 'DENIED' } },
      { index: 2, status: 'RECORDED', record: { purpose: 'analytics', state: 'WITHDRAWN', previousState: 'GRANTED' } },
      {
        index: 3,
        status: 'REJECTED',
        error: { code: 'purpose_unknown', issues: [{ path: 'records[3].purpose', message: expect.any(String) }] },
      },
    ],
  });
  expect(answer.body.results[3].error.hint.length).toBeGreaterThan(10);
  expect(answer.body.results[2].record.sequence).toBe(answer.body.results[0].record.sequence + 1);
  const { body } = await world.request('GET', pathOf(subject), {
    headers: { 'X-Log-Position': answer.headers['x-log-position'] },
  });
  expect(body.purposes.analytics.state).toBe('WITHDRAWN');
});

test('each item is refused by the rules of a single record, the others are recorded', async () => {
  const rows: [Item, string][] = [
    [{ purpose: 'nonsense' }, 'purpose_unknown'],
    [{ purposeVersion: 7 }, 'purpose_version_unknown'],
    [{ decision: 'OBJECTED' }, 'decision_not_allowed'],
    [{ decision: 'ACKNOWLEDGED' }, 'decision_not_allowed'],
    [{ givenAt: new Date(Date.now() + 600_000).toISOString() }, 'timestamp_in_future'],
    [{ givenAt: '2020-01-01T00:00:00Z' }, 'validation_failed'],
    [{ decision: 'DENIED', expiresAt: '2099-01-01T00:00:00Z' }, 'validation_failed'],
    [{ subject: 'nobody' }, 'subject_ref_invalid'],
    [{ subject: 'passport:1' }, 'identifier_kind_unknown'],
    [{ subject: 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }, 'subject_not_found'],
  ];
  const answer = await post([grant(), ...rows.map(([more]) => grant(more)), grant()], {}, { key: 'sk' });
  expect(statuses(answer)).toEqual(['RECORDED', ...rows.map(() => 'REJECTED'), 'RECORDED']);
  expect(answer.body.results.slice(1, -1).map((one: { error: { code: string } }) => one.error.code)).toEqual(
    rows.map(([, code]) => code),
  );
  expect(answer.body.summary).toEqual({ total: 12, recorded: 2, replayed: 0, rejected: 10 });
});

describe('an item that does not fit its declaration', () => {
  const misshapen = (): [unknown, string][] => [
    [grant({ decison: 'x' }), 'records[1].decison'],
    [grant({ decision: 'MAYBE' }), 'records[2].decision'],
    [{ subject: world.visitor(), purpose: 'analytics' }, 'records[3].decision'],
    [null, 'records[4]'],
    ['GRANTED', 'records[5]'],
    [[], 'records[6]'],
    [grant({ subject: 7 }), 'records[7].subject'],
    [grant({ collection: { method: 'TOGGLE', surface: 'MOON' } }), 'records[8].collection.surface'],
    [grant({ idempotencyKey: 'no blanks' }), 'records[9].idempotencyKey'],
    [grant({ givenAt: 'yesterday' }), 'records[10].givenAt'],
  ];
  const batch = (): Item[] => [grant(), ...misshapen().map(([item]) => item as Item), grant()];

  test.each(['pk', 'sk'])(
    'is refused by itself where the mode is PARTIAL, naming the place, with a key of type %s',
    async (key) => {
      const answer = await post(batch(), {}, { key });
      expect([answer.status, statuses(answer)]).toEqual([
        200,
        ['RECORDED', ...misshapen().map(() => 'REJECTED'), 'RECORDED'],
      ]);
      for (const [i, [, path]] of misshapen().entries()) {
        const { code, issues } = answer.body.results[i + 1].error;
        expect([code, issues[0].path]).toEqual(['validation_failed', path]);
      }
      expect(answer.body.summary).toEqual({ total: 12, recorded: 2, replayed: 0, rejected: 10 });
    },
  );

  test('is refused in the same words again, to the byte, and the others are recorded once', async () => {
    const headers = { 'Idempotency-Key': `misshapen-${world.visitor()}` };
    const records = [...batch(), grant({ note: '\ud800' })];
    const first = await post(records, {}, { key: 'sk', headers });
    const again = await post(records, {}, { key: 'sk', headers });
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect(await historyOf(records[0]!['subject'])).toHaveLength(1);
    const mended = await post([grant(), ...records.slice(1)], {}, { key: 'sk', headers });
    expect(mended.body.code).toBe('idempotency_key_reused');
  });

  test('refuses nothing else where it is all that there is, and is no more remembered than other refusals', async () => {
    const headers = { 'Idempotency-Key': `misshapen-${world.visitor()}` };
    const answer = await post([null as unknown as Item], {}, { headers });
    expect([answer.status, statuses(answer)]).toEqual([200, ['REJECTED']]);
    expect(statuses(await post([grant()], {}, { headers }))).toEqual(['RECORDED']);
  });

  test('is reported by a dry run', async () =>
    expect(statuses(await post([grant(), null as unknown as Item], { dryRun: true }))).toEqual([
      'NOT_APPLIED',
      'REJECTED',
    ]));

  test('names as many places as an answer can keep: fewer of each where they are many', async () => {
    const worst = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`unknown${i}`, true]));
    const headers = { 'Idempotency-Key': `misshapen-${world.visitor()}` };
    const answer = await post(
      [grant(), ...Array.from({ length: 499 }, () => grant(worst))],
      {},
      { key: 'sk', headers },
    );
    expect(answer.body.summary).toMatchObject({ recorded: 1, rejected: 499 });
    expect(answer.body.results[1].error.issues).toHaveLength(1);
  });

  test('refuses the whole where the mode is ATOMIC, or something around the items is wrong', async () => {
    for (const more of [{ mode: 'ATOMIC' }, { mode: 'SOME' }, { dryRn: true }]) {
      const { status, body } = await post([grant(), grant({ decison: 'x' })], more);
      expect([status, body.code]).toEqual([422, 'validation_failed']);
    }
  });
});

describe('the size of a batch', () => {
  test('can be 500', async () => {
    const subject = world.visitor();
    const records = Array.from({ length: 500 }, (_, i) => grant(i % 2 ? { subject } : {}));
    const headers = { 'Idempotency-Key': `large-${world.visitor()}` };
    const answer = await post(records, {}, { key: 'sk', headers });
    expect(answer.body.summary).toEqual({ total: 500, recorded: 500, replayed: 0, rejected: 0 });
    expect((await world.request('GET', pathOf(subject, '/history?limit=200'))).body.hasMore).toBe(true);
  });

  test.each([
    ['501 records', 413, 'batch_too_large', () => ({ body: { records: Array.from({ length: 501 }, () => grant()) } })],
    [
      'more than 2 MB',
      413,
      'batch_too_large',
      () => ({ raw: JSON.stringify({ records: [grant()] }).padEnd(2 * 1024 * 1024 + 1, ' ') }),
    ],
    ['no record', 422, 'validation_failed', () => ({ body: { records: [] } })],
    ['no list', 422, 'validation_failed', () => ({ body: {} })],
    ['another mode', 422, 'validation_failed', () => ({ body: { records: [grant()], mode: 'SOME' } })],
  ])('cannot be %s', async (_, status, code, content) => {
    const { status: answered, body } = await world.request('POST', '/v1/consent/batch', { key: 'sk', ...content() });
    expect([answered, body.code]).toEqual([status, code]);
  });

  test('2 MB exactly are read', async () => {
    const { status } = await world.request('POST', '/v1/consent/batch', {
      key: 'sk',
      raw: JSON.stringify({ records: [grant()] }).padEnd(2 * 1024 * 1024, ' '),
    });
    expect(status).toBe(200);
  });
});

describe('an ATOMIC batch', () => {
  test('is recorded as a whole', async () => {
    expect(statuses(await post([grant(), grant()], { mode: 'ATOMIC' }))).toEqual(['RECORDED', 'RECORDED']);
  });

  test.each([
    ['a rule', () => grant({ purpose: 'nonsense' }), 'purpose_unknown'],
    ['its reference', () => grant({ subject: 'nobody' }), 'subject_ref_invalid'],
    [
      'a subject that does not exist',
      () => grant({ subject: 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }),
      'subject_not_found',
    ],
    [
      'a key that stands for another record',
      async () => {
        const idempotencyKey = `atomic-${world.visitor()}`;
        await post([grant({ idempotencyKey })], {}, { key: 'sk' });
        return grant({ idempotencyKey });
      },
      'idempotency_key_reused',
    ],
  ])('records nothing if one is refused by %s', async (_, refused, code) => {
    const subject = world.visitor();
    const answer = await post(
      [grant({ subject }), await refused(), grant({ subject })],
      { mode: 'ATOMIC' },
      { key: 'sk', headers: { 'Idempotency-Key': `a-${world.visitor()}` } },
    );
    expect(answer.status).toBe(200);
    expect(statuses(answer)).toEqual(['NOT_APPLIED', 'REJECTED', 'NOT_APPLIED']);
    expect(answer.body.results[1].error.code).toBe(code);
    expect(answer.body.summary).toEqual({ total: 3, recorded: 0, replayed: 0, rejected: 1 });
    expect(answer.headers['x-log-position']).toBeUndefined();
    expect(await historyOf(subject)).toEqual([]);
  });
});

test('a dry run says what would be refused and records nothing', async () => {
  const subject = world.visitor();
  const answer = await post(
    [grant({ subject }), grant({ subject, purpose: 'nonsense' })],
    { dryRun: true },
    { headers: { 'Idempotency-Key': `dry-${subject}` } },
  );
  expect(statuses(answer)).toEqual(['NOT_APPLIED', 'REJECTED']);
  expect(await historyOf(subject)).toEqual([]);
  const real = await post([grant({ subject })], {}, { headers: { 'Idempotency-Key': `dry-${subject}` } });
  expect(statuses(real)).toEqual(['RECORDED']);
});

describe('with a public key', () => {
  test('one record about somebody who is not anonymous refuses the whole, naming each', async () => {
    const subject = world.visitor();
    const { status, body } = await post([
      grant({ subject }),
      grant({ subject: 'email:ada@example.com' }),
      grant({ subject: 'user_id:17' }),
    ]);
    expect([status, body.code]).toEqual([403, 'identity_token_required']);
    expect(body.issues.map((issue: { path: string }) => issue.path)).toEqual([
      'records[1].subject',
      'records[2].subject',
    ]);
    expect(await historyOf(subject)).toEqual([]);
  });

  test('its subjects are recorded a few at a time, and others are served meanwhile', async () => {
    let isUnderWay = true;
    const batch = post(Array.from({ length: 60 }, () => grant())).finally(() => (isUnderWay = false));
    let served = 0;
    for (; isUnderWay; served++)
      expect((await world.request('POST', '/v1/consent', { key: 'sk', body: grant() })).status).toBe(201);
    expect((await batch).body.summary.recorded).toBe(60);
    // Five of the sixty are under way at a time. Where all are, one or two requests of others are served.
    expect(served).toBeGreaterThan(3);
  });

  test('one import refuses the whole', async () => {
    const { status, body } = await post([grant(), grant({ source: 'IMPORT' })]);
    expect([status, body.code]).toEqual([403, 'secret_key_required']);
  });

  test('Global Privacy Control of the request counts for every record', async () => {
    const subject = world.visitor();
    await post(
      [grant({ subject }), grant({ subject, purpose: 'marketing', signals: { gpc: false } })],
      {},
      { headers: { 'Sec-GPC': ['0', '1'] } },
    );
    expect((await historyOf(subject)).map((item) => item['signals'])).toEqual([{ gpc: false }, { gpc: true }]);
  });
});

describe('the key of an item', () => {
  test('makes it recorded once, in whichever batch or single request it comes again', async () => {
    const item = grant({ idempotencyKey: `item-${world.visitor()}` });
    const first = await post([item]);
    const second = await post([grant(), item]);
    expect(statuses(second)).toEqual(['RECORDED', 'REPLAYED']);
    expect(second.body.summary).toEqual({ total: 2, recorded: 1, replayed: 1, rejected: 0 });
    expect(second.body.results[1].record).toEqual(first.body.results[0].record);
    const { idempotencyKey, ...body } = item;
    const single = await world.request('POST', '/v1/consent', {
      key: 'pk',
      body,
      headers: { 'Idempotency-Key': String(idempotencyKey) },
    });
    expect(single.headers['idempotent-replayed']).toBe('true');
    expect(single.body).toEqual(first.body.results[0].record);
    expect(await historyOf(item['subject'])).toHaveLength(1);
  });

  test.each(['pk', 'sk'])('tells a dry run what is recorded already, with a key of type %s', async (key) => {
    const items = [
      grant({ idempotencyKey: `dry-${world.visitor()}` }),
      grant({ idempotencyKey: `dry-${world.visitor()}` }),
    ];
    const first = await post(items, {}, { key });
    const erased = grant({
      subject: `user_id:${world.visitor().slice(-12)}`,
      idempotencyKey: `dry-${world.visitor()}`,
    });
    const records = [
      ...items,
      grant({ idempotencyKey: `dry-${world.visitor()}` }),
      { ...items[0], decision: 'DENIED' },
    ];
    // The second one has the key of the first, which stands twice in one batch: it goes alone.
    const dry = await post(records.slice(0, 3), { dryRun: true }, { key });
    expect(statuses(dry)).toEqual(['REPLAYED', 'REPLAYED', 'NOT_APPLIED']);
    expect(dry.body.summary).toEqual({ total: 3, recorded: 0, replayed: 2, rejected: 0 });
    expect(dry.body.results.slice(0, 2).map(({ record }: { record: Item }) => record)).toEqual(
      first.body.results.map(({ record }: { record: Item }) => record),
    );
    const other = await post(records.slice(3), { dryRun: true }, { key });
    expect(other.body.results[0].error.code).toBe('idempotency_key_reused');
    if (key === 'pk') return;
    await post([erased], {}, { key });
    await world.request('POST', `/v1/subjects/${encodeURIComponent(String(erased['subject']))}/erase`, { body: {} });
    expect((await post([erased], { dryRun: true }, { key })).body.results[0].error.code).toBe('subject_erased');
  });

  test('stands for one record only', async () => {
    const idempotencyKey = `item-${world.visitor()}`;
    const subject = world.visitor();
    await post([grant({ subject, idempotencyKey })]);
    const again = await post([
      grant({ subject, idempotencyKey, decision: 'DENIED' }),
      grant({ idempotencyKey: `${idempotencyKey}-2` }),
    ]);
    expect(statuses(again)).toEqual(['REJECTED', 'RECORDED']);
    expect(again.body.results[0].error.code).toBe('idempotency_key_reused');
  });

  test('cannot stand twice in one batch', async () => {
    const idempotencyKey = `item-${world.visitor()}`;
    const answer = await post([grant({ idempotencyKey }), grant({ idempotencyKey })]);
    expect(statuses(answer)).toEqual(['RECORDED', 'REJECTED']);
    expect(answer.body.results[1].error).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'records[1].idempotencyKey' }],
    });
  });
});
