import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { datedThrough, isUndated, markOf, restingOn, standsAbove, type Said, type Stands } from './precedence.js';

const on = (day: number, more: Partial<Said> = {}): Said => ({
  ...{ givenAt: `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`, refusing: false, source: 'API' },
  ...more,
});
const claim = (day: number, more: Partial<Said> = {}): Said => on(day, { source: 'IMPORT', undated: true, ...more });
const refusal = (day: number): Said => on(day, { refusing: true });

/** What stands after all of this was said, in the order in which it came in. */
const standing = (...said: Said[]): Stands | null =>
  said.reduce<Stands | null>((stands, { undated, ...each }) => {
    const next: Said = { ...each, ...(undated && { undated }) };
    return stands && !standsAbove(next, stands) ? restingOn(stands, next) : { ...each, ...markOf(next, stands) };
  }, null);

describe('a claim without a date', () => {
  it('is one of an import or a migration only', () =>
    expect(
      (['API', 'IMPORT', 'MIGRATION'] as const).map((source) => [
        isUndated({ source }),
        isUndated({ source, givenAt: on(1).givenAt }),
      ]),
    ).toEqual([
      [false, false],
      [true, false],
      [true, false],
    ]));

  it.each<[string, Said[], boolean]>([
    ['stands where nothing else was said', [claim(5)], false],
    ['stands above a grant, as the newer one', [on(3), claim(5)], false],
    ['does not stand above a refusal', [refusal(2), claim(5)], true],
    ['does not stand above a refusal that comes in after it', [claim(5), refusal(2)], true],
    ['does not stand above another claim without a date that refuses', [claim(3, { refusing: true }), claim(5)], true],
    ['refuses: above a grant', [on(3), claim(5, { refusing: true })], true],
    ['leaves a grant above the refusals before it', [on(3), claim(5), refusal(2)], false],
    ['leaves a grant below the refusals after it', [on(3), claim(5), refusal(4)], true],
    ['leaves a grant below the refusal of the same moment', [on(3), claim(5), refusal(3)], true],
    ['rests on a grant that comes in later too', [claim(5), on(3), refusal(2)], false],
    ['rests on what other claims rest on', [on(3), claim(5), claim(6), refusal(2)], false],
    ['gives way to a newer grant, which has a date', [claim(5), on(6), refusal(5)], false],
  ])('%s', (_, said, refusing) => expect(standing(...said)?.refusing).toBe(refusing));

  it('counts where two persons become one as of the grant that it rests on, else as the oldest of all', () =>
    expect([standing(on(3), claim(5)), standing(claim(5)), standing(on(3))].map((each) => datedThrough(each!))).toEqual(
      [on(3).givenAt, '', on(3).givenAt],
    ));

  it('never decides whether a person refuses: what has a date does, in whatever order all of it comes in', () => {
    const day = fc.integer({ min: 1, max: 9 });
    const said = fc.oneof(
      day.map((each) => claim(each)),
      day.map(refusal),
      day.map((each) => on(each)),
    );
    fc.assert(
      fc.property(
        fc
          .array(said, { minLength: 1, maxLength: 7 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const dated = standing(...all.filter(({ undated }) => !undated));
          for (const each of [all, shuffled]) expect(standing(...each)!.refusing).toBe(dated?.refusing ?? false);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
