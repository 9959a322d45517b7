import { DELIVERY_CONTRACT } from '../../libs/webhooks/deliveries/delivery-contract.js';
import type { Envelope } from '../../libs/webhooks/envelope.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { until } from '../support/double-opt-in.js';
import { purposeFile } from '../support/purposes.js';
import { newSite } from '../support/sites.js';
import { newEmail } from '../support/subjects.js';
import { newEndpoint } from '../support/webhook-endpoints.js';
import { announcedIn, faultOf } from '../support/webhook-events.js';
import { startWorld, type Answer, type World } from '../support/world.js';

/* What receivers of webhooks are promised, and what they will be told of all that this suite does. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

const post = async (path: string, body: object, key = 'sk'): Promise<Answer['body']> => {
  const { status, text, body: answered } = await world.request('POST', path, { key, body });
  if (status >= 300) throw new Error(`${path}: ${text}`);
  return answered;
};

describe('the catalogue of webhook events', () => {
  it.each(['pk', 'sk'])('is read with any key: %s', async (key) => {
    const { status, body, headers } = await world.request('GET', '/v1/webhook-events', { key });
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
    expect(body.delivery).toEqual(DELIVERY_CONTRACT);
    const types = (body.events as { type: string }[]).map(({ type }) => type);
    // Section by section, what the interface names.
    expect(types).toEqual([
      ...['api_key.revoked', 'api_key.rotated', 'banner.published', 'consent.denied', 'consent.expired'],
      ...['consent.granted', 'consent.recorded', 'consent.renewal_required', 'consent.withdrawn'],
      ...['data_request.completed', 'data_request.due_soon', 'data_request.extended', 'data_request.overdue'],
      ...['data_request.received', 'data_request.rejected', 'data_request.verified', 'policy.published'],
      ...['preference.confirmation_expired', 'preference.confirmed', 'preference.pending', 'preference.updated'],
      ...['purpose.published', 'purpose.retired', 'receipt.issued', 'subject.created', 'subject.erased'],
      ...['subject.identifier_added', 'subject.merge_reverted', 'subject.merged', 'template.published'],
      ...['vendor_list.updated', 'webhook.endpoint_disabled', 'webhook.test'],
    ]);
    const again = await world.request('GET', '/v1/webhook-events', {
      key,
      headers: { 'If-None-Match': String(headers.etag) },
    });
    expect(again.status).toBe(304);
  });
});

/** Does each thing once that receivers are told of; answers the site. */
async function everything(): Promise<string[]> {
  const { site, publicKey, apply, key } = await newSite(world);
  const { banner } = (await world.request('GET', '/admin/v1/sites/demo/test/catalogue', { key: 'operator' })).body;
  const terms = (text: string) => ({ translations: { en: { name: 'Ads', description: text } } });
  const policies = [{ country: 'DE', changes: { refusalCooldownDays: 400 }, who: 'Board', why: 'Decided.' }];
  const template = {
    defaultLocale: 'en',
    channels: [{ key: 'email', label: { en: 'E-mail' }, verification: 'EMAIL' }],
    sections: [
      {
        key: 'all',
        title: { en: 'All' },
        fields: [{ key: 'news', kind: 'TOGGLE', label: { en: 'News' }, channel: 'email', topic: 'news' }],
      },
    ],
  };
  const first = { purposes: [purposeFile('ads', terms('First.'))], banner, template, policies: { policies } };
  expect((await apply(first)).body).toMatchObject({ published: true });
  const material = { change: { kind: 'MATERIAL', summary: 'More.' }, ...terms('More.') };
  for (const more of [material, { status: 'RETIRED', ...material }])
    expect((await apply({ purposes: [purposeFile('ads', more)] })).body).toMatchObject({ published: true });
  const keyId = `key_${publicKey.slice(8, 20)}`;
  await post(`/admin/v1/sites/${site}/keys/${keyId}/rotate`, {}, 'operator');
  const other = await key('pk', 'test');
  await post(`/admin/v1/sites/${site}/keys/key_${other.slice(8, 20)}/revoke`, {}, 'operator');

  const [ada, bob] = [`email:${newEmail()}`, `email:${newEmail()}`];
  const decide = (decision: string, more: object = {}) =>
    post('/v1/consent', { subject: ada, purpose: 'analytics', decision, ...more });
  for (const decision of ['DENIED', 'GRANTED', 'WITHDRAWN']) await decide(decision);
  const ranOut = { givenAt: '2020-01-01T00:00:00.000Z', expiresAt: '2020-06-01T00:00:00.000Z', source: 'IMPORT' };
  await post('/v1/consent', { subject: bob, purpose: 'analytics', decision: 'GRANTED', ...ranOut });
  await post(`/v1/subjects/${encodeURIComponent(bob)}/identifiers`, { kind: 'user_id', value: `u-${newEmail()}` });
  const set = (value: boolean) =>
    post('/v1/preferences', { subject: ada, channel: 'email', values: [{ field: 'news', value }] });
  await set(true);
  const asked = await post('/v1/preferences/confirmation-token', {
    subject: ada,
    channel: 'email',
    values: [{ field: 'news', value: true }],
    redirectUrl: 'https://demo.example/thanks',
  });
  await world.request('POST', '/v1/preferences/confirm', { key: null, body: { token: asked.token as string } });
  await set(false);
  const due = (type: string, days: number): Promise<Answer['body']> => {
    const receivedAt = new Date(Date.now() - days * 86_400_000).toISOString();
    return post('/v1/data-requests', { subject: bob, type, receivedAt, jurisdiction: { country: 'TR' } });
  };
  const request = async (id: unknown, verb: string, body: object = {}): Promise<Answer['body']> =>
    post(`/v1/data-requests/${String(id)}/${verb}`, body);
  await due('COMPLAINT', 40);
  await due('APPEAL', 25);
  const { id: wanted } = await post('/v1/data-requests', {
    subject: bob,
    type: 'ACCESS',
    jurisdiction: { country: 'DE' },
  });
  for (const verb of ['verify', 'extend', 'complete']) await request(wanted, verb);
  const { id: unwanted } = await due('PORTABILITY', 0);
  await request(unwanted, 'reject', { reasonCode: 'NO_MATCH' });
  const { mergeId } = await post('/v1/subjects/merge', { sources: [bob], target: ada });
  await post(`/v1/subjects/merge/${mergeId as string}/revert`, {});
  await post(`/v1/subjects/${encodeURIComponent(ada)}/erase`, {});
  await post(`/v1/webhook-endpoints/${await newEndpoint(world)}/test`, {});
  return [site, world.demo.site];
}

describe('what webhooks will tell', () => {
  it('is of every type once each thing has happened, and of all that this suite did as the schemas say', async () => {
    const sites = await everything();
    const told = (): Promise<Envelope[]> => announcedIn(world.databaseUrl!);
    // What ran out is recorded a moment later.
    const all = await until(async () => {
      const so = await told();
      const late = ['consent.expired', 'data_request.due_soon', 'data_request.overdue'];
      const isTold = (wanted: string) => so.some(({ type, site }) => type === wanted && sites.includes(site));
      return late.every(isTold) ? so : undefined;
    });
    expect(all.flatMap((envelope) => faultOf(envelope) ?? [])).toEqual([]);
    const types = new Set(all.filter(({ site }) => sites.includes(site)).map(({ type }) => type));
    // A link that runs out is tried in double-opt-in.spec.ts, a receiver that is gone in webhook-deliveries.spec.ts.
    const elsewhere = ['preference.confirmation_expired', 'webhook.endpoint_disabled', 'vendor_list.updated'];
    const wanted = COMPOSITION.webhooks.names.filter((type) => !elsewhere.includes(type));
    expect(wanted.filter((type) => !types.has(type))).toEqual([]);
  });

  it('has an id of its own each time, and a sequence that grows', async () => {
    const all = await announcedIn(world.databaseUrl!);
    const ofOne = all.filter(({ site, environment }) => site === world.demo.site && environment === 'test');
    expect(new Set(ofOne.map(({ id }) => id)).size).toBe(ofOne.length);
    ofOne.forEach(({ sequence }, i) => expect(sequence).toBeGreaterThan(ofOne[i - 1]?.sequence ?? -1));
  });
});
