import { signIdentityToken } from '../support/identity-token.js';
import { newEmail, newKey, refused, subjectsIn } from '../support/subjects.js';
import { startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type Body = Record<string, unknown>;
const subjects = subjectsIn(() => world);
const pathOf = (subject: string, rest = ''): string => `/v1/subjects/${encodeURIComponent(subject)}/preferences${rest}`;
const set = (subject: string, body: Body, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/preferences', { body: { subject, ...body }, ...ask });
const get = (subject: string, query = '', ask: Ask = {}): Promise<Answer> =>
  world.request('GET', pathOf(subject, query), ask);
const history = (subject: string, query = ''): Promise<Answer> =>
  world.request('GET', pathOf(subject, `/history${query}`));
const topic = (channel: string, name: string): string => `channels.${channel}.topics.${name}`;
const UPDATES = topic('email', 'product_updates');
const NEWS = topic('email', 'news');
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const said = async (subject: string, values: Body[], more: Body = {}): Promise<Answer> => {
  const answer = await set(subject, { values, ...more });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer;
};

describe('a field', () => {
  it.each<[string, Body]>([
    ['by its full path', { values: [{ field: NEWS, value: false }] }],
    ['by its topic and the channel', { channel: 'email', values: [{ field: 'news', value: false }] }],
    ['by its key', { values: [{ field: 'email_news', value: false }] }],
    ['by its key beside its channel', { channel: 'email', values: [{ field: 'email_news', value: false }] }],
  ])('is named %s', async (_, body) => {
    const { status, body: record } = await set(world.visitor(), body, { key: 'pk' });
    expect([status, record.changes]).toEqual([
      201,
      [{ field: NEWS, channel: 'email', previousState: 'UNSET', state: 'DENIED', value: false, appliedToState: true }],
    ]);
  });

  it.each<[string, unknown]>([
    ['language', 'de'],
    ['interests', ['books', 'music']],
    ['age', 42],
    ['birthday', '1990-12-31'],
    ['note', 'Klingeln: „Łódź" 🙂'],
    ['digest_frequency', 'DAILY'],
    ['personal_start_page', true],
  ])('of each type holds its value: %s', async (field, value) => {
    const subject = world.visitor();
    const { headers, body } = await said(subject, [{ field, value }]);
    expect(body.changes).toEqual([
      { field, channel: null, previousState: 'UNSET', state: 'SET', value, appliedToState: true },
    ]);
    const after = { headers: { 'X-Log-Position': headers['x-log-position'] } };
    expect((await get(subject, '', after)).body.fields).toEqual({
      [field]: { type: expect.any(String), value, updatedAt: body.givenAt },
    });
    expect((await get(subject, '?fresh=true')).body.fields[field].value).toEqual(value);
  });

  it('is cleared by null, and an older value does not bring it back', async () => {
    const subject = world.visitor();
    await said(subject, [{ field: 'age', value: 42 }]);
    expect((await said(subject, [{ field: 'age', value: null }])).body.changes).toEqual([
      { field: 'age', channel: null, previousState: 'SET', state: 'UNSET', value: null, appliedToState: true },
    ]);
    expect((await get(subject, '?fresh=true')).body.fields).toEqual({});
    expect(
      (await said(subject, [{ field: 'age', value: 17 }], { source: 'IMPORT', givenAt: ago(100) })).body.changes,
    ).toMatchObject([{ state: 'UNSET', value: 17, appliedToState: false }]);
    expect((await get(subject, '?fresh=true')).body.fields).toEqual({});
  });

  it.each<[string, Body, string, string, RegExp | null]>([
    [
      'there is not',
      { values: [{ field: 'emial_news', value: true }] },
      'field_unknown',
      'values[0].field',
      /Did you mean "email_news"/,
    ],
    [
      'is no topic of the channel',
      { channel: 'email', values: [{ field: 'newz', value: true }] },
      'field_unknown',
      'values[0].field',
      /Did you mean "news"/,
    ],
    [
      'is of another channel',
      { channel: 'sms', values: [{ field: 'email_news', value: true }] },
      'field_unknown',
      'values[0].field',
      /"email"/,
    ],
    [
      'needs its channel',
      { values: [{ field: 'news', value: true }] },
      'field_unknown',
      'values[0].field',
      /"email" or "push"/,
    ],
    [
      'stands beside an unknown channel',
      { channel: 'emali', values: [{ field: 'news', value: true }] },
      'field_unknown',
      'channel',
      /Did you mean "email"/,
    ],
    [
      'takes another type',
      { values: [{ field: UPDATES, value: 'yes' }] },
      'field_type_mismatch',
      'values[0].value',
      /true or false/,
    ],
    [
      'is a topic and is sent null',
      { values: [{ field: UPDATES, value: null }] },
      'field_type_mismatch',
      'values[0].value',
      null,
    ],
    [
      'has no such option',
      { values: [{ field: 'interests', value: ['boks'] }] },
      'field_type_mismatch',
      'values[0].value',
      /Did you mean "books"/,
    ],
    [
      'is required and is cleared',
      { values: [{ field: 'language', value: null }] },
      'field_type_mismatch',
      'values[0].value',
      null,
    ],
    [
      'has no frequencies',
      { values: [{ field: topic('email', 'offers'), frequency: 'WEEKLY' }] },
      'field_type_mismatch',
      'values[0].frequency',
      null,
    ],
    [
      'has other frequencies',
      { values: [{ field: UPDATES, frequency: 'WEEKLY' }] },
      'field_type_mismatch',
      'values[0].frequency',
      /MONTHLY/,
    ],
    [
      'is no topic and is paused',
      { values: [{ field: 'age', pausedUntil: '2099-01-01T00:00:00Z' }] },
      'validation_failed',
      'values[0].pausedUntil',
      null,
    ],
    [
      'rests until what is past',
      { values: [{ field: UPDATES, pausedUntil: '2020-01-01T00:00:00Z' }] },
      'validation_failed',
      'values[0].pausedUntil',
      null,
    ],
    [
      'is named twice',
      {
        channel: 'email',
        values: [
          { field: 'news', value: true },
          { field: NEWS, value: false },
        ],
      },
      'validation_failed',
      'values[1].field',
      null,
    ],
    ['is named and nothing is said of it', { values: [{ field: NEWS }] }, 'validation_failed', 'values[0]', null],
    ['is not named at all', { values: [] }, 'validation_failed', 'values', null],
    [
      'is said of a time to come',
      { values: [{ field: NEWS, value: true }], givenAt: ago(-10) },
      'timestamp_in_future',
      'givenAt',
      null,
    ],
    [
      'is said of a time long past',
      { values: [{ field: NEWS, value: true }], givenAt: ago(25 * 60) },
      'validation_failed',
      'givenAt',
      null,
    ],
    [
      'is misspelt in the request',
      { values: [{ feild: NEWS, value: true }] },
      'validation_failed',
      'values[0].field',
      null,
    ],
  ])('that %s is refused, and leaves nobody behind', async (_, body, code, path, hint) => {
    const subject = `email:${newEmail()}`;
    const answer = await set(subject, body);
    expect(refused(answer)).toEqual([422, code, path]);
    if (hint) expect(answer.body.hint).toMatch(hint);
    expect((await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}`)).status).toBe(404);
  });
});

describe('a topic', () => {
  it('is granted, denied and granted again, and says since when', async () => {
    const subject = world.visitor();
    for (const [value, state] of [
      [true, 'GRANTED'],
      [false, 'DENIED'],
      [true, 'GRANTED'],
    ] as const) {
      const { body, headers } = await said(subject, [{ field: UPDATES, value }]);
      expect(
        (await get(subject, '', { headers: { 'X-Log-Position': headers['x-log-position'] } })).body.channels.email,
      ).toMatchObject({
        state,
        topics: {
          product_updates: { state, since: body.givenAt, sendable: value, blockedBy: value ? null : 'DENIED' },
        },
      });
    }
  });

  it('that needs its double opt-in waits, whatever is repeated, and false ends the waiting', async () => {
    const subject = world.visitor();
    for (let n = 0; n < 2; n++)
      expect((await said(subject, [{ field: NEWS, value: true }])).body.changes).toMatchObject([{ state: 'PENDING' }]);
    expect((await get(subject, '?fresh=true')).body.channels.email).toMatchObject({
      state: 'PENDING',
      verified: false,
      topics: { news: { state: 'PENDING', confirmedAt: null, expiresAt: null, sendable: false, blockedBy: 'PENDING' } },
    });
    expect((await said(subject, [{ field: NEWS, value: false }])).body.changes).toMatchObject([
      { previousState: 'PENDING', state: 'DENIED' },
    ]);
    expect((await said(subject, [{ field: NEWS, value: true }])).body.changes).toMatchObject([
      { previousState: 'DENIED', state: 'PENDING' },
    ]);
  });

  it.each(['IMPORT', 'MIGRATION'])(
    'that was denied is not granted by an undated claim of source %s',
    async (source) => {
      const subject = world.visitor();
      await said(subject, [{ field: UPDATES, value: false }], { source: 'API' });
      expect((await said(subject, [{ field: UPDATES, value: true }], { source })).body.changes).toMatchObject([
        { previousState: 'DENIED', state: 'DENIED', appliedToState: false },
      ]);
      await set(subject, { globalOptOut: true });
      expect((await set(subject, { globalOptOut: false, source })).body.globalOptOut).toEqual({
        ...{ previousState: 'ACTIVE', state: 'ACTIVE', appliedToState: false },
      });
      await said(subject, [{ field: 'personal_start_page', value: false }]);
      expect(
        (await said(subject, [{ field: 'personal_start_page', value: true }], { source })).body.changes,
      ).toMatchObject([{ appliedToState: false }]);
      expect((await get(subject, '?fresh=true')).body).toMatchObject({
        globalOptOut: { state: 'ACTIVE' },
        channels: { email: { topics: { product_updates: { state: 'DENIED' } } } },
        fields: { personal_start_page: { value: false } },
      });
    },
  );

  it('that only an undated claim granted is denied by what was said before it', async () => {
    const subject = world.visitor();
    const values = [{ field: UPDATES, value: true }];
    expect((await said(subject, values, { source: 'IMPORT' })).body.changes).toMatchObject([{ state: 'GRANTED' }]);
    const before = await said(subject, [{ field: UPDATES, value: false }], { givenAt: ago(60) });
    expect(before.body.changes).toMatchObject([{ previousState: 'GRANTED', state: 'DENIED', appliedToState: true }]);
    expect((await said(subject, values, { source: 'IMPORT', givenAt: ago(30) })).body.changes).toMatchObject([
      { state: 'GRANTED', appliedToState: true },
    ]);
  });

  it('that somebody vouches for waits for nothing, and asking again takes nothing away', async () => {
    const subject = world.visitor();
    expect(
      (await said(subject, [{ field: NEWS, value: true }], { source: 'IMPORT', givenAt: '2020-01-01T00:00:00Z' })).body,
    ).toMatchObject({ source: 'IMPORT', changes: [{ state: 'GRANTED' }] });
    expect((await said(subject, [{ field: NEWS, value: true }])).body.changes).toMatchObject([
      { previousState: 'GRANTED', state: 'GRANTED' },
    ]);
    expect(
      refused(await set(subject, { values: [{ field: NEWS, value: true }], source: 'IMPORT' }, { key: 'pk' }))[1],
    ).toBe('secret_key_required');
  });

  it('that is asked for only where the address is not known needs no link where it is', async () => {
    const key = await own();
    const [known, unknown] = [`email:${newEmail()}`, `email:${newEmail()}`];
    await world.request('POST', '/v1/subjects', {
      key,
      body: { identifiers: [{ kind: 'email', value: known.slice(6), verified: true }] },
    });
    const stateOf = async (subject: string): Promise<unknown> =>
      (await set(subject, { values: [{ field: topic('email', 'tips'), value: true }] }, { key })).body.changes[0].state;
    expect([await stateOf(known), await stateOf(unknown)]).toEqual(['GRANTED', 'PENDING']);
    expect((await get(known, '?fresh=true', { key })).body.channels.email.verified).toBe(true);
  });

  it('comes as often as is wished, and rests until a time', async () => {
    const subject = world.visitor();
    await said(subject, [{ field: UPDATES, value: true, frequency: 'MONTHLY' }]);
    await said(subject, [{ field: UPDATES, pausedUntil: '2099-01-01T00:00:00Z' }]);
    expect((await get(subject, '?fresh=true')).body.channels.email.topics.product_updates).toMatchObject({
      state: 'GRANTED',
      frequency: 'MONTHLY',
      pausedUntil: '2099-01-01T00:00:00.000Z',
      sendable: false,
      blockedBy: 'PAUSED',
    });
    await said(subject, [{ field: UPDATES, pausedUntil: null, frequency: null }]);
    expect((await get(subject, '?fresh=true')).body.channels.email.topics.product_updates).toMatchObject({
      frequency: null,
      pausedUntil: null,
      sendable: true,
      blockedBy: null,
    });
  });

  it('keeps what was said later, and a refusal where both were said at once', async () => {
    const subject = world.visitor();
    const [at, before] = [ago(10), ago(20)];
    await said(subject, [{ field: UPDATES, value: true }], { givenAt: at });
    await said(subject, [{ field: UPDATES, value: false }], { givenAt: at });
    expect((await said(subject, [{ field: UPDATES, value: true }], { givenAt: at })).body.changes).toMatchObject([
      { state: 'DENIED', appliedToState: false },
    ]);
    expect((await said(subject, [{ field: UPDATES, value: true }], { givenAt: before })).body.changes).toMatchObject([
      { state: 'DENIED', appliedToState: false },
    ]);
  });

  it('is denied at once, even by whom a clock that runs ahead has overtaken', async () => {
    const subject = world.visitor();
    await said(subject, [{ field: UPDATES, value: true }], { givenAt: ago(-4) });
    expect((await said(subject, [{ field: UPDATES, value: false }])).body.changes).toMatchObject([
      { state: 'DENIED', appliedToState: true },
    ]);
  });
});

describe('the global opt-out', () => {
  it('blocks every topic until it is lifted, and changes none of them', async () => {
    const subject = world.visitor();
    await said(subject, [{ field: UPDATES, value: true }]);
    const { body } = await set(subject, { globalOptOut: true }, { key: 'pk' });
    expect(body).toMatchObject({
      changes: [],
      globalOptOut: { previousState: 'NONE', state: 'ACTIVE', appliedToState: true },
    });
    const blocked = (await get(subject, '?fresh=true')).body;
    expect(blocked).toMatchObject({
      globalOptOut: { state: 'ACTIVE', since: body.givenAt },
      channels: {
        email: { topics: { product_updates: { state: 'GRANTED', sendable: false, blockedBy: 'GLOBAL_OPT_OUT' } } },
      },
    });
    expect(
      (await set(subject, { globalOptOut: false, source: 'IMPORT', givenAt: '2020-01-01T00:00:00Z' })).body
        .globalOptOut,
    ).toEqual({ previousState: 'ACTIVE', state: 'ACTIVE', appliedToState: false });
    await set(subject, { globalOptOut: false });
    expect((await get(subject, '?fresh=true')).body).toMatchObject({
      globalOptOut: { state: 'NONE' },
      channels: { email: { topics: { product_updates: { sendable: true } } } },
    });
  });
});

describe('a repeat under the same key', () => {
  it('gives the first answer again, to the byte, whatever happened since', async () => {
    const subject = world.visitor();
    const ask = { headers: { 'Idempotency-Key': newKey() } };
    const first = await set(
      subject,
      {
        values: [
          { field: UPDATES, value: true },
          { field: 'note', value: 'one' },
        ],
      },
      ask,
    );
    await said(subject, [{ field: UPDATES, value: false }]);
    const again = await set(
      subject,
      {
        values: [
          { field: UPDATES, value: true },
          { field: 'note', value: 'one' },
        ],
      },
      ask,
    );
    expect([again.status, again.text, again.headers['idempotent-replayed'], again.headers['x-log-position']]).toEqual([
      201,
      first.text,
      'true',
      first.headers['x-log-position'],
    ]);
    expect(refused(await set(subject, { values: [{ field: UPDATES, value: false }] }, ask))).toEqual([
      422,
      'idempotency_key_reused',
      'Idempotency-Key',
    ]);
    expect(
      refused(
        await set(
          world.visitor(),
          {
            values: [
              { field: UPDATES, value: true },
              { field: 'note', value: 'one' },
            ],
          },
          ask,
        ),
      )[1],
    ).toBe('idempotency_key_reused');
  });

  it('has one effect, however many come at once; a refused one is not remembered', async () => {
    const subject = world.visitor();
    const ask = { headers: { 'Idempotency-Key': newKey() } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => set(subject, { values: [{ field: UPDATES, value: true }] }, ask)),
    );
    expect(new Set(answers.map(({ status, body }) => (status === 201 ? body.id : body.code))).size).toBeLessThanOrEqual(
      2,
    );
    expect((await history(subject)).body.data).toHaveLength(1);
    const key = { headers: { 'Idempotency-Key': newKey() } };
    expect((await set(subject, { values: [{ field: 'nothing', value: true }] }, key)).status).toBe(422);
    expect((await set(subject, { values: [{ field: UPDATES, value: true }] }, key)).status).toBe(201);
  });
});

describe('reading', () => {
  it('answers UNSET everywhere for whom nobody has seen', async () => {
    const { status, body } = await get(world.visitor(), '', { key: 'pk' });
    expect([status, body.subject, body.revision, body.updatedAt, body.fields]).toEqual([
      200,
      { id: null },
      -1,
      null,
      {},
    ]);
    expect(Object.keys(body.channels)).toEqual(['email', 'push', 'sms']);
    for (const { state, topics } of Object.values(
      body.channels as Record<string, { state: string; topics: Record<string, Body> }>,
    )) {
      expect(state).toBe('UNSET');
      for (const each of Object.values(topics))
        expect(each).toEqual({
          state: 'UNSET',
          since: null,
          confirmedAt: null,
          expiresAt: null,
          frequency: null,
          pausedUntil: null,
          sendable: false,
          blockedBy: 'UNSET',
        });
    }
  });

  it('says the same from rows and from the stream, and by every reference', async () => {
    const subject = `email:${newEmail()}`;
    const { body, headers } = await said(subject, [
      { field: UPDATES, value: true },
      { field: 'language', value: 'de' },
    ]);
    await world.caughtUp(headers['x-log-position'] as string);
    const [row, folded, byId] = [
      await get(subject),
      await get(subject, '?fresh=true'),
      await get(`subject:${body.subject.id}`),
    ];
    expect([folded.text, byId.text, folded.headers.etag]).toEqual([row.text, row.text, row.headers.etag]);
    expect(row.headers['cache-control']).toBe('private, no-cache');
  });

  it('is revalidated by its tag, which every change of it changes and no decision on a purpose does', async () => {
    const subject = world.visitor();
    let { headers } = await said(subject, [{ field: UPDATES, value: true }]);
    const read = (more: Record<string, string> = {}): Promise<Answer> =>
      get(subject, '', { key: 'pk', headers: { 'X-Log-Position': headers['x-log-position'] as string, ...more } });
    const { etag } = (await read()).headers;
    expect([(await read({ 'If-None-Match': etag! })).status, (await read({ 'If-None-Match': '*' })).status]).toEqual([
      304, 304,
    ]);
    ({ headers } = await world.recorded({ subject }));
    expect((await read({ 'If-None-Match': etag! })).status).toBe(304);
    ({ headers } = await said(subject, [{ field: UPDATES, value: false }]));
    expect((await read({ 'If-None-Match': etag! })).status).toBe(200);
  });

  it('tells what was wanted at an instant, what was imported later included', async () => {
    const subject = world.visitor();
    await said(
      subject,
      [
        { field: UPDATES, value: false },
        { field: 'age', value: 30 },
      ],
      { givenAt: ago(60) },
    );
    await said(subject, [
      { field: UPDATES, value: true },
      { field: 'age', value: 31 },
    ]);
    await said(subject, [{ field: UPDATES, value: true }], { source: 'IMPORT', givenAt: ago(120) });
    const at = async (minutes: number): Promise<unknown[]> => {
      const { body } = await get(subject, `?asOf=${ago(minutes)}`);
      return [body.channels.email.topics.product_updates.state, body.fields.age?.value];
    };
    expect([await at(130), await at(90), await at(30), await at(-1)]).toEqual([
      ['UNSET', undefined],
      ['GRANTED', undefined],
      ['DENIED', 30],
      ['GRANTED', 31],
    ]);
  });

  it('reaches with a public key a visitor freely, and a person with their identity token only', async () => {
    const email = `email:${newEmail()}`;
    const token = {
      'Consent-Identity': signIdentityToken({ secretKey: world.demo.secretKey, site: world.demo.site, subject: email }),
    };
    const body = { values: [{ field: UPDATES, value: true }] };
    expect(refused(await set(email, body, { key: 'pk' }))[1]).toBe('identity_token_required');
    expect((await set(email, body, { key: 'pk', headers: token })).status).toBe(201);
    expect([
      (await get(email, '', { key: 'pk' })).status,
      (await get(email, '', { key: 'pk', headers: token })).status,
    ]).toEqual([403, 200]);
    expect((await history(email)).body.data[0].provenance.identity).toEqual({
      keyId: expect.stringMatching(/^key_/),
      issuedAt: expect.any(String),
    });
  });
});

describe('history', () => {
  it('keeps everything that was said, newest first, by field and by page', async () => {
    const subject = world.visitor();
    const collection = {
      method: 'TOGGLE',
      surface: 'PREFERENCE_CENTER',
      url: 'https://shop.example/settings?user=ada#top',
      locale: 'de',
    };
    const first = await said(
      subject,
      [
        { field: UPDATES, value: true, frequency: 'MONTHLY' },
        { field: 'age', value: 42 },
      ],
      { collection, actor: { type: 'GUARDIAN', id: 'agent-17' }, metadata: { campaign: 'autumn' } },
    );
    await said(subject, [{ field: NEWS, value: true }]);
    await set(subject, { globalOptOut: true });
    const { data } = (await history(subject)).body;
    expect(data.map(({ object, sequence }: Body) => [object, sequence])).toEqual([
      ['preference_record', 4],
      ['preference_record', 3],
      ['preference_record', 2],
    ]);
    expect(data[2]).toMatchObject({
      id: first.body.id,
      receiptId: first.body.receiptId,
      mergedFrom: null,
      source: 'API',
      givenAt: first.body.givenAt,
      template: { version: 1, locale: 'de' },
      endedRequests: [],
      collection: { ...collection, url: 'https://shop.example/settings' },
      actor: { type: 'GUARDIAN', id: 'agent-17' },
      metadata: { campaign: 'autumn' },
      changes: [
        { field: UPDATES, channel: 'email', value: true, frequency: 'MONTHLY' },
        { field: 'age', channel: null, value: 42 },
      ],
    });
    const of = async (field: string): Promise<number[]> =>
      ((await history(subject, `?field=${field}`)).body.data as { sequence: number }[]).map(({ sequence }) => sequence);
    expect([
      await of(UPDATES),
      await of('email_news'),
      await of('age'),
      await of('globalOptOut'),
      await of('nothing'),
    ]).toEqual([[2], [3], [2], [4], []]);
    const page = (await history(subject, '?limit=2')).body;
    expect(page.data).toEqual(data.slice(0, 2));
    const rest = await history(subject, `?limit=2&cursor=${page.nextCursor}`);
    expect(rest.body).toEqual({ data: data.slice(2), nextCursor: null, hasMore: false });
    expect(refused(await world.request('GET', pathOf(subject, '/history'), { key: 'pk' }))[1]).toBe(
      'secret_key_required',
    );
  });
});

describe('who becomes one', () => {
  it('keeps the refusal, opens what either typed, and reads as one history', async () => {
    const [source, target] = [`email:${newEmail()}`, `email:${newEmail()}`];
    await said(target, [
      { field: UPDATES, value: true },
      { field: 'language', value: 'en' },
    ]);
    await said(source, [
      { field: UPDATES, value: false },
      { field: 'note', value: 'typed by the other' },
    ]);
    const merged = await subjects.merge([source], target);
    expect(merged.body.conflicts).toEqual([
      expect.objectContaining({ field: UPDATES, chosen: expect.any(String), rule: 'MOST_RESTRICTIVE' }),
    ]);
    expect(merged.text).not.toContain('typed by');
    for (const ref of [source, target]) {
      for (const query of ['?fresh=true', '']) {
        const { body } = await get(ref, query, { headers: { 'X-Log-Position': merged.headers['x-log-position'] } });
        expect([
          body.channels.email.topics.product_updates.state,
          body.fields.note.value,
          body.fields.language.value,
        ]).toEqual(['DENIED', 'typed by the other', 'en']);
      }
    }
    await said(source, [{ field: 'age', value: 50 }]);
    expect((await get(target, '?fresh=true')).body.fields.age.value).toBe(50);
    expect((await history(target)).body.data.map(({ mergedFrom }: Body) => mergedFrom === null)).toEqual([
      true,
      false,
      true,
    ]);
    await subjects.revert(merged.body.mergeId as string);
    expect(Object.keys((await get(source, '?fresh=true')).body.fields)).toEqual(['note']);
    expect((await get(target, '?fresh=true')).body).toMatchObject({
      channels: { email: { topics: { product_updates: { state: 'GRANTED' } } } },
      fields: { age: { value: 50 }, language: { value: 'en' } },
    });
  });

  it('is forgotten as one: what was typed is gone, and a new subject begins', async () => {
    const [source, target] = [`email:${newEmail()}`, `email:${newEmail()}`];
    const key = newKey();
    const { body } = await set(
      target,
      { values: [{ field: 'note', value: 'secret' }] },
      { headers: { 'Idempotency-Key': key } },
    );
    await said(source, [{ field: 'note', value: 'secret too' }]);
    await subjects.merge([source], target);
    const { headers } = await subjects.erase(target);
    await world.caughtUp(headers['x-log-position'] as string);
    for (const ref of [source, target])
      expect((await get(ref)).body).toMatchObject({ subject: { id: null }, fields: {} });
    expect(refused(await get(`subject:${body.subject.id}`))[1]).toBe('subject_erased');
    expect(refused(await set(`subject:${body.subject.id}`, { values: [{ field: NEWS, value: true }] }))[1]).toBe(
      'subject_erased',
    );
    expect(
      refused(
        await set(target, { values: [{ field: 'note', value: 'secret' }] }, { headers: { 'Idempotency-Key': key } }),
      )[1],
    ).toBe('subject_erased');
    expect((await said(target, [{ field: UPDATES, value: true }])).body.subject.id).not.toBe(body.subject.id);
  });
});

it('nothing that was typed is printed by the service', () =>
  expect(world.output()).not.toMatch(/typed by the other|secret too|agent-17/));

/** A site whose template asks for a confirmation only where the address is not verified. */
async function own(): Promise<string> {
  const site = `own${Date.now()}`;
  await world.request('POST', '/admin/v1/sites', {
    key: 'operator',
    body: { site, name: 'Own', languages: ['en'], defaultLocale: 'en' },
  });
  const { key } = (
    await world.request('POST', `/admin/v1/sites/${site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'test', name: 'server' },
    })
  ).body as { key: string };
  const template = {
    defaultLocale: 'en',
    channels: [{ key: 'email', label: { en: 'E-mail' }, verification: 'EMAIL' }],
    sections: [
      {
        key: 'all',
        title: { en: 'All' },
        fields: [
          {
            key: 'email_tips',
            kind: 'TOGGLE',
            label: { en: 'Tips' },
            channel: 'email',
            topic: 'tips',
            doubleOptIn: 'IF_UNVERIFIED',
          },
        ],
      },
    ],
  };
  const applied = await world.request('POST', `/admin/v1/sites/${site}/test/catalogue`, {
    key: 'operator',
    body: { purposes: [], template },
  });
  await world.request('GET', '/v1/preference-template', {
    key,
    headers: { 'X-Log-Position': applied.headers['x-log-position'] },
  });
  return key;
}
