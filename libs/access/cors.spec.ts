import { preflight } from './cors.js';
import { OperationTable } from './operation-table.js';
import {
  BY_ANY_KEY,
  BY_ANYBODY,
  BY_OPERATOR,
  BY_SECRET_KEY,
  REF_IN_PATH,
  type OperationDeclaration,
} from '../context/operations.js';

const reading = { method: 'GET', scope: 'consent:read', subject: REF_IN_PATH } as const;
const consent: OperationDeclaration = { ...BY_ANY_KEY, ...reading, id: 'state', path: '/v1/subjects/{ref}/consent' };
const operations = [
  consent,
  { ...BY_SECRET_KEY, ...reading, id: 'history', path: '/v1/subjects/{ref}/consent/history' },
  { ...BY_ANY_KEY, id: 'record', method: 'POST', path: '/v1/consent', scope: 'consent:write', subject: null },
  { ...BY_ANY_KEY, id: 'batch', method: 'POST', path: '/v1/consent/batch', scope: 'consent:write', subject: null },
  { ...BY_OPERATOR, id: 'listSites', method: 'GET', path: '/admin/v1/sites' },
  { ...BY_OPERATOR, id: 'registerSite', method: 'POST', path: '/admin/v1/sites' },
  { ...BY_ANYBODY, id: 'livez', path: '/livez' },
  { ...BY_ANYBODY, id: 'openapi', path: '/openapi.json' },
] as const satisfies OperationDeclaration[];
const table = new OperationTable(operations);

const listed = new Set(['https://shop.example', 'https://shop.example:8443']);
const isListed = (origin: string) => listed.has(origin);

describe('a preflight', () => {
  it('is answered with the methods of the path for an origin that a site lists', () => {
    expect(preflight(table.at('/v1/consent'), 'https://shop.example', isListed)).toEqual({
      Vary: 'Origin',
      'Access-Control-Allow-Origin': 'https://shop.example',
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, If-None-Match, Consent-Identity, X-Log-Position, X-Request-Id, Cache-Control',
      'Access-Control-Max-Age': '7200',
    });
    expect(
      preflight(table.at('/v1/subjects/visitor_id%3Aabc/consent'), 'https://shop.example:8443', isListed),
    ).toHaveProperty('Access-Control-Allow-Methods', 'GET');
  });

  it.each([
    'null',
    '*',
    '',
    'http://shop.example',
    'https://shop.example:443',
    'https://shop.example:8444',
    'https://SHOP.example',
    'https://shop.example/',
    'https://www.shop.example',
    'https://shop.example.evil.com',
    'https://evilshop.example',
    'https://shop.example@evil.com',
    'https://shop.example, https://evil.com',
    'https://shop.example%00.evil.com',
    ' https://shop.example',
    undefined,
  ])('from %s gives nothing but Vary', (origin) =>
    expect(preflight(table.at('/v1/consent'), origin, isListed)).toEqual({ Vary: 'Origin' }),
  );

  it('is not answered where pages may not call', () => {
    for (const path of [
      '/v1/subjects/x/consent/history',
      '/admin/v1/sites',
      '/livez',
      '/openapi.json',
      '/nowhere',
      '/v1/consent/batch/more',
      '/v1/subjects/a/b/consent',
    ]) {
      expect(preflight(table.at(path), 'https://shop.example', isListed)).toBeNull();
    }
  });
});

describe('the operation table', () => {
  const made =
    (...more: OperationDeclaration[]) =>
    () =>
      new OperationTable([...operations, ...more]);

  it('finds an operation by its id, and all of a path', () => {
    expect(table.of('livez')?.path).toBe('/livez');
    expect([table.of('nothing'), table.of(undefined)]).toEqual([undefined, undefined]);
    expect(table.at('/admin/v1/sites').map(({ id }) => id)).toEqual(['listSites', 'registerSite']);
    expect(table.at('/openapixjson')).toEqual([]);
  });
  it('takes every operation once, by id and by method and path, whatever a segment is called', () => {
    expect(made({ ...consent, path: '/v1/elsewhere/{ref}' })).toThrow('two operations are called state');
    expect(made({ ...consent, id: 'other', subject: null, path: '/v1/subjects/{id}/consent' })).toThrow(
      'state and other have one address: GET /v1/subjects/{id}/consent',
    );
  });
  it('lets no page call what only secret keys or operators may', () =>
    expect(made({ ...BY_SECRET_KEY, ...reading, id: 'other', path: '/{ref}', cors: true })).toThrow(
      'other may be called from pages, which have no key that it takes',
    ));
  it('names the place of every subject in a path', () =>
    expect(made({ ...consent, id: 'other', path: '/v1/other/{ref}', subject: null })).toThrow(
      'other names a subject in its path ({ref}), and its rule does not (subject)',
    ));
  it('reads no body without a contract, and has no contract for a body that nobody reads', () => {
    class Anything {}
    const described = { tag: '', summary: '', description: '', answers: [], refusals: [] };
    const body = { contract: Anything, examples: {} };
    const write = {
      ...BY_ANY_KEY,
      id: 'other',
      method: 'POST',
      path: '/v1/other',
      scope: null,
      subject: null,
    } as const;
    expect(made({ ...write, bodyLimit: 1 })).toThrow('other reads a body (bodyLimit), and no contract says which');
    expect(made({ ...write, ...described, body })).toThrow('other has a contract for its body, and no bodyLimit');
    expect(made({ ...write, ...described, body, bodyLimit: 1, method: 'GET' })).toThrow(
      'other is a GET, which has no body',
    );
    expect(made({ ...write, ...described, body, bodyLimit: 1 })).not.toThrow();
  });
});
