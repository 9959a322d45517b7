import { startWriteDatabase, type WriteDatabase } from '../../../test/support/write-database.js';
import type { Database } from '../../engines/database/database.js';
import { DependencyUnavailable } from '../../engines/dependency-unavailable.js';
import { shownBanner, ShownBanners, type ShownBanner } from './shown-banners.js';
import type { Presentation } from './presentation.js';

let world: WriteDatabase;
beforeAll(async () => {
  world = await startWriteDatabase();
});
afterAll(() => world?.stop());

const SHOP = { site: 'shop', env: 'live' } as const;
/** What is shown from a moment on; each call makes one that counts on its own. */
function banner(shownAt: string, country: string | null, purposes: readonly string[], site = 'shop'): ShownBanner {
  const presentation = {
    shownAt,
    banner: { version: 3, locale: 'de' },
    policy: { country, region: null },
    purposes: purposes.map((key) => ({ key })),
  } as unknown as Presentation;
  return shownBanner({ ...SHOP, site }, presentation);
}
const times = (counts: ShownBanners, of: ShownBanner, many: number): void => {
  for (let n = 0; n < many; n++) counts.count(of);
};
const written = (site: string) =>
  world.database.run(
    `select purpose, day::text as day, country, locale, banner_version, shown::int from write.shown_banners where site = $1 order by 1, 2, 3`,
    [site],
  );

it('are counted by purpose, place and day, in whichever process and at whatever time of that day', async () => {
  const [one, other] = [new ShownBanners(world.database), new ShownBanners(world.database)];
  const morning = banner('2026-11-21T09:00:00.000Z', 'DE', ['analytics', 'ads']);
  times(one, morning, 3);
  // The same, stated anew a quarter of an hour later: both stand in one statement.
  times(one, banner('2026-11-21T09:15:00.000Z', 'DE', ['analytics', 'ads']), 2);
  times(one, banner('2026-11-22T00:00:00.000Z', null, ['analytics']), 1);
  times(other, banner('2026-11-21T23:45:00.000Z', 'DE', ['analytics']), 4);
  await Promise.all([one.write(), other.write()]);
  await one.write();
  times(one, morning, 1);
  // Nest calls it when a process stops.
  await one.onModuleDestroy();
  const of = { locale: 'de', banner_version: 3 };
  expect(await written('shop')).toEqual([
    { ...of, purpose: 'ads', day: '2026-11-21', country: 'DE', shown: 6 },
    { ...of, purpose: 'analytics', day: '2026-11-21', country: 'DE', shown: 10 },
    { ...of, purpose: 'analytics', day: '2026-11-22', country: '', shown: 1 },
  ]);
});

it('are kept while the database is away, and counted once when it is back', async () => {
  let isAway = true;
  const database = {
    query: (...args: Parameters<Database['query']>) =>
      isAway ? Promise.reject(new DependencyUnavailable('database')) : world.database.query(...args),
  } as Database;
  const counts = new ShownBanners(database);
  const shown = banner('2026-11-21T09:00:00.000Z', 'FR', ['analytics'], 'away');
  times(counts, shown, 2);
  await expect(counts.write()).rejects.toThrow(DependencyUnavailable);
  times(counts, shown, 3);
  isAway = false;
  await counts.write();
  await counts.write();
  expect(await written('away')).toMatchObject([{ shown: 5 }]);
});

it('are written in groups, and no more different ones are held than fit in memory', async () => {
  const counts = new ShownBanners(world.database);
  const purposes = Array.from({ length: 700 }, (_, i) => `p${i}`);
  for (let n = 0; n < 4; n++) counts.count(banner(`2026-11-2${n}T09:00:00.000Z`, 'AT', purposes, 'many'));
  await counts.write();
  expect(await written('many')).toHaveLength(2_800);
  for (let n = 0; n < 5_100; n++) counts.count(banner('2026-11-21T09:00:00.000Z', 'AT', ['one'], 'full'));
  await counts.write();
  expect(await written('full')).toMatchObject([{ shown: 5_000 }]);
});
