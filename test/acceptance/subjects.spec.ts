import { setTimeout as pause } from 'node:timers/promises';
import { newEmail, newKey, refused, subjectPath, subjectsIn } from '../support/subjects.js';
import { expectFresh } from '../support/asking.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const { create, decide, get, merge, person, post, states, visitor } = subjectsIn(() => world);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NOBODY = 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S';

type Item = Record<string, unknown>;
const valuesOf = (identifiers: Item[]): unknown[] =>
  identifiers.map(({ kind, value }) => `${String(kind)}:${String(value)}`);

describe('creating a subject', () => {
  test('answers everything about it, 201', async () => {
    const email = newEmail();
    const answer = await create(
      [
        { kind: 'email', value: ` ${email.toUpperCase()} `, verified: true },
        { kind: 'user_id', value: email },
      ],
      { locale: 'de-AT', country: 'AT', metadata: { tier: 'gold', tags: ['a', 1, null] }, source: 'API' },
    );
    expect(answer.status).toBe(201);
    expect(answer.headers['x-log-position']).toMatch(/^\d+$/);
    const id = (kind: string): unknown => expect.stringMatching(new RegExp(`^${kind}_[0-9A-Z]{26}$`));
    expect(answer.body).toEqual({
      id: id('sub'),
      object: 'subject',
      state: 'ACTIVE',
      mergedInto: null,
      locale: 'de-AT',
      country: 'AT',
      metadata: { tier: 'gold', tags: ['a', 1, null] },
      restrictedUntil: null,
      createdAt: TIME,
      updatedAt: TIME,
      identifiers: [
        {
          id: id('idn'),
          kind: 'email',
          value: email,
          verified: true,
          verifiedAt: TIME,
          verificationMethod: 'OPERATOR',
          primary: true,
          source: 'API',
          addedAt: TIME,
        },
        {
          id: id('idn'),
          kind: 'user_id',
          value: email,
          verified: false,
          verifiedAt: null,
          verificationMethod: null,
          primary: true,
          source: 'API',
          addedAt: TIME,
        },
      ],
    });
    for (const ref of [`email:${email}`, `user_id:${email}`, `subject:${answer.body.id}`, answer.body.id]) {
      const read = await get(ref);
      expect([read.status, read.body, read.headers['cache-control']]).toEqual([200, answer.body, 'private, no-store']);
    }
  });

  test('needs no more than one identifier', async () => {
    const { status, body } = await create([{ kind: 'external_id', value: newEmail() }]);
    expect([status, body.locale, body.country, body.metadata]).toEqual([201, null, null, {}]);
  });

  test('by an import says so of its identifiers', async () => {
    const { body } = await create([{ kind: 'email', value: newEmail(), verified: true }], { source: 'IMPORT' });
    expect(body.identifiers[0]).toMatchObject({ source: 'IMPORT', verificationMethod: 'IMPORT' });
  });

  test('finds whom the identifiers name, 200, writes nothing, and leaves what is known of them', async () => {
    const email = newEmail();
    const first = await create([{ kind: 'email', value: email }], { locale: 'de' });
    const again = await create([{ kind: 'email', value: email.toUpperCase() }], { locale: 'fr', metadata: { a: 1 } });
    expect([again.status, again.body, again.headers['x-log-position']]).toEqual([200, first.body, undefined]);
  });

  test('finds somebody who came into being with a decision', async () => {
    const ref = world.visitor();
    const id = await visitor(ref);
    const { status, body } = await create([{ kind: 'visitor_id', value: ref.slice(11) }]);
    expect([status, body.id]).toEqual([200, id]);
  });

  test('gives whom it finds the identifiers that nobody has, and marks as verified what is sent so', async () => {
    const [email, user] = [newEmail(), newEmail()];
    const first = await create([{ kind: 'email', value: email }]);
    const more = await create([
      { kind: 'email', value: email, verified: true },
      { kind: 'user_id', value: user },
      { kind: 'email', value: `second-${email}` },
    ]);
    expect([more.status, more.body.id]).toEqual([200, first.body.id]);
    expect(valuesOf(more.body.identifiers)).toEqual([`email:${email}`, `user_id:${user}`, `email:second-${email}`]);
    expect(more.body.identifiers.map((one: Item) => [one['verified'], one['primary']])).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
    expect(more.body.identifiers[0]).toMatchObject({ verifiedAt: TIME, verificationMethod: 'OPERATOR' });
    // Sent again unverified it stays verified.
    expect((await create([{ kind: 'email', value: email }])).body.identifiers[0].verified).toBe(true);
  });

  test('takes the same identifier twice for one', async () => {
    const email = newEmail();
    const { body } = await create([
      { kind: 'email', value: email },
      { kind: 'email', value: ` ${email.toUpperCase()}` },
    ]);
    expect(valuesOf(body.identifiers)).toEqual([`email:${email}`]);
  });

  test('is refused where the identifiers name several, and nothing is given to anybody', async () => {
    const [one, two, free] = [newEmail(), newEmail(), newEmail()];
    await Promise.all([person(one), person(two)]);
    const answer = await create([
      { kind: 'email', value: free },
      { kind: 'email', value: one },
      { kind: 'email', value: two },
    ]);
    expect(refused(answer)).toEqual([409, 'identifier_conflict', 'identifiers[2]']);
    expect((await get(`email:${free}`)).status).toBe(404);
  });

  test('that was merged with another makes their identifiers one', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [a, b] = [await person(one), await person(two)];
    await merge([a], b);
    const answer = await create([
      { kind: 'email', value: one },
      { kind: 'email', value: two },
    ]);
    expect([answer.status, answer.body.id, valuesOf(answer.body.identifiers)]).toEqual([
      200,
      b,
      [`email:${two}`, `email:${one}`],
    ]);
    expect(answer.body.identifiers.map((each: Item) => each['primary'])).toEqual([true, false]);
  });

  const one = { kind: 'user_id', value: 'x' };
  test.each<[string, Item, number, string, string]>([
    ['no identifiers', { identifiers: [] }, 422, 'validation_failed', 'identifiers'],
    [
      '21 identifiers',
      { identifiers: Array.from({ length: 21 }, (_, i) => ({ kind: 'user_id', value: `many-${i}` })) },
      422,
      'validation_failed',
      'identifiers',
    ],
    [
      'an unknown kind',
      { identifiers: [{ kind: 'passport', value: '1' }] },
      422,
      'identifier_kind_unknown',
      'identifiers[0]',
    ],
    [
      'a kind that is none',
      { identifiers: [{ kind: 'E-mail', value: '1' }] },
      422,
      'validation_failed',
      'identifiers[0].kind',
    ],
    [
      'a value that is none',
      { identifiers: [one, { kind: 'email', value: 'ada' }] },
      400,
      'subject_ref_invalid',
      'identifiers[1]',
    ],
    [
      'an id of ours',
      { identifiers: [{ kind: 'subject', value: NOBODY.slice(8) }] },
      422,
      'validation_failed',
      'identifiers[0].kind',
    ],
    [
      'a field too many',
      { identifiers: [{ ...one, primary: true }] },
      422,
      'validation_failed',
      'identifiers[0].primary',
    ],
    ['a language that is none', { identifiers: [one], locale: 'german!' }, 422, 'validation_failed', 'locale'],
    ['a country that is none', { identifiers: [one], country: 'at' }, 422, 'validation_failed', 'country'],
    ['a country that is not assigned', { identifiers: [one], country: 'ZZ' }, 422, 'validation_failed', 'country'],
    [
      '21 facts',
      { identifiers: [one], metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, i])) },
      422,
      'validation_failed',
      'metadata',
    ],
    [
      'facts of more than 4 kB',
      { identifiers: [one], metadata: { a: 'x'.repeat(4_096) } },
      422,
      'validation_failed',
      'metadata',
    ],
    [
      'verified in words',
      { identifiers: [{ ...one, verified: 'yes' }] },
      422,
      'validation_failed',
      'identifiers[0].verified',
    ],
  ])('is refused with %s', async (_, body, status, code, path) => {
    expect(refused(await post('/v1/subjects', body))).toEqual([status, code, path]);
  });

  test('takes 20 identifiers, and a value of 700 characters but not of 701', async () => {
    const long = newEmail().padEnd(700, 'x');
    const identifiers = Array.from({ length: 19 }, (_, i) => ({ kind: 'user_id', value: `${i}-${newEmail()}` }));
    const { status, body } = await create([...identifiers, { kind: 'external_id', value: long }]);
    expect([status, body.identifiers.length, body.identifiers[19].value]).toEqual([201, 20, long]);
    expect((await get(`external_id:${long}`)).body.id).toBe(body.id);
    expect(refused(await create([{ kind: 'external_id', value: `${long}x` }]))).toEqual([
      400,
      'subject_ref_invalid',
      'identifiers[0]',
    ]);
  });

  test('gives nobody more than 100 identifiers', async () => {
    const name = newEmail();
    const batch = (from: number, count: number): Item[] => [
      { kind: 'email', value: name },
      ...Array.from({ length: count }, (_, i) => ({ kind: 'user_id', value: `${from + i}-${name}` })),
    ];
    for (let from = 0; from < 95; from += 19) expect((await create(batch(from, 19))).status).toBeLessThan(300);
    expect((await create(batch(95, 4))).body.identifiers).toHaveLength(100);
    expect(refused(await create(batch(99, 1)))).toEqual([422, 'validation_failed', 'identifiers']);
    expect(
      refused(await post(subjectPath(`email:${name}`, '/identifiers'), { kind: 'user_id', value: `99-${name}` })),
    ).toEqual([422, 'validation_failed', 'identifiers']);
    // What was refused belongs to nobody.
    expect((await get(`user_id:99-${name}`)).status).toBe(404);
    expect((await create([{ kind: 'user_id', value: `99-${name}` }])).status).toBe(201);
  });

  test('a hundred times at once makes one', async () => {
    const identifiers = [
      { kind: 'email', value: newEmail() },
      { kind: 'user_id', value: newEmail() },
    ];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => create(i % 2 ? identifiers : [...identifiers].reverse())),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.identifiers.length))).toEqual(new Set([2]));
  });

  test('a hundred times at once under one key makes one, and one answer', async () => {
    const [identifiers, key] = [[{ kind: 'email', value: newEmail() }], newKey()];
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(identifiers, {}, key)));
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    // None at all where the one who made it was told that an engine is slow, and asked again.
    expect(done.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length).toBeLessThanOrEqual(1);
    for (const { status, body, headers } of answers)
      if (status !== 201)
        expect([status, body.code, headers['retry-after']]).toEqual([409, 'idempotency_in_progress', '1']);
    expect((await create(identifiers, {}, key)).text).toBe(done[0]!.text);
  });

  test('while others of its identifiers are taken by rivals ends in one subject, or a conflict', async () => {
    const [x, y] = [newEmail(), newEmail()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        create([[x], [y], [x, y], [y, x]][i % 4]!.map((value) => ({ kind: 'email', value }))),
      ),
    );
    for (const answer of answers)
      if (answer.status >= 300) expect(refused(answer).slice(0, 2)).toEqual([409, 'identifier_conflict']);
    const owners = [(await get(`email:${x}`)).body, (await get(`email:${y}`)).body];
    const known = owners.flatMap(({ identifiers }) => valuesOf(identifiers as Item[]));
    expect(new Set(known)).toEqual(new Set([`email:${x}`, `email:${y}`]));
    expect(known).toHaveLength(owners[0].id === owners[1].id ? 4 : 2);
  });
});

describe('reading a subject', () => {
  test.each(['email:nobody@subjects.example', NOBODY])('that nobody knows is refused: %s', async (ref) =>
    expect(refused(await get(ref))).toEqual([404, 'subject_not_found', 'ref']),
  );
  test('by no reference is refused', async () => {
    expect(refused(await get('nobody')).slice(0, 2)).toEqual([400, 'subject_ref_invalid']);
    expect(refused(await get('passport:1')).slice(0, 2)).toEqual([422, 'identifier_kind_unknown']);
  });
  test('of another environment finds nobody', async () => {
    const { body: issued } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'live', name: 'live' },
    });
    const email = newEmail();
    const id = await person(email);
    for (const ref of [`email:${email}`, id])
      expect((await world.request('GET', subjectPath(ref), { key: issued.key })).body.code).toBe('subject_not_found');
  });
});

describe('adding an identifier', () => {
  const add = (ref: string, body: Item, key?: string) => post(subjectPath(ref, '/identifiers'), body, key);

  test('answers the subject with it, 201; 200 where it was there', async () => {
    const [email, phone] = [newEmail(), `+43 1 ${String(Math.random()).slice(2, 10)}`];
    const id = await person(email);
    const added = await add(`email:${email}`, { kind: 'phone', value: phone, verified: true, source: 'MIGRATION' });
    expect([added.status, added.body.id]).toEqual([201, id]);
    expect(added.body.identifiers[1]).toMatchObject({
      kind: 'phone',
      value: phone.replaceAll(' ', ''),
      verified: true,
      verificationMethod: 'IMPORT',
      primary: true,
      source: 'MIGRATION',
    });
    expect((await get(`phone:${phone}`)).body).toEqual(added.body);
    const again = await add(id, { kind: 'phone', value: phone });
    expect([again.status, again.body, again.headers['x-log-position']]).toEqual([200, added.body, undefined]);
  });

  test('verifies one that was there', async () => {
    const email = newEmail();
    const id = await person(email);
    const { status, body } = await add(id, { kind: 'email', value: email, verified: true });
    expect([status, body.identifiers[0].verified, body.identifiers[0].verificationMethod]).toEqual([
      201,
      true,
      'OPERATOR',
    ]);
  });

  test('of somebody else is refused: merge instead', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [a] = [await person(one), await person(two)];
    const answer = await add(a, { kind: 'email', value: two });
    expect(refused(answer)).toEqual([409, 'identifier_conflict', 'value']);
    expect(answer.body.hint).toContain('/v1/subjects/merge');
    expect((await get(a)).body.identifiers).toHaveLength(1);
  });

  test.each<[string, string, Item, number, string, string | undefined]>([
    ['to nobody', 'email:nobody@subjects.example', { kind: 'user_id', value: '1' }, 404, 'subject_not_found', 'ref'],
    ['to an id of nobody', NOBODY, { kind: 'user_id', value: '1' }, 404, 'subject_not_found', 'ref'],
    ['to what is no reference', 'nobody', { kind: 'user_id', value: '1' }, 400, 'subject_ref_invalid', undefined],
    ['of an unknown kind', NOBODY, { kind: 'passport', value: '1' }, 422, 'identifier_kind_unknown', 'value'],
    ['of no value', NOBODY, { kind: 'email' }, 422, 'validation_failed', 'value'],
    ['of no address', NOBODY, { kind: 'email', value: 'ada' }, 400, 'subject_ref_invalid', 'value'],
    [
      'with an unknown rule',
      NOBODY,
      { kind: 'user_id', value: '1', carryOver: 'SOMETIMES' },
      422,
      'validation_failed',
      'carryOver',
    ],
  ])('%s is refused', async (_, ref, body, status, code, path) => {
    expect(refused(await add(ref, body))).toEqual([status, code, path]);
  });

  test('a hundred times at once adds one', async () => {
    const id = await person();
    const value = newEmail();
    const answers = await Promise.all(Array.from({ length: 100 }, () => add(id, { kind: 'user_id', value })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('of a visitor who decided nothing links the visitor', async () => {
    const [id, ref] = [await person(), world.visitor()];
    const {
      body: { id: anonymous },
    } = await create([{ kind: 'visitor_id', value: ref.slice(11) }]);
    const linked = await add(id, { kind: 'visitor_id', value: ref.slice(11) });
    expect([linked.status, linked.body.id, linked.body.identifiers.length]).toEqual([201, id, 2]);
    expect((await get(anonymous)).body).toMatchObject({ state: 'MERGED', mergedInto: id });
  });
});

describe('every write under an Idempotency-Key', () => {
  test('is answered again byte for byte, whatever happened to the subject since', async () => {
    const [email, user, keys] = [
      newEmail(),
      newEmail(),
      [newKey(), newKey(), newKey(), newKey(), newKey(), newKey(), newKey()],
    ];
    const ref = `email:${email}`;
    let until: string;
    const ofVisitor = world.visitor();
    await visitor(ofVisitor);
    const other = await person();
    let mergeId = '';
    const requests: (() => ReturnType<typeof post>)[] = [
      () => create([{ kind: 'email', value: email }], { locale: 'de', metadata: { a: 1 } }, keys[0]),
      () => post(subjectPath(ref, '/identifiers'), { kind: 'user_id', value: user }, keys[1]),
      () =>
        post(
          subjectPath(ref, '/restrict'),
          { until: (until ??= new Date(Date.now() + 5_000).toISOString()), reason: 'x' },
          keys[2],
        ),
      () => post(subjectPath(ref, '/lift-restriction'), {}, keys[3]),
      () => post(subjectPath(ref, '/identifiers'), { kind: 'visitor_id', value: ofVisitor.slice(11) }, keys[4]),
      () => merge([ref], other, {}, keys[5]),
      () => post(`/v1/subjects/merge/${mergeId}/revert`, { reason: 'y' }, keys[6]),
    ];
    const first: Awaited<ReturnType<typeof post>>[] = [];
    const replayed = async (): Promise<void> => {
      for (const [i, answer] of first.entries()) {
        const again = await requests[i]!();
        expect([
          i,
          again.status,
          again.text,
          again.headers['x-log-position'],
          again.headers['idempotent-replayed'],
        ]).toEqual([i, answer.status, answer.text, answer.headers['x-log-position'], 'true']);
      }
    };
    for (const request of requests) {
      const answer = await request();
      mergeId ||= (answer.body.mergeId as string | undefined) ?? '';
      expect(answer.status).toBeLessThan(300);
      expectFresh(answer);
      first.push(answer);
      await replayed();
    }
    await post(subjectPath(ref, '/identifiers'), { kind: 'user_id', value: `more-${user}` });
    await merge([other], ref);
    await replayed();
    await world.restart();
    // The end of the hold is past by then, and no hold could be asked for with it any more.
    await pause(Math.max(0, Date.parse(until!) - Date.now()));
    await replayed();
  });

  test('is refused with another body, another subject, or for another operation', async () => {
    const [a, b, key] = [await person(), await person(), newKey()];
    expect((await post(subjectPath(a, '/restrict'), { reason: 'x' }, key)).status).toBe(200);
    for (const answer of [
      await post(subjectPath(a, '/restrict'), {}, key),
      await post(subjectPath(b, '/restrict'), { reason: 'x' }, key),
      await post(subjectPath(a, '/lift-restriction'), { reason: 'x' }, key),
      await create([{ kind: 'email', value: newEmail() }], {}, key),
      await merge([a], b, {}, key),
      await post(subjectPath(a, '/erase'), {}, key),
    ]) {
      expect(refused(answer)).toEqual([422, 'idempotency_key_reused', 'Idempotency-Key']);
    }
    expect((await get(b)).body.state).toBe('ACTIVE');
  });

  test('that was refused is judged anew', async () => {
    const [email, key] = [newEmail(), newKey()];
    expect((await post(subjectPath(`email:${email}`, '/restrict'), {}, key)).status).toBe(404);
    await person(email);
    expect((await post(subjectPath(`email:${email}`, '/restrict'), {}, key)).status).toBe(200);
  });

  test('that is none is refused', async () => {
    const a = await person();
    for (const path of [
      '/v1/subjects',
      '/v1/subjects/merge',
      '/v1/subjects/merge/mrg_1/revert',
      subjectPath(a, '/identifiers'),
      subjectPath(a, '/restrict'),
      subjectPath(a, '/lift-restriction'),
      subjectPath(a, '/erase'),
    ]) {
      const body =
        {
          '/v1/subjects': { identifiers: [{ kind: 'email', value: newEmail() }] },
          '/v1/subjects/merge': { sources: [a], target: a },
        }[path] ?? (path.endsWith('identifiers') ? { kind: 'email', value: newEmail() } : {});
      expect(refused(await post(path, body, 'a b'))).toEqual([400, 'idempotency_key_invalid', 'Idempotency-Key']);
    }
  });

  test('and the same X-Request-Id: each change is an event of its own', async () => {
    const email = newEmail();
    const headers = { 'X-Request-Id': 'one-for-all' };
    const id = (await post('/v1/subjects', { identifiers: [{ kind: 'email', value: email }] }, undefined, { headers }))
      .body.id as string;
    for (const value of [1, 2])
      await post(subjectPath(id, '/identifiers'), { kind: 'user_id', value: `${value}-${email}` }, undefined, {
        headers,
      });
    for (const _ of [1, 2])
      for (const what of ['restrict', 'lift-restriction'])
        expect(
          (await post(subjectPath(id, `/${what}`), {}, undefined, { headers })).headers['x-log-position'],
        ).toBeDefined();
    await decide(id, { analytics: 'GRANTED' });
    expect((await get(id)).body).toMatchObject({ state: 'ACTIVE', identifiers: { length: 3 } });
    expect(await states(id)).toEqual({ analytics: 'GRANTED' });
  });
});
