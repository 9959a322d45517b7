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

/** A process of its own, as far as keys go. */
function instance(masterKey = master): { keys: SigningKeys; vault: Vault; database: Database } {
  const database = new Database(url, { max: 2 });
  opened.push(database);
  const vault = new Vault(database, new MasterKey(masterKey));
  return { keys: new SigningKeys(vault), vault, database };
}

const receipt = { id: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2W', environment: 'live' };

describe('the signing keys', () => {
  it('are the same for all instances that make them at once', async () => {
    const instances = Array.from({ length: 4 }, () => instance());
    for (let round = 0; round < 10; round++) {
      await instances[0]!.database.run('delete from vault.sealed_secrets');
      const signed = await Promise.all(instances.map(({ vault }) => new SigningKeys(vault).sign('live', receipt)));
      expect(new Set(signed).size).toBe(1);
    }
  });

  it('are one for each environment: what test signs never verifies as live', async () => {
    const { keys } = instance();
    const [test, live] = await keys.published();
    expect(test!.kid).not.toBe(live!.kid);
    const [inTest, inLive] = [await keys.sign('test', receipt), await keys.sign('live', receipt)];
    expect([verifies(inTest, receipt, [test!]), verifies(inTest, receipt, [live!]), verifies(inLive, receipt, [live!]), verifies(inLive, receipt, [test!])]).toEqual([true, false, true, false]);
  });

  it('outlive the process: a receipt is signed again with the same bytes, and still verifies', async () => {
    const before = instance().keys;
    const after = instance().keys;
    const jws = await before.sign('live', receipt);
    expect(await after.sign('live', receipt)).toBe(jws);
    expect(await after.published()).toEqual(await before.published());
  });

  it('are published before anything was signed, and never with their private half', async () => {
    await opened[0]!.run('delete from vault.sealed_secrets');
    const keys = await instance().keys.published();
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([['crv', 'kid', 'kty', 'use', 'x'], ['crv', 'kid', 'kty', 'use', 'x']]);
    expect(await instance().keys.published()).toEqual(keys);
  });

  it('stand in no table as they are', async () => {
    const { keys, vault, database } = instance();
    await keys.published();
    const seeds = await Promise.all(['test', 'live'].map((env) => vault.secret(`receipt-signing-key/${env}`)));
    const tables = await database.run<{ name: string }>(`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`);
    const rows = await Promise.all(tables.map(({ name: table }) => database.run<{ text: string }>(`select t::text as text from ${table} t`)));
    const stored = rows.flat().map(({ text }) => text).join('\n');
    expect(stored).toContain('receipt-signing-key/live');
    for (const seed of seeds) {
      expect(seed).toHaveLength(32);
      for (const encoding of ['hex', 'base64', 'base64url', 'latin1'] as const) expect(stored).not.toContain(seed!.toString(encoding));
    }
  });

  it('cannot be opened with another master key, nor taken for each other', async () => {
    const { keys, database } = instance();
    await keys.published();
    await expect(instance(randomBytes(32)).keys.sign('live', receipt)).rejects.toThrow();
    await database.run(`update vault.sealed_secrets set sealed = (select sealed from vault.sealed_secrets where name = 'receipt-signing-key/test') where name = 'receipt-signing-key/live'`);
    await expect(instance().keys.sign('live', receipt)).rejects.toThrow();
    await database.run('delete from vault.sealed_secrets');
  });

  it('are asked for again after the vault was away', async () => {
    const { keys, database } = instance();
    await database.run('alter table vault.sealed_secrets rename to away');
    await expect(keys.sign('live', receipt)).rejects.toThrow();
    await database.run('alter table vault.away rename to sealed_secrets');
    expect(await keys.sign('live', receipt)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
  });
});
