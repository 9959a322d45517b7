import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PostgresEventLog } from '../../libs/log/adapters/postgres/postgres.js';
import type { EventLog, RecordedEvent } from '../../libs/log/port.js';
import { instantOf, subjectStream, type Clock } from '../../libs/kernel/index.js';
import { SubjectLookup } from '../../libs/subjects/lookup.js';
import { LogCalls } from '../support/log-calls.js';
import { isDone, SCOPE, ticking, WriteSide, type Outcome } from '../support/write-side.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';

const [SHORT, LONG] = [20, 20_000];
const SNAPSHOT_EVERY = 100;
const MINUTE_MS = 60_000;
/** Long ago, so that what is done now is far from all of it. */
const EPOCH = Date.UTC(2026, 0, 1);

let world: WriteDatabase;
let log: LogCalls;
let clock: Clock;
beforeAll(async () => {
  world = await startWriteDatabase();
  log = new LogCalls(new PostgresEventLog(world.database));
  clock = ticking();
}, 60_000);
afterAll(async () => {
  await log?.close();
  await world?.stop();
});

const process = (): WriteSide => new WriteSide({ log, database: world.database, clock, snapshotEvery: SNAPSHOT_EVERY });

function done<T>(outcome: Outcome<T>): T {
  if (!isDone(outcome)) throw new Error(outcome.refused);
  return outcome.answer;
}

let subjects = 0;
/** Somebody of whom so many decisions are known. */
async function somebody(events: number): Promise<{ ref: string; subjectId: string }> {
  const ref = `user_id:long-${++subjects}`;
  const { subjectId } = done(await process().record(ref, 'a', 'GRANTED'));
  await repeatLast(log.log, subjectStream(SCOPE, subjectId), events);
  return { ref, subjectId };
}

/** The last event of a stream over and over, one a minute, until there are so many. */
async function repeatLast(to: EventLog, stream: string, length: number): Promise<void> {
  const [last] = await to.read(stream, { direction: 'backwards', limit: 1 });
  const { type, data, metadata, revision } = last as RecordedEvent;
  for (let at = revision + 1; at < length; at += 1000) {
    const events = Array.from({ length: Math.min(1000, length - at) }, (_, i) => ({
      id: randomUUID(),
      type,
      data,
      metadata: { ...metadata, recordedAt: instantOf(EPOCH + (at + i) * MINUTE_MS) },
    }));
    await to.append(stream, at - 1, events);
  }
}

type Operation = (side: WriteSide, who: { ref: string; subjectId: string }) => Promise<unknown>;

const OPERATIONS: [what: string, operation: Operation][] = [
  ['a decision', async (side, { ref }) => done(await side.record(ref, 'b', 'DENIED'))],
  [
    'a decision under a key, and its repeat',
    async (side, { ref }) => {
      const key = randomUUID();
      const first = done(await side.record(ref, 'b', 'DENIED', key));
      expect(done(await side.record(ref, 'b', 'DENIED', key))).toEqual(first);
    },
  ],
  ['a subject that is shown', async (side, { subjectId }) => side.get(SubjectLookup).view(SCOPE, subjectId)],
  [
    'an identifier that is added',
    async (side, { ref }) => done(await side.link(ref, randomUUID(), 'IF_DENIED', randomUUID())),
  ],
  ['a hold', async (side, { ref }) => done(await side.restrict(ref, randomUUID()))],
  ['a hold that is lifted', async (side, { ref }) => done(await side.lift(ref, randomUUID()))],
  [
    'a merge, and its revert',
    async (side, { ref }) => {
      const other = `user_id:other-${++subjects}`;
      done(await side.record(other, 'a', 'DENIED'));
      const { mergeId } = done(await side.merge([other], ref));
      done(await side.revert(mergeId!));
    },
  ],
];

describe(`of ${LONG} events costs as many reads as of ${SHORT}, and hardly more events`, () => {
  let short: { ref: string; subjectId: string };
  let long: { ref: string; subjectId: string };
  beforeAll(async () => {
    [short, long] = [await somebody(SHORT), await somebody(LONG)];
    // Whoever meets a long stream first reads all of it, and leaves snapshots: of other folds, too, than its own.
    const first = process();
    // Nest makes all of a process at its start.
    first.get(SubjectLookup);
    done(await first.record(long.ref, 'a', 'GRANTED'));
    await first.snapshots.idle();
  }, 120_000);

  it.each(OPERATIONS)(
    '%s',
    async (_, operation) => {
      const cost = async (who: { ref: string; subjectId: string }) => {
        const side = process();
        const cold = await log.during(() => operation(side, who));
        const warm = await log.during(() => operation(side, who));
        await side.snapshots.idle();
        return { cold, warm };
      };
      const [few, many] = [await cost(short), await cost(long)];
      expect(many.warm.appends).toBe(few.warm.appends);
      // A revert begins at a snapshot, which is compared with the log.
      expect(many.warm.reads).toBeLessThanOrEqual(few.warm.reads + 1);
      expect(many.warm.events).toBeLessThanOrEqual(few.warm.events + SNAPSHOT_EVERY);
      // A process that knows nothing reads a first page, a snapshot, and what came since, once for each fold.
      expect(many.cold.reads).toBeLessThanOrEqual(few.cold.reads * 2);
      expect(many.cold.events).toBeLessThanOrEqual(few.cold.events + 4 * SNAPSHOT_EVERY);
    },
    60_000,
  );

  it('an erasure', async () => {
    const cost = (who: { ref: string }) => log.during(async () => done(await process().erase(who.ref, randomUUID())));
    const [few, many] = [await cost(short), await cost(long)];
    expect(many.reads).toBeLessThanOrEqual(few.reads * 2);
    expect(many.events).toBeLessThanOrEqual(few.events + 4 * SNAPSHOT_EVERY);
  }, 60_000);
});
