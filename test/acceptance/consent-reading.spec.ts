import { setTimeout as pause } from 'node:timers/promises';
import { atTheEnd } from '../support/soon.js';
import { pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const DAY = 86_400_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const read = (subject: string, rest = '', ask: Ask = {}): Promise<Answer> =>
  world.request('GET', pathOf(subject, rest), ask);
/** Permission of one purpose as `effective (reason)`. */
const permission = async (subject: string, purpose: string, query = '', ask: Ask = {}): Promise<string> => {
  const { body } = await read(subject, `?purpose=${purpose}${query}`, { key: 'pk', ...ask });
  return `${body.purposes[purpose].effective} ${body.purposes[purpose].effectiveReason}`;
};
const positionOf = (answer: Answer): string => answer.headers['x-log-position'] as string;

describe('the state of a subject', () => {
  test('that nobody has seen is NOT_COLLECTED everywhere, and allowed only what needs no consent', async () => {
    const { status, body } = await read(world.visitor(), '', { key: 'pk' });
    expect(status).toBe(200);
    expect(body.subject.id).toBeNull();
    expect(body.revision).toBe(-1);
    expect(Object.keys(body.purposes).sort()).toEqual([
      'analytics',
      'fraud_prevention',
      'marketing',
      'necessary',
      'sale_of_data',
    ]);
    const brief = Object.fromEntries(
      Object.entries(body.purposes as Record<string, Record<string, string>>).map(([key, one]) => [
        key,
        `${one['state']} ${one['effective']} ${one['effectiveReason']}`,
      ]),
    );
    expect(brief).toEqual({
      analytics: 'NOT_COLLECTED BLOCKED NEVER_ASKED',
      fraud_prevention: 'NOT_COLLECTED ALLOWED POLICY_DEFAULT',
      marketing: 'NOT_COLLECTED BLOCKED NEVER_ASKED',
      necessary: 'NOT_COLLECTED ALLOWED LEGAL_BASIS',
      // Nobody knows where the visitor is: the strictest rule holds.
      sale_of_data: 'NOT_COLLECTED BLOCKED POLICY_DEFAULT',
    });
  });

  test('tells what was said, and what may be done', async () => {
    const subject = world.visitor();
    const { body: record, headers } = await world.recorded({ subject });
    const { body } = await read(subject, '?purpose=analytics', {
      key: 'pk',
      headers: { 'X-Log-Position': headers['x-log-position'] as string },
    });
    expect(body.purposes).toEqual({
      analytics: {
        state: 'GRANTED',
        effective: 'ALLOWED',
        effectiveReason: 'EXPLICIT',
        purposeVersion: 1,
        givenAt: record.givenAt,
        recordedAt: record.recordedAt,
        expiresAt: record.expiresAt,
        source: 'API',
        renewal: { required: false, reason: null },
        receiptId: record.receiptId,
      },
    });
    expect(body.subject.id).toBe(record.subject.id);
    expect(body.revision).toBe(record.sequence);
  });

  test('is filtered by one purpose and by several', async () => {
    const subject = world.visitor();
    expect(Object.keys((await read(subject, '?purpose=marketing')).body.purposes)).toEqual(['marketing']);
    expect(
      Object.keys((await read(subject, '?purpose=marketing&purpose=analytics&purpose=marketing')).body.purposes).sort(),
    ).toEqual(['analytics', 'marketing']);
  });

  test.each([
    ['a purpose that nobody published', '?purpose=nonsense', 422, 'purpose_unknown'],
    ['a purpose named like a member of every object', '?purpose=constructor', 422, 'purpose_unknown'],
    ['an unknown parameter', '?purposes=analytics', 422, 'validation_failed'],
    ['a flag that is none', '?fresh=maybe', 422, 'validation_failed'],
    ['a time that is none', '?asOf=yesterday', 422, 'validation_failed'],
    ['a time twice', '?asOf=2026-01-01T00:00:00Z&asOf=2026-01-02T00:00:00Z', 422, 'validation_failed'],
    ['a country that is none', '?country=Germany', 422, 'validation_failed'],
    ['a region of another country', '?country=DE&region=US-CA', 422, 'validation_failed'],
  ])('refuses %s', async (_, query, status, code) => {
    const { body, status: answered } = await read(world.visitor(), query);
    expect([answered, body.code]).toEqual([status, code]);
  });

  test.each([['-1'], ['1.5'], ['abc'], ['99999999999999999999999']])('refuses the position %s', async (position) => {
    const { status, body } = await read(world.visitor(), '', { headers: { 'X-Log-Position': position } });
    expect([status, body.code, body.issues[0].path]).toEqual([422, 'validation_failed', 'X-Log-Position']);
  });

  test.each([
    ['without a kind', 'visitor', 400, 'subject_ref_invalid'],
    ['of an unknown kind', 'passport:1', 422, 'identifier_kind_unknown'],
    ['with a zero byte', 'email:a\u0000@x.example', 400, 'subject_ref_invalid'],
    ['with no value', 'visitor_id:', 400, 'subject_ref_invalid'],
  ])('refuses a reference %s', async (_, reference, status, code) => {
    const { status: answered, body } = await read(reference);
    expect([answered, body.code]).toEqual([status, code]);
  });

  test('refuses a path that is not percent-encoded UTF-8', async () => {
    const { status, body } = await world.request('GET', '/v1/subjects/visitor_id%3A%E0%A4%A/consent');
    expect([status, body.code]).toEqual([400, 'subject_ref_invalid']);
  });
});

describe("one's own write", () => {
  test('is seen by who sends its position back, also when read at once', async () => {
    const subject = world.visitor();
    for (let i = 0; i < 20; i++) {
      const written = await world.recorded({ subject, decision: i % 2 ? 'DENIED' : 'GRANTED' }, { key: 'sk' });
      const { body } = await read(subject, '?purpose=analytics', {
        headers: { 'X-Log-Position': positionOf(written) },
      });
      expect([body.revision, body.purposes.analytics.state]).toEqual([written.body.sequence, written.body.state]);
    }
  });

  test('is seen by a fresh read without any position, and by Cache-Control: no-cache', async () => {
    const subject = world.visitor();
    for (let i = 0; i < 10; i++) {
      const written = await world.recorded({ subject, decision: i % 2 ? 'DENIED' : 'GRANTED' }, { key: 'sk' });
      expect((await read(subject, '?fresh=true')).body.revision).toBe(written.body.sequence);
      expect((await read(subject, '', { headers: { 'Cache-Control': 'no-cache' } })).body.revision).toBe(
        written.body.sequence,
      );
    }
  });

  test('rows, folds and what was written say the same once the rows have caught up', async () => {
    const subject = world.visitor();
    for (const [purpose, decision] of [
      ['analytics', 'GRANTED'],
      ['marketing', 'DENIED'],
      ['analytics', 'WITHDRAWN'],
      ['sale_of_data', 'OBJECTED'],
    ])
      await world.recorded({ subject, purpose, decision });
    await world.caughtUp();
    const { body: row, headers: ofRow } = await read(subject);
    const { body: fold, headers: ofFold } = await read(subject, '?fresh=true');
    expect({ ...row, asOf: null }).toEqual({ ...fold, asOf: null });
    expect(ofRow.etag).toBe(ofFold.etag);
  });

  test('a position that the log has not reached is waited for in vain, and answered from the stream', async () => {
    const subject = world.visitor();
    await world.recorded({ subject });
    const { status, body } = await read(subject, '', { headers: { 'X-Log-Position': '18446744073709551615' } });
    expect([status, body.purposes.analytics.state]).toEqual([200, 'GRANTED']);
  });
});

describe('revalidation', () => {
  let subject: string;
  let etag: string;
  beforeAll(async () => {
    subject = world.visitor();
    await world.caughtUp(positionOf(await world.recorded({ subject })));
    etag = (await read(subject)).headers.etag as string;
  });
  const status = async (ifNoneMatch: string, query = ''): Promise<number> =>
    (await read(subject, query, { headers: { 'If-None-Match': ifNoneMatch } })).status;

  test('answers 304 without a body, with the same tag, and private', async () => {
    const { status: answered, text, headers } = await read(subject, '', { headers: { 'If-None-Match': etag } });
    expect([answered, text, headers.etag, headers['cache-control']]).toEqual([304, '', etag, 'private, no-cache']);
    expect(etag).toMatch(/^W\/"/);
  });

  test.each([
    ['the tag itself', () => etag],
    ['the tag as a strong one', () => etag.slice(2)],
    ['a list that holds it', () => `"other", ${etag} ,W/"third"`],
    ['any', () => '*'],
  ])('hits by %s', async (_, header) => {
    expect(await status(header())).toBe(304);
  });

  test.each([
    ['another tag', () => 'W/"other"'],
    ['the tag without quotes', () => etag.slice(3, -1)],
    ['nothing', () => ''],
  ])('misses by %s', async (_, header) => {
    expect(await status(header())).toBe(200);
  });

  test('tells filters, places and instants apart', async () => {
    for (const query of ['?purpose=analytics', '?country=DE', '?asOf=2026-11-21T00:00:00Z']) {
      const other = (await read(subject, query, {})).headers.etag;
      if (query.includes('asOf') || query.includes('purpose')) expect(other).not.toBe(etag);
      expect((await read(subject, query, { headers: { 'If-None-Match': other as string } })).status).toBe(304);
    }
    expect(await status(etag, '?purpose=analytics')).toBe(200);
  });

  test('misses as soon as anything was recorded', async () => {
    const written = await world.recorded({ subject, purpose: 'marketing', decision: 'DENIED' });
    const { status: answered, headers } = await read(subject, '', {
      headers: { 'If-None-Match': etag, 'X-Log-Position': positionOf(written) },
    });
    expect(answered).toBe(200);
    expect(headers.etag).not.toBe(etag);
  });

  test('misses as soon as a purpose was published', async () => {
    const visitor = world.visitor();
    await world.caughtUp(positionOf(await world.recorded({ subject: visitor })));
    const before = (await read(visitor)).headers.etag as string;
    const applied = await publish('etag_probe', 'First.');
    const { status: answered, body } = await read(visitor, '', {
      headers: { 'If-None-Match': before, 'X-Log-Position': positionOf(applied) },
    });
    expect(answered).toBe(200);
    expect(body.purposes.etag_probe.state).toBe('NOT_COLLECTED');
  });
});

const publish = (key: string, description: string, more: Record<string, unknown> = {}): Promise<Answer> =>
  world.request('POST', `/admin/v1/sites/${world.demo.site}/test/catalogue`, {
    key: 'operator',
    body: {
      purposes: [
        {
          key,
          legalBasis: 'CONSENT',
          consentModel: 'OPT_IN',
          category: 'ANALYTICS',
          controller: { name: 'Shop', contact: 'x@shop.example' },
          defaultLocale: 'en',
          translations: { en: { name: key, description } },
          ...more,
        },
      ],
    },
  });

describe('a grant that runs out', () => {
  test('is EXPIRED with another tag from its very instant, and the log says so soon after', async () => {
    // The clock is what is tested: there is no position to wait for.
    const { endsAt: expiresAt, prepared } = await atTheEnd(async (endsAt) => {
      const subject = world.visitor();
      const written = await world.recorded({ subject, expiresAt: endsAt });
      expect(written.body.expiresAt).toBe(endsAt);
      await world.caughtUp(positionOf(written));
      const before = await read(subject);
      expect(before.body.purposes.analytics).toMatchObject({ state: 'GRANTED', effective: 'ALLOWED' });
      return { subject, written, etag: before.headers.etag as string };
    });
    const { subject, written, etag } = prepared;
    const after = await read(subject, '', { headers: { 'If-None-Match': etag } });
    expect(after.status).toBe(200);
    expect(after.body.purposes.analytics).toMatchObject({
      state: 'EXPIRED',
      effective: 'BLOCKED',
      effectiveReason: 'EXPIRED',
      expiresAt,
      renewal: { required: true, reason: 'EXPIRED' },
    });

    const said = await until(
      async () => (await read(subject, '/history')).body.data[0],
      (item) => item.object === 'consent_expiry',
    );
    expect(said).toMatchObject({
      id: written.body.id,
      purpose: 'analytics',
      state: 'EXPIRED',
      expiresAt,
      receiptId: null,
    });
    expect((await read(subject, '?fresh=true')).body.purposes.analytics.state).toBe('EXPIRED');
    const { body } = await world.recorded({ subject, decision: 'DENIED' });
    expect([body.previousState, body.state]).toEqual(['EXPIRED', 'DENIED']);
  });

  test('was still GRANTED before, for who asks about that time', async () => {
    const subject = world.visitor();
    const givenAt = ago(400 * DAY);
    await world.recorded({ subject, source: 'IMPORT', givenAt }, { key: 'sk' });
    expect((await read(subject, '?fresh=true')).body.purposes.analytics.state).toBe('EXPIRED');
    expect((await read(subject, `?asOf=${ago(100 * DAY)}`)).body.purposes.analytics).toMatchObject({
      state: 'GRANTED',
      effective: 'ALLOWED',
    });
  });
});

async function until<T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + 240_000; ; await pause(20)) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`never held: ${JSON.stringify(answer)}`);
  }
}

describe('the past', () => {
  test('as given and as known are told apart', async () => {
    const subject = world.visitor();
    const sk = { key: 'sk' };
    const first = await world.recorded({ subject, decision: 'GRANTED', givenAt: ago(3_600_000) }, sk);
    const imported = await world.recorded(
      { subject, decision: 'DENIED', source: 'IMPORT', givenAt: ago(1_800_000) },
      sk,
    );
    const state = async (query: string): Promise<string> =>
      (await read(subject, `${query}&purpose=analytics`)).body.purposes.analytics.state;
    expect(await state(`?asOf=${ago(7_200_000)}`)).toBe('NOT_COLLECTED');
    expect(await state(`?asOf=${ago(2_700_000)}`)).toBe('GRANTED');
    expect(await state(`?asOf=${ago(900_000)}`)).toBe('WITHDRAWN');
    expect(await state(`?knownAt=${first.body.recordedAt}&asOf=${ago(0)}`)).toBe(
      first.body.recordedAt === imported.body.recordedAt ? 'WITHDRAWN' : 'GRANTED',
    );
    expect(await state(`?knownAt=${new Date(Date.parse(first.body.recordedAt) - 1).toISOString()}`)).toBe(
      'NOT_COLLECTED',
    );
    expect(await state(`?knownAt=${imported.body.recordedAt}`)).toBe('WITHDRAWN');
  });

  test('is told for imported decisions that are older than the catalogue', async () => {
    const subject = world.visitor();
    await world.recorded({ subject, source: 'MIGRATION', givenAt: '2020-05-01T00:00:00Z' }, { key: 'sk' });
    const { status, body } = await read(subject, '?asOf=2020-06-01T00:00:00Z&purpose=analytics');
    expect(status).toBe(200);
    expect(body.asOf).toBe('2020-06-01T00:00:00.000Z');
    expect(body.purposes.analytics).toMatchObject({
      state: 'GRANTED',
      effective: 'ALLOWED',
      effectiveReason: 'EXPLICIT',
    });
    expect((await read(subject, '?asOf=2020-06-01T00:00:00Z')).body.purposes.analytics.state).toBe('GRANTED');
  });
});

describe('the place', () => {
  const sale = (subject: string, query = '', ask: Ask = {}) => permission(subject, 'sale_of_data', query, ask);
  const [allowed, blocked] = ['ALLOWED POLICY_DEFAULT', 'BLOCKED POLICY_DEFAULT'];

  test('makes one purpose opt-out in California and opt-in in Germany', async () => {
    const subject = world.visitor();
    expect(await sale(subject, '&region=US-CA')).toBe(allowed);
    expect(await sale(subject, '&country=DE')).toBe(blocked);
    expect(await sale(subject)).toBe(blocked);
  });

  test('is that of the query, else that which the proxy names to a page, else that of the newest record', async () => {
    const subject = world.visitor();
    const jurisdiction = { country: 'US', region: 'US-CA', source: 'DETECTED' };
    await world.recorded({ subject, jurisdiction });
    const seen = { key: 'pk', headers: { 'X-Edge-Country': 'DE' } } as const;
    expect(await sale(subject, '&fresh=true')).toBe(allowed);
    expect(await sale(subject, '&fresh=true', seen)).toBe(blocked);
    expect(await sale(subject, '&fresh=true&region=US-VA', seen)).toBe(allowed);
    // Where the server of a site stands says nothing about the person.
    expect(await sale(subject, '&fresh=true', { ...seen, key: 'sk' })).toBe(allowed);
    await world.recorded({ subject, jurisdiction: { country: 'FR', source: 'DETECTED' } });
    expect(await sale(subject, '&fresh=true')).toBe(blocked);
  });

  test('is the own country of the subject where nothing else names one, until a record does', async () => {
    const reference = world.visitor();
    const [kind, value] = reference.split(':');
    const made = await world.request('POST', '/v1/subjects', {
      key: 'sk',
      body: { identifiers: [{ kind, value }], country: 'US' },
    });
    expect(made.status).toBe(201);
    await world.caughtUp(positionOf(made));
    for (const fresh of ['', '&fresh=true']) {
      expect(await sale(reference, fresh)).toBe(allowed);
      expect(await sale(reference, `${fresh}&country=DE`)).toBe(blocked);
    }
    const told = await read(reference, '/explain?purpose=sale_of_data');
    expect(JSON.stringify(told.body.because)).toContain('of United States, which is known as the subject’s own');
    const tag = (await read(reference)).headers.etag;
    expect((await read(reference, '', { headers: { 'If-None-Match': String(tag) } })).status).toBe(304);

    await world.caughtUp(
      positionOf(await world.recorded({ subject: reference, jurisdiction: { country: 'FR', source: 'DETECTED' } })),
    );
    for (const fresh of ['', '&fresh=true']) expect(await sale(reference, fresh)).toBe(blocked);
  });

  test('is part of the tag, so that nobody takes the answer for one place for that of another', async () => {
    const subject = world.visitor();
    await world.caughtUp(positionOf(await world.recorded({ subject })));
    const tags = new Set<unknown>();
    for (const query of ['', '?country=DE', '?country=FR', '?country=US', '?region=US-CA'])
      tags.add((await read(subject, query)).headers.etag);
    tags.add((await read(subject, '', { key: 'pk', headers: { 'X-Edge-Country': 'IT' } })).headers.etag);
    expect(tags.size).toBe(6);
  });

  test.each([
    ['country', '?country=ZZ', 'is no assigned code of ISO 3166-1'],
    ['country', '?country=EU', 'is the European Union, which is no country: send the member state'],
    ['region', '?region=ZZ-CA', 'begins with a code that ISO 3166-1 has not assigned'],
    ['region', '?country=US&region=CA', 'such as US-CA'],
    ['region', '?region=us-ca', 'did you mean "US-CA"?'],
  ])('is refused where it is none: %s of %s', async (path, query, message) => {
    for (const address of [query, `/explain${query}&purpose=analytics`]) {
      const { status, body } = await read(world.visitor(), address);
      expect([status, body.code, body.issues[0].path]).toEqual([422, 'validation_failed', path]);
      expect(body.issues[0].message).toContain(message);
    }
  });

  test('is one, whichever of its codes comes in', async () => {
    const subject = world.visitor();
    const jurisdiction = { country: 'UK', region: 'UK-SCT', source: 'DETECTED' };
    await world.recorded({ subject, jurisdiction }, { key: 'sk' });
    const [newest] = (await read(subject, '/history')).body.data;
    expect(newest.jurisdiction).toEqual({ country: 'GB', region: 'GB-SCT', source: 'DETECTED' });
    const [other, same] = await Promise.all(['UK', 'GB'].map((code) => read(subject, `?fresh=true&country=${code}`)));
    expect(other!.body.purposes).toEqual(same!.body.purposes);
  });

  test.each([
    ['jurisdiction.country', { country: 'ZZ' }],
    ['jurisdiction.country', { country: 'EU' }],
    ['jurisdiction.region', { country: 'US', region: 'CA' }],
    ['jurisdiction.region', { country: 'DE', region: 'US-CA' }],
  ])('that a record names is refused by the same rule: %s of %j', async (path, place) => {
    const record = { purpose: 'analytics', decision: 'GRANTED', jurisdiction: { ...place, source: 'DETECTED' } };
    const body = { subject: world.visitor(), ...record };
    for (const [address, sent, at] of [
      ['/v1/consent', body, path],
      ['/v1/consent/batch', { records: [body] }, `records[0].${path}`],
    ] as const) {
      const answer = await world.request('POST', address, { key: 'sk', body: sent });
      const { issues } = answer.status === 200 ? answer.body.results[0].error : answer.body;
      expect(issues[0].path).toBe(at);
    }
  });

  test('bounds how long a grant holds', async () => {
    const grant = (over: object) =>
      world.request('POST', '/v1/consent', {
        key: 'sk',
        body: {
          subject: world.visitor(),
          purpose: 'analytics',
          decision: 'GRANTED',
          jurisdiction: { country: 'FR', source: 'DETECTED' },
          ...over,
        },
      });
    const days = 86_400_000;
    const { body } = await grant({});
    expect(Date.parse(body.expiresAt) - Date.parse(body.givenAt)).toBe(180 * days);
    const late = await grant({ expiresAt: new Date(Date.now() + 200 * days).toISOString() });
    expect([late.status, late.body.code, late.body.issues[0].path]).toEqual([422, 'validation_failed', 'expiresAt']);
    expect(late.body.hint).toContain('consentValidityDays');
  });
});

describe('Global Privacy Control', () => {
  const GPC = { headers: { 'Sec-GPC': '1' } };

  test.each([
    ['in California', '&region=US-CA', 'BLOCKED SIGNAL_GPC'],
    ['in California, named twice', '&country=US&region=US-CA', 'BLOCKED SIGNAL_GPC'],
    ['somewhere in the United States', '&country=US', 'BLOCKED SIGNAL_GPC'],
    ['where the place is not known', '', 'BLOCKED SIGNAL_GPC'],
    ['in Virginia', '&region=US-VA', 'ALLOWED POLICY_DEFAULT'],
    ['in Germany', '&country=DE', 'BLOCKED POLICY_DEFAULT'],
  ])('%s', async (_, query, expected) => {
    expect(await permission(world.visitor(), 'sale_of_data', query, GPC)).toBe(expected);
  });

  test.each([[['1', '1']], ['1,1'], [['0', '1']], ['0, 1']])('that came more than once counts: %j', async (sent) => {
    const several = { headers: { 'Sec-GPC': sent } };
    expect(await permission(world.visitor(), 'sale_of_data', '&region=US-CA', several)).toBe('BLOCKED SIGNAL_GPC');
    const subject = world.visitor();
    await world.recorded({ subject, purpose: 'marketing' }, { key: 'pk', ...several });
    expect((await read(subject, '/history')).body.data).toMatchObject([{ signals: { gpc: true } }]);
  });

  test.each(['0', '0, 0', 'true'])('with another value says nothing: %s', async (sent) =>
    expect(await permission(world.visitor(), 'sale_of_data', '&region=US-CA', { headers: { 'Sec-GPC': sent } })).toBe(
      'ALLOWED POLICY_DEFAULT',
    ),
  );

  test('reaches only the purposes that it is about', async () => {
    expect(await permission(world.visitor(), 'fraud_prevention', '&region=US-CA', GPC)).toBe('ALLOWED POLICY_DEFAULT');
    expect(await permission(world.visitor(), 'necessary', '&region=US-CA', GPC)).toBe('ALLOWED LEGAL_BASIS');
  });

  test("of a server's own request says nothing about the person", async () => {
    expect(await permission(world.visitor(), 'sale_of_data', '&region=US-CA', { key: 'sk', ...GPC })).toBe(
      'ALLOWED POLICY_DEFAULT',
    );
  });

  test('is no choice: the state stays, and reading records nothing', async () => {
    const subject = world.visitor();
    const written = await world.recorded({ subject, purpose: 'marketing' });
    const { body } = await read(subject, '?region=US-CA', {
      key: 'pk',
      headers: { 'Sec-GPC': '1', 'X-Log-Position': positionOf(written) },
    });
    expect(body.purposes.marketing).toMatchObject({
      state: 'GRANTED',
      effective: 'BLOCKED',
      effectiveReason: 'SIGNAL_GPC',
    });
    expect((await read(subject, '/history')).body.data).toHaveLength(1);
  });

  test('that came with a decision is remembered, also for requests without it', async () => {
    const subject = world.visitor();
    await world.recorded({ subject, decision: 'DENIED' }, GPC);
    expect((await read(subject, '/history')).body.data[0].signals).toEqual({ gpc: true });
    expect(await permission(subject, 'sale_of_data', '&region=US-CA&fresh=true')).toBe('BLOCKED SIGNAL_GPC');
    await world.recorded({ subject, decision: 'DENIED', signals: { gpc: false } });
    expect(await permission(subject, 'sale_of_data', '&region=US-CA&fresh=true')).toBe('ALLOWED POLICY_DEFAULT');
  });

  test('is overridden by a newer choice about the very purpose, not by "accept all"', async () => {
    const subject = world.visitor();
    const choose = (method: string) =>
      world.recorded({ subject, purpose: 'sale_of_data', collection: { method, surface: 'BANNER' } }, GPC);
    await world.recorded({ subject, decision: 'DENIED' }, GPC);
    await choose('ACCEPT_ALL');
    expect(await permission(subject, 'sale_of_data', '&region=US-CA&fresh=true', GPC)).toBe('BLOCKED SIGNAL_GPC');
    await choose('TOGGLE');
    expect(await permission(subject, 'sale_of_data', '&region=US-CA&fresh=true', GPC)).toBe('ALLOWED EXPLICIT');
  });

  test('has its own tag, so that no cache mixes up who sent it', async () => {
    const subject = world.visitor();
    await world.caughtUp(positionOf(await world.recorded({ subject })));
    const plain = (await read(subject, '', { key: 'pk' })).headers.etag as string;
    const { status, headers } = await read(subject, '', {
      key: 'pk',
      headers: { 'Sec-GPC': '1', 'If-None-Match': plain },
    });
    expect(status).toBe(200);
    expect(headers.etag).not.toBe(plain);
  });
});

test('a material new version asks again and blocks until then; an editorial one does not', async () => {
  const subject = world.visitor();
  await publish('renewed', 'First.');
  const applied = await publish('renewed', 'Second.', { change: { kind: 'EDITORIAL' } });
  expect(applied.body.changes).toEqual([
    { object: 'purpose', key: 'renewed', action: 'PUBLISH', version: 2, changed: ['translations'] },
  ]);
  const first = await world.recorded({ subject, purpose: 'renewed', purposeVersion: 1 }, { key: 'sk' });
  expect(first.body.purposeVersion).toBe(1);
  const shown = async () => (await read(subject, '?fresh=true&purpose=renewed')).body.purposes.renewed;
  expect(await shown()).toMatchObject({
    state: 'GRANTED',
    effective: 'ALLOWED',
    renewal: { required: false, reason: null },
  });
  const third = await publish('renewed', 'Third.', { change: { kind: 'MATERIAL' } });
  expect(
    (await read(subject, '?purpose=renewed', { headers: { 'X-Log-Position': positionOf(third) } })).body.purposes
      .renewed,
  ).toMatchObject({
    state: 'GRANTED',
    effective: 'BLOCKED',
    effectiveReason: 'RENEWAL_REQUIRED',
    purposeVersion: 1,
    renewal: { required: true, reason: 'PURPOSE_VERSION_CHANGED' },
  });
  expect(
    (await read(subject, '/explain?purpose=renewed')).body.because.map((one: { step: string }) => one.step),
  ).toEqual(['PURPOSE', 'RECORD', 'POLICY', 'VERSION', 'RESULT']);
  await world.recorded({ subject, purpose: 'renewed' });
  expect(await shown()).toMatchObject({
    state: 'GRANTED',
    effective: 'ALLOWED',
    purposeVersion: 3,
    renewal: { required: false, reason: null },
  });
});

describe('an explanation', () => {
  test('tells step by step what the state says in one word', async () => {
    const subject = world.visitor();
    const { body: record } = await world.recorded(
      { subject, purpose: 'sale_of_data', collection: { method: 'ACCEPT_ALL', surface: 'BANNER' } },
      { headers: { 'Sec-GPC': '1' } },
    );
    const { status, body } = await read(subject, '/explain?purpose=sale_of_data&region=US-CA', { key: 'pk' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      purpose: 'sale_of_data',
      effective: 'BLOCKED',
      effectiveReason: 'SIGNAL_GPC',
      subject: { id: record.subject.id },
    });
    expect(body.because.map((one: { step: string }) => one.step)).toEqual([
      'PURPOSE',
      'RECORD',
      'POLICY',
      'SIGNAL',
      'RESULT',
    ]);
    expect(body.because[1].text).toContain(record.id);
    expect(body.because[2].text).toMatch(
      /^Rule US-CA\.2023-01-01, of California, which the request names \(CCPA: .+; read on \d{4}-\d\d-\d\d\)\. /,
    );
  });

  test('tells what held at an instant, as the state of that instant does', async () => {
    const subject = world.visitor();
    await world.recorded({ subject, source: 'IMPORT', givenAt: ago(400 * DAY) }, { key: 'sk' });
    for (const asOf of [ago(500 * DAY), ago(100 * DAY), ago(DAY)]) {
      const { status, body } = await read(subject, `/explain?purpose=analytics&asOf=${asOf}`);
      const { effective, effectiveReason } = (await read(subject, `?purpose=analytics&asOf=${asOf}`)).body.purposes
        .analytics;
      expect([status, body.asOf, body.effective, body.effectiveReason]).toEqual([
        200,
        asOf,
        effective,
        effectiveReason,
      ]);
    }
  });

  test('of somebody unknown says that nothing was recorded', async () => {
    const { body } = await read(world.visitor(), '/explain?purpose=analytics', { key: 'pk' });
    expect(body).toMatchObject({ subject: { id: null }, effective: 'BLOCKED', effectiveReason: 'NEVER_ASKED' });
  });

  test.each([
    ['', 'validation_failed'],
    ['?purpose=nonsense', 'purpose_unknown'],
  ])('of nothing is refused (%s)', async (query, code) => {
    const { status, body } = await read(world.visitor(), `/explain${query}`);
    expect([status, body.code]).toEqual([422, code]);
  });
});

test('a HEAD request answers the headers alone', async () => {
  const subject = world.visitor();
  const { status, text, headers } = await world.request('HEAD', pathOf(subject), {});
  expect([status, text]).toEqual([200, '']);
  expect(headers.etag).toBeDefined();
});
