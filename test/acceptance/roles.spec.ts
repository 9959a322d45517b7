import { startWorld, type Answer, type World } from '../support/world.js';

/*
 * What each role may do, tried: every operation of operators, called with every role in both environments, and with
 * ADMIN of another site. What is expected follows from the document that the service serves.
 */

const ROLES = ['VIEWER', 'SUPPORT', 'EDITOR', 'PRIVACY', 'DEVELOPER', 'AUDITOR', 'ADMIN'];
const ENVIRONMENTS = ['test', 'live'] as const;
type Env = (typeof ENVIRONMENTS)[number];
type Held = { role: string; site: string; env: Env | '*' };

interface Called {
  id: string;
  method: string;
  path: string;
  roles: string[];
}

let world: World;
let operations: Called[];
beforeAll(async () => {
  world = await startWorld();
  operations = Object.entries(world.document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod as Record<string, { operationId: string; 'x-roles'?: string[] }>).flatMap(
      ([method, { operationId: id, 'x-roles': roles }]) =>
        roles ? [{ id, method: method.toUpperCase(), path, roles }] : [],
    ),
  );
});
afterAll(() => world?.stop());

const tokenFor = async (...roles: Held[]): Promise<string> => {
  const { status, body, text } = await world.request('POST', '/admin/v1/operator-tokens', {
    key: 'operator',
    body: { name: 'tries', roles },
  });
  if (status !== 201) throw new Error(text);
  return body.token as string;
};

/** Bodies by which the environment of a call is known. */
const NAMES_ENVIRONMENT: Record<string, (env: Env) => object> = {
  issueKey: (env) => ({ type: 'pk', env, name: 'of a role' }),
  changeOrigins: (env) => ({ env, add: [] }),
};
const NAMES_KEY = ['rotateKey', 'revokeKey'];

/** Whether a role may call an operation about an environment of the site of this world, by the document alone. */
function mayCall({ id, method, path, roles }: Called, held: Held, env: Env): boolean {
  const here = (each: Env): boolean =>
    (held.env === '*' || held.env === each) && (roles.includes(held.role) || roles.includes(`${held.role}:${each}`));
  const isOpen = (method === 'GET' && roles.length > 1) || id === 'signOut';
  const isOfSite = held.site === '*' || held.site === world.demo.site;
  if (!path.includes('{site}') && !isOpen) return held.site === '*' && ENVIRONMENTS.every(here);
  if (path.includes('{site}') && !isOfSite) return false;
  if (path.includes('{env}') || id in NAMES_ENVIRONMENT || NAMES_KEY.includes(id)) return here(env);
  return isOpen ? ENVIRONMENTS.some(here) : ENVIRONMENTS.every(here);
}

/** Calls it in a way that does no harm: ids that nothing has, and no body that means anything. */
function call({ id, method, path }: Called, token: string, env: Env, keyId: string): Promise<Answer> {
  const at = path
    .replace('{site}', world.demo.site)
    .replace('{env}', env)
    .replace('{id}', NAMES_KEY.includes(id) ? keyId : 'none')
    .replace(/\{\w+\}/g, 'none');
  const body = NAMES_ENVIRONMENT[id]?.(env) ?? (NAMES_KEY.includes(id) ? { reason: 'tried' } : 'nothing');
  return world.request(method, at, { key: token, ...(method === 'GET' ? {} : { body }) });
}

test('the guard lets each role call what the document says, in the environments of its site, and nothing else', async () => {
  expect(operations.length).toBeGreaterThan(40);
  const keys = Object.fromEntries(
    await Promise.all(
      ENVIRONMENTS.map(async (env) => {
        const { body } = await world.request('POST', `/admin/v1/sites/${world.demo.site}/keys`, {
          key: 'operator',
          body: { type: 'pk', env, name: 'of a role' },
        });
        return [env, body.id as string];
      }),
    ),
  ) as Record<Env, string>;
  const { site } = world.demo;
  const holders: Held[] = [
    ...ROLES.flatMap((role) => ENVIRONMENTS.map((env) => ({ role, site, env }))),
    // Of what holds for several sites or environments, the least and the most.
    ...['VIEWER', 'ADMIN'].flatMap((role) => [site, '*'].map((site) => ({ role, site, env: '*' as const }))),
    { role: 'ADMIN', site: 'elsewhere', env: '*' },
  ];
  const wrong: string[] = [];
  for (const held of holders) {
    const token = await tokenFor(held);
    for (const operation of operations)
      for (const env of operation.path.includes('{site}') ? ENVIRONMENTS : (['test'] as const)) {
        const { status, body } = await call(operation, token, env, keys[env]);
        const isMissing = status === 403 && body.code === 'role_missing';
        if (isMissing === mayCall(operation, held, env))
          wrong.push(`${operation.id} in ${env} by ${JSON.stringify(held)}: ${status} ${body?.code}`);
      }
  }
  expect(wrong).toEqual([]);
});

test('the refusal names the roles that could, and the list of roles says the same as the document', async () => {
  const token = await tokenFor({ role: 'VIEWER', site: world.demo.site, env: '*' });
  const refused = await world.request('POST', `/admin/v1/sites/${world.demo.site}/live/catalogue`, {
    key: token,
    body: {},
  });
  expect(refused.body).toMatchObject({
    code: 'role_missing',
    hint: expect.stringContaining('EDITOR, PRIVACY, DEVELOPER, ADMIN'),
  });
  const { body } = await world.request('GET', '/admin/v1/roles', { key: token });
  const listed = body.data as { role: string; operations: string[]; operationsInTest: string[] }[];
  expect(listed.map(({ role }) => role)).toEqual(ROLES);
  for (const { role, operations: ids, operationsInTest } of listed) {
    expect([...ids].sort()).toEqual(
      operations
        .filter(({ roles }) => roles.includes(role))
        .map(({ id }) => id)
        .sort(),
    );
    expect([...operationsInTest].sort()).toEqual(
      operations
        .filter(({ roles }) => roles.includes(`${role}:test`))
        .map(({ id }) => id)
        .sort(),
    );
  }
});

test('lists answer what the roles reach', async () => {
  const here = await tokenFor({ role: 'DEVELOPER', site: world.demo.site, env: 'test' });
  const elsewhere = await tokenFor({ role: 'VIEWER', site: 'elsewhere', env: '*' });
  const sitesOf = async (key: string): Promise<string[]> =>
    (await world.request('GET', '/admin/v1/sites', { key })).body.data.map(({ site }: { site: string }) => site);
  expect([await sitesOf(here), await sitesOf(elsewhere)]).toEqual([[world.demo.site], []]);
  const keys = await world.request('GET', `/admin/v1/sites/${world.demo.site}/keys`, { key: here });
  expect(new Set(keys.body.data.map(({ env }: { env: string }) => env))).toEqual(new Set(['test']));
});
