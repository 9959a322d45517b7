import { randomBytes } from 'node:crypto';
import { startLogDatabase, type LogDatabase } from '../../test/support/log-database.js';
import { verifies } from '../../test/support/receipt.js';
import { Database } from '../platform/database/database.js';
import { migrate } from '../platform/database/migrate.js';
import { MasterKey } from '../platform/vault/master-key.js';
import { Vault } from '../platform/vault/vault.js';
import { RotateMasterKeys1763798000001 } from '../platform/vault/master-keys.migration.js';
import { CreateVault1763700000001 } from '../platform/vault/vault.migration.js';
import { SigningKeys } from './signing-keys.js';

const master = randomBytes(32);
const opened: Database[] = [];
let postgres: LogDatabase;

beforeAll(async () => {
  postgres = await startLogDatabase();
  await migrate(postgres.url, [CreateVault1763700000001, RotateMasterKeys1763798000001]);
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

const receipt = { id: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2W', environment: 'live' };

describe('the signing keys', () => {
  it('are the same for all instances that make them at once', async () => {
    const vaults = Array.from({ length: 4 }, () => vaultOf());
    for (let round = 0; round < 3; round++) {
      await postgres.database.run('delete from vault.sealed_secrets');
      const instances = vaults.map((vault) => new SigningKeys(vault));
      expect(new Set(await Promise.all(instances.map((keys) => keys.sign('live', receipt)))).size).toBe(1);
      expect(
        new Set((await Promise.all(instances.map((keys) => keys.published()))).map((keys) => JSON.stringify(keys)))
          .size,
      ).toBe(1);
    }
  });

  it('are one for each environment: what test signs never verifies as live', async () => {
    const keys = new SigningKeys(vaultOf());
    const [test, live] = await keys.published();
    expect(test!.kid).not.toBe(live!.kid);
    const [inTest, inLive] = [await keys.sign('test', receipt), await keys.sign('live', receipt)];
    expect([
      verifies(inTest, receipt, [test!]),
      verifies(inTest, receipt, [live!]),
      verifies(inLive, receipt, [live!]),
      verifies(inLive, receipt, [test!]),
    ]).toEqual([true, false, true, false]);
  });

  it('outlive the process: a receipt is signed again with the same bytes', async () => {
    const [before, after] = [new SigningKeys(vaultOf()), new SigningKeys(vaultOf())];
    expect(await after.sign('live', receipt)).toBe(await before.sign('live', receipt));
    expect(await after.published()).toEqual(await before.published());
  });

  it('are published without their private half', async () => {
    const published = await new SigningKeys(vaultOf()).published();
    expect(published.map((key) => Object.keys(key).sort())).toEqual([
      ['crv', 'kid', 'kty', 'use', 'x'],
      ['crv', 'kid', 'kty', 'use', 'x'],
    ]);
  });

  it('stand in no table as they are', async () => {
    const vault = vaultOf();
    await new SigningKeys(vault).published();
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
    await new SigningKeys(vaultOf()).published();
    await expect(new SigningKeys(vaultOf(randomBytes(32))).onModuleInit()).rejects.toThrow();
    await postgres.database.run(
      `update vault.sealed_secrets set sealed = (select sealed from vault.sealed_secrets where name = 'receipt-signing-key/test') where name = 'receipt-signing-key/live'`,
    );
    await expect(new SigningKeys(vaultOf()).onModuleInit()).rejects.toThrow();
    await postgres.database.run('delete from vault.sealed_secrets');
  });

  it('are asked for again where the vault was away when the process started', async () => {
    const wire = await postgres.wire();
    wire.mute();
    const keys = new SigningKeys(vaultOf(master, wire.url, 4_000));
    await keys.onModuleInit();
    wire.restore();
    expect(await keys.sign('live', receipt)).toBe(await new SigningKeys(vaultOf()).sign('live', receipt));
  });
});
