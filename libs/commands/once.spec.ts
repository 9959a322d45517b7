import { randomBytes } from 'node:crypto';
import { startWriteDatabase, type WriteDatabase } from '../../test/support/write-database.js';
import { isRefusal, refusal, Refused, type Reference, type Refusal } from '../kernel/index.js';
import type { Caller } from '../http/caller.js';
import { MasterKey } from '../vault/master-key.js';
import { keyScopeOf, textInScope, type KeyScope } from './key-scope.js';
import { goneWithSubject, once, onceEach, type Done, type Hold, type OncePart, type OnceRequest } from './once.js';
import { IdempotencyReservations, keyReused, stillRunning, type RequestKey } from './reservations.js';

let world: WriteDatabase;
let [here, there]: [IdempotencyReservations, IdempotencyReservations] = [null!, null!];
beforeAll(async () => {
  world = await startWriteDatabase();
}, 60_000);
afterAll(() => world?.stop());
beforeEach(() => {
  const master = new MasterKey(Buffer.alloc(32, 5));
  [here, there] = [
    new IdempotencyReservations(world.database, master),
    new IdempotencyReservations(world.database, master),
  ];
});

const hex = (): string => randomBytes(32).toString('hex');
const newKey = (): RequestKey => ({ digest: hex(), fingerprint: hex() });
const part = (key: RequestKey | null, more: Partial<OncePart> = {}): OncePart => ({
  key,
  claim: 'ROW',
  subjects: [],
  refused: null,
  ...more,
});
const no = refusal('purpose_unknown', 'There is no such purpose.', 'Name another.');
const done = (answer: string, position: bigint | null = 7n): Done<string> => ({ answer, position });

/** What was asked of the log, and what is answered. */
interface Asked {
  replayed: (readonly number[])[];
  carried: (readonly number[])[];
  resumed: (readonly number[])[];
  holds: Hold[];
}
async function each(
  parts: readonly OncePart[],
  found: readonly (Done<string> | Refusal | null)[] = [],
  outcome: (part: number) => (Done<string> & { replayed?: boolean }) | Refusal = (at) => done(`done ${at}`),
  reservations = here,
) {
  const asked: Asked = { replayed: [], carried: [], resumed: [], holds: [] };
  const outcomes = await onceEach<string>(reservations, parts, {
    replay: async (wanted) => {
      asked.replayed.push(wanted);
      return wanted.map((at) => found[at] ?? null);
    },
    carryOut: async (wanted, resumed, hold) => {
      asked.carried.push(wanted);
      asked.resumed.push(resumed);
      asked.holds.push(hold);
      return wanted.map(outcome);
    },
  });
  return { outcomes, ...asked };
}

describe('parts that are done once', () => {
  it('are carried out together, without a look where they are new', async () => {
    const { outcomes, replayed, carried, resumed } = await each([part(newKey()), part(null), part(newKey())]);
    expect(outcomes).toEqual([0, 1, 2].map((at) => ({ ...done(`done ${at}`), replayed: false })));
    expect([replayed, carried, resumed]).toEqual([[], [[0, 1, 2]], [[]]]);
  });

  it('are answered again from the log where that holds them, and carried out where it does not', async () => {
    const [first, second] = [newKey(), newKey()];
    await each([part(first), part(second)]);
    await here.release([]);
    for (const reservations of [here, there]) {
      await world.database.run(`update write.idempotency set leased_until = now() - interval '1 s'`);
      const again = await each(
        [part(first), part(second), part(newKey())],
        [done('first'), null],
        undefined,
        reservations,
      );
      expect(again.outcomes).toEqual([
        { ...done('first'), replayed: true },
        { ...done('done 1'), replayed: false },
        { ...done('done 2'), replayed: false },
      ]);
      expect([again.replayed, again.carried, again.resumed]).toEqual([[[0, 1]], [[1, 2]], [[1]]]);
    }
  });

  it('are refused as they were where the first answer cannot be given any more', async () => {
    const key = newKey();
    await each([part(key)]);
    await world.database.run(`update write.idempotency set leased_until = now() - interval '1 s'`);
    expect((await each([part(key)], [no])).outcomes).toEqual([no]);
  });

  it('are told to wait while a rival is at it, or get its answer', async () => {
    const key = newKey();
    expect((await there.reserve(key, [])).kind).toBe('ours');
    const waiting = await each([part(key)]);
    expect([waiting.outcomes, waiting.replayed, waiting.carried]).toEqual([[stillRunning()], [[0]], []]);
    expect((await each([part(key)], [done('first')])).outcomes).toEqual([{ ...done('first'), replayed: true }]);
    // In the same process too.
    expect((await each([part(key)], [], undefined, there)).outcomes).toEqual([stillRunning()]);
  });

  it('are refused where the key stands for something else', async () => {
    const key = newKey();
    await each([part(key)]);
    const other = await each([part({ ...key, fingerprint: hex() }), part(newKey())]);
    expect(other.outcomes).toEqual([keyReused(), { ...done('done 1'), replayed: false }]);
    expect(other.carried).toEqual([[1]]);
  });

  it('are looked up where today’s rules refuse them, without a row of their own', async () => {
    const [seen, never, other] = [newKey(), newKey(), newKey()];
    await each([part(seen), part(other)]);
    const refused = { refused: no };
    const again = await each(
      [part(seen, refused), part(never, refused), part({ ...other, fingerprint: hex() }, refused), part(null, refused)],
      [done('first')],
    );
    expect(again.outcomes).toEqual([{ ...done('first'), replayed: true }, no, keyReused(), no]);
    expect([again.replayed, again.carried]).toEqual([[[0]], []]);
    expect(await here.seen(never)).toBe('never');
    expect((await each([part(seen, refused)])).outcomes).toEqual([no]);
  });

  it('need no row where their key happens once, and are looked up where they may have been begun', async () => {
    const key = newKey();
    const none = await each([part(key, { claim: 'NONE', subjects: ['sub_a'] })]);
    expect([none.replayed, none.resumed]).toEqual([[], [[]]]);
    expect(none.holds).toEqual([expect.objectContaining({ subjects: ['sub_a'], erased: [] })]);
    const resumed = await each([part(key, { claim: 'RESUMED' })]);
    expect([resumed.replayed, resumed.carried, resumed.resumed]).toEqual([[[0]], [[0]], [[0]]]);
    expect(await here.seen(key)).toBe('never');
  });

  it('leave their keys free where they were refused or wrote nothing, and no others', async () => {
    const outcomes = [
      no,
      done('nothing', null),
      done('something'),
      goneWithSubject(),
      // Erased without a word of a key, and about the key without an erasure: neither stands for ever.
      refusal('subject_erased', 'The subject was erased.', 'Name another.'),
      keyReused(),
    ];
    const keys = outcomes.map(newKey);
    await each(
      keys.map((key) => part(key)),
      [],
      (at) => outcomes[at]!,
    );
    const seen = await Promise.all(keys.map((key) => here.seen(key)));
    expect(seen).toEqual(['never', 'never', 'same', 'same', 'never', 'never']);
    // What is done is running no more: the next look is at the row, whose lease stands for a while.
    expect((await here.windowsOf([keys[2]!.digest])).get(keys[2]!.digest)).not.toHaveProperty('leasedUntilMs');
  });

  it('say that the log held them already where that turns out late', async () =>
    expect((await each([part(newKey())], [], () => ({ ...done('late'), replayed: true }))).outcomes).toEqual([
      { ...done('late'), replayed: true },
    ]));

  it('are gone where somebody they were about was erased, whatever the log holds', async () => {
    const [key, refused] = [newKey(), newKey()];
    const subject = `sub_${hex()}`;
    await each([part(key, { subjects: [subject] }), part(refused, { subjects: [subject] })]);
    await here.subjectsErased([subject]);
    const gone = await each([part(key), part(refused, { refused: no })], [done('first'), done('first')]);
    expect([gone.outcomes, gone.replayed, gone.carried]).toEqual([[goneWithSubject(), goneWithSubject()], [], []]);
    expect(await here.seen(key)).toBe('gone');
    // While a rival holds the row, too.
    await there.reserve(key, []);
    expect((await each([part(key)], [done('first')])).outcomes).toEqual([goneWithSubject()]);
  });

  it('are carried out under the names that stood in the row first, which can be changed', async () => {
    const key = newKey();
    const [one, two, three] = [`sub_${hex()}`, `sub_${hex()}`, `sub_${hex()}`];
    await here.release([{ key: key.digest, owner: await ownerOf(key, [one, two]) }]);
    const { holds } = await each([part(key, { subjects: [three] })], [], () => done('x'));
    expect([holds[0]!.subjects, holds[0]!.erased]).toEqual([[one, two], []]);
    const renamed = newKey();
    await each([part(renamed, { subjects: [one] })], [], () => done('x'));
    const next = newKey();
    await onceEach(here, [part(next, { subjects: [one, two] })], {
      replay: async () => [null],
      carryOut: async (_, __, hold) => {
        expect([hold.subjects, hold.erased]).toEqual([[one, two], []]);
        await hold.rename(one, three);
        return [done('x')];
      },
    });
    await here.subjectsErased([one]);
    expect([await here.seen(renamed), await here.seen(next)]).toEqual(['gone', 'same']);
    await here.subjectsErased([three]);
    expect(await here.seen(next)).toBe('gone');
  });
  const ownerOf = async (key: RequestKey, subjects: string[]): Promise<string> => {
    const reserved = await here.reserve(key, subjects);
    if (reserved.kind !== 'ours') throw new Error(reserved.kind);
    return reserved.owner;
  };
});

describe('a request that is done once', () => {
  const scope: KeyScope = { site: 'shop', env: 'test', apart: null };
  const request = (more: Partial<OnceRequest<string>> = {}): OnceRequest<string> => ({
    scope,
    idempotencyKey: hex(),
    fingerprint: hex(),
    subjects: [],
    replay: async () => null,
    carryOut: async () => done('done'),
    ...more,
  });
  const thrown = async (asked: Promise<unknown>): Promise<[string, Record<string, string>]> => {
    const error = await asked.then(
      () => new Error('it was done'),
      (reason: unknown) => reason,
    );
    if (!(error instanceof Refused)) throw error;
    return [error.refusal.code, error.headers];
  };

  it('is told its digest, and whether it was begun before', async () => {
    const told: unknown[] = [];
    const carryOut: OnceRequest<string>['carryOut'] = async (digest, resumed) => {
      told.push([digest, resumed]);
      return done('done');
    };
    const replay: OnceRequest<string>['replay'] = async (digest) => {
      told.push(digest);
      return null;
    };
    const one = request({ carryOut, replay });
    expect(await once(here, one)).toEqual({ ...done('done'), replayed: false });
    await world.database.run(`update write.idempotency set leased_until = now() - interval '1 s'`);
    await once(here, one);
    await once(here, request({ carryOut, idempotencyKey: null }));
    const digest = here.digestOf(scope, one.idempotencyKey!);
    expect(told).toEqual([[digest, false], digest, [digest, true], [null, false]]);
  });

  it('is refused by throwing, with a time to wait only where somebody is at it', async () => {
    expect(await thrown(once(here, request({ refused: no })))).toEqual(['purpose_unknown', {}]);
    expect(await thrown(once(here, request({ carryOut: async () => no })))).toEqual(['purpose_unknown', {}]);
    const one = request();
    await once(here, one);
    expect(await thrown(once(here, one))).toEqual(['idempotency_in_progress', { 'Retry-After': '1' }]);
    expect(await thrown(once(here, { ...one, fingerprint: hex() }))).toEqual(['idempotency_key_reused', {}]);
  });

  it('about several on their own is not gone with one of them', async () => {
    const subject = `sub_${hex()}`;
    const one = request({ subjects: [subject, `sub_${hex()}`] });
    await once(here, one);
    await here.subjectsErased([subject]);
    await world.database.run(`update write.idempotency set leased_until = now() - interval '1 s'`);
    expect(await thrown(once(here, one))).toEqual(['subject_erased', {}]);
    await world.database.run(`update write.idempotency set leased_until = now() - interval '1 s'`);
    const carryOut: OnceRequest<string>['carryOut'] = async (_, __, { erased }) => done(erased.join());
    expect(await once(here, { ...one, eachOnItsOwn: true, carryOut })).toEqual({ ...done(subject), replayed: false });
  });
});

describe('the scope of a key', () => {
  const caller = (kind: string): Caller => ({ site: 'shop', env: 'test', kind }) as Caller;
  const ada: Reference = { kind: 'visitor_id', value: 'a' };
  const bob: Reference = { kind: 'visitor_id', value: 'b' };
  it('is one for all secret keys, and for a public key one for each visitor', () => {
    expect(keyScopeOf(caller('sk'), [ada])).toEqual({ site: 'shop', env: 'test', apart: null });
    expect(keyScopeOf(caller('pk'), [ada, bob]).apart).toBe('pk\u001fvisitor_id:a\u001fvisitor_id:b');
    expect(textInScope({ site: 'shop', env: 'test', apart: null }, 'k')).toBe('shop\u001ftest\u001fk');
    expect(textInScope({ site: 'shop', env: 'test', apart: 'pk' }, 'k')).toBe('shop\u001ftest\u001fpk\u001fk');
  });

  it('tells digests apart, of requests and of their items', () => {
    const scopes: KeyScope[] = [
      { site: 'shop', env: 'test', apart: null },
      { site: 'shop', env: 'live', apart: null },
      { site: 'shop', env: 'test', apart: 'pk' },
    ];
    expect(new Set(scopes.map((each) => here.digestOf(each, 'k'))).size).toBe(3);
    expect(here.digestOf(scopes[0]!, 'k')).toBe(there.digestOf(scopes[0]!, 'k'));
    const items = [0, 1].map((index) => here.itemDigest(scopes[0]!, 'd', index));
    expect(new Set([...items, here.itemDigest(scopes[0]!, 'e', 0), here.itemDigest(scopes[1]!, 'd', 0)]).size).toBe(4);
    const bodies = [
      here.fingerprintOf('POST', '/a', { b: 1, c: 2 }),
      here.fingerprintOf('POST', '/a', { c: 2, b: 1 }),
      here.fingerprintOf('PUT', '/a', { b: 1, c: 2 }),
      here.fingerprintOf('POST', '/b', { b: 1, c: 2 }),
      here.fingerprintOf('POST', '/a', { b: 1 }),
    ];
    expect([bodies[0] === bodies[1], new Set(bodies).size]).toEqual([true, 4]);
    expect(here.keyOf(scopes[0]!, null, 'POST', '/a', {})).toBeNull();
    expect(here.keyOf(scopes[0]!, 'k', 'POST', '/a', {})).toEqual({
      digest: here.digestOf(scopes[0]!, 'k'),
      fingerprint: here.fingerprintOf('POST', '/a', {}),
    });
  });
});

describe('what is said of a key', () => {
  it('is what to do about it', () => {
    for (const told of [keyReused(), stillRunning(), goneWithSubject()]) {
      expect(isRefusal(told)).toBe(true);
      expect([told.message, told.hint].every((text) => text.endsWith('.'))).toBe(true);
    }
    expect([keyReused(), goneWithSubject()].map(({ issues }) => issues)).toEqual([
      [{ path: 'Idempotency-Key', message: 'stands for another request' }],
      [{ path: 'Idempotency-Key', message: 'belongs to an erased subject' }],
    ]);
    expect([keyReused(), stillRunning(), goneWithSubject()].map(({ code }) => code)).toEqual([
      'idempotency_key_reused',
      'idempotency_in_progress',
      'subject_erased',
    ]);
  });
});
