import { randomBytes } from 'node:crypto';
import { verifies } from '../../test/support/receipt.js';
import { Database } from '../platform/database/database.js';
import { migrate } from '../platform/database/migrate.js';
import { MasterKey } from '../platform/vault/master-key.js';
import { Vault } from '../platform/vault/vault.js';
import { CreateVault1763700000001 } from '../platform/vault/vault.migration.js';
import { SigningKeys } from './signing-keys.js';

const shared = process.env['ASSENT_TEST_POSTGRES']!;
const name = `receipts_${randomBytes(6).toString('hex')}`;
const url = Object.assign(new URL(shared), { pathname: `/${name}` }).href;
const master = randomBytes(32);
const opened: Database[] = [];
let server: Database;

beforeAll(async () => {
  server = new Database(shared, { max: 1 });
  await server.run(`create database ${name}`);
  await migrate(url, [CreateVault1763700000001]);
});
afterAll(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await server.run(`drop database if exists ${name} with (force)`);
  await server.close();
});

/** The vault as a process of its own opens it. */
function vaultOf(masterKey = master): Vault {
  const database = new Database(url, { max: 2 });
  opened.push(database);
  return new Vault(database, new MasterKey(masterKey));
}

const receipt = { id: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2W', environment: 'live' };

describe('the signing keys', () => {
  it('are the same for all instances that make them at once', async () => {
    const vaults = Array.from({ length: 4 }, () => vaultOf());
    for (let round = 0; round < 3; round++) {
      await opened[0]!.run('delete from vault.sealed_secrets');
      const instances = await Promise.all(vaults.map((vault) => SigningKeys.open(vault)));
      expect(new Set(instances.map(({ published }) => JSON.stringify(published))).size).toBe(1);
      expect(new Set(await Promise.all(instances.map((keys) => keys.sign('live', receipt)))).size).toBe(1);
    }
  });

  it('are one for each environment: what test signs never verifies as live', async () => {
    const keys = await SigningKeys.open(vaultOf());
    const [test, live] = keys.published;
    expect(test!.kid).not.toBe(live!.kid);
    const [inTest, inLive] = [await keys.sign('test', receipt), await keys.sign('live', receipt)];
    expect([verifies(inTest, receipt, [test!]), verifies(inTest, receipt, [live!]), verifies(inLive, receipt, [live!]), verifies(inLive, receipt, [test!])]).toEqual([true, false, true, false]);
  });

  it('outlive the process: a receipt is signed again with the same bytes', async () => {
    const [before, after] = [await SigningKeys.open(vaultOf()), await SigningKeys.open(vaultOf())];
    expect(await after.sign('live', receipt)).toBe(await before.sign('live', receipt));
    expect(after.published).toEqual(before.published);
  });

  it('are published without their private half', async () => {
    const { published } = await SigningKeys.open(vaultOf());
    expect(published.map((key) => Object.keys(key).sort())).toEqual([['crv', 'kid', 'kty', 'use', 'x'], ['crv', 'kid', 'kty', 'use', 'x']]);
  });

  it('stand in no table as they are', async () => {
    const vault = vaultOf();
    await SigningKeys.open(vault);
    const seeds = await Promise.all(['test', 'live'].map((env) => vault.secret(`receipt-signing-key/${env}`)));
    const tables = await opened[0]!.run<{ name: string }>(`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`);
    const rows = await Promise.all(tables.map(({ name: table }) => opened[0]!.run<{ text: string }>(`select t::text as text from ${table} t`)));
    const stored = rows.flat().map(({ text }) => text).join('\n');
    expect(stored).toContain('receipt-signing-key/live');
    for (const seed of seeds) {
      expect(seed).toHaveLength(32);
      for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const) expect(stored).not.toContain(seed!.toString(encoding));
    }
  });

  it('cannot be opened with another master key, nor taken for each other', async () => {
    await SigningKeys.open(vaultOf());
    await expect(SigningKeys.open(vaultOf(randomBytes(32)))).rejects.toThrow();
    await opened[0]!.run(`update vault.sealed_secrets set sealed = (select sealed from vault.sealed_secrets where name = 'receipt-signing-key/test') where name = 'receipt-signing-key/live'`);
    await expect(SigningKeys.open(vaultOf())).rejects.toThrow();
  });
});
