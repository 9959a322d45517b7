import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryEventLog } from '../../libs/event-log/adapters/memory.js';
import { subjectOfStream } from '../../libs/kernel/index.js';
import { Turns, SteppedLog, steppedDatabase, type Pass } from '../support/steps.js';
import { isDone, PURPOSES, ticking, WriteSide, type Outcome, type Written } from '../support/write-side.js';
import { startWriteDatabase, type WriteDatabase } from '../support/write-database.js';
import { expectFamilies } from './family-laws.js';

let world: WriteDatabase;
beforeAll(async () => {
  world = await startWriteDatabase();
}, 60_000);
afterAll(() => world?.stop());

/** People and anonymous visitors. */
const MOST = 6;
type Who = number;
const who: fc.Arbitrary<Who> = fc.nat(MOST - 1);
const refOf = (run: number, one: Who): string => `${one % 2 === 0 ? 'visitor_id' : 'user_id'}:${run}-${one}`;

type Command =
  | { do: 'record'; who: Who; purpose: (typeof PURPOSES)[number]; decision: 'GRANTED' | 'DENIED' }
  | { do: 'merge'; sources: Who[]; target: Who }
  | { do: 'link'; who: Who; visitor: Who }
  | { do: 'revert'; which: number }
  | { do: 'erase' | 'restrict' | 'lift'; who: Who };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('record' as const), who, purpose: fc.constantFrom(...PURPOSES), decision: fc.constantFrom('GRANTED' as const, 'DENIED' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('merge' as const), sources: fc.uniqueArray(who, { minLength: 1, maxLength: 2 }), target: who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('link' as const), who, visitor: who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('revert' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('erase' as const, 'restrict' as const, 'lift' as const), who }) },
);

const REFUSALS = ['merge_conflict', 'state_conflict', 'subject_erased', 'subject_not_found', 'identifier_conflict'];
let runs = 0;

it('come to one root each, lose nothing and tell the same, whoever does what at the same time', () =>
  fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 6 }), fc.array(command, { minLength: 2, maxLength: 4 }), fc.nat(), async (before, together, seed) => {
      const run = ++runs;
      const log = new MemoryEventLog();
      const turns = new Turns(seed);
      let pass: Pass = (_, carryOut) => carryOut();
      const through: Pass = (step, carryOut) => pass(step, carryOut);
      const clock = ticking();
      const processes = [0, 1].map(() => new WriteSide({ log: new SteppedLog(log, through), database: steppedDatabase(world.database, through), clock }));
      const subjectIds = new Set<string>();
      const following = log.subscribe({ after: -1n, prefixes: ['subject-'], onBatch: async (events) => events.forEach(({ stream }) => subjectIds.add(subjectOfStream(stream)!.subjectId)) });
      const records: string[] = [];
      const merges: string[] = [];
      const refusals: string[] = [];
      const carryOut = async (asked: Command, side: WriteSide): Promise<void> => {
        const done = await tellOf(asked, run, merges, side);
        if (!isDone(done)) refusals.push(done.refused);
        else if (asked.do === 'record') records.push((done.answer as Written).recordId);
        else if (asked.do === 'merge') merges.push((done.answer as { mergeId: string }).mergeId);
      };
      try {
        for (let one = 0; one < MOST; one++) await carryOut({ do: 'record', who: one, purpose: 'a', decision: one % 3 === 0 ? 'DENIED' : 'GRANTED' }, processes[0]!);
        for (const asked of before) await carryOut(asked, processes[0]!);
        pass = turns.pass;
        const settled = await turns.until(together.map((asked, i) => carryOut(asked, processes[i % processes.length]!)));
        pass = (_, work) => work();
        for (const each of settled) if (each.status === 'rejected') throw each.reason;
        expect(refusals.filter((code) => !REFUSALS.includes(code))).toEqual([]);
        while (subjectIds.size < MOST) await new Promise(setImmediate);
        await new Promise(setImmediate);
        await expectFamilies(log, new WriteSide({ log, database: world.database, clock }), [...subjectIds], records);
      } finally {
        await following.stop();
        await log.close();
      }
    }),
    { numRuns: Number(process.env['LAWS_RUNS'] ?? 150), ...(process.env['LAWS_SEED'] && { seed: Number(process.env['LAWS_SEED']) }) },
  ), 120_000);

function tellOf(asked: Command, run: number, merges: readonly string[], side: WriteSide): Promise<Outcome<unknown>> {
  switch (asked.do) {
    case 'record':
      return side.record(refOf(run, asked.who), asked.purpose, asked.decision);
    case 'merge':
      return side.merge(asked.sources.map((one) => refOf(run, one)), refOf(run, asked.target));
    case 'link':
      return side.link(refOf(run, asked.who), `${run}-${asked.visitor}`);
    case 'revert':
      return side.revert(merges[asked.which % Math.max(merges.length, 1)] ?? 'mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S');
    case 'erase':
      return side.erase(refOf(run, asked.who));
    case 'restrict':
      return side.restrict(refOf(run, asked.who));
    case 'lift':
      return side.lift(refOf(run, asked.who));
  }
}
