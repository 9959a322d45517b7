import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Module, RequestMapping, RequestMethod, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { REF_IN_PATH, type OperationDeclaration } from '../context/operations.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { Codec } from '../streams/codec.js';
import type { SubscribeOptions } from '../log/port.js';
import { isRefusal, type Position, type Work } from '../kernel/index.js';
import { CallerOf, Input, WorkOf, type Caller } from '../http/caller.js';
import { ErrorFilter } from '../http/errors/errors.js';
import { FastExpressAdapter } from '../http/fast-express.adapter.js';
import { ListOf, Text } from '../http/contract/fields.js';
import { Operation } from '../http/contract/operation.js';
import { AccessModule } from './access.module.js';
import { operatorVerifier } from './callers/authenticate.js';
import { SITE_EVENTS, type RateLimitPolicy } from './events.js';
import type { AccessRules } from './access-rules.js';
import { OperationTable } from './operation-table.js';
import { MemoryRateLimiter, type Charge, type RateLimiter, type RateLimitOutcome } from './limits/rate-limit.js';
import { Sites, type KeyIssued, type KeyRequest } from './sites/sites.js';
import { DEFAULT_RATE_LIMITS } from './state.js';

/*
 * What requests are charged, to whom, and what the guard notes and waits for, on a handful of operations. Who may call
 * the operations of the service is the subject of guard.spec.ts.
 */

class Note {
  @Text({ description: 'Words.', maxLength: 200_000 }) words!: string;
}
class Item {
  @Text({ description: 'Name.', maxLength: 100 }) name!: string;
}
class Batch {
  @ListOf(() => Item, { description: 'Items.', minItems: 1, maxItems: 50 }) items!: Item[];
}
class Linked {
  @Text({ description: 'Token.', maxLength: 50, optional: true }) token?: string;
}

const described = { tag: '', summary: 'x', description: '', answers: [], refusals: [] };
const takes = (contract: new () => object) => ({ ...described, bodyLimit: 300_000, body: { contract, examples: {} } });
const byKey = { keys: ['pk', 'sk'], scope: 'consent:read', subject: null, cors: true, limited: true } as const;
const byAnybody = { keys: ['none'], scope: null, subject: null, cors: false, limited: true } as const;
const operations = new OperationTable([
  { id: 'read', method: 'GET', path: '/v1/read', ...byKey },
  { id: 'readFree', method: 'GET', path: '/v1/free', ...byKey, scope: null },
  { id: 'readPublic', method: 'GET', path: '/v1/public', ...byKey, keys: ['pk'] },
  { id: 'readApart', method: 'GET', path: '/v1/apart', ...byKey, cors: false },
  { id: 'note', method: 'POST', path: '/v1/notes', ...byKey, ...takes(Note) },
  {
    id: 'batch',
    method: 'POST',
    path: '/v1/batches',
    ...byKey,
    keys: ['sk'],
    cors: false,
    ...takes(Batch),
    subject: { in: 'batch', list: 'items', name: 'name' },
    tooLarge: 'batch_too_large',
    oversized: (input) =>
      ((input as Partial<Batch> | null)?.items?.length ?? 0) > 100 ? 'Send at most 100 items at once.' : null,
  },
  {
    id: 'list',
    method: 'POST',
    path: '/v1/lists',
    ...byKey,
    ...takes(Batch),
    oversized: (input) => ((input as Partial<Batch>).items!.length > 100 ? 'Send at most 100 items at once.' : null),
    privileged: ({ items }: Batch) =>
      items.flatMap(({ name }, i) => (name === 'root' ? [{ path: `items[${i}].name`, message: 'is not yours' }] : [])),
  },
  { id: 'person', method: 'GET', path: '/v1/people/{ref}', ...byKey, subject: REF_IN_PATH },
  { id: 'follow', method: 'POST', path: '/l', ...byAnybody, byLink: true, ...takes(Linked) },
  { id: 'look', method: 'GET', path: '/l', ...byAnybody, byLink: true },
  { id: 'post', method: 'POST', path: '/p', ...byAnybody, ...takes(Linked) },
  { id: 'page', method: 'GET', path: '/page', ...byAnybody },
  { id: 'probe', method: 'GET', path: '/probe', ...byAnybody, limited: false },
  { id: 'site', method: 'GET', path: '/sites/{site}', ...byAnybody, keys: ['operator'], roles: [] },
  {
    id: 'file',
    method: 'GET',
    path: '/files/{ref}',
    ...byAnybody,
    keys: ['operator'],
    roles: [],
    subject: REF_IN_PATH,
  },
] satisfies OperationDeclaration[]);

/** One handler per operation, which answers what the guard handed it. That of notes folds 250 events for it. */
@Controller()
class Everything {}
for (const { id, method, path } of operations.all) {
  const prototype = Everything.prototype as unknown as { [name: string]: unknown };
  prototype[id] = async (caller: Caller, input: unknown, work: Work) => {
    await work.folded(id === 'note' ? 250 : 0);
    return { caller, input: input ?? null };
  };
  CallerOf()(prototype, id, 0);
  Input()(prototype, id, 1);
  WorkOf()(prototype, id, 2);
  const descriptor = Object.getOwnPropertyDescriptor(prototype, id)!;
  RequestMapping({ path: path.replace(/\{(\w+)\}/, ':$1'), method: RequestMethod[method] })(prototype, id, descriptor);
  Operation(id)(prototype, id, descriptor);
}

interface Taken {
  bucket: string;
  policy: RateLimitPolicy;
  charge: Charge;
}
/** The limiter of the service, which also says what was asked of it. */
class WatchedLimiter extends MemoryRateLimiter {
  taken: Taken[] = [];

  override take(bucket: string, policy: RateLimitPolicy, nowMs: number, charge: Charge): RateLimitOutcome {
    this.taken.push({ bucket, policy, charge });
    return super.take(bucket, policy, nowMs, charge);
  }
}

/** A log that pushes no event until a reader asks for its head: like the writes of another process for a moment. */
class LateLog extends MemoryEventLog {
  private held: (() => void)[] | null = null;

  /** From now on. */
  hold(): void {
    this.held ??= [];
  }

  override head(): Promise<Position> {
    this.held?.forEach((deliver) => deliver());
    this.held = null;
    return super.head();
  }

  override subscribe(options: SubscribeOptions) {
    return super.subscribe({
      ...options,
      onBatch: async (events, through) => {
        const { held } = this;
        if (held) await new Promise<void>((resolve) => held.push(resolve));
        return options.onBatch(events, through);
      },
    });
  }
}

const PAGE = 'https://shop.example';
const OPERATOR = 'op_the-operator-of-this-test';
const by = { actor: 'operator' };
const codec = new Codec(SITE_EVENTS);
const sealer = {
  seal: (_: string, secret: Uint8Array) => Buffer.from(secret).toString('hex'),
  open: () => Buffer.alloc(0),
};
const log = new LateLog();
const sites = new Sites(log, codec, sealer);
const issue = async (site: string, request: Partial<KeyRequest> = {}): Promise<KeyIssued> => {
  const issued = await sites.issueKey(site, { type: 'sk', env: 'test', name: '', ...request }, by);
  if (isRefusal(issued)) throw new Error(JSON.stringify(issued));
  return issued;
};

const started: INestApplication[] = [];
/** `at`: the path of a socket instead of a port of its own choice. */
async function startApp(rules: Partial<AccessRules> = {}, events: MemoryEventLog = log, at?: string): Promise<string> {
  const defaults: AccessRules = {
    visitors: { isLinked: () => Promise.resolve(false) },
    operatorOf: operatorVerifier(OPERATOR),
    operations,
    limiter,
    addressSalt: 'salt',
    log: { warn: (details, message) => void warned.push({ ...details, message }) },
  };
  @Module({
    imports: [
      AccessModule.with({ useFactory: () => ({ log: events, codec, sealer, rules: { ...defaults, ...rules } }) }),
    ],
    controllers: [Everything],
  })
  class TestModule {}
  const app = await NestFactory.create(TestModule, new FastExpressAdapter(), { logger: false, bodyParser: false });
  app.useGlobalFilters(
    new ErrorFilter({
      publicUrl: '',
      routes: () => operations.all,
      log: { error: (details) => void failures.push(details) },
    }),
  );
  await (at === undefined ? app.listen(0, '127.0.0.1') : app.listen(at));
  started.push(app);
  return at ?? app.getUrl();
}

const limiter = new WatchedLimiter();
const warned: object[] = [];
const failures: object[] = [];
let url: string;
let [pk, sk, own, open, narrow]: KeyIssued[] = [];
beforeAll(async () => {
  await sites.register('shop', { allowedOrigins: { test: [PAGE], live: [] } }, by);
  await sites.register(
    'club',
    { allowSecretKeyInBrowser: true, rateLimits: { pk: null, sk: { perSecond: 5, burst: 7 } } },
    by,
  );
  [pk, sk, own, open, narrow] = [
    await issue('shop', { type: 'pk' }),
    await issue('shop'),
    await issue('shop', { type: 'pk', allowedOrigins: ['https://app.example'] }),
    await issue('club'),
    await issue('shop', { scopes: ['consent:write'] }),
  ];
  url = await startApp();
});
afterAll(async () => {
  await Promise.all(started.map((app) => app.close()));
  // What the service would log as its own fault.
  expect(failures).toEqual([]);
});
beforeEach(() => {
  limiter.taken = [];
  warned.length = 0;
});

interface Sent {
  key?: KeyIssued | string;
  body?: unknown;
  headers?: Record<string, string>;
  at?: string;
}
async function call(method: string, path: string, { key, body, headers = {}, at = url }: Sent = {}) {
  const isText = typeof body === 'string' || body instanceof URLSearchParams;
  const response = await fetch(at + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${typeof key === 'string' ? key : key.text}` }),
      ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  const json = (await response.json()) as {
    code?: string;
    message?: string;
    hint?: string;
    issues?: object[];
    caller?: Caller;
    input?: unknown;
  };
  return { status: response.status, headers: response.headers, json, seen: json.code ?? response.status };
}
/** What the last requests were charged, one after the other. */
const charges = (): Charge[] => limiter.taken.map(({ charge }) => charge);
const ADDRESS = /^[\w-]{43}$/;

describe('a request is charged', () => {
  it('to its secret key, wherever it comes from, as its site says or else the service', async () => {
    expect((await call('GET', '/v1/read', { key: sk! })).status).toBe(200);
    expect((await call('GET', '/v1/read', { key: open! })).headers.get('ratelimit-policy')).toBe('"default";q=7;w=2');
    expect(limiter.taken).toEqual([
      { bucket: sk!.keyId, policy: DEFAULT_RATE_LIMITS.sk, charge: { units: 1, paid: 0 } },
      { bucket: open!.keyId, policy: { perSecond: 5, burst: 7 }, charge: { units: 1, paid: 0 } },
    ]);
  });

  it('to its public key and the address it comes from, of which only a hash is kept', async () => {
    const beside = await startApp();
    const elsewhere = await startApp({ addressSalt: 'another salt' });
    for (const at of [url, beside, elsewhere]) await call('GET', '/v1/read', { key: pk!, at });
    await call('GET', '/v1/read', { key: own! });
    const buckets = limiter.taken.map(({ bucket, policy }) => {
      expect(policy).toEqual(DEFAULT_RATE_LIMITS.pk);
      const [keyId, address] = bucket.split('.');
      expect(address).toMatch(ADDRESS);
      return [keyId, address];
    });
    expect(buckets.map(([keyId]) => keyId)).toEqual([pk!.keyId, pk!.keyId, pk!.keyId, own!.keyId]);
    const [here, next, salted, there] = buckets.map(([, address]) => address);
    expect([next, there]).toEqual([here, here]);
    expect(salted).not.toBe(here);
  });

  it('to its public key alone where the connection has no address', async () => {
    const socketPath = await startApp({}, log, join(tmpdir(), `guard-${randomUUID()}`));
    const headers = { authorization: `Bearer ${pk!.text}` };
    const status = await new Promise((resolve, reject) =>
      get({ socketPath, path: '/v1/read', headers }, (response) => resolve(response.resume().statusCode)).on(
        'error',
        reject,
      ),
    );
    await call('GET', '/v1/read', { key: pk! });
    const [without, here] = limiter.taken.map(({ bucket }) => bucket);
    expect([status, without]).toEqual([200, expect.stringMatching(new RegExp(`^${pk!.keyId}\\.[\\w-]{43}$`))]);
    expect(without).not.toBe(here);
  });

  it('to its address where it has no key that works, at the limit of those who have none', async () => {
    const mistyped = `${sk!.text.slice(0, -1)}_`;
    const seen = [
      (await call('GET', '/v1/read')).seen,
      (await call('GET', '/v1/read', { key: mistyped })).seen,
      (await call('GET', '/sites/shop')).seen,
      (await call('GET', '/sites/shop', { key: 'op_another' })).seen,
      (await call('GET', '/page')).seen,
    ];
    expect(seen).toEqual(['api_key_missing', 'api_key_invalid', 'api_key_missing', 'api_key_invalid', 200]);
    expect(limiter.taken).toHaveLength(5);
    for (const { bucket, policy, charge } of limiter.taken) {
      expect([policy, charge]).toEqual([DEFAULT_RATE_LIMITS.unauthenticated, { units: 1, paid: 0 }]);
      expect(bucket).toBe(limiter.taken[0]!.bucket);
    }
    expect(limiter.taken[0]!.bucket).toMatch(/^\.[\w-]{43}$/);
  });

  it('to no caller of a probe, nor to the operator', async () => {
    expect((await call('GET', '/probe')).status).toBe(200);
    expect((await call('GET', '/sites/shop', { key: OPERATOR })).json.caller).toMatchObject({ kind: 'operator' });
    expect(limiter.taken).toEqual([]);
  });

  it('for each 64 KiB of its body, before anything looks into it', async () => {
    await call('POST', '/v1/lists', { key: sk!, body: { items: [{ name: 'x' }] } });
    expect(charges()).toEqual([{ units: 1, paid: 0 }]);
    limiter.taken = [];
    const nonsense = await call('POST', '/v1/notes', { key: sk!, body: { words: 'x'.repeat(150_000), more: 1 } });
    expect(nonsense.seen).toBe('validation_failed');
    expect(charges()).toEqual([
      { units: 1, paid: 0 },
      { units: 2, paid: 1 },
    ]);
  });

  it('for what its handler reads of the log, whatever is left by then', async () => {
    await call('POST', '/v1/notes', { key: sk!, body: { words: 'x' } });
    expect(charges()).toEqual([
      { units: 1, paid: 0 },
      { units: 2, paid: 1, owed: true },
    ]);
  });

  it('for each item of a batch, also of one that is refused then', async () => {
    const items = (length: number) => ({ items: Array.from({ length }, () => ({ name: 'x' })) });
    for (const [body, units] of [
      [items(30), 30],
      [items(60), 60],
      [items(1), 1],
      [{ items: 'thirty' }, 1],
      [{ others: [1, 2, 3] }, 1],
      [null, 1],
    ] as const) {
      limiter.taken = [];
      await call('POST', '/v1/batches', { key: sk!, body });
      expect(charges()).toEqual([{ units: 1, paid: 0 }, ...(units > 1 ? [{ units: units - 1, paid: 1 }] : [])]);
    }
    // A list that is no batch of records is one request.
    limiter.taken = [];
    await call('POST', '/v1/lists', { key: sk!, body: items(30) });
    expect(charges()).toEqual([{ units: 1, paid: 0 }]);
  });

  it('to the link that it follows too, however its token is sent', async () => {
    const buckets: string[] = [];
    for (const [path, body] of [
      ['/l', { token: 'cft_one' }],
      ['/l', new URLSearchParams({ token: 'cft_one' })],
      ['/l?token=cft_one', {}],
      ['/l', { token: 'cft_two' }],
      ['/l', {}],
      ['/l?token=a&token=b', {}],
    ] as const) {
      limiter.taken = [];
      expect((await call('POST', path, { body })).status).toBe(201);
      expect(limiter.taken.map(({ policy }) => policy)).toEqual([
        DEFAULT_RATE_LIMITS.unauthenticated,
        { perSecond: 1, burst: 200 },
      ]);
      buckets.push(limiter.taken[1]!.bucket);
    }
    const [json, form, query, other, none, several] = buckets;
    expect(json).toMatch(/^link\.[\w-]{43}$/);
    limiter.taken = [];
    expect((await call('GET', '/l?token=cft_one')).status).toBe(200);
    expect([form, query, limiter.taken[1]!.bucket]).toEqual([json, json, json]);
    expect(new Set([json, other, none]).size).toBe(3);
    expect(several).toBe(none);
  });

  it('and refused where its account is empty, with when it will not be', async () => {
    const strict = await startApp({
      limiter: new MemoryRateLimiter(),
      limits: { unauthenticated: { perSecond: 0.001, burst: 1 }, sk: { perSecond: 0.001, burst: 2 } },
    });
    const refused = async (path: string, sent: Sent = {}) => (await call('GET', path, { ...sent, at: strict })).seen;
    expect([await refused('/page'), await refused('/page'), await refused('/probe')]).toEqual([
      200,
      'rate_limited',
      200,
    ]);
    expect(await refused('/v1/read')).toBe('rate_limited');
    const key = sk!;
    expect([await refused('/v1/read', { key }), await refused('/v1/read', { key })]).toEqual([200, 200]);
    expect(await refused('/v1/read', { key })).toBe('rate_limited');
  });

  it('and refused where a store that others share says so', async () => {
    const [memory, policy] = [new MemoryRateLimiter(), { perSecond: 0.001, burst: 1 }];
    const shared: RateLimiter = { take: async (...asked) => memory.take(...asked) };
    const at = await startApp({ limiter: shared, limits: { sk: policy } });
    const read = async () => (await call('GET', '/v1/read', { key: sk!, at })).seen;
    expect([await read(), await read()]).toEqual([200, 'rate_limited']);
  });
});

describe('a body', () => {
  it('reaches the handler as it was sent, and none where none is read', async () => {
    expect((await call('POST', '/v1/notes', { key: pk!, body: { words: 'x' } })).json.input).toEqual({ words: 'x' });
    expect((await call('GET', '/v1/read', { key: pk! })).json.input).toBeNull();
  });

  it('that is too large says so in the words of its operation', async () => {
    const body = { items: Array.from({ length: 101 }, () => ({ name: 'x' })) };
    for (const [path, code] of [
      ['/v1/batches', 'batch_too_large'],
      ['/v1/lists', 'body_too_large'],
    ] as const) {
      const { json } = await call('POST', path, { key: sk!, body });
      expect([json.code, json.hint]).toEqual([code, 'Send at most 100 items at once.']);
    }
    const bytes = { items: [{ name: 'x'.repeat(300_000) }] };
    expect((await call('POST', '/v1/batches', { key: sk!, body: bytes })).seen).toBe('batch_too_large');
    expect((await call('POST', '/v1/lists', { key: sk!, body: bytes })).seen).toBe('body_too_large');
  });

  it('may be a form where a link is followed, and nowhere else', async () => {
    const form = new URLSearchParams({ token: 'cft_three' });
    expect((await call('POST', '/l', { body: form })).json.input).toEqual({ token: 'cft_three' });
    expect((await call('POST', '/p', { body: form })).seen).toBe('unsupported_media_type');
    expect((await call('POST', '/p', { body: { token: 'x' } })).json.input).toEqual({ token: 'x' });
  });

  it('that says what only a secret key may say names the first twenty places to a public key', async () => {
    const body = { items: Array.from({ length: 30 }, () => ({ name: 'root' })) };
    const { json } = await call('POST', '/v1/lists', { key: pk!, body });
    expect([json.code, json.hint, json.issues]).toEqual([
      'secret_key_required',
      expect.stringContaining('send it from your server with a secret key'),
      Array.from({ length: 20 }, (_, i) => ({ path: `items[${i}].name`, message: 'is not yours' })),
    ]);
    expect((await call('POST', '/v1/lists', { key: sk!, body })).status).toBe(201);
  });
});

describe('who asks', () => {
  it('for anything but JSON is refused, unless it is a page or a probe', async () => {
    const html = { headers: { accept: 'text/html' } };
    expect((await call('GET', '/v1/read', { key: pk!, ...html })).seen).toBe('not_acceptable');
    expect((await call('GET', '/page', html)).status).toBe(200);
  });

  it('with a key that lacks the scope, or of the wrong type, is answered which', async () => {
    const { json } = await call('GET', '/v1/read', { key: narrow! });
    expect([json.code, json.hint]).toEqual(['scope_missing', 'Use a key with the scope consent:read.']);
    expect((await call('POST', '/v1/batches', { key: pk!, body: {} })).seen).toBe('secret_key_required');
    expect((await call('GET', '/v1/public', { key: sk! })).seen).toBe('public_key_required');
    expect((await call('GET', '/v1/public', { key: pk! })).seen).toBe(200);
    expect((await call('GET', '/v1/free', { key: narrow! })).seen).toBe(200);
  });

  it('without credentials that count is answered what was wrong with them', async () => {
    const hint = async (path: string, authorization: string) =>
      (await call('GET', path, { headers: { authorization } })).json.hint;
    expect(await hint('/v1/read', `Bearer ${OPERATOR}`)).toContain('This is an operator token');
    expect(await hint('/sites/shop', `Bearer ${sk!.text}`)).toContain('here an operator token is wanted');
  });

  it('as operator about an unknown site is answered so', async () => {
    const { json } = await call('GET', '/sites/shpo', { key: OPERATOR });
    expect([json.code, json.hint]).toEqual(['route_not_found', expect.stringContaining('shop')]);
  });

  it('with a secret key from a page is let in where the site allows that, and the page reads nothing', async () => {
    const from = { headers: { origin: PAGE } };
    expect((await call('GET', '/v1/read', { key: sk!, ...from })).seen).toBe('origin_not_allowed');
    const { status, headers } = await call('GET', '/v1/read', { key: open!, ...from });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  it('from a page that may use the key can read the answer, where pages may call at all', async () => {
    const from = { key: pk!, headers: { origin: PAGE } };
    const [paged, apart] = [await call('GET', '/v1/read', from), await call('GET', '/v1/apart', from)];
    expect([paged.status, paged.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    expect(paged.headers.get('vary')).toBe('Origin');
    expect([apart.status, apart.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });
});

describe('a page whose origin may not use its key', () => {
  const from = (origin: string, key = pk!) => call('GET', '/v1/read', { key, headers: { origin } });

  it('is named to the operator with what mends it, once a minute for each key and origin', async () => {
    const OTHER = 'https://www.shop.example';
    for (let i = 0; i < 3; i++) expect((await from(OTHER)).seen).toBe('origin_not_allowed');
    await from(OTHER, own);
    await from(`https://${'x'.repeat(400)}.example`);
    const fix = `Pages of ${OTHER} may not use the key. An operator allows them with: assent sites origins add ${OTHER} --site shop --env test`;
    expect(warned).toEqual([
      {
        site: 'shop',
        env: 'test',
        key: pk!.keyId,
        origin: OTHER,
        fix,
        message: 'a page of an origin that is not allowed used a public key',
      },
      expect.objectContaining({ key: own!.keyId, origin: OTHER }),
      expect.objectContaining({ key: pk!.keyId, origin: `https://${'x'.repeat(292)}` }),
    ]);
    expect((await from(OTHER)).json.hint).toBe(fix);
  });

  it('cannot read why, also where another key may be used there', async () => {
    const { json, headers } = await from(PAGE, own);
    expect([json.code, headers.get('access-control-allow-origin')]).toEqual(['origin_not_allowed', null]);
  });
});

describe('a visitor who was linked to a person', () => {
  const VISITOR = '/v1/people/visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90';
  let asked = 0;
  const visitors = { isLinked: () => Promise.resolve((asked += 1) > 0) };
  beforeEach(() => void (asked = 0));

  it('is that person for a public key, unless the site leaves linked visitors open: then the guard does not ask', async () => {
    const at = await startApp({ visitors });
    await sites.register('lounge', { linkedVisitors: 'OPEN' }, by);
    const key = await issue('lounge', { type: 'pk' });
    expect((await call('GET', VISITOR, { key: pk!, at })).seen).toBe('identity_token_required');
    expect(asked).toBe(1);
    expect((await call('GET', VISITOR, { key, at })).seen).toBe(200);
    expect((await call('GET', '/v1/read', { key: pk!, at })).seen).toBe(200);
    expect((await call('GET', VISITOR, { key: sk!, at })).seen).toBe(200);
    expect(asked).toBe(1);
  });

  it('may be named by the kinds of identifier that the site has, and by no other', async () => {
    expect((await call('GET', '/v1/people/custom.crm:1', { key: sk! })).seen).toBe('identifier_kind_unknown');
    expect((await call('GET', '/v1/people/user_id:1', { key: sk! })).seen).toBe(200);
  });

  it('may be named by any kind where it is no site that asks', async () =>
    expect((await call('GET', '/files/custom.crm:1', { key: OPERATOR })).seen).toBe(200));
});

describe('requests of one visitor', () => {
  const person = (visitor = randomUUID()) => `/v1/people/visitor_id:${visitor}`;
  /** An app that asks about visitors and gets no answer until the spec gives it. */
  async function held(rules: Partial<AccessRules> = {}) {
    const [asked, answers]: [string[], (() => void)[]] = [[], []];
    const at = await startApp({
      visitors: {
        isLinked: (_, { value }) =>
          new Promise((resolve) => {
            asked.push(value);
            answers.push(() => resolve(false));
          }),
      },
      ...rules,
    });
    const reached = async (count: number): Promise<void> => {
      for (let waits = 0; asked.length < count && waits < 10_000; waits++)
        await new Promise((resolve) => setTimeout(resolve, 5));
      expect(asked).toHaveLength(count);
    };
    return { at, asked, reached, answer: () => answers.splice(0).forEach((answer) => answer()) };
  }

  it('begin five at a time; others and secret keys do not wait for them', async () => {
    const { at, asked, reached, answer } = await held();
    const sent = Array.from({ length: 8 }, () => call('GET', person(), { key: pk!, at }));
    await reached(5);
    const other = await issue('shop', { type: 'pk' });
    const besides = randomUUID();
    const besideThem = call('GET', person(besides), { key: other, at });
    await reached(6);
    expect(asked).toContain(besides);
    expect((await call('GET', person(), { key: sk!, at })).status).toBe(200);
    await reached(6);
    answer();
    await reached(9);
    answer();
    const statuses = (await Promise.all([...sent, besideThem])).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  it('are more at a time where the limit allows more', async () => {
    const { at, reached, answer } = await held({ limits: { pk: { perSecond: 100, burst: 250 } } });
    const sent = Array.from({ length: 8 }, () => call('GET', person(), { key: pk!, at }));
    await reached(8);
    answer();
    await Promise.all(sent);
  });
});

describe('what another instance wrote a moment ago', () => {
  it('is looked for before a key is called unknown', async () => {
    log.hold();
    const key = await issue('shop');
    expect((await call('GET', '/v1/read', { key })).status).toBe(200);
  });

  it('is looked for before an operator is answered that there is no such site', async () => {
    log.hold();
    await sites.register('new', {}, by);
    expect((await call('GET', '/sites/new', { key: OPERATOR })).json.caller).toMatchObject({ site: 'new' });
  });

  it('is not denied where it does not arrive in time', async () => {
    log.hold();
    const key = await issue('shop');
    await sites.register('newer', {}, by);
    const ask = async () => {
      const answers = [call('GET', '/v1/read', { key }), call('GET', '/sites/newer', { key: OPERATOR })];
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    // It tells where it stands, and brings nothing.
    log.head = () => MemoryEventLog.prototype.head.call(log);
    expect(await ask()).toEqual([503, 503]);
    expect(failures.splice(0)).toHaveLength(2);
    // Nor for as long as EventStoreDB takes.
    const delivered = pause(700).then(() => (log.head = () => LateLog.prototype.head.call(log))());
    expect(await ask()).toEqual([200, 200]);
    await delivered;
  });

  it('is no reason to say that a key is unknown while the log cannot be read: nothing is known then', async () => {
    class SilentLog extends MemoryEventLog {
      override head(): Promise<Position> {
        return new Promise(() => undefined);
      }
    }
    const at = await startApp({}, new SilentLog());
    const asked = [call('GET', '/v1/read', { key: sk!, at }), call('GET', '/sites/shop', { key: OPERATOR, at })];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([503, 503]);
    expect(failures.splice(0)).toHaveLength(2);
  });
});
