import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readTcString } from '../support/bit-reader.js';
import { signIdentityToken } from '../support/identity-token.js';
import { purposeFile } from '../support/purposes.js';
import { newSite, type OwnSite } from '../support/sites.js';
import { startWorld, type Answer, type Ask, type World } from '../support/world.js';

/*
 * Bit by bit strings are held against the state in test/laws/frameworks.spec.ts. Here it is seen that HTTP answers them:
 * to whom, when an ETag holds, and what a site has to say first.
 */

let world: World;
let site: OwnSite;
beforeAll(async () => {
  world = await startWorld();
  site = await newSite(world);
  expect((await site.apply(CATALOGUE)).status).toBe(200);
});
afterAll(() => world?.stop());

const ads = (more: object = {}): object =>
  purposeFile('ads', {
    frameworks: { tcf: { purposes: [1, 3], specialFeatures: [] }, google: ['ad_storage'], us: [] },
    ...more,
  });
const STATISTICS = purposeFile('stats', {
  category: 'ANALYTICS',
  frameworks: { tcf: { purposes: [], specialFeatures: [] }, google: ['analytics_storage'], us: [] },
});
/** Of the synthetic list: 8 asks consent for 1, 3 and 4; 404 does not exist in Google's. */
const VENDORS = {
  vendors: [
    { key: 'eight', name: 'Eight', purposeKeys: ['ads'], frameworks: { tcf: 8 } },
    {
      key: 'every',
      name: 'Every',
      purposeKeys: ['ads'],
      frameworks: { tcf: 77 },
      restrictions: [{ purpose: 1, type: 'NOT_ALLOWED' }],
    },
    { key: 'left', name: 'Left', frameworks: { tcf: 333 } },
    { key: 'google', name: 'Google only', purposeKeys: ['stats'], frameworks: { google: 35 } },
  ],
};
const CATALOGUE = { purposes: [ads(), STATISTICS], vendors: VENDORS };

const asking = (name: string, subject: string, more = '', ask: Ask = {}): Promise<Answer> =>
  world.request('GET', `/v1/consent/${name}?subject=${encodeURIComponent(subject)}${more}`, {
    key: site.publicKey,
    ...ask,
  });
const fresh = (name: string, subject: string, more = '', ask: Ask = {}): Promise<Answer> =>
  asking(name, subject, `&fresh=true${more}`, ask);
const record = (subject: string, purpose: string, decision: string, more: object = {}): Promise<Answer> =>
  world.recorded({ subject, purpose, decision, ...more }, { key: site.secretKey });
const NAMES = ['tcstring', 'google-consent-mode', 'google-additional-consent'];

describe('the strings of somebody', () => {
  test('say nothing before anything was chosen, then what was chosen, and nothing again once it is withdrawn', async () => {
    const subject = world.visitor();
    const before = await asking('tcstring', subject, '&country=DE');
    expect(before).toMatchObject({
      status: 200,
      body: {
        gdprApplies: true,
        cmpId: 4095,
        cmpRegistered: false,
        vendorListSynthetic: true,
        segments: ['CORE', 'DISCLOSED_VENDORS', 'PUBLISHER_TC'],
        customPurposes: ['stats'],
      },
    });
    const nothing = readTcString(before.body.tcString as string);
    expect([nothing.core.purposeConsents, nothing.core.vendorConsents, nothing.disclosed]).toEqual([[], [], []]);

    await record(subject, 'ads', 'GRANTED', { vendors: [{ framework: 'TCF', id: 8, decision: 'DENIED' }] });
    await record(subject, 'stats', 'GRANTED');
    const [tc, mode, additional] = await Promise.all(NAMES.map((name) => fresh(name, subject, '&country=DE')));
    const said = readTcString(tc!.body.tcString as string);
    expect(said.core).toMatchObject({
      cmpId: 4095,
      isServiceSpecific: true,
      purposeConsents: [1, 3],
      vendorConsents: [77],
      restrictions: [{ purpose: 1, type: 0, vendors: [77] }],
    });
    expect([said.disclosed, said.publisher!.customConsents]).toEqual([[8, 77], [1]]);
    expect(mode!.body).toMatchObject({
      default: { ad_storage: 'denied', analytics_storage: 'denied' },
      update: { ad_storage: 'granted', analytics_storage: 'granted', ad_personalization: 'denied' },
      waitForUpdate: 500,
    });
    expect(mode!.body.region).toEqual(expect.arrayContaining(['DE', 'FR']));
    expect(additional!.body).toMatchObject({ addtlConsent: '2~35~dv.', providerListSynthetic: true });

    for (const purpose of ['ads', 'stats']) await record(subject, purpose, 'WITHDRAWN');
    const [none, denied, onlyTold] = await Promise.all(NAMES.map((name) => fresh(name, subject, '&country=DE')));
    const last = readTcString(none!.body.tcString as string);
    expect([last.core.purposeConsents, last.core.vendorConsents, last.disclosed]).toEqual([[], [], [8, 77]]);
    expect(denied!.body.update).toMatchObject({ ad_storage: 'denied', analytics_storage: 'denied' });
    expect(onlyTold!.body.addtlConsent).toBe('2~~dv.35');
  });

  test('have ETags that hold until something changes that they are made of', async () => {
    const subject = world.visitor();
    await record(subject, 'ads', 'GRANTED');
    for (const name of NAMES) {
      const { headers } = await fresh(name, subject);
      const ask = { headers: { 'If-None-Match': headers['etag'] as string } };
      const again = await fresh(name, subject, '', ask);
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
      expect((await fresh(name, subject, '&country=US', ask)).status).toBe(200);
    }
    const known = await fresh('tcstring', subject);
    const ask = { headers: { 'If-None-Match': known.headers['etag'] as string } };
    await record(subject, 'ads', 'GRANTED', { vendors: [{ framework: 'TCF', id: 77, decision: 'DENIED' }] });
    const changed = await fresh('tcstring', subject, '', ask);
    expect(changed.status).toBe(200);
    expect(readTcString(changed.body.tcString as string).core.vendorConsents).toEqual([8]);
  });

  test('say of the TC string what stands in it where a page asks for that, under an ETag of its own', async () => {
    const subject = world.visitor();
    await record(subject, 'ads', 'GRANTED', { vendors: [{ framework: 'TCF', id: 8, decision: 'DENIED' }] });
    const [plain, told] = await Promise.all(
      ['', '&format=tcdata'].map((more) => fresh('tcstring', subject, `&country=DE${more}`)),
    );
    const { tcData, ...beside } = told!.body;
    expect(beside).toEqual(plain!.body);
    expect(tcData).toMatchObject({
      tcString: plain!.body.tcString,
      tcfPolicyVersion: 5,
      cmpId: 4095,
      gdprApplies: true,
      isServiceSpecific: true,
      purpose: { consents: { 1: true, 2: false, 3: true }, legitimateInterests: {} },
      vendor: { disclosedVendors: { 7: false, 8: true, 77: true } },
      publisher: { customPurpose: { consents: {} }, restrictions: { 1: { 77: 0 } } },
    });
    expect((tcData as { vendor: { consents: object } }).vendor.consents).toMatchObject({ 8: false, 77: true });
    expect(told!.headers['etag']).not.toBe(plain!.headers['etag']);
    expect((await asking('tcstring', subject, '&format=xml')).body).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'format' }],
    });
  });

  test('are told as of an instant', async () => {
    const subject = world.visitor();
    const { body } = await record(subject, 'ads', 'GRANTED');
    await record(subject, 'ads', 'WITHDRAWN');
    const then = await asking('tcstring', subject, `&asOf=${body.givenAt as string}`);
    expect(readTcString(then.body.tcString as string).core.purposeConsents).toEqual([1, 3]);
  });

  test('are told to whoever is told the state, and to nobody else', async () => {
    const subject = `user_id:${site.site}`;
    await record(subject, 'ads', 'GRANTED');
    const token = signIdentityToken({ secretKey: site.secretKey, site: site.site, subject });
    for (const name of NAMES) {
      expect(await asking(name, subject)).toMatchObject({ status: 403, body: { code: 'identity_token_required' } });
      expect((await asking(name, subject, '', { headers: { 'Consent-Identity': token } })).status).toBe(200);
      const twice = await asking(name, world.visitor(), `&subject=${encodeURIComponent(subject)}`);
      expect(twice.status).toBe(400);
    }
  });
});

test('a string of `live` needs a consent tool that is registered, and then carries its id', async () => {
  const own = await newSite(world);
  await own.apply(CATALOGUE, 'live');
  const key = await own.key('sk', 'live');
  const ask = (): Promise<Answer> => asking('tcstring', world.visitor(), '', { key });
  const refused = await ask();
  expect(refused).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
  expect([refused.headers['retry-after'], refused.body.hint]).toEqual(['3600', expect.stringContaining('--tcf-cmp')]);
  for (const name of NAMES.slice(1)) expect((await asking(name, world.visitor(), '', { key })).status).toBe(200);
  await world.request('POST', '/admin/v1/sites', {
    key: 'operator',
    body: { site: own.site, name: 'Own', frameworks: { tcf: { cmpId: 300, cmpVersion: 4 } } },
  });
  const { body } = await ask();
  expect(body).toMatchObject({ cmpId: 300, cmpVersion: 4, cmpRegistered: true });
  expect(readTcString(body.tcString as string).core).toMatchObject({ cmpId: 300, cmpVersion: 4 });
});

test('the banner tells a page what strings say of the site, with an ETag that knows of it', async () => {
  const own = await newSite(world);
  const banner = async (key: string, etag = ''): Promise<Answer> =>
    world.request('GET', '/v1/banner?country=US&region=US-CA', { key, headers: { 'If-None-Match': etag } });
  const unset = { isServiceSpecific: true, cmpId: null, cmpVersion: null };
  const settled = { sections: [8], approach: 'STATE', mspa: { covered: false, mode: null } };
  const live = await own.key('pk', 'live');
  const before = await banner(live);
  expect(before.body).toMatchObject({ tcf: unset, gpp: settled });
  expect((await banner(own.publicKey)).body).toMatchObject({ tcf: { cmpId: 4095, cmpVersion: 1 }, gpp: settled });
  const etag = before.headers['etag'] as string;
  expect((await banner(live, etag)).status).toBe(304);
  await world.request('POST', '/admin/v1/sites', {
    key: 'operator',
    body: {
      site: own.site,
      name: 'Own',
      frameworks: {
        tcf: { cmpId: 300, cmpVersion: 4 },
        gpp: { approach: 'NATIONAL', mspa: { covered: true, mode: 'OPT_OUT' } },
      },
    },
  });
  const gpp = { sections: [7], approach: 'NATIONAL', mspa: { covered: true, mode: 'OPT_OUT' } };
  for (const key of [live, own.publicKey]) {
    const { status, body } = await banner(key, etag);
    expect(status).toBe(200);
    expect(body).toMatchObject({ tcf: { cmpId: 300, cmpVersion: 4, isServiceSpecific: true }, gpp });
    const { applicableSections } = (await asking('gpp', world.visitor(), '&country=US&region=US-CA', { key })).body;
    expect(applicableSections).toEqual(gpp.sections);
  }
});

test('a string changes with the catalogue, and so does its ETag', async () => {
  const own = await newSite(world);
  await own.apply(CATALOGUE);
  const subject = world.visitor();
  await world.recorded({ subject, purpose: 'ads', decision: 'GRANTED' }, { key: own.secretKey });
  const ask = (): Promise<Answer> => fresh('tcstring', subject, '', { key: own.secretKey });
  const before = await ask();
  await own.apply({ ...CATALOGUE, vendors: { vendors: [VENDORS.vendors[0]] } });
  const after = await ask();
  expect(readTcString(before.body.tcString as string).disclosed).toEqual([8, 77]);
  expect(readTcString(after.body.tcString as string).disclosed).toEqual([8]);
  expect(after.headers['etag']).not.toBe(before.headers['etag']);
});
