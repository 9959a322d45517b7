import { createPublicKey, verify } from 'node:crypto';
import { newSite } from '../support/sites.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/** Tokens by which people act for themselves, over HTTP. */
let world: World;
let people = 0;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world?.stop());

const person = (): string => `email:portal${++people}@tokens.example`;
const issue = (body: object, ask: object = {}): Promise<Answer> =>
  world.request('POST', '/v1/portal-tokens', { key: 'sk', body, ...ask });
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
/** With what a write before it did, where that is given. */
const preferencesOf = (subjectId: string, token: string, written?: Answer): Promise<Answer> =>
  world.request('GET', `/v1/subjects/subject%3A${subjectId}/preferences`, {
    key: 'pk',
    headers: { 'Consent-Identity': token, 'X-Log-Position': written?.headers['x-log-position'] },
  });

it('is a JWT of fifteen minutes that the key set verifies, in the fragment of the portal of the site', async () => {
  const subject = person();
  const before = Date.now();
  const { status, body, headers } = await issue({ subject, locale: 'de', redirectUrl: 'https://demo.example/account' });
  expect(status).toBe(201);
  expect(headers['cache-control']).toBe('no-store');
  const { token, url, expiresAt } = body as { token: string; url: string; expiresAt: string };
  expect(url).toBe(`${world.url}/portal/${world.demo.site}/test#${token}`);
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const { alg, kid, typ } = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, string>;
  expect([alg, typ]).toEqual(['EdDSA', 'consent-portal+jwt']);
  const { keys } = (await world.request('GET', '/.well-known/jwks.json', { key: null })).body as {
    keys: { kid: string }[];
  };
  const key = createPublicKey({ key: keys.find((one) => one.kid === kid) as never, format: 'jwk' });
  expect(verify(null, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  const { body: known } = await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}`);
  expect(claimsOf(token)).toMatchObject({
    iss: world.demo.site,
    aud: 'consent-portal',
    env: 'test',
    sub: known.id,
    azp: `key_${world.demo.secretKey.slice(8, 20)}`,
    locale: 'de',
    redirectUrl: 'https://demo.example/account',
  });
  const { iat, exp } = claimsOf(token) as { iat: number; exp: number };
  expect([exp - iat, Date.parse(expiresAt)]).toEqual([900, exp * 1000]);
  expect(iat * 1000).toBeGreaterThan(before - 1000);
});

it('reaches its own person with a public key, within its scopes', async () => {
  const { body } = await issue({ subject: person(), scopes: ['preferences:read'], expiresInSeconds: 60 });
  const token = body.token as string;
  const subjectId = claimsOf(token)['sub'] as string;
  expect((await preferencesOf(subjectId, token)).status).toBe(200);
  const written = await world.request('POST', '/v1/preferences', {
    key: 'pk',
    body: { subject: `subject:${subjectId}`, globalOptOut: true },
    headers: { 'Consent-Identity': token },
  });
  expect([written.status, written.body.code]).toEqual([403, 'scope_missing']);
  const other = await issue({ subject: person() });
  const foreign = await preferencesOf(claimsOf(other.body.token as string)['sub'] as string, token);
  expect([foreign.status, foreign.body.code]).toEqual([403, 'identity_token_subject_mismatch']);
});

it('keeps as evidence whose key let the person in', async () => {
  const token = (await issue({ subject: person() })).body.token as string;
  const subject = `subject:${claimsOf(token)['sub'] as string}`;
  await world.recorded({ subject }, { key: 'pk', headers: { 'Consent-Identity': token } });
  const { body } = await world.request('GET', `/v1/subjects/${encodeURIComponent(subject)}/consent/history`);
  expect((body.data as { provenance: object }[])[0]!.provenance).toMatchObject({
    identity: { keyId: `key_${world.demo.secretKey.slice(8, 20)}` },
  });
});

it('is refused where it was changed, is of another site, or its key was revoked', async () => {
  const token = (await issue({ subject: person() })).body.token as string;
  const subjectId = claimsOf(token)['sub'] as string;
  const [head, , signature] = token.split('.') as [string, string, string];
  const forged = Buffer.from(JSON.stringify({ ...claimsOf(token), scope: ['consent:write'] })).toString('base64url');
  for (const bad of [`${head}.${forged}.${signature}`, token.slice(0, -2), `${token}A`]) {
    const { status, body } = await preferencesOf(subjectId, bad);
    expect([status, body.code]).toEqual([401, 'identity_token_invalid']);
  }
  const other = await newSite(world);
  const foreign = await world.request('GET', `/v1/subjects/subject%3A${subjectId}/preferences`, {
    key: other.publicKey,
    headers: { 'Consent-Identity': token },
  });
  expect([foreign.status, foreign.body.code]).toEqual([401, 'identity_token_invalid']);
  const issued = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
    key: 'operator',
    body: { type: 'sk', env: 'test', name: 'soon gone' },
  });
  const { body } = await issue({ subject: person() }, { key: issued.body.key as string });
  const shortLived = body.token as string;
  const whose = claimsOf(shortLived)['sub'] as string;
  expect((await preferencesOf(whose, shortLived)).status).toBe(200);
  await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys/${issued.body.id as string}/revoke`, {
    key: 'operator',
    body: {},
  });
  expect((await preferencesOf(whose, shortLived)).status).toBe(401);
});

it('follows a merge, and reaches nobody once the person was erased', async () => {
  const [subject, target] = [person(), person()];
  const token = (await issue({ subject })).body.token as string;
  const subjectId = claimsOf(token)['sub'] as string;
  await world.recorded({ subject: target }, { key: 'sk' });
  await world.recorded({ subject }, { key: 'sk' });
  const merge = await world.request('POST', '/v1/subjects/merge', { body: { sources: [subject], target } });
  expect(merge.status).toBe(200);
  const survivor = (merge.body.target as { id: string }).id;
  expect((await preferencesOf(subjectId, token, merge)).body.subject).toEqual({ id: survivor });
  expect(claimsOf((await issue({ subject })).body.token as string)['sub']).toBe(survivor);
  await world.request('POST', `/v1/subjects/subject%3A${survivor}/erase`, { body: {} });
  const refused = await issue({ subject: `subject:${survivor}` });
  expect([refused.status, refused.body.code]).toEqual([410, 'subject_erased']);
  const written = await world.request('POST', '/v1/preferences', {
    key: 'pk',
    body: { subject: `subject:${subjectId}`, globalOptOut: true },
    headers: { 'Consent-Identity': token },
  });
  expect([written.status, written.body.code]).toEqual([410, 'subject_erased']);
});

it('is not made for nobody, for longer than an hour, with scopes that the key has not, or to lead anywhere', async () => {
  const subject = person();
  const narrow = (
    await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'test', name: 'narrow', scopes: ['portal-tokens:write', 'consent:read'] },
    })
  ).body.key as string;
  const refusals: [object, number, string, string?][] = [
    [{ subject: 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }, 404, 'subject_not_found'],
    [{ subject: 'nonsense' }, 400, 'subject_ref_invalid'],
    [{ subject, expiresInSeconds: 3601 }, 422, 'validation_failed'],
    [{ subject, scopes: ['subjects:erase'] }, 422, 'validation_failed'],
    [{ subject, scopes: [] }, 422, 'validation_failed'],
    [{ subject, redirectUrl: 'https://evil.example/' }, 422, 'redirect_url_not_allowed'],
    [{ subject, scopes: ['consent:read', 'consent:write'] }, 403, 'scope_missing', narrow],
  ];
  for (const [body, status, code, key] of refusals) {
    const answer = await issue(body, key === undefined ? {} : { key });
    expect([body, answer.status, answer.body.code]).toEqual([body, status, code]);
  }
  const { body } = await issue({ subject }, { key: narrow });
  expect(claimsOf(body.token as string)['scope']).toEqual(['consent:read']);
});
