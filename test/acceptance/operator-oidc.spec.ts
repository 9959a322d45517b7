import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startExample, type RunningExample } from '../support/client-examples.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/* Signing in by OpenID Connect, at a real provider. The spec does what a browser does: cookies, redirects, forms. */

const PROVIDER = fileURLToPath(new URL('../support/plain/identity-provider.mjs', import.meta.url));
const PRIVACY = { claim: 'groups', value: 'privacy-team', role: 'PRIVACY', site: 'demo', env: '*' };

let provider: RunningExample;
let world: World;
let folder: string;
let file: string;
const roles = (...lines: object[]): void => writeFileSync(file, JSON.stringify(lines));
const issuer = (): string => `http://127.0.0.1:${provider.port}`;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-oidc-'));
  file = join(folder, 'roles.yaml');
  roles(PRIVACY);
  provider = await startExample(PROVIDER, {});
  world = await startWorld({
    env: {
      ASSENT_OIDC_ISSUER: issuer(),
      ASSENT_OIDC_CLIENT_ID: 'assent',
      ASSENT_OIDC_CLIENT_SECRET: 'a secret of the tests, long enough',
      ASSENT_OIDC_ROLES: file,
    },
  });
}, 420_000);
afterAll(async () => {
  await world?.stop();
  await provider?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => as({ groups: ['privacy-team'], lie: null }));

const as = async (what: object): Promise<void> =>
  void (await fetch(`${issuer()}/as`, { method: 'POST', body: JSON.stringify(what) }));

/** One browser: keeps cookies by host, follows nothing by itself. */
class Browser {
  private readonly jars = new Map<string, Map<string, string>>();

  async ask(url: string, form?: Record<string, string>): Promise<{ answer: Response; text: string }> {
    const { host } = new URL(url);
    const jar = this.jars.get(host) ?? new Map<string, string>();
    this.jars.set(host, jar);
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    // All of this file comes from one address, and more at once than the service takes from one without a key.
    if (answer.status === 429) {
      await pause(Number(answer.headers.get('retry-after')) * 1_000);
      return this.ask(url, form);
    }
    for (const line of answer.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split(';');
      const [name, value] = [pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1)];
      if (value === '' || attributes.some((each) => / max-age=0/i.test(each))) jar.delete(name);
      else jar.set(name, value);
    }
    return { answer, text: await answer.text() };
  }

  cookie(url: string): string {
    return [...(this.jars.get(new URL(url).host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/** Signs in at the provider; answers the address to which it sends the browser back. */
async function atProvider(browser: Browser): Promise<string> {
  let { answer } = await browser.ask(`${world.url}/admin/v1/session/oidc`);
  expect(answer.status).toBe(303);
  for (let steps = 0; steps < 12; steps++) {
    const next = new URL(answer.headers.get('location')!, issuer()).href;
    if (next.startsWith(world.url) || next.includes('/admin/v1/session/oidc/callback')) return next;
    const shown = await browser.ask(next);
    ({ answer } = shown);
    if (answer.status !== 200) continue;
    const prompt = /name="prompt" value="(\w+)"/.exec(shown.text)![1]!;
    const action = /action="([^"]+)"/.exec(shown.text)![1]!;
    ({ answer } = await browser.ask(new URL(action, issuer()).href, { prompt, login: 'ada', password: 'x' }));
  }
  throw new Error('the provider never sent the browser back');
}
async function signedIn(): Promise<{ browser: Browser; answer: Response; text: string }> {
  const browser = new Browser();
  const back = await atProvider(browser);
  return { browser, ...(await browser.ask(back)) };
}
const session = (browser: Browser): Promise<Answer> =>
  world.request('GET', '/admin/v1/session', {
    key: null,
    headers: { cookie: browser.cookie(world.url), 'assent-console': '1', 'sec-fetch-site': 'same-origin' },
  });
const codeOf = (text: string): unknown => (JSON.parse(text) as { code: string }).code;

test('a person signs in by the provider and has the roles of its groups, and no others', async () => {
  const { browser, answer } = await signedIn();
  expect(answer.status).toBe(200);
  const { body } = await session(browser);
  expect(body).toMatchObject({
    operator: { id: expect.stringMatching(/^opr_[\w-]{24}$/), name: 'Ada Lovelace' },
    roles: [{ role: 'PRIVACY', site: 'demo', env: '*' }],
  });
  const again = await signedIn();
  expect((await session(again.browser)).body.operator).toEqual(body.operator);
  const issue = await world.request('GET', '/admin/v1/operator-tokens', {
    key: null,
    headers: { cookie: browser.cookie(world.url), 'assent-console': '1', 'sec-fetch-site': 'same-origin' },
  });
  expect(issue.body.code).toBe('role_missing');
  // Neither name nor address is anywhere but in the cookie.
  expect(world.output()).not.toMatch(/Lovelace|ada@shop/);
});

test('a person who left the group does not come in again, and groups are those of the file as it is now', async () => {
  await as({ groups: ['sales'] });
  const left = await signedIn();
  expect([left.answer.status, codeOf(left.text)]).toEqual([403, 'sign_in_refused']);
  roles(PRIVACY, { claim: 'groups', value: 'sales', role: 'VIEWER', site: '*', env: 'test' });
  const { browser } = await signedIn();
  expect((await session(browser)).body.roles).toEqual([{ role: 'VIEWER', site: '*', env: 'test' }]);
  writeFileSync(file, '- claim: groups\n  role: NONE\n');
  const stays = await signedIn();
  expect((await session(stays.browser)).body.roles).toEqual([{ role: 'VIEWER', site: '*', env: 'test' }]);
  roles(PRIVACY);
});

test('an address that the provider has not checked gives no role', async () => {
  roles({ claim: 'email', value: 'ada@shop.example', role: 'ADMIN', site: '*', env: '*' });
  await as({ emailVerified: false });
  const unchecked = await signedIn();
  expect([unchecked.answer.status, codeOf(unchecked.text)]).toEqual([403, 'sign_in_refused']);
  await as({ emailVerified: true });
  const { browser } = await signedIn();
  expect((await session(browser)).body.roles).toEqual([{ role: 'ADMIN', site: '*', env: '*' }]);
  roles(PRIVACY);
});

test.each([
  ['a nonce of another sign-in', { nonce: 'another' }],
  ['another audience', { aud: 'somebody-else' }],
  ['another issuer', { iss: 'https://other.example' }],
  ['an end that is past', { exp: 1_700_000_000 }],
])('an ID token with %s proves nothing', async (_, lie) => {
  const browser = new Browser();
  const back = await atProvider(browser);
  await as({ lie });
  const { answer, text } = await browser.ask(back);
  expect([answer.status, codeOf(text)]).toEqual([403, 'sign_in_refused']);
  expect((await session(browser)).status).toBe(401);
});

test('an ID token that was only signed anew, by the right key, is as good as the first', async () => {
  const browser = new Browser();
  const back = await atProvider(browser);
  await as({ lie: {} });
  expect((await browser.ask(back)).answer.status).toBe(200);
  expect((await session(browser)).status).toBe(200);
});

test('what comes back proves nothing with another state, in another browser, or twice', async () => {
  const browser = new Browser();
  const back = await atProvider(browser);
  const other = new URL(back);
  other.searchParams.set('state', 'another');
  const strange = await new Browser().ask(back);
  expect([strange.answer.status, codeOf(strange.text)]).toEqual([403, 'sign_in_refused']);
  const changed = await browser.ask(other.href);
  expect([changed.answer.status, codeOf(changed.text)]).toEqual([403, 'sign_in_refused']);
  const late = await browser.ask(back);
  expect([late.answer.status, codeOf(late.text)]).toEqual([403, 'sign_in_refused']);
  const whole = await signedIn();
  expect((await session(whole.browser)).status).toBe(200);
});

test('keys that the provider rotated are asked for anew', async () => {
  await as({ rotate: true });
  const { browser, answer } = await signedIn();
  expect([answer.status, (await session(browser)).status]).toEqual([200, 200]);
});

test('a provider that is away is said to be so, and a token signs in meanwhile', async () => {
  const browser = new Browser();
  const back = await atProvider(browser);
  const { port } = provider;
  await provider.stop();
  try {
    const begun = await new Browser().ask(`${world.url}/admin/v1/session/oidc`);
    expect([begun.answer.status, codeOf(begun.text)]).toEqual([503, 'dependency_unavailable']);
    expect((await browser.ask(back)).answer.status).toBe(503);
    const origin = { origin: world.url, 'sec-fetch-site': 'same-origin' };
    const byToken = await world.request('POST', '/admin/v1/session', {
      key: null,
      body: { token: world.demo.operatorToken },
      headers: origin,
    });
    expect(byToken.status).toBe(204);
  } finally {
    provider = await startExample(PROVIDER, { PROVIDER_PORT: String(port) });
  }
});
