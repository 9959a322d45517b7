import { createHash } from 'node:crypto';
import { assent, commanded } from '../support/command-line.js';
import { everythingKept } from '../support/everything-kept.js';
import { newSite, type OwnSite } from '../support/sites.js';
import { until } from '../support/timing.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/* Where webhooks go: endpoints over HTTP, with a secret key or as operator, and by command line. */

let world: World;
let own: OwnSite;
beforeAll(async () => {
  world = await startWorld();
  own = await newSite(world);
});
afterAll(() => world?.stop());

const ENDPOINTS = '/v1/webhook-endpoints';
const URL = 'https://hooks.shop.example/assent?token=t0k3n-of-the-receiver';
const SETTINGS = { url: URL, types: ['purpose.*', 'api_key.revoked'], description: 'Warehouse' };

const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
  world.request(method, path, { key: own.secretKey, headers, ...(body && { body }) });
/** What a read answers that knows of a write. */
const after = (written: Answer, path: string): Promise<Answer> =>
  ask('GET', path, undefined, { 'X-Log-Position': String(written.headers['x-log-position']) });
async function created(settings: object = {}): Promise<Answer & { id: string; path: string }> {
  const answer = await ask('POST', ENDPOINTS, { ...SETTINGS, ...settings });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const id = answer.body.id as string;
  return { ...answer, id, path: `${ENDPOINTS}/${id}` };
}
/** Asks for a replay until the one before is over. */
async function replayed(path: string, body: object): Promise<Answer> {
  let answer!: Answer;
  await until(async () => {
    answer = await ask('POST', `${path}/replay`, body);
    return answer.status !== 409;
  });
  return answer;
}
const refusal = ({ status, body }: Answer): [number, string, string[]] => [
  status,
  body.code as string,
  (body.issues as { path: string }[]).map(({ path }) => path),
];

describe('an endpoint', () => {
  it('is created with a secret that is shown this once, and read as it was created', async () => {
    const endpoint = await created();
    const { secret, ...shown } = endpoint.body as { secret: string };
    expect(shown).toEqual({
      id: expect.stringMatching(/^whe_[0-9A-HJKMNP-TV-Z]{26}$/),
      ...SETTINGS,
      state: 'ENABLED',
      disabledReason: null,
      includeIdentifiers: false,
      previousSecretUntil: null,
      createdAt: expect.any(String),
      createdBy: `key_${own.secretKey.slice(8, 20)}`,
      changedAt: endpoint.body.createdAt,
    });
    expect(Buffer.from(/^whsec_(.+)$/.exec(secret)![1]!, 'base64')).toHaveLength(32);
    const read = await after(endpoint, endpoint.path);
    expect([read.status, read.body]).toEqual([200, { ...shown, health: read.body.health }]);
    expect(read.body.health?.consecutiveFailures ?? 0).toBe(0);
    const listed = await after(endpoint, ENDPOINTS);
    expect((listed.body.data as object[])[0]).toMatchObject(shown);
    expect(listed.text + read.text).not.toContain('whsec_');
  });

  it('is created once under an Idempotency-Key, and the same secret is shown again', async () => {
    const key = { 'Idempotency-Key': `create-${own.site}` };
    const first = await ask('POST', ENDPOINTS, SETTINGS, key);
    await ask('PATCH', `${ENDPOINTS}/${first.body.id}`, { state: 'PAUSED', types: ['*'] });
    const again = await ask('POST', ENDPOINTS, SETTINGS, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(refusal(await ask('POST', ENDPOINTS, { ...SETTINGS, types: ['*'] }, key))[1]).toBe('idempotency_key_reused');
  });

  it('is changed in what is named, and a repeat changes nothing', async () => {
    const { body, path } = await created();
    const wanted = { types: ['*'], includeIdentifiers: true, description: null, url: 'https://other.example:8443/' };
    const changed = await ask('PATCH', path, wanted);
    const { secret: _, ...before } = body as { secret: string };
    expect([changed.status, changed.body]).toEqual([200, { ...before, ...wanted, changedAt: expect.any(String) }]);
    const again = await ask('PATCH', path, wanted);
    expect([again.status, again.body, again.headers['x-log-position']]).toEqual([200, changed.body, undefined]);
    expect((await after(changed, path)).body).toMatchObject(changed.body as object);
  });

  it('is paused and resumed', async () => {
    const { path } = await created();
    for (const state of ['PAUSED', 'ENABLED']) {
      const switched = await ask('PATCH', path, { state });
      expect([switched.status, switched.body.state]).toEqual([200, state]);
      expect((await after(switched, path)).body.state).toBe(state);
      const others = await after(switched, `${ENDPOINTS}?state=${state === 'PAUSED' ? 'ENABLED' : 'PAUSED'}`);
      expect((others.body.data as { id: string }[]).map(({ id }) => path.endsWith(id))).not.toContain(true);
    }
  });

  it('has two secrets for a day after a rotation', async () => {
    const { body, path } = await created();
    const key = { 'Idempotency-Key': `rotate-${own.site}` };
    const rotated = await ask('POST', `${path}/rotate-secret`, { reason: 'yearly' }, key);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rotated.body.secret).not.toBe(body.secret);
    const { changedAt, previousSecretUntil } = rotated.body as Record<string, string>;
    expect(Date.parse(previousSecretUntil!) - Date.parse(changedAt!)).toBe(86_400_000);
    const again = await ask('POST', `${path}/rotate-secret`, { reason: 'yearly' }, key);
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([rotated.body, 'true']);
    const read = await after(rotated, path);
    expect([read.body.previousSecretUntil, read.text.includes('whsec_')]).toEqual([previousSecretUntil, false]);
  });

  it('is deleted, and is not there any more', async () => {
    const { id, path } = await created();
    const key = { 'Idempotency-Key': `delete-${id}` };
    const deleted = await ask('DELETE', path, undefined, key);
    expect([deleted.status, deleted.body]).toEqual([200, { id, deletedAt: expect.any(String) }]);
    expect((await ask('DELETE', path, undefined, key)).body).toEqual(deleted.body);
    for (const gone of [
      await after(deleted, path),
      await ask('DELETE', path),
      await ask('PATCH', path, { types: ['*'] }),
      await ask('POST', `${path}/rotate-secret`, {}),
      await ask('POST', `${path}/test`),
      await ask('POST', `${path}/replay`, { fromSequence: 0 }),
    ])
      expect(refusal(gone)).toEqual([404, 'webhook_endpoint_not_found', ['id']]);
  });

  it('is one of 50 at most in its site and environment, also where many are created at once', async () => {
    const site = await newSite(world);
    const create = (): Promise<Answer> => world.request('POST', ENDPOINTS, { key: site.secretKey, body: SETTINGS });
    const answers: Answer[] = [];
    for (let n = 0; n < 12; n++)
      answers.push(...(await Promise.all([create(), create(), create(), create(), create()])));
    const refused = answers.filter(({ status }) => status !== 201);
    expect([answers.length - refused.length, new Set(refused.map(({ status }) => status))]).toEqual([
      50,
      new Set([409]),
    ]);
    const full = await create();
    expect(refusal(full)).toEqual([409, 'state_conflict', []]);
    expect(full.text).toMatch(/has 50 webhook endpoints.*Delete endpoints/s);
  });

  it('is listed page by page, the newest first', async () => {
    const site = await newSite(world);
    const ids: string[] = [];
    let position = '';
    for (let n = 0; n < 5; n++) {
      const { body, headers } = await world.request('POST', ENDPOINTS, { key: site.secretKey, body: SETTINGS });
      ids.unshift(body.id as string);
      position = String(headers['x-log-position']);
    }
    const seen: string[] = [];
    for (let next: string | null = `${ENDPOINTS}?limit=2`; next !== null;) {
      const page: Answer = await world.request('GET', next, {
        key: site.secretKey,
        headers: { 'X-Log-Position': position },
      });
      seen.push(...(page.body.data as { id: string }[]).map(({ id }) => id));
      next = /^<(.+)>; rel="next"$/.exec(String(page.headers.link ?? ''))?.[1] ?? null;
      expect(page.body.hasMore).toBe(next !== null);
    }
    expect(seen).toEqual(ids);
  });
});

describe('what is asked for on demand', () => {
  it('is a test, which has an event of its own', async () => {
    const { id, path } = await created();
    const asked = await ask('POST', `${path}/test`);
    expect([asked.status, asked.body]).toEqual([
      202,
      {
        endpointId: id,
        eventId: expect.stringMatching(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/),
        sequence: expect.any(Number),
        deliveryId: `${id}.${asked.body.eventId}`,
        requestedAt: expect.any(String),
      },
    ]);
    expect((await ask('POST', `${path}/test`)).body.eventId).not.toBe(asked.body.eventId);
  });

  it('is a replay from a sequence or from a time on', async () => {
    const { id, path } = await created();
    const { body: test } = await ask('POST', `${path}/test`);
    const all = await ask('POST', `${path}/replay`, { fromSequence: 0, types: ['purpose.*'] });
    expect([all.status, all.body]).toEqual([
      202,
      {
        id: expect.stringMatching(/^whr_[0-9A-HJKMNP-TV-Z]{26}$/),
        endpointId: id,
        fromSequence: 0,
        throughSequence: expect.any(Number),
        types: ['purpose.*'],
        requestedAt: expect.any(String),
      },
    ]);
    expect(all.body.throughSequence).toBeGreaterThanOrEqual(test.sequence as number);
    await world.caughtUp();
    const since = await replayed(path, { since: test.requestedAt as string });
    expect([since.status, since.body.types]).toEqual([202, null]);
    // Nothing that was recorded since is left out; the test is the first, or what others did in the same moment.
    expect(since.body.fromSequence).toBeLessThanOrEqual(test.sequence as number);
    const wrong: [object, string[]][] = [
      [{}, ['since']],
      [{ since: test.requestedAt, fromSequence: 0 }, ['since']],
      [{ since: '2999-01-01T00:00:00Z' }, ['since']],
      [{ fromSequence: Number.MAX_SAFE_INTEGER }, []],
      [{ fromSequence: 0, types: ['no.such'] }, ['types[0]']],
    ];
    for (const [body, paths] of wrong)
      expect([body, ...refusal(await ask('POST', `${path}/replay`, body))]).toEqual([
        body,
        422,
        'validation_failed',
        paths,
      ]);
  });

  it('is one replay at a time to an endpoint, also where many ask at once', async () => {
    const { path } = await created({ types: ['purpose.*'] });
    const asked = Array.from({ length: 10 }, () => ask('POST', `${path}/replay`, { fromSequence: 0 }));
    const answers = await Promise.all(asked);
    const [first] = answers.filter(({ status }) => status === 202);
    for (const answer of answers.filter(({ status }) => status !== 202)) {
      expect(refusal(answer)).toEqual([409, 'state_conflict', []]);
      expect(answer.body.hint).toContain('send the request again');
    }
    expect(first).toBeDefined();
    const again = await replayed(path, { fromSequence: 0 });
    expect([again.status, again.body.id === first!.body.id]).toEqual([202, false]);
  });

  it('is nothing of an endpoint that is paused', async () => {
    const { path } = await created();
    await ask('PATCH', path, { state: 'PAUSED' });
    for (const answer of [await ask('POST', `${path}/test`), await ask('POST', `${path}/replay`, { fromSequence: 0 })])
      expect(refusal(answer)).toEqual([409, 'state_conflict', []]);
  });
});

describe('what is refused', () => {
  it.each([
    ['http://hooks.shop.example:3000/', null],
    ['http://127.0.0.1:3000/hook', null],
    ['https://ada:secret@hooks.shop.example/', 'user'],
    ['http://10.0.0.1/', 'everybody'],
    ['https://169.254.169.254/latest/meta-data', 'everybody'],
    ['https://[::ffff:10.0.0.1]/', 'everybody'],
    ['https://0x0a000001/', 'everybody'],
    ['ftp://hooks.shop.example/', 'URL'],
    ['hooks.shop.example', 'URL'],
    ['https://hooks.shop.example/\\..', 'URL'],
  ])('is an address that webhooks may not go to, at creation and at a change: %s', async (url, why) => {
    const endpoint = await created();
    for (const answer of [
      await ask('POST', ENDPOINTS, { ...SETTINGS, url }),
      await ask('PATCH', endpoint.path, { url }),
    ]) {
      if (why === null) expect(answer.status).toBeLessThan(300);
      else {
        expect(refusal(answer)).toEqual([422, 'webhook_url_not_allowed', ['url']]);
        expect((answer.body.issues as { message: string }[])[0]!.message).toContain(why);
        expect(answer.text).not.toContain('secret@');
      }
    }
  });

  it('is the address of the service itself, however it is written, and a name that only another network knows', async () => {
    const { port } = new globalThis.URL(world.url);
    const { path } = await created();
    const own = [
      '127.0.0.1',
      '127.0.0.2',
      'localhost',
      'a.localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0x7f.1',
      '0.0.0.0',
    ];
    const local = ['hooks.internal', 'printer.local', 'router.home.arpa', 'receiver', 'HOOKS.Internal.'];
    const all: [string, string][] = [
      ...own.map((host): [string, string] => [`http://${host}:${port}/v1/consent`, 'address of this service']),
      ...local.map((host): [string, string] => [`http://${host}:3000/hook`, 'only its own network knows']),
    ];
    for (const [url, why] of all)
      for (const answer of [await ask('POST', ENDPOINTS, { ...SETTINGS, url }), await ask('PATCH', path, { url })]) {
        expect([url, ...refusal(answer)]).toEqual([url, 422, 'webhook_url_not_allowed', ['url']]);
        expect((answer.body.issues as { message: string }[])[0]!.message).toContain(why);
      }
  });

  it('is a type that there is not, an empty list, an unknown field', async () => {
    const wrong: [object, string[]][] = [
      [{ types: ['consent.grantd'] }, ['types[0]']],
      [{ types: [] }, ['types']],
      [{ types: ['*', '*'] }, ['types[1]']],
      [{ type: ['*'] }, ['type']],
      [{ description: 'two\nlines' }, ['description']],
      [{ state: 'DISABLED' }, ['state']],
    ];
    const { path } = await created();
    for (const [body, paths] of wrong)
      expect([body, ...refusal(await ask('PATCH', path, body))]).toEqual([body, 422, 'validation_failed', paths]);
  });

  it('is a key without the scope, of the other environment, of another site, or of pages', async () => {
    const endpoint = await created();
    const issued = await world.request('POST', `/admin/v1/sites/${own.site}/keys`, {
      key: 'operator',
      body: { type: 'sk', env: 'test', name: 'reads', scopes: ['webhooks:read'] },
    });
    const reader = issued.body.key as string;
    const asked = async (key: string, method: string, path: string, body?: object) => {
      const answer = await world.request(method, path, { key, ...(body && { body }) });
      return answer.status < 300 ? answer.status : `${answer.status} ${answer.body.code}`;
    };
    expect(await asked(reader, 'GET', endpoint.path)).toBe(200);
    expect(await asked(reader, 'POST', ENDPOINTS, SETTINGS)).toBe('403 scope_missing');
    expect(await asked(own.publicKey, 'GET', ENDPOINTS)).toBe('403 secret_key_required');
    for (const key of [await own.key('sk', 'live'), (await newSite(world)).secretKey]) {
      expect(await asked(key, 'GET', endpoint.path)).toBe('404 webhook_endpoint_not_found');
      expect(await asked(key, 'DELETE', endpoint.path)).toBe('404 webhook_endpoint_not_found');
      expect((await world.request('GET', ENDPOINTS, { key })).body).toMatchObject({ data: [], hasMore: false });
    }
    expect(
      refusal(
        await world.request('POST', `/admin/v1/sites/${own.site}/prod/webhook-endpoints`, {
          key: 'operator',
          body: SETTINGS,
        }),
      )[1],
    ).toBe('route_not_found');
  });
});

describe('for operators', () => {
  const env = (): Record<string, string> => ({
    ASSENT_URL: world.url,
    ASSENT_OPERATOR_TOKEN: world.demo.operatorToken,
    ASSENT_DATA: world.dataFolder,
  });
  const place = (): string[] => ['--site', own.site, '--env', 'test'];
  const webhooks = (...args: string[]): Promise<string> => commanded(['webhooks', ...args, ...place()], env());
  const asJson = async (...args: string[]) => JSON.parse(await webhooks(...args, '--json')) as Record<string, unknown>;

  it('it is the same endpoint under their path, and it says which of them created it', async () => {
    const path = `/admin/v1/sites/${own.site}/test/webhook-endpoints`;
    const answer = await world.request('POST', path, { key: 'operator', body: SETTINGS });
    expect([answer.status, answer.body.createdBy]).toEqual([201, 'operator:opt_first']);
    expect((await after(answer, `${ENDPOINTS}/${answer.body.id}`)).body.url).toBe(URL);
    const listed = await world.request('GET', path, {
      key: 'operator',
      headers: { 'X-Log-Position': String(answer.headers['x-log-position']) },
    });
    expect((listed.body.data as { id: string }[])[0]!.id).toBe(answer.body.id);
  });

  it('each of it is a command', async () => {
    const made = await webhooks('create', URL, '--type', 'purpose.*', 'api_key.*', '--description', 'by command');
    const [id] = /whe_[0-9A-Z]{26}/.exec(made)!;
    expect(made).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
    await world.caughtUp();
    expect(await webhooks('list')).toContain(id);
    expect(await asJson('show', id)).toMatchObject({ id, url: URL, types: ['purpose.*', 'api_key.*'] });
    expect(await webhooks('show', id)).toContain('by command');
    expect(await asJson('change', id, '--type', '*', '--description', '', '--identifiers', 'yes')).toMatchObject({
      types: ['*'],
      description: null,
      includeIdentifiers: true,
    });
    expect(await webhooks('pause', id)).toContain('PAUSED');
    const refused = await assent(['webhooks', 'test', id, ...place()], env());
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('is PAUSED: nothing is sent to it')]);
    expect((await asJson('list', '--state', 'paused')).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ id })]),
    );
    expect(await webhooks('resume', id)).toContain('ENABLED');
    expect(await webhooks('rotate-secret', id, '--reason', 'yearly')).toMatch(/whsec_.*signs too until 2/s);
    expect(await webhooks('test', id)).toMatch(/^evt_\w{26} will be sent\./);
    expect(await webhooks('replay', id, '--since', '2026-01-01T00:00:00Z', '--type', 'purpose.*')).toMatch(
      /^whr_\w{26}: sequences \d+ to \d+ will be sent again/,
    );
    const again = ['webhooks', 'replay', id, '--from-sequence', '0', '--json', ...place()];
    await until(async () => (await assent(again, env())).code === 0);
    for (const args of [
      ['change', id],
      ['replay', id],
      ['replay', id, '--since', 'x', '--from-sequence', '1'],
      ['replay', id, '--from-sequence', '-1'],
    ])
      expect([args, (await assent(['webhooks', ...args, ...place()], env())).code]).toEqual([args, 2]);
    expect(await webhooks('delete', id)).toBe(`${id} is deleted.\n`);
    expect((await assent(['webhooks', 'show', id, ...place()], env())).err).toContain('webhook_endpoint_not_found');
  });

  it('the log says who did what and when, and neither address nor secret is kept or exported in clear', async () => {
    const canary = `c4n4ry-${own.site}`;
    const endpoint = await created({ url: `https://hooks.shop.example/${canary}` });
    await ask('POST', `${endpoint.path}/rotate-secret`, {});
    await world.request('PATCH', `/admin/v1/sites/${own.site}/test/webhook-endpoints/${endpoint.id}`, {
      key: 'operator',
      body: { state: 'PAUSED' },
    });
    await world.caughtUp();
    const exported = await commanded(
      ['audit', 'export', '--since', '2026-01-01T00:00:00Z', '--site', own.site],
      world.roles?.env ?? { DATABASE_URL: world.databaseUrl!, ASSENT_DATA: world.dataFolder },
    );
    const events = exported
      .split('\n')
      .filter((line) => line.includes(endpoint.id))
      .map(
        (line) => JSON.parse(line) as { type: string; actor: string; stream: string; data: Record<string, unknown> },
      );
    const byKey = `key_${own.secretKey.slice(8, 20)}`;
    expect(events.map(({ type, actor }) => [type, actor])).toEqual([
      ['WebhookEndpointCreated', byKey],
      ['WebhookSecretRotated', byKey],
      ['WebhookEndpointPaused', 'operator:opt_first'],
    ]);
    expect(new Set(events.map(({ stream }) => stream))).toEqual(new Set([`webhooks-${own.site}.test`]));
    expect(events[0]!.data).toMatchObject({ sealedUrl: null, sealedSecret: null, types: SETTINGS.types });
    const secret = Buffer.from((endpoint.body.secret as string).slice('whsec_'.length), 'base64');
    const spellings = [
      canary,
      Buffer.from(canary).toString('hex'),
      secret.toString('base64'),
      secret.toString('base64url'),
      secret.toString('hex'),
      createHash('sha256').update(secret).digest('hex'),
    ];
    for (const [where, text] of await everythingKept(world))
      expect([where, spellings.filter((spelling) => text.includes(spelling))]).toEqual([where, []]);
  });
});
