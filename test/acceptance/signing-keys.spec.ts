import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assent, commanded } from '../support/command-line.js';
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
  signsFrom?: string;
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
  expect((await operate(`${'A'.repeat(43)}/revoke`, {})).body.code).toBe('key_not_found');
});

test('operators see which key signs, since when and until when, and which are compromised', async () => {
  type Listed = Record<'kid' | 'env' | 'state', string> &
    Record<'signsFrom' | 'signsUntil' | 'revokedAt', string | null>;
  const { status, body } = await world.request('GET', '/admin/v1/signing-keys', { key: 'operator' });
  const data = body.data as Listed[];
  const published = await keySet();
  expect([status, data.map(({ kid }) => kid).sort()]).toEqual([200, published.map(({ kid }) => kid).sort()]);
  const of = (env: string): Listed[] => data.filter((key) => key.env === env);
  expect(of('live').map(({ state }) => state)).toEqual(['SIGNING', 'PUBLISHED']);
  expect(of('test').map(({ state }) => state)).toEqual(['REVOKED', 'SIGNING']);
  for (const [first, next] of [of('live'), of('test')] as [Listed, Listed][]) {
    expect([first.signsFrom, first.signsUntil, next.signsUntil]).toEqual([null, next.signsFrom, null]);
    // Whoever verifies offline knows since when a key signs, too.
    const known = new Map(published.map((key) => [key.kid, key]));
    expect([known.get(first.kid)!.signsFrom, known.get(next.kid)!.signsFrom]).toEqual([undefined, next.signsFrom]);
  }
  expect((await world.request('GET', '/admin/v1/signing-keys', { key: 'sk' })).body.code).toBe('api_key_invalid');
  const env = { ASSENT_URL: world.url, ASSENT_OPERATOR_TOKEN: world.demo.operatorToken };
  expect(JSON.parse(await commanded(['keys', 'signing', '--env', 'test', '--json'], env))).toEqual({
    data: of('test'),
    nextCursor: null,
    hasMore: false,
  });
  expect(await commanded(['keys', 'signing'], env)).toContain('published');
});

test('receipts are verified offline, in every form, by the keys of the day', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assent-verified-'));
  try {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const id = (await world.recorded()).body.receiptId as string;
    const { body, text } = await receipt(id);
    const bare = await world.request('GET', `/v1/receipts/${id}`, { headers: { Accept: 'application/jose' } });
    const kantara = await world.request('GET', `/v1/receipts/${id}?format=kantara`);
    const keys = write('keys.json', JSON.stringify({ keys: await keySet() }));
    const whole = write('receipt.json', text);
    const valid = [whole, write('receipt.jws', bare.text), write('kantara.json', kantara.text)];
    const judged = async (files: string[]): Promise<[number | null, Record<string, unknown>]> => {
      const { code, out } = await assent(['receipts', 'verify', ...files, '--keys', keys, '--json'], {});
      return [code, JSON.parse(out) as Record<string, unknown>];
    };
    expect(await judged(valid)).toEqual([
      0,
      { receipts: valid.map((file) => expect.objectContaining({ file, verdict: 'VALID' })), valid: 3, invalid: 0 },
    ]);
    const forged = write('forged.json', JSON.stringify({ ...body, receipt: { ...body.receipt, site: 'other' } }));
    expect(await judged([whole, forged])).toEqual([
      1,
      {
        receipts: [expect.objectContaining({ verdict: 'VALID' }), expect.objectContaining({ verdict: 'TAMPERED' })],
        valid: 1,
        invalid: 1,
      },
    ]);
    const inWords = await assent(['receipts', 'verify', forged, '--keys', keys], {});
    expect([inWords.code, inWords.out]).toEqual([1, expect.stringContaining('TAMPERED')]);
    // What a revoked key signed says so.
    const revoked = (await keySet()).find(({ revokedAt }) => revokedAt !== undefined)!;
    const kid = kidOf({ body } as Answer);
    const compromised = write(
      'compromised.json',
      JSON.stringify({
        keys: (await keySet()).map((key) => (key.kid === kid ? { ...key, revokedAt: revoked.revokedAt } : key)),
      }),
    );
    const told = await assent(['receipts', 'verify', whole, '--keys', compromised, '--json'], {});
    expect([told.code, JSON.parse(told.out).receipts[0].verdict]).toEqual([1, 'REVOKED_KEY']);
    // Neither a key set nor a receipt.
    expect((await assent(['receipts', 'verify', whole, '--keys', whole], {})).code).toBe(1);
    expect((await assent(['receipts', 'verify', join(folder, 'none'), '--keys', keys], {})).code).toBe(2);
    expect((await assent(['receipts', 'verify', whole], {})).code).toBe(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
