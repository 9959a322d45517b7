import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assent } from '../support/command-line.js';
import { fromThisMachine } from '../support/from-this-machine.js';
import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const VIEWER = [{ role: 'VIEWER', site: '*', env: '*' }];
const issued = async (roles: object[] = VIEWER): Promise<{ id: string; token: string }> =>
  (await world.request('POST', '/admin/v1/operator-tokens', { key: 'operator', body: { name: 'ada', roles } })).body;
const ownPage = (): Record<string, string> => ({ origin: world.url, 'sec-fetch-site': 'same-origin' });
const signIn = (token: string, headers = ownPage()): Promise<Answer> =>
  world.request('POST', '/admin/v1/session', { key: null, body: { token }, headers });
const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';')[0]!;
/** As a page of the console sends it. */
const fromConsole = (
  method: string,
  path: string,
  cookie: string,
  more: Record<string, string> = {},
): Promise<Answer> =>
  world.request(method, path, {
    key: null,
    headers: { cookie, 'assent-console': '1', 'sec-fetch-site': 'same-origin', ...more },
  });

test('an operator signs in with a token, from a page of the service, and out again', async () => {
  const { id, token } = await issued();
  expect((await signIn('op_wrong')).status).toBe(401);
  expect((await signIn(token, {})).body.code).toBe('origin_not_allowed');
  expect((await signIn(token, { origin: 'https://evil.example' })).body.code).toBe('origin_not_allowed');
  const answer = await signIn(token);
  expect([answer.status, answer.headers['set-cookie']]).toEqual([204, [expect.stringContaining('HttpOnly')]]);
  const cookie = cookieOf(answer);
  const session = await fromConsole('GET', '/admin/v1/session', cookie);
  expect(session.body).toMatchObject({ operator: { id, name: 'ada' }, roles: VIEWER, endsAt: expect.any(String) });
  expect(session.body.may.map(({ site, env }: { site: string; env: string }) => `${site}/${env}`)).toEqual([
    '*/test',
    '*/live',
  ]);
  expect(session.body.may[0].operations).toEqual(expect.arrayContaining(['listSites', 'exportCatalogue']));
  expect(session.body.may[0].operations).not.toContain('applyCatalogue');
  expect((await fromConsole('DELETE', '/admin/v1/session', cookie)).status).toBe(204);
  expect((await fromConsole('GET', '/admin/v1/session', cookie)).status).toBe(401);
});

test('a session counts only with the header, from own pages, and never for keys of a site', async () => {
  const { token } = await issued();
  const cookie = cookieOf(await signIn(token));
  expect((await fromConsole('GET', '/admin/v1/sites', cookie)).status).toBe(200);
  for (const headers of [
    { 'assent-console': '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { authorization: 'Bearer op_wrong' },
  ] as Record<string, string>[])
    expect((await fromConsole('GET', '/admin/v1/sites', cookie, headers)).status).toBe(401);
  expect((await fromConsole('GET', '/v1/purposes', cookie)).status).toBe(401);
});

test('a program gets other roles, and is ended with its sessions', async () => {
  const { id, token } = await issued();
  const cookies = await Promise.all([0, 1].map(async () => cookieOf(await signIn(token))));
  const sessions = await world.request('GET', `/admin/v1/operators/${id}/sessions`, { key: 'operator' });
  expect(sessions.body.data).toHaveLength(2);
  const ended = await world.request('POST', `/admin/v1/operators/${id}/sessions/end`, { key: 'operator' });
  expect(ended.body).toEqual({ ended: 2 });
  for (const cookie of cookies) expect((await fromConsole('GET', '/admin/v1/sites', cookie)).status).toBe(401);
  const change = (body: object): Promise<Answer> =>
    world.request('PATCH', `/admin/v1/operators/${id}`, { key: 'operator', body });
  const roles = [{ role: 'EDITOR', site: world.demo.site, env: 'test' }];
  expect((await change({ roles, name: 'ada of the shop' })).body).toMatchObject({ id, roles, name: 'ada of the shop' });
  expect(
    (await world.request('GET', `/admin/v1/sites/${world.demo.site}/live/catalogue`, { key: token })).body.code,
  ).toBe('role_missing');
  const first = await world.request('PATCH', '/admin/v1/operators/opt_first', { key: 'operator', body: { roles } });
  expect(first.body.code).toBe('state_conflict');
  const last = cookieOf(await signIn(token));
  const end = await world.request('POST', `/admin/v1/operators/${id}/end`, { key: 'operator', body: {} });
  expect(end.body).toMatchObject({ id, state: 'ENDED' });
  expect((await fromConsole('GET', '/admin/v1/sites', last)).status).toBe(401);
  expect((await change({ name: 'again' })).body.code).toBe('state_conflict');
  const list = await world.request('GET', '/admin/v1/operators', { key: 'operator' });
  expect(list.body.data).toEqual(expect.arrayContaining([expect.objectContaining({ id, kind: 'PROGRAM' })]));
});

test('the demo offers a look around on its own machine, with ADMIN of test of its site', async () => {
  // Directly: what this file asks otherwise comes as through a proxy.
  const look = (headers: Record<string, string>): Promise<Response> =>
    fromThisMachine(`${world.url}/admin/v1/session/demo`, { method: 'POST', headers });
  const proxied = await world.request('POST', '/admin/v1/session/demo', { key: null, headers: ownPage() });
  expect(proxied.status).toBe(404);
  if (world.roles) return;
  const answer = await look(ownPage());
  expect(answer.status).toBe(204);
  expect((await look({ origin: 'https://evil.example' })).status).toBe(403);
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
  const { body } = await fromConsole('GET', '/admin/v1/session', cookie);
  expect(body.roles).toEqual([{ role: 'ADMIN', site: expect.any(String), env: 'test' }]);
  const { site } = body.roles[0];
  expect((await fromConsole('GET', `/admin/v1/sites/${site}/test/catalogue`, cookie)).status).toBe(200);
  expect((await fromConsole('GET', `/admin/v1/sites/${site}/live/catalogue`, cookie)).body.code).toBe('role_missing');
  expect((await fromConsole('GET', '/admin/v1/operators', cookie)).body.code).toBe('role_missing');
});

test('the command line shows operators, their roles and sessions, and keeps a token for a service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assent-config-'));
  try {
    const { id, token } = await issued([{ role: 'ADMIN', site: '*', env: '*' }]);
    const base = { ASSENT_URL: world.url, XDG_CONFIG_HOME: folder };
    const signedIn = await assent(['sign-in'], { ...base, ASSENT_OPERATOR_TOKEN: token });
    expect([signedIn.code, signedIn.out]).toEqual([0, expect.stringContaining('ada')]);
    const file = join(folder, 'assent', 'tokens.json');
    expect([statSync(file).mode & 0o777, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([
      0o600,
      { [world.url]: token },
    ]);
    expect((await assent(['operators', 'list'], base)).out).toContain(id);
    expect((await assent(['operators', 'roles'], base)).out).toContain('PRIVACY');
    const { id: other, token: theirs } = await issued();
    await signIn(theirs);
    expect(JSON.parse((await assent(['sessions', other, '--json'], base)).out).data).toHaveLength(1);
    expect((await assent(['sessions', other, '--end'], base)).out).toContain('1 ended');
    const changed = await assent(['operators', 'roles', other, '--role', 'SUPPORT@shop/live', '--json'], base);
    expect(JSON.parse(changed.out).roles).toEqual([{ role: 'SUPPORT', site: 'shop', env: 'live' }]);
    expect((await assent(['operators', 'end', other, '--json'], base)).out).toContain('ENDED');
    expect((await assent(['sign-out'], base)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
