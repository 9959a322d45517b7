import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ConsentState } from '../../libs/consent/state.js';
import { MemoryEventLog } from '../../libs/log/adapters/memory.js';
import { Turns, SteppedLog, steppedDatabase, type Pass } from '../support/steps.js';
import { isDone, subjectsIn, ticking, WriteSide, type Written } from '../support/write-side.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';
import { expectFamilies } from './family-laws.js';
import { commandOn, meeting, MOST, order, runsOf, type Command } from './subject-commands.js';

let world: WriteDatabase;
beforeAll(async () => {
  world = await startWriteDatabase();
});
afterAll(() => world?.stop());

const REFUSALS = ['merge_conflict', 'state_conflict', 'subject_erased', 'subject_not_found', 'identifier_conflict'];
let runs = 0;

it(
  'come to one root each, lose nothing and tell the same, whoever does what at the same time',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(commandOn(MOST), { maxLength: 4 }),
        meeting,
        fc.nat(),
        async (before, together, seed) => {
          const run = ++runs;
          const log = new MemoryEventLog();
          const turns = new Turns(seed);
          let pass: Pass = (_, carryOut) => carryOut();
          const through: Pass = (step, carryOut) => pass(step, carryOut);
          const clock = ticking();
          const processes = [0, 1].map(
            () =>
              new WriteSide({
                log: new SteppedLog(log, through),
                database: steppedDatabase(world.database, through),
                clock,
              }),
          );
          const records: string[] = [];
          const merges: string[] = [];
          const refusals: string[] = [];
          const carryOut = async (asked: Command, side: WriteSide): Promise<void> => {
            const done = await order(asked, run, merges, side);
            if (!isDone(done)) refusals.push(done.refused);
            else if (asked.do === 'record') records.push((done.answer as Written).recordId);
            else if (asked.do === 'merge') merges.push((done.answer as { mergeId: string }).mergeId);
          };
          try {
            for (let one = 0; one < MOST; one++)
              await carryOut(
                { do: 'record', who: one, purpose: 'a', decision: one % 3 === 0 ? 'DENIED' : 'GRANTED' },
                processes[0]!,
              );
            for (const asked of before) await carryOut(asked, processes[0]!);
            pass = turns.pass;
            const settled = await turns.until(
              together.map((asked, i) => carryOut(asked, processes[i % processes.length]!)),
            );
            pass = (_, work) => work();
            for (const each of settled) if (each.status === 'rejected') throw each.reason;
            expect(refusals.filter((code) => !REFUSALS.includes(code))).toEqual([]);
            await expectFamilies(
              log,
              new WriteSide({ log, database: world.database, clock }),
              await subjectsIn(log),
              records,
            );
          } finally {
            await log.close();
          }
        },
      ),
      runsOf(50),
    ),
  3_600_000,
);

it(
  'log-ins of a visitor as a person who is not known yet bring only what may follow, in whatever order their steps come',
  () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 5 }), fc.nat(), async (logIns, seed) => {
        const run = ++runs;
        const [visitor, person] = [`visitor_id:${run}`, `user_id:${run}`];
        const log = new MemoryEventLog();
        const turns = new Turns(seed);
        const clock = ticking();
        const processes = [0, 1].map(
          () =>
            new WriteSide({
              log: new SteppedLog(log, turns.pass),
              database: steppedDatabase(world.database, turns.pass),
              clock,
            }),
        );
        const side = new WriteSide({ log, database: world.database, clock });
        try {
          await side.record(visitor, 'a', 'GRANTED');
          await side.record(visitor, 'b', 'DENIED');
          const settled = await turns.until(
            Array.from({ length: logIns }, (_, i) => processes[i % processes.length]!.logIn(visitor, `${run}`)),
          );
          const subjectIds = await subjectsIn(log);
          const told = await expectFamilies(log, side, subjectIds);
          const root = (await side.record(person, 'b', 'GRANTED')) as { answer: Written };
          for (const each of settled)
            expect(each).toEqual({ status: 'fulfilled', value: { answer: root.answer.subjectId } });
          const { purposes } = told.get(root.answer.subjectId)!.state.parts['consent'] as ConsentState;
          expect(Object.keys(purposes)).toEqual(['b']);
          expect(subjectIds).toHaveLength(2);
        } finally {
          await log.close();
        }
      }),
      runsOf(50),
    ),
  3_600_000,
);

it('links of the same two in one process are carried out once; the others wait for the first', async () => {
  const run = ++runs;
  const log = new MemoryEventLog();
  const side = new WriteSide({ log, database: world.database, clock: ticking() });
  try {
    const person = (await side.record(`user_id:${run}`, 'a', 'GRANTED')) as { answer: Written };
    await side.record(`visitor_id:${run}`, 'a', 'DENIED');
    const links = Array.from({ length: 20 }, (_, i) => side.link(`user_id:${run}`, `${run}`, 'ALWAYS', `${run}/${i}`));
    for (const done of await Promise.all(links)) expect(done).toEqual({ answer: person.answer.subjectId });
    const begun = 'select id from write.work where subjects[1] = $1';
    expect(await world.database.run(begun, [person.answer.subjectId])).toHaveLength(1);
  } finally {
    await log.close();
  }
});
