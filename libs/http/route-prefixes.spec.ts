import express, { type Express, type Request, type Response } from 'express';
import { tryByPrefix } from './route-prefixes.js';

const ROUTES = [
  '/',
  '/v1/policy',
  '/v1/policy/table/',
  '/v1/subjects/:ref',
  '/v1/subjects/:ref/consent',
  '/v1/subjects/mine/consent',
  '/v1/vendors.yaml',
  '/v1{/optional}/end',
  '/docs/*rest',
  ['/one', '/two/:three'],
  /^\/by-expression\/\d+$/,
];
const PATHS = [
  '/',
  '',
  '/v1/policy',
  '/v1/policy/',
  '/v1/policy//',
  '/v1/Policy',
  '/v1/policyx',
  '/v1/%70olicy',
  '/v1/policy?country=DE',
  '/v1/policy/table',
  '/v1/policy/table/',
  '/v1/subjects/a%3Ab',
  '/v1/subjects/%E0%A4%A',
  '/v1/subjects/%zz/consent',
  '/v1/subjects/mine/consent',
  '/v1/subjects//consent',
  '/v1/subjects/a/consent/',
  '/v1/vendorsXyaml',
  '/v1/vendors.yaml',
  '/v1/end',
  '/v1/optional/end',
  '/docs/',
  '/docs/a/b',
  '/one',
  '/two/4',
  '/by-expression/12',
  '/by-expression/x',
  'http://host.example/v1/policy',
  '*',
];

function routed(prepare: (app: Express) => void): (url: string) => Promise<unknown> {
  const app = express();
  Object.assign(app.router, { caseSensitive: true });
  prepare(app);
  for (const path of ROUTES)
    app.get(path, ({ params }, response) => {
      (response as unknown as { found: (what: unknown) => void }).found([String(path), { ...params }]);
    });
  return (url) =>
    new Promise((found) => {
      const request = { url, method: 'GET' } as Request;
      app.router(request, { found } as unknown as Response, (error?: unknown) => found(error ? String(error) : null));
    });
}

describe('routes that are tried by their prefix', () => {
  const [plain, byPrefix] = [routed(() => undefined), routed(tryByPrefix)];

  it.each(PATHS)('find for "%s" what the router finds by itself', async (path) =>
    expect(await byPrefix(path)).toEqual(await plain(path)),
  );

  it('find each route at all', async () => {
    const found = await Promise.all(PATHS.map(byPrefix));
    const names = new Set(found.filter(Array.isArray).map(([name]) => String(name)));
    // The one in the middle is hidden by the parameter before it, also without prefixes.
    expect(ROUTES.map(String).filter((route) => !names.has(route))).toEqual(['/v1/subjects/mine/consent']);
  });
});
