import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { consentFold } from '../../libs/consent/state.js';
import { consentPart } from '../../libs/consent/part.js';
import { MemoryEventLog } from '../../libs/log/adapters/memory.js';
import { Codec, defineEvent } from '../../libs/streams/codec.js';
import { NO_STREAM, type NewEvent } from '../../libs/log/port.js';
import { snapshotText, stateOfText } from '../../libs/streams/snapshot-json.js';
import { SnapshotStore } from '../../libs/streams/snapshot-store.js';
import { surplus } from '../../libs/streams/spaced-revisions.js';
import type { StreamFold } from '../../libs/streams/stream-fold.js';
import { ReplayCost } from '../../libs/streams/replay-cost.js';
import { Stream } from '../../libs/streams/stream.js';
import { fold, FORGOTTEN, instantOf, refusal, UNCHARGED, type DomainEvent } from '../../libs/kernel/index.js';
import { preferenceFold } from '../../libs/preferences/state.js';
import { wholeFold } from '../../libs/subjects/parts.js';
import { startLogDatabase, type LogDatabase } from '../support/log-database.js';
import { LogCalls } from '../support/log-calls.js';
import { history, START } from './histories.js';
import { preferenceHistory } from './preference-histories.js';

const sealed = fc.string().map((text) => ({ $sealed: text, at: 'value', of: 'sub_1' }));
const state = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    // JSON has no -0.
    fc.jsonValue({ maxDepth: 1 }).map((value): unknown => JSON.parse(JSON.stringify(value))),
    fc.constant(FORGOTTEN),
    sealed,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', '$forgotten', '$plain', 'constructor', '__proto__'), tie('any'), { maxKeys: 3 }),
  ),
})).any;

describe('a snapshot', () => {
  it('brings back what was written, values that are forgotten or sealed and whatever looks like them', () =>
    fc.assert(
      fc.property(state, (value) => {
        expect(stateOfText(snapshotText(value))).toEqual(value);
        expect(snapshotText(stateOfText(snapshotText(value)))).toBe(snapshotText(value));
      }),
      { numRuns: 1000 },
    ));

  it('is refused of what would come back as something else', () => {
    for (const value of [new Map(), new Date(), 1n, () => 1]) expect(() => snapshotText({ value })).toThrow(TypeError);
  });

  const goesOn = <S, E extends DomainEvent>(
    by: { initial: () => S; evolve: (state: S, event: E) => S },
    histories: fc.Arbitrary<readonly E[]>,
  ): void =>
    fc.assert(
      fc.property(histories, fc.nat(), (events, cut) => {
        const at = cut % (events.length + 1);
        const kept = stateOfText(snapshotText(fold(by, events.slice(0, at)))) as S;
        expect(fold(by, events.slice(at), kept)).toEqual(fold(by, events));
      }),
      { numRuns: 300 },
    );

  it('of consent goes on like the state itself', () => goesOn(consentFold, history));
  it('of preferences goes on like the state itself', () =>
    goesOn(preferenceFold, preferenceHistory as fc.Arbitrary<never[]>));
  it('of everything about a subject goes on like the state itself', () => goesOn(wholeFold([consentPart]), history));
});

describe('of the snapshots of a stream', () => {
  it('few are kept, the newest among them, and none is far from any moment for its age', () => {
    let kept: number[] = [];
    for (let revision = 100; revision <= 100_000; revision += 100) {
      kept = [revision, ...kept];
      const gone = surplus(kept, 12);
      kept = kept.filter((each) => !gone.includes(each));
    }
    expect(kept.length).toBe(12);
    expect(kept[0]).toBe(100_000);
    // From any moment of the past, a reading begins at most four times as far from now as the moment is.
    for (let age = 200; age < 90_000; age += 100) {
      const begin = kept.find((revision) => revision <= 100_000 - age) ?? 0;
      expect(100_000 - begin).toBeLessThanOrEqual(age * 4);
    }
  });
});

describe('a stream with snapshots', () => {
  type Sum = { total: number; over?: boolean };
  type Added = DomainEvent<'Added', { n: number; over?: boolean }>;
  const codec = new Codec([defineEvent({ type: 'Added', version: 1, personal: [] })]);
  const sums = (version: string): StreamFold<Sum, Added> => ({
    initial: () => ({ total: 0 }),
    evolve: ({ total }, { data: { n, over } }) => ({ total: total + n, ...(over && { over }) }),
    contended: () => refusal('state_conflict', 'Others were faster.', 'Try again.'),
    snapshots: { name: 'sums', version },
    isOver: ({ over }) => over === true,
    givenAt: ({ data: { n } }) => instantOf(START + n),
  });
  const event = (n: number, over?: boolean): NewEvent => ({
    id: randomUUID(),
    type: 'Added',
    data: { n, ...(over && { over }) },
    metadata: { schemaVersion: 1, actor: 'test', recordedAt: instantOf(START + n * 1000) },
  });

  let world: LogDatabase;
  let log: LogCalls;
  let store: SnapshotStore;
  let stream: string;
  beforeAll(async () => void (world = await startLogDatabase()), 60_000);
  afterAll(() => world?.stop());
  beforeEach(() => {
    log = new LogCalls(new MemoryEventLog());
    store = new SnapshotStore(world.database);
    stream = `subject-laws.test.sub_${randomUUID()}`;
  });

  const process = (version = '1'): Stream<Sum, Added> => new Stream(log, codec, sums(version), { snapshots: store });
  const append = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 500)
      await log.append(
        stream,
        at === 0 ? NO_STREAM : at - 1,
        Array.from({ length: Math.min(500, to - at) }, (_, i) => event(at + i)),
      );
  };
  const total = (length: number): number => (length * (length - 1)) / 2;
  const revisions = async (fold = 'sums'): Promise<number[]> =>
    (
      await world.database.run<{ revision: bigint }>(
        'select revision from snapshot.streams where stream = $1 and fold = $2 order by revision',
        [stream, fold],
      )
    ).map(({ revision }) => Number(revision));
  /** Loads in a process that knows nothing; what was read for the state, and how often the log was asked for anything. */
  const load = async (expected: number, version = '1'): Promise<{ reads: number; events: number }> => {
    let events = 0;
    const work = { ...UNCHARGED, folded: (more: number) => void (events += more) };
    const { reads } = await log.during(async () =>
      expect((await process(version).load(stream, { work })).state).toMatchObject({ total: total(expected) }),
    );
    await store.idle();
    return { reads, events };
  };

  it('reads only what came since', async () => {
    await append(0, 5_000);
    expect(await load(5_000)).toMatchObject({ events: 5_000 });
    expect((await revisions()).at(-1)).toBe(4_999);
    await append(5_000, 5_050);
    expect(await load(5_050)).toMatchObject({ reads: 2, events: 151 });
  });

  it('does not believe a snapshot from beyond the end of the log, which was restored to an earlier moment', async () => {
    await append(0, 500);
    await load(500);
    log = new LogCalls(new MemoryEventLog());
    await append(0, 300);
    expect(await load(300)).toMatchObject({ events: 300 });
    expect(await revisions()).not.toContain(499);
    log = new LogCalls(new MemoryEventLog());
    await log.append('subject-laws.test.other', NO_STREAM, [event(0)]);
    await append(0, 600);
    const { begin } = await process().since(stream, { revision: 450 }, new ReplayCost());
    expect([begin.revision, begin.state.total]).toEqual([399, total(400)]);
    await store.idle();
    expect((await revisions()).at(-1)).toBe(399);
  });

  it('answers the same when all of them are gone, and where the table cannot be read', async () => {
    await append(0, 1_000);
    await load(1_000);
    await world.database.run('truncate snapshot.streams');
    expect(await load(1_000)).toMatchObject({ events: 1_000 });
    const away = new SnapshotStore({
      query: () => Promise.reject(new Error('away')),
      run: () => Promise.reject(new Error('away')),
    });
    const streams = new Stream(log, codec, sums('1'), { snapshots: away });
    expect((await streams.load(stream)).state.total).toBe(total(1_000));
    await away.idle();
  });

  it('never reads those of another version of the fold, and gives them up in time', async () => {
    await append(0, 300);
    await load(300);
    expect(await load(300, '2')).toMatchObject({ events: 300 });
    expect((await revisions()).filter((revision) => revision === 299)).toEqual([299, 299]);
    await world.database.run("update snapshot.streams set taken_at = now() - interval '2 days'");
    store = new SnapshotStore(world.database);
    await append(300, 500);
    await load(500, '2');
    const left = await world.database.run('select distinct version from snapshot.streams where stream = $1', [stream]);
    expect(left).toEqual([{ version: '2' }]);
  });

  it('keeps a few older ones, from which a reading of the past begins', async () => {
    await append(0, 200);
    const streams = process();
    for (let length = 200; length < 4_000; length += 100) {
      await streams.load(stream);
      await store.idle();
      await append(length, length + 100);
    }
    expect((await revisions()).length).toBeLessThanOrEqual(12);
    for (const bound of [
      { revision: 3_000 },
      { position: 3_000n },
      { recordedThrough: instantOf(START + 3_000_000) },
      { givenThrough: instantOf(START + 3_000) },
    ]) {
      const { begin } = await process().since(stream, bound, new ReplayCost());
      expect(begin.revision).toBeLessThanOrEqual(3_000);
      expect(begin.revision).toBeGreaterThan(1_000);
      expect(begin.state.total).toBe(total(begin.revision + 1));
    }
    const { begin } = await process().since(stream, { revision: 10 }, new ReplayCost());
    expect(begin.revision).toBe(-1);
  });

  /** Comes before each page that is read of a long stream. */
  const eachPage = (before: (page: number) => Promise<void>): void => {
    const { log: inner } = log;
    const read = inner.read.bind(inner);
    let page = 0;
    inner.read = async (of, options) => {
      if (options.direction === 'forwards' && options.limit === 100 && options.from! > 0) await before(++page);
      return read(of, options);
    };
  };

  it('has them from all of its past after it was folded once', async () => {
    await append(0, 10_000);
    eachPage(() => store.idle());
    await load(10_000);
    const kept = await revisions();
    expect(kept.length).toBeLessThanOrEqual(12);
    for (const moment of [2_000, 4_000, 6_000, 8_000]) {
      const begin = kept.findLast((revision) => revision <= moment) ?? 0;
      expect(10_000 - begin).toBeLessThanOrEqual((10_000 - moment) * 2);
      const { begin: past } = await process().since(stream, { revision: moment }, new ReplayCost());
      expect(past.revision).toBeGreaterThan(moment - 100);
      expect(past.state.total).toBe(total(past.revision + 1));
    }
  });

  it('goes on from the last of them where folding it ended on the way', async () => {
    await append(0, 6_000);
    eachPage(async (page) => {
      await store.idle();
      if (page === 45) throw new Error('the log is away');
    });
    await expect(process().load(stream)).rejects.toThrow('the log is away');
    await store.idle();
    const newest = (await revisions()).at(-1)!;
    expect(newest).toBeGreaterThan(3_000);
    expect(await load(6_000)).toMatchObject({ events: 100 + 6_000 - newest });
  });

  it('brings the other folds of its group up to date, and leaves that where the process ends', async () => {
    const grouped = (name: string) => {
      const rules = { name, version: '1', group: 'of this test' };
      return new Stream<Sum, Added>(log, codec, { ...sums('1'), snapshots: rules }, { snapshots: store });
    };
    const led = grouped('led');
    grouped('followed');
    await append(0, 2_000);
    await led.load(stream);
    await store.idle();
    expect((await revisions('led')).at(-1)).toBe(1_999);
    expect((await revisions('followed')).at(-1)).toBe(1_999);
    await append(2_000, 6_000);
    // The first 41 pages are those of the fold that leads.
    const isFollowed = new Promise<void>((resolve) => eachPage(async (page) => void (page === 45 && resolve())));
    await led.load(stream);
    await isFollowed;
    await store.stop();
    expect((await revisions('led')).at(-1)).toBe(5_999);
    expect((await revisions('followed')).at(-1)).toBeLessThan(5_999);
  });

  it('never puts an older one over a newer one', async () => {
    await append(0, 600);
    const slow = process();
    await slow.load(stream);
    await append(600, 900);
    await load(900);
    const { revision, ...rest } = await slow.load(stream);
    store.offer({ name: 'sums', version: '1' }, stream, { ...rest, revision: revision - 100 }, async () => true);
    await store.idle();
    expect((await revisions()).at(-1)).toBe(899);
    expect(await revisions()).not.toContain(revision - 100);
  });

  it('keeps nothing of a stream that is over, also where that was said while one was written', async () => {
    await append(0, 250);
    const asked: number[] = [];
    const folded = await process().load(stream);
    await store.idle();
    const before = (await revisions()).length;
    expect((await revisions()).at(-1)).toBe(249);
    store.offer({ name: 'sums', version: '1' }, stream, { ...folded, revision: 300 }, async () => {
      asked.push((await revisions()).length);
      return false;
    });
    await store.idle();
    expect(asked).toEqual([before + 1]);
    expect(await revisions()).toEqual([]);
    await log.append(stream, 249, [event(250, true)]);
    await process().load(stream);
    await store.idle();
    expect(await revisions()).toEqual([]);
  });

  it('forgets what is known of a subject', async () => {
    await append(0, 150);
    await load(150);
    await store.forget(['sub_somebody_else']);
    expect(await revisions()).toEqual([149]);
    await store.forget([stream.split('.')[2]!]);
    expect(await revisions()).toEqual([]);
  });
});
