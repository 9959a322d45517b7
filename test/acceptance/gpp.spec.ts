import { TC_STRING } from '../support/framework-strings.js';
import { startWorld, type Answer, type Ask, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

let count = 0;
const visitor = (): string => `visitor_id:${(++count).toString(16).padStart(2, '0')}9b3c6d27e84f10a5b7c6d8e9f0a1b2`;
const gpp = (subject: string, place: string, ask: Ask = {}): Promise<Answer> =>
  world.request('GET', `/v1/consent/gpp?subject=${encodeURIComponent(subject)}&${place}`, { key: 'pk', ...ask });
const explained = (string: string, kind = 'gpp', more = ''): Promise<Answer> =>
  world.request('GET', `/v1/consent/${kind}/decode?string=${encodeURIComponent(string)}${more}`, { key: 'sk' });
const parsed = ({ body }: Answer): Record<string, unknown> => (body.parsed as { usca: Record<string, unknown> }).usca;

describe('a GPP string', () => {
  test('is that of the state, follows a decision, and has an ETag that holds until something is said', async () => {
    const subject = visitor();
    const before = await gpp(subject, 'region=US-CA');
    expect(before).toMatchObject({ status: 200, body: { sectionIds: [8], applicableSections: [8], gpc: false } });
    expect(parsed(before)).toMatchObject({ SaleOptOutNotice: 1, SaleOptOut: 2, MspaCoveredTransaction: 2, Gpc: false });
    expect(before.headers['cache-control']).toBe('private, no-cache');
    await world.recorded({ subject, purpose: 'sale_of_data', decision: 'DENIED' });
    const after = await gpp(subject, 'region=US-CA&fresh=true');
    expect(parsed(after)).toMatchObject({ SaleOptOut: 1, SharingOptOut: 1 });
    const etag = after.headers['etag'] as string;
    expect(etag).not.toBe(before.headers['etag']);
    const again = await gpp(subject, 'region=US-CA&fresh=true', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await gpp(subject, 'region=US-VA&fresh=true', { headers: { 'If-None-Match': etag } })).body).toMatchObject({
      sectionIds: [9],
    });
  });

  test('tells the signal of the browser, and opts out where it binds', async () => {
    const ask = { headers: { 'Sec-GPC': '1' } };
    expect(parsed(await gpp(visitor(), 'region=US-CA', ask))).toMatchObject({ SaleOptOut: 1, Gpc: true });
    const { body } = await gpp(visitor(), 'region=US-UT', ask);
    expect(body).toMatchObject({ gpc: true, parsed: { usut: { SaleOptOut: 2 } } });
  });

  test('holds the TC string of Europe as it is, and nothing where no law asks for one', async () => {
    const subject = visitor();
    const { body } = await gpp(subject, 'country=DE');
    const { tcString } = (
      await world.request('GET', `/v1/consent/tcstring?subject=${encodeURIComponent(subject)}&country=DE`, {
        key: 'pk',
      })
    ).body;
    expect(body).toMatchObject({ sectionIds: [2], gppString: `DBABMA~${tcString as string}`, parsed: {} });
    expect((await gpp(subject, 'country=BR')).body).toMatchObject({ gppString: 'DBAA', sectionIds: [] });
  });
});

describe('what a string says', () => {
  test('is told in words, and compared with the state of today', async () => {
    const subject = visitor();
    const { gppString } = (await gpp(subject, 'region=US-CA')).body as { gppString: string };
    const about = `&subject=${encodeURIComponent(subject)}&region=US-CA`;
    expect((await explained(gppString, 'gpp', about)).body).toMatchObject({
      matches: true,
      differences: [],
      warnings: [],
    });
    expect((await explained(gppString)).body).toMatchObject({ matches: null, differences: [] });
    await world.recorded({ subject, purpose: 'sale_of_data', decision: 'DENIED' });
    const { body } = await explained(gppString, 'gpp', about);
    expect(body).toMatchObject({ object: 'explained_string', framework: 'GPP', matches: false });
    expect(body.differences).toEqual([
      {
        ...{ part: 'usca', field: 'SaleOptOut', said: '2', holds: '1' },
        text: 'Did not opt out of the sale of personal data. Today: Opted out of the sale of personal data.',
      },
    ]);
  });

  test('of a TC string names purposes and vendors by the list that it was made with', async () => {
    const subject = visitor();
    const about = `&subject=${encodeURIComponent(subject)}&country=DE`;
    const own = await world.request('GET', `/v1/consent/tcstring?subject=${encodeURIComponent(subject)}&country=DE`, {
      key: 'pk',
    });
    const { body } = await explained(own.body.tcString as string, 'tcstring', about);
    expect(body).toMatchObject({ framework: 'TCF', vendorListKnown: true, matches: true, warnings: [] });
    expect(JSON.stringify(body.says)).toMatch(/No consent to purpose 1 \(\w/);
    const foreign = (await explained(TC_STRING, 'tcstring', about)).body;
    expect(foreign).toMatchObject({ vendorListVersion: 15, vendorListKnown: false, matches: false });
    expect(JSON.stringify(foreign.differences)).toContain('"field":"PurposesConsent[1]","said":"1","holds":"0"');
  });

  test('of an older library is read by its length, with a warning', async () => {
    for (const string of [
      'DBABLA~BVQVAAAAAAGA.YA',
      'DBABLA~BVAoAAAAAABk.QA',
      'DBABrw~BAAAAAAAAABA.QA~BAAAAABA.QA',
      'DBABLA~CAAAAAAAAQA.QA',
    ]) {
      const { status, body } = await explained(string);
      expect([status, body.warnings]).toEqual([
        200,
        [expect.stringMatching(/^usnat: Version is [12], and the section/)],
      ]);
    }
  });

  test('is for servers, and what is no string is refused at its field', async () => {
    expect((await world.request('GET', '/v1/consent/gpp/decode?string=DBAA', { key: 'pk' })).body.code).toBe(
      'secret_key_required',
    );
    for (const [kind, string, path] of [
      ['gpp', 'DBABBg~BVW', 'string.usca.SensitiveDataProcessing[2]'],
      ['gpp', TC_STRING, 'string.header.Type'],
      ['tcstring', 'CO', 'string.core.Created'],
      ['tcstring', `C${'_'.repeat(7000)}`, 'string.core.ConsentLanguage'],
    ] as const) {
      const { status, body } = await explained(string, kind);
      expect([status, body.code]).toEqual([422, 'consent_string_invalid']);
      expect(body.issues).toMatchObject([{ path }]);
      expect(body.hint).toMatch(/\w{3}/);
    }
    expect((await explained('D'.repeat(8001))).body).toMatchObject({ code: 'validation_failed' });
  });
});
