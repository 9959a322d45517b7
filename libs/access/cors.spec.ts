import { preflight } from './cors.js';
import { OPERATIONS, operationsAt } from './operations.js';

const listed = new Set(['https://shop.example', 'https://shop.example:8443']);
const isListed = (origin: string) => listed.has(origin);

describe('a preflight', () => {
  it('is answered with the methods of the path for an origin that a site lists', () => {
    expect(preflight('/v1/consent', 'https://shop.example', isListed)).toEqual({
      Vary: 'Origin',
      'Access-Control-Allow-Origin': 'https://shop.example',
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, If-None-Match, Consent-Identity, X-Log-Position, X-Request-Id, Cache-Control',
      'Access-Control-Max-Age': '7200',
    });
    expect(preflight('/v1/subjects/visitor_id%3Aabc/consent', 'https://shop.example:8443', isListed)).toHaveProperty(
      'Access-Control-Allow-Methods',
      'GET',
    );
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
    expect(preflight('/v1/consent', origin, isListed)).toEqual({ Vary: 'Origin' }),
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
      expect(preflight(path, 'https://shop.example', isListed)).toBeNull();
    }
  });
});

describe('the operation table', () => {
  it('names every operation once, by id and by method and path', () => {
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length);
  });
  it('finds the operations of a path', () =>
    expect(operationsAt('/admin/v1/sites').map(({ id }) => id)).toEqual(['listSites', 'registerSite']));
  it('lets no page call what only secret keys or operators may', () => {
    for (const operation of OPERATIONS)
      if (!(operation.keys as readonly string[]).includes('pk')) expect(operation.cors).toBe(false);
  });
  it('names the place of every subject in a path', () => {
    for (const operation of OPERATIONS)
      if (operation.path.includes('{ref}')) expect(operation.subject).toEqual({ in: 'path', name: 'ref' });
  });
});
