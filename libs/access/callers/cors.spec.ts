import { preflight, type Preflight } from './cors.js';
import { OperationTable } from '../operation-table.js';
import {
  BY_ANY_KEY,
  BY_ANYBODY,
  BY_OPERATOR,
  BY_SECRET_KEY,
  REF_IN_PATH,
  type OperationDeclaration,
} from '../../context/operations.js';

const reading = { method: 'GET', scope: 'consent:read', subject: REF_IN_PATH } as const;
const consent: OperationDeclaration = { ...BY_ANY_KEY, ...reading, id: 'state', path: '/v1/subjects/{ref}/consent' };
const operations = [
  consent,
  { ...BY_SECRET_KEY, ...reading, id: 'history', path: '/v1/subjects/{ref}/consent/history' },
  { ...BY_ANY_KEY, id: 'record', method: 'POST', path: '/v1/consent', scope: 'consent:write', subject: null },
  { ...BY_ANY_KEY, id: 'batch', method: 'POST', path: '/v1/consent/batch', scope: 'consent:write', subject: null },
  { ...BY_OPERATOR, roles: [], id: 'listSites', method: 'GET', path: '/admin/v1/sites' },
  { ...BY_OPERATOR, roles: [], id: 'registerSite', method: 'POST', path: '/admin/v1/sites' },
  { ...BY_ANYBODY, id: 'livez', path: '/livez' },
  { ...BY_ANYBODY, id: 'openapi', path: '/openapi.json', anyOrigin: true },
] as const satisfies OperationDeclaration[];
const table = new OperationTable(operations);

const PAGE = 'https://shop.example';
const OWN =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Consent-Identity, X-Log-Position, X-Request-Id, Cache-Control';
const asked = (more: Partial<Preflight> = {}): Preflight => ({
  origin: PAGE,
  wanted: undefined,
  isOpen: false,
  isListed: true,
  ...more,
});

describe('a preflight', () => {
  it('is answered with the methods of the path for an origin that a site lists', () => {
    expect(preflight(table.at('/v1/consent'), asked())).toEqual({
      Vary: 'Origin, Access-Control-Request-Headers',
      'Access-Control-Allow-Origin': PAGE,
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': OWN,
      'Access-Control-Max-Age': '7200',
    });
    expect(preflight(table.at('/v1/subjects/visitor_id%3Aabc/consent'), asked())).toHaveProperty(
      'Access-Control-Allow-Methods',
      'GET',
    );
  });

  const allowed = (wanted: string, more: Partial<Preflight> = {}): string | undefined =>
    preflight(table.at('/v1/consent'), asked({ wanted, ...more }))?.['Access-Control-Allow-Headers'];

  it('allows what scripts that watch a page add, once each, beside what the interface has', () => {
    const names = 'baggage, sentry-trace, traceparent, tracestate, x-datadog-origin, newrelic, x_y~z!#$%&*+.^`|';
    expect(allowed(`authorization,content-type,${names.replaceAll(' ', '')},baggage`)).toBe(`${OWN}, ${names}`);
    expect(allowed(Array.from({ length: 64 }, (_, i) => `x-${i}`).join(','))).toContain('x-63');
  });

  it.each([
    ['an empty name', 'traceparent,,baggage'],
    ['a name with a space', 'trace parent'],
    ['a line break', 'traceparent\r\nSet-Cookie'],
    ['a quoted name', '"traceparent"'],
    ['a letter that is none of ASCII', 'träceparent'],
    ['more names than any page sends', Array.from({ length: 65 }, (_, i) => `x-${i}`).join(',')],
    ['a name longer than any', `x${'-'.repeat(2048)}`],
  ])('allows what the interface has, and no more, where it asks for %s', (_, wanted) =>
    expect(allowed(wanted)).toBe(OWN),
  );

  it('of an origin that no site lists gives nothing but Vary, whatever it asks for', () => {
    for (const origin of [undefined, 'null', '*', 'https://evil.example'])
      expect(
        preflight(table.at('/v1/consent'), asked({ origin, isListed: false, wanted: 'authorization,baggage' })),
      ).toEqual({ Vary: 'Origin' });
  });

  it('is answered to every origin where all may read', () => {
    const at = table.at('/openapi.json');
    expect(preflight(at, asked({ isOpen: true, isListed: false, wanted: 'traceparent' }))).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET',
      'Access-Control-Allow-Headers': `${OWN}, traceparent`,
    });
    expect(preflight(at, asked({ isOpen: true }))).toHaveProperty('Access-Control-Allow-Origin', PAGE);
  });

  it('is not answered where pages may not call', () => {
    for (const path of [
      '/v1/subjects/x/consent/history',
      '/admin/v1/sites',
      '/livez',
      '/nowhere',
      '/v1/consent/batch/more',
      '/v1/subjects/a/b/consent',
    ]) {
      expect(preflight(table.at(path), asked())).toBeNull();
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
  it('reads no body without a contract, and has no contract for a body that is not read', () => {
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
