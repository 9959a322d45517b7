import { commanded } from '../support/command-line.js';
import { newKey } from '../support/subjects.js';
import { verifies } from '../support/receipt.js';
import { until } from '../support/double-opt-in.js';
import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld({ own: true });
});
afterAll(() => world?.stop());

interface Key {
  kid: string;
  x: string;
  revokedAt?: string;
}
const keySet = async (): Promise<Key[]> =>
  (await world.request('GET', '/.well-known/jwks.json', { key: null })).body.keys as Key[];
const operate = (path: string, body: object, headers = {}): Promise<Answer> =>
  world.request('POST', `/admin/v1/signing-keys/${path}`, { key: 'operator', body, headers });
const receipt = async (id: string): Promise<Answer> => world.request('GET', `/v1/receipts/${id}`);
const recorded = async (): Promise<Answer> => receipt((await world.recorded()).body.receiptId as string);
const kidOf = ({ body }: Answer): string =>
  (JSON.parse(Buffer.from(body.jws.split('.')[0], 'base64url').toString()) as { kid: string }).kid;

test('a rotation publishes the next key a day before it signs, once, and leaves the others', async () => {
  const before = await keySet();
  const headers = { 'Idempotency-Key': newKey() };
  const { status, body, text } = await operate('rotate', { env: 'live', reason: 'yearly' }, headers);
  expect([status, Date.parse(body.signsFrom) - Date.parse(body.announcedAt)]).toEqual([201, 24 * 3_600_000]);
  const after = await keySet();
  expect(after.slice(0, 2)).toEqual(before);
  expect(after.map(({ kid }) => kid)).toEqual([...before.map(({ kid }) => kid), body.kid]);
  const again = await operate('rotate', { env: 'live', reason: 'yearly' }, headers);
  expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', text]);
  expect((await operate('rotate', { env: 'live' })).body.code).toBe('state_conflict');
  expect(await keySet()).toEqual(after);
  for (const { url, role } of world.roles?.instances() ?? [])
    if (role.endsWith('api'))
      expect(await (await fetch(`${url}/.well-known/jwks.json`)).json()).toEqual({ keys: after });
});

test('a compromised key says so in the key set, hands over, and what it signed stays the same to the byte', async () => {
  const first = await recorded();
  const kid = kidOf(first);
  const { etag } = (await world.request('GET', '/.well-known/jwks.json', { key: null })).headers;
  const { status, body } = await operate(`${kid}/revoke`, { reason: 'leaked' });
  expect([status, body]).toEqual([
    200,
    { kid, env: 'test', revokedAt: expect.any(String), successor: expect.objectContaining({ env: 'test' }) },
  ]);
  const published = await world.request('GET', '/.well-known/jwks.json', {
    key: null,
    headers: { 'If-None-Match': etag! },
  });
  expect(published.status).toBe(200);
  const keys = published.body.keys as Key[];
  expect(keys.find((key) => key.kid === kid)!.revokedAt).toBe(body.revokedAt);
  // From the moment that the answer named on.
  const later = await until(async () => {
    const next = await recorded();
    return next.body.receipt.event.recordedAt >= body.successor.signsFrom ? next : undefined;
  });
  expect(kidOf(later)).toBe(body.successor.kid);
  expect(verifies(later.body.jws, later.body.receipt, keys)).toBe(true);
  await world.restart();
  expect((await receipt(first.body.receipt.id)).text).toBe(first.text);
  expect((await receipt(later.body.receipt.id)).text).toBe(later.text);
  expect((await operate(`${kid}/revoke`, {})).body).toEqual({ ...body, successor: null });
  expect((await operate(`${'A'.repeat(43)}/revoke`, {})).body.code).toBe('validation_failed');
});

test('the command line does both', async () => {
  const env = { ASSENT_URL: world.url, ASSENT_OPERATOR_TOKEN: world.demo.operatorToken };
  const waits = (await keySet()).at(-1)!.kid;
  expect(await commanded(['keys', 'revoke-signing', waits, '--reason', 'tried'], env)).toContain(
    'counts as compromised',
  );
  const rotated = JSON.parse(await commanded(['keys', 'rotate-signing', '--env', 'live', '--json'], env)) as Key;
  expect((await keySet()).map(({ kid }) => kid)).toContain(rotated.kid);
});
