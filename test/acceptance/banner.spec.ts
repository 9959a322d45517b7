import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assent } from '../support/command-line.js';
import { purposeFile } from '../support/purposes.js';
import { newSite } from '../support/sites.js';
import { keysOfDemo, startWorld, type Answer, type Ask, type DemoKeys, type World } from '../support/world.js';

let world: World;
let demo: DemoKeys;
beforeAll(async () => {
  world = await startWorld();
  demo = keysOfDemo(world);
});
afterAll(() => world?.stop());

const get = (query = '', ask: Ask = {}): Promise<Answer> =>
  world.request('GET', `/v1/banner${query}`, { key: demo.publicKey, ...ask });

describe('the banner of the demo site', () => {
  it.each([
    ['DE', '?country=DE', 'OPT_IN', ['ACCEPT_ALL', 'REJECT_ALL', 'CUSTOMIZE']],
    ['California', '?country=US&region=US-CA', 'OPT_OUT', ['ACKNOWLEDGE', 'DO_NOT_SELL', 'CUSTOMIZE']],
    ['no place', '', 'OPT_IN', ['ACCEPT_ALL', 'REJECT_ALL', 'CUSTOMIZE']],
  ])('for %s is what its policy asks for', async (_, query, presentation, actions) => {
    const { status, body, headers, text } = await get(query);
    expect([status, headers['content-language']]).toEqual([200, 'en']);
    expect(body).toMatchObject({ object: 'banner', version: 1, presentation, direction: 'LTR' });
    const first = (body.buttons as { action: string; layer: number }[]).filter(({ layer }) => layer === 1);
    expect(first.map(({ action }) => action)).toEqual(actions);
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    const policy = await world.request('GET', `/v1/policy${query}`, { key: demo.publicKey });
    expect(body.policy).toEqual(policy.body);
  });

  it('holds the purposes in force, with what is true of each without a choice', async () => {
    const { body } = await get('?country=DE&locale=de-AT');
    expect(body).toMatchObject({ locale: 'de', texts: { rejectAll: 'Alle ablehnen' } });
    const purposes = body.purposes as Record<string, unknown>[];
    expect(purposes.map(({ key, default: standing, locked }) => [key, standing, locked])).toContainEqual([
      'analytics',
      'DENIED',
      false,
    ]);
    const analytics = await world.request('GET', '/v1/purposes/analytics/current?locale=de', { key: demo.publicKey });
    expect(purposes.find(({ key }) => key === 'analytics')).toMatchObject({
      name: analytics.body.name,
      contentHash: analytics.body.contentHash,
    });
  });

  it('is for pages only', async () =>
    expect(await get('', { key: demo.secretKey })).toMatchObject({
      status: 403,
      body: { code: 'public_key_required' },
    }));

  it('is not sent again to who has it', async () => {
    const twice = async (): Promise<Answer[]> => {
      const first = await get('?country=DE');
      return [first, await get('?country=DE', { headers: { 'If-None-Match': String(first.headers.etag) } })];
    };
    let [first, again] = await twice();
    // What is shown is stated anew each quarter of an hour, and one may have ended in between.
    if (again!.status === 200) [first, again] = await twice();
    const { headers } = first!;
    expect([again!.status, again!.headers.etag, again!.headers['cache-control']]).toEqual([
      304,
      headers.etag,
      'public, max-age=300',
    ]);
    const elsewhere = await get('?country=FR', { headers: { 'If-None-Match': String(headers.etag) } });
    expect(elsewhere.status).toBe(200);
  });

  it('refuses what is no country', async () =>
    expect(await get('?country=ZZ')).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', issues: [{ path: 'country' }] },
    }));
});

describe('a site of one’s own', () => {
  it('has no banner until one is published, and is told so', async () => {
    const { publicKey } = await newSite(world);
    const answer = await get('?country=DE', { key: publicKey });
    expect(answer).toMatchObject({
      status: 200,
      body: { version: 0, locale: 'und', presentation: 'NONE', buttons: [], policy: { model: 'OPT_IN' } },
    });
  });

  it('asks nobody about messages, unless it names the purpose', async () => {
    const { publicKey, apply } = await newSite(world);
    const purposes = [purposeFile('newsletter', { category: 'COMMUNICATION' }), purposeFile('statistics')];
    const banner = {
      defaultLocale: 'en',
      presentations: { optIn: { title: { en: 'Privacy' }, body: { en: 'May we?' } } },
      labels: { acceptAll: { en: 'Yes' }, rejectAll: { en: 'No' }, customize: { en: 'Choose' }, save: { en: 'Save' } },
    };
    const shown = async (): Promise<string[]> =>
      ((await get('?country=DE', { key: publicKey })).body.purposes as { key: string }[]).map(({ key }) => key);
    expect(await apply({ purposes, banner })).toMatchObject({ status: 200 });
    expect(await shown()).toEqual(['statistics']);
    expect(await apply({ purposes, banner: { ...banner, purposeKeys: ['newsletter'] } })).toMatchObject({
      status: 200,
    });
    expect(await shown()).toEqual(['newsletter']);
  });

  it('cannot publish one that hides the refusal: the file, its line and the rule are named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assent-banner-'));
    writeFileSync(
      join(folder, 'banner.yaml'),
      [
        'defaultLocale: en',
        'presentations:',
        '  optIn:',
        '    title: { en: Privacy }',
        '    body: { en: May we? }',
        '    buttons:',
        '      - { action: ACCEPT_ALL, layer: 1, emphasis: PRIMARY }',
        '      - { action: REJECT_ALL, layer: 1, emphasis: SECONDARY }',
        'labels:',
        '  acceptAll: { en: Yes }',
        '  rejectAll: { en: No }',
      ].join('\n'),
    );
    const { code, out, err } = await assent(['catalogue', 'apply', folder, '--json'], {
      ASSENT_DATA: world.dataFolder,
    });
    rmSync(folder, { recursive: true });
    expect(code).not.toBe(0);
    const problem = JSON.parse(err || out) as { code: string; issues: object[] };
    expect(problem).toMatchObject({
      code: 'banner_not_compliant',
      issues: [
        {
          file: 'banner.yaml',
          line: 8,
          path: 'presentations.optIn.buttons[1].emphasis',
          message: expect.stringMatching(/^must be PRIMARY, that of ACCEPT_ALL: rejectRequired of GDPR in /),
        },
      ],
    });
  });
});
