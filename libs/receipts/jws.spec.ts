import { createPrivateKey } from 'node:crypto';
import nacl from 'tweetnacl';
import { verifies } from '../../test/support/receipt.js';
import { erasureReceipt } from './index.js';
import { compactJws, receiptJws } from './jws.js';
import { signingKey } from './signing-key.js';

/** RFC 8037 appendix A.1. */
const RFC = { d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const key = signingKey(Buffer.from(RFC.d, 'base64url'));
const other = signingKey(Buffer.alloc(32, 7));
const receipt = erasureReceipt({
  receiptId: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2W',
  subjectId: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
  erasedTogether: ['sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T'],
  site: 'shop',
  env: 'live',
  erasedAt: '2026-11-21T12:00:00.000Z',
  reason: 'SUBJECT_REQUEST',
  issuer: 'https://consent.shop.example',
});
const jws = receiptJws(receipt, key);
const part = (index: number, of = jws): string => Buffer.from(of.split('.')[index]!, 'base64url').toString();

describe('a signing key', () => {
  it('has the public half and the thumbprint that RFC 8037 A.2 and A.3 tell of its seed', () =>
    expect(key.jwk).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: RFC.x,
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      use: 'sig',
    }));
  it('is none of a seed of another length', () => expect(() => signingKey(Buffer.alloc(31))).toThrow(RangeError));
});

describe('a compact JWS', () => {
  it('is the one of RFC 8037 A.4 for its header and payload', () =>
    expect(
      compactJws(
        { alg: 'EdDSA' },
        'Example of Ed25519 signing',
        createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', ...RFC }, format: 'jwk' }),
      ),
    ).toBe(
      'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    ));

  it.each([
    [
      'numbers and escapes of RFC 8785 3.2.2',
      String.raw`{ "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0], "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false] }`,
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    ],
    [
      'names by UTF-16 units, RFC 8785 3.2.3',
      String.raw`{ "\u20ac": 5, "\r": 1, "\ufb33": 7, "1": 2, "\ud83d\ude00": 6, "\u0080": 3, "\u00f6": 4 }`,
      '{"\\r":1,"1":2,"\u0080":3,"ö":4,"€":5,"😀":6,"\ufb33":7}',
    ],
  ])('is made over canonical bytes: %s', (_, json, bytes) =>
    expect(part(1, receiptJws(JSON.parse(json) as object, key))).toBe(bytes),
  );
});

describe('a signed receipt', () => {
  it('names algorithm, key and type, and holds the receipt', () => {
    expect(part(0)).toBe(`{"alg":"EdDSA","kid":"${key.jwk.kid}","typ":"consent-receipt+jws"}`);
    expect(JSON.parse(part(1))).toEqual(receipt);
    expect(jws).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
  });

  it('is the same text however the receipt was built', () =>
    expect(receiptJws(Object.fromEntries(Object.entries(receipt).reverse()), key)).toBe(jws));

  it('verifies by Node, by WebCrypto and by tweetnacl', async () => {
    const [header, payload, signature] = jws.split('.') as [string, string, string];
    const signed = Buffer.from(`${header}.${payload}`);
    const imported = await crypto.subtle.importKey('jwk', { ...key.jwk }, { name: 'Ed25519' }, false, ['verify']);
    expect(verifies(jws, receipt, [other.jwk, key.jwk])).toBe(true);
    expect(await crypto.subtle.verify('Ed25519', imported, Buffer.from(signature, 'base64url'), signed)).toBe(true);
    expect(
      nacl.sign.detached.verify(signed, Buffer.from(signature, 'base64url'), Buffer.from(key.jwk.x, 'base64url')),
    ).toBe(true);
  });

  it('does not verify by another key, nor as signed by another', () => {
    expect(verifies(jws, receipt, [other.jwk])).toBe(false);
    expect(verifies(jws, receipt, [{ kid: key.jwk.kid, x: other.jwk.x }])).toBe(false);
  });

  it.each(leaves(receipt))('does not verify with another %s', (path) => {
    const changed = structuredClone(receipt);
    change(changed, path.split('.'));
    const [header, , signature] = jws.split('.');
    expect(verifies(jws, changed, [key.jwk])).toBe(false);
    expect(verifies([header, receiptJws(changed, key).split('.')[1], signature].join('.'), changed, [key.jwk])).toBe(
      false,
    );
  });

  it.each([{ alg: 'none' }, { alg: 'HS256' }, { kid: other.jwk.kid }, { typ: 'JWT' }, { extra: true }])(
    'does not verify with %j in its header',
    (member) => {
      const [, payload, signature] = jws.split('.');
      const header = Buffer.from(JSON.stringify({ ...(JSON.parse(part(0)) as object), ...member })).toString(
        'base64url',
      );
      expect(verifies(`${header}.${payload}.${signature}`, receipt, [key.jwk, other.jwk])).toBe(false);
    },
  );

  it('does not verify with any bit of its signature turned', () => {
    const [header, payload, signature] = jws.split('.');
    for (let bit = 0; bit < 512; bit++) {
      const bytes = Buffer.from(signature!, 'base64url');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(verifies(`${header}.${payload}.${bytes.toString('base64url')}`, receipt, [key.jwk])).toBe(false);
    }
  });
});

/** The path of every value in it. */
function leaves(value: unknown, path: string[] = []): string[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => leaves(member, [...path, name]))
    : [path.join('.')];
}

function change(target: object, [name, ...rest]: string[]): void {
  const members = target as Record<string, unknown>;
  if (rest.length > 0) change(members[name!] as object, rest);
  else members[name!] = `${String(members[name!])}x`;
}
