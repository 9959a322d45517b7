import { describe, expect, it } from '@jest/globals';
import type { Environment } from '../../kernel/index.js';
import { unlistedHint } from './explain.js';
import { NotedOnce } from './noted-once.js';
import { isLocalOrigin } from './origin.js';
import { DEFAULT_SETTINGS, type KeyState, type SiteState } from '../state.js';

const AT = '2026-11-21T12:00:00.000Z';
const key = (env: Environment, more: Partial<KeyState> = {}): KeyState =>
  ({
    keyId: `key_${env}`,
    type: 'pk',
    env,
    allowedOrigins: null,
    revokedAt: null,
    expiresAt: null,
    ...more,
  }) as KeyState;
const site = (name: string, keys: KeyState[], domains: string[] = []): SiteState => ({
  site: name,
  settings: { ...DEFAULT_SETTINGS, domains },
  keys: new Map(keys.map((one, i) => [`${i}`, one])),
});

describe('what an operator reads of a page that asks before it may call', () => {
  const add = (origin: string, name: string, env: string): string =>
    `assent sites origins add ${origin} --site ${name} --env ${env}`;

  it('is the command for the only site, in each environment that has a public key', () => {
    expect(unlistedHint('https://shop.example', [site('shop', [key('live')])], AT)).toBe(
      `An operator allows its pages with: ${add('https://shop.example', 'shop', 'live')}`,
    );
    expect(unlistedHint('https://shop.example', [site('shop', [key('live'), key('test')])], AT)).toContain(
      `${add('https://shop.example', 'shop', 'test')}  or: ${add('https://shop.example', 'shop', 'live')}`,
    );
  });

  it('is the command for the site whose domain the page is on', () =>
    expect(
      unlistedHint(
        'https://www.shop.example',
        [site('blog', [key('live')], ['blog.example']), site('shop', [key('live')], ['*.shop.example'])],
        AT,
      ),
    ).toBe(`An operator allows its pages with: ${add('https://www.shop.example', 'shop', 'live')}`));

  it('names no environment that cannot list the origin', () =>
    expect(unlistedHint('http://stage.example', [site('shop', [key('live'), key('test')])], AT)).toBe(
      `An operator allows its pages with: ${add('http://stage.example', 'shop', 'test')}`,
    ));

  it.each([
    ['no key of the site reaches', [site('shop', [])]],
    ['only a revoked key would reach', [site('shop', [key('live', { revokedAt: AT })])]],
    ['only a key with a list of its own would reach', [site('shop', [key('live', { allowedOrigins: [] })])]],
    ['only secret keys are issued', [site('shop', [key('live', { type: 'sk' })])]],
    ['several sites can be meant', ['a', 'b', 'c', 'd'].map((name) => site(name, [key('live')]))],
  ])('leaves the site open where %s', (_, sites) =>
    expect(unlistedHint('https://shop.example', sites, AT)).toBe(
      `An operator allows its pages with: ${add('https://shop.example', '<site>', '<env>')}`,
    ),
  );

  it('says that a page without an origin cannot be allowed, and nothing of what is no origin', () => {
    expect(unlistedHint('null', [], AT)).toContain('serve it from an address of its own');
    for (const text of ['', '*', 'shop.example', 'https://shop.example/', 'https://a.example; rm -rf /', 'file://x'])
      expect(unlistedHint(text, [], AT)).toBeNull();
  });
});

it.each([
  ['http://localhost:5173', true],
  ['https://localhost', true],
  ['http://127.0.0.1:1', true],
  ['http://[::1]:65535', true],
  ['http://127.0.0.2:80', false],
  ['http://localhost.evil.example', false],
  ['http://sub.localhost:3000', false],
  ['http://LOCALHOST:3000', false],
  ['http://localhost:3000/', false],
  ['null', false],
])('%s is a page of this machine: %s', (origin, isLocal) => expect(isLocalOrigin(origin)).toBe(isLocal));

it('notes a thing once, and at most a hundred things a minute, however many a caller makes up', () => {
  const lines: object[] = [];
  const noted = new NotedOnce({ warn: (details) => void lines.push(details) });
  for (let round = 0; round < 2; round++)
    for (let i = 0; i < 150; i++) noted.warn(`https://${i}.example`, { i }, 'it wants to call');
  expect(lines).toEqual(Array.from({ length: 100 }, (_, i) => ({ i })));
});
