import { JOURNAL_ACTIONS } from '../../libs/context/journal.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { newEmail, subjectPath } from '../support/subjects.js';
import { until } from '../support/timing.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/* Who did what: every change of an operator, sign-ins, and looks at persons, in one list. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

interface Entry {
  id: string;
  at: string;
  operator: { id: string; name: string | null } | null;
  action: string;
  site: string | null;
  env: string | null;
  target: { type: string; id: string | null } | null;
  summary: string;
  reason: string | null;
  before: object | null;
  after: Record<string, unknown> | null;
  session: string | null;
  requestId: string | null;
}
interface Held {
  role: string;
  site: string;
  env: string;
}

const ADMIN = [{ role: 'ADMIN', site: '*', env: '*' }];
const operatorWith = async (roles: Held[] = ADMIN): Promise<{ id: string; token: string }> =>
  (await world.request('POST', '/admin/v1/operator-tokens', { key: 'operator', body: { name: 'grace', roles } })).body;

/** Asks as an operator; a write is in the next journal that is read. */
function as(token: string): (method: string, path: string, body?: object) => Promise<Answer> {
  return async (method, path, body) => {
    const answer = await world.request(method, path, { key: token, ...(body && { body }) });
    if (answer.status >= 400) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`);
    const position = answer.headers['x-log-position'];
    if (typeof position === 'string') await world.caughtUp(position);
    return answer;
  };
}
const pageOf = (query: Record<string, string>, key = 'operator'): Promise<Answer> =>
  world.request('GET', `/admin/v1/journal?${new URLSearchParams(query)}`, { key });
/** Every page, and how many entries each had. */
async function whole(query: Record<string, string>, key = 'operator'): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await pageOf({ limit: '200', ...query, ...(cursor && { cursor }) }, key);
    if (page.status !== 200) throw new Error(page.text);
    entries.push(...(page.body.data as Entry[]));
    cursor = page.body.nextCursor as string | null;
  }
  return entries;
}
const actions = (entries: readonly Entry[]): string[] => entries.map(({ action }) => action);
const ownPage = (): Record<string, string> => ({ origin: world.url, 'sec-fetch-site': 'same-origin' });
const signIn = (token: string): Promise<Answer> =>
  world.request('POST', '/admin/v1/session', { key: null, body: { token }, headers: ownPage() });
const inSession = (method: string, path: string, cookie: string, body?: object): Promise<Answer> =>
  world.request(method, path, {
    key: null,
    headers: { cookie, 'assent-console': '1', 'sec-fetch-site': 'same-origin' },
    ...(body && { body }),
  });
const sitePath = (rest: string, site = world.demo.site): string => `/admin/v1/sites/${site}/${rest}`;

it('names each event of the contexts and each action once, and no other', () => {
  const shown = [...COMPOSITION.journal.types].map((type) => type.replace(/\B[A-Z]/g, '_$&').toLowerCase());
  const aside = ['subject_read', 'signed_in', 'sign_in_refused', 'signed_out', 'sessions_ended'];
  expect([...JOURNAL_ACTIONS].sort()).toEqual([...aside, ...shown].sort());
});

it('tells what an operator changed: of a site, its keys, webhooks, catalogue and operators', async () => {
  const { id, token } = await operatorWith();
  const by = as(token);
  await by('POST', sitePath('origins'), { env: 'test', add: ['https://one.example'] });
  const key = (await by('POST', sitePath('keys'), { type: 'pk', env: 'test', name: 'page' })).body;
  await by('POST', sitePath(`keys/${key.id}/revoke`), { reason: 'leaked' });
  await by('PATCH', `/admin/v1/operators/${(await operatorWith()).id}`, { name: 'renamed' });
  const entries = await whole({ operator: id });
  expect(actions(entries)).toEqual(['operator_token_changed', 'api_key_revoked', 'api_key_issued', 'site_changed']);
  const [operator, revoked, issued, changed] = entries;
  expect(changed).toMatchObject({
    operator: { id, name: 'grace' },
    site: world.demo.site,
    env: null,
    target: { type: 'SITE', id: null },
    summary: 'Site changed: allowedOrigins',
    reason: null,
    before: null,
    after: { allowedOrigins: { test: expect.arrayContaining(['https://one.example']) } },
    session: null,
    requestId: expect.stringMatching(/^req_/),
  });
  expect(issued).toMatchObject({ env: 'test', target: { type: 'API_KEY', id: key.id }, after: { name: 'page' } });
  expect(revoked).toMatchObject({ target: { type: 'API_KEY', id: key.id }, reason: 'leaked', after: null });
  expect(operator).toMatchObject({ site: null, target: { type: 'OPERATOR' }, after: { name: 'renamed' } });
  expect(JSON.stringify(entries)).not.toMatch(/secretHash|sealed|pk_test_/);
});

it('tells what an operator did for a person and saw of them, by ids alone, before and after an erasure', async () => {
  const { id, token } = await operatorWith();
  const by = as(token);
  const address = newEmail();
  const ref = `email:${address}`;
  const { subject } = (await world.recorded({ subject: ref }, { key: 'sk' })).body;
  const path = (rest: string): string => sitePath(`test${subjectPath(ref, rest).replace('/v1', '')}`);
  await by('GET', path('/timeline'));
  await by('GET', path('/timeline'));
  await by('POST', sitePath(`test/subjects/${subject.id}/reveal`), { reason: 'answer by letter' });
  await by('POST', sitePath('test/consent'), { subject: ref, purpose: 'analytics', decision: 'DENIED' });
  const request = await by('POST', sitePath('test/data-requests'), {
    ...{ subject: ref, type: 'ACCESS', source: 'PHONE', details: 'call me at night' },
  });
  await by('POST', sitePath(`test/data-requests/${request.body.id}/notes`), { text: 'she called' });
  await by('POST', path('/erase'), { reason: 'DATA_SUBJECT_REQUEST' });
  const entries = await whole({ operator: id });
  expect(actions(entries)).toEqual(
    expect.arrayContaining([
      'subject_erased',
      'data_request_noted',
      'data_request_received',
      'consent_recorded',
      'identifiers_revealed',
      'subject_read',
    ]),
  );
  const of = (action: string): Entry => entries.find((entry) => entry.action === action)!;
  const target = { type: 'SUBJECT', id: subject.id };
  const place = { site: world.demo.site, env: 'test', target };
  expect(of('subject_erased')).toMatchObject({ ...place, reason: 'DATA_SUBJECT_REQUEST' });
  expect(of('identifiers_revealed')).toMatchObject({ ...place, reason: 'answer by letter' });
  expect(of('consent_recorded')).toMatchObject({ ...place, after: { purpose: 'analytics' } });
  expect(of('data_request_noted').target).toEqual({ type: 'DATA_REQUEST', id: request.body.id });
  const looks = entries.filter(({ action }) => action === 'subject_read');
  const timelines = looks.filter(({ after }) => after!['operation'] === 'getSiteTimeline');
  expect(timelines.reduce((sum, { after }) => sum + (after!['reads'] as number), 0)).toBe(2);
  for (const look of looks) expect(look).toMatchObject({ ...place, session: null, summary: 'Looked at a person' });
  // The reveal is there once, with its reason.
  expect(looks.map(({ after }) => after!['operation'])).not.toContain('revealIdentifiers');
  for (const personal of [address, 'call me at night', 'she called'])
    expect(JSON.stringify(entries)).not.toContain(personal);
});

it('tells a merge and its revert once, with the survivor', async () => {
  const { id, token } = await operatorWith();
  const by = as(token);
  const [one, other] = [newEmail(), newEmail()].map((address) => `email:${address}`) as [string, string];
  for (const subject of [one, other]) await world.recorded({ subject }, { key: 'sk' });
  const { body } = await by('POST', sitePath('test/subjects/merge'), { sources: [other], target: one });
  await by('POST', sitePath(`test/subjects/merge/${body.mergeId}/revert`), {});
  const entries = (await whole({ operator: id })).filter(({ action }) => action !== 'subject_read');
  expect(entries.map(({ action, target }) => [action, target!.id])).toEqual([
    ['subject_merge_reverted', body.target.id],
    ['subjects_merged', body.target.id],
  ]);
});

it('tells sign-ins with their session, which changes then name, and every end of a session', async () => {
  const { id, token } = await operatorWith();
  const answer = await signIn(token);
  const cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  const key = await inSession('POST', sitePath('keys'), cookie, { type: 'pk', env: 'test', name: 'p' });
  await world.caughtUp(key.headers['x-log-position'] as string);
  await inSession('DELETE', '/admin/v1/session', cookie);
  await signIn(token);
  await signIn(token);
  const admin = await operatorWith();
  await as(admin.token)('POST', `/admin/v1/operators/${id}/sessions/end`);
  const entries = await whole({ operator: id });
  expect(actions(entries)).toEqual(['signed_in', 'signed_in', 'signed_out', 'api_key_issued', 'signed_in']);
  const session = entries.at(-1)!.session;
  expect(session).toMatch(/^ses_/);
  expect(entries.map((entry) => entry.session === session)).toEqual([false, false, true, true, true]);
  expect(entries.at(-1)).toMatchObject({
    summary: 'Signed in with a token',
    requestId: answer.headers['x-request-id'],
    after: { way: 'TOKEN' },
    site: null,
  });
  expect(await whole({ operator: admin.id })).toMatchObject([
    { action: 'sessions_ended', target: { type: 'OPERATOR', id }, after: { ended: 2 } },
  ]);
});

it('counts refused sign-ins by the hour, so that an attacker fills no table', async () => {
  const from = new Date().toISOString();
  const times = async (): Promise<number> =>
    (await whole({ action: 'sign_in_refused' })).reduce((sum, { after }) => sum + (after!['times'] as number), 0);
  const before = await times();
  await Promise.all(Array.from({ length: 20 }, () => signIn('op_wrong')));
  await until(async () => (await times()) >= before + 20);
  const [newest] = await whole({ action: 'sign_in_refused' });
  expect(newest).toMatchObject({
    operator: null,
    summary: 'Sign-in with a token refused: no such token works',
    after: { way: 'TOKEN', refusal: 'TOKEN' },
  });
  // At most one more hour has begun since.
  const rows = await whole({ action: 'sign_in_refused', from: `${from.slice(0, 13)}:00:00.000Z` });
  expect(rows.filter(({ after }) => after!['refusal'] === 'TOKEN').length).toBeLessThanOrEqual(2);
});

describe('is asked in part', () => {
  let operator: { id: string; token: string };
  let all: Entry[];
  beforeAll(async () => {
    operator = await operatorWith();
    const by = as(operator.token);
    for (const env of ['test', 'live'])
      for (let i = 0; i < 3; i++) {
        await by('POST', sitePath('keys'), { type: 'pk', env, name: `k${i}` });
        const { subject } = (await world.recorded({ subject: `email:${newEmail()}` }, { key: 'sk' })).body;
        await by('GET', sitePath(`test/subjects/${subject.id}`));
        await by('POST', sitePath('origins'), { env, add: [`https://${env}${i}.example`] });
        await signIn(operator.token);
      }
    all = await whole({ operator: operator.id });
  });

  it('by each filter and all of them together, in pages of any size, nothing twice and nothing missing', async () => {
    expect(all.length).toBe(24);
    expect(new Set(all.map(({ id }) => id)).size).toBe(24);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    const [older, newer] = [all[18]!.at, all[4]!.at];
    const filters: [query: Record<string, string>, isShown: (entry: Entry) => boolean][] = [
      [{}, () => true],
      [{ site: world.demo.site }, ({ site }) => site === world.demo.site],
      [{ env: 'live' }, ({ site, env }) => site !== null && env !== 'test'],
      [{ action: 'signed_in' }, ({ action }) => action === 'signed_in'],
      [{ action: 'subject_read' }, ({ action }) => action === 'subject_read'],
      [{ action: 'api_key_issued', env: 'test' }, ({ action, env }) => action === 'api_key_issued' && env === 'test'],
      [{ from: older, to: newer }, ({ at }) => at >= older && at < newer],
      [{ from: older, site: world.demo.site }, ({ at, site }) => at >= older && site !== null],
    ];
    for (const [query, isShown] of filters)
      for (const limit of ['1', '5', '7', '200']) {
        const expected = all.filter(isShown).map(({ id }) => id);
        const found = await whole({ ...query, operator: operator.id, limit });
        expect({ query, limit, found: found.map(({ id }) => id) }).toEqual({ query, limit, found: expected });
      }
    // Without the operator, by the other indexes: the same among those of others.
    for (const [query] of filters.slice(1)) {
      const own = (await whole({ ...query, limit: '3' })).filter((entry) => entry.operator?.id === operator.id);
      expect(own).toEqual(await whole({ ...query, operator: operator.id }));
    }
  });

  it('goes on where a page ended although others act meanwhile', async () => {
    const first = await pageOf({ operator: operator.id, limit: '10' });
    await as(operator.token)('POST', sitePath('origins'), { env: 'test', add: ['https://more.example'] });
    const rest = await whole({ operator: operator.id, cursor: first.body.nextCursor as string });
    expect([...(first.body.data as Entry[]), ...rest].map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(first.headers['link']).toContain('rel="next"');
  });

  it('refuses what no filter can be, and a cursor of another list', async () => {
    for (const [query, path] of [
      [{ action: 'nothing' }, 'action'],
      [{ env: 'prod' }, 'env'],
      [{ from: 'yesterday' }, 'from'],
      [{ cursor: 'MSxbIjQyIl0' }, 'cursor'],
      [{ page: '2' }, 'page'],
    ] as [Record<string, string>, string][]) {
      const { status, body } = await pageOf(query);
      expect([status, body.code, body.issues[0].path]).toEqual([422, 'validation_failed', path]);
    }
  });

  it('by an auditor of one place only what concerns that place, and by other roles not at all', async () => {
    const { site } = world.demo;
    const auditor = async (...held: [string, string][]): Promise<string> =>
      (await operatorWith(held.map(([at, env]) => ({ role: 'AUDITOR', site: at, env })))).token;
    const seenBy = async (key: string): Promise<string[]> =>
      (await whole({ operator: operator.id }, key)).map(({ id }) => id);
    const now = await whole({ operator: operator.id });
    const ids = (isShown: (entry: Entry) => boolean): string[] => now.filter(isShown).map(({ id }) => id);
    expect(await seenBy(await auditor(['*', '*']))).toEqual(ids(() => true));
    expect(await seenBy(await auditor([site, 'live']))).toEqual(ids((e) => e.site === site && e.env !== 'test'));
    expect(await seenBy(await auditor(['*', 'test']))).toEqual(ids((e) => e.env !== 'live'));
    expect(await seenBy(await auditor(['elsewhere', '*']))).toEqual([]);
    const mixed = await auditor(['elsewhere', '*'], [site, 'test']);
    expect(await seenBy(mixed)).toEqual(ids((e) => e.site === site && e.env !== 'live'));
    expect((await whole({}, mixed)).every((e) => e.site === site && e.env !== 'live')).toBe(true);
    for (const role of ['VIEWER', 'SUPPORT', 'EDITOR', 'PRIVACY', 'DEVELOPER']) {
      const { token } = await operatorWith([{ role, site: '*', env: '*' }]);
      expect((await pageOf({}, token)).body.code).toBe('role_missing');
    }
  });
});
