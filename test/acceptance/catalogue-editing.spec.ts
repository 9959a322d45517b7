import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
