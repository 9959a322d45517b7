import { randomBytes } from 'node:crypto';
import { steppedDatabase } from '../../test/support/steps.js';
import { startWriteDatabase, type WriteDatabase } from '../../test/support/write-database.js';
import { isRefusal, refusal, type Reference } from '../kernel/index.js';
import { DependencyUnavailable } from '../engines/dependency-unavailable.js';
import { MasterKey } from '../vault/master-key.js';
import { Vault, type Newcomer } from '../vault/vault.js';
import { onceEach, type OncePart } from './once.js';
import { IdempotencyReservations, type Owned, type RequestKey, type Reserved } from './reservations.js';

const MASTER = new MasterKey(Buffer.alloc(32, 5));

let world: WriteDatabase;
beforeAll(async () => {
  world = await startWriteDatabase();
}, 60_000);
afterAll(() => world?.stop());

/** Two processes over one database. */
let [here, there]: [IdempotencyReservations, IdempotencyReservations] = [null!, null!];
/** Of `here`. */
let isAway = false;
/** Names of the statements that it never gets an answer to. */
let unanswered: string[] = [];
beforeEach(() => {
  [isAway, unanswered] = [false, []];
  const database = steppedDatabase(world.database, async ({ what }, carryOut) => {
    if (isAway) throw new DependencyUnavailable('database');
    return unanswered.includes(what) ? new Promise(() => undefined) : carryOut();
  });
  [here, there] = [new IdempotencyReservations(database, MASTER), new IdempotencyReservations(world.database, MASTER)];
});

const hex = (): string => randomBytes(32).toString('hex');
const newKey = (): RequestKey => ({ digest: hex(), fingerprint: hex() });
const withOtherBody = ({ digest }: RequestKey): RequestKey => ({ digest, fingerprint: hex() });

async function ours(reservations: IdempotencyReservations, key: RequestKey): Promise<Owned> {
  const reserved = await reservations.reserve(key, []);
  if (reserved.kind !== 'ours') throw new Error(`the key is ${reserved.kind}`);
  return { key: key.digest, owner: reserved.owner };
}
const kindOf = async (reserving: Promise<Reserved>): Promise<string> => {
  const reserved = await reserving;
  return reserved.kind === 'ours' ? `ours, ${reserved.fresh ? 'new' : 'seen before'}` : reserved.kind;
};
/** Lets so many seconds pass for the lease on a key, without waiting for them. */
const pass = (seconds: number, { digest }: RequestKey): Promise<unknown> =>
  world.database.run(
    `update write.idempotency set leased_until = leased_until - make_interval(secs => $1) where key = decode($2, 'hex')`,
    [seconds, digest],
  );

describe('a key that is reserved', () => {
  it('belongs to one: all others are told that it is in use, or that it stands for something else', async () => {
    const key = newKey();
    expect(await kindOf(here.reserve(key, []))).toBe('ours, new');
    await pass(-600, key);
    for (const process of [here, there]) {
      expect(await kindOf(process.reserve(key, []))).toBe('seen');
      expect(await kindOf(process.reserve(withOtherBody(key), []))).toBe('other');
      expect(await process.seen(key)).toBe('same');
      expect(await process.seen(withOtherBody(key))).toBe('other');
    }
  });

  it('is in use in this process while it is carried out, however long that takes', async () => {
    const key = newKey();
    await ours(here, key);
    await pass(600, key);
    expect(await kindOf(here.reserve(key, []))).toBe('seen');
    expect(await kindOf(here.reserve(withOtherBody(key), []))).toBe('other');
  });

  it('names whom it is about, to the one whom it belongs to and to others; in this process nobody needs to be asked', async () => {
    const key = newKey();
    const reserved = await here.reserve(key, ['sub_a', 'sub_b']);
    expect(reserved).toMatchObject({ kind: 'ours', fresh: true, subjects: ['sub_a', 'sub_b'], erased: [] });
    expect(await there.reserve(key, [])).toEqual({ kind: 'seen', subjects: ['sub_a', 'sub_b'], erased: [] });
    isAway = true;
    expect(await here.reserve(key, [])).toEqual({ kind: 'seen', subjects: [], erased: [] });
    isAway = false;
  });

  it('is not in use where it could not be reserved', async () => {
    const key = newKey();
    isAway = true;
    await expect(here.reserve(key, [])).rejects.toThrow(DependencyUnavailable);
    isAway = false;
    expect(await kindOf(here.reserve(key, []))).toBe('ours, new');
    const theirs = newKey();
    const owned = await ours(there, theirs);
    expect(await kindOf(here.reserve(theirs, []))).toBe('seen');
    await there.forget([owned]);
    expect(await kindOf(here.reserve(theirs, []))).toBe('ours, new');
  });

  it('can be taken over six seconds after whoever held it died, by the same request only', async () => {
    const key = newKey();
    await ours(there, key);
    await pass(6, key);
    expect(await kindOf(here.reserve(withOtherBody(key), []))).toBe('other');
    expect(await kindOf(here.reserve(key, []))).toBe('ours, seen before');
    expect(await kindOf(there.reserve(key, []))).toBe('seen');
  });
});

describe('a reservation that is released', () => {
  it('can be had at once, in the process that released it and in others', async () => {
    for (const next of [here, there]) {
      const key = newKey();
      await here.release([await ours(here, key)]);
      expect(await kindOf(next.reserve(key, []))).toBe('ours, seen before');
    }
  });

  it('still stands for its request', async () => {
    const key = newKey();
    await here.release([await ours(here, key)]);
    for (const process of [here, there]) expect(await kindOf(process.reserve(withOtherBody(key), []))).toBe('other');
  });

  it('is not released for whoever took it over', async () => {
    const key = newKey();
    const late = await ours(here, key);
    await pass(6, key);
    await ours(there, key);
    await pass(-600, key);
    await here.release([late]);
    expect(await kindOf(here.reserve(key, []))).toBe('seen');
  });

  it('keeps nobody waiting where the database gives no answer', async () => {
    const owned = await ours(here, newKey());
    unanswered = ['idempotency_release'];
    await here.release([owned]);
    unanswered = [];
    expect((await here.windowsOf([owned.key])).get(owned.key)).not.toHaveProperty('leasedUntilMs');
  });

  it('ends with its lease where the database is away', async () => {
    const key = newKey();
    const owned = await ours(here, key);
    isAway = true;
    await here.release([owned]);
    isAway = false;
    await pass(6, key);
    expect(await kindOf(here.reserve(key, []))).toBe('ours, seen before');
  });
});

describe('a key', () => {
  it('is free for anything once its request was refused', async () => {
    for (const next of [here, there]) {
      const key = newKey();
      await here.forget([await ours(here, key)]);
      expect(await next.seen(key)).toBe('never');
      expect(await kindOf(next.reserve(withOtherBody(key), []))).toBe('ours, new');
    }
  });

  it('whose effect stands is looked up, where the log may hold it, from when it was reserved', async () => {
    const key = newKey();
    const before = new Date(Date.now() - 60_000).toISOString();
    await ours(here, key);
    const [held] = [...(await here.windowsOf([key.digest])).values()];
    expect(held!.leasedUntilMs).toBeGreaterThan(performance.now());
    here.done([key.digest]);
    const [known] = [...(await here.windowsOf([key.digest, hex()])).values()];
    expect(known!.leasedUntilMs).toBeUndefined();
    expect(known!.since > before).toBe(true);
    expect(known!.until! >= known!.since).toBe(true);
    await pass(600, key);
    expect(await kindOf(here.reserve(key, []))).toBe('ours, seen before');
    // The holder before may have recorded something under it.
    expect([...(await here.windowsOf([key.digest])).values()]).toEqual([
      { since: known!.since, until: expect.any(String) },
    ]);
  });

  it('that is new is known from when on to look, without asking the database', async () => {
    const [key, other] = [newKey(), newKey()];
    await ours(here, key);
    await ours(there, other);
    expect([...(await here.windowsOf([key.digest, other.digest])).keys()]).toEqual([key.digest, other.digest]);
    isAway = true;
    const sinceOf = async (): Promise<unknown> => (await here.windowsOf([key.digest])).get(key.digest)!.since;
    const since = await sinceOf();
    isAway = false;
    here.done([key.digest]);
    expect(await sinceOf()).toEqual(since);
  });

  it('names the same subject as before where nothing is to be renamed, without asking the database', async () => {
    const owned = await ours(here, newKey());
    isAway = true;
    await here.rename([owned], 'sub_a', 'sub_a');
    await here.rename([], 'sub_a', 'sub_b');
    await here.release([]);
    await expect(here.rename([owned], 'sub_a', 'sub_b')).rejects.toThrow(DependencyUnavailable);
    isAway = false;
  });
});

describe('a key that is reserved for somebody who is perhaps not known yet', () => {
  const scope = { site: 'shop', env: 'test' } as const;
  const reference = (): Reference => ({ kind: 'user_id', value: randomBytes(8).toString('hex') });
  const newcomer = (who: Reference): Newcomer => vault.newcomer(scope, who, Date.now());
  const reserve = (key: RequestKey, one: Newcomer): Promise<Reserved> => here.reserve(key, [one.subjectId], one);
  const nobody = async (who: Reference): Promise<boolean> =>
    (await new Vault(world.database, MASTER).find(scope, who)) === null;
  let vault: Vault;
  beforeEach(() => void (vault = new Vault(world.database, MASTER)));

  it('makes the subject in the same statement, which then is somebody whose fields can be sealed', async () => {
    const who = reference();
    const [key, one] = [newKey(), newcomer(who)];
    const reserved = await reserve(key, one);
    expect(reserved).toMatchObject({ kind: 'ours', fresh: true, met: { created: true }, subjects: [one.subjectId] });
    const { subjectId, identifierId } = one;
    expect(vault.met(one, { created: true })).toEqual({ subjectId, identifierId, created: true });
    const elsewhere = new Vault(world.database, MASTER);
    for (const known of [vault, elsewhere]) {
      expect(await known.find(scope, who)).toMatchObject({ subjectId, identifierId, created: false, isPerson: true });
      const sealed = (await vault.cipherOf(subjectId)).encrypt('field', 'personal');
      expect((await known.cipherOf(subjectId)).decrypt('field', sealed)).toBe('personal');
    }
    expect(await there.reserve(key, [])).toMatchObject({ kind: 'seen', subjects: [subjectId] });
  });

  it('names whoever is known by the reference, and makes nobody', async () => {
    const who = reference();
    const first = newcomer(who);
    await reserve(newKey(), first);
    const [key, second] = [newKey(), newcomer(who)];
    const reserved = await reserve(key, second);
    expect(reserved).toMatchObject({ kind: 'ours', fresh: true, subjects: [first.subjectId] });
    if (reserved.kind !== 'ours') throw new Error(reserved.kind);
    const { subjectId, identifierId } = first;
    expect(vault.met(second, reserved.met!)).toMatchObject({ subjectId, identifierId, created: false });
    expect(await there.reserve(key, [])).toMatchObject({ kind: 'seen', subjects: [subjectId] });
  });

  it('makes nobody where the key is not new: it stands for another request, is in use, or was left', async () => {
    for (const [left, other] of [
      [false, true],
      [false, false],
      [true, false],
    ]) {
      const [key, who] = [newKey(), reference()];
      await there.reserve(key, ['sub_of_the_row']);
      if (left) await pass(6, key);
      const reserved = await reserve(other ? withOtherBody(key) : key, newcomer(who));
      expect(reserved.kind).toBe(other ? 'other' : left ? 'ours' : 'seen');
      if (reserved.kind === 'ours') expect(reserved).toMatchObject({ fresh: false, met: null });
      if (reserved.kind !== 'other') expect(reserved.subjects).toEqual(['sub_of_the_row']);
      expect(await nobody(who)).toBe(true);
    }
  });

  it('makes one subject of many who come at once, and tells the others nothing that is not so', async () => {
    const who = reference();
    const all = Array.from({ length: 12 }, () => ({ key: newKey(), one: newcomer(who) }));
    const reserved = await Promise.all(
      all.map(({ key, one }, i) => (i % 2 ? here : there).reserve(key, [one.subjectId], one)),
    );
    const { subjectId } = (await new Vault(world.database, MASTER).find(scope, who))!;
    const met = reserved.map((each) => (each.kind === 'ours' ? each.met : null));
    expect(met.filter((row) => row?.created)).toHaveLength(1);
    for (const [i, row] of met.entries()) {
      if (row?.created) expect(all[i]!.one.subjectId).toBe(subjectId);
      else if (row) expect(row).toMatchObject({ subject_id: subjectId });
    }
    const { rows, keys } = (
      await world.database.run<{ rows: number; keys: number }>(
        `select count(*)::int as rows, (select count(*)::int from vault.subject_keys where subject_id = any($1)) as keys
         from vault.identifiers where subject_id = any($1)`,
        [all.map(({ one }) => one.subjectId)],
      )
    )[0]!;
    expect([rows, keys]).toEqual([1, 1]);
  });
});

describe('something that is done once', () => {
  const part = (key: RequestKey): OncePart => ({ key, claim: 'ROW', subjects: [], refused: null });
  const done = { answer: 'done', position: 7n };
  const nothingYet = async (): Promise<null[]> => [null];
  const failing = async (): Promise<never> => {
    throw new DependencyUnavailable('event log');
  };

  it('can be tried again at once where it failed, here and elsewhere', async () => {
    for (const next of [here, there]) {
      const key = newKey();
      const tried = onceEach(here, [part(key)], { replay: nothingYet, carryOut: failing });
      await expect(tried).rejects.toThrow(DependencyUnavailable);
      const [outcome] = await onceEach(next, [part(key)], { replay: nothingYet, carryOut: async () => [done] });
      expect(outcome).toEqual({ ...done, replayed: false });
    }
  });

  it('can be tried again at once where it cannot even be looked up', async () => {
    const key = newKey();
    await here.release([await ours(here, key)]);
    const tried = onceEach(here, [part(key)], { replay: failing, carryOut: async () => [done] });
    await expect(tried).rejects.toThrow(DependencyUnavailable);
    const [outcome] = await onceEach(here, [part(key)], { replay: nothingYet, carryOut: async () => [done] });
    expect(outcome).toEqual({ ...done, replayed: false });
  });

  it('can be tried again at once where something else that came with it could not be looked up', async () => {
    const [key, refused] = [newKey(), newKey()];
    const no = refusal('purpose_unknown', 'There is no such purpose.', 'Name another.');
    const database = steppedDatabase(world.database, async ({ what }, carryOut) => {
      if (what === 'idempotency_seen_all') throw new DependencyUnavailable('database');
      return carryOut();
    });
    const halfBlind = new IdempotencyReservations(database, MASTER);
    const work = { replay: nothingYet, carryOut: async () => [done] };
    await expect(onceEach(halfBlind, [part(key), { ...part(refused), refused: no }], work)).rejects.toThrow(
      DependencyUnavailable,
    );
    for (const next of [halfBlind, there])
      expect(await kindOf(next.reserve(key, []))).toBe(next === there ? 'seen' : 'ours, seen before');
  });

  it('leaves its key free where it was refused', async () => {
    const key = newKey();
    const refused = refusal('purpose_unknown', 'There is no such purpose.', 'Name another.');
    const [outcome] = await onceEach(here, [part(key)], { replay: nothingYet, carryOut: async () => [refused] });
    expect(outcome).toEqual(refused);
    const [other] = await onceEach(here, [part(withOtherBody(key))], {
      replay: nothingYet,
      carryOut: async () => [done],
    });
    expect(isRefusal(other!)).toBe(false);
  });
});
