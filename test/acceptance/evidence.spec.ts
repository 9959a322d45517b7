import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pathOf, startWorld, type Ask, type World } from '../support/world.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.7 CanaryBuild/9731';
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into freely
type Json = Record<string, any>;
const newest = async (world: World, subject: string): Promise<Json> =>
  (await world.request('GET', pathOf(subject, '/history'))).body.data[0];

describe('of the request itself is kept', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world?.stop());
  const recorded = async (ask: Ask, record: Record<string, unknown> = {}): Promise<Json> => {
    const subject = world.visitor();
    await world.recorded({ subject, ...record }, ask);
    return newest(world, subject);
  };

  test.each([
    ['203.0.113.77', '203.0.113.0'],
    ['2001:db8:abcd:12:34:56:78:9a', '2001:db8:abcd::'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['198.51.100.9, 203.0.113.77', '203.0.113.0'],
    ['nonsense', undefined],
  ])('the network of the address that the trusted proxy names: %s', async (from, kept) => {
    expect((await recorded({ from })).provenance.ip).toBe(kept);
  });

  test.each<[string | undefined, string | undefined]>([
    [FIREFOX, 'Firefox 140'],
    ['ACME-Device/7 (serial 12345; owner Ada Lovelace)', 'Other'],
    ['', undefined],
    [undefined, undefined],
  ])('the family and version of the browser: %s', async (agent, kept) => {
    expect((await recorded({ headers: { 'User-Agent': agent } })).provenance.userAgent).toBe(kept);
  });

  test.each([
    ['https://shop.example/checkout?email=ada@example.com#step-2', 'https://shop.example/checkout'],
    ['https://user:secret@shop.example:8443/a?b', 'https://shop.example:8443/a'],
    ['HTTP://shop.example/a', 'http://shop.example/a'],
  ])('the origin and path of a page: %s', async (url, kept) => {
    const { collection, evidence } = await recorded(
      {},
      {
        collection: { method: 'TOGGLE', surface: 'APP', url },
        evidence: [{ type: 'SCREENSHOT', sha256: 'a'.repeat(64), uri: url }],
      },
    );
    expect([collection.url, evidence[0].uri]).toEqual([kept, kept]);
  });

  test('the urn of a document', async () => {
    const { evidence } = await recorded(
      {},
      { evidence: [{ type: 'DOCUMENT', sha256: 'a'.repeat(64), uri: 'urn:isbn:9780131103627' }] },
    );
    expect(evidence[0].uri).toBe('urn:isbn:9780131103627');
  });

  test.each([
    'javascript:alert(document.domain)//',
    'data:text/html,<script>alert(1)</script>',
    'app://com.example.shop/start',
    'file:///etc/passwd',
    'ftp://shop.example/',
    'mailto:ada@example.org',
    ' https://shop.example/',
    'ht\ntps://shop.example/',
    'https:shop.example',
    '//shop.example/',
  ])('nothing of an address that is no page: %j', async (url) => {
    const sound = { subject: world.visitor(), purpose: 'analytics', decision: 'GRANTED' };
    const collection = { method: 'TOGGLE', surface: 'APP', url };
    const refusedAt = async (path: string, body: unknown): Promise<string[]> => {
      const { status, body: error } = await world.request('POST', path, { body });
      expect([status, error.code]).toEqual([422, 'validation_failed']);
      return (error.issues as { path: string }[]).map((issue) => issue.path);
    };
    const evidence = [{ type: 'DOCUMENT', sha256: 'a'.repeat(64), uri: url }];
    expect(await refusedAt('/v1/consent', { ...sound, collection, evidence })).toEqual([
      'collection.url',
      'evidence[0].uri',
    ]);
    expect(await refusedAt('/v1/consent', { ...sound, collection: { ...collection, url: 'urn:isbn:1' } })).toEqual([
      'collection.url',
    ]);
    expect(
      await refusedAt('/v1/preferences', {
        subject: sound.subject,
        channel: 'email',
        values: [{ field: 'news', value: false }],
        collection,
      }),
    ).toEqual(['collection.url']);
  });

  test('the key, the origin and the text that was in force', async () => {
    const item = await recorded({
      headers: { Origin: 'http://localhost:3000', 'User-Agent': FIREFOX },
      from: '203.0.113.77',
    });
    expect(item.provenance).toEqual({
      keyId: `key_${world.demo.publicKey.slice(8, 20)}`,
      origin: 'http://localhost:3000',
      ip: '203.0.113.0',
      userAgent: 'Firefox 140',
    });
    const { body } = await world.request('GET', '/v1/purposes/analytics/versions/1?locale=en');
    expect(item.notice).toEqual({ locale: 'en', contentHash: body.contentHash });
  });
});

test('X-Forwarded-For from whoever is not a trusted proxy changes nothing', async () => {
  const world = await startWorld({ env: { ASSENT_TRUST_PROXY: '' } });
  try {
    const subject = world.visitor();
    await world.recorded(
      { subject },
      { headers: { 'X-Forwarded-For': '203.0.113.77', 'X-Real-IP': '203.0.113.78', Forwarded: 'for=203.0.113.79' } },
    );
    expect((await newest(world, subject)).provenance.ip).toBe('127.0.0.0');
    // Nor does it get around the limit of an address.
    // Together, because the limit grows again with the time that a slow machine takes.
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        world.request('GET', '/v1/purposes', { key: 'guess', headers: { 'X-Forwarded-For': `203.0.113.${i}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toContain(429);
  } finally {
    await world.stop();
  }
});

describe('nothing personal stands anywhere in clear', () => {
  let world: World;
  /** Each in a place of its own, so that a find names the leak. */
  const CANARIES = {
    email: 'canary.ada',
    phone: '+491511234567',
    userId: 'canaryuser77',
    visitor: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
    metadata: 'canarymetadata',
    metadataKeyValue: 'canarycampaign',
    urlPath: 'canarypath',
    urlQuery: 'canaryquery',
    actor: 'canaryagent',
    relationship: 'canaryaunt',
    evidence: 'canaryproof',
    address: '203.0.113.77',
    address6: '2001:db8:abcd:12',
    browser: 'CanaryBuild',
    idempotencyKey: 'canarykey',
    itemKey: 'canaryitem',
    refused: 'canary.refused',
    field: 'canaryfield',
    path: 'canary.path',
    query: 'canaryparameter',
  };

  beforeAll(async () => {
    world = await startWorld({ env: { ASSENT_LOG_LEVEL: 'trace' } });
    const ask: Ask = {
      key: 'sk',
      from: CANARIES.address,
      headers: { 'User-Agent': FIREFOX, 'Idempotency-Key': CANARIES.idempotencyKey },
    };
    const record = {
      purpose: 'analytics',
      decision: 'GRANTED',
      metadata: { note: CANARIES.metadata, campaign: { name: CANARIES.metadataKeyValue } },
      collection: {
        method: 'TOGGLE',
        surface: 'FORM',
        url: `https://shop.example/${CANARIES.urlPath}?q=${CANARIES.urlQuery}`,
      },
      actor: { type: 'GUARDIAN', id: CANARIES.actor, relationship: CANARIES.relationship },
      evidence: [{ type: 'DOCUMENT', sha256: 'a'.repeat(64), uri: `https://archive.example/${CANARIES.evidence}` }],
    };
    const subjects = [
      `email:${CANARIES.email}@example.com`,
      `phone:${CANARIES.phone}`,
      `user_id:${CANARIES.userId}`,
      `visitor_id:${CANARIES.visitor}`,
    ];
    await world.recorded({ ...record, subject: subjects[0] }, ask);
    await world.recorded({ ...record, subject: subjects[0] }, ask);
    const batch = await world.request('POST', '/v1/consent/batch', {
      ...ask,
      from: `${CANARIES.address6}::1`,
      headers: { 'User-Agent': FIREFOX, 'Idempotency-Key': `${CANARIES.idempotencyKey}-batch` },
      body: {
        records: [
          ...subjects.map((subject, i) => ({ ...record, subject, idempotencyKey: `${CANARIES.itemKey}-${i}` })),
          { ...record, subject: `passport:${CANARIES.refused}` },
        ],
      },
    });
    expect(batch.body.summary.recorded).toBe(4);
    for (const subject of subjects)
      for (const rest of ['', '?fresh=true', '/history', '/explain?purpose=analytics'])
        expect((await world.request('GET', pathOf(subject, rest), { from: CANARIES.address })).status).toBe(200);
    // Refused in every way: nobody may write down what was wrong.
    await world.request('POST', '/v1/consent', { ...ask, body: { ...record, subject: `email:${CANARIES.refused}` } });
    await world.request('POST', '/v1/consent', {
      ...ask,
      body: { ...record, subject: subjects[0], [CANARIES.field]: 1, decision: CANARIES.refused },
    });
    await world.request('POST', '/v1/consent', { ...ask, raw: `{"subject":"email:${CANARIES.refused}@example.com"` });
    await world.request('GET', pathOf(`email:${CANARIES.path}@example.com`), { key: 'pk' });
    await world.request('GET', pathOf(`${CANARIES.path}`, `?purpose=${CANARIES.query}`));
    await world.request('GET', `/v1/${CANARIES.path}`);
    await world.caughtUp();
  });
  afterAll(() => world?.stop());

  /** Every row of every table of every schema, as text. */
  async function dump(): Promise<Map<string, string>> {
    const client = new pg.Client({ connectionString: world.databaseUrl! });
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      );
      const found = new Map<string, string>();
      for (const { name } of tables) {
        const { rows } = await client.query<{ line: string }>(`select t::text as line from ${name} t`);
        found.set(name, rows.map(({ line }) => line).join('\n'));
      }
      return found;
    } finally {
      await client.end();
    }
  }

  /** As text, and as the bytes of it that another encoding would show. */
  const spellings = (canary: string): string[] => [
    canary,
    Buffer.from(canary).toString('hex'),
    ...[0, 1, 2]
      .map((shift) =>
        Buffer.from(`${'x'.repeat(shift)}${canary}`)
          .toString('base64')
          .slice(shift === 0 ? 0 : 4, -4),
      )
      .filter((text) => text.length >= 6),
    encodeURIComponent(canary),
  ];
  const leaks = (place: string, text: string): string[] =>
    Object.entries(CANARIES).flatMap(([name, canary]) =>
      spellings(canary)
        .filter((spelling) => text.toLowerCase().includes(spelling.toLowerCase()))
        .map((spelling) => `${name} as ${spelling} in ${place}`),
    );

  test('in the database', async () => {
    const tables = await dump();
    expect([...tables.keys()]).toEqual(expect.arrayContaining(['log.events']));
    expect(tables.get('log.events')).toContain('ConsentRecorded');
    expect([...tables].flatMap(([name, text]) => leaks(name, text))).toEqual([]);
  });

  test('in the names of streams: a subject is a random id there', async () => {
    const client = new pg.Client({ connectionString: world.databaseUrl! });
    await client.connect();
    const { rows } = await client.query<{ stream: string }>('select distinct stream from log.events');
    await client.end();
    const streams = rows.map(({ stream }) => stream);
    expect(streams.filter((stream) => stream.startsWith('subject-'))).toHaveLength(5);
    for (const stream of streams)
      expect(stream).toMatch(
        /^(subject-demo\.test\.sub_[0-9A-HJKMNP-TV-Z]{26}|catalogue-demo\.test|site-demo|batch-demo\.test\.[0-9a-f]{64})$/,
      );
  });

  test('in what the process printed, at its most talkative', () => {
    expect(world.output()).toContain('Assent is running');
    expect(leaks('output', world.output())).toEqual([]);
  });

  test('in the files of the data folder', () => {
    const files = readdirSync(world.dataFolder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(1);
    expect(
      files.flatMap((entry) => leaks(entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1'))),
    ).toEqual([]);
  });

  test('but is told in full to who may read it', async () => {
    const item = await newest(world, `email:${CANARIES.email}@example.com`);
    expect(item).toMatchObject({
      metadata: { note: CANARIES.metadata },
      actor: { id: CANARIES.actor, relationship: CANARIES.relationship },
      collection: { url: `https://shop.example/${CANARIES.urlPath}` },
      provenance: { userAgent: 'Firefox 140' },
    });
  });
});
