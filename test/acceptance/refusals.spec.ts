import { assent } from '../support/command-line.js';
import { startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const record = (more: object, ask: Ask = {}): Promise<Answer> =>
  world.request('POST', '/v1/consent', {
    body: { subject: world.visitor(), purpose: 'analytics', decision: 'GRANTED', ...more },
    ...ask,
  });
const issueAt = ({ body }: Answer, path: string): string =>
  body.issues.find((issue: { path: string }) => issue.path === path)?.message;

describe('what was most likely meant', () => {
  test('by a purpose is said wherever one is named', async () => {
    const state = `/v1/subjects/${encodeURIComponent(world.visitor())}/consent`;
    for (const [answer, path] of [
      [await record({ purpose: 'analytcs' }), 'purpose'],
      [await world.request('GET', `${state}?purpose=analytiks`), 'purpose'],
      [await world.request('GET', `${state}/explain?purpose=analitics`), 'purpose'],
      [await world.request('GET', '/v1/purposes/analytic/current'), 'key'],
    ] as const)
      expect(issueAt(answer, path)).toMatch(/; did you mean "analytics"\?$/);
    expect(issueAt(await record({ purpose: 'entirely_else' }), 'purpose')).toBe('is not a published purpose');
    expect(issueAt(await record({ purpose: 'constructor' }), 'purpose')).toBe('is not a published purpose');
  });

  test.each([
    ['granted', 'GRANTED'],
    ['WITHDRAW', 'WITHDRAWN'],
    ['denyed', 'DENIED'],
  ])('by the value %s is %s', async (decision, meant) => {
    expect(issueAt(await record({ decision }), 'decision')).toMatch(
      new RegExp(`, ACKNOWLEDGED; did you mean "${meant}"\\?$`),
    );
  });

  test('by a value that is like none is left to the reader', async () => {
    expect(issueAt(await record({ decision: 'perhaps' }), 'decision')).toMatch(/ACKNOWLEDGED$/);
  });

  test.each([
    ['de', 'DE'],
    ['Germany', 'DE'],
    ['germny', 'DE'],
    ['uk', 'GB'],
    ['United Kingdom', 'GB'],
    ['Untied States', 'US'],
  ])('by the country %s is %s', async (country, meant) => {
    const expected = new RegExp(`; did you mean "${meant}"\\?$`);
    expect(issueAt(await record({ jurisdiction: { country, source: 'DECLARED' } }), 'jurisdiction.country')).toMatch(
      expected,
    );
    const path = `/v1/subjects/${encodeURIComponent(world.visitor())}/consent?country=${encodeURIComponent(country)}`;
    expect(issueAt(await world.request('GET', path), 'country')).toMatch(expected);
  });

  test('by a country that nobody can guess is left to the reader', async () => {
    const answer = await record({ jurisdiction: { country: 'x'.repeat(500), source: 'DECLARED' } });
    expect(issueAt(answer, 'jurisdiction.country')).toBe('must be at most 2 characters long');
  });
});

describe('credentials that count for nothing here', () => {
  const hintOf = async (path: string, authorization: string): Promise<[number, string, string]> => {
    const { status, body } = await world.request('GET', path, { headers: { Authorization: authorization } });
    return [status, body.code, body.hint];
  };
  const [V1, ADMIN] = ['/v1/purposes', '/admin/v1/sites'];

  test('are told apart by their prefix', async () => {
    const { operatorToken, secretKey, publicKey } = world.demo;
    expect(await hintOf(V1, `Bearer ${operatorToken}`)).toEqual([
      401,
      'api_key_invalid',
      expect.stringContaining('This is an operator token; send an API key'),
    ]);
    for (const key of [secretKey, publicKey])
      expect(await hintOf(ADMIN, `Bearer ${key}`)).toEqual([
        401,
        'api_key_invalid',
        expect.stringContaining('This is an API key of a site; here an operator token is wanted'),
      ]);
    for (const [other, sort] of [
      ['whsec_abc', 'the secret of a webhook'],
      ['cft_abc', 'the token of a link'],
      ['key_4Zt8nXq2LmPa', 'the id of a key'],
      ['eyJhbGciOiJIUzI1NiJ9.e30.c2ln', 'a JSON web token'],
    ])
      for (const path of [V1, ADMIN])
        expect(await hintOf(path, `Bearer ${other}`)).toEqual([
          401,
          'api_key_invalid',
          expect.stringContaining(`This is ${sort}`),
        ]);
  });

  test('and an operator token that does not count, mistyped or revoked, is not told to be one', async () => {
    for (const token of [`${world.demo.operatorToken.slice(0, -1)}%`, 'nonsense'])
      expect(await hintOf(ADMIN, `Bearer ${token}`)).toEqual([
        401,
        'api_key_invalid',
        expect.stringContaining('The operator token is mistyped, was revoked, has expired'),
      ]);
  });

  test('without the word Bearer are said to lack it, and are not repeated', async () => {
    for (const [path, key] of [
      [V1, world.demo.secretKey],
      [ADMIN, world.demo.operatorToken],
    ] as const) {
      const [status, code, hint] = await hintOf(path, key);
      expect([status, code]).toEqual([401, 'api_key_missing']);
      expect(hint).toContain('Write "Bearer " before it');
      expect(hint).not.toContain(key.slice(0, 12));
    }
    expect((await hintOf(V1, 'Basic dXNlcjpwYXNz'))[2]).toContain('Only the scheme Bearer is known');
  });

  test('say nothing of whether a key exists: mistyped, revoked and unknown ones are answered alike', async () => {
    const { secretKey } = world.demo;
    const unknown = secretKey.slice(0, -1) + (secretKey.endsWith('A') ? 'B' : 'A');
    const [first, second] = [await hintOf(V1, `Bearer ${unknown}`), await hintOf(V1, 'Bearer sk_test_nonsense')];
    expect(first).toEqual(second);
  });
});

test('a page of another origin is told which, and the command that allows it, in the answer and in the log; the command does it', async () => {
  const origin = `https://new-${world.demo.site}.example`;
  const ask = (): Promise<Answer> => record({}, { key: 'pk', headers: { Origin: origin } });
  const { status, body, headers } = await ask();
  expect([status, body.code]).toEqual([403, 'origin_not_allowed']);
  expect(headers['access-control-allow-origin']).toBeUndefined();
  const command = `assent sites origins add ${origin} --site ${world.demo.site} --env test`;
  expect(body.hint).toContain(`Pages of ${origin} may not use the key.`);
  expect(body.hint).toContain(command);
  const notedIn = (output: string): string[] =>
    output
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.includes('origin that is not allowed') && line.includes(origin));
  const noted = notedIn(await world.outputWith((output) => notedIn(output).length > 0));
  expect(noted).toHaveLength(1);
  expect(noted[0]).toContain(command);
  const env = { ASSENT_URL: world.url, ASSENT_OPERATOR_TOKEN: world.demo.operatorToken };
  const run = (text: string): Promise<{ code: number | null; out: string }> => assent(text.split(' ').slice(1), env);
  expect((await run(command)).code).toBe(0);
  expect((await ask()).status).toBe(201);
  expect((await record({}, { key: 'pk', headers: { Origin: world.url } })).status).toBe(201);
  expect((await run(command.replace(' add ', ' remove '))).code).toBe(0);
  expect((await ask()).status).toBe(403);
  expect((await assent(['sites', 'origins', 'add', origin, '--site', 'nobody'], env)).code).toBe(1);
});

test('an origin that is none is not repeated', async () => {
  for (const origin of ['null', 'javascript:alert(1)', `https://${'x'.repeat(400)}.example`]) {
    const { status, body } = await record({}, { key: 'pk', headers: { Origin: origin } });
    expect([status, body.code]).toEqual([403, 'origin_not_allowed']);
    expect(body.hint).not.toContain(origin.slice(0, 60).padEnd(20, '?'));
  }
});

test('all identifiers that cannot be read are named at once', async () => {
  const { status, body } = await world.request('POST', '/v1/subjects', {
    body: {
      identifiers: [
        { kind: 'email', value: 'nobody' },
        { kind: 'user_id', value: 'sound' },
        { kind: 'phone', value: '12' },
        { kind: 'gaid', value: 'x' },
      ],
    },
  });
  expect([status, body.code]).toEqual([400, 'subject_ref_invalid']);
  expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([
    'identifiers[0]',
    'identifiers[2]',
    'identifiers[3]',
  ]);
  expect((await world.request('GET', '/v1/subjects/user_id%3Asound')).status).toBe(404);
});
