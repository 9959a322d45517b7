import { verifies } from '../support/receipt.js';
import { atTheEnd } from '../support/soon.js';
import { newEmail, newKey, refused, subjectPath, subjectsIn } from '../support/subjects.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const { create, decide, erase, get, history, merge, person, post, revert, states, visitor } = subjectsIn(() => world);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NOBODY = 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S';

type Item = Record<string, unknown>;
const restrict = (ref: string, body: Item = {}, key?: string): Promise<Answer> =>
  post(subjectPath(ref, '/restrict'), body, key);
const lift = (ref: string, body: Item = {}, key?: string): Promise<Answer> =>
  post(subjectPath(ref, '/lift-restriction'), body, key);
const keySet = async (): Promise<{ kid: string; x: string }[]> =>
  (await world.request('GET', '/.well-known/jwks.json', { key: null })).body.keys;

describe('a legal hold', () => {
  test('shows in the subject, and blocks erasing until it is lifted', async () => {
    const email = newEmail();
    const id = await person(email);
    const held = await restrict(`email:${email}`, {
      until: '2099-01-01T00:00:00+01:00',
      reason: 'litigation 12 O 34/26',
    });
    expect([held.status, held.body]).toMatchObject([
      200,
      { id, state: 'RESTRICTED', restrictedUntil: '2098-12-31T23:00:00.000Z' },
    ]);
    expect(held.headers['x-log-position']).toMatch(/^\d+$/);
    expect((await get(id)).body).toEqual(held.body);
    for (const ref of [`email:${email}`, id])
      expect(refused(await erase(ref))).toEqual([409, 'state_conflict', 'subject']);
    // Decisions go on, and identifiers.
    expect((await decide(id, { analytics: 'GRANTED' })).status).toBe(200);
    const lifted = await lift(id, { reason: 'case closed' });
    expect([lifted.status, lifted.body.state, lifted.body.restrictedUntil]).toEqual([200, 'ACTIVE', null]);
    expect((await erase(id)).status).toBe(200);
  });

  test('without an end stands until it is lifted', async () => {
    const id = await person();
    expect((await restrict(id)).body).toMatchObject({ state: 'RESTRICTED', restrictedUntil: null });
  });

  test('laid or lifted again changes nothing', async () => {
    const id = await person();
    expect((await lift(id)).headers['x-log-position']).toBeUndefined();
    const first = await restrict(id, { until: '2099-01-01T00:00:00Z' });
    const again = await restrict(id, { until: '2099-01-01T00:00:00Z' });
    expect([again.body, again.headers['x-log-position']]).toEqual([first.body, undefined]);
    expect((await restrict(id, { until: '2098-01-01T00:00:00Z' })).body.restrictedUntil).toBe(
      '2098-01-01T00:00:00.000Z',
    );
    expect((await restrict(id)).body.restrictedUntil).toBeNull();
  });

  test('ends by itself', async () => {
    const { prepared: id } = await atTheEnd(async (until) => {
      const held = await person();
      expect((await restrict(held, { until })).body.state).toBe('RESTRICTED');
      expect((await get(held)).body.state).toBe('RESTRICTED');
      return held;
    });
    expect((await get(id)).body).toMatchObject({ state: 'ACTIVE', restrictedUntil: null });
    expect((await erase(id)).status).toBe(200);
  });

  test('of one who is merged is the survivor’s too, until the merge is reverted', async () => {
    const [source, target] = [await person(), await person()];
    await restrict(source);
    const {
      body: { mergeId },
    } = await merge([source], target);
    expect((await get(target)).body.state).toBe('RESTRICTED');
    for (const id of [source, target]) expect(refused(await erase(id))).toEqual([409, 'state_conflict', 'subject']);
    await revert(mergeId);
    expect([(await get(target)).body.state, (await get(source)).body.state]).toEqual(['ACTIVE', 'RESTRICTED']);
  });

  test.each<[string, (id: string) => Promise<Answer>, number, string, string]>([
    ['that is over', (id) => restrict(id, { until: '2020-01-01T00:00:00Z' }), 422, 'validation_failed', 'until'],
    ['until no time', (id) => restrict(id, { until: 'tomorrow' }), 422, 'validation_failed', 'until'],
    ['with too long a reason', (id) => restrict(id, { reason: 'x'.repeat(501) }), 422, 'validation_failed', 'reason'],
    ['with a field too many', (id) => lift(id, { until: '2099-01-01T00:00:00Z' }), 422, 'validation_failed', 'until'],
    ['of nobody', () => restrict('email:nobody@hold.example'), 404, 'subject_not_found', 'ref'],
    ['lifted of nobody', () => lift(NOBODY), 404, 'subject_not_found', 'ref'],
    ['of no reference', () => restrict('nobody'), 400, 'subject_ref_invalid', ''],
  ])('%s is refused', async (_, ask, status, code, path) => {
    const [is, says, at = ''] = refused(await ask(await person()));
    expect([is, says, at]).toEqual([status, code, path]);
  });

  test('a hundred times at once is one', async () => {
    const id = await person();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => restrict(id, { until: '2099-01-01T00:00:00Z' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['x-log-position'] !== undefined)).toHaveLength(1);
  });
});

describe('erasing', () => {
  test('answers with a signed receipt that anybody can verify, and names nobody', async () => {
    const email = newEmail();
    const id = (
      await create(
        [
          { kind: 'email', value: email },
          { kind: 'user_id', value: email },
        ],
        { locale: 'de', country: 'DE', metadata: { note: 'canary' } },
      )
    ).body.id as string;
    await decide(id, { analytics: 'GRANTED' });
    const { status, body, text, headers } = await post(subjectPath(`email:${email}`, '/erase'), {
      reason: 'CONSENT_WITHDRAWN',
    });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers['x-log-position']).toMatch(/^\d+$/);
    expect(body.receipt).toEqual({
      schema: 'urn:consent-receipt:1',
      id: expect.stringMatching(/^rct_[0-9A-Z]{26}$/),
      issuer: expect.stringMatching(/^http/),
      site: world.demo.site,
      environment: 'test',
      subject: { id },
      event: { type: 'erasure', state: 'ERASED', at: TIME, reason: 'CONSENT_WITHDRAWN' },
      erased: { subjects: [id], destroyed: expect.arrayContaining(['SUBJECT_KEY', 'IDENTIFIERS']) },
      kept: [{ what: 'DECISIONS', as: 'ANONYMOUS_EVIDENCE', under: expect.any(Array) }],
    });
    expect(verifies(body.jws, body.receipt, await keySet())).toBe(true);
    expect(verifies(body.jws, { ...body.receipt, subject: { id: NOBODY } }, await keySet())).toBe(false);
    expect(text).not.toContain(email);
  });

  test('leaves a marker under the id, and nobody under the references', async () => {
    const email = newEmail();
    const { body: before } = await create([{ kind: 'email', value: email }], {
      locale: 'de',
      country: 'DE',
      metadata: { a: 1 },
    });
    await decide(before.id, { analytics: 'GRANTED' });
    const {
      body: { receipt },
    } = await erase(`email:${email}`);
    expect((await get(before.id)).body).toEqual({
      id: before.id,
      object: 'subject',
      state: 'ERASED',
      mergedInto: null,
      identifiers: [],
      locale: null,
      country: null,
      metadata: {},
      restrictedUntil: null,
      createdAt: before.createdAt,
      updatedAt: receipt.event.at,
    });
    expect(refused(await get(`email:${email}`))).toEqual([404, 'subject_not_found', 'ref']);
    for (const path of [
      pathOf(before.id),
      pathOf(before.id, '?fresh=true'),
      pathOf(before.id, `?asOf=${String(before.createdAt)}`),
      pathOf(before.id, '/explain?purpose=analytics'),
      pathOf(before.id, '/history'),
    ])
      expect([path, ...refused(await world.request('GET', path)).slice(0, 2)]).toEqual([path, 410, 'subject_erased']);
    expect(await states(`email:${email}`)).toEqual({});
    expect((await history(`email:${email}`)).body.data).toEqual([]);
  });

  test('again, by the id, answers the same receipt; by the reference there is nobody', async () => {
    const email = newEmail();
    const id = await person(email);
    const first = await erase(id);
    for (const ref of [id, `subject:${id}`]) {
      const again = await erase(ref);
      expect([again.status, again.text, again.headers['x-log-position']]).toEqual([
        200,
        first.text,
        first.headers['x-log-position'],
      ]);
    }
    expect(refused(await erase(`email:${email}`))).toEqual([404, 'subject_not_found', 'ref']);
    // A receipt is the same for whatever reason is given later.
    expect((await post(subjectPath(id, '/erase'), { reason: 'OTHER' })).text).toBe(first.text);
  });

  test('a hundred times at once is one erasure', async () => {
    const id = await person();
    const answers = await Promise.all(Array.from({ length: 100 }, () => erase(id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });

  test('starts nothing for the id, and somebody new for the reference', async () => {
    const email = newEmail();
    const id = await person(email);
    await decide(id, { marketing: 'DENIED' });
    await erase(id);
    const ofId = { subject: id, purpose: 'analytics', decision: 'GRANTED' };
    expect(refused(await post('/v1/consent', ofId)).slice(0, 2)).toEqual([410, 'subject_erased']);
    expect((await post('/v1/consent/batch', { records: [ofId] })).body.results[0]).toMatchObject({
      status: 'REJECTED',
      error: { code: 'subject_erased' },
    });
    for (const answer of [
      await restrict(id),
      await lift(id),
      await post(subjectPath(id, '/identifiers'), { kind: 'email', value: email }),
      await merge([id], await person()),
      await merge([await person()], id),
    ])
      expect(refused(answer).slice(0, 2)).toEqual([410, 'subject_erased']);
    const { body } = await world.recorded(
      { subject: `email:${email}`, purpose: 'analytics', decision: 'GRANTED' },
      { key: 'sk' },
    );
    expect(body).toMatchObject({ previousState: 'NOT_COLLECTED', sequence: expect.any(Number) });
    expect(body.subject.id).not.toBe(id);
    expect(await states(`email:${email}`)).toEqual({ analytics: 'GRANTED' });
    expect((await history(`email:${email}`)).body.data).toHaveLength(1);
    expect((await create([{ kind: 'email', value: email }])).body.id).toBe(body.subject.id);
    // The new one can be erased as well, with a receipt of its own.
    expect((await erase(`email:${email}`)).body.receipt.subject.id).toBe(body.subject.id);
  });

  test('takes with it everybody who was merged, whole, by whichever of them was named', async () => {
    for (const named of [0, 1, 2]) {
      const emails = [newEmail(), newEmail(), newEmail()];
      const [a, b, root] = [await person(emails[0]), await person(emails[1]), await person(emails[2])];
      const ref = world.visitor();
      await visitor(ref);
      await post(subjectPath(a, '/identifiers'), { kind: 'visitor_id', value: ref.slice(11) });
      await merge([a], b);
      const {
        body: { mergeId },
      } = await merge([b], root);
      const { status, body } = await erase(`email:${emails[named]}`);
      expect([status, body.receipt.subject.id]).toEqual([200, root]);
      expect(new Set(body.receipt.erased.subjects)).toEqual(
        new Set([a, b, root, (body.receipt.erased.subjects as string[]).find((id) => ![a, b, root].includes(id))]),
      );
      expect(body.receipt.erased.subjects).toHaveLength(4);
      expect(verifies(body.jws, body.receipt, await keySet())).toBe(true);
      for (const known of [...emails.map((email) => `email:${email}`), ref])
        expect([(await get(known)).status, await states(known)]).toEqual([404, {}]);
      for (const id of [a, b, root]) {
        expect((await get(id)).body).toMatchObject({ state: 'ERASED', identifiers: [] });
        expect(refused(await world.request('GET', pathOf(id))).slice(0, 2)).toEqual([410, 'subject_erased']);
        expect((await erase(id)).text).toBe((await erase(root)).text);
      }
      expect(refused(await revert(mergeId)).slice(0, 2)).toEqual([410, 'subject_erased']);
    }
  });

  test('leaves alone who was told apart before', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [source, target] = [await person(one), await person(two)];
    const {
      body: { mergeId },
    } = await merge([source], target);
    await revert(mergeId);
    expect((await erase(target)).body.receipt.erased.subjects).toEqual([target]);
    expect((await get(`email:${one}`)).body).toMatchObject({
      id: source,
      state: 'ACTIVE',
      identifiers: [{ value: one }],
    });
  });

  test.each<[string, (id: string) => Promise<Answer>, number, string, string | undefined]>([
    ['nobody', () => erase('email:nobody@erasure.example'), 404, 'subject_not_found', 'ref'],
    ['an id of nobody', () => erase(NOBODY), 404, 'subject_not_found', 'ref'],
    ['what is no reference', () => erase('nobody'), 400, 'subject_ref_invalid', 'ref'],
    ['of an unknown kind', () => erase('passport:1'), 422, 'identifier_kind_unknown', 'ref'],
    [
      'for a reason in words',
      (id) => post(subjectPath(id, '/erase'), { reason: 'Ada asked' }),
      422,
      'validation_failed',
      'reason',
    ],
    [
      'with a field too many',
      (id) => post(subjectPath(id, '/erase'), { force: true }),
      422,
      'validation_failed',
      'force',
    ],
    [
      'with a public key',
      (id) => post(subjectPath(id, '/erase'), {}, undefined, { key: 'pk' }),
      403,
      'secret_key_required',
      undefined,
    ],
  ])('%s is refused', async (_, ask, status, code, path) => {
    const id = await person();
    expect(refused(await ask(id))).toEqual([status, code, path]);
    expect((await get(id)).body.state).toBe('ACTIVE');
  });

  test('needs its own scope', async () => {
    const { body: issued } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'test', name: 'no erasing', scopes: ['subjects:read', 'subjects:write'] },
    });
    const id = await person();
    expect((await post(subjectPath(id, '/erase'), {}, undefined, { key: issued.key })).body.code).toBe('scope_missing');
    expect((await world.request('GET', subjectPath(id), { key: issued.key })).status).toBe(200);
  });
});

describe('a request repeated after the erasure', () => {
  test('of the erasure itself is answered again', async () => {
    const [email, key] = [newEmail(), newKey()];
    const id = await person(email);
    const first = await erase(`email:${email}`, key);
    const again = await erase(`email:${email}`, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    // Also when somebody new goes by the name.
    const next = await person(email);
    expect((await erase(`email:${email}`, key)).text).toBe(first.text);
    expect([(await get(id)).body.state, (await get(next)).body.state]).toEqual(['ERASED', 'ACTIVE']);
  });

  test('of anything else is refused, and brings nothing back', async () => {
    const [email, ref, other] = [newEmail(), world.visitor(), newEmail()];
    await visitor(ref);
    const identifiers = [{ kind: 'email', value: email }];
    const requests: ((key: string) => Promise<Answer>)[] = [
      (key) => create(identifiers, {}, key),
      (key) => post('/v1/consent', { subject: `email:${email}`, purpose: 'analytics', decision: 'GRANTED' }, key),
      (key) => post(subjectPath(`email:${email}`, '/identifiers'), { kind: 'user_id', value: email }, key),
      (key) => post(subjectPath(`email:${email}`, '/identifiers'), { kind: 'visitor_id', value: ref.slice(11) }, key),
      (key) => restrict(`email:${email}`, {}, key),
      (key) => lift(`email:${email}`, {}, key),
      (key) => merge([`email:${other}`], `email:${email}`, {}, key),
    ];
    await person(other);
    const keys = requests.map(() => newKey());
    for (const [i, request] of requests.entries())
      expect([i, (await request(keys[i]!)).status < 300]).toEqual([i, true]);
    const {
      body: { receipt },
    } = await erase(`email:${email}`);
    expect(receipt.erased.subjects).toHaveLength(3);
    const before = (await world.request('GET', '/readyz', { key: null })).body.logPosition;
    for (const round of ['at once', 'after a restart']) {
      if (round === 'after a restart') await world.restart();
      for (const [i, request] of requests.entries())
        expect([round, i, ...refused(await request(keys[i]!)).slice(0, 2)]).toEqual([round, i, 410, 'subject_erased']);
      expect((await world.request('GET', '/readyz', { key: null })).body.logPosition).toBe(before);
      for (const known of [`email:${email}`, `user_id:${email}`, ref, `email:${other}`])
        expect((await get(known)).status).toBe(404);
    }
  });
});
