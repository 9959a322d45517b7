import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Mortal, ProcessDied, SteppedLog, steppedDatabase, type Pass } from '../../../test/support/steps.js';
import { startWriteDatabase, type WriteDatabase } from '../../../test/support/write-database.js';
import {
  isDone,
  SCOPE,
  subjectsIn,
  ticking,
  WriteSide,
  type Outcome,
  type Written,
} from '../../../test/support/write-side.js';
import { wholeLog } from '../../../test/support/whole-log.js';
import { MemoryEventLog } from '../../log/adapters/memory.js';
import type { RecordedEvent } from '../../log/port.js';
import type { BatchAnswer } from '../batches/batch.js';
import { BEGINNING, isRefusal, subjectStream } from '../../kernel/index.js';
import { MOST_MOVES, MOVED, untilSettled } from './until-settled.js';

let world: WriteDatabase;
beforeAll(async () => {
  world = await startWriteDatabase();
}, 60_000);
afterAll(() => world?.stop());

let runs = 0;
let log: MemoryEventLog;
let ada: string;
let key: string;
const clock = ticking();
const process = (): WriteSide => new WriteSide({ log, database: world.database, clock });
/** A process whose every step towards log and database passes first. */
const steppedProcess = (pass: Pass): WriteSide =>
  new WriteSide({ log: new SteppedLog(log, pass), database: steppedDatabase(world.database, pass), clock });
/** A process that others overtake: `rival` comes before each of its appends, as long as it wants. */
const overtaken = (rival: () => Promise<void>): WriteSide =>
  steppedProcess(async ({ what }, carryOut) => {
    if (what === 'append') await rival();
    return carryOut();
  });
const once = (work: () => Promise<unknown>): (() => Promise<void>) => {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await work();
  };
};
const recorded = (outcome: Awaited<ReturnType<WriteSide['record']>>): Written => {
  if (!isDone(outcome)) throw new Error(outcome.refused);
  return outcome.answer;
};
/** The decisions that the log holds, by the subject on whose stream they stand. */
async function decisionsBySubject(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  if ((await log.head()) === BEGINNING) return counts;
  for (const subjectId of await subjectsIn(log)) {
    const events = await log.read(subjectStream(SCOPE, subjectId), { direction: 'forwards', limit: 1000 });
    const count = events.filter(({ type }) => type === 'ConsentRecorded').length;
    if (count > 0) counts[subjectId] = count;
  }
  return counts;
}
const leaseEnds = (): Promise<unknown> =>
  world.database.run(`update write.idempotency set leased_until = now() where leased_until <> 'infinity'`);

beforeEach(() => {
  log = new MemoryEventLog();
  ada = `user_id:ada-${++runs}`;
  key = `key-${runs}`;
});

describe('a command whose subject is moved while it is on its way', () => {
  it('is carried out on the survivor of a merge, once', async () => {
    const bob = `user_id:bob-${runs}`;
    recorded(await process().record(ada, 'a', 'GRANTED'));
    const { subjectId: bobId } = recorded(await process().record(bob, 'b', 'DENIED'));
    const side = overtaken(once(() => process().merge([ada], bob)));
    const first = recorded(await side.record(ada, 'b', 'GRANTED', key));
    expect(first.subjectId).toBe(bobId);
    expect(recorded(await process().record(ada, 'b', 'GRANTED', key))).toEqual(first);
    expect((await decisionsBySubject())[bobId]).toBe(2);
  });

  it('begins with somebody new after an erasure, and an id is told that its subject is gone', async () => {
    const { subjectId: erasedId } = recorded(await process().record(ada, 'a', 'GRANTED'));
    const side = overtaken(once(() => process().erase(ada)));
    const { subjectId } = recorded(await side.record(ada, 'b', 'GRANTED'));
    expect(subjectId).not.toBe(erasedId);
    const again = overtaken(once(() => process().erase(ada)));
    expect(await again.record(`subject:${subjectId}`, 'b', 'DENIED')).toEqual({ refused: 'subject_erased' });
  });

  it('gives up where others move the subject each time, and records nothing', async () => {
    recorded(await process().record(ada, 'a', 'GRANTED'));
    let moves = 0;
    const side = overtaken(async () => {
      const next = `user_id:next-${runs}-${++moves}`;
      recorded(await process().record(next, 'a', 'DENIED'));
      await process().merge([ada], next);
    });
    expect(await side.record(ada, 'b', 'GRANTED', key)).toEqual({ refused: 'state_conflict' });
    expect(moves).toBe(MOST_MOVES);
    // It had no effect, so its key is free for another request.
    expect(await process().record(ada, 'b', 'DENIED', key)).toHaveProperty('answer');
  }, 60_000);
});

describe('what a first decision costs', () => {
  const stepsOf = async (work: (side: WriteSide) => Promise<unknown>): Promise<string[]> => {
    const steps: string[] = [];
    await work(steppedProcess(({ what }, carryOut) => (steps.push(what), carryOut())));
    // Snapshots are written beside the work; no request waits for them.
    return steps.filter((what) => !what.startsWith('snapshot_'));
  };
  const RESERVATION = 'idempotency_reserve_meeting';

  it('is two steps: the key with the subject, then the append; with a record as with a batch', async () => {
    const purposes = ['a', 'b'] as const;
    const record = await stepsOf((side) => side.record(ada, 'a', 'GRANTED', key));
    expect(record).toEqual([RESERVATION, 'append']);
    const batch = purposes.map((purpose) => [`user_id:eve-${runs}`, purpose, 'GRANTED'] as const);
    expect(await stepsOf((side) => side.batch(batch, `${key}-b`))).toEqual([RESERVATION, 'append']);
  });

  it('makes nobody where it is refused', async () => {
    const nobody = async (): Promise<boolean> =>
      (await process().vault.find(SCOPE, { kind: 'user_id', value: ada.slice('user_id:'.length) })) === null;
    expect(await process().record(ada, 'nonsense', 'GRANTED', key)).toEqual({ refused: 'purpose_unknown' });
    expect(await nobody()).toBe(true);
    expect(await process().batch([[ada, 'nonsense', 'GRANTED']], key)).toHaveProperty('answer');
    expect(await nobody()).toBe(true);
  });
});

describe('a command under a key', () => {
  it('is taken over when whoever held it died before its effect, and answered again when it died after', async () => {
    for (let writes = 1; ; writes++) {
      const subject = `user_id:${writes}-${runs}`;
      const mortal = new Mortal(writes);
      const died = await steppedProcess(mortal.pass)
        .record(subject, 'a', 'GRANTED', `${key}-${writes}`)
        .then(
          () => false,
          (error: unknown) => error instanceof ProcessDied,
        );
      await leaseEnds();
      const first = recorded(await process().record(subject, 'a', 'GRANTED', `${key}-${writes}`));
      expect(recorded(await process().record(subject, 'a', 'GRANTED', `${key}-${writes}`))).toEqual(first);
      expect((await decisionsBySubject())[first.subjectId]).toBe(1);
      if (!died) return expect(writes).toBeGreaterThan(2);
    }
  });

  it('is told to wait while another process is at it', async () => {
    let outcome: unknown;
    const side = overtaken(
      once(async () => {
        outcome = await process().record(ada, 'a', 'GRANTED', key);
      }),
    );
    recorded(await side.record(ada, 'a', 'GRANTED', key));
    expect(outcome).toEqual({ refused: 'idempotency_in_progress' });
  });

  it('finds its first answer wherever merges and reverts have led it', async () => {
    const bob = `user_id:bob-${runs}`;
    recorded(await process().record(ada, 'a', 'GRANTED'));
    const { subjectId: bobId } = recorded(await process().record(bob, 'a', 'GRANTED'));
    const merged = await process().merge([ada], bob);
    if (!isDone(merged)) throw new Error(merged.refused);
    const first = recorded(await process().record(ada, 'b', 'GRANTED', key));
    expect(first.subjectId).toBe(bobId);
    await process().revert(merged.answer.mergeId!);
    await leaseEnds();
    expect(recorded(await process().record(ada, 'b', 'GRANTED', key))).toEqual(first);
  });

  it('that was cut off, or carried out, is refused once its subject is erased, and nobody is made for it', async () => {
    for (let writes = 2; ; writes++) {
      const subject = `user_id:${writes}-${runs}`;
      recorded(await process().record(subject, 'b', 'GRANTED'));
      const mortal = new Mortal(writes);
      await steppedProcess(mortal.pass)
        .record(subject, 'a', 'GRANTED', `${key}-${writes}`)
        .catch((error: unknown) => {
          if (!(error instanceof ProcessDied)) throw error;
        });
      expect(await process().erase(subject)).toHaveProperty('answer');
      await leaseEnds();
      const head = await log.head();
      for (let repeats = 0; repeats < 2; repeats++)
        expect(await process().record(subject, 'a', 'GRANTED', `${key}-${writes}`)).toEqual({
          refused: 'subject_erased',
        });
      expect(await log.head()).toBe(head);
      expect(
        await process().vault.find(SCOPE, { kind: 'user_id', value: subject.slice('user_id:'.length) }),
      ).toBeNull();
      if (!mortal.isDead) return;
    }
  });

  it('is refused once somebody else decided under it, and free again where it was refused', async () => {
    expect(await process().record('subject:sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S', 'a', 'GRANTED', key)).toEqual({
      refused: 'subject_not_found',
    });
    recorded(await process().record(ada, 'a', 'GRANTED', key));
    expect(await process().record(ada, 'a', 'DENIED', key)).toEqual({ refused: 'idempotency_key_reused' });
  });
});

describe('a batch', () => {
  const streamsOf = async (): Promise<string[]> => (await wholeLog(log, [])).map(({ stream }) => stream.split('-')[0]!);
  const batchOf = (events: readonly RecordedEvent[]): string => events[0]!.metadata.batch!;
  const statuses = (outcome: Outcome<BatchAnswer<unknown>>): string[] => {
    if (!isDone(outcome)) throw new Error(outcome.refused);
    return outcome.answer.results.map(({ status, error }) => error?.code ?? status);
  };

  it('of one subject is one append, and is answered again from what stands on its stream', async () => {
    const records = [
      [ada, 'a', 'GRANTED'],
      [ada, 'b', 'DENIED'],
    ] as const;
    let appends = 0;
    const side = overtaken(async () => void appends++);
    const first = await side.batch(records, key);
    expect(statuses(first)).toEqual(['RECORDED', 'RECORDED']);
    expect(appends).toBe(1);
    expect(await streamsOf()).toEqual(Array(4).fill('subject'));
    // The events stand under the keys of their items; the first one tells the key of the batch too.
    const [subjectId] = await subjectsIn(log);
    const events = await log.read(subjectStream(SCOPE, subjectId!), { direction: 'forwards', limit: 10 });
    expect(events.map(({ metadata: { request, batch } }) => [request?.key ?? null, batch])).toEqual(
      events.map((_, i) => [i === 0 ? batchOf(events) : null, batchOf(events)]),
    );
    await leaseEnds();
    const head = await log.head();
    expect(await process().batch(records, key)).toEqual(first);
    expect(await process().batch(records.slice(0, 1), key)).toEqual({ refused: 'idempotency_key_reused' });
    expect(await log.head()).toBe(head);
  });

  it('of one subject that was refused in part keeps its answer in a stream of its own', async () => {
    const records = [
      [ada, 'a', 'GRANTED'],
      [ada, 'nonsense', 'GRANTED'],
    ] as const;
    const first = await process().batch(records, key);
    expect(statuses(first)).toEqual(['RECORDED', 'purpose_unknown']);
    expect((await streamsOf()).at(-1)).toBe('batch');
    await leaseEnds();
    expect(await process().batch(records, key)).toEqual(first);
  });

  it('goes on where it was cut off, each record once, whether it is of one subject or of several', async () => {
    for (const others of [0, 2])
      for (let writes = 1; ; writes++) {
        const who = (n: number): string => `user_id:${others}-${writes}-${n}-${runs}`;
        const records = [0, ...Array.from({ length: others }, (_, n) => n + 1)].flatMap((n) => [
          [who(n), 'a', 'GRANTED'] as const,
          [who(n), 'b', 'DENIED'] as const,
        ]);
        const before = Object.values(await decisionsBySubject()).reduce((sum, count) => sum + count, 0);
        const mortal = new Mortal(writes);
        await steppedProcess(mortal.pass)
          .batch(records, `${key}-${others}-${writes}`)
          .catch((error: unknown) => {
            if (!(error instanceof ProcessDied)) throw error;
          });
        await leaseEnds();
        const first = await process().batch(records, `${key}-${others}-${writes}`);
        expect(statuses(first)).toEqual(records.map(() => 'RECORDED'));
        expect(await process().batch(records, `${key}-${others}-${writes}`)).toEqual(first);
        const after = Object.values(await decisionsBySubject()).reduce((sum, count) => sum + count, 0);
        expect(after - before).toBe(records.length);
        if (!mortal.isDead) break;
      }
  }, 60_000);

  it('that was cut off brings nobody back who was erased since', async () => {
    for (const known of [true, false])
      for (let writes = 1; ; writes++) {
        const [bob, cyd] = [`user_id:bob-${known}-${writes}-${runs}`, `user_id:cyd-${known}-${writes}-${runs}`];
        const records = [
          [bob, 'a', 'GRANTED'],
          [cyd, 'a', 'GRANTED'],
        ] as const;
        if (known) recorded(await process().record(bob, 'b', 'GRANTED'));
        const mortal = new Mortal(writes);
        await steppedProcess(mortal.pass)
          .batch(records, `${key}-${known}-${writes}`)
          .catch((error: unknown) => {
            if (!(error instanceof ProcessDied)) throw error;
          });
        const isThere = async (): Promise<boolean> =>
          (await process().vault.find(SCOPE, { kind: 'user_id', value: bob.slice('user_id:'.length) })) !== null;
        const wasThere = await isThere();
        await process().erase(bob);
        await leaseEnds();
        const again = await process().batch(records, `${key}-${known}-${writes}`);
        // Before its first write it had not begun. What was answered in full is answered again: it holds ids alone.
        const isGone = wasThere && writes > 1;
        expect(statuses(again)).toEqual([isGone && mortal.isDead ? 'subject_erased' : 'RECORDED', 'RECORDED']);
        expect(await isThere()).toBe(!isGone);
        expect(await process().batch(records, `${key}-${known}-${writes}`)).toEqual(again);
        if (!mortal.isDead) break;
      }
  }, 60_000);
});

describe('untilSettled', () => {
  it('answers what came of the first attempt that nobody disturbed', async () => {
    let attempts = 0;
    expect(await untilSettled(async () => (++attempts < 3 ? MOVED : 'done'))).toBe('done');
    expect(attempts).toBe(3);
  });

  it('ends after a bounded number of attempts with state_conflict', async () => {
    let attempts = 0;
    const outcome = await untilSettled(async () => (attempts++, MOVED));
    expect(isRefusal(outcome) && outcome.code).toBe('state_conflict');
    expect(attempts).toBe(MOST_MOVES);
  });
});
