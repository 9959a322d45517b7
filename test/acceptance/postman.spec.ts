import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { PostmanCollection, PostmanItem, PostmanRequest } from '../../libs/http/openapi/postman.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/*
 * The collection for Postman, walked as Postman does: variables are filled in, what is disabled stays out, and requests
 * are sent. Each answer is held against the OpenAPI document by the world.
 */

let world: World;
let collection: PostmanCollection;
let variables: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  collection = (await world.request('GET', '/docs/postman.json', { key: null })).body as PostmanCollection;
  const { site, secretKey, publicKey, operatorToken } = world.demo;
  variables = {
    ...Object.fromEntries(collection.variable.map(({ key, value }) => [key, value])),
    ...{ site, secretKey, publicKey, operatorToken },
  };
});
afterAll(() => world?.stop());

const items = (): PostmanItem[] => collection.item.flatMap(({ item }) => item);
const itemOf = (id: string): PostmanItem => items().find((item) => item.id === id)!;

/** `{{name}}`, of the collection, or one that Postman makes for each request. */
const filled = (text: string): string =>
  text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
    const value = name === '$guid' ? randomUUID() : variables[name];
    if (value === undefined) throw new Error(`the collection has no variable ${name}`);
    return value;
  });

interface Sent {
  method: string;
  path: string;
  key: string | null;
  headers: Record<string, string>;
  body: unknown;
}
function sentOf({ method, auth, url, header, body }: PostmanRequest): Sent {
  const [origin] = url.host.map(filled);
  const path = url.path.map((part) =>
    part.startsWith(':') ? filled(url.variable.find(({ key }) => `:${key}` === part)!.value) : part,
  );
  const query = url.query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${filled(value)}`);
  expect(new URL(filled(url.raw)).origin).toBe(new URL(world.url).origin);
  return {
    method,
    path: `${origin}/${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`.slice(world.url.length),
    key: auth.type === 'noauth' ? null : filled(auth.bearer[0]!.value),
    headers: Object.fromEntries(
      header.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, filled(value)]),
    ),
    body: body && (JSON.parse(filled(body.raw)) as unknown),
  };
}
function send(request: PostmanRequest): Promise<Answer> {
  const { method, path, ...ask } = sentOf(request);
  return world.request(method, path, ask);
}

test('has a folder for each heading, a request for each operation, and an example for each of theirs', () => {
  const documented = Object.values(world.document.paths).flatMap((methods) => Object.values(methods));
  expect(collection.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  expect(collection.item.filter(({ description, item }) => !description || item.length === 0)).toEqual([]);
  expect(
    items()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(documented.map(({ operationId }) => operationId).sort());
  for (const { operationId, requestBody, ...of } of documented.filter((one) => !one['x-twin-of'])) {
    const { request, response } = itemOf(operationId);
    const named = Object.entries(requestBody?.content['application/json']!.examples ?? {});
    expect([operationId, response.length]).toEqual([operationId, Math.max(named.length, 1)]);
    expect(response.map(({ code }) => String(code)).filter((code) => !(code in of.responses))).toEqual([]);
    if (named.length > 0) expect(JSON.parse(request.body!.raw)).toEqual(named[0]![1].value);
  }
});

test('holds no key, and fills every request from its variables', () => {
  const secrets = ['secretKey', 'publicKey', 'operatorToken', 'identityToken'];
  const given = Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]));
  expect(secrets.map((name) => given[name])).toEqual(['', '', '', '']);
  expect(given['baseUrl']).toBe(world.url);
  for (const { request, response } of items())
    for (const each of [request, ...response.map(({ originalRequest }) => originalRequest)])
      expect(JSON.stringify(sentOf(each))).not.toMatch(/\{\{|"undefined"/);
});

test('sends what the service takes: a decision, its state, a preference, what an operator reads', async () => {
  const statuses: Record<string, number> = {};
  for (const id of [
    ...[
      'createSubject',
      'recordConsent',
      'recordConsentBatch',
      'getConsentState',
      'getConsentHistory',
      'setPreferences',
    ],
    ...[
      'getPreferences',
      'listPurposes',
      'getBanner',
      'getPolicy',
      'openDataRequest',
      'listDataRequests',
      'getService',
    ],
    ...['createWebhookEndpoint', 'exportCatalogue', 'previewBanner', 'recordSiteConsent', 'getSiteConsentState'],
  ])
    statuses[id] = (await send(itemOf(id).request)).status;
  expect(Object.entries(statuses).filter(([, status]) => status >= 300)).toEqual([]);
  // Sent twice, it is another call.
  const [first, second] = [await send(itemOf('recordConsent').request), await send(itemOf('recordConsent').request)];
  expect(first.body.id).not.toBe(second.body.id);
});

test('reads with every key that it names: no request is refused for its key or its address', async () => {
  const refused: string[] = [];
  for (const { id, request } of items().filter((item) => item.request.method === 'GET')) {
    const { status, body } = await send(request);
    const isOfKey =
      status === 401 ||
      /^(scope_missing|role_missing|secret_key_required|public_key_required|route_not_found)$/.test(body?.code ?? '');
    if (isOfKey) refused.push(`${id}: ${status} ${body?.code}`);
  }
  expect(refused).toEqual([]);
});
