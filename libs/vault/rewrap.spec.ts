import { randomBytes } from 'node:crypto';
import { startWriteDatabase, type WriteDatabase } from '../../test/support/write-database.js';
import { FORGOTTEN, type Scope } from '../kernel/index.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { leaveProof, proveMasterKey } from './master-key-proof.js';
import { MasterKey } from './master-key.js';
import { openMasterKey } from './open-master-key.js';
import { allowNext, rewrap } from './rewrap.js';
import { Vault } from './vault.js';

const scope: Scope = { site: 'shop', env: 'test' };
const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
const unseen = (): void => undefined;

let world: WriteDatabase;
/** A process before the rotation, and one with both keys during it. */
let [before, during]: [Vault, Vault] = [null!, null!];
beforeEach(async () => {
  world = await startWriteDatabase();
  before = new Vault(world.database, await openMasterKey(world.database, { key: OLD, other: null }));
  await leaveProof(before);
}, 60_000);
afterEach(() => world?.stop());

async function prepare(): Promise<void> {
  const old = await openMasterKey(world.database, { key: OLD, other: null });
  const next = new MasterKey(NEW);
  await allowNext(world.database);
  await world.database.run('insert into vault.master_keys (id, carried) values ($1, $2)', [next.id, old.carryTo(next)]);
  during = new Vault(world.database, await opened());
}
const opened = (other: Buffer | null = OLD): Promise<MasterKey> => openMasterKey(world.database, { key: NEW, other });
const person = (name: string) => ({ kind: 'email', value: `${name}@shop.example` }) as const;
const made = async (vault: Vault, name: string): Promise<string> =>
  (await vault.findOrCreate(scope, person(name), Date.now()))!.subjectId;
const sealedFor = async (vault: Vault, subjectId: string): Promise<unknown> =>
  (await vault.cipherOf(subjectId)).encrypt('field', 'personal');

describe('a rotation of the master key', () => {
  it('leaves every subject findable and readable, with the new key alone', async () => {
    const people = await Promise.all(Array.from({ length: 1_203 }, (_, i) => made(before, `p${i}`)));
    const text = await sealedFor(before, people[0]!);
    await before.putSecret('signing', Buffer.from('secret'));
    await prepare();
    const shares: number[] = [];
    // With the proof and the secret.
    expect(await rewrap(world.database, await opened(), (share) => shares.push(share))).toBe(1_205);
    expect(shares.at(-1)).toBe(1);
    const after = new Vault(world.database, await opened(null));
    await proveMasterKey(after);
    for (const i of [0, 1, 600, 1_202]) expect((await after.find(scope, person(`p${i}`)))?.subjectId).toBe(people[i]);
    expect((await after.cipherOf(people[0]!)).decrypt('field', text)).toBe('personal');
    expect((await after.secret('signing'))?.toString()).toBe('secret');
    const [row] = await world.database.run<{ wrapped: Buffer }>(
      'select wrapped from vault.subject_keys where subject_id = $1',
      [people[7]],
    );
    expect(() => new MasterKey(OLD).unwrapSubjectKey(people[7]!, row!.wrapped)).toThrow();
  }, 60_000);

  it('carries what must stay the same for ever', async () => {
    const old = await openMasterKey(world.database, { key: OLD, other: null });
    const inLog = old.sealSecret('identity-token/key_1', Buffer.from('mac'));
    const link = old.sealLink(Buffer.from('link'));
    await prepare();
    await rewrap(world.database, await opened(), unseen);
    const next = await opened(null);
    expect(next.openSecret('identity-token/key_1', inLog).toString()).toBe('mac');
    expect(next.openLink(link).toString()).toBe('link');
    expect(next.operatorToken()).toBe(old.operatorToken());
    expect(next.requestDigest('x')).toBe(old.requestDigest('x'));
    expect(next.addressSalt()).toBe(old.addressSalt());
    expect(next.confirmationSecret('rec_1')).toEqual(old.confirmationSecret('rec_1'));
    expect(next.identifierDigest('a', 'b', 'c')).toEqual(old.identifierDigest('a', 'b', 'c'));
    expect(next.bytesUnder('d')(40)).toEqual(old.bytesUnder('d')(40));
    expect(next.sealLink(Buffer.from('link'))).toEqual(link);
  });

  it('can be done again, from a key that was rotated to', async () => {
    const subjectId = await made(before, 'ada');
    const inLog = new MasterKey(OLD).sealSecret('p', Buffer.from('mac'));
    await prepare();
    await rewrap(world.database, await opened(), unseen);
    const third = randomBytes(32);
    const next = new MasterKey(third);
    const second = await opened(null);
    await allowNext(world.database);
    await world.database.run('insert into vault.master_keys (id, carried) values ($1, $2)', [
      next.id,
      second.carryTo(next),
    ]);
    await rewrap(world.database, await openMasterKey(world.database, { key: third, other: NEW }), unseen);
    const last = await openMasterKey(world.database, { key: third, other: null });
    expect((await new Vault(world.database, last).find(scope, person('ada')))?.subjectId).toBe(subjectId);
    expect(last.openSecret('p', inLog).toString()).toBe('mac');
  });

  it('goes on where it was cut off, at any row', async () => {
    const people = await Promise.all(Array.from({ length: 1_100 }, (_, i) => made(before, `p${i}`)));
    await prepare();
    const master = await opened();
    for (const cutAt of [1, 600]) {
      const cut = rewrap(world.database, master, (_, done) => {
        if (done >= cutAt) throw new Error('killed');
      });
      await expect(cut).rejects.toThrow('killed');
      const vault = new Vault(world.database, await opened());
      for (const i of [0, 550, 1_099]) expect((await vault.find(scope, person(`p${i}`)))?.subjectId).toBe(people[i]);
    }
    await rewrap(world.database, master, unseen);
    expect(await rewrap(world.database, master, unseen)).toBe(0);
    const [left] = await world.database.run<{ n: number }>(
      'select count(*)::int as n from vault.subject_keys where master is distinct from $1',
      [master.id],
    );
    expect(left!.n).toBe(0);
  }, 60_000);

  it('takes what others write and erase meanwhile', async () => {
    const people = await Promise.all(Array.from({ length: 1_100 }, (_, i) => made(before, `p${i}`)));
    await prepare();
    let late = '';
    const writing: Promise<unknown>[] = [];
    await rewrap(world.database, await opened(), () => {
      if (writing.length > 0) return;
      writing.push(
        before.destroy([people[3]!, people[1_000]!]),
        made(during, 'new').then((id) => (late = id)),
        made(before, 'by a process that has the old key alone'),
      );
    });
    await Promise.all(writing);
    const after = new Vault(world.database, await opened(null));
    expect((await after.find(scope, person('new')))?.subjectId).toBe(late);
    expect(await after.find(scope, person('by a process that has the old key alone'))).not.toBeNull();
    for (const i of [3, 1_000]) {
      expect(await after.find(scope, person(`p${i}`))).toBeNull();
      expect((await after.cipherOf(people[i]!)).decrypt('field', 'x')).toBe(FORGOTTEN);
    }
  }, 60_000);

  it('lets no process seal with the old key once it is done', async () => {
    await prepare();
    await rewrap(world.database, await opened(), unseen);
    await expect(made(before, 'late')).rejects.toThrow(DependencyUnavailable);
    await expect(
      before.reserve(scope, [person('late')], Date.now(), { existing: null, newSubjectId: 'sub_late' }),
    ).rejects.toThrow(DependencyUnavailable);
    expect(await before.find(scope, person('late'))).toBeNull();
    expect(await made(new Vault(world.database, await opened(null)), 'late')).toMatch(/^sub_/);
  });
});

describe('a process', () => {
  it('does not start with a new key that nothing was carried to, nor with it alone before all is sealed anew', async () => {
    await expect(opened()).rejects.toThrow(/not prepared/);
    await prepare();
    await expect(opened(null)).rejects.toThrow(/being rotated/);
    await proveMasterKey(during);
    await rewrap(world.database, await opened(), unseen);
    await proveMasterKey(new Vault(world.database, await opened(null)));
    const old = new Vault(world.database, await openMasterKey(world.database, { key: OLD, other: null }));
    await expect(proveMasterKey(old)).rejects.toThrow(/not the one/);
  });

  it('with the old key and the next reads what the next one sealed', async () => {
    await prepare();
    const subjectId = await made(during, 'ada');
    const text = await sealedFor(during, subjectId);
    const both = new Vault(world.database, await openMasterKey(world.database, { key: OLD, other: NEW }));
    expect((await both.find(scope, person('ada')))?.subjectId).toBe(subjectId);
    expect((await both.cipherOf(subjectId)).decrypt('field', text)).toBe('personal');
  });
});
