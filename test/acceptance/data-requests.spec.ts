import { createHash, randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import pg from 'pg';
import { filesOf } from '../support/audit-bundle.js';
import { newDataRequest } from '../support/data-requests.js';
import { until } from '../support/double-opt-in.js';
import { FOUR_ROLES, pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

/* What people ask about the data that is kept of them, over HTTP. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const REQUESTS = '/v1/data-requests';
const ask = (method: string, path: string, body?: unknown, headers: Ask['headers'] = {}): Promise<Answer> =>
  world.request(method, path, { key: 'sk', headers, ...(body !== undefined && { body }) });
const somebody = (): string => `user_id:${randomUUID()}`;
const opened = (body: object, headers: Ask['headers'] = {}): Promise<Answer> =>
  ask('POST', REQUESTS, { subject: somebody(), type: 'ACCESS', jurisdiction: { country: 'DE' }, ...body }, headers);
const step = async (id: string, verb: string, body?: object): Promise<Answer> => {
  const answer = await ask('POST', `${REQUESTS}/${id}/${verb}`, body);
  expect([verb, answer.status, answer.text]).toEqual([verb, 200, expect.any(String)]);
  return answer;
};
const after = (written: Answer, path: string): Promise<Answer> =>
  ask('GET', path, undefined, { 'X-Log-Position': String(written.headers['x-log-position']) });
const idsOf = (answer: Answer): string[] => (answer.body.data as { id: string }[]).map(({ id }) => id);
const refusal = ({ status, body }: Answer): [number, string] => [status, body.code as string];

describe('a data request', () => {
  it('comes in with the dates of its place, and is shown with all that was said', async () => {
    const receivedAt = '2026-01-31T12:00:00.000Z';
    const texts = {
      details: 'Everything since 2024, please.',
      locale: 'de-AT',
      requester: { type: 'AGENT', name: 'Jo', email: 'jo@agents.example', evidence: 'mandate 17' },
    };
    const answer = await opened({ ...texts, source: 'EMAIL', receivedAt });
    expect([answer.status, answer.body]).toEqual([
      201,
      expect.objectContaining({
        id: expect.stringMatching(/^dsr_/),
        type: 'ACCESS',
        state: 'RECEIVED',
        regulation: 'GDPR',
        jurisdiction: { country: 'DE', region: null },
        receivedAt,
        acknowledgeBy: null,
        dueAt: '2026-02-28T23:00:00.000Z',
        overdue: true,
        verification: { status: 'PENDING', method: null, verifiedAt: null, expiresAt: null, reason: null },
        ...texts,
      }),
    ]);
    expect((await ask('GET', `${REQUESTS}/${answer.body.id}`)).body).toMatchObject(texts);
    expect((await ask('GET', `/v1/subjects/subject:${answer.body.subject.id}`)).body.state).toBe('ACTIVE');
  });

  it('of a type that is open already is answered with the open one, until that is closed', async () => {
    const subject = somebody();
    const first = await opened({ subject });
    const second = await opened({ subject });
    expect([second.status, second.body]).toEqual([200, { ...first.body, duplicateOf: first.body.id }]);
    expect((await opened({ subject, type: 'ERASURE' })).status).toBe(201);
    await step(first.body.id as string, 'reject', { reasonCode: 'EXCESSIVE' });
    const third = await opened({ subject });
    expect([third.status, third.body.id === first.body.id]).toEqual([201, false]);
  });

  it('that many open at once is opened once', async () => {
    const subject = somebody();
    const answers = await Promise.all(Array.from({ length: 8 }, () => opened({ subject })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('is opened once under an Idempotency-Key, and its first answer is given again', async () => {
    const subject = somebody();
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await opened({ subject, details: 'once' }, key);
    await step(first.body.id as string, 'cancel', {});
    const again = await opened({ subject, details: 'once' }, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
    expect(refusal(await opened({ subject, details: 'twice' }, key))).toEqual([422, 'idempotency_key_reused']);
  });

  it('takes the jurisdiction as a consent record has it, and keeps how the place is known', async () => {
    const jurisdiction = { country: 'US', region: 'US-CA', source: 'DETECTED' };
    const { status, body } = await opened({ jurisdiction });
    expect([status, body.jurisdiction]).toEqual([201, jurisdiction]);
    expect((await opened({ jurisdiction: { ...jurisdiction, source: 'GUESSED' } })).status).toBe(422);
  });

  it('is given to an operator, noted about, listed by operator and counted', async () => {
    const countsAfter = async (written: Answer) => (await after(written, `${REQUESTS}/counts`)).body;
    const { body: request, headers } = await opened({ receivedAt: '2026-01-31T12:00:00.000Z' });
    const id = request.id as string;
    const before = await countsAfter({ headers } as Answer);
    const assignee = `opt_${randomUUID().slice(0, 8)}`;
    const taken = await step(id, 'assign', { assignee });
    expect(taken.body).toMatchObject({ assignee, state: 'RECEIVED', notes: [] });
    const counts = await countsAfter(taken);
    expect(counts).toEqual({ ...before, unassigned: before.unassigned - 1 });
    expect(idsOf(await after(taken, `${REQUESTS}?assignee=${assignee}`))).toEqual([id]);
    expect(idsOf(await after(taken, `${REQUESTS}?assignee=NONE&limit=200`))).not.toContain(id);
    await step(id, 'notes', { text: 'Called, no answer.' });
    const rejected = await step(id, 'reject', { reasonCode: 'NO_MATCH' });
    const { states, open, overdue } = await countsAfter(rejected);
    expect([states.RECEIVED, states.REJECTED]).toEqual([before.states.RECEIVED - 1, before.states.REJECTED + 1]);
    expect([open, overdue]).toEqual([before.open - 1, before.overdue - 1]);
    const { body } = await step(id, 'notes', { text: 'Wrote a letter.' });
    const by = expect.stringMatching(/^key_/);
    expect(body.notes).toEqual([
      { at: expect.any(String), by, text: 'Called, no answer.' },
      { at: expect.any(String), by, text: 'Wrote a letter.' },
    ]);
    expect((await ask('GET', `${REQUESTS}/${id}`)).body.notes).toEqual(body.notes);
    expect((await ask('POST', `${REQUESTS}/${id}/assign`, { assignee: 'Ada' })).status).toBe(422);
    expect(refusal(await ask('POST', `${REQUESTS}/${id}/assign`, { assignee: null }))).toEqual([409, 'state_conflict']);
    const ref = `subject:${(request.subject as { id: string }).id}`;
    expect((await ask('POST', `/v1/subjects/${ref}/erase`, {})).status).toBe(200);
    expect((await ask('GET', `${REQUESTS}/${id}`)).body.notes).toMatchObject([{ text: null }, { text: null }]);
    expect(refusal(await ask('POST', `${REQUESTS}/${id}/notes`, { text: 'x' }))).toEqual([410, 'subject_erased']);
  });

  it('goes through its states, and says what cannot be done', async () => {
    const { body } = await opened({ jurisdiction: { country: 'GB' } });
    const id = body.id as string;
    expect(refusal(await ask('POST', `${REQUESTS}/${id}/start`))).toEqual([409, 'state_conflict']);
    expect((await step(id, 'verify', { method: 'DOCUMENT' })).body.verification).toMatchObject({ method: 'DOCUMENT' });
    await step(id, 'start');
    const held = await step(id, 'hold', { reason: 'AWAITING_REQUESTER', note: 'Which account?' });
    expect(held.body).toMatchObject({
      state: 'ON_HOLD',
      dueAt: null,
      note: 'Which account?',
      clock: { running: false },
    });
    expect((await step(id, 'resume')).body).toMatchObject({ state: 'IN_PROGRESS', dueAt: body.dueAt });
    const extended = await step(id, 'extend', { note: 'Many systems.' });
    expect((extended.body.extendedDueAt as string) > (body.dueAt as string)).toBe(true);
    expect(refusal(await ask('POST', `${REQUESTS}/${id}/extend`, {}))).toEqual([409, 'state_conflict']);
    const done = await step(id, 'complete', { outcome: 'PARTIALLY_COMPLETED', note: 'But for invoices.' });
    expect(done.body).toMatchObject({
      state: 'PARTIALLY_COMPLETED',
      effect: { kind: 'ARCHIVE' },
      note: 'But for invoices.',
    });
    expect(refusal(await ask('POST', `${REQUESTS}/${id}/cancel`, {}))).toEqual([409, 'state_conflict']);
    expect((done.body.history as { state: string }[]).map(({ state }) => state)).toEqual([
      ...['RECEIVED', 'VERIFIED', 'IN_PROGRESS', 'ON_HOLD', 'IN_PROGRESS', 'PARTIALLY_COMPLETED'],
    ]);
    const seen = await after(done, '/v1/events?types=data_request.*&limit=200');
    const told = (
      seen.body.data as { type: string; subject: { id: string }; data: { object: { id: string } } }[]
    ).filter(({ data }) => data.object.id === id);
    expect(told.map(({ type }) => type)).toEqual([
      ...['received', 'verified', 'extended', 'completed'].map((name) => `data_request.${name}`),
    ]);
    expect(new Set(told.map(({ subject }) => subject.id))).toEqual(new Set([body.subject.id]));
  });

  it('that nobody knows is not there, nor one of another environment', async () => {
    const id = await newDataRequest(world);
    for (const unknown of ['dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'nothing', `${id}0`])
      expect(refusal(await ask('GET', `${REQUESTS}/${unknown}`))).toEqual([404, 'data_request_not_found']);
    expect(refusal(await ask('POST', `${REQUESTS}/nothing/start`))).toEqual([404, 'data_request_not_found']);
    const refused = await Promise.all([
      opened({ subject: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }),
      opened({ requester: { type: 'GUARDIAN' } }),
      opened({ receivedAt: '2099-01-01T00:00:00Z' }),
      opened({ type: 'EVERYTHING' }),
    ]);
    expect(refused.map(refusal)).toEqual([
      [404, 'subject_not_found'],
      [422, 'validation_failed'],
      [422, 'timestamp_in_future'],
      [422, 'validation_failed'],
    ]);
  });

  it('is one of many in the queue, by due date, with filters', async () => {
    const subject = somebody();
    const days = ['2026-03-03', '2026-03-01', '2026-03-02'];
    const types = ['ACCESS', 'ERASURE', 'PORTABILITY'];
    const made: Answer[] = [];
    for (const [i, day] of days.entries())
      made.push(await opened({ subject, type: types[i], receivedAt: `${day}T10:00:00Z` }));
    const ids = made.map(({ body }) => body.id as string);
    const about = `${REQUESTS}?subject=${encodeURIComponent(subject)}`;
    expect(idsOf(await after(made[2]!, about))).toEqual([ids[1], ids[2], ids[0]]);
    expect(idsOf(await ask('GET', `${about}&order=NEWEST`))).toEqual([ids[2], ids[1], ids[0]]);
    const page = await ask('GET', `${about}&limit=2`);
    expect([idsOf(page), page.body.hasMore]).toEqual([[ids[1], ids[2]], true]);
    expect(idsOf(await ask('GET', `${about}&limit=2&cursor=${page.body.nextCursor}`))).toEqual([ids[0]]);
    const closed = await step(ids[1]!, 'reject', { reasonCode: 'NO_MATCH' });
    expect(idsOf(await after(closed, `${about}&state=OPEN&overdue=true`))).toEqual([ids[2], ids[0]]);
    expect(idsOf(await ask('GET', `${about}&overdue=false`))).toEqual([ids[1]]);
    expect(idsOf(await ask('GET', `${about}&type=ACCESS`))).toEqual([ids[0]]);
    expect(idsOf(await ask('GET', `${about}&dueBefore=2026-04-03T00:00:00Z`))).toEqual([ids[1], ids[2]]);
    expect(idsOf(await ask('GET', `${REQUESTS}?subject=user_id:nobody-at-all`))).toEqual([]);
    expect(Object.keys((page.body.data as object[])[0]!)).not.toContain('details');
  });

  it('comes in by hundreds, each with an outcome of its own, and each once under the key', async () => {
    const subject = somebody();
    const requests = [
      { subject, type: 'ACCESS', jurisdiction: { country: 'DE' } },
      { subject, type: 'ACCESS', jurisdiction: { country: 'DE' } },
      { subject: 'email:nobody', type: 'ACCESS' },
      ...Array.from({ length: 40 }, () => ({ subject: somebody(), type: 'ERASURE', source: 'POST' })),
    ];
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await ask('POST', `${REQUESTS}/batch`, { requests }, key);
    expect([first.status, first.body.summary]).toEqual([
      200,
      { total: 43, opened: 41, duplicates: 1, replayed: 0, rejected: 1 },
    ]);
    const again = await ask('POST', `${REQUESTS}/batch`, { requests }, key);
    expect(again.body.summary).toEqual({ total: 43, opened: 0, duplicates: 1, replayed: 41, rejected: 1 });
    const results = (answer: Answer) => answer.body.results as { request?: { id: string } }[];
    expect(results(again).map(({ request }) => request?.id)).toEqual(results(first).map(({ request }) => request?.id));
    expect(refusal(await ask('POST', `${REQUESTS}/batch`, { requests: Array(501).fill(requests[0]) }))).toEqual([
      413,
      'batch_too_large',
    ]);
  });

  it('follows subjects that become one, and marks what is asked twice then', async () => {
    const [a, b] = [somebody(), somebody()];
    const [first, second] = [await opened({ subject: a }), await opened({ subject: b })];
    const merged = await ask('POST', '/v1/subjects/merge', { sources: [a], target: b });
    expect(merged.status).toBe(200);
    const listed = await after(second, `${REQUESTS}?subject=${encodeURIComponent(a)}&order=NEWEST`);
    expect(idsOf(listed)).toEqual([second.body.id, first.body.id]);
    expect((await opened({ subject: a })).body.duplicateOf).toBeTruthy();
    const other = await opened({});
    const cancel = (duplicateOf: unknown): Promise<Answer> =>
      ask('POST', `${REQUESTS}/${other.body.id}/cancel`, { duplicateOf });
    expect(refusal(await cancel(other.body.id))).toEqual([422, 'validation_failed']);
    expect(refusal(await cancel(first.body.id))).toEqual([422, 'validation_failed']);
  });
});

describe('completing a data request', () => {
  const grants = async (subject: string, ...purposes: string[]): Promise<void> => {
    for (const purpose of purposes)
      expect((await world.recorded({ subject, purpose, decision: 'GRANTED' }, { key: 'sk' })).status).toBe(201);
  };
  const statesOf = async (subject: string): Promise<Record<string, string>> => {
    const { body } = await ask('GET', `${pathOf(subject)}?fresh=true`);
    const purposes = body.purposes as Record<string, { state: string }>;
    return Object.fromEntries(Object.entries(purposes).map(([key, { state }]) => [key, state]));
  };

  it('of WITHDRAW_ALL withdraws every consent and ends all messages, as its plan says', async () => {
    const subject = somebody();
    await grants(subject, 'analytics', 'marketing');
    const { body } = await opened({ subject, type: 'WITHDRAW_ALL' });
    const id = body.id as string;
    await step(id, 'verify', {});
    const plan = await step(id, 'plan');
    expect(plan.body).toEqual({
      object: 'data_request_plan',
      id,
      type: 'WITHDRAW_ALL',
      kind: 'DECISIONS',
      decisions: [
        { purpose: 'analytics', decision: 'WITHDRAWN' },
        { purpose: 'marketing', decision: 'WITHDRAWN' },
      ],
      globalOptOut: true,
      corrections: [],
      refused: null,
    });
    const completed = (): Promise<Answer> =>
      world.request('POST', `${REQUESTS}/${id}/complete`, {
        body: {},
        headers: { 'Idempotency-Key': `complete-${id}` },
      });
    const done = await completed();
    expect(done.body).toMatchObject({ state: 'COMPLETED', effect: { kind: 'DECISIONS' } });
    expect((await completed()).text).toBe(done.text);
    expect(done.body.effect.recordIds).toHaveLength(3);
    expect(await statesOf(subject)).toMatchObject({ analytics: 'WITHDRAWN', marketing: 'WITHDRAWN' });
    const preferences = await ask('GET', `/v1/subjects/${encodeURIComponent(subject)}/preferences?fresh=true`);
    expect(preferences.body.globalOptOut).toMatchObject({ state: 'ACTIVE' });
    const again = await step(id, 'complete', {});
    expect(again.body).toEqual(done.body);
    const receipts = await Promise.all(
      (done.body.effect.recordIds as string[]).map((record) =>
        ask('GET', `/v1/receipts/rct_${record.slice(4)}`).then(({ status }) => status),
      ),
    );
    expect(receipts).toEqual([200, 200, 200]);
  });

  it('of ERASURE erases with a receipt, closes what else was asked, and leaves nothing to read', async () => {
    const subject = somebody();
    const { body } = await opened({ subject, type: 'ERASURE', details: 'All of it.' });
    const other = await opened({ subject, details: 'And what was it?' });
    const id = body.id as string;
    await step(id, 'verify', {});
    const done = await step(id, 'complete', { note: 'Done by hand.' });
    expect(done.body).toMatchObject({ state: 'COMPLETED', effect: { kind: 'ERASURE' }, details: null, note: null });
    const receipt = await ask('GET', `/v1/receipts/${done.body.effect.receiptId}`);
    expect(receipt.body.receipt.event).toMatchObject({ type: 'erasure', reason: 'DATA_SUBJECT_REQUEST' });
    const canceled = await until(async () => {
      const { body: shown } = await ask('GET', `${REQUESTS}/${other.body.id}`);
      return shown.state === 'CANCELED' ? shown : undefined;
    });
    expect(canceled).toMatchObject({ details: null, reasonCode: 'SUBJECT_ERASED' });
    expect((await ask('GET', `${REQUESTS}/${id}`)).body).toEqual(done.body);
    expect(refusal(await step(id, 'plan'))).toEqual([200, undefined]);
    expect(refusal(await opened({ subject: `subject:${body.subject.id}` }))).toEqual([410, 'subject_erased']);
    expect((await opened({ subject })).body.subject.id).not.toBe(body.subject.id);
  });

  it('of ERASURE is refused by a legal hold, says why, and goes on once it is lifted', async () => {
    const subject = somebody();
    const { body } = await opened({ subject, type: 'ERASURE' });
    const id = body.id as string;
    await step(id, 'verify', {});
    const path = `/v1/subjects/${encodeURIComponent(subject)}`;
    await ask('POST', `${path}/restrict`, { reason: 'litigation' });
    expect((await step(id, 'plan')).body.refused).toMatchObject({ code: 'state_conflict' });
    const refused = await ask('POST', `${REQUESTS}/${id}/complete`, {});
    expect([refusal(refused), refused.body.message]).toEqual([
      [409, 'state_conflict'],
      expect.stringContaining('legal hold'),
    ]);
    expect((await ask('GET', `${REQUESTS}/${id}`)).body).toMatchObject({ state: 'VERIFIED', completing: null });
    await ask('POST', `${path}/lift-restriction`, {});
    expect((await step(id, 'complete', {})).body.state).toBe('COMPLETED');
  });

  it('of RESTRICTION lays a hold, of RECTIFICATION adds identifiers, of OBJECTION objects', async () => {
    const subject = somebody();
    const complete = async (type: string, body: object = {}): Promise<Answer> => {
      const request = await opened({ subject, type });
      await step(request.body.id as string, 'verify', {});
      return ask('POST', `${REQUESTS}/${request.body.id}/complete`, body);
    };
    const taken = somebody();
    await opened({ subject: taken });
    const corrections = [{ kind: 'email', value: `${randomUUID()}@example.org` }];
    const corrected = await complete('RECTIFICATION', { corrections });
    expect(corrected.body.effect).toMatchObject({ kind: 'RECTIFICATION', identifierIds: [expect.any(String)] });
    const conflict = await complete('RECTIFICATION', { corrections: [{ kind: 'user_id', value: taken.slice(8) }] });
    expect(refusal(conflict)).toEqual([409, 'identifier_conflict']);
    expect((await complete('OBJECTION')).body.effect.kind).toBe('DECISIONS');
    expect((await complete('RESTRICTION')).body.effect).toEqual({ kind: 'RESTRICTION' });
    const shown = await ask('GET', `/v1/subjects/${encodeURIComponent(subject)}`);
    expect(shown.body.state).toBe('RESTRICTED');
    expect((shown.body.identifiers as { value: string }[]).map(({ value }) => value)).toContain(corrections[0]!.value);
  });

  it('of RECTIFICATION puts right what the requester asked for, or what is sent instead, as its plan says', async () => {
    const [wrong, right, other] = [1, 2, 3].map(() => `${randomUUID()}@example.org`) as [string, string, string];
    const subject = `email:${wrong}`;
    expect(
      (
        await ask('POST', '/v1/subjects', {
          identifiers: [{ kind: 'email', value: wrong, verified: true }],
          country: 'DE',
        })
      ).status,
    ).toBe(201);
    const corrections = [
      { kind: 'email', value: right, replaces: wrong },
      { kind: 'country', value: 'AT' },
      { kind: 'preference', field: 'channels.email.topics.news', value: false },
    ];
    const { body } = await opened({ subject, type: 'RECTIFICATION', corrections });
    expect(body.corrections).toEqual(corrections);
    const path = `${REQUESTS}/${body.id}`;
    await step(body.id as string, 'verify', {});
    // As many clients send it: a type, and nothing of it.
    const headers = { 'Content-Type': 'application/json' };
    expect((await world.request('POST', `${path}/plan`, { headers })).body).toMatchObject({
      kind: 'RECTIFICATION',
      refused: null,
      corrections: [
        { kind: 'email', field: null, before: wrong, after: right },
        { kind: 'country', field: null, before: 'DE', after: 'AT' },
        { kind: 'preference', field: 'channels.email.topics.news', before: 'UNSET', after: 'DENIED' },
      ],
    });
    const unknown = { corrections: [{ kind: 'email', value: right, replaces: other }] };
    expect((await ask('POST', `${path}/plan`, unknown)).body.refused).toMatchObject({
      issues: [{ path: 'corrections[0].replaces' }],
    });
    const last = { corrections: [{ kind: 'email', value: null, replaces: wrong }] };
    expect((await ask('POST', `${path}/plan`, last)).body.refused).toMatchObject({ code: 'validation_failed' });
    expect(refusal(await ask('POST', `${path}/complete`, last))).toEqual([422, 'validation_failed']);

    const { effect } = (await ask('POST', `${path}/complete`, {})).body;
    expect(effect).toEqual({
      kind: 'RECTIFICATION',
      identifierIds: [expect.any(String)],
      removedIdentifierIds: [expect.any(String)],
      rectified: ['country'],
      recordIds: [expect.any(String)],
    });
    const shown = await ask('GET', `/v1/subjects/${encodeURIComponent(`email:${right}`)}`);
    expect(shown.body).toMatchObject({
      id: body.subject.id,
      country: 'AT',
      identifiers: [{ value: right, verified: false }],
    });
    // Nobody is known by what was wrong.
    await until(async () => (await ask('GET', `/v1/subjects/${encodeURIComponent(subject)}`)).status === 404);
    expect((await ask('POST', `${path}/complete`, {})).body.effect).toEqual(effect);
  });
});

describe('the archive of an ACCESS request', () => {
  const fetched = (token: string): Promise<Response> =>
    fetch(`${world.url}/v1/archive`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
  const tokenOf = (link: Answer): string => new URL(link.body.url as string).searchParams.get('token')!;
  const linked = (id: string, body: object = {}): Promise<Answer> =>
    ask('POST', `${REQUESTS}/${id}/archive-link`, body);
  const refusedFetch = async (token: string): Promise<[number, string]> => {
    const answer = await fetched(token);
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  const agree = (subject: string, decision = 'GRANTED'): Promise<Answer> =>
    ask('POST', '/v1/consent', { subject, purpose: 'analytics', decision });
  const completed = async (subject: string, locale?: string): Promise<Answer> => {
    const { body } = await opened({ subject, ...(locale && { locale }), details: 'All that you have.' });
    await step(body.id as string, 'verify', {});
    return step(body.id as string, 'complete', { note: 'for colleagues only' });
  };

  const effectsInLog = async (id: string): Promise<unknown[]> => {
    const log = new pg.Client({ connectionString: world.databaseUrl! });
    await log.connect();
    const { rows } = await log
      .query<{ data: string }>(
        `select data::text from log.events where type = 'DataRequestCompleted' and stream like '%' || $1`,
        [id],
      )
      .finally(() => log.end());
    return rows.map(({ data }) => JSON.parse(data).effect as unknown);
  };

  it('holds what was recorded of the whole family and of nobody else, is fetched once, and is proven by the log', async () => {
    const [subject, visitor, stranger] = [`email:${randomUUID()}@example.org`, somebody(), somebody()];
    const given = [await agree(visitor), await agree(subject, 'DENIED'), await agree(subject)];
    await agree(stranger);
    await ask('GET', `/v1/subjects/${encodeURIComponent(subject)}`);
    expect((await ask('POST', '/v1/subjects/merge', { sources: [visitor], target: subject })).status).toBeLessThan(300);
    const { body: request } = await completed(subject, 'ar');
    const link = await linked(request.id as string);
    expect([link.status, link.body.sha256]).toEqual([201, request.effect.archive.sha256]);

    const page = await fetch(link.body.url as string);
    expect([page.status, page.headers.get('content-language')]).toEqual([200, 'ar']);
    expect(await page.text()).toContain('<html lang="ar" dir="rtl">');
    const answer = await fetched(tokenOf(link));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const zip = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(zip).digest('hex')).toBe(request.effect.archive.sha256);
    expect(zip.length).toBe(request.effect.archive.bytes);
    // On four roles the log is no table; what the request shows there is folded from it.
    const shown = await ask('GET', `${REQUESTS}/${request.id}`);
    expect(shown.body.effect).toEqual(request.effect);
    if (!FOUR_ROLES) expect(await effectsInLog(request.id as string)).toEqual([request.effect]);

    const files = filesOf(zip);
    expect([...files.keys()]).toEqual(['your-data.json', 'your-data.html', 'schema.json']);
    const content = JSON.parse(files.get('your-data.json')!.toString()) as {
      identifiers: { value: string }[];
      history: { type: string; data: { recordId?: string }; receipt: { receipt: object; jws: string } | null }[];
      [name: string]: unknown;
    };
    const check = addFormats
      .default(new Ajv2020({ strict: false }))
      .compile(JSON.parse(files.get('schema.json')!.toString()));
    expect([check(content), check.errors]).toEqual([true, null]);
    expect(content.identifiers.map(({ value }) => value).sort()).toEqual([subject.slice(6), visitor.slice(8)].sort());
    const records = content.history.filter(({ type }) => type === 'ConsentRecorded');
    expect(records.map(({ data }) => data.recordId)).toEqual(given.map(({ body }) => body.id));
    for (const { receipt, data } of records) {
      const shown = await ask('GET', `/v1/receipts/rct_${data.recordId!.slice(4)}`);
      expect(receipt).toEqual({ receipt: shown.body.receipt, jws: shown.body.jws });
    }
    expect(content['standing']).toMatchObject([{ about: 'analytics', state: 'GRANTED' }]);
    expect(content['texts']).toMatchObject([{ kind: 'PURPOSE', key: 'analytics', content: expect.any(Object) }]);
    expect(content['requests']).toMatchObject([{ id: request.id, details: 'All that you have.' }]);
    const all = [...files.values()].map(String).join('');
    expect(all).not.toContain('for colleagues only');
    expect(all).not.toContain(stranger.slice(8));
    const html = files.get('your-data.html')!.toString();
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain(subject.slice(6));
    // In words: no key, no code, no name of a state.
    expect(html).not.toMatch(/<code>|analytics|IN_PROGRESS|GRANTED|visitor_id/);
    expect(html).toContain('Statistics');
    expect(html).toMatch(/<header>\n(<img[^>]*>\n)?<p><bdi>[^<]+<\/bdi>/);

    expect(await refusedFetch(tokenOf(link))).toEqual([410, 'token_used']);
    const again = await fetch(link.body.url as string, { headers: { 'Accept-Language': 'de' } });
    expect([again.status, again.headers.get('content-language')]).toEqual([410, 'de']);
    expect(await again.text()).toContain('schon abgeholt');
  });

  it('is behind one link at a time, which expires, and behind no other token', async () => {
    const reference = somebody();
    const [kind, value] = reference.split(':');
    await ask('POST', '/v1/subjects', { identifiers: [{ kind, value }], locale: 'nl-BE' });
    const { body } = await completed(reference);
    const id = body.id as string;
    const [first, second] = [await linked(id), await linked(id, { expiresInHours: 1 })];
    expect(await refusedFetch(tokenOf(first))).toEqual([404, 'token_invalid']);
    // In the language of the subject, where the request names none.
    expect((await fetch(second.body.url as string)).headers.get('content-language')).toBe('nl');
    const other = `dat_${'A'.repeat(43)}`;
    for (const token of [other, tokenOf(second).slice(0, -1), 'nothing'])
      expect(await refusedFetch(token)).toEqual([404, 'token_invalid']);
    const both = await Promise.all([fetched(tokenOf(second)), fetched(tokenOf(second))]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 410]));
    await Promise.all(both.map((each) => each.arrayBuffer()));
    const third = await linked(id);
    const database = new pg.Client({ connectionString: world.databaseUrl! });
    await database.connect();
    await database
      .query(`update write.archive_link set expires_at = now() - interval '1 second' where request_id = $1`, [id])
      .finally(() => database.end());
    expect(await refusedFetch(tokenOf(third))).toEqual([410, 'token_expired']);
    expect(refusal(await linked(await newDataRequest(world)))).toEqual([409, 'state_conflict']);
    expect(refusal(await linked('dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S'))).toEqual([404, 'data_request_not_found']);
  });

  it('is gone with its subject', async () => {
    const subject = somebody();
    const { body } = await completed(subject);
    const link = await linked(body.id as string);
    await ask('POST', `/v1/subjects/${encodeURIComponent(subject)}/erase`, {});
    expect(await refusedFetch(tokenOf(link))).toEqual([404, 'token_invalid']);
    expect(refusal(await linked(body.id as string))).toEqual([410, 'subject_erased']);
  });
});
