import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import {
  macKeyOf,
  macOf,
  segment,
  signIdentityToken,
  type TokenRequest,
} from '../../../test/support/identity-token.js';
import { MemoryEventLog } from '../../log/adapters/memory.js';
import { isRefusal, type Refused } from '../../kernel/index.js';
import { identityMacKey, mintKey, parseKey } from '../callers/api-key.js';
import {
  IDENTITY_TOKEN_MAX_LENGTH,
  readIdentityToken,
  verifyIdentityToken,
  type IdentityOutcome,
} from './identity-token.js';
import { IdentityTokens } from './identity-tokens.js';
import { KeyDirectory, type KnownKey } from '../sites/key-directory.js';
import { Sites, type KeyIssued, type KeyRequest } from '../sites/sites.js';
import { Codec } from '../../streams/codec.js';
import { SITE_EVENTS } from '../events.js';

const codec = new Codec(SITE_EVENTS);

const AT = '2026-11-21T12:00:00.000Z';
const NOW = Date.parse(AT) / 1000;
let drawn = 0;
const secretKey = mintKey('sk', 'test', (n) => Uint8Array.from({ length: n }, () => drawn++ % 248)).text;
const RIGHT = { iat: NOW, exp: NOW + 900 };

const sign = (more: Partial<TokenRequest> = {}): string =>
  signIdentityToken({
    secretKey,
    subject: 'email:ada@example.org',
    site: 'shop',
    ...more,
    claims: { ...RIGHT, ...more.claims },
  });
const verify = (text: string, at = AT, macKey: Uint8Array = identityMacKey(secretKey)): IdentityOutcome => {
  const token = readIdentityToken(text);
  return token === null
    ? { outcome: 'invalid', issues: [] }
    : verifyIdentityToken(token, macKey, { site: 'shop', env: 'test' }, at);
};
/** Signed rightly, whatever its two segments are. */
const signed = (head: string, claims: string): string =>
  `${head}.${claims}.${macOf(`${head}.${claims}`, macKeyOf(secretKey))}`;
const [HEAD, CLAIMS, MAC] = sign().split('.') as [string, string, string];
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

describe('an identity token', () => {
  it('says whom it vouches for, by which key and since when', () => {
    expect(verify(sign())).toEqual({
      outcome: 'verified',
      reference: { kind: 'email', value: 'ada@example.org' },
      keyId: parseKey(secretKey)!.id,
      issuedAt: AT,
      scopes: null,
    });
  });

  it('is signed as OpenSSL does it with HKDF-SHA-256 and HMAC-SHA-256', () => {
    const key = identityMacKey('sk_test_000000000001aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa000000');
    expect(Buffer.from(key).toString('hex')).toBe('f4f83a92e7b06a2c092d85c78e218d640d80270f19eb65d976b8020186b6b2f6');
    expect(macOf('a.b', key)).toBe('VSsaUqfEOj6mh45vvKO5pkthbXBs5XqSIqssh9HgAaE');
  });

  it.each(['email: Ada@Example.ORG ', 'email:ａda@example.org', 'email:ADA@EXAMPLE.ORG'])(
    'for %j vouches for the one person that all spellings mean',
    (subject) => {
      expect(verify(sign({ subject }))).toMatchObject({
        outcome: 'verified',
        reference: { kind: 'email', value: 'ada@example.org' },
      });
    },
  );

  it('keeps apart what is not the same person', () => {
    for (const subject of ['user_id:Ada', 'user_id:ada'])
      expect(verify(sign({ subject }))).toMatchObject({ reference: { kind: 'user_id', value: subject.slice(8) } });
  });

  it('can be limited to scopes; an unknown one allows nothing', () => {
    expect(verify(sign({ claims: { scope: ['consent:read', 'no:such', '*'] } }))).toMatchObject({
      outcome: 'verified',
      scopes: ['consent:read'],
    });
    expect(verify(sign({ claims: { scope: [] } }))).toMatchObject({ outcome: 'verified', scopes: [] });
  });

  it('may carry more claims than are read', () =>
    expect(verify(sign({ claims: { jti: 'one', nbf: NOW, name: 'Ada' } })).outcome).toBe('verified'));

  it('fits with the longest reference, in any script', () => {
    const token = sign({ subject: `external_id:${'語'.repeat(700)}` });
    expect([token.length <= IDENTITY_TOKEN_MAX_LENGTH, verify(token).outcome]).toEqual([true, 'verified']);
  });

  it('holds from 60 seconds before its issue to 60 seconds after its end', () => {
    const at = (seconds: number): string => new Date((NOW + seconds) * 1000).toISOString();
    const outcomes = [-61, -60, 0, 900, 959.999, 960, 100_000].map((seconds) => verify(sign(), at(seconds)).outcome);
    expect(outcomes).toEqual(['invalid', 'verified', 'verified', 'verified', 'verified', 'expired', 'expired']);
  });
});

describe('what the header leaves open elsewhere is pinned', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  it.each<[string, Record<string, unknown>]>([
    ['no algorithm', { alg: 'none' }],
    ['no algorithm, in capitals', { alg: 'NONE' }],
    ['another case', { alg: 'hs256' }],
    ['a longer hash', { alg: 'HS512' }],
    ['an RSA signature', { alg: 'RS256' }],
    ['a list', { alg: ['HS256'] }],
    ['nothing', { alg: undefined }],
    ['a plain JWT', { typ: 'JWT' }],
    ['the type as a media type', { typ: 'application/consent-identity+jwt' }],
    ['the type in capitals', { typ: 'CONSENT-IDENTITY+JWT' }],
    ['no type', { typ: undefined }],
    ['no key', { kid: undefined }],
    ['a path for a key', { kid: '../../dev/null' }],
    ['the key itself', { kid: secretKey }],
    ['no text for a key', { kid: 1 }],
    ['a place of keys', { jku: 'https://evil.example/jwks.json' }],
    ['a key of its own', { jwk: { kty: 'oct', k: 'AA' } }],
    ['a certificate', { x5u: 'https://evil.example/c.pem' }],
    ['a chain', { x5c: ['AA'] }],
    ['a critical extension', { crit: ['exp'] }],
    ['b64', { b64: false }],
  ])('%s', (_, header) => expect(verify(sign({ header }))).toEqual({ outcome: 'invalid', issues: [] }));

  it('an empty MAC, the MAC of another key, and an RSA signature whatever the header calls it', () => {
    const rsa = createSign('sha256').update(`${HEAD}.${CLAIMS}`).sign(privateKey, 'base64url');
    const confused = createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
      .update(`${HEAD}.${CLAIMS}`)
      .digest('base64url');
    const none = segment({ alg: 'none', typ: 'consent-identity+jwt', kid: parseKey(secretKey)!.id });
    for (const token of [
      `${HEAD}.${CLAIMS}.`,
      `${none}.${CLAIMS}.`,
      `${HEAD}.${CLAIMS}.${rsa}`,
      `${HEAD}.${CLAIMS}.${confused}`,
      `${HEAD}.${CLAIMS}.${macOf(`${HEAD}.${CLAIMS}`, Buffer.alloc(32))}`,
    ])
      expect(verify(token).outcome).toBe('invalid');
  });
});

describe('claims', () => {
  it.each<[string, Record<string, unknown>]>([
    ['iss', { iss: 'other' }],
    ['iss', { iss: undefined }],
    ['iss', { iss: ['shop'] }],
    ['aud', { aud: 'consent' }],
    ['aud', { aud: ['consent-api'] }],
    ['aud', { aud: undefined }],
    ['env', { env: 'live' }],
    ['env', { env: undefined }],
    ['sub', { sub: undefined }],
    ['sub', { sub: 17 }],
    ['sub', { sub: 'ada@example.org' }],
    ['sub', { sub: 'nobody:1' }],
    ['sub', { sub: '' }],
    ['sub', { sub: 'email:ada\u0000@example.org' }],
    ['sub', { sub: 'user_id:\ud800' }],
    ['sub', { sub: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }],
    ['sub', { sub: 'subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S' }],
    ['iat', { iat: NOW + 61, exp: NOW + 900 }],
    ['nbf', { nbf: NOW + 61 }],
    ['nbf', { nbf: '0' }],
    ['nbf', { nbf: null }],
    ['exp', { exp: undefined }],
    ['exp', { exp: NOW + 24 * 3600 + 1 }],
    ['exp', { exp: NOW }],
    ['exp', { exp: NOW - 1 }],
    ['exp', { exp: NOW + 900.5 }],
    ['exp', { exp: String(NOW + 900) }],
    ['exp', { exp: 1e300 }],
    ['jti', { jti: 1 }],
    ['scope', { scope: 'consent:read' }],
    ['scope', { scope: [1] }],
    ['scope', { scope: null }],
  ])('%s is pinned: %j', (name, claims) =>
    expect(verify(sign({ claims }))).toEqual({
      outcome: 'invalid',
      issues: [{ path: `Consent-Identity.${name}`, message: expect.any(String) }],
    }),
  );

  it.each([[undefined], ['1'], [-1], [NOW + 0.5], [-1e300]])('iat is a time: %j', (iat) =>
    expect(verify(sign({ claims: { iat } }))).toMatchObject({ outcome: 'invalid' }),
  );
  it('live for 24 hours at most', () =>
    expect(verify(sign({ claims: { exp: NOW + 24 * 3600 } })).outcome).toBe('verified'));
  it('that are wrong are never called expired', () =>
    expect(verify(sign({ claims: { env: 'live' } }), '2027-01-01T00:00:00.000Z').outcome).toBe('invalid'));

  it.each<[string, string]>([
    [
      'a member twice',
      JSON.stringify({ ...claimsOf(sign()), sub: 'email:eve@example.org' }).replace(
        '{',
        '{"sub":"email:ada@example.org",',
      ),
    ],
    ['a list', JSON.stringify([claimsOf(sign())])],
    ['text', '"email:ada@example.org"'],
    ['null', 'null'],
    ['no JSON', 'iss=shop'],
    ['a byte order mark', `\ufeff${JSON.stringify(claimsOf(sign()))}`],
    ['two documents', `${JSON.stringify(claimsOf(sign()))}{}`],
    ['a prototype', JSON.stringify(claimsOf(sign())).replace('"iss":"shop"', '"__proto__":{"iss":"shop"}')],
  ])('are one JSON object, not %s', (_, claims) =>
    expect(verify(signed(HEAD, segment(claims))).outcome).toBe('invalid'),
  );

  it('are UTF-8', () =>
    expect(
      verify(
        signed(
          HEAD,
          Buffer.concat([Buffer.from('{"iss":"'), Buffer.from([0xff]), Buffer.from('"}')]).toString('base64url'),
        ),
      ).outcome,
    ).toBe('invalid'));
  it('of the header are one JSON object too', () => {
    const twice = segment(Buffer.from(HEAD, 'base64url').toString().replace('{', '{"alg":"none",'));
    for (const head of [twice, segment('[]'), segment('null'), segment('{')])
      expect(verify(signed(head, CLAIMS)).outcome).toBe('invalid');
  });
});

describe('a token that was changed', () => {
  const other = (character: string): string => (character === 'A' ? 'B' : 'A');
  it('anywhere, is none', () => {
    const token = sign();
    for (let i = 0; i < token.length; i++)
      expect([i, verify(token.slice(0, i) + other(token[i]!) + token.slice(i + 1)).outcome]).toEqual([i, 'invalid']);
  });

  it('in its spelling only, is none either: there is one way to write it', () => {
    const last = MAC.at(-1)!;
    const twin = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      .split('')
      .find(
        (one) => one !== last && Buffer.from(MAC.slice(0, -1) + one, 'base64url').equals(Buffer.from(MAC, 'base64url')),
      )!;
    const token = sign();
    for (const text of [
      `${HEAD}.${CLAIMS}.${MAC.slice(0, -1)}${twin}`,
      `${token}=`,
      `${HEAD}=.${CLAIMS}.${MAC}`,
      `${HEAD}.${CLAIMS}==.${MAC}`,
      `${token}.`,
      `.${token}`,
      `${token}.${MAC}`,
      ` ${token}`,
      `${token}\n`,
      `Bearer ${token}`,
      `${token}, ${token}`,
      `"${token}"`,
      token.replaceAll('.', '..'),
      '',
      '..',
      `..${MAC}`,
      MAC,
    ]) {
      expect([text, verify(text).outcome]).toEqual([text, 'invalid']);
    }
  });

  it('to a hundred kilobytes is refused before anything is read', () => {
    const long = signed(HEAD, segment({ ...claimsOf(sign()), pad: 'x'.repeat(100_000) }));
    expect(readIdentityToken(long)).toBeNull();
    expect(readIdentityToken('.'.repeat(100_000))).toBeNull();
  });
});

describe('the keys that sign', () => {
  const by = { actor: 'operator' };
  const sealer = {
    seal: (purpose: string, secret: Uint8Array) => `${purpose}:${Buffer.from(secret).toString('hex')}`,
    open: (purpose: string, sealed: string) => Promise.resolve(Buffer.from(sealed.slice(purpose.length + 1), 'hex')),
  };
  const log = new MemoryEventLog();
  const directory = new KeyDirectory(log, codec);
  const sites = new Sites(log, codec, sealer);
  let clock = Date.now;
  const tokens = new IdentityTokens(directory, sealer, null, () => new Date(clock()).toISOString());
  let page: KnownKey;
  const issue = async (request: Partial<KeyRequest> = {}, site = 'shop'): Promise<KeyIssued> => {
    const issued = await sites.issueKey(site, { type: 'sk', env: 'test', name: '', ...request }, by);
    if (isRefusal(issued)) throw new Error(issued.message);
    await directory.waitFor(issued.position!, 1000);
    return issued;
  };
  const seen = (token: string): Promise<unknown> =>
    tokens.verify(token, page).catch((error: Refused) => error.refusal.code);
  const token = (key: string, more: Partial<TokenRequest> = {}): string =>
    signIdentityToken({ secretKey: key, subject: 'user_id:17', site: 'shop', ...more });

  beforeAll(async () => {
    directory.start();
    for (const site of ['shop', 'other']) await sites.register(site, {}, by);
    page = directory.find((await issue({ type: 'pk' })).keyId)!;
  });
  afterAll(() => directory.stop());

  it('are the live secret keys of the site and environment', async () => {
    const { text, keyId } = await issue();
    expect(await seen(token(text))).toMatchObject({
      reference: { kind: 'user_id', value: '17' },
      keyId,
      scopes: ['*'],
    });
  });

  it('are no others', async () => {
    const [good, pk, live, foreign] = [
      await issue(),
      await issue({ type: 'pk' }),
      await issue({ env: 'live' }),
      await issue({}, 'other'),
    ];
    const kid = good.keyId;
    expect(await seen(token(pk.text))).toBe('identity_token_invalid');
    for (const { text } of [live, foreign]) {
      expect(await seen(token(text))).toBe('identity_token_invalid');
      expect(await seen(token(text, { claims: { env: 'test' } }))).toBe('identity_token_invalid');
      expect(await seen(token(text, { header: { kid }, claims: { env: 'test' } }))).toBe('identity_token_invalid');
    }
    expect(await seen(token(foreign.text, { site: 'other' }))).toBe('identity_token_invalid');
    expect(await seen(token(good.text, { header: { kid: 'key_000000000000' } }))).toBe('identity_token_invalid');
    expect(await seen(token(good.text, { header: { kid: pk.keyId } }))).toBe('identity_token_invalid');
  });

  it('take their tokens with them, revoked as well as expired', async () => {
    const { text, keyId } = await issue();
    const ends = await issue({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await seen(token(text))).toMatchObject({ keyId });
    const revoked = await sites.revokeKey('shop', keyId, null, by);
    await directory.waitFor((revoked as { position: bigint }).position, 1000);
    expect(await seen(token(text))).toBe('identity_token_invalid');
    const long = token(ends.text, { claims: { exp: Math.floor(Date.now() / 1000) + 7200 } });
    expect(await seen(long)).toMatchObject({ keyId: ends.keyId });
    clock = () => Date.now() + 3_600_000;
    expect(await seen(long)).toBe('identity_token_invalid');
    clock = Date.now;
  });

  it('hand on no scope that they lack', async () => {
    const { text } = await issue({ scopes: ['consent:read', 'history:read'] });
    expect(await seen(token(text))).toMatchObject({ scopes: ['consent:read', 'history:read'] });
    expect(await seen(token(text, { claims: { scope: ['consent:write', 'consent:read'] } }))).toMatchObject({
      scopes: ['consent:read'],
    });
  });

  it('can have been issued a moment ago elsewhere', async () => {
    const issued = await sites.issueKey('shop', { type: 'sk', env: 'test', name: '' }, by);
    expect(await seen(token((issued as KeyIssued).text))).toMatchObject({ keyId: (issued as KeyIssued).keyId });
  });
});
