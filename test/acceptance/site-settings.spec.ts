import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { assent } from '../support/command-line.js';
import { newEmail, subjectPath } from '../support/subjects.js';
import { pathOf, startWorld, type Answer, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const change = (settings: Record<string, unknown>): Promise<Answer> =>
  world.request('POST', '/admin/v1/sites', {
    key: 'operator',
    body: { site: world.demo.site, name: 'Demo Shop', ...settings },
  });
const register = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { code, out } = await assent(['sites', 'register', world.demo.site, '--name', 'Demo Shop', '--json', ...args], {
    ASSENT_DATA: world.dataFolder,
  });
  expect(code).toBe(0);
  return JSON.parse(out) as Record<string, unknown>;
};
const post = (path: string, body: unknown, key = 'sk'): Promise<Answer> => world.request('POST', path, { key, body });

describe('what is kept as evidence', () => {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into freely
  const kept = async (): Promise<any> => {
    const subject = world.visitor();
    await world.recorded({ subject }, { from: '203.0.113.77', headers: { 'User-Agent': 'Firefox/140.0' } });
    return (await world.request('GET', pathOf(subject, '/history'))).body.data[0].provenance;
  };

  test('is the network of the address and the browser, unless the site says otherwise', async () => {
    const keyId = `key_${world.demo.publicKey.slice(8, 20)}`;
    expect(await kept()).toEqual({ keyId, ip: '203.0.113.0', userAgent: 'Firefox 140' });
    expect((await change({ evidence: { ip: 'NONE' } })).body.evidence).toEqual({ ip: 'NONE', userAgent: true });
    expect(await kept()).toEqual({ keyId, userAgent: 'Firefox 140' });
    expect(await register('--evidence-user-agent', 'none')).toMatchObject({
      evidence: { ip: 'NONE', userAgent: false },
    });
    expect(await kept()).toEqual({ keyId });
    await register('--evidence-ip', 'truncated', '--evidence-user-agent', 'family');
    expect(await kept()).toEqual({ keyId, ip: '203.0.113.0', userAgent: 'Firefox 140' });
  });

  test('is not the whole address, whatever is asked for', async () => {
    const { status, body } = await change({ evidence: { ip: 'WHOLE' } });
    expect([status, body.code, body.issues[0].path]).toEqual([422, 'validation_failed', 'evidence.ip']);
  });
});

test('a secret key is taken from a browser only where the site says so', async () => {
  const fromBrowser = async (): Promise<unknown> => {
    const { status, body, headers } = await world.request('GET', '/v1/purposes', {
      key: 'sk',
      headers: { Origin: 'https://shop.example' },
    });
    return [status, body.code, headers['access-control-allow-origin']];
  };
  expect(await fromBrowser()).toEqual([403, 'origin_not_allowed', undefined]);
  expect((await change({ allowSecretKeyInBrowser: true })).body.allowSecretKeyInBrowser).toBe(true);
  expect(await fromBrowser()).toEqual([200, undefined, undefined]);
  expect(await register('--secret-key-in-browser', 'no')).toMatchObject({ allowSecretKeyInBrowser: false });
  expect(await fromBrowser()).toEqual([403, 'origin_not_allowed', undefined]);
});

test('what strings of frameworks say of the site is told field by field', async () => {
  const unset = {
    tcf: { cmpId: null, cmpVersion: null },
    gpp: { approach: 'STATE', unsettledSections: false, mspa: { covered: false, mode: null } },
  };
  expect((await change({})).body.frameworks).toEqual(unset);
  const tcf = { cmpId: 300, cmpVersion: 4 };
  expect((await change({ frameworks: { tcf: { cmpId: 300, cmpVersion: 4 } } })).body.frameworks).toEqual({
    ...unset,
    tcf,
  });
  expect(await register('--mspa', 'service-provider', '--gpp-approach', 'national')).toMatchObject({
    frameworks: {
      tcf,
      gpp: { approach: 'NATIONAL', unsettledSections: false, mspa: { covered: true, mode: 'SERVICE_PROVIDER' } },
    },
  });
  expect(await register('--tcf-cmp', 'none', '--mspa', 'none', '--gpp-approach', 'state')).toMatchObject({
    frameworks: unset,
  });
});

describe('a custom kind of identifier', () => {
  const CARD = 'custom.loyalty_card:17';

  test('that the site has not registered is unknown, wherever it stands', async () => {
    const email = `email:${newEmail()}`;
    await world.recorded({ subject: email }, { key: 'sk' });
    const ways: [string, Promise<Answer>, string][] = [
      ['a record', post('/v1/consent', { subject: CARD, purpose: 'analytics', decision: 'GRANTED' }), 'subject'],
      [
        'preferences',
        post('/v1/preferences', { subject: CARD, channel: 'email', values: [{ field: 'news', value: false }] }),
        'subject',
      ],
      [
        'a subject',
        post('/v1/subjects', { identifiers: [{ kind: 'custom.loyalty_card', value: '17' }] }),
        'identifiers[0]',
      ],
      [
        'an identifier',
        post(subjectPath(email, '/identifiers'), { kind: 'custom.loyalty_card', value: '17' }),
        'value',
      ],
      ['the target of a merge', post('/v1/subjects/merge', { sources: [email], target: CARD }), 'target'],
      ['the source of a merge', post('/v1/subjects/merge', { sources: [CARD], target: email }), 'sources[0]'],
      ['an erasure', post(subjectPath(CARD, '/erase'), {}), 'ref'],
      ['a hold', post(subjectPath(CARD, '/restrict'), {}), 'ref'],
      ['a subject that is read', world.request('GET', subjectPath(CARD)), 'ref'],
      ['a state', world.request('GET', pathOf(CARD)), 'ref'],
      ['an explanation', world.request('GET', pathOf(CARD, '/explain?purpose=analytics')), 'ref'],
      ['a history', world.request('GET', pathOf(CARD, '/history')), 'ref'],
      ['preferences that are read', world.request('GET', subjectPath(CARD, '/preferences')), 'ref'],
    ];
    for (const [what, asked, path] of ways) {
      const { status, body } = await asked;
      expect([what, status, body.code, body.issues?.[0]?.path]).toEqual([what, 422, 'identifier_kind_unknown', path]);
    }
    const batch = await post('/v1/consent/batch', {
      records: [email, CARD].map((subject) => ({ subject, purpose: 'analytics', decision: 'GRANTED' })),
    });
    expect(
      (batch.body.results as { status: string; error?: { code: string } }[]).map(({ status, error }) => [
        status,
        error?.code,
      ]),
    ).toEqual([
      ['RECORDED', undefined],
      ['REJECTED', 'identifier_kind_unknown'],
    ]);
  });

  test('names a subject once it is registered', async () => {
    expect(await register('--identifier-kind', 'custom.loyalty_card', 'custom.crm')).toMatchObject({
      identifierKinds: ['custom.loyalty_card', 'custom.crm'],
    });
    const created = await post('/v1/subjects', { identifiers: [{ kind: 'custom.loyalty_card', value: '17' }] });
    expect(created.status).toBe(201);
    expect((await world.request('GET', subjectPath(CARD))).body.id).toBe(created.body.id);
    expect((await world.request('GET', pathOf('custom.other:17'))).body.code).toBe('identifier_kind_unknown');
  });

  test.each([['loyalty_card'], ['custom.'], ['custom.9'], ['custom.Card'], ['custom.a', 'custom.a']])(
    'cannot be registered as %j',
    async (...identifierKinds) => {
      const { status, body } = await change({ identifierKinds });
      expect([status, body.code]).toEqual([422, 'validation_failed']);
      expect(body.issues[0].path).toMatch(/^identifierKinds\[\d\]$/);
    },
  );
});

test('every change of a setting is an event with who and when', async () => {
  const { out } = await assent(['audit', 'export', '--since', '2026-01-01T00:00:00Z', '--site', world.demo.site], {
    ASSENT_DATA: world.dataFolder,
    DATABASE_URL: world.databaseUrl!,
  });
  const changes = out
    .trim()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { type: string; data: Record<string, unknown>; actor: string; recordedAt: string },
    )
    .filter(({ type }) => type === 'SiteChanged');
  expect(changes.map(({ data }) => Object.keys(data)).flat()).toEqual(
    expect.arrayContaining(['evidence', 'allowSecretKeyInBrowser', 'identifierKinds']),
  );
  for (const { actor, recordedAt } of changes)
    expect([actor, recordedAt]).toEqual([expect.stringMatching(/^operator/), expect.stringMatching(/Z$/)]);
});
