import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type RecordedEvent } from '../../libs/log/port.js';
import { BEGINNING, subjectOfStream } from '../../libs/kernel/index.js';
import { withEngines, type Engines } from '../../libs/operator/engines.js';
import { readLog } from '../../libs/log/log-reading.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { RELEASE } from '../../libs/composition/release.js';
import { Canaries, freeTexts } from '../support/canaries.js';
import { everythingKept, streamNames } from '../support/everything-kept.js';
import { openedByMaster, unknownBytes } from '../support/sealed-bytes.js';
import { signIdentityToken } from '../support/identity-token.js';
import type { ServedOperation } from '../support/openapi.js';
import { commanded } from '../support/command-line.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { until } from '../support/timing.js';
import { FOUR_ROLES, pathOf, startWorld, type Answer, type Ask, type World } from '../support/world.js';

/** Texts of the interface that are kept in clear, or cannot hold what a person is known by, and why that is right. */
const NOT_PERSONAL: [place: RegExp, why: string][] = [
  [/(\.|query )purpose$/, 'key of a purpose: one that is not published is refused'],
  [/\.jurisdiction\.(country|region)$/, 'the law that was applied: part of the anonymous evidence'],
  [/query (country|region)$/, 'two to six letters, not kept'],
  [
    /^createSubject body\.country$/,
    'two letters, too short to be found again; sealed all the same, as the schema of the event is tested to say',
  ],
  [/\.collection\.locale$/, 'the language that was shown decides which text the record proves'],
  [
    /\.display\.checks\[\]\.measured$/,
    'numbers, sizes and languages of two or three letters: anything else is refused',
  ],
  [/\.(noticeHash|sha256)$/, 'the digest of a document'],
  [/\.evidence\[\]\.(type|mediaType)$/, 'what kind of document it is'],
  [/(\.kind|\.channel)$/, 'from a list, or custom.<slug>: named by the site, not by the person'],
  [/(\.values\[\]\.(field|frequency)|\.topics\[\])$/, 'named by the preference template: another one is refused'],
  [/header (sec-gpc|x-log-position)$/, 'a flag; a number'],
  [/\.presentationToken$/, 'refused unless the service signed it, and what it signs names nobody'],
  [/^revertMerge path mergeId$/, 'given by the service'],
  [/^getReceipt (path id|query token)$/, 'given by the service'],
  [/^listEvents query (after|types)$/, 'a number or "latest"; types of events: any other is refused'],
  [
    /^(list|create|get|change|delete|rotate|test|replay|retry)Webhook(Endpoints?|Deliver(y|ies)|Secret|Events) (path|query|body|header idempotency-key)/,
    'about a system that is told, not about a person: its address is sealed, ids are given by the service, types are of a list',
  ],
  [
    /^(open|get|plan|verify|start|hold|resume|extend|complete|reject|cancel|assign|note)DataRequests? (path id|body\.duplicateOf|(body|body\.requests\[\])\.regulation)$/,
    'given by the service; short name of an act: twenty upper-case letters at most',
  ],
  [/^listDataRequests query cursor$/, 'given by the service'],
  [/^(listDataRequests query |assignDataRequest body\.)assignee$/, 'the id of an operator: anything else is refused'],
  [/^getTimeline query (types|cursor)$/, 'types of events: any other is refused; given by the service'],
  [/^enterPortalCode body\.(handle|code)$/, 'given by the service'],
  [/^linkArchive path id$/, 'given by the service'],
  [/^listWebhookEvents header if-none-match$/, 'the tag of a list that is the same for everybody'],
  [/^getLedger(Proof query receipt|Consistency query (from|to))$/, 'given by the service; sizes of a tree'],
  [/^getLedgerTile path (level|tile)$/, 'levels and numbers of tiles: anything else is refused'],
  [
    /^listSubjectReads query (reader|cursor)$/,
    'the id of a key or the name of an operator, not kept; given by the service',
  ],
  [
    /^listRenewals (path key|query cursor)$/,
    'key of a purpose: one that is not published is refused; given by the service',
  ],
  [
    /^getConsentStatistics query (purpose|from|to)$/,
    'key of a purpose: one that is not published is refused; days, not kept',
  ],
];

/** Whom a data request is about, which stands on a stream of its own. */
const askedAbout = ({ stream, data }: RecordedEvent): string | null =>
  stream.startsWith('request-') ? (data as { subjectId: string }).subjectId : null;

/** Operations of keys, but for those that read the catalogue: nothing in them is of a person. */
const isAboutSubjects = ({ operationId, security }: ServedOperation): boolean =>
  security.some((way) => 'publicKey' in way || 'secretKey' in way) &&
  COMPOSITION.operations.of(operationId)?.scope !== 'catalogue:read';
const subjectPath = (ref: string, rest = ''): string => `/v1/subjects/${encodeURIComponent(ref)}${rest}`;

/** Tables that still hold something sealed about one of them: keys, identifiers, mails and deliveries that wait. */
async function sealedAbout(database: Engines['database'], subjectIds: readonly string[]): Promise<string[]> {
  const columns = await database.run<{ table: string; column: string }>(
    `select format('%I.%I', s.table_schema, s.table_name) as table, b.column_name as column from information_schema.columns s join information_schema.columns b using (table_schema, table_name)
     where s.column_name = 'subject_id' and b.data_type = 'bytea' and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`,
  );
  expect(columns.map(({ table }) => table)).toEqual(
    expect.arrayContaining(['vault.subject_keys', 'vault.identifiers', 'mail.outbox', 'deliveries.delivery']),
  );
  const left = await Promise.all(
    columns.map(async ({ table, column }) =>
      (
        await database.run(
          `select 1 from ${table} where subject_id = any($1) and octet_length(${column}) > 0 limit 1`,
          [subjectIds],
        )
      ).map(() => `${table}.${column}`),
    ),
  );
  return left.flat();
}

/** Of the whole topology it is one of the short campaigns. */
const fourRoles = FOUR_ROLES;

describe(`after an erasure in ${fourRoles ? 'four roles' : 'one process'}`, () => {
  let world: World;
  let canaries: Canaries;
  const person: Record<string, string> = {};
  const ids = { ada: '', alias: '', visitor: '', formerly: '', grace: '' };
  const erasedOnes = (): string[] => [ids.ada, ids.alias, ids.visitor];
  let receipt: Answer;
  /** Asks for identifiers and takes nothing, so that bodies that name people wait. */
  let receiver: Receiver;
  /** Of a wish that still waits when its subject is erased. */
  let pending = '';

  const send = async (method: string, path: string, ask: Ask, ...statuses: number[]): Promise<Answer> => {
    canaries.note(method, path, ask);
    const answer = await world.request(method, path, ask);
    if (!statuses.includes(answer.status))
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  const keyed = (owner: string, ask: Ask = {}): Ask => ({
    ...ask,
    headers: { 'Idempotency-Key': `${canaries.of(owner, 'word', false)}@canary.example`, ...ask.headers },
  });
  const agent = (owner: string): string =>
    `Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Firefox/140.7 ${canaries.of(owner, 'word', false)}`;

  /** What can be said with any decision, with something of the person in each field. */
  function saying(owner: string, subject: string): Record<string, unknown> {
    return {
      subject,
      metadata: { [canaries.of(owner)]: { note: [canaries.of(owner)] } },
      actor: { type: 'GUARDIAN', id: canaries.of(owner), relationship: canaries.of(owner) },
      collection: {
        method: 'TOGGLE',
        surface: 'FORM',
        url: `https://shop.example/${canaries.of(owner)}?q=${canaries.lost()}#${canaries.lost()}`,
      },
    };
  }
  const record = (owner: string, subject: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    ...saying(owner, subject),
    purpose: 'analytics',
    decision: 'GRANTED',
    evidence: [
      {
        type: 'DOCUMENT',
        sha256: 'a'.repeat(64),
        uri: `https://archive.example/${canaries.of(owner)}?sig=${canaries.lost()}`,
      },
    ],
    ...more,
  });

  /** As a browser or a server sends it, with everything that travels along. */
  const headers = (owner: string): Record<string, string> => ({
    'User-Agent': agent(owner),
    Referer: `https://shop.example/?q=${canaries.lost()}`,
    Cookie: `sid=${canaries.lost()}`,
    'Accept-Language': `de-x-${canaries.lost('tag')}`,
  });

  async function plant(): Promise<void> {
    const token = (subject: string): string =>
      signIdentityToken({
        secretKey: world.demo.secretKey,
        subject,
        claims: { jti: canaries.of('ada', 'word', false) },
      });
    person['email'] = `email:${canaries.of('ada')}@canary.example`;
    for (const kind of ['user_id', 'external_id', 'custom.crm']) person[kind] = `${kind}:${canaries.of('ada')}`;
    for (const kind of ['device_id']) person[kind] = `${kind}:${canaries.of('ada', 'hex')}`;
    for (const kind of ['idfa', 'idfv', 'gaid']) person[kind] = `${kind}:${canaries.of('ada', 'uuid')}`;
    person['phone'] = `phone:${canaries.of('ada', 'phone')}`;
    const identifier = (reference: string): { kind: string; value: string } => ({
      kind: reference.slice(0, reference.indexOf(':')),
      value: reference.slice(reference.indexOf(':') + 1),
    });
    const created = await send(
      'POST',
      '/v1/subjects',
      keyed('ada', {
        body: {
          identifiers: Object.values(person).map(identifier),
          locale: `de-x-${canaries.of('ada', 'tag')}`,
          country: 'ZW',
          metadata: { [canaries.of('ada')]: canaries.of('ada') },
        },
      }),
      201,
    );
    ids.ada = created.body.id;

    // The same person as a visitor, who then logs in; and once more by another address, which is merged.
    person['visitor'] = `visitor_id:${canaries.of('ada', 'hex')}`;
    ids.visitor = (
      await send(
        'POST',
        '/v1/consent',
        keyed('ada', {
          key: 'pk',
          from: '203.0.113.77',
          headers: headers('ada'),
          body: record('ada', person['visitor']),
        }),
        201,
      )
    ).body.subject.id;
    await send(
      'POST',
      subjectPath(person['email'], '/identifiers'),
      keyed('ada', { body: identifier(person['visitor']) }),
      201,
    );
    person['alias'] = `email:${canaries.of('ada')}@canary.example`;
    ids.alias = (
      await send(
        'POST',
        '/v1/consent',
        keyed('ada', { body: record('ada', person['alias'], { decision: 'DENIED' }), headers: headers('ada') }),
        201,
      )
    ).body.subject.id;
    await send(
      'POST',
      '/v1/subjects/merge',
      { body: { sources: [person['alias']], target: person['email'], dryRun: true, reason: canaries.lost() } },
      200,
    );
    await send(
      'POST',
      '/v1/subjects/merge',
      keyed('ada', { body: { sources: [person['alias']], target: person['email'], reason: canaries.of('ada') } }),
      200,
    );

    // Somebody else, merged by mistake and free again; and one who has nothing to do with it.
    const formerly = `email:${canaries.of('formerly')}@canary.example`;
    const grace = `email:${canaries.of('grace')}@canary.example`;
    ids.formerly = (await send('POST', '/v1/consent', { body: record('formerly', formerly) }, 201)).body.subject.id;
    const { mergeId } = (
      await send(
        'POST',
        '/v1/subjects/merge',
        { body: { sources: [formerly], target: person['email'], reason: canaries.of('formerly') } },
        200,
      )
    ).body;
    await send(
      'POST',
      `/v1/subjects/merge/${mergeId}/revert`,
      keyed('ada', { body: { reason: canaries.of('ada') } }),
      200,
    );

    const batch = await send(
      'POST',
      '/v1/consent/batch',
      keyed('ada', {
        from: '2001:db8:abcd:12::1',
        headers: headers('ada'),
        body: {
          records: [
            record('ada', person['alias'], { idempotencyKey: canaries.of('ada', 'word', false), purpose: 'marketing' }),
            record('ada', person['user_id']!),
            record('grace', grace),
            record('nobody', `passport:${canaries.lost()}`),
            record('nobody', `email:${canaries.lost()}`),
          ],
        },
      }),
      200,
    );
    expect(batch.body.summary).toMatchObject({ recorded: 3, rejected: 2 });
    ids.grace = batch.body.results[2].record.subject.id;
    await send(
      'POST',
      '/v1/consent',
      {
        key: 'pk',
        body: record('ada', person['email'], { decision: 'WITHDRAWN' }),
        headers: { ...headers('ada'), 'Consent-Identity': token(person['email']), Origin: 'http://localhost:3000' },
      },
      201,
    );
    await send(
      'POST',
      '/v1/preferences',
      keyed('ada', {
        body: {
          ...saying('ada', person['gaid']!),
          values: [
            { field: 'note', value: canaries.of('ada') },
            { field: 'interests', value: ['books'] },
            { field: 'channels.email.topics.product_updates', value: true },
          ],
        },
        headers: headers('ada'),
      }),
      201,
    );
    const wishes = await send(
      'POST',
      '/v1/preferences/batch',
      keyed('ada', {
        body: {
          records: [
            {
              ...saying('ada', person['gaid']!),
              values: [{ field: 'note', value: canaries.of('ada') }],
              idempotencyKey: canaries.of('ada', 'word', false),
            },
            { subject: `email:${canaries.lost()}`, values: [{ field: 'note', value: canaries.lost() }] },
          ],
        },
        headers: headers('ada'),
      }),
      200,
    );
    expect(wishes.body.summary).toMatchObject({ recorded: 1, rejected: 1 });
    await confirmations();
    await send(
      'POST',
      '/v1/preferences',
      {
        body: {
          subject: person['gaid'],
          values: [
            { field: 'note', value: canaries.lost().repeat(20) },
            { field: canaries.lost(), value: canaries.lost() },
            { field: 'age', value: canaries.lost() },
          ],
        },
      },
      422,
    );
    await send(
      'POST',
      subjectPath(person['phone'], '/restrict'),
      keyed('ada', { body: { reason: canaries.of('ada') } }),
      200,
    );
    await send(
      'POST',
      subjectPath(person['phone'], '/lift-restriction'),
      keyed('ada', { body: { reason: canaries.of('ada') } }),
      200,
    );
    await requests(token(person['email']!));
    await read(token);
    await refused();
  }

  /** Data requests about the person, with something of the person in each text. */
  async function requests(identity: string): Promise<void> {
    const REQUESTS = '/v1/data-requests';
    const own = (ask: Ask = {}): Ask => keyed('asked', { key: 'sk', ...ask });
    const wanted = (type: string): object => ({
      subject: person['email'],
      type,
      jurisdiction: { country: 'DE' },
      locale: `de-${canaries.of('asked', 'tag')}`,
      details: canaries.of('asked'),
      requester: {
        type: 'AGENT',
        name: canaries.of('asked'),
        email: `${canaries.of('asked')}@canary.example`,
        evidence: canaries.of('asked'),
      },
    });
    // Whether it is a field of the template is not asked before it is to be put right.
    const wrong = (text: () => string): object => ({
      corrections: [
        { kind: 'email', value: `${text()}@canary.example`, replaces: `${text()}@canary.example` },
        { kind: 'preference', field: text(), value: text() },
      ],
    });
    const refused = wrong(() => canaries.lost());
    const rectification = { ...wanted('RECTIFICATION'), ...wrong(() => canaries.of('asked')) };
    const opened = await send('POST', REQUESTS, own({ body: rectification }), 201);
    const others = ['ACCESS', 'PORTABILITY'];
    const unfit = { subject: person['email'], type: 'ACCESS', ...refused };
    const batch = await send(
      'POST',
      `${REQUESTS}/batch`,
      own({ body: { requests: [...others.map(wanted), unfit] } }),
      200,
    );
    const step = (id: string, verb: string, body?: object): Promise<Answer> =>
      send('POST', `${REQUESTS}/${id}/${verb}`, own(body && { body }), 200);
    const id = opened.body.id as string;
    await step(id, 'verify', {});
    await step(id, 'start');
    await step(id, 'hold', { reason: 'OTHER', note: canaries.of('asked') });
    await step(id, 'resume');
    await step(id, 'assign', { assignee: 'opt_first' });
    await step(id, 'notes', { text: canaries.of('asked') });
    await step(id, 'extend', { note: canaries.of('asked') });
    await send('POST', `${REQUESTS}/${id}/plan`, { body: refused }, 200);
    await send('POST', `${REQUESTS}/${id}/complete`, own({ body: refused }), 422);
    const corrections = [{ kind: 'email', value: `${canaries.of('ada')}@canary.example` }];
    await step(id, 'complete', { note: canaries.of('asked'), corrections });
    const { headers: keys } = own();
    const asked = { key: 'pk', body: wanted('OBJECTION'), headers: { ...keys, 'Consent-Identity': identity } } as const;
    await send('POST', `${REQUESTS}/portal`, asked, 202);
    await send('POST', `${REQUESTS}/portal`, { ...asked, body: unfit }, 422);
    const [access, portability] = (batch.body.results as { request?: { id: string } }[]).map(
      ({ request }) => request?.id,
    );
    await step(access!, 'reject', { reasonCode: 'NO_MATCH', note: canaries.of('asked') });
    await step(portability!, 'cancel', { note: canaries.of('asked') });
    await send('GET', `${REQUESTS}?subject=${encodeURIComponent(person['email']!)}`, {}, 200);
    expect((await send('GET', `${REQUESTS}/${id}`, {}, 200)).text).toContain('@canary.example');
  }

  /** One wish that is confirmed and taken back by links, and one whose mail and link wait. */
  async function confirmations(): Promise<void> {
    const wish = (topic: string, more: object = {}): Record<string, unknown> => ({
      subject: person['email'],
      channel: 'email',
      values: [{ field: topic, value: true }],
      redirectUrl: `https://demo.example/${canaries.of('ada')}?for=${canaries.of('ada')}`,
      locale: `de-x-${canaries.lost('tag')}`,
      ...more,
    });
    const { body: news } = await send(
      'POST',
      '/v1/preferences/confirmation-token',
      keyed('ada', { body: wish('news'), from: '203.0.113.77', headers: headers('ada') }),
      201,
    );
    await send(
      'POST',
      '/v1/preferences/confirm',
      { key: null, body: { token: news.token }, from: '203.0.113.77', headers: headers('ada') },
      200,
    );
    const { body: link } = await send(
      'POST',
      '/v1/preferences/unsubscribe-link',
      {
        body: { subject: person['email'], channel: 'email', topics: ['news'], locale: `de-x-${canaries.lost('tag')}` },
      },
      200,
      201,
    );
    const { body: left } = await send(
      'POST',
      '/v1/preferences/unsubscribe',
      {
        key: null,
        body: { token: new URL(link.unsubscribeUrl).searchParams.get('token') },
        from: '203.0.113.77',
        headers: headers('ada'),
      },
      200,
    );
    await send(
      'POST',
      '/v1/preferences/undo',
      { key: null, body: { token: left.undo.token }, from: '203.0.113.77', headers: headers('ada') },
      200,
    );
    pending = (
      await send(
        'POST',
        '/v1/preferences/confirmation-token',
        keyed('ada', { body: wish('offers', { to: person['email']!.slice('email:'.length) }) }),
        201,
      )
    ).body.token;
    await mailed();
    await codes();
    await send(
      'POST',
      '/v1/portal-tokens',
      {
        body: {
          subject: person['email'],
          redirectUrl: `https://demo.example/${canaries.lost()}`,
          locale: `de-x-${canaries.lost('tag')}`,
        },
      },
      201,
    );
  }

  /** Codes that were asked for, by addresses of the person and of another one: nobody was looked up for them. */
  async function codes(): Promise<void> {
    // Not in the log before somebody enters the code.
    const asked = (owner: string): string => canaries.of(owner, 'word', false);
    const grace = `email:${asked('other')}@canary.example`;
    for (const [subject, owner] of [
      [person['email'], 'asked'],
      [person['alias'], 'asked'],
      [grace, 'other'],
    ]) {
      const body = { subject, type: 'ACCESS', details: asked(owner!) };
      await send('POST', '/v1/data-requests/portal', { key: 'pk', body }, 202);
    }
    await until(async () => {
      const outbox = (await sealedByMaster()).get('mail.outbox.sealed')!;
      return [person['email'], person['alias'], grace].every((ref) => outbox.includes(ref!.slice('email:'.length)));
    });
  }

  const sealedByMaster = (): Promise<Map<string, string>> =>
    withTheirEngines(({ database, master }) => openedByMaster(database, master));
  /** Canaries that whoever has the master key reads, without the key of any subject. */
  const readByMaster = async (...owners: string[]): Promise<string[]> =>
    [...(await sealedByMaster())].flatMap(([place, text]) =>
      canaries.foundIn(place, text, ({ owner }) => owners.includes(owner)),
    );

  /** Mail goes into the outbox by itself. */
  async function mailed(): Promise<void> {
    for (
      const until = Date.now() + 240_000;
      (await withTheirEngines(({ database }) => database.run('select 1 from mail.outbox'))).length === 0;
      await pause(50)
    )
      if (Date.now() > until) throw new Error('no mail came');
  }

  async function read(token: (subject: string) => string): Promise<void> {
    for (const ref of [...Object.values(person), `subject:${ids.ada}`]) {
      await send('GET', subjectPath(ref), {}, 200);
      await send('GET', subjectPath(ref, '/reads'), {}, 200);
      await send(
        'GET',
        pathOf(ref),
        { headers: { 'If-None-Match': `"${canaries.lost()}"`, 'Cache-Control': `max-age=0, ${canaries.lost()}` } },
        200,
      );
      for (const rest of ['?fresh=true', '/history', '/explain?purpose=analytics'])
        await send('GET', pathOf(ref, rest), { headers: headers('ada') }, 200);
      await send('GET', subjectPath(ref, '/timeline'), { headers: headers('ada') }, 200);
    }
    const strings = `subject=${encodeURIComponent(person['email']!)}`;
    for (const name of ['tcstring', 'google-consent-mode', 'google-additional-consent', 'gpp'])
      await send(
        'GET',
        `/v1/consent/${name}?${strings}`,
        { headers: { 'If-None-Match': `"${canaries.lost()}"`, 'Cache-Control': `max-age=0, ${canaries.lost()}` } },
        200,
      );
    for (const kind of ['gpp', 'tcstring'])
      await send('GET', `/v1/consent/${kind}/decode?string=D${canaries.lost()}&${strings}`, {}, 422);
    for (const rest of ['', `/history?field=${canaries.lost()}`])
      await send(
        'GET',
        subjectPath(person['email']!, `/preferences${rest}`),
        {
          headers: {
            ...headers('ada'),
            'If-None-Match': `"${canaries.lost()}"`,
            'Cache-Control': `max-age=0, ${canaries.lost()}`,
          },
        },
        200,
        422,
      );
    await send('GET', subjectPath(person['email']!, `/preferences/history?cursor=${canaries.lost()}`), {}, 422);
    await send(
      'GET',
      pathOf(person['email']!),
      { key: 'pk', headers: { 'Consent-Identity': token(person['email']!) } },
      200,
    );
    await send('GET', pathOf(person['email']!, `/history?cursor=${canaries.lost()}`), {}, 422);
  }

  /** What is refused is not remembered; least of all what was wrong about it. */
  async function refused(): Promise<void> {
    const body = (more: Record<string, unknown> = {}): Record<string, unknown> =>
      record('nobody', `email:${canaries.lost()}@canary.example`, more);
    for (const canary of canaries.all) if (canary.owner === 'nobody') canary.kept = false;
    await send(
      'POST',
      '/v1/consent',
      { body: body({ [canaries.lost()]: 1, decision: canaries.lost(), purpose: canaries.lost() }) },
      422,
    );
    await send('POST', '/v1/consent', { body: body({ purpose: canaries.lost() }) }, 422);
    await send('POST', '/v1/consent', keyed('nobody', { body: body({ decision: 'OBJECTED' }) }), 422);
    await send('POST', '/v1/consent', { raw: `{"subject":"email:${canaries.lost()}@canary.example"` }, 400);
    await send('POST', '/v1/consent', { raw: canaries.lost(), headers: { 'Content-Type': 'text/plain' } }, 415);
    await send(
      'POST',
      '/v1/consent',
      { raw: JSON.stringify({ subject: canaries.lost(), metadata: { x: 'x'.repeat(70_000) } }) },
      413,
    );
    await send(
      'POST',
      '/v1/consent',
      { body: body(), headers: { 'Idempotency-Key': `${canaries.lost()} ${canaries.lost()}` } },
      400,
    );
    await send('POST', '/v1/consent', { key: 'pk', body: body() }, 403);
    await send(
      'POST',
      '/v1/consent',
      // An origin is no person's, and the log names it: only an operator can allow it.
      { key: 'pk', body: body(), headers: { Origin: 'https://elsewhere.example' } },
      403,
    );
    await send('POST', '/v1/consent', { key: `sk_test_${canaries.lost()}`, body: body() }, 401);
    await send('POST', '/v1/subjects', { body: { identifiers: [{ kind: 'email', value: canaries.lost() }] } }, 400);
    await send(
      'POST',
      '/v1/subjects',
      keyed('nobody', {
        body: {
          identifiers: [person['email']!, person['visitor']!].map(() => ({ kind: 'subject', value: canaries.lost() })),
        },
      }),
      400,
      422,
    );
    for (const ref of [`email:${canaries.lost()}@canary.example`, `passport:${canaries.lost()}`, canaries.lost()]) {
      await send('GET', subjectPath(ref), {}, 400, 404, 422);
      await send('GET', pathOf(ref, `/explain?purpose=${canaries.lost()}`), {}, 400, 404, 422);
      await send('POST', subjectPath(ref, '/erase'), keyed('nobody', { body: {} }), 400, 404, 422);
      await send(
        'POST',
        subjectPath(ref, '/identifiers'),
        { body: { kind: 'email', value: `${canaries.lost()}@canary.example` } },
        400,
        404,
        422,
      );
    }
    await send(
      'POST',
      '/v1/preferences/confirmation-token',
      {
        body: {
          subject: person['email'],
          channel: 'email',
          values: [{ field: 'news', value: true }],
          to: `${canaries.lost()}@canary.example`,
          redirectUrl: `https://${canaries.lost()}.example/`,
        },
      },
      422,
    );
    for (const page of ['confirm', 'unsubscribe']) {
      // A page for people: what it is documented to be is looked at elsewhere.
      expect((await fetch(`${world.url}/v1/preferences/${page}?token=${canaries.lost()}`)).status).toBe(404);
      await send('POST', `/v1/preferences/${page}`, { key: null, body: { token: canaries.lost() } }, 404, 422);
    }
    await send('POST', '/v1/preferences/undo', { key: null, body: { token: canaries.lost() } }, 404);
    await send('GET', `/v1/${canaries.lost()}?${canaries.lost()}=${canaries.lost()}`, {}, 404);
    for (const canary of canaries.all) if (canary.owner === 'nobody') canary.kept = false;
  }

  const cliEnv = (): Record<string, string> =>
    world.roles?.env ?? { DATABASE_URL: world.databaseUrl!, ASSENT_DATA: world.dataFolder };
  const withTheirEngines = <T>(work: (engines: Engines) => Promise<T>): Promise<T> =>
    withEngines(RELEASE, cliEnv(), work);
  const allEvents = (engines: Engines): Promise<RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    return engines.log
      .head()
      .then((through) =>
        readLog(engines.log, { after: BEGINNING, through, prefixes: [] }, (batch) => void events.push(...batch)),
      )
      .then(() => events);
  };
  /** What whoever holds the master key and all that is left can read of the log. */
  const readable = (): Promise<string> =>
    withTheirEngines(async (engines) => {
      // Once for a subject, however many events it has: a pool has few connections.
      const ciphers = new Map<string, ReturnType<typeof engines.vault.cipherOf>>();
      const cipherOf = (subjectId: string): ReturnType<typeof engines.vault.cipherOf> => {
        if (!ciphers.has(subjectId)) ciphers.set(subjectId, engines.vault.cipherOf(subjectId));
        return ciphers.get(subjectId)!;
      };
      const read = async (event: RecordedEvent): Promise<string> => {
        const subjectId = subjectOfStream(event.stream)?.subjectId ?? askedAbout(event);
        if (subjectId === null || !engines.codec.knows(event.type)) return JSON.stringify(event.data);
        return JSON.stringify(engines.codec.decode(event, await cipherOf(subjectId)).data);
      };
      return (await Promise.all((await allEvents(engines)).map(read))).join('\n');
    });
  const inClear = async (): Promise<string[]> => {
    const kept = await everythingKept(world);
    expect([...kept.keys()]).toEqual(
      expect.arrayContaining([
        'log.events',
        'vault.identifiers',
        'write.idempotency',
        'output',
        ...(fourRoles ? ['event store', 'redis'] : []),
      ]),
    );
    return [...kept].flatMap(([place, text]) => [
      ...canaries.foundIn(place, text),
      ...['203.0.113', '2001:db8:abcd', 'firefox 140', 'canary.example']
        .filter((part) => text.toLowerCase().includes(part))
        .map((part) => `${part} in ${place}`),
    ]);
  };
  const missingIn = (text: string, owner: string): string[] =>
    canaries.all
      .filter((canary) => canary.owner === owner && canary.kept && !text.toLowerCase().includes(canary.text))
      .map(({ text: gone }) => gone);

  beforeAll(async () => {
    // What is kept does not depend on how many processes there are of a role, and each costs two seconds of processor.
    world = await startWorld({ fourRoles, perRole: 1, env: { ASSENT_LOG_LEVEL: 'trace' } });
    await world.request('POST', '/admin/v1/sites', {
      key: 'operator',
      body: { site: world.demo.site, name: 'Demo Shop', identifierKinds: ['custom.crm'] },
    });
    canaries = new Canaries(world.document, { site: 'demo', env: 'test' });
    receiver = await startReceiver();
    await world.request('POST', '/v1/webhook-endpoints', {
      body: { url: `${receiver.url}/500`, types: ['*'], includeIdentifiers: true },
    });
    await plant();
    await world.caughtUp();
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
    await receiver?.stop();
  });

  it('no input of the interface was forgotten when the canaries were planted', () => {
    const inputs = freeTexts(world.document, isAboutSubjects);
    const mayBe = inputs.filter((place) => !NOT_PERSONAL.some(([pattern]) => pattern.test(place)));
    // Erasing itself comes later.
    expect(mayBe.filter((place) => !canaries.planted.has(place) && !place.startsWith('eraseSubject '))).toEqual([]);
    expect(NOT_PERSONAL.filter(([pattern]) => !inputs.some((place) => pattern.test(place)))).toEqual([]);
  });

  it('nothing had stood anywhere in clear before either, and who may could read all of it', async () => {
    await until(() => {
      const told = receiver.received.map(({ body }) => body.toString()).join('\n');
      return canaries.foundIn('webhooks', told, ({ owner }) => owner === 'ada').length > 0;
    });
    expect(await inClear()).toEqual([]);
    for (const stream of await streamNames(world))
      if (!stream.startsWith('$'))
        expect(stream).toMatch(
          /^(subject-demo\.test\.sub_[0-9A-HJKMNP-TV-Z]{26}|catalogue-demo\.test|webhooks-demo\.test|site-demo|operations|batch-demo\.test\.[0-9a-f]{64}|request-demo\.test\.dsr_[0-9A-HJKMNP-TV-Z]{26})$/,
        );
    const text = await readable();
    expect(await withTheirEngines(({ database }) => unknownBytes(database))).toEqual([]);
    const byMaster = await readByMaster('ada', 'asked');
    for (const place of ['portal.code.sealed', 'mail.outbox.sealed'])
      expect(byMaster.filter((found) => found.endsWith(place))).not.toEqual([]);
    for (const owner of ['ada', 'asked', 'formerly', 'grace']) expect(missingIn(text, owner)).toEqual([]);
    // Whichever of the subjects is named, the export holds all who are one with it, in the order of the log.
    const exported = await commanded(['audit', 'export', '--subject', person['alias']!], cliEnv());
    expect(missingIn(exported, 'ada')).toEqual([]);
    // With what they asked for, in their own words.
    expect(canaries.foundIn('export', exported, ({ owner }) => owner === 'asked')).not.toEqual([]);
    const positions = exported
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { position: string; subjectId: string });
    expect(new Set(positions.map(({ subjectId }) => subjectId))).toEqual(new Set(erasedOnes()));
    expect(positions.map(({ position }) => BigInt(position))).toEqual(
      positions.map(({ position }) => BigInt(position)).sort((a, b) => (a < b ? -1 : 1)),
    );
    expect(
      canaries
        .foundIn('export', exported, ({ owner }) => owner !== 'ada' && owner !== 'asked')
        .filter((found) => !found.startsWith('a plain hash')),
    ).toEqual([]);
    await commanded(['audit', 'verify', '--subject', person['visitor']!], cliEnv());
  });

  it('nothing is left that could be read, by whoever has the master key and everything else', async () => {
    receipt = await send(
      'POST',
      subjectPath(person['alias']!, '/erase'),
      keyed('ada', { body: { reason: 'DATA_SUBJECT_REQUEST' }, headers: headers('ada') }),
      200,
    );
    expect(receipt.body.receipt.erased.subjects.sort()).toEqual(erasedOnes().sort());
    expect(canaries.foundIn('receipt', JSON.stringify(receipt.body))).toEqual([]);
    await world.caughtUp(receipt.headers['x-log-position'] as string);
    expect(await inClear()).toEqual([]);
    const text = await readable();
    expect(canaries.foundIn('log', text, ({ owner }) => ['ada', 'asked', 'nobody'].includes(owner))).toEqual([]);
    for (const owner of ['formerly', 'grace']) expect(missingIn(text, owner)).toEqual([]);
    expect(await readByMaster('ada', 'asked')).toEqual([]);
    expect(await readByMaster('other')).not.toEqual([]);
    expect(await withTheirEngines(({ database }) => sealedAbout(database, erasedOnes()))).toEqual([]);
  });

  it('no export holds the person any more, and the decisions stand as evidence about nobody', async () => {
    const exports: string[] = [];
    for (const which of [
      ['--since', '2020-01-01T00:00:00Z', '--with-personal-data'],
      ...erasedOnes().map((id) => ['--subject', `subject:${id}`]),
    ])
      exports.push(await commanded(['audit', 'export', ...which], cliEnv()));
    expect(
      exports.flatMap((exported) =>
        canaries.foundIn('export', exported, ({ owner }) => owner === 'ada' || owner === 'nobody'),
      ),
    ).toEqual([]);
    expect(missingIn(exports[0]!, 'grace')).toEqual([]);
    const [, ...own] = exports.map((exported) =>
      exported
        .split('\n')
        .filter((line) => line.startsWith('{'))
        // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each type has data of its own
        .map((line) => JSON.parse(line) as { type: string; subjectId: string; data: any }),
    );
    for (const events of own) {
      const decisions = events.filter(({ type }) => type === 'ConsentRecorded');
      expect(decisions.map(({ data }) => data.decision)).toEqual([
        'GRANTED',
        'DENIED',
        'GRANTED',
        'GRANTED',
        'WITHDRAWN',
      ]);
      for (const { data } of decisions)
        expect([
          data.metadata,
          data.actor.id,
          data.collection.url,
          data.evidence[0].uri,
          data.provenance.userAgent ?? null,
          data.provenance.ip ?? null,
        ]).toEqual([null, null, null, null, null, null]);
      expect(
        events
          .filter(({ type }) => type === 'SubjectErased')
          .map(({ subjectId }) => subjectId)
          .sort(),
      ).toEqual(erasedOnes().sort());
      expect(
        events.find(({ type, subjectId }) => type === 'SubjectCreated' && subjectId === ids.ada)!.data,
      ).toMatchObject({ locale: null, country: null, metadata: null });
    }
  });

  it('the ids answer that the subject is gone, the references that nobody is known by them', async () => {
    const seen = { headers: { 'X-Log-Position': receipt.headers['x-log-position'] as string } };
    for (const id of erasedOnes()) {
      const answers = await Promise.all(
        [
          pathOf(`subject:${id}`),
          pathOf(`subject:${id}`, '?fresh=true'),
          pathOf(`subject:${id}`, '/history'),
          subjectPath(`subject:${id}`, '/timeline'),
          ...['', '?fresh=true', '/history'].map((rest) => subjectPath(`subject:${id}`, `/preferences${rest}`)),
        ].map((path) => world.request('GET', path, seen)),
      );
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(7).fill([410, 'subject_erased']));
      expect((await world.request('GET', subjectPath(`subject:${id}`))).body).toMatchObject({
        state: id === ids.ada ? 'ERASED' : expect.stringMatching(/^(ERASED|MERGED)$/),
        identifiers: [],
        locale: null,
        country: null,
        metadata: {},
      });
    }
    expect(
      (
        await world.request('POST', '/v1/consent', {
          body: { subject: `subject:${ids.alias}`, purpose: 'analytics', decision: 'GRANTED' },
        })
      ).body.code,
    ).toBe('subject_erased');
    const clicked = await world.request('POST', '/v1/preferences/confirm', { key: null, body: { token: pending } });
    expect([404, 410]).toContain(clicked.status);
    for (const ref of Object.values(person)) {
      const wants = await world.request('GET', subjectPath(ref, '/preferences'), seen);
      expect([
        wants.body.subject.id,
        wants.body.channels.email?.topics.product_updates?.state ?? 'UNSET',
        wants.body.fields.note?.value ?? null,
      ]).toEqual([null, 'UNSET', null]);
      const { body } = await world.request('GET', pathOf(ref), seen);
      expect([body.subject.id, body.purposes.analytics.state]).toEqual([null, 'NOT_COLLECTED']);
      expect((await world.request('GET', pathOf(ref, '/history'))).body.data).toEqual([]);
      expect((await world.request('GET', subjectPath(ref))).status).toBe(404);
    }
  });

  it('rows hold nothing of them, rows and log still agree, and rebuilding brings nothing back', async () => {
    const rows = (): Promise<{ state: { purposes: object } }[]> =>
      withTheirEngines(({ database }) =>
        database.run('select state from read.consent_state where subject_id = any($1)', [erasedOnes()]),
      );
    const wanted = erasedOnes().map(() => ({}));
    expect((await rows()).map(({ state }) => state.purposes)).toEqual(wanted);
    for (const { name } of RELEASE.projections) await commanded(['projections', 'rebuild', name, '--verify'], cliEnv());
    await commanded(['audit', 'verify'], cliEnv());
    await commanded(['audit', 'verify', '--subject', `subject:${ids.alias}`], cliEnv());
    expect((await rows()).map(({ state }) => state.purposes)).toEqual(wanted);
  });

  it('others are as they were, and the same references begin anew', async () => {
    const { body: untouched } = await world.request('GET', pathOf(`subject:${ids.grace}`, '/history'));
    expect(missingIn(JSON.stringify(untouched), 'grace')).toHaveLength(1);
    expect((await world.request('GET', pathOf(`subject:${ids.formerly}`))).body.purposes.analytics.state).toBe(
      'GRANTED',
    );
    for (const ref of [person['email']!, person['alias']!, person['visitor']!]) {
      const { body, headers: written } = await world.request('POST', '/v1/consent', {
        body: { subject: ref, purpose: 'marketing', decision: 'DENIED' },
        headers: { 'Idempotency-Key': randomUUID() },
      });
      expect(body).toMatchObject({ previousState: 'NOT_COLLECTED', sequence: 2 });
      expect(erasedOnes()).not.toContain(body.subject.id);
      const { body: state } = await world.request('GET', pathOf(ref), {
        headers: { 'X-Log-Position': written['x-log-position'] as string },
      });
      expect([state.purposes.marketing.state, state.purposes.analytics.state]).toEqual(['DENIED', 'NOT_COLLECTED']);
      expect((await world.request('GET', pathOf(ref, '/history'))).body.data).toHaveLength(1);
    }
  });
});
