import { COMPOSITION } from '../../libs/composition/contexts.js';
import { startWorld, type Answer, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

/** Values of a path parameter, as they stand in the path. */
const ODD = [
  ...['%00', 'a%00b', '%00%00', '%01', '%0A', '%0D%0A', '%1B%5B2J', '%7F', '%C2%85', '%E2%80%A8', '%E2%80%AE'],
  ...['%EF%BF%BE', '%EF%BB%BF', '%F0%9F%98%80', '%D9%A1', '%20', '%25', '%25%30%30', '%2F', '%5C', '%3F', '%23', ';'],
  ...['..%2F..%2Fetc%2Fpasswd', "'%20or%201=1--", '%22', '%27', '%24%7B1%7D', '%3Cscript%3E', '*', '~'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'undefined',
    'NaN',
    '-1',
    '0',
    '01',
    '1e3',
    '1.0',
  ],
  ...[
    '9'.repeat(30),
    'x'.repeat(3_000),
    'subject:',
    ':',
    'mrg_',
    `mrg_${'0'.repeat(26)}`,
    'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2%00',
  ],
];
/** What no percent-decoding makes text of. */
const UNDECODABLE = ['%', '%zz', '%E0%A4', '%FF', '%C0%80', '%ED%A0%80', 'a%2'];

const WITH_PARAMETERS = COMPOSITION.operations.all.flatMap((operation) =>
  [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ ...operation, parameter: name! })),
);

/** The address of an operation with a value, as it is, for one parameter. */
function address(operation: (typeof WITH_PARAMETERS)[number], value: string): string {
  const { path, parameter } = operation;
  const described = 'pathParameters' in operation ? operation.pathParameters : {};
  const examples: Record<string, string> = {
    ref: 'user_id:somebody-of-odd-paths',
    code: 'validation_failed',
    asset: 'pages.css',
    id: '1',
    ...Object.fromEntries(Object.entries(described ?? {}).map(([name, { example }]) => [name, example])),
    site: world.demo.site,
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === parameter ? value : encodeURIComponent(examples[name]!),
  );
}

function ask(operation: (typeof WITH_PARAMETERS)[number], value: string): Promise<Answer> {
  const [body] = Object.values(operation.body?.examples ?? {});
  const key = operation.keys.includes('sk') ? 'sk' : 'operator';
  return world.request(operation.method, address(operation, value), { key, ...(body !== undefined && { body }) });
}

describe.each(WITH_PARAMETERS.map((operation) => [`${operation.id} {${operation.parameter}}`, operation] as const))(
  '%s',
  (_, operation) => {
    test('names nothing by odd bytes', async () => {
      const values = operation.parameter === 'ref' ? ODD.flatMap((odd) => [odd, `user_id:${odd}`]) : ODD;
      for (const value of values) {
        const { status, body } = await ask(operation, value);
        const outcome = [value.slice(0, 60), status, body?.code];
        // Every plain path below the console is the app, which knows its own screens.
        if (operation.id === 'getConsoleScreen')
          expect([value, status]).toEqual([value, /^[\w.-]+$/.test(value) ? 200 : 404]);
        // A reference is text of the caller's, which may be odd; it is read by its own rules.
        else if (operation.parameter === 'ref')
          expect([[200, 201, 400, 404, 422], outcome]).toEqual([expect.arrayContaining([status]), outcome]);
        else expect([[404, 422], outcome]).toEqual([expect.arrayContaining([status]), outcome]);
        if (/%0|%1B|%7F|%C2%85|%E2%80%A8/.test(value)) expect([value, status < 300]).toEqual([value, false]);
      }
    });

    test('refuses what is no percent-encoded text', async () => {
      for (const value of UNDECODABLE) {
        const { status, body } = await ask(operation, value);
        const expected = operation.parameter === 'ref' ? [400, 'subject_ref_invalid'] : [404, 'route_not_found'];
        expect([value, status, body?.code]).toEqual([value, ...expected]);
      }
    });
  },
);

test('no service has a path in other letters than it is declared in', async () => {
  expect((await world.request('GET', '/admin/v1/sites', { key: 'operator' })).status).toBe(200);
  // The start page has no letters in its path.
  for (const { method, path } of COMPOSITION.operations.all.filter(({ path }) => path !== '/')) {
    const other = path.replace(/\{\w+\}|[a-z]+/g, (part) => (part.startsWith('{') ? 'x' : part.toUpperCase()));
    const { status, body } = await world.request(method, other, { key: 'operator' });
    expect([other, status, body?.code]).toEqual([other, 404, 'route_not_found']);
  }
});

test('a cursor that holds odd bytes is no cursor of the list', async () => {
  const cursors = ['\u0000', 'a\u0000b', '\ud800'].map((text) =>
    Buffer.from(JSON.stringify([1, text])).toString('base64url'),
  );
  for (const cursor of cursors) {
    const { status, body } = await world.request('GET', `/admin/v1/sites?cursor=${cursor}`, { key: 'operator' });
    expect([status, body.code, body.issues[0]?.path]).toEqual([422, 'validation_failed', 'cursor']);
  }
});

test('a version is written in one way', async () => {
  expect((await world.request('GET', '/v1/purposes/analytics/versions/1')).status).toBe(200);
  for (const n of ['01', '001', '0', '1.0', '+1', '1e0', '%20', '1%20', '-1'])
    expect((await world.request('GET', `/v1/purposes/analytics/versions/${n}`)).status).toBe(404);
});
