import { isOwnPage, mayUseOnOwnPage, ownOrigins } from './own-pages.js';

describe('the origins of the service itself', () => {
  it.each([
    ['https://consent.example.com', ['https://consent.example.com']],
    ['https://shop.example/consent', ['https://shop.example']],
    ['http://10.0.0.5:4100', ['http://10.0.0.5:4100']],
    ['http://127.0.0.1:4100', ['http://localhost:4100', 'http://127.0.0.1:4100', 'http://[::1]:4100']],
    ['http://localhost', ['http://localhost', 'http://127.0.0.1', 'http://[::1]']],
    ['http://localhost.example:4100', ['http://localhost.example:4100']],
  ])('at %s are %j', (publicUrl, origins) => expect([...ownOrigins(publicUrl)]).toEqual(origins));
});

describe('a page of the service itself', () => {
  const own = ownOrigins('https://consent.example.com');
  const ORIGIN = 'https://consent.example.com';

  it.each([
    [{ origin: ORIGIN, 'sec-fetch-site': 'same-origin' }, true],
    // Of a browser that does not say it: an old one, or on plain http.
    [{ origin: ORIGIN }, true],
    [{ origin: ORIGIN, 'sec-fetch-site': 'same-site' }, false],
    [{ origin: ORIGIN, 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: ORIGIN, 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, false],
    [{ origin: 'http://consent.example.com' }, false],
    [{ origin: `${ORIGIN}:8443` }, false],
    [{ origin: 'null' }, false],
    [{ 'sec-fetch-site': 'same-origin' }, false],
  ])('follows from %j: %s', (headers, expected) => expect(isOwnPage(headers, own)).toBe(expected));

  it.each([
    ['pk', 'test', true],
    ['pk', 'live', true],
    ['sk', 'test', true],
    ['sk', 'live', false],
  ] as const)('may use a key %s of %s: %s', (type, env, expected) =>
    expect(mayUseOnOwnPage({ type, env })).toBe(expected),
  );
});
