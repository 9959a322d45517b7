import { answeredRequest, newDataRequest } from '../support/data-requests.js';
import { newEndpoint } from '../support/webhook-endpoints.js';
import { startWorld, type Answer, type World } from '../support/world.js';
import { until } from '../support/timing.js';

/* What operators see first: how each site is that they reach, and what needs them. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ own: true });
});
afterAll(() => world?.stop());

const SITE = 'demo';
const summary = (query = '', key = 'operator'): Promise<Answer> =>
  world.request('GET', `/admin/v1/summary${query}`, { key });

interface Place {
  site: string;
  env: string;
  needs: { what: string; count: number; link: string }[];
  [more: string]: unknown;
}
const places = async (query = '', key = 'operator'): Promise<Place[]> => {
  const { status, body } = await summary(query, key);
  expect(status).toBe(200);
  return body.places as Place[];
};
const ofTest = async (key = 'operator'): Promise<Place> => (await places(`?site=${SITE}&env=test`, key))[0]!;

const tokenOf = async (role: string, site: string, env: string): Promise<string> => {
  const body = { name: `${role} ${site} ${env}`, roles: [{ role, site, env }] };
  const answer = await world.request('POST', '/admin/v1/operator-tokens', { key: 'operator', body });
  expect(answer.status).toBe(201);
  return answer.body.token as string;
};

it('is of the sites and environments that the roles of the caller reach', async () => {
  const body = { site: 'other', name: 'Other' };
  await world.request('POST', '/admin/v1/sites', { key: 'operator', body });
  const seen = async (query: string, key: string) =>
    (await places(query, key)).map(({ site, env }) => `${site}/${env}`);
  await until(async () => (await seen('', 'operator')).includes('other/live'));
  expect(await seen('', 'operator')).toEqual(['demo/test', 'demo/live', 'other/test', 'other/live']);
  expect(await seen('?site=other', 'operator')).toEqual(['other/test', 'other/live']);
  expect(await seen('', await tokenOf('VIEWER', 'other', 'live'))).toEqual(['other/live']);
  expect(await seen('', await tokenOf('SUPPORT', '*', 'test'))).toEqual(['demo/test', 'other/test']);
  expect(await seen(`?site=${SITE}`, await tokenOf('VIEWER', 'other', '*'))).toEqual([]);
});

it('counts from rows what there is, and names what needs the caller where he may look at it', async () => {
  await answeredRequest(world);
  await newDataRequest(world, 'rejectDataRequest');
  await newEndpoint(world);
  await until(async () => ((await ofTest())['requests'] as { open: number }).open > 0);
  const counts = await world.request('GET', `/admin/v1/sites/${SITE}/test/data-requests/counts`, { key: 'operator' });
  const { requests, endpoints, lagSeconds } = await ofTest();
  const { open, overdue, dueWithin7Days } = counts.body;
  expect(requests).toEqual({ open, overdue, dueWithin7Days });
  expect(endpoints).toEqual({ failing: 0, behind: expect.any(Number) });
  expect(lagSeconds).toEqual(expect.any(Number));
});

it('has a share of grants of what the statistics show, and the grants that end soon for those who may see persons', async () => {
  const key = 'ends_soon';
  const purpose = {
    key,
    legalBasis: 'CONSENT',
    consentModel: 'OPT_IN',
    category: 'ANALYTICS',
    controller: { name: 'Shop', contact: 'privacy@shop.example' },
    defaultLocale: 'en',
    validityDays: 20,
    translations: { en: { name: 'Statistics', description: 'Counts visits.' } },
  };
  const path = `/admin/v1/sites/${SITE}/test/catalogue`;
  expect((await world.request('POST', path, { key: 'operator', body: { purposes: [purpose] } })).status).toBe(200);
  const records = Array.from({ length: 40 }, (_, i) => ({
    subject: world.visitor(),
    purpose: key,
    decision: i < 30 ? 'GRANTED' : 'DENIED',
  }));
  const { headers } = await world.request('POST', '/v1/consent/batch', { key: 'sk', body: { records } });
  await world.caughtUp(headers['x-log-position'] as string);
  const mine = await ofTest();
  expect(mine['grants']).toEqual({ share: 0.75, before: null, days: 30 });
  expect(mine['renewals']).toBe(30);
  expect(mine.needs).toContainEqual({ what: 'RENEWALS', count: 30, link: '/console/demo/test/purposes' });
  expect(mine['lastPublished']).toContainEqual({
    what: 'purpose',
    key,
    action: 'PUBLISH',
    version: 1,
    at: expect.any(String),
    by: expect.stringMatching(/^operator:/),
  });
  const seenByViewer = await ofTest(await tokenOf('VIEWER', SITE, 'test'));
  expect(seenByViewer['grants']).toEqual(mine['grants']);
  expect(seenByViewer['renewals']).toBeNull();
  expect(seenByViewer.needs.filter(({ what }) => what !== 'DRAFT_FOR_APPROVAL')).toEqual([]);
});

it('names a draft that waits for another operator, until it is published or discarded', async () => {
  const ask = { key: 'operator' };
  const site = 'four-eyes';
  await world.request('POST', '/admin/v1/sites', { ...ask, body: { site, name: site } });
  const catalogue = `/admin/v1/sites/${site}/test/catalogue`;
  const settings = { owner: 'CONSOLE', approval: 'FOUR_EYES' };
  await world.request('PATCH', `${catalogue}/settings`, { ...ask, body: settings });
  const save = async () => {
    const { headers } = await world.request('GET', `${catalogue}/draft`, ask);
    const body = { purposes: [] };
    return world.request('PUT', `${catalogue}/draft`, {
      ...ask,
      headers: { 'If-Match': headers['etag'] as string },
      body,
    });
  };
  const drafts = async () =>
    (await places(`?site=${site}&env=test`))[0]?.needs.filter(({ what }) => what === 'DRAFT_FOR_APPROVAL') ?? [];
  expect(await drafts()).toEqual([]);
  const saved = await save();
  expect(saved.status).toBe(200);
  await until(async () => (await drafts()).length > 0);
  expect(await drafts()).toEqual([{ what: 'DRAFT_FOR_APPROVAL', count: 1, link: '/console/four-eyes/test/purposes' }]);
  const tag = saved.body.tag as string;
  await world.request('DELETE', `${catalogue}/draft`, { ...ask, headers: { 'If-Match': tag } });
  await until(async () => (await drafts()).length === 0);
});

it('refuses what is no environment', async () => {
  expect((await summary('?env=prod')).body.code).toBe('validation_failed');
});
