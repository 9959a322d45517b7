import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryEventLog } from '../../libs/log/adapters/memory.js';
import { BEGINNING, instantOf, subjectStream, type Clock } from '../../libs/kernel/index.js';
import { KeyRetention } from '../../libs/commands/retention.js';
import { Mortal, ProcessDied, SteppedLog, steppedDatabase, Unheard, type Pass } from '../support/steps.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';
import { isDone, SCOPE, subjectsIn, ticking, WriteSide, type Outcome } from '../support/write-side.js';

const DAYS = 30;
const DAY_MS = 24 * 3600_000;

let world: WriteDatabase;
beforeAll(async () => {
  world = await startWriteDatabase();
}, 60_000);
afterAll(() => world?.stop());

let stages = 0;
/** Somebody with a decision, in a log of their own, before and after the retention. */
class Stage {
  readonly log = new MemoryEventLog();
  readonly key = `key-${++stages}`;
  readonly ada = `user_id:ada-${stages}`;
  readonly bob = `user_id:bob-${stages}`;
  readonly visitor = `v-${stages}`;
  private readonly now = ticking();
  readonly longAgo: Clock = () => instantOf(Date.parse(this.now()) - 2 * DAYS * DAY_MS);

  process(pass: Pass = (_, carryOut) => carryOut(), clock = this.now): WriteSide {
    return new WriteSide({
      log: new SteppedLog(this.log, pass),
      database: steppedDatabase(world.database, pass),
      clock,
    });
  }

  /** What every reservation says is as long ago as the clock that wrote the events. Then those that are over go. */
  async retentionEnds(): Promise<void> {
    await world.database.run(
      `update write.idempotency set reserved_at = reserved_at - interval '${2 * DAYS} days', leased_until = leased_until - interval '${2 * DAYS} days';
       update write.subject_work set begun_at = begun_at - interval '${2 * DAYS} days'`,
    );
    await new KeyRetention(world.database, DAYS).pruneAll();
  }

  async count(types: readonly string[]): Promise<number> {
    if ((await this.log.head()) === BEGINNING) return 0;
    let count = 0;
    for (const subjectId of await subjectsIn(this.log))
      for (const { type } of await this.log.read(subjectStream(SCOPE, subjectId), {
        direction: 'forwards',
        limit: 1000,
      }))
        if (types.includes(type)) count += 1;
    return count;
  }
}

interface Request {
  types: readonly string[];
  send: (side: WriteSide, at: Stage) => Promise<Outcome<unknown>>;
  /** What makes the repeat possible again, without the key. */
  undo?: (side: WriteSide, at: Stage, first: never) => Promise<unknown>;
}

const REQUESTS: Record<string, Request> = {
  'a decision': { types: ['ConsentRecorded'], send: (side, { ada, key }) => side.record(ada, 'a', 'GRANTED', key) },
  'a batch of one subject': {
    types: ['ConsentRecorded'],
    send: (side, { ada, key }) =>
      side.batch(
        [
          [ada, 'a', 'GRANTED'],
          [ada, 'b', 'DENIED'],
        ],
        key,
      ),
  },
  'a batch of several subjects': {
    types: ['ConsentRecorded'],
    send: (side, { ada, bob, key }) =>
      side.batch(
        [
          [ada, 'a', 'GRANTED'],
          [bob, 'b', 'DENIED'],
        ],
        key,
      ),
  },
  'a batch that is refused in part': {
    types: ['ConsentRecorded'],
    send: (side, { ada, key }) =>
      side.batch(
        [
          [ada, 'a', 'GRANTED'],
          [ada, 'nonsense', 'GRANTED'],
        ],
        key,
      ),
  },
  'a hold': {
    types: ['SubjectRestricted'],
    send: (side, { ada, key }) => side.restrict(ada, key),
    undo: (side, { ada }) => side.lift(ada),
  },
  'a merge': {
    types: ['SubjectsMerged'],
    send: (side, { ada, bob, key }) => side.merge([bob], ada, 'MOST_RECENT', key),
    undo: (side, _, { mergeId }: { mergeId: string }) => side.revert(mergeId),
  },
};

const answerOf = <T>(outcome: Outcome<T>): T => {
  if (!isDone(outcome)) throw new Error(outcome.refused);
  return outcome.answer;
};
const leasesEnd = (): Promise<unknown> =>
  world.database.run('update write.idempotency set leased_until = now() where leased_until > now()');

describe.each(Object.entries(REQUESTS))('%s under a key that was used before its retention', (_, request) => {
  /** The first use, long over. Answers how many events it made, and its answer. */
  async function usedLongAgo(at: Stage): Promise<{ made: number; answer: unknown }> {
    const then = at.process(undefined, at.longAgo);
    for (const person of [at.ada, at.bob]) answerOf(await then.record(person, 'b', 'GRANTED'));
    const before = await at.count(request.types);
    const answer = answerOf(await request.send(then, at));
    const made = (await at.count(request.types)) - before;
    await at.retentionEnds();
    await request.undo?.(at.process(), at, answer as never);
    expect(made).toBeGreaterThan(0);
    return { made, answer };
  }

  /** Sent as often as it takes: it has its effect once, and one answer, which is not that of the first use. */
  async function hasOneMore(at: Stage, before: number, { made, answer }: Awaited<ReturnType<typeof usedLongAgo>>) {
    await leasesEnd();
    const again = answerOf(await request.send(at.process(), at));
    expect(await at.count(request.types)).toBe(before + made);
    expect(answerOf(await request.send(at.process(), at))).toEqual(again);
    expect(await at.count(request.types)).toBe(before + made);
    if (request.types[0] !== 'SubjectRestricted') expect(again).not.toEqual(answer);
  }

  it('has a second effect, once', async () => {
    const at = new Stage();
    const first = await usedLongAgo(at);
    await hasOneMore(at, await at.count(request.types), first);
  });

  it('has it once where the process dies at any write', async () => {
    for (let n = 1; ; n++) {
      const at = new Stage();
      const first = await usedLongAgo(at);
      const before = await at.count(request.types);
      const mortal = new Mortal(n);
      await request.send(at.process(mortal.pass), at).catch((error: unknown) => {
        if (!(error instanceof ProcessDied)) throw error;
      });
      await hasOneMore(at, before, first);
      if (!mortal.isDead) return expect(n).toBeGreaterThan(2);
    }
  });

  it.each([true, false])(
    'has it once where the answer of an append is lost; it took effect: %s',
    async (tookEffect) => {
      for (let n = 1; ; n++) {
        const at = new Stage();
        const first = await usedLongAgo(at);
        const before = await at.count(request.types);
        const unheard = new Unheard(n, tookEffect);
        await request.send(at.process(unheard.pass), at);
        await hasOneMore(at, before, first);
        if (unheard.appends < n) return expect(n).toBeGreaterThan(1);
      }
    },
  );
});

describe('an erasure after the retention', () => {
  it('of whom it closed lets a repeat begin anew', async () => {
    const at = new Stage();
    const then = at.process(undefined, at.longAgo);
    const { subjectId } = answerOf(await then.record(at.ada, 'a', 'GRANTED', at.key));
    answerOf(await then.erase(at.ada));
    expect(await then.record(at.ada, 'a', 'GRANTED', at.key)).toEqual({ refused: 'subject_erased' });
    await at.retentionEnds();
    const again = answerOf(await at.process().record(at.ada, 'a', 'GRANTED', at.key));
    expect(again.subjectId).not.toBe(subjectId);
    expect(answerOf(await at.process().record(at.ada, 'a', 'GRANTED', at.key))).toEqual(again);
  });
});
