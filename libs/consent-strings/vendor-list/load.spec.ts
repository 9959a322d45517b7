import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type OwnDatabase } from '../../../test/support/databases.js';
import { KeyDirectory } from '../../access/sites/key-directory.js';
import { Sites } from '../../access/sites/sites.js';
import { CatalogueDirectory } from '../../catalogue/directory.js';
import type { CatalogueEvent, PurposePublished } from '../../catalogue/index.js';
import { MemoryEventLog } from '../../log/adapters/memory.js';
import { NO_STREAM } from '../../log/port.js';
import { BEGINNING, catalogueStream, instantOf } from '../../kernel/index.js';
import { Database } from '../../engines/database/database.js';
import { Announcer } from '../../webhooks/announced-events.js';
import { COMPOSITION } from '../../composition/contexts.js';
import { contentStream, VENDOR_LISTS_STREAM } from './events.js';
import type { GlobalVendorList, GvlVendor } from './gvl.js';
import { StoredVendorLists } from './stored-vendor-lists.js';
import { SYNTHETIC_LISTS } from './synthetic-list.js';
import { SYNTHETIC_TEXTS_DE } from './synthetic-texts.de.js';
import { AdoptVendorListsHandler } from './write/adopt-lists.handler.js';
import { ListSources } from './write/list-sources.js';
import { LoadVendorListsHandler } from './write/load-lists.handler.js';
import { VendorListRegister } from './write/register.js';
import type { ListSettings } from './write/sources.js';

const codec = COMPOSITION.codec;
const SHOP = { site: 'shop', env: 'test' } as const;
const { synthetic: _, ...LIST } = SYNTHETIC_LISTS.at(-1)! as GlobalVendorList & { synthetic: true };
const listOf = (version: number, change: Partial<GvlVendor> = {}): string => {
  const vendors = { ...LIST.vendors, 793: { ...LIST.vendors[793]!, ...change } };
  return JSON.stringify({ ...LIST, vendorListVersion: version, vendors });
};

let own: OwnDatabase;
let database: Database;
let folder: string;
let log: MemoryEventLog;
let keys: KeyDirectory;
let catalogue: CatalogueDirectory;
let now: number;
const closings: (() => void)[] = [];
beforeAll(async () => {
  own = await createDatabase('assent_whole');
  database = new Database(own.url, { max: 4 });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assent-lists-'));
  await database.run('truncate write.vendor_list_source');
  log = new MemoryEventLog();
  now = Date.parse('2026-11-23T12:00:00Z');
  const sealer = { seal: () => '', open: () => new Uint8Array() };
  const shop = { name: 'Shop', languages: ['en', 'de', 'fr'], defaultLocale: 'en' };
  expect(await new Sites(log, codec, sealer).register('shop', shop, { actor: 'operator' })).toMatchObject({
    refused: false,
  });
  const purpose = golden<PurposePublished>('PurposePublished.v1');
  purpose.data.definition.key = 'analytics';
  purpose.data.definition.frameworks.tcf.purposes = [7, 8];
  await publish(purpose, golden('VendorsPublished.v1'));
  keys = new KeyDirectory(log, codec);
  catalogue = new CatalogueDirectory(log, codec);
  keys.start();
  catalogue.follower.start();
  await keys.ready(10_000);
  await catalogue.follower.ready(10_000);
});
afterEach(async () => {
  closings.splice(0).forEach((close) => close());
  await Promise.all([keys.stop(), catalogue.follower.stop()]);
  rmSync(folder, { recursive: true });
});

const golden = <E extends CatalogueEvent>(name: string): E =>
  JSON.parse(readFileSync(new URL(`../../../test/history/${name}.json`, import.meta.url), 'utf8')) as E;
async function publish(...events: CatalogueEvent[]): Promise<void> {
  const metadata = { schemaVersion: 1, actor: 'operator', recordedAt: '2026-11-22T12:00:00.000Z' };
  await log.append(
    catalogueStream(SHOP),
    NO_STREAM,
    events.map(({ type, data }, i) => ({ id: `00000000-0000-4000-8000-00000000000${i}`, type, data, metadata })),
  );
}

/** A dispatcher: what it does in one round, and what readers then see. */
function dispatcher(settings: Partial<ListSettings>) {
  const clock = () => instantOf(now++);
  const lists = new StoredVendorLists(log, codec, catalogue);
  const sources = new ListSources({ path: null, url: null, ...settings }, ({ address }) => address === '127.0.0.1');
  closings.push(() => sources.onModuleDestroy());
  const load = new LoadVendorListsHandler(database, sources, new VendorListRegister(log, codec, clock), keys);
  const adopt = new AdoptVendorListsHandler(log, codec, catalogue, keys, lists, clock);
  return { lists, load: () => load.execute(), adopt: () => adopt.execute() };
}
/** A new process does one round, when it is time to look again. */
async function round(settings: Partial<ListSettings>): Promise<StoredVendorLists> {
  await database.run(`update write.vendor_list_source set due_at = '-infinity'`);
  const { lists, load, adopt } = dispatcher(settings);
  await load();
  await adopt();
  await catalogue.reached((await log.head()) ?? BEGINNING, 10_000);
  return lists;
}
const happened = async (stream = VENDOR_LISTS_STREAM): Promise<string[]> =>
  (await log.read(stream, { direction: 'forwards', limit: 100 })).map(({ type, data }) => {
    const { version, reason, locale } = data as Record<string, string>;
    return [type, locale ?? version, reason].filter((part) => part !== undefined && part !== null).join(' ');
  });
/** What receivers of webhooks get. */
const delivered = async (): Promise<unknown[]> =>
  (await log.read(catalogueStream(SHOP), { direction: 'forwards', limit: 100 }))
    .flatMap((event) => new Announcer(codec, COMPOSITION.webhooks).webhookEvents(event))
    .flatMap(({ envelope: { type, data } }) => (type === 'vendor_list.updated' ? [data] : []));
const row = async (): Promise<Record<string, unknown>> =>
  (
    await database.run<Record<string, unknown>>(
      `select name, refused, failed, failures, due_at > now() as waits from write.vendor_list_source order by name desc limit 1`,
    )
  )[0]!;

describe('without any list', () => {
  it('the synthetic one is in use, no site adopts it, and no source is asked', async () => {
    const lists = await round({});
    expect(await lists.inUse(SHOP)).toMatchObject({ version: 1, isSynthetic: true });
    expect(await lists.byVersion(1)).toMatchObject({ isSynthetic: true });
    expect(await lists.byVersion(2)).toBeNull();
    expect(await happened()).toEqual([]);
    expect(await database.run('select 1 from write.vendor_list_source')).toEqual([]);
  });
});

describe('a file', () => {
  let path: string;
  beforeEach(() => (path = join(folder, 'vendor-list.json')));
  const put = (text: string): void => writeFileSync(path, text);

  it('is taken, kept for ever under its number, and adopted by the site', async () => {
    put(listOf(177));
    await round({ path });
    put(listOf(178, { purposes: [1, 2, 3, 4, 7, 8] }));
    const lists = await round({ path });
    expect(await happened()).toEqual(['VendorListTaken 177', 'VendorListTaken 178']);
    expect(await lists.inUse(SHOP)).toMatchObject({ version: 178, isSynthetic: false });
    expect((await lists.byVersion(177))!.content).toEqual(JSON.parse(listOf(177)));
    expect((await lists.byVersion(178))!.content.vendors[793]!.purposes).toEqual([1, 2, 3, 4, 7, 8]);
    expect(await lists.byVersion(1)).toMatchObject({ isSynthetic: true });
    const { vendorLists } = catalogue.of(SHOP);
    expect(vendorLists).toMatchObject([{ version: 177 }, { version: 178 }]);
    expect(await delivered()).toEqual([
      { object: expect.objectContaining({ version: 177, renewals: [] }), previous: null },
      // Analytics stands for the purposes 7 and 8 of IAB TCF, which 793 did not ask for all.
      { object: expect.objectContaining({ version: 178, renewals: ['analytics'] }), previous: { version: 177 } },
    ]);
    // The list that was in use at a decision explains the string of that decision.
    expect(await lists.inUse(SHOP, vendorLists![0]!.adoptedAt)).toMatchObject({ version: 177 });
    expect(await lists.inUse(SHOP, '2026-11-01T00:00:00.000Z')).toMatchObject({ isSynthetic: true });
    const current = await lists.inUse(SHOP);
    const grantedAt = (givenAt: string) =>
      lists.agreedTo(SHOP, current, [{ key: 'analytics', givenAt }], instantOf(now));
    expect(await grantedAt(vendorLists![0]!.adoptedAt)).toMatchObject({
      version: 177,
      digest: vendorLists![0]!.digest,
    });
    expect(await grantedAt(vendorLists![1]!.adoptedAt)).toBe(current);
    expect(await lists.inUse({ site: 'shop', env: 'live' })).toMatchObject({ version: 178 });
  });

  it.each<[what: string, text: () => string, event: string, refused: RegExp]>([
    ['is none', () => '<html>', 'VendorListRefused NOT_JSON', /^NOT_JSON$/],
    ['is older', () => listOf(177), 'VendorListRefused 177 OLDER', /^OLDER: version 178 is in use$/],
    [
      'has changed under its number',
      () => listOf(178, { name: 'Other' }),
      'VendorListRefused 178 CHANGED_WITHOUT_NUMBER',
      /^CHANGED_WITHOUT_NUMBER/,
    ],
  ])('that %s is refused once, and the one before stays', async (_, text, event, refused) => {
    put(listOf(178));
    await round({ path });
    put(text());
    await round({ path });
    const lists = await round({ path });
    expect(await happened()).toEqual(['VendorListTaken 178', event]);
    expect(await lists.inUse(SHOP)).toMatchObject({ version: 178 });
    expect((await lists.inUse(SHOP)).content).toEqual(JSON.parse(listOf(178)));
    expect((await row()).refused).toMatch(refused);
    // The next right one makes up for it.
    put(listOf(179));
    expect(await (await round({ path })).inUse(SHOP)).toMatchObject({ version: 179 });
    expect((await row()).refused).toBeNull();
  });

  it('that is gone leaves the list in use', async () => {
    put(listOf(178));
    await round({ path });
    rmSync(path);
    expect(await (await round({ path })).inUse(SHOP)).toMatchObject({ version: 178 });
    expect(await row()).toMatchObject({ refused: 'NONE' });
  });

  it('is read by one process of several', async () => {
    put(listOf(178));
    const all = Array.from({ length: 3 }, () => dispatcher({ path }));
    await Promise.all(all.map(({ load }) => load()));
    await Promise.all(all.map(({ adopt }) => adopt()));
    expect(await happened()).toEqual(['VendorListTaken 178']);
    expect((await happened(catalogueStream(SHOP))).filter((type) => type.startsWith('VendorListAdopted'))).toHaveLength(
      1,
    );
    expect(await row()).toMatchObject({ waits: true, failures: 0 });
  });

  it('has translations beside it, in the languages of the sites', async () => {
    put(listOf(178));
    writeFileSync(join(folder, 'purposes-de.json'), JSON.stringify(SYNTHETIC_TEXTS_DE));
    writeFileSync(join(folder, 'purposes-fr.json'), '{}');
    writeFileSync(join(folder, 'purposes-it.json'), JSON.stringify(SYNTHETIC_TEXTS_DE));
    const lists = await round({ path });
    expect(await happened()).toEqual(['VendorListTaken 178', 'VendorListTextsTaken de']);
    const list = await lists.inUse(SHOP);
    expect(await lists.inLanguage(list, ['fr', 'de-AT'])).toMatchObject({
      locale: 'de',
      textsDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      content: { vendorListVersion: 178, purposes: { 1: { name: SYNTHETIC_TEXTS_DE.purposes[1]!.name } } },
    });
    expect(await lists.inLanguage(list, ['it'])).toEqual({ locale: 'en', textsDigest: '', content: list.content });
  });

  it('that the log has lost is taken anew', async () => {
    put(listOf(178));
    await round({ path });
    const [lost] = [log, await keys.stop(), await catalogue.follower.stop()];
    log = new MemoryEventLog();
    expect(await happened()).toEqual([]);
    const { load } = dispatcher({ path });
    await database.run(`update write.vendor_list_source set due_at = '-infinity'`);
    await load();
    expect(await happened()).toEqual(['VendorListTaken 178']);
    await lost.close();
  });
});

it('a stored list that was changed is reported, and not used', async () => {
  const path = join(folder, 'vendor-list.json');
  writeFileSync(path, listOf(178));
  await round({ path });
  const [taken] = await log.read(VENDOR_LISTS_STREAM, { direction: 'forwards', limit: 1 });
  const { digest } = taken!.data as { digest: string };
  const other = 'f'.repeat(64);
  const [kept] = await log.read(contentStream(digest), { direction: 'forwards', limit: 1 });
  await log.append(contentStream(other), NO_STREAM, [
    { ...kept!, id: '00000000-0000-4000-8000-000000000009', data: kept!.data, metadata: kept!.metadata },
  ]);
  const { lists } = dispatcher({});
  await expect(lists.list({ version: 178, digest: other })).rejects.toThrow('is not what it was');
  await expect(lists.list({ version: 178, digest: 'e'.repeat(64) })).rejects.toThrow('has no vendor list');
});

describe('an upstream', () => {
  let answer: { status: number; body: string; headers: Record<string, string> };
  const asked: { path: string; etag: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url!, etag: request.headers['if-none-match'] });
    if (request.url !== '/v3/vendor-list.json') return void response.writeHead(404).end();
    const isKnown = request.headers['if-none-match'] === answer.headers['ETag'];
    response.writeHead(isKnown && answer.status === 200 ? 304 : answer.status, answer.headers);
    response.end(isKnown ? '' : answer.body);
  });
  let url: string;
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    asked.length = 0;
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/vendor-list.json`;
    answers(listOf(178), '"178"');
  });
  const answers = (body: string, etag: string, status = 200): void =>
    void (answer = { status, body, headers: { ETag: etag, 'Cache-Control': 'max-age=604800' } });
  const lists = () => asked.filter(({ path }) => path.endsWith('vendor-list.json'));

  it('is asked by one process, and not again before its time', async () => {
    const all = Array.from({ length: 3 }, () => dispatcher({ url }));
    await Promise.all(all.map(({ load }) => load()));
    await dispatcher({ url }).load();
    expect(lists()).toEqual([{ path: '/v3/vendor-list.json', etag: undefined }]);
    const [due] = await database.run<{ hours: number }>(
      'select round(extract(epoch from due_at - now()) / 3600)::int as hours from write.vendor_list_source where name = $1',
      [url],
    );
    expect(due).toEqual({ hours: 168 });
  });

  it('is asked whether there is another one, and what it answers is taken or refused', async () => {
    await round({ url });
    await round({ url });
    expect(lists().map(({ etag }) => etag)).toEqual([undefined, '"178"']);
    answers(listOf(177), '"177"');
    await round({ url });
    // It was refused, and is not read again as long as it is the same.
    await round({ url });
    expect((await row()).refused).toMatch(/^OLDER/);
    answers(listOf(179), '"179"');
    expect(await (await round({ url })).inUse(SHOP)).toMatchObject({ version: 179 });
    expect(await happened()).toEqual(['VendorListTaken 178', 'VendorListRefused 177 OLDER', 'VendorListTaken 179']);
  });

  it('that fails is asked later and later, and the list stays', async () => {
    await round({ url });
    answers('', '"x"', 500);
    await round({ url });
    const used = await round({ url });
    expect(await used.inUse(SHOP)).toMatchObject({ version: 178 });
    expect(await happened()).toEqual(['VendorListTaken 178']);
    const [failed] = await database.run(
      'select failed, failures, round(extract(epoch from due_at - now()))::int as seconds from write.vendor_list_source where name = $1',
      [url],
    );
    expect(failed).toEqual({ failed: 'status_500', failures: 2, seconds: 120 });
    answers(listOf(178), '"178"');
    await round({ url });
    expect(await row()).toMatchObject({ failed: null, failures: 0 });
  });
});
