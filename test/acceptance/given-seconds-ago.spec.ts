import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

/* A device dates a decision by how long ago it was made, since its clock may say anything: every write that takes `givenAt`. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

type Said = Record<string, unknown>;
interface Dated {
  givenAt: string;
  recordedAt: string;
}

/** One decision or wish of a visitor, by each write. `dates`: what its answer says of when. */
const WRITES: Record<string, { path: string; body: (said: Said) => Said; dates: (answer: Answer) => Dated }> = {
  'a decision': {
    path: '/v1/consent',
    body: (said) => ({ purpose: 'analytics', decision: 'GRANTED', ...said }),
    dates: ({ body }) => body as unknown as Dated,
  },
  'an item of a batch': {
    path: '/v1/consent/batch',
    body: (said) => ({ records: [{ purpose: 'analytics', decision: 'GRANTED', ...said }] }),
    dates: ({ body }) => body.results[0].record as Dated,
  },
  preferences: {
    path: '/v1/preferences',
    body: (said) => ({ values: [{ field: 'channels.email.topics.product_updates', value: true }], ...said }),
    dates: ({ body }) => body as unknown as Dated,
  },
};

describe.each(Object.entries(WRITES))('%s', (_, { path, body, dates }) => {
  const post = (said: Said, key?: string): Promise<Answer> =>
    world.request('POST', path, { key: 'pk', body: body(said), ...(key && { headers: { 'Idempotency-Key': key } }) });
  const secondsAgo = (answer: Answer): number => {
    const { givenAt, recordedAt } = dates(answer);
    return (Date.parse(recordedAt) - Date.parse(givenAt)) / 1000;
  };

  test.each([0, 1, 3600, 86_400])('%d seconds ago is dated by the clock of the service', async (givenSecondsAgo) =>
    expect(secondsAgo(await post({ subject: world.visitor(), givenSecondsAgo }))).toBe(givenSecondsAgo),
  );

  test.each([
    ['more than a day ago', { givenSecondsAgo: 86_401 }],
    ['in the future', { givenSecondsAgo: -1 }],
    ['parts of a second ago', { givenSecondsAgo: 1.5 }],
    ['as a text', { givenSecondsAgo: '60' }],
    ['beside givenAt', { givenSecondsAgo: 60, givenAt: '2026-11-21T12:00:00.000Z' }],
  ])('%s is refused, naming the place', async (__, said) => {
    const { body: answered } = await post({ subject: world.visitor(), ...said });
    const { code, issues } = (answered.results?.[0]?.error ?? answered) as {
      code: string;
      issues: { path: string; message: string }[];
    };
    expect([code, issues.length, issues[0]!.path.replace('records[0].', '')]).toEqual([
      'validation_failed',
      1,
      'givenSecondsAgo',
    ]);
  });

  test('that is repeated under its key, longer ago by then, has one effect and the first answer', async () => {
    const [subject, key] = [world.visitor(), `ago-${world.visitor()}`];
    const first = await post({ subject, givenSecondsAgo: 5 }, key);
    for (const again of [{ givenSecondsAgo: 7205 }, {}]) {
      const answer = await post({ subject, ...again }, key);
      expect([answer.status, answer.text, answer.headers['idempotent-replayed']]).toEqual([
        first.status,
        first.text,
        'true',
      ]);
    }
    const other = await post({ subject, givenAt: dates(first).givenAt }, key);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });
});

test('a key of an item stands for the same record, however long ago it is by then, in a batch and alone', async () => {
  const [subject, idempotencyKey] = [world.visitor(), `ago-${world.visitor()}`];
  const record = { subject, purpose: 'analytics', decision: 'WITHDRAWN' };
  const batch = (givenSecondsAgo: number) =>
    world.request('POST', '/v1/consent/batch', {
      key: 'pk',
      body: { records: [{ ...record, givenSecondsAgo, idempotencyKey }] },
    });
  expect((await batch(3)).body.summary).toMatchObject({ recorded: 1 });
  expect((await batch(900)).body.summary).toMatchObject({ recorded: 0, replayed: 1 });
  const alone = await world.request('POST', '/v1/consent', {
    key: 'pk',
    body: record,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
  expect([alone.status, alone.headers['idempotent-replayed']]).toEqual([201, 'true']);
});

test('a withdrawal of now stands above a grant that a fast clock dated ahead', async () => {
  const subject = world.visitor();
  await world.recorded({ subject, givenAt: new Date(Date.now() + 4 * 60_000).toISOString() });
  const { body } = await world.recorded({ subject, decision: 'WITHDRAWN' });
  expect([body.appliedToState, body.state]).toEqual([true, 'WITHDRAWN']);
  const state = await world.request('GET', pathOf(subject, '?fresh=true'), { key: 'pk' });
  expect(state.body.purposes.analytics.state).toBe('WITHDRAWN');
});
