import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { steppedDatabase } from '../../test/support/steps.js';
import { startWriteDatabase, type WriteDatabase } from '../../test/support/write-database.js';
import { MasterKey } from '../vault/master-key.js';
import { joinUses, KeyIndex, type KeyInLog } from './key-index.js';
import { IdempotencyReservations } from './reservations.js';

const DAY_MS = 24 * 3600_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const digest = (): string => randomBytes(32).toString('hex');
const used = (more: Partial<KeyInLog> = {}): KeyInLog => {
  const from = more.from ?? daysAgo(1);
  return { key: digest(), fingerprint: digest(), subjects: ['sub_a'], from, through: from, ...more };
};

let world: WriteDatabase;
let reservations: IdempotencyReservations;
beforeAll(async () => {
  world = await startWriteDatabase();
}, 60_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  await world.database.run('truncate write.idempotency');
  reservations = new IdempotencyReservations(world.database, new MasterKey(Buffer.alloc(32, 5)));
});

const index = (): KeyIndex => new KeyIndex(world.database);
const subjectsOf = async ({ key, fingerprint }: KeyInLog): Promise<readonly string[]> => {
  const reserved = await reservations.reserve({ digest: key, fingerprint }, []);
  return 'subjects' in reserved ? reserved.subjects : [];
};
const ageBy = (days: number): Promise<unknown> =>
  world.database.run(
    'update write.idempotency set reserved_at = reserved_at - make_interval(days => $1), leased_until = leased_until - make_interval(days => $1)',
    [days],
  );

describe('uses of a key', () => {
  it('are one where the events are of one request, with each subject at its place', () => {
    const first = used({ subjects: ['', 'sub_b'], from: daysAgo(3) });
    const next = { ...first, subjects: ['sub_a', '', 'sub_c'], from: daysAgo(2), through: daysAgo(2) };
    expect(joinUses([first, next])).toEqual([
      { ...first, subjects: ['sub_a', 'sub_b', 'sub_c'], through: next.through },
    ]);
  });

  it('name nobody at a place of which no event says anything, and last until the latest event', () => {
    const first = used({ subjects: [''], from: daysAgo(3), through: daysAgo(1) });
    const next = { ...first, subjects: ['', '', 'sub_c'], from: daysAgo(2), through: daysAgo(2) };
    expect(joinUses([first, next])).toEqual([{ ...first, subjects: ['', '', 'sub_c'] }]);
    expect(joinUses([next, first])).toEqual([{ ...next, through: first.through }]);
  });

  it('are two where the request is another: the later one counts', () => {
    const first = used({ from: daysAgo(9) });
    const other = { ...first, fingerprint: digest(), from: daysAgo(8), through: daysAgo(8) };
    expect(joinUses([first, other])).toEqual([other]);
    const later = { ...first, from: daysAgo(1), through: daysAgo(1) };
    expect(joinUses([first, later])).toEqual([{ ...first, through: later.through }]);
  });
});

describe('the index', () => {
  it('is written from the log, and then finds the repeat and the other request', async () => {
    const key = used({ subjects: ['', 'sub_b'] });
    expect(await index().differences([key])).toEqual([{ key: key.key, fault: 'MISSING' }]);
    expect(await index().put([key])).toBe(1);
    expect(await index().differences([key])).toEqual([]);
    expect(await reservations.reserve({ digest: key.key, fingerprint: digest() }, [])).toEqual({ kind: 'other' });
    const repeated = { digest: key.key, fingerprint: key.fingerprint };
    expect(await reservations.reserve(repeated, [])).toMatchObject({
      kind: 'ours',
      fresh: false,
      subjects: ['', 'sub_b'],
    });
    expect((await reservations.windowsOf([key.key])).get(key.key)!.since).toBe(key.from);
  });

  it('is the same when it is written twice, and when its events come one by one', async () => {
    const key = used({ subjects: ['sub_a'] });
    const next = { ...key, subjects: ['', 'sub_b'] };
    expect([await index().put([key]), await index().put([next])]).toEqual([1, 1]);
    expect(await index().put([key, next])).toBe(0);
    expect(await subjectsOf(key)).toEqual(['sub_a', 'sub_b']);
  });

  it('leaves what a request reserved as it is, and takes the log for right where it says otherwise', async () => {
    const [same, changed] = [used({ subjects: ['sub_survivor'] }), used()];
    for (const [{ key, fingerprint }, subjects] of [
      [same, ['sub_absorbed', 'sub_other']],
      [{ ...changed, fingerprint: digest() }, ['sub_x']],
    ] as const)
      await reservations.reserve({ digest: key, fingerprint }, subjects);
    reservations.done([same.key, changed.key]);
    await ageBy(1);
    expect(await index().differences([same, changed])).toEqual([{ key: changed.key, fault: 'OTHER' }]);
    expect(await index().put([same, changed])).toBe(1);
    expect(await subjectsOf(same)).toEqual(['sub_absorbed', 'sub_other']);
    expect(await subjectsOf(changed)).toEqual(['sub_a']);
  });

  it('does not take a running request its lease', async () => {
    const key = used({ from: new Date().toISOString() });
    await reservations.reserve({ digest: key.key, fingerprint: key.fingerprint }, ['sub_a']);
    await index().put([key]);
    const elsewhere = new IdempotencyReservations(world.database, new MasterKey(Buffer.alloc(32, 5)));
    expect((await elsewhere.reserve({ digest: key.key, fingerprint: key.fingerprint }, [])).kind).toBe('seen');
  });

  it('is not changed by an earlier request under a key that stands for another one since', async () => {
    const earlier = used({ from: daysAgo(40) });
    const now = { ...earlier, fingerprint: digest(), subjects: ['sub_b'], from: daysAgo(1), through: daysAgo(1) };
    await index().put([earlier]);
    expect(await index().put([now])).toBe(1);
    expect(await index().put([earlier])).toBe(0);
    expect(await index().differences([earlier, now])).toEqual([]);
    expect(await index().differences([earlier])).toEqual([]);
    expect(await subjectsOf(now)).toEqual(['sub_b']);
  });

  it('asks nothing of the database where there is nothing to write or to compare', async () => {
    const away = steppedDatabase(world.database, async () => Promise.reject(new Error('it was asked')));
    const idle = new KeyIndex(away);
    expect([await idle.put([]), await idle.differences([])]).toEqual([0, []]);
    expect([await idle.putErased([]), await idle.erasedLacking([])]).toEqual([0, []]);
    await expect(idle.put([used()])).rejects.toThrow('it was asked');
  });

  it('knows who was erased', async () => {
    const [one, two] = [`sub_${digest()}`, `sub_${digest()}`];
    expect(await index().putErased([one])).toBe(1);
    expect(await index().erasedLacking([one, two])).toEqual([two]);
    expect(await index().putErased([one, two, two])).toBe(1);
    expect(await index().erasedLacking([one, two])).toEqual([]);
  });
});
