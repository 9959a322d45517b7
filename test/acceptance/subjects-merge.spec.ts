import { setImmediate as turn } from 'node:timers/promises';
import { signIdentityToken } from '../support/identity-token.js';
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
const itemsOf = async (ref: string, query = ''): Promise<Item[]> =>
  (await history(ref, `?limit=200${query}`)).body.data as Item[];
const told = (items: Item[]): unknown[] =>
  items.map(({ purpose, decision, mergedFrom }) => [purpose, decision, mergedFrom]);
/** A person who decided, by id. */
async function decided(decisions: Record<string, string>, more: Item = {}): Promise<string> {
  const id = await person();
  await decide(id, decisions, more);
  return id;
}
/** Later than everything answered before, earlier than everything asked after. */
async function anInstant(): Promise<string> {
  const before = Date.now();
  while (Date.now() <= before) await turn();
  const at = Date.now();
  while (Date.now() <= at) await turn();
  return new Date(at).toISOString();
}
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

describe('merging', () => {
  test('makes the source part of the target: identifiers, state, history; reported with every conflict', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [source, target] = [await person(one), await person(two)];
    await decide(source, { analytics: 'GRANTED', marketing: 'DENIED', sale_of_data: 'OBJECTED' });
    await decide(target, { analytics: 'GRANTED', marketing: 'GRANTED' });
    const merged = await merge([`email:${one}`], `email:${two}`, { reason: 'same customer, ticket 4711' });
    expect(merged.status).toBe(200);
    expect(merged.headers['x-log-position']).toMatch(/^\d+$/);
    const conflict = {
      purpose: 'marketing',
      values: [
        { subject: target, state: 'GRANTED', givenAt: TIME },
        { subject: source, state: 'DENIED', givenAt: TIME },
      ],
      chosen: source,
      rule: 'MOST_RESTRICTIVE',
    };
    expect(merged.body).toEqual({
      mergeId: expect.stringMatching(/^mrg_[0-9A-Z]{26}$/),
      target: { id: target },
      merged: [source],
      conflicts: [conflict],
      dryRun: false,
    });

    for (const ref of [`email:${one}`, `email:${two}`, target])
      expect((await get(ref)).body).toMatchObject({
        id: target,
        state: 'ACTIVE',
        identifiers: [
          { value: two, primary: true },
          { value: one, primary: false },
        ],
      });
    expect((await get(source)).body).toMatchObject({
      id: source,
      state: 'MERGED',
      mergedInto: target,
      identifiers: [{ value: one }],
    });
    for (const ref of [`email:${one}`, `email:${two}`, source, target]) {
      expect(await states(ref)).toEqual({ analytics: 'GRANTED', marketing: 'DENIED', sale_of_data: 'OBJECTED' });
      expect(told(await itemsOf(ref))).toEqual([
        ['marketing', 'GRANTED', null],
        ['analytics', 'GRANTED', null],
        ['sale_of_data', 'OBJECTED', source],
        ['marketing', 'DENIED', source],
        ['analytics', 'GRANTED', source],
      ]);
    }
    const later = await decide(`email:${one}`, { marketing: 'GRANTED' });
    expect(later.body.results[0].record).toMatchObject({
      subject: { id: target },
      previousState: 'DENIED',
      state: 'GRANTED',
    });
    expect(told(await itemsOf(source)).slice(0, 1)).toEqual([['marketing', 'GRANTED', null]]);
  });

  test('tried first says the same and writes nothing', async () => {
    const [a, b, target] = [
      await decided({ analytics: 'GRANTED' }),
      await decided({ analytics: 'DENIED', marketing: 'DENIED' }),
      await decided({ marketing: 'GRANTED', analytics: 'GRANTED' }),
    ];
    const before = (await world.request('GET', '/readyz', { key: null })).body.logPosition;
    const tried = await merge([a, b], target, { dryRun: true, conflictPolicy: 'MOST_RECENT' }, newKey());
    expect(tried.body).toMatchObject({ mergeId: null, target: { id: target }, merged: [a, b], dryRun: true });
    expect(tried.headers['x-log-position']).toBeUndefined();
    expect((await world.request('GET', '/readyz', { key: null })).body.logPosition).toBe(before);
    for (const id of [a, b, target]) expect((await get(id)).body).toMatchObject({ state: 'ACTIVE', mergedInto: null });
    const done = await merge([a, b], target, { conflictPolicy: 'MOST_RECENT' });
    expect(done.body).toEqual({ ...tried.body, mergeId: expect.any(String), dryRun: false });
  });

  test.each<[string, Record<string, string>, [string, string][]]>([
    // Given an hour ago and half an hour ago: the source said its last word later on analytics, earlier on marketing.
    [
      'MOST_RESTRICTIVE',
      { analytics: 'DENIED', marketing: 'DENIED' },
      [
        ['analytics', 'target'],
        ['marketing', 'source'],
      ],
    ],
    [
      'MOST_RECENT',
      { analytics: 'GRANTED', marketing: 'GRANTED' },
      [
        ['analytics', 'source'],
        ['marketing', 'target'],
      ],
    ],
    [
      'TARGET_WINS',
      { analytics: 'DENIED', marketing: 'GRANTED' },
      [
        ['analytics', 'target'],
        ['marketing', 'target'],
      ],
    ],
  ])('by %s', async (conflictPolicy, expected, chosen) => {
    const [source, target] = [await person(), await person()];
    await decide(source, { marketing: 'DENIED' }, { givenAt: ago(60) });
    await decide(source, { analytics: 'GRANTED', fraud_prevention: 'ACKNOWLEDGED' }, { givenAt: ago(30) });
    await decide(target, { analytics: 'DENIED' }, { givenAt: ago(60) });
    await decide(target, { marketing: 'GRANTED' }, { givenAt: ago(30) });
    const { body } = await merge([source], target, { conflictPolicy });
    // What only one of them said is no conflict.
    expect(await states(target)).toEqual({ ...expected, fraud_prevention: 'ACKNOWLEDGED' });
    expect(
      body.conflicts
        .map(({ purpose, chosen: by, rule }: Item) => [
          purpose,
          by === source ? 'source' : by === target ? 'target' : by,
          rule,
        ])
        .sort(),
    ).toEqual(chosen.map((one) => [...one, conflictPolicy]));
  });

  test('of several makes them all one', async () => {
    const [target, ...sources] = [
      await decided({ analytics: 'GRANTED' }),
      await decided({ analytics: 'DENIED' }),
      await decided({ marketing: 'GRANTED' }),
      await decided({ marketing: 'DENIED' }),
    ];
    const { body } = await merge([...sources, sources[0]!], target!);
    expect([body.merged, body.conflicts.length]).toEqual([sources, 2]);
    expect(await states(sources[2]!)).toEqual({ analytics: 'DENIED', marketing: 'DENIED' });
    expect((await get(target!)).body.identifiers).toHaveLength(4);
    expect(await itemsOf(target!)).toHaveLength(4);
    expect((await revert(body.mergeId)).body.restored).toEqual(sources);
    expect(await states(sources[2]!)).toEqual({ marketing: 'DENIED' });
    expect(await states(target!)).toEqual({ analytics: 'GRANTED' });
  });

  test.each<[string, (a: string, b: string) => [string[], string], number, string, string | undefined]>([
    [
      'with an unknown source',
      (a, b) => [[a, 'email:nobody@merge.example'], b],
      404,
      'subject_not_found',
      'sources[1]',
    ],
    ['with an unknown id', (_, b) => [[NOBODY], b], 404, 'subject_not_found', 'sources[0]'],
    ['into nobody', (a) => [[a], 'email:nobody@merge.example'], 404, 'subject_not_found', 'target'],
    ['with itself', (a) => [[a], a], 409, 'merge_conflict', 'sources'],
    ['with itself beside another', (a, b) => [[b, a], a], 409, 'merge_conflict', 'sources'],
    ['of nobody', (_, b) => [[], b], 422, 'validation_failed', 'sources'],
    ['of 21', (a, b) => [Array.from({ length: 21 }, () => a), b], 422, 'validation_failed', 'sources'],
    ['with what is no reference', (_, b) => [['ada'], b], 400, 'subject_ref_invalid', 'sources[0]'],
    ['into what has no known kind', (a) => [[a], 'passport:1'], 422, 'identifier_kind_unknown', 'target'],
  ])('%s is refused, tried or not', async (_, of, status, code, path) => {
    const [a, b] = [await person(), await person()];
    const [sources, target] = of(a, b);
    for (const dryRun of [true, false])
      expect(refused(await merge(sources, target, { dryRun }))).toEqual([status, code, path]);
    for (const id of [a, b]) expect((await get(id)).body.state).toBe('ACTIVE');
  });

  test('of what is one already is refused', async () => {
    const [a, b] = [await person(), await person()];
    await merge([a], b);
    for (const [sources, target] of [
      [[a], b],
      [[b], a],
    ] as const)
      expect(refused(await merge([...sources], target))).toEqual([409, 'merge_conflict', 'sources']);
  });

  test('into each other from both sides at once ends in one subject', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await decided({ analytics: 'GRANTED' }), await decided({ analytics: 'DENIED' })];
      const answers = await Promise.all([merge([a], b), merge([b], a)]);
      for (const answer of answers)
        if (answer.status !== 200) expect(refused(answer).slice(0, 2)).toEqual([409, 'merge_conflict']);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const [one, two] = [(await get(a)).body, (await get(b)).body];
      expect(new Set([one.state, two.state])).toEqual(new Set(['ACTIVE', 'MERGED']));
      for (const id of [a, b])
        expect([await states(id), (await itemsOf(id)).length]).toEqual([{ analytics: 'DENIED' }, 2]);
    }
  });

  test('while decisions come in by every reference loses none and doubles none', async () => {
    const [source, target] = [await person(), await person()];
    const writes = Array.from({ length: 40 }, (_, i) =>
      world.recorded(
        {
          subject: i % 2 ? source : target,
          purpose: i % 3 ? 'analytics' : 'marketing',
          decision: i % 5 ? 'DENIED' : 'GRANTED',
        },
        { key: 'sk' },
      ),
    );
    const [merged, ...records] = await Promise.all([merge([source], target), ...writes]);
    expect([merged.status, merged.body.code]).toEqual([200, undefined]);
    const ids = (await itemsOf(target)).map(({ id }) => id);
    expect([ids.length, new Set(ids)]).toEqual([40, new Set(records.map(({ body }) => body.id as string))]);
    for (const { body } of records) expect([source, target]).toContain(body.subject.id);
    expect((await world.recorded({ subject: source }, { key: 'sk' })).body.subject.id).toBe(target);
  });

  test('again and again makes a chain that reads as one', async () => {
    const [a, b, c] = [
      await decided({ analytics: 'GRANTED' }),
      await decided({ marketing: 'GRANTED' }),
      await decided({ sale_of_data: 'OBJECTED' }),
    ];
    await merge([a], b);
    await merge([b], c);
    for (const id of [a, b, c])
      expect(await states(id)).toEqual({ analytics: 'GRANTED', marketing: 'GRANTED', sale_of_data: 'OBJECTED' });
    expect((await get(a)).body.mergedInto).toBe(b);
    expect((await get(b)).body.mergedInto).toBe(c);
    expect((await get(c)).body.identifiers).toHaveLength(3);
    expect(told(await itemsOf(a))).toEqual([
      ['sale_of_data', 'OBJECTED', null],
      ['marketing', 'GRANTED', b],
      ['analytics', 'GRANTED', a],
    ]);
    // One who joins the first of them joins them all.
    const d = await decided({ analytics: 'DENIED' });
    expect((await merge([d], a)).body.target.id).toBe(c);
    expect(await states(b)).toMatchObject({ analytics: 'DENIED' });
  });
});

describe('a history of several subjects', () => {
  test('is paged without gap or repeat while all of them are written to and merged', async () => {
    const [a, b, c] = [await person(), await person(), await person()];
    for (let i = 0; i < 12; i++)
      await decide([a, b, c][i % 3]!, { [i % 2 ? 'analytics' : 'marketing']: i % 4 ? 'GRANTED' : 'DENIED' });
    await merge([a], b);
    const before = [...(await itemsOf(b))];
    expect(before).toHaveLength(8);
    const seen: Item[] = [];
    let cursor = '';
    for (let page = 0; cursor !== '' || page === 0; page++) {
      const { body }: Answer = await history(b, `?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...(body.data as Item[]));
      cursor = (body.nextCursor as string | null) ?? '';
      await decide([a, b, c][page % 3]!, { analytics: 'GRANTED' });
      if (page === 1) await merge([b], c);
      expect(page).toBeLessThan(20);
    }
    // What had been there comes once each, newest first, whatever was merged meanwhile; the third subject's own may join.
    const ids = before.map(({ id }) => id);
    expect(seen.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
  });

  test('is filtered by purpose over all of them', async () => {
    const [a, b] = [
      await decided({ analytics: 'GRANTED', marketing: 'GRANTED' }),
      await decided({ analytics: 'DENIED', marketing: 'GRANTED' }),
    ];
    await merge([a], b);
    expect(told(await itemsOf(b, '&purpose=analytics'))).toEqual([
      ['analytics', 'DENIED', null],
      ['analytics', 'GRANTED', a],
    ]);
  });

  test('keeps what was known before the merge: asOf and knownAt', async () => {
    const [source, target] = [await person(), await person()];
    await decide(source, { analytics: 'DENIED' }, { givenAt: ago(60) });
    await decide(target, { analytics: 'GRANTED' }, { givenAt: ago(30) });
    const unmerged = await anInstant();
    const { body } = await merge([source], target);
    const merged = await anInstant();
    const knownAt = (at: string): string => `&knownAt=${at}`;
    for (const ref of [source, target])
      expect([await states(ref), await states(ref, knownAt(merged))]).toEqual([
        { analytics: 'DENIED' },
        { analytics: 'DENIED' },
      ]);
    expect(await states(target, knownAt(unmerged))).toEqual({ analytics: 'GRANTED' });
    expect(await states(source, knownAt(unmerged))).toEqual({ analytics: 'DENIED' });
    // As of a time between the two decisions only the source had said anything; they are the same person now.
    expect(await states(target, `&asOf=${ago(45)}`)).toEqual({ analytics: 'DENIED' });
    expect(await states(target, `&asOf=${ago(45)}${knownAt(unmerged)}`)).toEqual({});
    expect(await states(target, `&asOf=${ago(90)}`)).toEqual({});
    await revert(body.mergeId as string);
    expect(await states(target)).toEqual({ analytics: 'GRANTED' });
    expect(await states(target, `&asOf=${ago(45)}`)).toEqual({});
    expect(await states(source, `&asOf=${ago(45)}`)).toEqual({ analytics: 'DENIED' });
    // That they had been one was known then, and is still told.
    for (const ref of [source, target]) expect(await states(ref, knownAt(merged))).toEqual({ analytics: 'DENIED' });
    expect(await states(target, knownAt(unmerged))).toEqual({ analytics: 'GRANTED' });
  });
});

describe('reverting a merge', () => {
  test('gives each its own identifiers, state and history again; what came since stays with the survivor', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [source, target] = [await person(one), await person(two)];
    await decide(source, { analytics: 'DENIED' });
    await decide(target, { analytics: 'GRANTED' });
    const {
      body: { mergeId },
    } = await merge([source], target);
    await decide(`email:${one}`, { marketing: 'GRANTED' });
    const reverted = await post(`/v1/subjects/merge/${mergeId}/revert`, { reason: 'two people share the address' });
    expect([reverted.status, reverted.body]).toEqual([
      200,
      { mergeId, target: { id: target }, restored: [source], revertedAt: TIME },
    ]);
    expect(reverted.headers['x-log-position']).toMatch(/^\d+$/);
    expect((await get(`email:${one}`)).body).toMatchObject({
      id: source,
      state: 'ACTIVE',
      mergedInto: null,
      identifiers: [{ value: one }],
    });
    expect((await get(`email:${two}`)).body).toMatchObject({
      id: target,
      state: 'ACTIVE',
      identifiers: [{ value: two }],
    });
    expect([await states(source), await states(target)]).toEqual([
      { analytics: 'DENIED' },
      { analytics: 'GRANTED', marketing: 'GRANTED' },
    ]);
    expect(told(await itemsOf(source))).toEqual([['analytics', 'DENIED', null]]);
    expect(told(await itemsOf(target))).toEqual([
      ['marketing', 'GRANTED', null],
      ['analytics', 'GRANTED', null],
    ]);
    expect((await decide(`email:${one}`, { analytics: 'GRANTED' })).body.results[0].record.subject.id).toBe(source);
    expect(await states(target)).toEqual({ analytics: 'GRANTED', marketing: 'GRANTED' });
  });

  test('twice is reverting once', async () => {
    const [source, target] = [await person(), await person()];
    const {
      body: { mergeId },
    } = await merge([source], target);
    const [first, again] = [await revert(mergeId), await revert(mergeId)];
    expect([again.status, again.text]).toEqual([200, first.text]);
    await Promise.all(Array.from({ length: 10 }, () => revert(mergeId)));
    expect((await revert(mergeId)).text).toBe(first.text);
  });

  test('and merging again is a merge of its own, that can be reverted', async () => {
    const [source, target] = [await decided({ analytics: 'DENIED' }), await decided({ analytics: 'GRANTED' })];
    for (let round = 0; round < 3; round++) {
      const {
        body: { mergeId },
      } = await merge([source], target);
      expect(await states(target)).toEqual({ analytics: 'DENIED' });
      expect(await itemsOf(target)).toHaveLength(2);
      await revert(mergeId);
      expect([await states(source), await states(target)]).toEqual([{ analytics: 'DENIED' }, { analytics: 'GRANTED' }]);
      expect(await itemsOf(target)).toHaveLength(1);
    }
    const {
      body: { mergeId },
    } = await merge([target], source);
    expect((await get(target)).body.mergedInto).toBe(source);
    await revert(mergeId);
    expect((await get(target)).body.state).toBe('ACTIVE');
  });

  test('under a later one is refused until that is reverted', async () => {
    const [a, b, c] = [
      await decided({ analytics: 'DENIED' }),
      await decided({ analytics: 'GRANTED' }),
      await decided({ marketing: 'GRANTED' }),
    ];
    const first = (await merge([a], b)).body.mergeId as string;
    const second = (await merge([b], c)).body.mergeId as string;
    expect(refused(await revert(first))).toEqual([409, 'state_conflict', 'mergeId']);
    await revert(second);
    expect(await states(c)).toEqual({ marketing: 'GRANTED' });
    expect(await states(b)).toEqual({ analytics: 'DENIED' });
    await revert(first);
    expect([await states(a), await states(b), await states(c)]).toEqual([
      { analytics: 'DENIED' },
      { analytics: 'GRANTED' },
      { marketing: 'GRANTED' },
    ]);
  });

  test('leaves other merges into the same subject as they are', async () => {
    const [a, b, target] = [
      await decided({ analytics: 'DENIED' }),
      await decided({ marketing: 'DENIED' }),
      await decided({ analytics: 'GRANTED', marketing: 'GRANTED' }),
    ];
    const first = (await merge([a], target)).body.mergeId as string;
    const second = (await merge([b], target)).body.mergeId as string;
    await revert(first);
    expect(await states(target)).toEqual({ analytics: 'GRANTED', marketing: 'DENIED' });
    expect(told(await itemsOf(target)).length).toBe(3);
    await revert(second);
    expect(await states(target)).toEqual({ analytics: 'GRANTED', marketing: 'GRANTED' });
  });

  test('of no merge is refused', async () => {
    for (const id of ['mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'nonsense'])
      expect(refused(await revert(id))).toEqual([404, 'subject_not_found', 'mergeId']);
    expect(refused(await post('/v1/subjects/merge/mrg_1/revert', { why: 'x' }))).toEqual([
      422,
      'validation_failed',
      'why',
    ]);
  });

  test('of another environment is refused', async () => {
    const [source, target] = [await person(), await person()];
    const {
      body: { mergeId },
    } = await merge([source], target);
    const { body: issued } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'live', name: 'live' },
    });
    expect(refused(await post(`/v1/subjects/merge/${mergeId}/revert`, {}, undefined, { key: issued.key }))).toEqual([
      404,
      'subject_not_found',
      'mergeId',
    ]);
    expect((await get(source)).body.state).toBe('MERGED');
  });

  test('of subjects that were erased since is refused', async () => {
    const [source, target] = [await person(), await person()];
    const {
      body: { mergeId },
    } = await merge([source], target);
    await erase(target);
    expect(refused(await revert(mergeId)).slice(0, 2)).toEqual([410, 'subject_erased']);
  });
});

describe('a visitor who turns out to be somebody', () => {
  const link = (ref: string, visitorRef: string, more: Item = {}): Promise<Answer> =>
    post(subjectPath(ref, '/identifiers'), {
      kind: visitorRef.split(':')[0],
      value: visitorRef.slice(visitorRef.indexOf(':') + 1),
      ...more,
    });

  // Of the visitor: analytics granted and marketing denied, both said before the person said the opposite of one.
  test.each<[string | undefined, Record<string, string>, Record<string, string>]>([
    // What follows, where the person had said nothing; and where the person had said the opposite earlier.
    [undefined, { marketing: 'DENIED' }, { analytics: 'DENIED', marketing: 'DENIED' }],
    ['NEVER', {}, { analytics: 'DENIED', marketing: 'GRANTED' }],
    ['IF_DENIED', { marketing: 'DENIED' }, { analytics: 'DENIED', marketing: 'DENIED' }],
    ['IF_GRANTED', { analytics: 'GRANTED' }, { analytics: 'GRANTED', marketing: 'GRANTED' }],
    ['ALWAYS', { analytics: 'GRANTED', marketing: 'DENIED' }, { analytics: 'GRANTED', marketing: 'DENIED' }],
  ])('brings along what carryOver %s says', async (carryOver, toSilent, toDecided) => {
    for (const [before, after] of [
      [{}, toSilent],
      [{ analytics: 'DENIED', marketing: 'GRANTED' }, toDecided],
    ]) {
      const [id, ref] = [await person(), world.visitor()];
      if (Object.keys(before!).length > 0) await decide(id, before!, { givenAt: ago(30) });
      await visitor(ref, { analytics: 'GRANTED', marketing: 'DENIED' });
      const { status, body } = await link(id, ref, carryOver === undefined ? {} : { carryOver });
      expect([status, body.id]).toEqual([201, id]);
      for (const one of [id, ref]) expect(await states(one)).toEqual(after);
      // Nothing is lost: all of it is told.
      expect(await itemsOf(id)).toHaveLength(2 + Object.keys(before!).length);
    }
  });

  test('does not overrule what the person said later', async () => {
    const [id, ref] = [await person(), world.visitor()];
    await visitor(ref, { marketing: 'DENIED' });
    await decide(id, { marketing: 'GRANTED' });
    await link(id, ref, { carryOver: 'ALWAYS' });
    expect(await states(id)).toEqual({ marketing: 'GRANTED' });
  });

  test('is the person from then on', async () => {
    const [email, ref, device] = [newEmail(), world.visitor(), `device_id:${crypto.randomUUID()}`];
    const id = await person(email);
    await visitor(ref, { analytics: 'DENIED' });
    await visitor(device, { marketing: 'DENIED' });
    for (const anonymous of [ref, device]) expect((await link(`email:${email}`, anonymous)).body.id).toBe(id);
    const { body } = await world.recorded({ subject: ref, purpose: 'marketing', decision: 'GRANTED' }, { key: 'sk' });
    expect([body.subject.id, body.previousState]).toEqual([id, 'DENIED']);
    expect(await states(ref)).toEqual({ analytics: 'DENIED', marketing: 'GRANTED' });
    const token = signIdentityToken({
      secretKey: world.demo.secretKey,
      site: world.demo.site,
      subject: `email:${email}`,
    });
    expect(await states(`email:${email}`, '', { key: 'pk', headers: { 'Consent-Identity': token } })).toEqual({
      analytics: 'DENIED',
      marketing: 'GRANTED',
    });
    // The person stays out of reach by the address.
    expect((await world.request('GET', pathOf(`email:${email}`), { key: 'pk' })).body.code).toBe(
      'identity_token_required',
    );
    expect((await get(ref)).body.identifiers.map(({ kind }: Item) => kind)).toEqual([
      'email',
      'visitor_id',
      'device_id',
    ]);
  });

  test('is linked from the visitor’s side too, and the person is who stays', async () => {
    const [email, ref] = [newEmail(), world.visitor()];
    const [id, anonymous] = [await person(email), await visitor(ref, { analytics: 'GRANTED', marketing: 'DENIED' })];
    const { status, body } = await post(subjectPath(ref, '/identifiers'), { kind: 'email', value: email });
    expect([status, body.id]).toEqual([201, id]);
    expect((await get(anonymous)).body.mergedInto).toBe(id);
    expect(await states(ref)).toEqual({ marketing: 'DENIED' });
  });

  test('and is nobody known yet, becomes a new person, to whom only that follows which may', async () => {
    const [email, ref] = [newEmail(), world.visitor()];
    const anonymous = await visitor(ref, { analytics: 'GRANTED', marketing: 'DENIED' });
    const answer = await post(subjectPath(ref, '/identifiers'), { kind: 'email', value: email, verified: true });
    expect(answer.status).toBe(201);
    expect(answer.body.identifiers.map(({ kind, verified }: Item) => [kind, verified])).toEqual([
      ['email', true],
      ['visitor_id', false],
    ]);
    expect(answer.body.id).not.toBe(anonymous);
    expect(await states(`email:${email}`)).toEqual({ marketing: 'DENIED' });
  });

  test('by another browser is one visitor with two ids', async () => {
    const [one, two] = [world.visitor(), world.visitor()];
    const id = await visitor(one, { analytics: 'GRANTED' });
    expect((await link(one, two)).body.id).toBe(id);
    await visitor(two, { marketing: 'DENIED' });
    expect(await states(one)).toEqual({ analytics: 'GRANTED', marketing: 'DENIED' });
  });

  test('who was linked to one person is not linked to another', async () => {
    const [a, b, ref] = [await person(), await person(), world.visitor()];
    await visitor(ref);
    await link(a, ref);
    expect(refused(await link(b, ref))).toEqual([409, 'identifier_conflict', 'value']);
    expect((await link(a, ref)).status).toBe(200);
  });

  test('has a hundred log-ins at once, and is linked once', async () => {
    const [id, ref] = [await person(), world.visitor()];
    await visitor(ref, { marketing: 'DENIED' });
    const answers = await Promise.all(Array.from({ length: 100 }, () => link(id, ref)));
    for (const answer of answers) expect([answer.status < 300, answer.body.id ?? answer.text]).toEqual([true, id]);
    expect((await get(id)).body.identifiers).toHaveLength(2);
    expect(await itemsOf(ref)).toHaveLength(1);
  });

  test('has a hundred log-ins at once as a person who is not known yet, and is linked once', async () => {
    const [email, ref] = [newEmail(), world.visitor()];
    const anonymous = await visitor(ref, { analytics: 'GRANTED', marketing: 'DENIED' });
    const logIn = (): Promise<Answer> => post(subjectPath(ref, '/identifiers'), { kind: 'email', value: email });
    const answers = await Promise.all(Array.from({ length: 100 }, logIn));
    const {
      body: { id, identifiers },
    } = await get(`email:${email}`);
    for (const answer of answers) expect([answer.status < 300, answer.body.id ?? answer.text]).toEqual([true, id]);
    expect(id).not.toBe(anonymous);
    expect(identifiers).toHaveLength(2);
    expect(await states(ref)).toEqual({ marketing: 'DENIED' });
  });

  test('can be told apart again', async () => {
    const [email, ref] = [newEmail(), world.visitor()];
    await person(email);
    const {
      body: { id: anonymous },
    } = await create([{ kind: 'visitor_id', value: ref.slice(11) }]);
    await decide(ref, { marketing: 'DENIED' });
    const { body: tried } = await merge([ref], `email:${email}`, { dryRun: true });
    expect(tried).toMatchObject({ merged: [anonymous], conflicts: [] });
    const {
      body: { mergeId },
    } = await merge([ref], `email:${email}`);
    await revert(mergeId);
    expect([(await get(ref)).body.id, await states(`email:${email}`)]).toEqual([anonymous, {}]);
  });
});

describe('what readers hold of a state', () => {
  const read = (ref: string, headers: Record<string, string | undefined> = {}): Promise<Answer> =>
    world.request('GET', pathOf(ref), { headers });

  test('is outdated at once by a merge, by its revert and by erasure', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const [source, target] = [await person(one), await person(two)];
    await decide(source, { marketing: 'DENIED' });
    let written: Answer = await decide(target, { marketing: 'GRANTED' });
    const at = (): string => String(written.headers['x-log-position']);
    const expectNew = async (
      tags: Record<string, string>,
      expected: Record<string, string>,
    ): Promise<Record<string, string>> => {
      const fresh: Record<string, string> = {};
      for (const ref of [`email:${one}`, `email:${two}`]) {
        const now = await read(ref, { 'X-Log-Position': at(), 'If-None-Match': tags[ref] });
        expect([now.status, now.body?.purposes?.marketing?.state]).toEqual([200, expected[ref]]);
        fresh[ref] = String(now.headers.etag);
        expect((await read(ref, { 'X-Log-Position': at(), 'If-None-Match': fresh[ref] })).status).toBe(304);
      }
      return fresh;
    };
    let tags = await expectNew({}, { [`email:${one}`]: 'DENIED', [`email:${two}`]: 'GRANTED' });
    written = await merge([source], target);
    tags = await expectNew(tags, { [`email:${one}`]: 'DENIED', [`email:${two}`]: 'DENIED' });
    const { mergeId } = written.body as { mergeId: string };
    written = await revert(mergeId);
    tags = await expectNew(tags, { [`email:${one}`]: 'DENIED', [`email:${two}`]: 'GRANTED' });
    written = await erase(target);
    expect((await read(`email:${one}`, { 'X-Log-Position': at(), 'If-None-Match': tags[`email:${one}`] })).status).toBe(
      304,
    );
    const gone = await read(`email:${two}`, { 'X-Log-Position': at(), 'If-None-Match': tags[`email:${two}`] });
    expect([gone.status, gone.body.subject.id, gone.body.purposes.marketing.state]).toEqual([
      200,
      null,
      'NOT_COLLECTED',
    ]);
  });

  test('rows come to say the same as the log', async () => {
    const [source, target] = [
      await decided({ marketing: 'DENIED' }),
      await decided({ marketing: 'GRANTED', analytics: 'GRANTED' }),
    ];
    const {
      body: { mergeId },
    } = await merge([source], target);
    const rows = async (ref: string): Promise<unknown> => {
      const [row, folded] = [await read(ref), await world.request('GET', pathOf(ref, '?fresh=true'))];
      expect({ ...row.body, asOf: null }).toEqual({ ...folded.body, asOf: null });
      return row.body.purposes.marketing.state;
    };
    await world.caughtUp();
    expect([await rows(source), await rows(target)]).toEqual(['DENIED', 'DENIED']);
    await revert(mergeId);
    await world.caughtUp();
    expect([await rows(source), await rows(target)]).toEqual(['DENIED', 'GRANTED']);
  });
});
