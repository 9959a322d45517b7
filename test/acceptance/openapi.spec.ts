import { startWorld, type World } from '../support/world.js';
import { answerCheck, misfits, type ServedOperation } from '../support/openapi.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  // What the examples speak of.
  await world.request('POST', '/admin/v1/sites', { key: 'operator', body: { site: 'shop', name: 'Shop' } });
  await world.request('POST', '/v1/subjects', { body: { identifiers: [{ kind: 'user_id', value: '4712' }] } });
});
afterAll(() => world?.stop());

const KEYS = { secretKey: 'sk', publicKey: 'pk', operatorToken: 'operator' } as const;

/** The keys that an operation says it takes, without those that need more than a key. */
const keysOf = ({ security }: ServedOperation): (string | null)[] =>
  security.length === 0
    ? [null]
    : [
        ...new Set(
          security.flatMap((way) =>
            Object.keys(way).length === 1 ? [KEYS[Object.keys(way)[0] as keyof typeof KEYS]] : [],
          ),
        ),
      ];

/** What is done to the demo site is done to that of this spec instead: others look at the one that came along. */
const exampleOf = ({ name, example }: { name: string; example?: unknown }): unknown =>
  name === 'site' && example === 'demo' ? world.demo.site : example;

/** The address of an operation, with the examples of its parameters in their places. */
function address(template: string, { parameters = [] }: ServedOperation, query: boolean): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(exampleOf(parameters.find((one) => one.name === name)!))),
  );
  const sent = parameters.filter(
    (one) => one.in === 'query' && one.name !== 'cursor' && (query || one.required) && one.example !== undefined,
  );
  const text = new URLSearchParams(
    sent.flatMap(({ name, example }) => [example].flat().map((value): [string, string] => [name, String(value)])),
  );
  return sent.length === 0 ? path : `${path}?${text.toString()}`;
}

/** What is named here an example cannot bring about, or only once: a key, a token that was handed out, a merge, an erasure. */
const NOT_THERE: Record<string, number[]> = {
  rotateKey: [404],
  revokeKey: [404],
  // Open to pages of the service alone.
  signIn: [403],
  lookAround: [403],
  signOut: [204],
  changeOperator: [404],
  endOperator: [404],
  rotateOperatorToken: [404],
  revokeOperatorToken: [404],
  // A second one must wait until the first signs.
  rotateSigningKey: [201, 409],
  revokeSigningKey: [404],
  mergeSubjects: [200, 409],
  revertMerge: [404],
  eraseSubject: [200, 404],
  // Its subject may have been erased by another example.
  lookUpSubject: [200, 404],
  revealIdentifiers: [404],
  getReceipt: [403, 404],
  getLedgerProof: [404],
  // The hash of the example is not what is shown now.
  getBanner: [200, 409],
  // The tag of the example is not that of the present draft, which is not of the console.
  saveCatalogueDraft: [409],
  discardCatalogueDraft: [200],
  publishCatalogueDraft: [409],
  // The ledger may be a moment behind the records before it.
  getLedgerConsistency: [200, 422],
  getLedgerTile: [200, 404],
  // A country and a split exclude each other.
  getConsentStatistics: [200, 422],
  getSiteConsentStatistics: [200, 422],
  getOpenLedgerCheckpoint: [404],
  getOpenLedgerTile: [404],
  confirmPage: [404],
  confirmPreferences: [404],
  unsubscribePage: [404],
  unsubscribe: [404],
  undoByLink: [404],
  enterPortalCode: [404],
  linkArchive: [404],
  archivePage: [404],
  fetchArchive: [404],
  getAuditBundle: [404],
  downloadAuditBundle: [404],
  ...Object.fromEntries(
    [
      'get',
      'plan',
      'verify',
      'start',
      'hold',
      'resume',
      'extend',
      'complete',
      'reject',
      'cancel',
      'assign',
      'note',
    ].map((verb) => [`${verb}DataRequest`, [404]]),
  ),
  ...Object.fromEntries(
    [
      ...[
        'listWebhookDeliveries',
        'getWebhookEndpoint',
        'changeWebhookEndpoint',
        'deleteWebhookEndpoint',
        'rotateWebhookSecret',
      ],
      ...['testWebhookEndpoint', 'replayWebhookEvents', 'retryWebhookDelivery'],
    ].map((id) => [id, [404]]),
  ),
};

test('every example of every operation is answered with a documented status, and succeeds', async () => {
  const failed: string[] = [];
  let sent = 0;
  for (const [template, methods] of Object.entries(world.document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      // Its examples are those of the operation.
      if (operation['x-twin-of']) continue;
      const bodies: [string, unknown][] = operation.requestBody
        ? Object.entries(operation.requestBody.content['application/json']!.examples).map(([name, { value }]) => [
            name,
            value,
          ])
        : [['no body', undefined]];
      const headers = Object.fromEntries(
        (operation.parameters ?? [])
          .filter((one) => one.in === 'header' && one.name !== 'X-Log-Position')
          .map(({ name, example }) => [name, String(example)]),
      );
      const required = Object.fromEntries(
        (operation.parameters ?? []).flatMap((one) =>
          one.in === 'header' && one.required ? [[one.name, String(one.example)]] : [],
        ),
      );
      for (const key of keysOf(operation)) {
        for (const [name, body] of bodies) {
          for (const optional of [false, true]) {
            // The key of a request stands for one body: each example brings its own.
            const own = {
              ...headers,
              ...(headers['Idempotency-Key'] && {
                'Idempotency-Key': `${operation.operationId}-${name.replace(' ', '-')}-${optional}`,
              }),
            };
            const answer = await world.request(method.toUpperCase(), address(template, operation, optional), {
              key,
              body,
              headers: optional ? own : required,
            });
            sent++;
            const expected = NOT_THERE[operation.operationId] ?? [200, 201, 202, 304];
            if (!expected.includes(answer.status))
              failed.push(
                `${operation.operationId} (${key}, ${name}, ${optional ? 'all parameters' : 'required ones'}): ${answer.status} ${answer.text}`,
              );
          }
        }
      }
    }
  }
  expect(failed).toEqual([]);
  expect(sent).toBeGreaterThan(40);
});

test('every example in the document fits the schema beside it', () => {
  expect(misfits(world.document)).toEqual([]);
});

test('an answer with a field that nobody documented is noticed', () => {
  const check = answerCheck(world.document);
  const headers = {
    'content-type': 'application/json',
    'x-request-id': 'r',
    'cache-control': 'private, no-cache',
    ratelimit: 'r',
    'ratelimit-policy': 'p',
    etag: 'e',
  };
  const body = { subject: { id: null }, revision: -1, asOf: '2026-11-21T12:00:00.000Z', purposes: {} };
  const path = '/v1/subjects/visitor_id%3A7f/consent';
  const answer = (status: number, content: object) => ({
    status,
    headers,
    body: content,
    text: JSON.stringify(content),
  });
  expect(() => check('GET', path, answer(200, body))).not.toThrow();
  expect(() => check('GET', path, answer(200, { ...body, extra: 1 }))).toThrow(/additional properties/);
  expect(() => check('GET', path, answer(200, { ...body, subject: { id: null, email: 'x' } }))).toThrow(
    /additional properties/,
  );
  expect(() => check('GET', path, answer(202, body))).toThrow(/status is not documented/);
  expect(() => check('GET', path, { ...answer(200, body), headers: { ...headers, etag: undefined } })).toThrow(
    /ETag is documented, but missing/,
  );
  const error = {
    code: 'merge_conflict',
    message: 'm',
    hint: 'h',
    issues: [],
    requestId: 'r',
    docUrl: 'http://127.0.0.1/docs',
  };
  expect(() => check('GET', path, answer(422, error))).toThrow(/the code merge_conflict is not documented/);
});
