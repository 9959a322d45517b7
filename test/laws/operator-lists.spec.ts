import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorLists, type KeyFilter, type ListedRows } from '../../libs/access/admin/lists.js';
import { KeyDirectory } from '../../libs/access/sites/key-directory.js';
import { siteKeysProjection } from '../../libs/access/sites/key-projection.js';
import { siteStateProjection } from '../../libs/access/sites/site-projection.js';
import { Sites, type KeyIssued, type SiteDone } from '../../libs/access/sites/sites.js';
import { KEY_CONDITIONS } from '../../libs/access/state.js';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import { CheckpointProgress } from '../../libs/following/checkpoint-progress.js';
import { ServedProjection } from '../../libs/following/generations/generations.js';
import { ENVIRONMENTS, isRefusal, type Position } from '../../libs/kernel/index.js';
import { Repositories } from '../../libs/engines/database/repositories.js';
import type { Page } from '../../libs/http/list.js';
import { COMPOSITION } from '../../libs/composition/contexts.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';

/** The operator's lists are the same from rows and from memory, page by page, and never miss what the caller knows. */

const WITHIN_MS = 120_000;
const START = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const after = (hours: number): string => new Date(START + hours * HOUR_MS).toISOString();
const by = { actor: 'operator' };
const sealer = { seal: () => 'sealed', open: () => new Uint8Array() };
const done = <T>(outcome: T): Exclude<T, { refused: true }> => {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome as Exclude<T, { refused: true }>;
};

let world: WriteDatabase;
let log: PostgresEventLog;
let directory: KeyDirectory;
let sites: Sites;
let projecting: ServedProjection<unknown, never>[];
let rows: ListedRows;
let hours = 0;

const entities = async () => Object.values(await import('../../libs/access/admin/entities.js'));
const reached = async (position: Position): Promise<void> => {
  for (const { name } of [siteStateProjection, siteKeysProjection])
    expect(await new CheckpointProgress(world.database, name).reached(position, WITHIN_MS)).toBe(true);
};

beforeAll(async () => {
  world = await startWriteDatabase();
  log = new PostgresEventLog(world.database);
  directory = new KeyDirectory(log, COMPOSITION.codec);
  directory.start();
  sites = new Sites(log, COMPOSITION.codec, sealer, () => after(hours));
  projecting = [siteStateProjection, siteKeysProjection].map(
    (projection) =>
      new ServedProjection({
        log,
        database: world.database,
        codec: COMPOSITION.codec,
        projection: projection as typeof siteStateProjection,
      }) as unknown as ServedProjection<unknown, never>,
  );
  for (const projection of projecting) await projection.start();
  rows = {
    repositories: new Repositories(world.url, entities),
    sites: new CheckpointProgress(world.database, siteStateProjection.name, siteStateProjection.version),
    keys: new CheckpointProgress(world.database, siteKeysProjection.name, siteKeysProjection.version),
  };
  for (const name of ['shop', 'blog', 'app-2', 'app', 'zoo'])
    done(await sites.register(name, { name: `The ${name}` }, by));
  for (let n = 0; n < 12; n++) {
    hours = n;
    const issued = done(
      await sites.issueKey(
        'shop',
        {
          type: n % 3 === 0 ? 'pk' : 'sk',
          env: ENVIRONMENTS[n % 2]!,
          name: `key ${n}`,
          expiresAt: n % 4 === 1 ? after(n + 5) : null,
          allowedOrigins: n % 3 === 0 && n > 0 ? ['https://shop.example'] : null,
        },
        by,
      ),
    ) as KeyIssued;
    if (n % 4 === 2) done(await sites.rotateKey('shop', issued.keyId, n === 2 ? '0' : '24h', null, by));
    if (n % 5 === 0) done(await sites.revokeKey('shop', issued.keyId, 'leaked', by));
  }
  await reached(await log.head());
  await directory.ready(WITHIN_MS);
}, 120_000);
afterAll(async () => {
  await Promise.all([directory?.stop(), ...(projecting ?? []).map((each) => each.stop())]);
  await rows?.repositories.close();
  await log?.close();
  await world?.stop();
});

/** Every page of a list, each asked of the next of those who can answer. */
async function walked<T>(ask: (cursor: string | undefined, n: number) => Promise<Page<T>>): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(cursor, pages.length);
    pages.push(page);
    cursor = page.nextCursor ?? undefined;
    expect(page.hasMore).toBe(cursor !== undefined);
  } while (cursor !== undefined);
  return pages;
}

const FILTERS: Omit<KeyFilter, 'limit' | 'cursor'>[] = [
  {},
  { type: 'pk' },
  { env: 'live' },
  { type: 'sk', env: 'test' },
  ...KEY_CONDITIONS.map((state) => ({ state })),
  { type: 'sk', state: 'live' },
];

describe('the operator’s lists', () => {
  it('are the same from rows and from memory, for every filter, page and moment', async () => {
    const [stored, folded] = [new OperatorLists(directory, rows), new OperatorLists(directory, null)];
    const seen = new Map<string, number>();
    for (const limit of [1, 3, 200]) {
      for (const filter of FILTERS) {
        for (const at of [after(0), after(7), after(10), after(50)]) {
          const of = (lists: OperatorLists) =>
            walked(
              async (cursor) => (await lists.keys('shop', { ...filter, limit, ...(cursor && { cursor }) }, at, null))!,
            );
          const [fromRows, fromMemory] = [await of(stored), await of(folded)];
          const shown = (pages: Awaited<ReturnType<typeof of>>) =>
            pages.map(({ data, ...page }) => ({
              ...page,
              data: data.map(
                ({ keyId, name, expiresAt, rotatedAt, revokedAt, rotatedFrom, replacedBy, allowedOrigins }) => [
                  [keyId, name, expiresAt, rotatedAt],
                  [revokedAt, rotatedFrom, replacedBy, allowedOrigins],
                ],
              ),
            }));
          expect(shown(fromRows)).toEqual(shown(fromMemory));
          seen.set(
            JSON.stringify(filter),
            Math.max(seen.get(JSON.stringify(filter)) ?? 0, fromRows.flatMap(({ data }) => data).length),
          );
        }
      }
      const names = (lists: OperatorLists) =>
        walked((cursor) => lists.sites({ limit, ...(cursor && { cursor }) }, null));
      const [fromRows, fromMemory] = [await names(stored), await names(folded)];
      const brief = (pages: Awaited<ReturnType<typeof names>>) =>
        pages.map(({ data, ...page }) => ({ ...page, data: data.map(({ site, settings }) => ({ site, settings })) }));
      expect(brief(fromRows)).toEqual(brief(fromMemory));
      expect(fromRows.flatMap(({ data }) => data.map(({ site }) => site))).toEqual([
        'app',
        'app-2',
        'blog',
        'shop',
        'zoo',
      ]);
    }
    // No filter was tried that finds nothing.
    expect(Math.min(...seen.values())).toBeGreaterThan(0);
  });

  it('go on from memory where rows left off, and back: cursors are the same', async () => {
    const lists = [new OperatorLists(directory, rows), new OperatorLists(directory, null)];
    const mixed = await walked(
      async (cursor, n) =>
        (await lists[n % 2]!.keys('shop', { limit: 2, ...(cursor && { cursor }) }, after(20), null))!,
    );
    const whole = (await lists[0]!.keys('shop', { limit: 200 }, after(20), null))!;
    expect(mixed.flatMap(({ data }) => data.map(({ keyId }) => keyId))).toEqual(whole.data.map(({ keyId }) => keyId));
    expect(new Set(whole.data.map(({ keyId }) => keyId)).size).toBe(15);
  });

  it('are read from rows, which hold nothing that a key could be known by', async () => {
    await world.database.run(`update read.site_keys set name = 'as the row says' where place = 0`);
    const lists = new OperatorLists(directory, rows);
    const { data } = (await lists.keys('shop', {}, after(20), null))!;
    expect(data.at(-1)!.name).toBe('as the row says');
    await world.database.run(`update read.site_keys set name = 'key 0' where place = 0`);
    const secrets = directory.sites().flatMap(({ keys }) => [...keys.values()].map(({ secretHash }) => secretHash));
    const stored = JSON.stringify(await world.database.run('select * from read.site_keys'));
    expect(secrets).toHaveLength(15);
    for (const secret of [...secrets, 'sealed']) expect(stored).not.toContain(secret);
  });

  it('know no site that nobody registered', async () => {
    const lists = new OperatorLists(directory, rows);
    expect(await lists.keys('nowhere', {}, after(20), null)).toBeNull();
  });

  it('never miss what was done a moment ago, by this instance or where the caller names the position', async () => {
    // Whoever projects has died: the rows stand still.
    await Promise.all(projecting.splice(0).map((each) => each.stop()));
    const elsewhere = new KeyDirectory(log, COMPOSITION.codec);
    elsewhere.start();
    await elsewhere.ready(WITHIN_MS);
    const issued = done(await sites.issueKey('shop', { type: 'sk', env: 'test', name: 'just now' }, by)) as KeyIssued;
    const registered = done(await sites.register('new', { name: 'New' }, by)) as SiteDone;
    const named = new OperatorLists(elsewhere, rows);
    const first = async (lists: OperatorLists, position: Position | null) =>
      (await lists.keys('shop', { limit: 1 }, after(20), position))!.data[0]!.keyId;
    expect(await first(named, issued.position)).toBe(issued.keyId);
    expect((await named.keys('new', {}, after(20), registered.position))!.data).toEqual([]);
    expect((await named.sites({}, registered.position)).data.map(({ site }) => site)).toContain('new');
    await directory.waitFor(registered.position!, WITHIN_MS);
    const own = new OperatorLists(directory, rows);
    expect(await first(own, null)).toBe(issued.keyId);
    expect((await own.sites({}, null)).data.map(({ site }) => site)).toContain('new');
    await elsewhere.stop();
  });

  it('are made from memory while the database is away, and of another release’s rows they read none', async () => {
    const away: ListedRows = {
      repositories: new Repositories('postgres://nobody@127.0.0.1:1/nothing', entities),
      sites: { position: () => 2n ** 60n, reached: async () => true },
      keys: { position: () => 2n ** 60n, reached: async () => true },
    };
    const lists = new OperatorLists(directory, away);
    expect((await lists.keys('shop', { limit: 1 }, after(20), null))!.data).toHaveLength(1);
    expect((await lists.sites({ limit: 1 }, null)).data).toMatchObject([{ site: 'app' }]);
    await away.repositories.close();
    const other = new CheckpointProgress(world.database, siteKeysProjection.name, siteKeysProjection.version + 1);
    expect(await other.reached(0n, 0)).toBe(false);
    expect(await rows.keys.reached(0n, 0)).toBe(true);
  });

  it('refuse a cursor that is none of theirs', async () => {
    const lists = new OperatorLists(directory, rows);
    await expect(lists.keys('shop', { cursor: 'bm9uZQ' }, after(20), null)).rejects.toMatchObject({ name: 'Refused' });
    await expect(lists.sites({ cursor: 'bm9uZQ' }, null)).rejects.toMatchObject({ name: 'Refused' });
  });
});
