import { randomBytes } from 'node:crypto';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { verifies } from '../../test/support/receipt.js';
import { MemoryEventLog } from '../log/adapters/memory.js';
import { isRefusal, plusMs, systemClock } from '../kernel/index.js';
import { Database } from '../engines/database/database.js';
import { migrate } from '../engines/database/migrate.js';
import { MasterKey } from '../vault/master-key.js';
import { Vault } from '../vault/vault.js';
import { CreateVault1763700000001 } from '../vault/vault.migration.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { SigningKeys } from './signing-keys.js';
import { SigningKeyChanges } from './write/signing-key-changes.js';

const master = randomBytes(32);
const opened: Database[] = [];
let postgres: LogDatabase;

beforeAll(async () => {
  postgres = await startLogDatabase();
  await migrate(postgres.url, [CreateVault1763700000001]);
});
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await postgres.stop();
});

/** The vault as a process of its own opens it. */
function vaultOf(masterKey = master, url = postgres.url, budgetMs = 30_000): Vault {
  const database = new Database(url, { max: 2, budgetMs });
  opened.push(database);
  return new Vault(database, new MasterKey(masterKey));
}

/** Nothing was ever rotated. */
const keysOf = (vault: Vault): SigningKeys => new SigningKeys(vault, new MemoryEventLog(), systemClock);
const LONG_AGO = '2020-01-01T00:00:00.000Z';
const receipt = { id: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2W', environment: 'live' };

describe('the signing keys', () => {
  it('are the same for all instances that make them at once', async () => {
    const vaults = Array.from({ length: 4 }, () => vaultOf());
    for (let round = 0; round < 3; round++) {
      await postgres.database.run('delete from vault.sealed_secrets');
      const instances = vaults.map((vault) => keysOf(vault));
      expect(new Set(await Promise.all(instances.map((keys) => keys.sign('live', receipt, LONG_AGO)))).size).toBe(1);
      expect(
        new Set((await Promise.all(instances.map((keys) => keys.published()))).map((keys) => JSON.stringify(keys)))
          .size,
      ).toBe(1);
    }
  });

  it('are one for each environment: what test signs never verifies as live', async () => {
    const keys = keysOf(vaultOf());
    const [test, live] = await keys.published();
    expect(test!.kid).not.toBe(live!.kid);
    const [inTest, inLive] = [await keys.sign('test', receipt, LONG_AGO), await keys.sign('live', receipt, LONG_AGO)];
    expect([
      verifies(inTest, receipt, [test!]),
      verifies(inTest, receipt, [live!]),
      verifies(inLive, receipt, [live!]),
      verifies(inLive, receipt, [test!]),
    ]).toEqual([true, false, true, false]);
  });

  it('outlive the process: a receipt is signed again with the same bytes', async () => {
    const [before, after] = [keysOf(vaultOf()), keysOf(vaultOf())];
    expect(await after.sign('live', receipt, LONG_AGO)).toBe(await before.sign('live', receipt, LONG_AGO));
    expect(await after.published()).toEqual(await before.published());
  });

  it('are published without their private half', async () => {
    const published = await keysOf(vaultOf()).published();
    expect(published.map((key) => Object.keys(key).sort())).toEqual([
      ['crv', 'kid', 'kty', 'use', 'x'],
      ['crv', 'kid', 'kty', 'use', 'x'],
    ]);
  });

  it('stand in no table as they are', async () => {
    const vault = vaultOf();
    await keysOf(vault).published();
    const seeds = await Promise.all(['test', 'live'].map((env) => vault.secret(`receipt-signing-key/${env}`)));
    const tables = await postgres.database.run<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const rows = await Promise.all(
      tables.map(({ name: table }) =>
        postgres.database.run<{ text: string }>(`select t::text as text from ${table} t`),
      ),
    );
    const stored = rows
      .flat()
      .map(({ text }) => text)
      .join('\n');
    expect(stored).toContain('receipt-signing-key/live');
    for (const seed of seeds) {
      expect(seed).toHaveLength(32);
      for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const)
        expect(stored).not.toContain(seed!.toString(encoding));
    }
  });

  it('cannot be opened with another master key, nor taken for each other', async () => {
    await keysOf(vaultOf()).published();
    await expect(keysOf(vaultOf(randomBytes(32))).onModuleInit()).rejects.toThrow();
    await postgres.database.run(
      `update vault.sealed_secrets set sealed = (select sealed from vault.sealed_secrets where name = 'receipt-signing-key/test') where name = 'receipt-signing-key/live'`,
    );
    await expect(keysOf(vaultOf()).onModuleInit()).rejects.toThrow();
    await postgres.database.run('delete from vault.sealed_secrets');
  });

  it('are asked for again where the vault was away when the process started', async () => {
    const wire = await postgres.wire();
    wire.mute();
    const keys = keysOf(vaultOf(master, wire.url, 4_000));
    await keys.onModuleInit();
    wire.restore();
    expect(await keys.sign('live', receipt, LONG_AGO)).toBe(await keysOf(vaultOf()).sign('live', receipt, LONG_AGO));
  });
});

describe('a rotation', () => {
  const DAY_MS = 24 * 3_600_000;
  const by = { actor: 'operator:opt_first', requestId: 'req_1', key: null };
  const kidOf = (jws: string): string =>
    (JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;

  /** Instances on one log and one vault, at a time that the test sets. */
  async function installation() {
    await postgres.database.run('delete from vault.sealed_secrets');
    const log = new MemoryEventLog();
    const time = { now: '2026-11-21T12:00:00.000Z' };
    const instance = (): SigningKeys => new SigningKeys(vaultOf(), log, () => time.now);
    const changes = (keys: SigningKeys): SigningKeyChanges => new SigningKeyChanges(keys, () => time.now);
    return { time, instance, changes };
  }

  it('changes no receipt of what was recorded before, on no instance; what is recorded a day later has the new key', async () => {
    const { time, instance, changes } = await installation();
    const keys = instance();
    const recorded = time.now;
    const first = await keys.sign('live', receipt, recorded);
    expect(await changes(keys).rotate('live', 'yearly', by)).toMatchObject({
      events: [{ type: 'SigningKeyAnnounced', data: { env: 'live', number: 2, signsFrom: plusMs(recorded, DAY_MS) } }],
    });
    const published = await keys.published();
    expect(published).toHaveLength(3);
    time.now = plusMs(recorded, DAY_MS);
    for (const each of [keys, instance()]) {
      expect(await each.sign('live', receipt, recorded)).toBe(first);
      const later = await each.sign('live', receipt, time.now);
      expect(kidOf(later)).not.toBe(kidOf(first));
      expect([verifies(later, receipt, published), verifies(first, receipt, published)]).toEqual([true, true]);
      // The other environment goes on with its own.
      expect(kidOf(await each.sign('test', receipt, time.now))).toBe(published[0]!.kid);
      expect(await each.published()).toEqual(published);
    }
  });

  it('of a compromised key says so in the key set, and nothing is signed with it that is recorded afterwards', async () => {
    const { time, instance, changes } = await installation();
    const [keys, other] = [instance(), instance()];
    const recorded = time.now;
    const signed = await other.sign('live', receipt, recorded);
    time.now = plusMs(recorded, DAY_MS);
    const done = await changes(keys).revoke(kidOf(signed), 'leaked', by);
    expect(done).toMatchObject({ events: [{ type: 'SigningKeyRevoked' }, { type: 'SigningKeyAnnounced' }] });
    const [, live, successor] = await other.published();
    expect(live).toMatchObject({ kid: kidOf(signed), revokedAt: time.now });
    // The other instance does not know it yet. It looks, because the record is so new.
    time.now = plusMs(time.now, 10_000);
    expect(kidOf(await other.sign('live', receipt, time.now))).toBe(successor!.kid);
    expect(await other.sign('live', receipt, recorded)).toBe(signed);
    expect(await changes(keys).revoke(kidOf(signed), null, by)).toMatchObject({
      events: [],
      before: { env: 'live', revokedAt: plusMs(recorded, DAY_MS) },
    });
  });

  it('cannot be forgotten by a vault that is older than it: nothing else is signed in place of its key', async () => {
    const { time, instance, changes } = await installation();
    const keys = instance();
    await changes(keys).rotate('live', null, by);
    const published = await keys.published();
    await postgres.database.run(`delete from vault.sealed_secrets where name = 'receipt-signing-key/live/2'`);
    const restored = instance();
    expect(await restored.published()).toEqual(published);
    await expect(restored.sign('live', receipt, plusMs(time.now, DAY_MS))).rejects.toThrow(DependencyUnavailable);
    expect(verifies(await restored.sign('live', receipt, time.now), receipt, published)).toBe(true);
  });

  it('made by two at once is made once', async () => {
    const { instance, changes } = await installation();
    const [one, two] = [instance(), instance()];
    const done = await Promise.all([changes(one).rotate('live', null, by), changes(two).rotate('live', null, by)]);
    expect(done.map((each) => (isRefusal(each) ? each.code : 'announced')).sort()).toEqual([
      'announced',
      'state_conflict',
    ]);
    expect(await one.published()).toEqual(await two.published());
  });
});
