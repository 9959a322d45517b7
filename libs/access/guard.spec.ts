import { once } from 'node:events';
import http from 'node:http';
import { jest } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Module,
  Post,
  RequestMapping,
  RequestMethod,
  type INestApplication,
} from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { signIdentityToken, type TokenRequest } from '../../test/support/identity-token.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { isRefusal } from '../kernel/index.js';
import { CallerOf, Input, type Caller } from '../http/caller.js';
import { ErrorFilter } from '../http/errors/errors.js';
import { FastExpressAdapter } from '../http/fast-express.adapter.js';
import { AT_ONCE_MAX, ConcurrencyLimit, type Leave } from '../http/concurrency-limit.js';
import { compile, ListOf, Text } from '../http/contract/fields.js';
import { Operation } from '../http/contract/operation.js';
import { AccessModule } from './access.module.js';
import { mintKey, parseKey } from './callers/api-key.js';
import { operatorVerifier } from './callers/authenticate.js';
import { COMPOSITION } from '../composition/contexts.js';
import { undeclaredRoutes, unservedOperations } from './declared-routes.js';
import type { AccessRules } from './access-rules.js';
import { KeyDirectory } from './sites/key-directory.js';
import { KeyUse } from './sites/key-use.js';
import { OperationTable } from './operation-table.js';
import type { OperationDeclaration } from '../context/operations.js';
import { PORTAL_SCOPES, PORTAL_TOKEN_TYPE, portalClaims, type PortalGrant } from './tokens/portal-token.js';
import type { StatementReader } from './tokens/portal-tokens.js';
import { Sites, type KeyIssued, type KeyRequest } from './sites/sites.js';
import { Codec } from '../streams/codec.js';
import { SITE_EVENTS } from './events.js';

const codec = new Codec(SITE_EVENTS);

const OPERATOR = 'op_the-operator-of-this-test';
const PAGE = 'https://shop.example';
const ANONYMOUS = 'visitor_id:0f8fad5bd9cb469fa16570867728950e';
const PERSON = 'email:ada@example.org';
/** Of a visitor who was linked to a person. */
const LINKED = '9c1d7a52e04b4f6f8b3e6a2d1c5f7088';
const by = { actor: 'operator' };

class Record {
  @Text({ description: 'Subject.', maxLength: 800 }) subject!: string;
  @Text({ description: 'Source.', maxLength: 20, optional: true }) source?: string;
}
class Batch {
  @ListOf(() => Record, { description: 'Records.', minItems: 1, maxItems: 500 }) records!: Record[];
}
class Anything {
  @Text({ description: 'Name.', maxLength: 20, optional: true }) name?: string;
}

const described = { tag: '', summary: '', description: '', answers: [], refusals: [] };

/** The rules of the service, and bodies of this test. */
const ruled = (rule: OperationDeclaration): OperationDeclaration => {
  const contract = rule.subject?.in === 'body' ? Record : rule.subject?.in === 'batch' ? Batch : Anything;
  const { id, method, path, keys, roles, scope, subject, bodyLimit, tooLarge, byLink, cors, limited } = rule;
  const access = { id, method, path, keys, scope, subject, cors, limited, ...(roles && { roles }) };
  if (bodyLimit === undefined) return access;
  return {
    ...access,
    ...described,
    bodyLimit,
    ...(tooLarge && { tooLarge }),
    ...(byLink && { byLink }),
    body: { contract, examples: {} },
    ...(id === 'recordConsent' && {
      privileged: (input: Record) =>
        input.source === 'IMPORT' ? [{ path: 'source', message: 'IMPORT needs a secret key' }] : [],
    }),
  };
};
const operations = new OperationTable(COMPOSITION.operations.all.map(ruled));

/** One handler per operation of the table, which answers what the guard handed it. */
@Controller()
class Everything {}
for (const operation of operations.all) {
  const handler = function (this: unknown, caller: Caller, input: unknown) {
    return { caller, input };
  };
  const prototype = Everything.prototype as unknown as { [name: string]: unknown };
  prototype[operation.id] = handler;
  CallerOf()(prototype, operation.id, 0);
  Input()(prototype, operation.id, 1);
  const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
  const descriptor = Object.getOwnPropertyDescriptor(prototype, operation.id)!;
  RequestMapping({ path, method: RequestMethod[operation.method] })(prototype, operation.id, descriptor);
  Operation(operation.id)(prototype, operation.id, descriptor);
}

const log = new MemoryEventLog();
const sealer = {
  seal: (_: string, secret: Uint8Array) => Buffer.from(secret).toString('hex'),
  open: (_: string, sealed: string) => Buffer.from(sealed, 'hex'),
};
const rules: AccessRules = {
  visitors: { isLinked: ({ site }, { value }) => Promise.resolve(site === 'shop' && value === LINKED) },
  operatorOf: operatorVerifier(OPERATOR),
  operations,
  limits: { unauthenticated: { perSecond: 10_000, burst: 10_000 }, pk: { perSecond: 10_000, burst: 10_000 } },
};

const started: INestApplication[] = [];
/** Signs nothing: a text that stands here counts as signed. */
const stated = new Map<string, { env: 'test' | 'live'; content: unknown }>();
const statements: StatementReader = {
  readStatement: (type, text) => Promise.resolve(type === PORTAL_TOKEN_TYPE ? (stated.get(text) ?? null) : null),
};

async function startApp(
  overrides: Partial<AccessRules> = {},
  controllers: (new () => object)[] = [Everything],
): Promise<{ app: INestApplication; url: string }> {
  @Module({
    imports: [
      AccessModule.with({ useFactory: () => ({ log, codec, sealer, statements, rules: { ...rules, ...overrides } }) }),
    ],
    controllers,
  })
  class TestModule {}
  const app = await NestFactory.create(TestModule, new FastExpressAdapter(), { logger: false, bodyParser: false });
  app.useGlobalFilters(
    new ErrorFilter({
      publicUrl: '',
      routes: () => operations.all,
      log: { error: (details, message) => console.error(message, details) },
    }),
  );
  await app.listen(0, '127.0.0.1');
  started.push(app);
  return { app, url: await app.getUrl() };
}

const keys: { [name: string]: string | null } = {
  none: null,
  malformed: 'sk_test_nonsense',
  operator: OPERATOR,
  'wrong operator': `${OPERATOR}x`,
};
/** A secret key with one scope. */
let narrow: string;
let app: INestApplication;
let url: string;

const issue = async (request: Omit<KeyRequest, 'name'>, sites = new Sites(log, codec, sealer)): Promise<KeyIssued> => {
  const issued = await sites.issueKey('shop', { name: '', ...request }, by);
  if (isRefusal(issued)) throw new Error(JSON.stringify(issued));
  return issued;
};

beforeAll(async () => {
  const sites = new Sites(log, codec, sealer);
  await sites.register('shop', { allowedOrigins: { test: [PAGE], live: [] } }, by);
  await sites.register('slow', { rateLimits: { pk: { perSecond: 0.01, burst: 2 }, sk: null } }, by);
  for (const type of ['pk', 'sk'] as const) {
    const [key, revoked] = [await issue({ type, env: 'test' }), await issue({ type, env: 'test' })];
    await sites.revokeKey('shop', revoked.keyId, null, by);
    keys[type] = key.text;
    keys[`${type} revoked`] = revoked.text;
    keys[`${type} live`] = (await issue({ type, env: 'live' })).text;
    keys[`${type} unknown`] = mintKey(type, 'test', (n) => new Uint8Array(n).fill(7)).text;
    const long = new Sites(log, codec, sealer, () => '2020-01-01T00:00:00.000Z');
    keys[`${type} expired`] = (await issue({ type, env: 'test', expiresAt: '2020-01-02T00:00:00.000Z' }, long)).text;
    // The same id and secret under another prefix, with a checksum that fits.
    const drawn: Uint8Array[] = [];
    const real = new Sites(
      log,
      codec,
      sealer,
      undefined,
      (n) => (drawn.push(crypto.getRandomValues(new Uint8Array(n))), drawn.at(-1)!),
    );
    await issue({ type, env: 'test' }, real);
    keys[`${type} of the other environment`] = mintKey(type, 'live', () => drawn.shift()!).text;
  }
  narrow = (await issue({ type: 'sk', env: 'test', scopes: ['consent:read'] })).text;
  keys['pk narrow'] = (await issue({ type: 'pk', env: 'test', scopes: ['catalogue:read'] })).text;
  ({ app, url } = await startApp());
});
afterAll(() => Promise.all(started.map((each) => each.close())));

interface Sent {
  key?: string | null;
  subject?: string;
  headers?: { [name: string]: string };
  body?: unknown;
  at?: string;
}

async function call(operation: OperationDeclaration, { key, subject = ANONYMOUS, headers = {}, body, at = url }: Sent) {
  const path = operation.path
    .replace('{ref}', encodeURIComponent(subject))
    .replace('{env}', 'test')
    .replace(/\{site\}/, 'shop')
    .replace(/\{\w+\}/g, '1');
  const place = operation.subject;
  const fitting =
    place?.in === 'body'
      ? { subject }
      : place?.in === 'batch'
        ? { records: [{ subject: ANONYMOUS }, { subject }] }
        : {};
  const query = place?.in === 'query' ? `?${place.name}=${encodeURIComponent(subject)}` : '';
  const response = await fetch(at + path + query, {
    method: operation.method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(operation.bodyLimit ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(operation.bodyLimit ? { body: JSON.stringify(body ?? fitting) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: JSON.parse(text) as {
      code?: string;
      hint?: string;
      issues?: { path: string }[];
      caller?: Caller;
      input?: unknown;
    },
  };
}
const table = operations.all;
const named = (id: string): OperationDeclaration => table.find((operation) => operation.id === id)!;

/** What the interface promises, written down once more and without looking at the guard. */
function promised(operation: OperationDeclaration, who: string, subject: string): string {
  const allowed = operation.keys;
  if (allowed.includes('none')) return 'ok';
  if (who === 'none') return '401 api_key_missing';
  if (allowed.includes('operator')) return who === 'operator' ? 'ok' : '401 api_key_invalid';
  if (who.endsWith('expired')) return '401 api_key_expired';
  if (!['pk', 'sk', 'pk live', 'sk live', 'pk narrow'].includes(who)) return '401 api_key_invalid';
  if (who.startsWith('sk')) return allowed.includes('sk') ? 'ok' : '403 public_key_required';
  if (!allowed.includes('pk')) return '403 secret_key_required';
  if (who === 'pk narrow' && ![null, 'catalogue:read'].includes(operation.scope)) return '403 scope_missing';
  if (operation.subject?.in === 'identity') return '403 identity_token_required';
  const isOpen = operation.subject !== null && 'open' in operation.subject;
  return operation.subject !== null && !isOpen && subject === PERSON ? '403 identity_token_required' : 'ok';
}

describe('every operation, for every caller', () => {
  it.each(table.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
    for (const who of Object.keys(keys)) {
      for (const subject of operation.subject ? [ANONYMOUS, PERSON] : [ANONYMOUS]) {
        const answer = await call(operation, { key: keys[who], subject });
        const seen = answer.status < 300 ? 'ok' : `${answer.status} ${answer.json.code}`;
        expect([who, subject, seen]).toEqual([who, subject, promised(operation, who, subject)]);
        if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });
});

describe('the table is complete', () => {
  it('has a contract that can be compiled for every body, which the guard does at the first call', () => {
    const bodies = COMPOSITION.operations.all.flatMap(({ body }) => body ?? []);
    expect(bodies.length).toBeGreaterThan(15);
    for (const { contract } of bodies) expect(compile(contract)(null)).not.toEqual([]);
  });

  it('every route of the application is in it, under its method and path', () =>
    expect(undeclaredRoutes(app.get(ModulesContainer), operations)).toEqual([]));

  it('every operation of it is answered, or found not to be', async () => {
    expect(unservedOperations(app.get(ModulesContainer), operations)).toEqual([]);
    const { app: empty } = await startApp({}, []);
    expect(unservedOperations(empty.get(ModulesContainer), operations)).toEqual(table.map(({ id }) => id));
  });

  it('a handler that is not in it is found, and refused to every caller', async () => {
    @Controller('v1')
    class Forgotten {
      @Get('forgotten') forgotten() {
        return 'secret';
      }
      @Operation('noSuchOperation') @Get('invented') invented() {
        return 'secret';
      }
      @Operation('listPurposes') @Get('elsewhere') elsewhere() {
        return 'secret';
      }
      @Operation('recordConsent') @Post('consent') right(@Body() _: unknown) {
        return '';
      }
    }
    const other = await startApp({}, [Forgotten]);
    expect(undeclaredRoutes(other.app.get(ModulesContainer), operations)).toEqual([
      'GET /v1/forgotten: has no @Operation',
      'GET /v1/invented: the table has no operation noSuchOperation',
      'GET /v1/elsewhere: the table says GET /v1/purposes',
    ]);
    for (const path of ['forgotten', 'invented']) {
      for (const key of [keys.sk, OPERATOR, null]) {
        const answer = await fetch(`${other.url}/v1/${path}`, {
          headers: key ? { authorization: `Bearer ${key}` } : {},
        });
        expect([answer.status, await answer.text()]).toEqual([404, expect.not.stringContaining('secret')]);
      }
    }
  });
});

describe('a refusal tells nothing', () => {
  const fixed = { headers: { 'x-request-id': 'req-1' } };

  it('mistyped, unknown, revoked and foreign keys get the same bytes', async () => {
    const bodies = new Set<string>();
    for (const who of [
      'malformed',
      'pk revoked',
      'sk revoked',
      'pk unknown',
      'sk unknown',
      'sk of the other environment',
    ])
      bodies.add((await call(named('listPurposes'), { ...fixed, key: keys[who] })).text);
    expect(bodies.size).toBe(1);
  });

  it('every subject that is not anonymous gets the same bytes', async () => {
    const bodies = new Set<string>();
    for (const subject of [
      PERSON,
      'email:nobody@example.org',
      'phone:+491701234567',
      'sub_01J0000000000000000000000A',
      'custom.crm:1',
    ]) {
      bodies.add((await call(named('getConsentState'), { ...fixed, key: keys.pk, subject })).text);
    }
    expect(bodies.size).toBe(1);
  });

  it('a visitor who was linked to a person gets the same bytes as the person', async () => {
    const linked = `visitor_id:${LINKED}`;
    const asked = (subject: string, key = keys.pk) => call(named('getConsentState'), { ...fixed, key, subject });
    expect((await asked(linked)).text).toBe((await asked(PERSON)).text);
    expect((await asked(linked, keys.sk)).status).toBe(200);
    const batch = await call(named('recordConsentBatch'), { key: keys.pk, subject: linked });
    expect([batch.status, batch.json.code, batch.json.issues]).toEqual([
      403,
      'identity_token_required',
      [{ path: 'records[1].subject', message: 'needs an identity token' }],
    ]);
  });

  it('a visitor id that can be guessed is refused with the forms that cannot', async () => {
    for (const subject of ['visitor_id:123', 'device_id:customer-number-17-of-shop']) {
      const { json, status } = await call(named('getConsentState'), { key: keys.pk, subject });
      expect([status, json.code, json.hint]).toEqual([
        403,
        'identity_token_required',
        expect.stringMatching(/UUID, 32 or more hex digits, 22 or more base64url/),
      ]);
      const batch = await call(named('recordConsentBatch'), { key: keys.pk, subject });
      expect(batch.json.issues).toEqual([
        { path: 'records[1].subject', message: expect.stringMatching(/UUID, 32 or more hex digits/) },
      ]);
    }
  });

  it('a batch names the records that need a token, not whether they have a subject', async () => {
    const answer = await call(named('recordConsentBatch'), { key: keys.pk, subject: PERSON });
    expect(answer.json.issues).toEqual([{ path: 'records[1].subject', message: 'needs an identity token' }]);
  });
});

const idOf = (key: string): string => `key_${key.slice(8, 20)}`;

describe('a portal token', () => {
  const SUBJECT = 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S';
  const OTHER = 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T';
  let made = 0;
  const token = (more: Partial<PortalGrant> = {}, signed: { env?: 'test' | 'live'; aud?: string } = {}): string => {
    const { env = 'test', aud } = signed;
    const now = Math.floor(Date.now() / 1000) * 1000;
    const at = (ms: number): string => new Date(now + ms).toISOString();
    const claims = portalClaims({
      site: 'shop',
      env: 'test',
      subjectId: SUBJECT,
      scopes: PORTAL_SCOPES,
      keyId: parseKey(keys.sk!)!.id,
      tokenId: 'one',
      issuedAt: at(0),
      expiresAt: at(900_000),
      redirectUrl: null,
      locale: null,
      ...more,
    });
    const text = `portal-token-${made++}`;
    stated.set(text, { env, content: aud === undefined ? claims : { ...claims, aud } });
    return text;
  };
  const seen = async (operation: OperationDeclaration, presented: string, subject: string): Promise<string> => {
    const { status, json } = await call(operation, {
      key: keys.pk,
      subject,
      headers: { 'consent-identity': presented },
    });
    return status < 300 ? 'ok' : `${status} ${json.code}`;
  };

  it.each(table.filter(({ keys: by }) => by.includes('pk')).map((operation) => [operation.id, operation] as const))(
    'lets %s through with its scope, to its own subject, and not otherwise',
    async (_, operation) => {
      const { scope, subject } = operation;
      const tokens = new Map(PORTAL_SCOPES.map((one) => [one, token({ scopes: [one] })]));
      for (const [one, presented] of tokens) {
        const allowed = subject === null || scope === null || scope === one;
        expect([one, await seen(operation, presented, `subject:${SUBJECT}`)]).toEqual([
          one,
          allowed ? 'ok' : '403 scope_missing',
        ]);
      }
      const all = token();
      expect(await seen(operation, all, `subject:${SUBJECT}`)).toBe('ok');
      const isNamed = subject !== null && subject.in !== 'identity';
      for (const other of [`subject:${OTHER}`, PERSON])
        expect(await seen(operation, all, other)).toBe(isNamed ? '403 identity_token_subject_mismatch' : 'ok');
    },
  );

  it('lets nothing through that a public key cannot do', async () => {
    for (const operation of table.filter(({ keys: by }) => by.includes('sk') && !by.includes('pk')))
      expect([operation.id, await seen(operation, token(), `subject:${SUBJECT}`)]).toEqual([
        operation.id,
        '403 secret_key_required',
      ]);
  });

  it('is refused by name where it is made up, changed, foreign or over', async () => {
    const ask = (presented: string): Promise<string> => seen(named('getConsentState'), presented, `subject:${SUBJECT}`);
    const ago = (ms: number): string => new Date(Math.floor(Date.now() / 1000) * 1000 - ms).toISOString();
    const invalid = '401 identity_token_invalid';
    expect(await ask('portal-token-of-nobody')).toBe(invalid);
    expect(await ask(`${token()}x`)).toBe(invalid);
    expect(await ask(token({ site: 'other' }))).toBe(invalid);
    expect(await ask(token({ env: 'live' }))).toBe(invalid);
    expect(await ask(token({}, { env: 'live' }))).toBe(invalid);
    expect(await ask(token({}, { aud: 'consent-api' }))).toBe(invalid);
    expect(await ask(token({ subjectId: PERSON }))).toBe(invalid);
    expect(await ask(token({ issuedAt: ago(7_200_000) }))).toBe(invalid);
    expect(await ask(token({ issuedAt: ago(-600_000), expiresAt: ago(-900_000) }))).toBe(invalid);
    expect(await ask(token({ issuedAt: ago(900_000), expiresAt: ago(1000) }))).toBe('401 identity_token_expired');
    const { json } = await call(named('getConsentState'), {
      key: keys.pk,
      headers: { 'consent-identity': token({ site: 'other' }) },
    });
    expect(json.issues).toEqual([{ path: 'Consent-Identity.iss', message: 'must be the site that is asked' }]);
  });

  it('ends with the secret key that asked for it, and allows no more than that key has', async () => {
    const ask = (keyId: string): Promise<string> =>
      seen(named('getPreferences'), token({ keyId }), `subject:${SUBJECT}`);
    expect(await ask(parseKey(keys.sk!)!.id)).toBe('ok');
    expect(await ask(parseKey(narrow)!.id)).toBe('403 scope_missing');
    for (const gone of ['sk revoked', 'sk expired', 'sk unknown', 'sk live', 'pk'])
      expect([gone, await ask(parseKey(keys[gone]!)!.id)]).toEqual([gone, '401 identity_token_invalid']);
  });

  it('tells the handler who is vouched for, and by whose key', async () => {
    const { json } = await call(named('recordConsent'), {
      key: keys.pk,
      subject: SUBJECT,
      headers: { 'consent-identity': token({ scopes: ['consent:write'] }) },
    });
    expect(json.caller!.identity).toMatchObject({
      reference: { kind: 'subject', value: SUBJECT },
      keyId: parseKey(keys.sk!)!.id,
      scopes: ['consent:write'],
    });
  });
});

describe('an identity token', () => {
  const OTHER = 'email:grace@example.org';
  const state = named('getConsentState');
  const token = (subject = PERSON, more: Partial<TokenRequest> = {}): string =>
    signIdentityToken({ secretKey: keys.sk!, subject, site: 'shop', ...more });
  const seen = async (operation: OperationDeclaration, identity: string, sent: Sent = {}): Promise<string> => {
    const { status, json } = await call(operation, {
      key: keys.pk,
      subject: PERSON,
      ...sent,
      headers: { 'consent-identity': identity, ...sent.headers },
    });
    return status < 300 ? 'ok' : `${status} ${json.code}`;
  };

  it('lets a public key reach the person it names, however they are spelled, and no other', async () => {
    for (const subject of [PERSON, 'email: Ada@EXAMPLE.org', ANONYMOUS])
      expect(await seen(state, token(), { subject })).toBe('ok');
    for (const subject of [OTHER, 'user_id:ada@example.org', 'sub_01J0000000000000000000000A', 'visitor_id:17'])
      expect(await seen(state, token(), { subject })).toBe('403 identity_token_subject_mismatch');
    expect(await seen(state, token('visitor_id:17'), { subject: 'visitor_id:17' })).toBe('ok');
  });

  it('is asked for by each record of a batch', async () => {
    const batch = named('recordConsentBatch');
    const records = (...subjects: string[]): unknown => ({ records: subjects.map((subject) => ({ subject })) });
    expect(
      await seen(batch, token(), { body: records(PERSON, ANONYMOUS, 'email:ADA@example.org', 'unreadable') }),
    ).toBe('ok');
    const answer = await call(batch, {
      key: keys.pk,
      headers: { 'consent-identity': token() },
      body: records(PERSON, OTHER, ANONYMOUS, OTHER),
    });
    expect([answer.status, answer.json.code, answer.json.issues]).toEqual([
      403,
      'identity_token_subject_mismatch',
      [1, 3].map((i) => ({ path: `records[${i}].subject`, message: 'is not the subject of the identity token' })),
    ]);
  });

  it('that is bad is refused wherever a public key sends it, anonymous subjects and catalogue included', async () => {
    const old = Math.floor(Date.now() / 1000) - 1000;
    for (const [bad, code] of [
      [`${token()}x`, 'identity_token_invalid'],
      ['', 'identity_token_invalid'],
      [token(PERSON, { claims: { iat: old, exp: old + 900 } }), 'identity_token_expired'],
    ] as const) {
      for (const operation of [state, named('recordConsent'), named('recordConsentBatch'), named('listPurposes')]) {
        const answer = await call(operation, {
          key: keys.pk,
          subject: ANONYMOUS,
          headers: { 'consent-identity': bad },
        });
        expect([operation.id, answer.status, answer.json.code, answer.headers.get('www-authenticate')]).toEqual([
          operation.id,
          401,
          code,
          'Bearer realm="assent", error="invalid_token"',
        ]);
      }
    }
  });

  it('says which claim is wrong to who has a signed one', async () => {
    const answer = await call(state, {
      key: keys.pk,
      headers: { 'consent-identity': token(PERSON, { claims: { aud: 'api' } }) },
    });
    expect(answer.json.issues).toEqual([{ path: 'Consent-Identity.aud', message: 'must be "consent-api"' }]);
  });

  it('comes after the key and before the body', async () => {
    expect(await seen(named('recordConsent'), 'bad', { key: keys['pk revoked'] })).toBe('401 api_key_invalid');
    expect(await seen(named('getConsentHistory'), 'bad')).toBe('403 secret_key_required');
    expect(await seen(named('recordConsent'), 'bad', { body: { nonsense: true } })).toBe('401 identity_token_invalid');
  });

  it('is not looked at with a secret key, an operator’s token, or where no key is needed', async () => {
    expect(await seen(state, 'bad', { key: keys.sk, subject: OTHER })).toBe('ok');
    expect(
      (await call(state, { key: keys.sk, headers: { 'consent-identity': token() } })).json.caller!.identity,
    ).toBeNull();
    expect(await seen(named('listSites'), 'bad', { key: OPERATOR })).toBe('ok');
    expect(await seen(named('livez'), 'bad', { key: null })).toBe('ok');
  });

  it('allows what its scopes and those of its secret key allow, and limits nothing that is free anyway', async () => {
    const reading = token(PERSON, { claims: { scope: ['consent:read'] } });
    expect(await seen(state, reading)).toBe('ok');
    for (const id of ['recordConsent', 'recordConsentBatch'])
      expect(await seen(named(id), reading)).toBe('403 scope_missing');
    expect(await seen(named('recordConsent'), reading, { subject: ANONYMOUS })).toBe('ok');
    expect(await seen(named('recordConsent'), token(PERSON, { secretKey: narrow }))).toBe('403 scope_missing');
    expect(await seen(state, token(PERSON, { secretKey: narrow }))).toBe('ok');
    expect(await seen(state, token(), { key: keys['pk narrow'] })).toBe('403 scope_missing');
  });

  it('is known to the handler', async () => {
    const { caller } = (
      await call(named('recordConsent'), { key: keys.pk, subject: PERSON, headers: { 'consent-identity': token() } })
    ).json;
    expect(caller!.identity).toEqual({
      reference: { kind: 'email', value: 'ada@example.org' },
      keyId: idOf(keys.sk!),
      issuedAt: expect.stringMatching(/\.000Z$/),
      scopes: ['*'],
    });
  });

  it('counts as a use of the secret key that signed it', async () => {
    const noted = jest.spyOn(app.get(KeyUse), 'note');
    await call(state, { key: keys.pk, subject: PERSON });
    expect(noted.mock.calls).toEqual([[idOf(keys.pk!)]]);
    await call(state, { key: keys.pk, subject: PERSON, headers: { 'consent-identity': token() } });
    expect(noted.mock.calls.slice(1)).toEqual([[idOf(keys.pk!)], [idOf(keys.sk!)]]);
    noted.mockRestore();
  });

  it('for another person gets the same bytes, whichever person is named', async () => {
    const bodies = new Set<string>();
    for (const subject of [OTHER, 'email:nobody@example.org', 'phone:+491701234567', 'sub_01J0000000000000000000000A'])
      bodies.add(
        (
          await call(state, {
            key: keys.pk,
            subject,
            headers: { 'consent-identity': token(), 'x-request-id': 'req-1' },
          })
        ).text,
      );
    expect(bodies.size).toBe(1);
  });
});

describe('the caller that a handler sees', () => {
  it('is reduced to what may be kept', async () => {
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
      origin: PAGE,
      'x-forwarded-for': '203.0.113.9',
    };
    const { caller, input } = (await call(named('recordConsent'), { key: keys.pk, headers })).json;
    expect(caller).toMatchObject({
      kind: 'pk',
      site: 'shop',
      env: 'test',
      origin: PAGE,
      ip: '127.0.0.0',
      userAgent: 'Firefox 127',
      identity: null,
      keyId: expect.stringMatching(/^key_/),
    });
    expect(input).toEqual({ subject: ANONYMOUS });
    expect((await call(named('listPurposes'), { key: keys['sk live'] })).json.caller).toMatchObject({
      kind: 'sk',
      env: 'live',
      ip: null,
      userAgent: null,
    });
    expect((await call(named('applyCatalogue'), { key: OPERATOR })).json.caller).toMatchObject({
      kind: 'operator',
      site: 'shop',
      env: 'test',
      keyId: 'opt_first',
    });
  });

  it('comes from behind a proxy only when the proxy is trusted', async () => {
    const proxied = await startApp({ trustedProxies: ['127.0.0.0/8'] });
    const { caller } = (
      await call(named('recordConsent'), {
        key: keys.pk,
        at: proxied.url,
        headers: { 'x-forwarded-for': '1.2.3.4, 203.0.113.9' },
      })
    ).json;
    expect(caller!.ip).toBe('203.0.113.0');
  });
});

describe('the body', () => {
  it('is held against the contract of its operation', async () => {
    const unknown = await call(named('recordConsent'), { key: keys.sk, body: { subject: PERSON, recordedAt: 'x' } });
    expect([unknown.status, unknown.json.code, unknown.json.issues!.map(({ path }) => path)]).toEqual([
      422,
      'validation_failed',
      ['recordedAt'],
    ]);
    const bad = await call(named('recordConsent'), { key: keys.pk, body: { subject: 'nobody' } });
    expect([bad.status, bad.json.code]).toEqual([400, 'subject_ref_invalid']);
  });

  it('may hold some things only with a secret key', async () => {
    const body = { subject: ANONYMOUS, source: 'IMPORT' };
    const refused = await call(named('recordConsent'), { key: keys.pk, body });
    expect([refused.json.code, refused.json.issues]).toEqual([
      'secret_key_required',
      [{ path: 'source', message: 'IMPORT needs a secret key' }],
    ]);
    expect((await call(named('recordConsent'), { key: keys.sk, body })).status).toBe(201);
  });

  it('is not larger than its operation allows', async () => {
    const body = { subject: 'x'.repeat(70_000) };
    expect((await call(named('recordConsent'), { key: keys.sk, body })).json.code).toBe('body_too_large');
    expect(
      (await call(named('recordConsentBatch'), { key: keys.sk, body: { records: ['x'.repeat(2_100_000)] } })).json.code,
    ).toBe('batch_too_large');
  });
});

describe('more writes than can be answered in time', () => {
  const consent = named('recordConsent');
  let full: ConcurrencyLimit;
  let leave: Leave[];
  let at: string;
  const warned: [object, string][] = [];
  beforeAll(async () => {
    full = new ConcurrencyLimit();
    leave = Array.from({ length: AT_ONCE_MAX }, () => full.enter()!);
    const log = { warn: (details: object, message: string) => void warned.push([details, message]) };
    ({ url: at } = await startApp({ writeLimit: full, log }));
  });

  it('are asked to come again, in words that a page can read', async () => {
    for (let n = 0; n < 2; n++) {
      const refused = await call(consent, { at, key: keys.pk ?? null, headers: { origin: PAGE } });
      expect([refused.status, refused.json.code]).toEqual([503, 'dependency_unavailable']);
      expect(refused.json.hint).toMatch(/^More is sent to be written than can be answered in time\./);
      expect(refused.headers.get('retry-after')).toMatch(/^[123]$/);
      expect(refused.headers.get('access-control-allow-origin')).toBe(PAGE);
    }
    expect(warned).toEqual([
      [{ limit: AT_ONCE_MAX, refusedSoFar: 1 }, 'more is sent to be written than can be answered in time'],
    ]);
  });

  it('keep no caller from reading, and no operator from anything', async () => {
    expect((await call(named('getConsentState'), { at, key: keys.pk ?? null })).status).toBe(200);
    expect((await call(named('registerSite'), { at, key: OPERATOR })).status).toBeLessThan(300);
  });

  it('are taken again as soon as others are answered, each of which leaves its place', async () => {
    leave.pop()!(false);
    for (let n = 0; n < 3; n++) expect((await call(consent, { at, key: keys.pk ?? null })).status).toBe(201);
  });

  it('have no place taken away by who has no key, nor by a body that is still to come', async () => {
    expect((await call(consent, { at, key: null })).status).toBe(401);
    const slow = http.request(at + consent.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.pk}`, 'content-type': 'application/json', 'content-length': '100' },
    });
    slow.on('error', () => undefined);
    slow.write('{');
    await once(slow, 'socket');
    for (let n = 0; n < 3; n++) expect((await call(consent, { at, key: keys.pk ?? null })).status).toBe(201);
    slow.destroy();
  });
});

describe('pages', () => {
  const state = named('getConsentState');
  const from = (origin: string, key = keys.pk) => call(state, { key, headers: { origin } });

  it('of a listed origin can read the answer, and no other', async () => {
    const answer = await from(PAGE);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(answer.headers.get('vary')).toBe('Origin, Consent-Identity');
    expect(answer.headers.get('access-control-expose-headers')).toBe(
      'ETag, Retry-After, RateLimit, RateLimit-Policy, Link, Idempotent-Replayed, X-Request-Id, X-Log-Position, Deprecation, Sunset',
    );
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await call(state, { key: keys.pk })).headers.get('vary')).toBe('Origin, Consent-Identity');
    expect((await call(named('listPurposes'), { key: keys.pk })).headers.get('vary')).toBe('Origin');
  });

  it.each([
    'null',
    'https://evil.example',
    `${PAGE}.evil.example`,
    'https://www.shop.example',
    `${PAGE}:8443`,
    'http://shop.example',
    'https://SHOP.example',
    `${PAGE}/`,
  ])('of %s cannot', async (origin) => {
    const answer = await from(origin);
    expect([answer.status, answer.json.code]).toEqual([403, 'origin_not_allowed']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('cannot use the key of another environment of the same site', async () => {
    const answer = await from(PAGE, keys['pk live']);
    expect([answer.json.code, answer.headers.get('access-control-allow-origin')]).toEqual(['origin_not_allowed', null]);
  });

  it('can read why a key was refused', async () => {
    const answer = await from(PAGE, keys['pk revoked']);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
  });

  it('must not hold a secret key', async () => {
    const answer = await from(PAGE, keys.sk);
    expect([answer.status, answer.json.code]).toEqual([403, 'origin_not_allowed']);
    expect(answer.json.hint).toContain('revoke it');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('of the service itself use public keys, and secret keys of test; no other origin gains by that', async () => {
    const OWN = 'https://consent.example';
    const { url: at } = await startApp({ ownOrigins: new Set([OWN]) });
    const used = async (key: string, origin: string, headers: { [name: string]: string } = {}) => {
      const answer = await call(state, { key: keys[key]!, at, headers: { origin, ...headers } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      return answer.json.code ?? answer.status;
    };
    expect(await Promise.all(['pk', 'pk live', 'sk'].map((key) => used(key, OWN)))).toEqual([200, 200, 200]);
    expect(await used('sk', OWN, { 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await used('sk live', OWN)).toBe('origin_not_allowed');
    for (const site of ['same-site', 'cross-site', 'none'])
      expect(await used('sk', OWN, { 'sec-fetch-site': site })).toBe('origin_not_allowed');
    for (const origin of ['https://evil.example', `${OWN}:8443`, 'http://consent.example', 'null'])
      expect(await used('sk', origin)).toBe('origin_not_allowed');
    const asked = await fetch(`${at}/v1/consent`, {
      method: 'OPTIONS',
      headers: { origin: OWN, 'access-control-request-method': 'POST' },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('of this machine use public keys of test at every port where the service says so, and no others', async () => {
    const { url: at } = await startApp({ localPages: true });
    const used = async (key: string, origin: string) => {
      const { json, status, headers } = await call(state, { key: keys[key]!, at, headers: { origin } });
      return [json.code ?? status, headers.get('access-control-allow-origin')];
    };
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8080', 'https://[::1]:3000']) {
      expect(await used('pk', origin)).toEqual([200, origin]);
      expect(await used('pk live', origin)).toEqual(['origin_not_allowed', null]);
      expect(await used('sk', origin)).toEqual(['origin_not_allowed', null]);
      expect(await from(origin)).toMatchObject({ status: 403, json: { code: 'origin_not_allowed' } });
    }
    for (const origin of ['http://localhost.evil.example', 'https://evil.example', 'null'])
      expect(await used('pk', origin)).toEqual(['origin_not_allowed', null]);
  });

  it('that are listed nowhere are noted for the operator when they ask, once, with the command that allows them', async () => {
    const lines: [{ origin: string; fix: string }, string][] = [];
    const { url: at } = await startApp({ log: { warn: (details, text) => void lines.push([details as never, text]) } });
    const headers = { origin: 'https://new.example', 'access-control-request-method': 'POST' };
    for (let i = 0; i < 3; i++) await fetch(`${at}/v1/consent`, { method: 'OPTIONS', headers });
    await fetch(`${at}/v1/consent`, { method: 'OPTIONS', headers: { ...headers, origin: PAGE } });
    await fetch(`${at}/v1/consent`, { method: 'OPTIONS', headers: { ...headers, origin: 'not an origin' } });
    expect(lines).toHaveLength(1);
    expect(lines[0]![0].origin).toBe('https://new.example');
    expect(lines[0]![0].fix).toContain('assent sites origins add https://new.example --site shop --env ');
  });

  it('are answered before they ask', async () => {
    const ask = (path: string, origin: string) =>
      fetch(url + path, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });
    const answer = await ask('/v1/consent', PAGE);
    expect([
      answer.status,
      answer.headers.get('access-control-allow-origin'),
      answer.headers.get('access-control-allow-methods'),
    ]).toEqual([204, PAGE, 'POST']);
    expect((await ask('/v1/consent', 'https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    expect((await ask('/admin/v1/sites', PAGE)).status).toBeGreaterThanOrEqual(404);
  });
});

describe('the rate limit', () => {
  it('is the site’s own, and says so', async () => {
    const slow = await new Sites(log, codec, sealer).issueKey('slow', { type: 'pk', env: 'test', name: '' }, by);
    if (isRefusal(slow)) throw new Error(slow.message);
    await app.get(KeyDirectory).waitFor(slow.position!, 1000);
    const first = await call(named('listPurposes'), { key: slow.text });
    expect([first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
      '"default";q=2;w=200',
      expect.stringMatching(/^"default";r=1;t=\d+$/),
    ]);
    await call(named('listPurposes'), { key: slow.text });
    const third = await call(named('listPurposes'), { key: slow.text });
    expect([third.status, third.json.code, third.headers.get('retry-after'), third.headers.get('ratelimit')]).toEqual([
      429,
      'rate_limited',
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^"default";r=0;t=\d+$/),
    ]);
  });

  it('counts those who try keys by their address, and leaves a right key alone', async () => {
    const strict = await startApp({ limits: { unauthenticated: { perSecond: 0.1, burst: 3 } } });
    const codes: unknown[] = [];
    for (let i = 0; i < 5; i++)
      codes.push((await call(named('listPurposes'), { key: keys['pk unknown'], at: strict.url })).json.code);
    expect(codes).toEqual(['api_key_invalid', 'api_key_invalid', 'api_key_invalid', 'rate_limited', 'rate_limited']);
    expect((await call(named('listPurposes'), { key: keys.pk, at: strict.url })).status).toBe(200);
    expect((await call(named('livez'), { at: strict.url })).status).toBe(200);
  });
});

describe('a revocation', () => {
  it('holds on every instance as soon as it arrives there', async () => {
    const other = await startApp();
    const key = await issue({ type: 'sk', env: 'test' });
    const instances = [app, other.app].map((each) => each.get(KeyDirectory));
    await Promise.all(instances.map((directory) => directory.waitFor(key.position!, 1000)));
    for (const at of [url, other.url])
      expect((await call(named('listPurposes'), { key: key.text, at })).status).toBe(200);
    const revoked = await new Sites(log, codec, sealer).revokeKey('shop', key.keyId, 'leaked', by);
    if (isRefusal(revoked)) throw new Error(revoked.message);
    await Promise.all(instances.map((directory) => directory.waitFor(revoked.position!, 1000)));
    for (const at of [url, other.url])
      expect((await call(named('listPurposes'), { key: key.text, at })).status).toBe(401);
  });
});
