import { announcement, showsSecrets, type Announced } from './announcement.js';

const demo = {
  url: 'http://127.0.0.1:4100',
  site: 'demo',
  publicKey: 'pk_test_public',
  secretKey: 'sk_test_secret',
  operatorToken: 'op_token',
  allowedOrigins: [],
};
const about: Announced = {
  url: demo.url,
  hasConsole: true,
  hasOutbox: true,
  data: 'your Postgres',
  demo,
  portalUrl: 'http://127.0.0.1:4100/portal/demo/test#token',
  operatorToken: 'op_token',
  showsSecrets: true,
  visitor: '7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90',
};
const secrets = /pk_test_public|sk_test_secret|op_token|#token/;

it.each([
  [true, true, undefined, true],
  [true, false, undefined, true],
  [false, true, undefined, true],
  [false, false, undefined, false],
  [false, false, 'development', false],
  [false, true, 'development', true],
  [true, true, 'production', false],
  [true, false, 'production', false],
  [false, true, 'production', false],
])('first start %s, to a terminal %s, NODE_ENV %s: keys are printed: %s', (isFirst, toTerminal, nodeEnv, shown) => {
  expect(showsSecrets({ isFirst, toTerminal, nodeEnv })).toBe(shown);
});

it('shows keys, token and five lines, or none of them and where they are', () => {
  const shown = announcement(about);
  for (const secret of ['pk_test_public', 'sk_test_secret', 'op_token', '/portal/demo/test#token'])
    expect(shown).toContain(secret);
  expect(shown.split('\n').filter((line) => line.startsWith('curl '))).toHaveLength(5);
  const hidden = announcement({ ...about, showsSecrets: false });
  expect(hidden).not.toMatch(secrets);
  expect(hidden).not.toMatch(/^curl /m);
  expect(hidden).toContain('demo.json');
  expect(hidden).toContain('Assent is running at http://127.0.0.1:4100');
});

it('opens with the doors that there are, a line each', () => {
  const doors = (of: Announced): string[] =>
    [...announcement(of).matchAll(/^  http\S+:4100(\S+) {2,}\S.*$/gm)].map(([, path]) => path!);
  expect(doors(about)).toEqual(['/console', '/docs/banner', '/docs/guides']);
  expect(doors({ ...about, hasConsole: false, demo: null })).toEqual(['/docs/guides']);
});

it('shows the token alone where there is no demo site, and nothing where it works no longer', () => {
  const without = { ...about, demo: null, portalUrl: null };
  expect(announcement(without)).toContain('op_token');
  expect(announcement(without)).not.toMatch(/curl|public key/);
  expect(announcement({ ...without, operatorToken: null })).not.toMatch(secrets);
});
