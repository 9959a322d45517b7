import { WEAKENED } from '../support/asked-person.js';
import { pathOf, startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const MINUTE = 60_000;
const DAY = 86_400_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();

const grant = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  subject: world.visitor(),
  purpose: 'analytics',
  decision: 'GRANTED',
  ...more,
});
const displayed = (more: object): object => ({
  method: 'TOGGLE',
  surface: 'BANNER',
  display: { ...WEAKENED, ...more },
});
const post = (body: unknown, ask: object = {}) => world.request('POST', '/v1/consent', { key: 'pk', body, ...ask });
const stateOf = async (subject: string, purpose: string): Promise<string> =>
  (await world.request('GET', pathOf(subject, '?fresh=true'))).body.purposes[purpose].state;

test('a first decision is answered with its whole record', async () => {
  const subject = world.visitor();
  const before = Date.now();
  const { status, body, headers } = await post(grant({ subject }));
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^rec_[0-9A-HJKMNP-TV-Z]{26}$/),
    object: 'consent_record',
    subject: { id: expect.stringMatching(/^sub_[0-9A-HJKMNP-TV-Z]{26}$/) },
    purpose: 'analytics',
    purposeVersion: 1,
    decision: 'GRANTED',
    state: 'GRANTED',
    previousState: 'NOT_COLLECTED',
    source: 'API',
    givenAt: body.recordedAt,
    recordedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    expiresAt: new Date(Date.parse(body.givenAt) + 365 * DAY).toISOString(),
    sequence: expect.any(Number),
    receiptId: expect.stringMatching(/^rct_/),
    receiptToken: expect.stringMatching(/^rpt_[\w-]{43}$/),
    appliedToState: true,
    supersededBy: null,
  });
  expect(Date.parse(body.recordedAt)).toBeGreaterThanOrEqual(before);
  expect(body.receiptId.slice(4)).toBe(body.id.slice(4));
  expect(headers['x-log-position']).toMatch(/^\d+$/);
  expect(headers['cache-control']).toBe('no-store');
});

describe('each decision leads from state to state as published', () => {
  const OPT_IN = 'analytics';
  const OPT_OUT = 'sale_of_data';
  const NOTICE = 'fraud_prevention';
  test.each([
    [OPT_IN, [], 'GRANTED', 'GRANTED'],
    [OPT_IN, [], 'DENIED', 'DENIED'],
    [OPT_IN, [], 'WITHDRAWN', 'WITHDRAWN'],
    [OPT_IN, ['GRANTED'], 'GRANTED', 'GRANTED'],
    [OPT_IN, ['GRANTED'], 'DENIED', 'WITHDRAWN'],
    [OPT_IN, ['GRANTED'], 'WITHDRAWN', 'WITHDRAWN'],
    [OPT_IN, ['DENIED'], 'GRANTED', 'GRANTED'],
    [OPT_IN, ['DENIED'], 'DENIED', 'DENIED'],
    [OPT_IN, ['DENIED'], 'WITHDRAWN', 'WITHDRAWN'],
    [OPT_IN, ['WITHDRAWN'], 'GRANTED', 'GRANTED'],
    [OPT_IN, ['WITHDRAWN'], 'DENIED', 'DENIED'],
    [OPT_IN, ['GRANTED', 'DENIED'], 'WITHDRAWN', 'WITHDRAWN'],
    [OPT_OUT, [], 'OBJECTED', 'OBJECTED'],
    [OPT_OUT, ['GRANTED'], 'OBJECTED', 'OBJECTED'],
    [OPT_OUT, ['OBJECTED'], 'GRANTED', 'GRANTED'],
    [OPT_OUT, ['OBJECTED'], 'DENIED', 'DENIED'],
    [OPT_OUT, ['OBJECTED'], 'WITHDRAWN', 'WITHDRAWN'],
    [NOTICE, [], 'ACKNOWLEDGED', 'ACKNOWLEDGED'],
    [NOTICE, ['ACKNOWLEDGED'], 'ACKNOWLEDGED', 'ACKNOWLEDGED'],
    [NOTICE, ['ACKNOWLEDGED'], 'WITHDRAWN', 'WITHDRAWN'],
    ['necessary', [], 'OBJECTED', 'OBJECTED'],
  ])('%s after [%s]: %s leads to %s', async (purpose, before, decision, state) => {
    const subject = world.visitor();
    let previousState = 'NOT_COLLECTED';
    for (const earlier of before)
      previousState = (await world.recorded({ subject, purpose, decision: earlier })).body.state;
    const { body } = await world.recorded({ subject, purpose, decision });
    expect({ state: body.state, previousState: body.previousState, decision: body.decision }).toEqual({
      state,
      previousState,
      decision,
    });
    expect(await stateOf(subject, purpose)).toBe(state);
  });
});

describe('what cannot be recorded is refused with its code, a hint and the place', () => {
  const rows: [string, () => Record<string, unknown>, number, string, string | null][] = [
    ['a purpose that nobody published', () => grant({ purpose: 'nonsense' }), 422, 'purpose_unknown', 'purpose'],
    [
      'a purpose named like a member of every object',
      () => grant({ purpose: 'constructor' }),
      422,
      'purpose_unknown',
      'purpose',
    ],
    ['a version that never was', () => grant({ purposeVersion: 99 }), 422, 'purpose_version_unknown', 'purposeVersion'],
    [
      'an objection to a purpose on consent',
      () => grant({ decision: 'OBJECTED' }),
      422,
      'decision_not_allowed',
      'decision',
    ],
    [
      'an acknowledgement of what asks for a decision',
      () => grant({ decision: 'ACKNOWLEDGED' }),
      422,
      'decision_not_allowed',
      'decision',
    ],
    [
      'a decision of ten minutes ahead',
      () => grant({ givenAt: ago(-10 * MINUTE) }),
      422,
      'timestamp_in_future',
      'givenAt',
    ],
    [
      'a decision of two days ago without a source that may',
      () => grant({ givenAt: ago(2 * DAY) }),
      422,
      'validation_failed',
      'givenAt',
    ],
    ['an end before the beginning', () => grant({ expiresAt: ago(MINUTE) }), 422, 'validation_failed', 'expiresAt'],
    [
      'an end beyond what the purpose allows',
      () => grant({ expiresAt: ago(-366 * DAY) }),
      422,
      'validation_failed',
      'expiresAt',
    ],
    [
      'an end of a refusal',
      () => grant({ decision: 'DENIED', expiresAt: ago(-DAY) }),
      422,
      'validation_failed',
      'expiresAt',
    ],
    ['a decision that does not exist', () => grant({ decision: 'MAYBE' }), 422, 'validation_failed', 'decision'],
    ['a decision in lower case', () => grant({ decision: 'granted' }), 422, 'validation_failed', 'decision'],
    ['no purpose', () => ({ subject: world.visitor(), decision: 'GRANTED' }), 422, 'validation_failed', 'purpose'],
    ['an unknown field', () => grant({ purposes: 'analytics' }), 422, 'validation_failed', 'purposes'],
    [
      'an unknown field inside',
      () => grant({ collection: { method: 'TOGGLE', surface: 'BANNER', urll: 'x' } }),
      422,
      'validation_failed',
      'collection.urll',
    ],
    [
      'a check of the screen that there is not',
      () => grant({ collection: displayed({ checks: [{ check: 'PRETTY', passed: true, measured: '1' }] }) }),
      422,
      'validation_failed',
      'collection.display.checks[0].check',
    ],
    [
      'a measure that is a name',
      () => grant({ collection: displayed({ checks: [{ check: 'LANGUAGE', passed: true, measured: 'Ada' }] }) }),
      422,
      'validation_failed',
      'collection.display.checks[0].measured',
    ],
    [
      'a check twice',
      () => grant({ collection: displayed({ checks: [WEAKENED.checks[0], WEAKENED.checks[0]] }) }),
      422,
      'validation_failed',
      'collection.display.checks[1].check',
    ],
    [
      'checks by rules that are not known yet',
      () => grant({ collection: displayed({ version: 2 }) }),
      422,
      'validation_failed',
      'collection.display.version',
    ],
    [
      'a number for a version that is none',
      () => grant({ purposeVersion: 1.5 }),
      422,
      'validation_failed',
      'purposeVersion',
    ],
    ['a version as text', () => grant({ purposeVersion: '1' }), 422, 'validation_failed', 'purposeVersion'],
    ['null for a field', () => grant({ source: null }), 422, 'validation_failed', 'source'],
    ['a time without a zone', () => grant({ givenAt: '2026-01-01T00:00:00' }), 422, 'validation_failed', 'givenAt'],
    ['a day that no month has', () => grant({ givenAt: '2026-02-30T00:00:00Z' }), 422, 'validation_failed', 'givenAt'],
    [
      'a URL that is none',
      () => grant({ collection: { method: 'TOGGLE', surface: 'BANNER', url: 'not a url' } }),
      422,
      'validation_failed',
      'collection.url',
    ],
    [
      '21 keys of metadata',
      () => grant({ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, i])) }),
      422,
      'validation_failed',
      'metadata',
    ],
    [
      'more than 4 kB of metadata',
      () => grant({ metadata: { text: 'x'.repeat(4097) } }),
      422,
      'validation_failed',
      'metadata',
    ],
    [
      'metadata nested too deep',
      () => grant({ metadata: { a: { b: { c: { d: { e: 1 } } } } } }),
      422,
      'validation_failed',
      'metadata.a.b.c.d',
    ],
    [
      '21 pieces of evidence',
      () => grant({ evidence: Array.from({ length: 21 }, () => ({ type: 'SCREENSHOT', sha256: 'a'.repeat(64) })) }),
      422,
      'validation_failed',
      'evidence',
    ],
    [
      'a country in lower case',
      () => grant({ jurisdiction: { country: 'de', source: 'DECLARED' } }),
      422,
      'validation_failed',
      'jurisdiction.country',
    ],
    ['a reference without a kind', () => grant({ subject: 'somebody' }), 400, 'subject_ref_invalid', null],
    ['a reference of an unknown kind', () => grant({ subject: 'passport:123' }), 422, 'identifier_kind_unknown', null],
    ['an address without a domain', () => grant({ subject: 'email:somebody' }), 400, 'subject_ref_invalid', null],
  ];
  test.each(rows)('%s', async (_, body, status, code, path) => {
    const asked = await world.request('POST', '/v1/consent', { key: 'sk', body: body() });
    expect([asked.status, asked.body.code]).toEqual([status, code]);
    expect(asked.body.hint.length).toBeGreaterThan(10);
    expect(asked.body.docUrl).toBe(`${world.url}/docs/errors/${code}`);
    expect(asked.body.requestId).toBe(asked.headers['x-request-id']);
    if (path !== null) expect(asked.body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(asked.headers['x-log-position']).toBeUndefined();
  });

  test('a refused first decision leaves no subject behind', async () => {
    const subject = world.visitor();
    await post(grant({ subject, purpose: 'nonsense' }));
    expect((await world.request('GET', pathOf(subject))).body.subject.id).toBeNull();
  });

  test('a subject id that nobody was given', async () => {
    const { status, body } = await world.request('POST', '/v1/consent', {
      body: grant({ subject: 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }),
    });
    expect([status, body.code]).toEqual([404, 'subject_not_found']);
  });
});

describe('bodies that two readers could read differently are refused', () => {
  const ok = () => JSON.stringify(grant());
  const rows: [string, () => string | Buffer, Record<string, string>, number, string][] = [
    ['no body', () => '', {}, 400, 'malformed_json'],
    ['half a body', () => ok().slice(0, -1), {}, 400, 'malformed_json'],
    ['a key twice', () => ok().replace('{', '{"decision":"DENIED",'), {}, 400, 'malformed_json'],
    ['a comma too many', () => ok().replace(/\}$/, ',}'), {}, 400, 'malformed_json'],
    [
      'bytes that are not UTF-8',
      () => Buffer.concat([Buffer.from('{"subject":"visitor_id:'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
      {},
      400,
      'malformed_json',
    ],
    ['eleven levels', () => `{"metadata":${'['.repeat(10)}${']'.repeat(10)}}`, {}, 400, 'malformed_json'],
    ['a hundred thousand brackets', () => '['.repeat(50_000), {}, 400, 'malformed_json'],
    ['an infinite number', () => ok().replace('{', '{"purposeVersion":1e999,'), {}, 400, 'malformed_json'],
    ['a list', () => `[${ok()}]`, {}, 422, 'validation_failed'],
    ['a text', () => '"hello"', {}, 422, 'validation_failed'],
    ['null', () => 'null', {}, 422, 'validation_failed'],
    [
      'a form',
      () => 'subject=x',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['text', () => ok(), { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      'another character set',
      () => ok(),
      { 'Content-Type': 'application/json; charset=utf-16' },
      415,
      'unsupported_media_type',
    ],
    ['a compressed body', () => ok(), { 'Content-Encoding': 'gzip' }, 415, 'unsupported_media_type'],
    [
      'more than 64 kB',
      () => JSON.stringify(grant({ metadata: { text: 'x'.repeat(65_536) } })),
      {},
      413,
      'body_too_large',
    ],
    [
      'a prototype in disguise',
      () => ok().replace('{', '{"__proto__":{"decision":"GRANTED"},'),
      {},
      422,
      'validation_failed',
    ],
    [
      'a prototype in the metadata',
      () => ok().replace('{', '{"metadata":{"__proto__":{"a":1}},'),
      {},
      422,
      'validation_failed',
    ],
    ['a zero byte in a text', () => ok().replace('{', '{"metadata":{"a":"\\u0000"},'), {}, 422, 'validation_failed'],
    ['half a surrogate pair', () => ok().replace('{', '{"metadata":{"a":"\\ud800"},'), {}, 422, 'validation_failed'],
  ];
  test.each(rows)('%s', async (_, raw, headers, status, code) => {
    const { status: answered, body } = await world.request('POST', '/v1/consent', { key: 'pk', raw: raw(), headers });
    expect([answered, body.code]).toEqual([status, code]);
    expect(body.hint).not.toBe('');
  });

  test('64 kB exactly are read', async () => {
    const small = JSON.stringify(grant());
    const { status } = await post(undefined, { raw: small.padEnd(65_536, ' ') });
    expect(status).toBe(201);
  });
});

test('limits are met exactly: 20 keys and 4096 bytes of metadata, 20 pieces of evidence', async () => {
  const keys = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, i]));
  const evidence = Array.from({ length: 20 }, () => ({ type: 'SCREENSHOT', sha256: 'a'.repeat(64) }));
  expect((await post(grant({ metadata: keys, evidence }))).status).toBe(201);
  expect((await post(grant({ metadata: { t: 'x'.repeat(4096 - '{"t":""}'.length) } }))).status).toBe(201);
});

describe('the order of decisions', () => {
  const at = ago(MINUTE);
  const later = ago(MINUTE / 2);
  const record = (subject: string, more: Record<string, unknown>) =>
    world.recorded({ subject, ...more }, { key: 'sk' });

  test('is by the time they were given, not by the time they arrived', async () => {
    const subject = world.visitor();
    const newer = await record(subject, { decision: 'DENIED', givenAt: later });
    const older = await record(subject, { decision: 'GRANTED', givenAt: at });
    expect(older.body).toMatchObject({
      appliedToState: false,
      supersededBy: newer.body.id,
      state: 'DENIED',
      previousState: 'DENIED',
    });
    expect(await stateOf(subject, 'analytics')).toBe('DENIED');
  });

  test.each([
    ['a refusal beats a grant that came first', { decision: 'GRANTED' }, { decision: 'DENIED' }, true],
    ['a refusal beats a grant that comes after', { decision: 'DENIED' }, { decision: 'GRANTED' }, false],
    [
      'a refusal that was imported beats a grant of the subject',
      { decision: 'GRANTED' },
      { decision: 'DENIED', source: 'IMPORT' },
      true,
    ],
    [
      'what the subject said beats an import',
      { decision: 'GRANTED', source: 'API' },
      { decision: 'GRANTED', source: 'IMPORT' },
      false,
    ],
    [
      'an import beats a migration',
      { decision: 'GRANTED', source: 'MIGRATION' },
      { decision: 'GRANTED', source: 'IMPORT' },
      true,
    ],
    [
      'a migration does not beat an import',
      { decision: 'GRANTED', source: 'IMPORT' },
      { decision: 'GRANTED', source: 'MIGRATION' },
      false,
    ],
    ['the later record beats its equal', { decision: 'GRANTED' }, { decision: 'GRANTED' }, true],
  ])('at the same instant: %s', async (_, first, second, applied) => {
    const subject = world.visitor();
    const one = await record(subject, { ...first, givenAt: at });
    const two = await record(subject, { ...second, givenAt: at });
    expect([two.body.appliedToState, two.body.supersededBy]).toEqual([applied, applied ? null : one.body.id]);
    const { body } = await world.request('GET', pathOf(subject, '?fresh=true'));
    expect(body.purposes.analytics.receiptId).toBe(applied ? two.body.receiptId : one.body.receiptId);
  });

  test('a late import stands in history and changes nothing', async () => {
    const subject = world.visitor();
    await record(subject, { decision: 'WITHDRAWN' });
    const late = await record(subject, { decision: 'GRANTED', source: 'IMPORT', givenAt: ago(1000 * DAY) });
    expect(late.body.appliedToState).toBe(false);
    const { body } = await world.request('GET', pathOf(subject, '/history'));
    expect(body.data.map((item: { appliedToState: boolean }) => item.appliedToState)).toEqual([false, true]);
    expect(await stateOf(subject, 'analytics')).toBe('WITHDRAWN');
  });

  describe.each(['IMPORT', 'MIGRATION'])('of source %s, a claim without a date', (source) => {
    const explained = async (subject: string): Promise<string[]> =>
      (await world.request('GET', pathOf(subject, '/explain?purpose=analytics'))).body.because
        .filter(({ step }: { step: string }) => step === 'RECORD')
        .map(({ text }: { text: string }) => text);

    test.each(['DENIED', 'WITHDRAWN'])('does not stand above one that is %s, and says why', async (decision) => {
      const subject = world.visitor();
      const refused = await record(subject, { decision });
      const claimed = await record(subject, { decision: 'GRANTED', source });
      expect(claimed.body).toMatchObject({
        ...{ appliedToState: false, supersededBy: refused.body.id },
        ...{ previousState: decision, state: decision, givenAt: claimed.body.recordedAt },
      });
      expect(await stateOf(subject, 'analytics')).toBe(decision);
      const { body } = await world.request('GET', pathOf(subject, '/history'));
      expect(body.data.map((item: { appliedToState: boolean }) => item.appliedToState)).toEqual([false, true]);
      expect(await explained(subject)).toEqual([
        expect.stringContaining(`${refused.body.id}: ${decision} given at`),
        `${claimed.body.id}: GRANTED without a date, recorded at ${claimed.body.recordedAt}, source ${source}, does not count: an undated claim never stands above a refusal.`,
      ]);
    });

    test('gives way to a refusal that was given before it and comes in after it', async () => {
      const subject = world.visitor();
      expect((await record(subject, { decision: 'GRANTED', source })).body).toMatchObject({ appliedToState: true });
      expect(await explained(subject)).toEqual([expect.stringContaining('GRANTED without a date, recorded at')]);
      const refused = await record(subject, { decision: 'DENIED', givenAt: at });
      expect(refused.body).toMatchObject({ appliedToState: true, state: 'WITHDRAWN' });
      expect(await stateOf(subject, 'analytics')).toBe('WITHDRAWN');
    });

    test('stands where nothing, or a grant, stood, and where it refuses', async () => {
      const subject = world.visitor();
      expect((await record(subject, { decision: 'GRANTED', source })).body.appliedToState).toBe(true);
      expect((await record(subject, { decision: 'GRANTED', source })).body.appliedToState).toBe(true);
      expect((await record(subject, { decision: 'DENIED', source })).body).toMatchObject({ state: 'WITHDRAWN' });
    });

    test('with a date later than the refusal stands above it', async () => {
      const subject = world.visitor();
      await record(subject, { decision: 'DENIED', givenAt: at });
      expect((await record(subject, { decision: 'GRANTED', source, givenAt: later })).body).toMatchObject({
        appliedToState: true,
        state: 'GRANTED',
      });
    });

    test('does not bring a withdrawn person back by a merge, whatever is most recent', async () => {
      const [refusing, claiming] = [world.visitor(), world.visitor()];
      await record(refusing, { decision: 'DENIED' });
      await record(claiming, { decision: 'GRANTED', source });
      const body = { sources: [claiming], target: refusing, conflictPolicy: 'MOST_RECENT' };
      expect((await world.request('POST', '/v1/subjects/merge', { key: 'sk', body })).status).toBe(200);
      expect(await stateOf(refusing, 'analytics')).toBe('DENIED');
    });
  });
});

test('a grant that was imported long after its time is over is EXPIRED from the start', async () => {
  const subject = world.visitor();
  const { body } = await world.recorded({ subject, source: 'IMPORT', givenAt: ago(1000 * DAY) }, { key: 'sk' });
  expect(Date.parse(body.expiresAt)).toBeLessThan(Date.now());
  expect(await stateOf(subject, 'analytics')).toBe('EXPIRED');
});

test('times are kept as UTC with milliseconds, whatever zone they came in', async () => {
  const when = new Date(Date.now() - MINUTE);
  const { body } = await world.recorded({
    givenAt: new Date(when.getTime() + 2 * 3_600_000).toISOString().replace('Z', '+02:00'),
  });
  expect(body.givenAt).toBe(when.toISOString());
});

test('a subject is found again by another spelling of its address, and by its id', async () => {
  const name = `Ada.${Date.now()}`;
  const first = await world.recorded({ subject: `email:${name}@Example.COM ` }, { key: 'sk' });
  const second = await world.recorded(
    { subject: `email:${name.toLowerCase()}@example.com`, decision: 'DENIED' },
    { key: 'sk' },
  );
  expect(second.body.subject.id).toBe(first.body.subject.id);
  expect(second.body.previousState).toBe('GRANTED');
  const third = await world.recorded({ subject: `subject:${first.body.subject.id}` }, { key: 'sk' });
  expect(third.body.subject.id).toBe(first.body.subject.id);
});

test('decisions of one subject that arrive at once are all recorded, one after the other', async () => {
  const subject = world.visitor();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => post(grant({ subject, decision: i % 2 ? 'GRANTED' : 'DENIED' }))),
  );
  const done = answers.filter(({ status }) => status === 201);
  expect(new Set(done.map(({ body }) => body.sequence)).size).toBe(done.length);
  expect(new Set(done.map(({ body }) => body.subject.id)).size).toBe(1);
  for (const { status, body } of answers)
    if (status !== 201) expect([status, body.code]).toEqual([409, 'state_conflict']);
  const { body } = await world.request('GET', pathOf(subject, '/history?limit=200'));
  expect(body.data).toHaveLength(done.length);
});

test('an error is a problem document for who prefers one', async () => {
  const { headers, body } = await post(grant({ purpose: 'nonsense' }), {
    headers: { Accept: 'application/problem+json' },
  });
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(body).toMatchObject({
    code: 'purpose_unknown',
    status: 422,
    title: expect.any(String),
    detail: body.message,
    type: body.docUrl,
  });
});

test('a path that does not take the method says which it takes', async () => {
  const { status, headers, body } = await world.request('DELETE', '/v1/consent');
  expect([status, body.code, headers.allow]).toEqual([405, 'method_not_allowed', 'POST']);
});
