import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BANNER_FILE } from '../../libs/catalogue/files/file-examples.js';
import { assent, commanded } from '../support/command-line.js';
import { startWorld, type Answer, type World } from '../support/world.js';

const PURPOSE = {
  key: 'statistics',
  legalBasis: 'CONSENT',
  consentModel: 'OPT_IN',
  category: 'ANALYTICS',
  controller: { name: 'Shop GmbH', contact: 'privacy@shop.example' },
  defaultLocale: 'en',
  translations: { en: { name: 'Statistics', description: 'Counts visits.' } },
};
const named = (name: string): typeof PURPOSE => ({
  ...PURPOSE,
  translations: { en: { ...PURPOSE.translations.en, name } },
});

let world: World;
let folder: string;
let sites = 0;
beforeAll(async () => {
  world = await startWorld({ own: true });
  folder = mkdtempSync(join(tmpdir(), 'assent-editing-'));
});
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (): Record<string, string> => ({ ASSENT_DATA: world.dataFolder });
const newSite = async (): Promise<string> => {
  const site = `editing-${++sites}`;
  await commanded(['sites', 'register', site, '--name', site], environment());
  return site;
};
const ask = (
  site: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  key = 'operator',
): Promise<Answer> =>
  world.request(method, `/admin/v1/sites/${site}/test/catalogue${path}`, {
    key,
    headers,
    ...(body !== undefined && { body }),
  });

it('files are not applied where the console owns the catalogue, unless they take over', async () => {
  const site = await newSite();
  expect((await ask(site, 'GET', '/settings')).body).toEqual({
    object: 'catalogue_settings',
    owner: 'FILES',
    approval: 'NONE',
  });
  const own = mkdtempSync(join(folder, 'c-'));
  writeFileSync(join(own, 'statistics.yaml'), JSON.stringify(PURPOSE));
  const settings = (...more: string[]): Promise<string> =>
    commanded(['catalogue', 'settings', '--site', site, ...more], environment());
  const apply = (...more: string[]) => assent(['catalogue', 'apply', own, '--site', site, ...more], environment());

  expect(await settings('--owner', 'console')).toBe(`${site} test is edited in the console\n`);
  const refused = await apply('--json');
  expect([refused.code, (JSON.parse(refused.out) as { code: string }).code]).toEqual([1, 'catalogue_owned_by_console']);
  expect((await apply('--dry-run')).out).toContain('1 of 1 would change');
  expect((await ask(site, 'GET', '')).body).toEqual({ purposes: [] });

  await settings('--approval', 'four-eyes');
  expect(JSON.parse((await apply('--take-over', '--json')).out)).toMatchObject({ code: 'approval_missing' });
  await settings('--approval', 'none');
  expect((await apply('--take-over')).out).toContain(`1 of 1 published in ${site} test`);
  expect(await settings()).toBe(`${site} test is edited in files\n`);
  expect((await apply()).out).toContain('nothing changed');
});

it('a catalogue is taken over also where its files change nothing, and the answer says that nothing was published', async () => {
  const site = await newSite();
  await ask(site, 'PATCH', '/settings', { owner: 'CONSOLE' });
  const { status, body } = await ask(site, 'POST', '', { purposes: [], takeOver: true });
  expect([status, body]).toEqual([200, { published: false, changes: [] }]);
  expect((await ask(site, 'GET', '/settings')).body).toMatchObject({ owner: 'FILES' });
});

const consoleSite = async (approval = 'NONE'): Promise<string> => {
  const site = await newSite();
  await ask(site, 'PATCH', '/settings', { owner: 'CONSOLE', approval });
  return site;
};
const draftOf = async (site: string): Promise<Answer> => ask(site, 'GET', '/draft');
const save = async (site: string, purposes: unknown[], more: object = {}, key = 'operator'): Promise<Answer> => {
  const { headers } = await draftOf(site);
  return ask(site, 'PUT', '/draft', { purposes, ...more }, { 'If-Match': headers['etag'] as string }, key);
};
const publish = async (site: string, key = 'operator'): Promise<Answer> => {
  const { headers } = await draftOf(site);
  return ask(site, 'POST', '/draft/publish', undefined, { 'If-Match': headers['etag'] as string }, key);
};
const newOperator = async (role = 'PRIVACY'): Promise<string> => {
  const { body } = await world.request('POST', '/admin/v1/operator-tokens', {
    key: 'operator',
    body: { name: `another ${role}`, roles: [{ role, site: '*', env: '*' }] },
  });
  return body.token as string;
};

it('unfinished work is kept and says what is wrong; finished, it is published as a version that says who did what', async () => {
  const site = await consoleSite();
  const nothing = await draftOf(site);
  expect(nothing.body).toMatchObject({ state: 'NONE', tag: '"published-0"', files: { purposes: [] }, version: 0 });

  const unfinished = await save(site, [{ key: 'statistics', translations: { en: {} } }]);
  expect(unfinished).toMatchObject({ status: 200, body: { state: 'OPEN', base: 0, tag: '"draft-0"' } });
  const paths = (unfinished.body.issues as { path: string }[]).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['purposes[0].legalBasis', 'purposes[0].translations.en.name']));
  expect((await draftOf(site)).body.files).toEqual({ purposes: [{ key: 'statistics', translations: { en: {} } }] });
  for (const refused of [await publish(site), await ask(site, 'POST', '/draft/simulation', {})])
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });

  // Well-formed, and a contradiction.
  const contradiction = await save(site, [{ ...PURPOSE, legalBasis: 'CONTRACT' }]);
  expect(contradiction.body.issues).toEqual([expect.objectContaining({ path: 'purposes[0].legalBasis' })]);

  const finished = await save(site, [PURPOSE]);
  expect(finished.body).toMatchObject({ issues: [], changes: [{ key: 'statistics', action: 'PUBLISH', version: 1 }] });
  const simulated = await ask(site, 'POST', '/draft/simulation', {});
  expect(simulated).toMatchObject({ status: 200, body: { subjects: 0, changes: [{ key: 'statistics' }] } });
  const published = await publish(site);
  expect(published).toMatchObject({
    status: 200,
    body: { version: 1, source: 'CONSOLE', by: finished.body.editedBy, editedBy: finished.body.editedBy },
  });
  expect((await draftOf(site)).body).toMatchObject({ state: 'NONE', version: 1, files: { purposes: [PURPOSE] } });
  expect(await publish(site)).toMatchObject({ status: 409, body: { code: 'state_conflict' } });
});

it('an editor never overwrites another one unnoticed, and a repeat of the same text succeeds', async () => {
  const site = await consoleSite();
  const seen = { 'If-Match': (await draftOf(site)).headers['etag'] as string };
  expect(await ask(site, 'PUT', '/draft', { purposes: [] })).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'If-Match' }] },
  });
  const first = await ask(site, 'PUT', '/draft', { purposes: [PURPOSE] }, seen);
  expect(first.status).toBe(200);
  expect(await ask(site, 'PUT', '/draft', { purposes: [named('Other')] }, seen)).toMatchObject({
    status: 409,
    body: { code: 'state_conflict', issues: [{ path: 'If-Match' }] },
  });
  const again = await ask(site, 'PUT', '/draft', { purposes: [PURPOSE] }, seen);
  expect([again.status, again.headers['etag']]).toEqual([200, first.headers['etag']]);
  const old = await ask(site, 'DELETE', '/draft', undefined, seen);
  expect(old.status).toBe(409);
  const now = { 'If-Match': first.headers['etag'] as string };
  expect((await ask(site, 'DELETE', '/draft', undefined, now)).body).toMatchObject({ state: 'NONE' });
  // One that was discarded is not what another editor goes on from.
  expect((await ask(site, 'PUT', '/draft', { purposes: [named('Other')] }, now)).status).toBe(409);
});

it('with four eyes another operator than the last editor publishes', async () => {
  const site = await consoleSite('FOUR_EYES');
  const other = await newOperator();
  await save(site, [PURPOSE]);
  expect(await publish(site)).toMatchObject({ status: 409, body: { code: 'approval_missing' } });
  // Whoever mends a word has edited it last.
  await save(site, [named('Counting')], {}, other);
  expect((await publish(site, other)).body.code).toBe('approval_missing');
  const { body } = await publish(site);
  expect(body).toMatchObject({ version: 1, source: 'CONSOLE' });
  expect(body.editedBy).not.toBe(body.by);
});

it('an EDITOR publishes where no four eyes are asked for, and VIEWER and AUDITOR only look', async () => {
  const [alone, together] = [await consoleSite(), await consoleSite('FOUR_EYES')];
  const [editor, viewer, auditor] = await Promise.all(['EDITOR', 'VIEWER', 'AUDITOR'].map(newOperator));
  for (const key of [viewer!, auditor!]) {
    expect((await ask(alone, 'GET', '/draft', undefined, {}, key)).status).toBe(200);
    expect((await save(alone, [PURPOSE], {}, key)).body.code).toBe('role_missing');
    expect((await publish(alone, key)).body.code).toBe('role_missing');
  }
  expect((await ask(alone, 'PATCH', '/settings', { owner: 'FILES' }, {}, editor)).body.code).toBe('role_missing');
  for (const site of [alone, together]) await save(site, [PURPOSE]);
  expect((await publish(alone, editor)).body).toMatchObject({ version: 1 });
  // The editor did not save it, and may all the same not decide.
  expect((await publish(together, editor)).body.code).toBe('approval_missing');
  expect((await publish(together, await newOperator())).body).toMatchObject({ version: 1 });
});

it('a draft that is behind is kept, says so, and is published once it was brought up', async () => {
  const site = await consoleSite();
  await save(site, [PURPOSE]);
  await publish(site);
  const late = { 'If-Match': (await draftOf(site)).headers['etag'] as string };
  await save(site, [named('First')]);
  await publish(site);
  // Made from version 1, saved after version 2.
  const behind = await ask(site, 'PUT', '/draft', { purposes: [named('Second')] }, late);
  expect(behind.body).toMatchObject({ state: 'OPEN', base: 1, version: 2 });
  const refused = await publish(site);
  expect(refused).toMatchObject({ status: 409, body: { code: 'state_conflict', issues: [{ path: 'base' }] } });
  expect(refused.body.hint).toContain('versions/2/diff?from=1');
  expect((await save(site, [named('Second')], { base: 3 })).body.issues).toEqual([
    expect.objectContaining({ path: 'base' }),
  ]);
  await save(site, [named('Second')], { base: 2 });
  expect((await publish(site)).body).toMatchObject({ version: 3 });
});

it('where files own the catalogue a draft is written and not published', async () => {
  const site = await newSite();
  expect((await save(site, [PURPOSE])).status).toBe(200);
  expect(await publish(site)).toMatchObject({ status: 409, body: { code: 'catalogue_owned_by_files' } });
});

it('versions say what was published together, newest first, and how they differ', async () => {
  const site = await newSite();
  await ask(site, 'POST', '', { purposes: [PURPOSE, { ...PURPOSE, key: 'ads' }] });
  await ask(site, 'POST', '', { purposes: [named('Counting')] });
  await ask(site, 'POST', '', { purposes: [named('Counting')] });
  await ask(site, 'POST', '', { purposes: [{ ...PURPOSE, key: 'ads', status: 'RETIRED' }] });
  const all = (await ask(site, 'GET', '/versions')).body as unknown as { data: Record<string, unknown>[] };
  expect(all.data.map(({ version, source }) => [version, source])).toEqual([
    [3, 'FILES'],
    [2, 'FILES'],
    [1, 'FILES'],
  ]);
  expect(all.data[1]).toMatchObject({
    changes: [{ object: 'purpose', key: 'statistics', action: 'PUBLISH', version: 2, changed: ['translations'] }],
  });
  const page = await ask(site, 'GET', '/versions?limit=2');
  expect(page.body).toMatchObject({ hasMore: true, data: [{ version: 3 }, { version: 2 }] });
  const rest = await ask(site, 'GET', `/versions?limit=2&cursor=${page.body.nextCursor as string}`);
  expect(rest.body).toMatchObject({ hasMore: false, data: [{ version: 1 }], nextCursor: null });

  expect((await ask(site, 'GET', '/versions/2/diff')).body.changes).toEqual([
    {
      ...{ object: 'purpose', key: 'statistics', action: 'CHANGED', before: 1, after: 2 },
      fields: [{ path: 'translations.en.name', change: 'CHANGED', before: 'Statistics', after: 'Counting' }],
    },
  ]);
  expect((await ask(site, 'GET', '/versions/3/diff?from=1')).body.changes).toMatchObject([
    { key: 'ads', action: 'RETIRED', fields: [{ path: 'status', change: 'ADDED', after: 'RETIRED' }] },
    { key: 'statistics', action: 'CHANGED' },
  ]);
  expect((await ask(site, 'GET', '/versions/1/diff?from=0')).body.changes).toMatchObject([
    { key: 'ads', action: 'ADDED', before: null },
    { key: 'statistics', action: 'ADDED' },
  ]);
  expect((await ask(site, 'GET', '/versions/4/diff')).body.code).toBe('catalogue_version_not_found');
  expect((await ask(site, 'GET', '/versions/2/diff?from=9')).body.issues).toMatchObject([{ path: 'from' }]);
});

it('the command line saves a folder as the draft, publishes it and shows versions', async () => {
  const site = await consoleSite();
  const own = mkdtempSync(join(folder, 'c-'));
  const run = (...args: string[]) => assent(['catalogue', ...args, '--site', site], environment());
  writeFileSync(join(own, 'statistics.yaml'), JSON.stringify({ ...PURPOSE, legalBasis: 'CONTRACT' }));
  const unfinished = await run('draft', 'put', own);
  expect([unfinished.code, unfinished.err]).toEqual([0, '']);
  expect(unfinished.out).toMatch(/statistics\.yaml +legalBasis +must be CONSENT/);
  expect((await run('publish')).code).toBe(1);

  writeFileSync(join(own, 'statistics.yaml'), JSON.stringify(PURPOSE));
  const there = await run('draft', 'put', own, '--json');
  expect([there.code, (JSON.parse(there.out) as { code: string }).code]).toEqual([1, 'draft_exists']);
  expect((await run('draft', 'put', own, '--replace')).out).toContain('made from version 0');
  expect((await run('draft', 'show')).out).toMatch(/purpose +statistics +publish +1/);
  expect((await run('publish')).out).toContain(`version 1 published in ${site} test`);
  expect((await run('versions')).out).toMatch(/1 .* draft of operator:opt_\w+ +statistics 1/);
  expect((await run('versions', '1')).out).toContain('+ "Counts visits."');

  const out = mkdtempSync(join(folder, 'c-'));
  writeFileSync(join(own, 'statistics.yaml'), JSON.stringify(named('Counting')));
  await run('draft', 'put', own);
  expect((await run('draft', 'show', '--out', out)).out).toContain('written');
  expect((await run('draft', 'discard')).out).toContain(`no draft in ${site} test; version 1 is published`);
});

it('what a preview shows is what GET /v1/banner answers once it is published', async () => {
  const site = await consoleSite();
  const issued = await world.request('POST', `/admin/v1/sites/${site}/keys`, {
    key: 'operator',
    body: { type: 'pk', env: 'test', name: 'pages' },
  });
  const files = { purposes: [PURPOSE], banner: BANNER_FILE };
  const preview = async (more: object = {}): Promise<Answer> =>
    world.request('POST', `/admin/v1/sites/${site}/test/banner/preview`, {
      key: 'operator',
      body: { country: 'DE', locale: 'en', ...more },
    });
  expect((await preview()).body).toMatchObject({ of: 'PUBLISHED', banner: { version: 0 } });
  const ofFiles = (await preview({ files })).body;
  expect(ofFiles).toMatchObject({ of: 'FILES', banner: { version: 1, presentationToken: null } });
  expect(ofFiles.findings).toContainEqual({
    rule: 'RETENTION',
    source: 'GDPR art. 13(2)(a)',
    severity: 'WARNING',
    path: 'purposes[statistics].retention',
    message: expect.any(String),
  });

  await save(site, files.purposes, { banner: files.banner });
  const { of, banner, findings } = (await preview()).body;
  expect(of).toBe('DRAFT');
  expect(findings).toEqual(ofFiles.findings);
  await publish(site);
  const shown = await world.request('GET', '/v1/banner?country=DE&locale=en', { key: issued.body.key as string });
  const published = (shown.body as { publishedAt: string }).publishedAt;
  const moment = { effectiveFrom: published, publishedAt: published };
  expect(shown.body).toEqual({ ...(banner as object), ...moment, presentationToken: expect.any(String) });
  expect((await preview()).body).toMatchObject({ of: 'PUBLISHED', banner: { version: 1 } });

  const unfinished = await preview({ files: { purposes: [{ key: 'new' }], banner: { ...BANNER_FILE, layout: '' } } });
  expect(unfinished).toMatchObject({ status: 200, body: { banner: { version: 1 } } });
  expect(unfinished.body.findings).toContainEqual(
    expect.objectContaining({ path: 'banner.layout', severity: 'ERROR' }),
  );
});
