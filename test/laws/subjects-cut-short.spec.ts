import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryEventLog } from '../../libs/log/adapters/memory.js';
import { LogUnavailable, type EventLog } from '../../libs/log/port.js';
import type { Clock } from '../../libs/kernel/index.js';
import { Mortal, ProcessDied, SteppedLog, steppedDatabase, Unheard, type Pass } from '../support/steps.js';
import { isDone, subjectsIn, ticking, WriteSide, type Outcome } from '../support/write-side.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';
import { expectFamilies } from './family-laws.js';

let world: WriteDatabase;
beforeAll(async () => {
  world = await startWriteDatabase();
});
afterAll(() => world?.stop());

/** Three people and two visitors who have decided something; the second visitor was found to be the first person. */
interface Stage {
  log: EventLog;
  clock: Clock;
  ref: Record<'ada' | 'bob' | 'cyd' | 'visitor' | 'known', string>;
  mergeId: string;
  acknowledged: string[];
  key: string;
}

let stages = 0;
async function stage(): Promise<Stage> {
  const [log, clock, name] = [new MemoryEventLog(), ticking(), `${++stages}`];
  const ref = {
    ada: `user_id:ada-${name}`,
    bob: `user_id:bob-${name}`,
    cyd: `user_id:cyd-${name}`,
    visitor: `visitor_id:v-${name}`,
    known: `visitor_id:k-${name}`,
  };
  const side = new WriteSide({ log, database: world.database, clock });
  const acknowledged: string[] = [];
  for (const [i, one] of Object.values(ref).entries()) {
    const done = await side.record(
      one,
      'a',
      i % 2 === 0 ? 'GRANTED' : 'DENIED',
      one === ref.known ? `first-${name}` : null,
    );
    if (isDone(done)) acknowledged.push(done.answer.recordId);
  }
  const merged = await side.merge([ref.known], ref.ada);
  if (!isDone(merged)) throw new Error(merged.refused);
  return { log, clock, ref, mergeId: merged.answer.mergeId!, acknowledged, key: `key-${name}` };
}

type Command = (side: WriteSide, at: Stage) => Promise<Outcome<unknown>>;
const COMMANDS: Record<string, Command> = {
  'a merge of two': (side, { ref, key }) => side.merge([ref.visitor, ref.bob], ref.ada, 'MOST_RESTRICTIVE', key),
  'a merge of a survivor': (side, { ref, key }) => side.merge([ref.ada], ref.cyd, 'MOST_RECENT', key),
  'a link': (side, { ref, key }) => side.link(ref.bob, ref.visitor.slice('visitor_id:'.length), 'ALWAYS', key),
  'a log-in of a person who is not known yet': (side, { ref, key }) => side.logIn(ref.visitor, `new-${key}`, key),
  'a revert': (side, { mergeId, key }) => side.revert(mergeId, key),
  'an erasure': (side, { ref, key }) => side.erase(ref.known, key),
  'a hold': (side, { ref, key }) => side.restrict(ref.known, key),
  'a decision by the reference of somebody absorbed': (side, { ref, key }) =>
    side.record(ref.known, 'b', 'GRANTED', key),
};

const processOn = ({ log, clock }: Stage, pass: Pass): WriteSide =>
  new WriteSide({ log: new SteppedLog(log, pass), database: steppedDatabase(world.database, pass), clock });
const freshProcess = ({ log, clock }: Stage): WriteSide => new WriteSide({ log, database: world.database, clock });
/** As long as it takes until nobody waits for the dead any more. */
const timePasses = (): Promise<unknown> =>
  world.database.run(
    `update write.idempotency set leased_until = now() where leased_until <> 'infinity'; update write.work set begun_at = now() - interval '1 minute'`,
  );
const rowsOf = async (subjectIds: readonly string[]): Promise<string[]> =>
  (
    await world.database.run<{ subject_id: string }>(
      'select subject_id from vault.identifiers where subject_id = any($1) union select subject_id from vault.subject_keys where subject_id = any($1)',
      [subjectIds],
    )
  ).map(({ subject_id }) => subject_id);

/** Carries a command out on one stage after the other, cut short at each of its steps in turn; `after` looks at what was left. */
async function cutShort(command: Command, after: (at: Stage) => Promise<void>): Promise<void> {
  for (let n = 1; ; n++) {
    const at = await stage();
    const mortal = new Mortal(n);
    await command(processOn(at, mortal.pass), at).catch((error: unknown) => {
      if (!(error instanceof ProcessDied)) throw error;
    });
    await timePasses();
    await after(at);
    await world.database.run('delete from write.work');
    if (!mortal.isDead) return expect(n).toBeGreaterThan(1);
  }
}

describe.each(Object.entries(COMMANDS))('%s whose process dies at any step', (_, command) => {
  it('is carried out once when it is repeated', async () => {
    await cutShort(command, async (at) => {
      const first = await command(freshProcess(at), at);
      expect(first).toHaveProperty('answer');
      await expectFamilies(at.log, freshProcess(at), await subjectsIn(at.log), at.acknowledged);
      expect(await command(freshProcess(at), at)).toEqual(first);
      // The dispatcher finds nothing left to do.
      const head = await at.log.head();
      await freshProcess(at).finishWork();
      expect(await at.log.head()).toBe(head);
    });
  });

  it('leaves nothing half done once others come by', async () => {
    await cutShort(command, async (at) => {
      const records = [...at.acknowledged];
      const side = freshProcess(at);
      for (const one of Object.values(at.ref)) {
        const done = await side.record(one, 'b', 'DENIED');
        expect(done).toHaveProperty('answer');
        if (isDone(done)) records.push(done.answer.recordId);
      }
      // Whoever comes by destroys keys; that everybody absorbed went too is told by the dispatcher.
      if (command === COMMANDS['an erasure']) await freshProcess(at).finishWork();
      await expectFamilies(at.log, freshProcess(at), await subjectsIn(at.log), records);
    });
  });

  it('is finished by whoever looks for unfinished work', async () => {
    await cutShort(command, async (at) => {
      await freshProcess(at).finishWork();
      expect(await world.database.run('select id from write.work where finished_at is null')).toEqual([]);
      const subjectIds = await subjectsIn(at.log);
      const before = await at.log.head();
      const told = await expectFamilies(at.log, freshProcess(at), subjectIds, at.acknowledged);
      // Nothing was left for those who only come by, but to open who was let go by a revert.
      const left = Number((await at.log.head()) - before);
      expect(left).toBeLessThanOrEqual(command === COMMANDS['a revert'] ? 1 : 0);
      const erased = [...told]
        .filter(([, { events }]) => events.some(({ type }) => type === 'SubjectErased'))
        .map(([id]) => id);
      expect(await rowsOf(erased)).toEqual([]);
    });
  });

  it.each([true, false])(
    'is carried out once when an append stays without an answer (and took effect: %s)',
    async (tookEffect) => {
      for (let n = 1; ; n++) {
        const at = await stage();
        const unheard = new Unheard(n, tookEffect);
        const outcome = await command(processOn(at, unheard.pass), at).catch((error: unknown) => {
          if (!(error instanceof LogUnavailable)) throw error;
          return null;
        });
        if (tookEffect) expect(outcome).toHaveProperty('answer');
        await timePasses();
        const again = await command(freshProcess(at), at);
        expect(again).toHaveProperty('answer');
        if (outcome) expect(again).toEqual(outcome);
        await expectFamilies(at.log, freshProcess(at), await subjectsIn(at.log), at.acknowledged);
        await world.database.run('delete from write.work');
        if (unheard.appends < n) return;
      }
    },
  );
});

it('answers an erasure with one receipt, whoever finished it, and leaves nothing in the vault', async () => {
  await cutShort(COMMANDS['an erasure']!, async (at) => {
    const erased = await COMMANDS['an erasure']!(freshProcess(at), at);
    if (!isDone(erased)) throw new Error(erased.refused);
    const { rootId, erasedTogether, receiptId } = erased.answer as {
      rootId: string;
      erasedTogether: string[];
      receiptId: string;
    };
    expect(await rowsOf([rootId, ...erasedTogether])).toEqual([]);
    const again = await freshProcess(at).erase(`subject:${rootId}`);
    expect(again).toMatchObject({ answer: { receiptId, rootId } });
  });
});
