import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startWorld, type Answer, type World } from '../support/world.js';

/* All that happened to one person in one list. That nothing is missing in it: test/laws/timeline.spec.ts. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const post = async (path: string, body: object): Promise<Answer> => {
  const answer = await world.request('POST', path, { key: 'sk', body });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
  return answer;
};
const about = (ref: string, rest: string): string => `/v1/subjects/${encodeURIComponent(ref)}/${rest}`;
const timeline = (ref: string, query = '', written?: Answer, key = 'sk'): Promise<Answer> =>
  world.request('GET', about(ref, `timeline${query}`), {
    key,
    headers: written ? { 'X-Log-Position': written.headers['x-log-position'] } : {},
  });
const somebody = (): string => `email:${randomUUID()}@timeline.example`;

it('tells what was decided, asked and merged, newest first, each with what its context shows', async () => {
  const [person, other] = [somebody(), somebody()];
  const actor = { type: 'GUARDIAN', id: 'g-1', relationship: 'parent' };
  const consent = await post('/v1/consent', { subject: person, purpose: 'analytics', decision: 'GRANTED', actor });
  await post('/v1/preferences', { subject: other, values: [{ field: 'email_news', value: false }] });
  const request = await post('/v1/data-requests', { subject: person, type: 'ACCESS', source: 'EMAIL' });
  const merge = await post('/v1/subjects/merge', { sources: [other], target: person, reason: 'same customer' });
  const { body, status } = await timeline(person, '', merge);
  expect(status).toBe(200);
  const items = body.data as Record<string, unknown>[];
  const from = (merge.body.merged as string[])[0]!;
  const id = { survivor: { id: merge.body.target.id }, absorbed: [{ id: from }], id: merge.body.mergeId };
  expect(items.map(({ type, title, mergedFrom }) => [type, title, mergedFrom])).toEqual([
    ['subjects_merged', 'Two subjects became one', null],
    ['subjects_merged', 'Two subjects became one', from],
    ['data_request_received', 'A data request came in', null],
    ['preference_set', 'Does not want', from],
    ['identifier_added', 'An identifier was added', from],
    ['subject_created', 'Was seen for the first time', from],
    ['consent_recorded', 'Agreed', null],
    ['identifier_added', 'An identifier was added', null],
    ['subject_created', 'Was seen for the first time', null],
  ]);
  expect(items[0]).toMatchObject({ merge: { ...id, role: 'SURVIVOR', conflicts: [] } });
  expect(items[1]).toMatchObject({ merge: { ...id, role: 'ABSORBED', reason: 'same customer' } });
  expect(items[2]).toMatchObject({
    request: { id: request.body.id, type: 'ACCESS', state: 'RECEIVED', source: 'EMAIL' },
  });
  expect(items[3]).toMatchObject({ preference: { changes: [{ state: 'DENIED' }] }, appliedToState: true });
  expect(items[6]).toMatchObject({
    position: consent.headers['x-log-position'],
    at: consent.body.givenAt,
    by: expect.stringMatching(/^key_/),
    actor,
    record: { id: consent.body.id, purpose: 'analytics', decision: 'GRANTED' },
    receiptId: consent.body.receiptId,
    notice: { contentHash: expect.stringMatching(/^sha256:/) },
    appliedToState: true,
  });
  expect(items[7]).toMatchObject({
    identifier: { kind: 'email', value: person.slice('email:'.length), primary: true },
  });
  const positions = items.map(({ position }) => BigInt(position as string));
  expect(positions).toEqual(positions.toSorted((a, b) => (a > b ? -1 : 1)));
  expect((await timeline(other, '', merge)).body).toEqual(body);
});

it('is asked for some types, and refuses those that there are not', async () => {
  const person = somebody();
  await post('/v1/data-requests', { subject: person, type: 'ACCESS' });
  const last = await post('/v1/consent', { subject: person, purpose: 'analytics', decision: 'DENIED' });
  const typesOf = ({ body }: Answer): string[] => (body.data as { type: string }[]).map(({ type }) => type);
  expect(typesOf(await timeline(person, '?types=consent_recorded', last))).toEqual(['consent_recorded']);
  expect(typesOf(await timeline(person, '?types=data_request_received&types=subject_created', last))).toEqual([
    'data_request_received',
    'subject_created',
  ]);
  const { status, body } = await timeline(person, '?types=consent_recorded&types=consent');
  expect([status, body.code, body.issues]).toEqual([
    422,
    'validation_failed',
    [{ path: 'types[1]', message: 'is no type of event that a timeline shows' }],
  ]);
});

it('is for secret keys, counts as a read, and of an erased person is what the history is', async () => {
  const person = somebody();
  const { body } = await post('/v1/consent', { subject: person, purpose: 'analytics', decision: 'GRANTED' });
  const byId = `subject:${(body.subject as { id: string }).id}`;
  expect((await timeline(person, '', undefined, 'pk')).status).toBe(403);
  expect((await timeline(person)).status).toBe(200);
  const reads = await world.request('GET', about(person, 'reads'), { key: 'sk' });
  expect(reads.body.data).toContainEqual(expect.objectContaining({ operation: 'getTimeline', reads: 1 }));
  await post(about(person, 'erase'), { reason: 'DATA_SUBJECT_REQUEST' });
  for (const ref of [person, byId]) {
    const history = await world.request('GET', about(ref, 'consent/history'), { key: 'sk' });
    const erased = await timeline(ref);
    expect([erased.status, erased.body.code, erased.body.data]).toEqual([
      history.status,
      history.body.code,
      history.body.data,
    ]);
  }
});
