import { MemoryEventLog } from '../../log/adapters/memory.js';
import { LogUnavailable } from '../../log/port.js';
import { isRefusal } from '../../kernel/index.js';
import { KeyDirectory, STALE_AFTER_MS } from './key-directory.js';
import { Sites, type KeyIssued } from './sites.js';
import { Codec } from '../../streams/codec.js';
import { SITE_EVENTS } from '../events.js';

const codec = new Codec(SITE_EVENTS);

const by = { actor: 'operator' };
const sealer = {
  seal: (purpose: string, secret: Uint8Array) => `${purpose}:${Buffer.from(secret).toString('hex')}`,
  open: () => new Uint8Array(),
};
const done = <T>(outcome: T): Exclude<T, { refused: true }> => {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome as Exclude<T, { refused: true }>;
};

let log: MemoryEventLog;
let sites: Sites;
let directory: KeyDirectory;
beforeEach(() => {
  log = new MemoryEventLog();
  sites = new Sites(log, codec, sealer);
  directory = new KeyDirectory(log, codec);
});
afterEach(() => directory.stop());

const publicKey = (site = 'shop') =>
  sites
    .issueKey(site, { type: 'pk', env: 'live', name: 'Website', allowedOrigins: ['https://shop.example'] }, by)
    .then((issued) => done(issued) as KeyIssued);

describe('the key directory', () => {
  it('knows every key that was issued before it started, and is ready on an empty log', async () => {
    done(await sites.register('shop', {}, by));
    const issued = await publicKey();
    directory.start();
    expect(directory.isReady).toBe(false);
    await directory.ready(1000);
    expect(directory.find(issued.keyId)).toMatchObject({ key: { type: 'pk' }, site: { site: 'shop' } });
    const empty = new KeyDirectory(new MemoryEventLog(), codec);
    empty.start();
    await empty.ready(1000);
    await empty.stop();
  });

  it('follows the log: an issue, a change and a revocation arrive by themselves', async () => {
    directory.start();
    done(await sites.register('shop', {}, by));
    const issued = await publicKey();
    await directory.waitFor(issued.position!, 1000);
    expect(directory.listsOrigin('https://shop.example')).toBe(true);
    const changed = done(await sites.register('shop', { allowSecretKeyInBrowser: true }, by));
    await directory.waitFor(changed.position!, 1000);
    expect(directory.find(issued.keyId)!.site.settings.allowSecretKeyInBrowser).toBe(true);
    const revoked = done(await sites.revokeKey('shop', issued.keyId, null, by));
    await directory.waitFor(revoked.position!, 1000);
    expect(directory.find(issued.keyId)).toBeUndefined();
    expect(directory.listsOrigin('https://shop.example')).toBe(false);
    expect(directory.site('shop')!.keys.get(issued.keyId)!.revokedAt).not.toBeNull();
  });

  it('looks into the log before it calls a key unknown: another instance may have issued it a moment ago', async () => {
    directory.start();
    await directory.ready(1000);
    done(await sites.register('shop', {}, by));
    const issued = await publicKey();
    expect(await directory.lookForKey(issued.keyId)).toBe(true);
    expect(directory.find(issued.keyId)).toBeDefined();
    expect(await directory.lookForKey('key_000000000000')).toBe(false);
    const revoked = done(await sites.revokeKey('shop', issued.keyId, null, by));
    await directory.waitFor(revoked.position!, 1000);
    log.head = () => Promise.reject(new LogUnavailable('a revoked key is not looked for', false));
    expect(await directory.lookForKey(issued.keyId)).toBe(false);
  });

  it('calls neither a key nor a site unknown where the log does not tell in time', async () => {
    directory.start();
    await directory.ready(1000);
    const { head } = log;
    const late = { name: 'DependencyUnavailable' };
    for (const answer of [new LogUnavailable('gone', false), new Promise<never>(() => {}), 1_000_000n]) {
      log.head = () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));
      const own = new KeyDirectory(log, codec);
      await expect(own.lookForKey('key_000000000000')).rejects.toMatchObject(late);
      await expect(own.lookForSite('nowhere')).rejects.toMatchObject(late);
    }
    log.head = head;
    expect(await directory.lookForSite('nowhere')).toBe(false);
  });

  it('keeps the key’s secret nowhere, and the identity key only sealed', async () => {
    done(await sites.register('shop', {}, by));
    const issued = done(await sites.issueKey('shop', { type: 'sk', env: 'test', name: 'Server' }, by)) as KeyIssued;
    const stored = JSON.stringify(
      await log.read('site-shop', { direction: 'forwards', limit: 10 }),
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
    expect(stored).not.toContain(issued.text);
    expect(stored).not.toContain(issued.text.slice(20, 52));
    expect(stored).toContain(`identity-token/${issued.keyId}:`);
  });

  it('waits no longer than it may', async () => {
    directory.start();
    await expect(directory.waitFor(99n, 20)).rejects.toMatchObject({ name: 'DependencyUnavailable' });
  });

  it('serves its keys while the log is away and says since when it may be stale', async () => {
    done(await sites.register('shop', {}, by));
    const issued = await publicKey();
    let now = 0;
    const lonely = new KeyDirectory(log, codec, { nowMs: () => now });
    lonely.start();
    await lonely.ready(1000);
    expect(lonely.staleForMs).toBeNull();
    log.head = () => Promise.reject(new LogUnavailable('gone', false));
    now = STALE_AFTER_MS + 1;
    expect(lonely.staleForMs).toBe(STALE_AFTER_MS + 1);
    expect(lonely.find(issued.keyId)).toBeDefined();
    await lonely.stop();
  });

  it('stops visibly at an event that it does not know', async () => {
    await log.append('site-shop', -1, [
      {
        id: '00000000-0000-4000-8000-000000000000',
        type: 'SiteAbolished',
        data: {},
        metadata: { schemaVersion: 1, actor: 'operator', recordedAt: '2026-01-01T00:00:00.000Z' },
      },
    ]);
    directory.start();
    await expect(directory.waitFor(0n, 50)).rejects.toThrow();
    expect(String(directory.failure)).toContain('SiteAbolished');
    await expect(directory.ready(50)).rejects.toThrow();
  });

  it('goes on by itself once that event is left out, and sites are written again', async () => {
    const leftOut = new Set<bigint>();
    const skipping = codec.without(leftOut);
    const [known, writing] = [new KeyDirectory(log, skipping), new Sites(log, skipping, sealer)];
    done(await sites.register('shop', {}, by));
    await log.append('site-shop', 0, [
      {
        id: '00000000-0000-4000-8000-000000000000',
        type: 'SiteAbolished',
        data: {},
        metadata: { schemaVersion: 1, actor: 'operator', recordedAt: '2026-01-01T00:00:00.000Z' },
      },
    ]);
    known.start();
    await expect(known.ready(50)).rejects.toThrow();
    const issue = () => writing.issueKey('shop', { type: 'pk', env: 'live', name: 'Website' }, by);
    await expect(issue()).rejects.toThrow('SiteAbolished');
    leftOut.add(1n);
    const issued = done(await issue()) as KeyIssued;
    await known.waitFor(issued.position!, 30_000);
    expect(known.find(issued.keyId)).toBeDefined();
    await known.ready(30_000);
    await known.stop();
  });
});

describe('the sites', () => {
  it('find what they did when the answer of the log was lost', async () => {
    const append = log.append.bind(log);
    log.append = async (...of) => {
      log.append = append;
      await append(...of);
      throw new LogUnavailable('no answer', true);
    };
    const registered = done(await sites.register('shop', {}, by));
    expect(registered.position).toBe(0n);
    expect(await log.read('site-shop', { direction: 'forwards', limit: 10 })).toHaveLength(1);
  });

  it('all carry out what several operators do at once', async () => {
    done(await sites.register('shop', {}, by));
    const issued = await Promise.all(Array.from({ length: 4 }, () => publicKey()));
    expect(new Set(issued.map((each) => each.keyId)).size).toBe(4);
    expect(issued.at(-1)!.position).not.toBeNull();
  });
});
