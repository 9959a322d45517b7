import fc from 'fast-check';
import { PURPOSES, type Outcome, type WriteSide } from '../support/write-side.js';

/** People and anonymous visitors. */
export const MOST = 5;
export type Who = number;
/** Of whom nothing is known before the first log-in as one of them. */
const PERSONS = 2;
export const personRef = (run: number, person: number): string => `user_id:${run}-person-${person}`;
export const refOf = (run: number, one: Who): string => `${one % 2 === 0 ? 'visitor_id' : 'user_id'}:${run}-${one}`;

export type Command =
  | { do: 'record'; who: Who; purpose: (typeof PURPOSES)[number]; decision: 'GRANTED' | 'DENIED' }
  | { do: 'merge'; sources: Who[]; target: Who }
  | { do: 'link'; who: Who; visitor: Who }
  | { do: 'logIn'; who: Who; person: number }
  | { do: 'revert'; which: number }
  | { do: 'erase' | 'restrict' | 'lift'; who: Who };

/** Commands on the first `most` of them: the fewer, the more they meet. */
export const commandOn = (most: number, who: fc.Arbitrary<Who> = fc.nat(most - 1)): fc.Arbitrary<Command> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('record' as const),
        who,
        purpose: fc.constantFrom(...PURPOSES),
        decision: fc.constantFrom('GRANTED' as const, 'DENIED' as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('merge' as const),
        sources: fc.uniqueArray(who, { minLength: 1, maxLength: 2 }),
        target: who,
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('link' as const), who, visitor: who }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('logIn' as const), who, person: fc.nat(PERSONS - 1) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('revert' as const), which: fc.nat(20) }) },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constantFrom('erase' as const, 'restrict' as const, 'lift' as const), who }),
    },
  );

/** What happens at once: a merge, and others about the same few. */
export const meeting: fc.Arbitrary<Command[]> = fc
  .tuple(
    fc.constantFrom<[Who, Who][]>([0, 1], [1, 0], [1, 2], [2, 1]),
    fc.array(commandOn(3), { minLength: 1, maxLength: 3 }),
  )
  .map(([[source, target], others]) => [{ do: 'merge', sources: [source], target }, ...others]);

/** Has it carried out; a revert is one of the merges so far. */
export function order(
  asked: Command,
  run: number,
  merges: readonly string[],
  side: WriteSide,
): Promise<Outcome<unknown>> {
  switch (asked.do) {
    case 'record':
      return side.record(refOf(run, asked.who), asked.purpose, asked.decision);
    case 'merge':
      return side.merge(
        asked.sources.map((one) => refOf(run, one)),
        refOf(run, asked.target),
      );
    case 'link':
      return side.link(refOf(run, asked.who), `${run}-${asked.visitor}`);
    case 'logIn':
      return side.logIn(refOf(run, asked.who), personRef(run, asked.person).slice('user_id:'.length));
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

/** LAWS_RUNS makes it long, as `npm run faults` does; LAWS_SEED, printed with every failure, has the same once more. */
export const runsOf = (most: number): { numRuns: number; seed?: number } => ({
  numRuns: Number(process.env['LAWS_RUNS'] ?? most),
  ...(process.env['LAWS_SEED'] && { seed: Number(process.env['LAWS_SEED']) }),
});
