import fc from 'fast-check';
import { daysOf, periodsOf, plusDays, type Day, type Period, type PeriodKind } from './calendar.js';
import { shownValue, shownValues, shownVersions, ShownCounts } from './suppression.js';

/* A reader asks every possible question, knows the rules of suppression, and tries to compute a small number. */

const KINDS = ['day', 'week', 'month'] as const;
/** Small, so that every table there can be is looked at. */
const SMALL = 3;

/** All that can be asked of these days, and what is answered. */
interface Answer {
  kind: PeriodKind;
  period: Period;
  shown: number | null;
}
function everything(counts: ReadonlyMap<Day, number>, days: readonly Day[], smallest?: number): Answer[] {
  const shown = new ShownCounts(counts, smallest);
  const range = { from: days[0]!, to: days.at(-1)! };
  return KINDS.flatMap((kind) =>
    periodsOf(kind, range, 1_000).map((period) => ({ kind, period, shown: shown.of(kind, period) })),
  );
}

/** Every table with these numbers in so many cells. */
function* tables(cells: number, most: number): Generator<number[]> {
  for (let code = 0; code < (most + 1) ** cells; code++)
    yield Array.from({ length: cells }, (_, i) => Math.floor(code / (most + 1) ** i) % (most + 1));
}

/** Every table of so many cells that comes to at most a sum. */
function* tablesUpTo(sum: number, cells: number): Generator<number[]> {
  if (cells === 0) return yield [];
  for (let first = 0; first <= sum; first++)
    for (const rest of tablesUpTo(sum - first, cells - 1)) yield [first, ...rest];
}

/** Groups of tables whose answers are the same: a reader of the answers cannot know which table of a group it is. */
function alike<T>(all: Iterable<T>, look: (table: T) => unknown): T[][] {
  const groups = new Map<string, T[]>();
  for (const table of all) {
    const name = JSON.stringify(look(table));
    const group = groups.get(name);
    if (group) group.push(table);
    else groups.set(name, [table]);
  }
  return [...groups.values()];
}

const isSmall = (count: number): boolean => count > 0 && count < SMALL;

describe('what is shown of days, weeks and months', () => {
  // Days of two weeks of one month, of a week over the end of it, and of the month after.
  it.each([
    ['in one week', ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06']],
    ['in two weeks', ['2026-11-03', '2026-11-04', '2026-11-10', '2026-11-11', '2026-11-12']],
    ['in three weeks', ['2026-11-03', '2026-11-10', '2026-11-11', '2026-11-17', '2026-11-18']],
    ['at the end of a month', ['2026-11-25', '2026-11-26', '2026-11-30', '2026-12-01', '2026-12-02']],
  ])('leaves every small number open: %s', (_, days) => {
    const all = [...tables(days.length, SMALL + 1)];
    const countsOf = (table: number[]) => new Map(days.map((day, i) => [day, table[i]!]));
    const groups = alike(all, (table) => everything(countsOf(table), days, SMALL).map(({ shown }) => shown));
    let hidden = 0;
    for (const group of groups)
      for (const subset of tables(days.length, 1)) {
        const sums = group.map((table) => table.reduce((sum, count, i) => sum + count * subset[i]!, 0));
        if (!isSmall(sums[0]!)) continue;
        hidden++;
        // Any set of days, not only those of a week: the answers must not determine its sum.
        if (sums.every((sum) => sum === sums[0]))
          throw new Error(`${subset.join()} comes to ${sums[0]} in each of ${JSON.stringify(group)}`);
      }
    expect(hidden).toBeGreaterThan(50);
  });

  it('leaves every small number open to a reader who subtracts all answers from each other, over months', () => {
    const first = '2026-08-17';
    const count = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 8, max: 30 }));
    fc.assert(
      fc.property(fc.array(count, { minLength: 20, maxLength: 75 }), (numbers) => {
        const days = numbers.map((_, i) => plusDays(first, i));
        const counts = new Map(days.map((day, i) => [day, numbers[i]!]));
        const place = new Map(days.map((day, i) => [day, i]));
        const answers = everything(counts, days).map((answer) => {
          const within = daysOf(answer.period).flatMap((day) => place.get(day) ?? []);
          const vector = days.map(() => 0);
          for (const i of within) vector[i] = 1;
          return { ...answer, within, vector, sum: within.reduce((total, i) => total + numbers[i]!, 0) };
        });
        const known = new Span();
        for (const { period, shown, sum, vector, within } of answers) {
          if (shown === null) continue;
          expect([period, shown]).toEqual([period, sum]);
          known.add(vector);
          // A period with no decisions has none on each of its days.
          if (shown === 0) for (const each of within) known.add(days.map((_, i) => (i === each ? 1 : 0)));
        }
        for (const { period, shown, sum, vector } of answers)
          if (shown === null && sum > 0 && sum < 10) expect([period, known.holds(vector)]).toEqual([period, false]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('what is shown of the countries of a month', () => {
  it.each([3, 4, 5])('leaves every small number open, with %s countries and some people of unknown country', (many) => {
    const countries = ['A', 'B', 'C', 'D', 'E'].slice(0, many);
    const look = (table: number[]) => {
      const total = table.reduce((a, b) => a + b, 0);
      const counts = new Map(['', ...countries].map((code, i) => [code, table[i]!]));
      const month = total > 0 && total < SMALL ? null : total;
      return [month, ...[...countries, 'XX'].map((code) => shownValue(code, { counts, month, smallest: SMALL }))];
    };
    for (const group of alike(tablesUpTo(9, many + 1), look))
      for (let i = 0; i <= many; i++)
        if (isSmall(group[0]![i]!) && group.every((table) => table[i] === group[0]![i]))
          throw new Error(`${['', ...countries][i]} is known to be ${group[0]![i]} in ${JSON.stringify(group)}`);
  });

  it('leaves every small number open, day by day and country by country', () => {
    const days = ['2026-11-03', '2026-11-11'];
    const countries = ['A', 'B', ''];
    const cells = days.flatMap((day) => countries.map((country) => ({ day, country })));
    const summed = (table: number[], by: 'day' | 'country') => {
      const sums = new Map<string, number>();
      cells.forEach((cell, i) => sums.set(cell[by], (sums.get(cell[by]) ?? 0) + table[i]!));
      return sums;
    };
    const month = { from: '2026-11-01', to: '2026-11-30' };
    const look = (table: number[]) => {
      const byDay = summed(table, 'day');
      const total = new ShownCounts(byDay, SMALL).of('month', month);
      const byCountry = summed(table, 'country');
      return [
        everything(byDay, days, SMALL).map(({ shown }) => shown),
        [...countries, 'XX'].map((code) => shownValue(code, { counts: byCountry, month: total, smallest: SMALL })),
      ];
    };
    // Larger tables are there for the smaller ones to be taken for.
    const groups = alike(tablesUpTo(9, cells.length), look);
    let hidden = 0;
    const open = (name: string, group: number[][], of: (table: number[]) => number) => {
      if (!isSmall(of(group[0]!)) || group[0]!.reduce((a, b) => a + b, 0) > 7) return;
      hidden++;
      const isOpen = group.some((table) => of(table) !== of(group[0]!));
      if (!isOpen) throw new Error(`${name} is known to be ${of(group[0]!)} in ${JSON.stringify(group)}`);
    };
    for (const group of groups) {
      cells.forEach(({ day, country }, i) => open(`${day} ${country}`, group, (table) => table[i]!));
      for (const day of days) open(day, group, (table) => summed(table, 'day').get(day)!);
      for (const country of countries) open(country, group, (table) => summed(table, 'country').get(country)!);
    }
    expect(hidden).toBeGreaterThan(100);
  });
});

describe('what is shown of the values of a split', () => {
  it.each([2, 3, 4, 5])('leaves every small number open where each decision has one of %s values', (many) => {
    const values = ['A', 'B', 'C', 'D', 'E'].slice(0, many);
    const look = (table: number[]) => {
      const total = table.reduce((a, b) => a + b, 0);
      const counts = new Map(values.map((value, i) => [value, table[i]!]));
      const month = total > 0 && total < SMALL ? null : total;
      const split = { counts, month, isComplete: true, smallest: SMALL };
      return [month, ...[...values, 'XX'].map((value) => shownValue(value, split))];
    };
    for (const group of alike(tablesUpTo(11, many), look)) {
      if (group[0]!.reduce((a, b) => a + b, 0) > 9) continue;
      for (let i = 0; i < many; i++)
        if (isSmall(group[0]![i]!) && group.every((table) => table[i] === group[0]![i]))
          throw new Error(`${values[i]} is known to be ${group[0]![i]} in ${JSON.stringify(group)}`);
    }
  });

  it('leaves every small number open to a reader who asks for two splits of the same decisions', () => {
    // Each decision has one value of the first, and may have one of the second: the reader sees the margins, never the table.
    const cells = ['A', 'B', 'C'].flatMap((one) => ['X', 'Y', ''].map((other) => ({ one, other })));
    const margins = (table: number[], by: 'one' | 'other') => {
      const sums = new Map<string, number>();
      cells.forEach((cell, i) => sums.set(cell[by], (sums.get(cell[by]) ?? 0) + table[i]!));
      return sums;
    };
    const look = (table: number[]) => {
      const total = table.reduce((a, b) => a + b, 0);
      const month = total > 0 && total < SMALL ? null : total;
      const shown = (by: 'one' | 'other', isComplete: boolean) => [
        ...(shownValues({ counts: margins(table, by), month, isComplete, smallest: SMALL }) ?? [null]),
      ];
      return [month, shown('one', true), shown('other', false)];
    };
    let hidden = 0;
    for (const group of alike(tablesUpTo(8, cells.length), look)) {
      if (group[0]!.reduce((a, b) => a + b, 0) > 6) continue;
      const open = (name: string, of: (table: number[]) => number) => {
        if (!isSmall(of(group[0]!))) return;
        hidden++;
        if (group.every((table) => of(table) === of(group[0]!)))
          throw new Error(`${name} is known to be ${of(group[0]!)} in ${JSON.stringify(group)}`);
      };
      cells.forEach(({ one, other }, i) => open(`${one} ${other}`, (table) => table[i]!));
      for (const value of ['A', 'B', 'C']) open(value, (table) => margins(table, 'one').get(value)!);
      for (const value of ['X', 'Y']) open(value, (table) => margins(table, 'other').get(value)!);
    }
    expect(hidden).toBeGreaterThan(100);
  });
});

describe('what is shown of versions', () => {
  // The second came on the third of these days: the reader knows it, and that none decided on it before.
  const days = ['2026-11-03', '2026-11-11', '2026-11-18'];
  const cells = [
    { day: days[0]!, version: '1' },
    { day: days[1]!, version: '1' },
    { day: days[2]!, version: '1' },
    { day: days[2]!, version: '2' },
  ];
  const sumsOf = (table: number[], by: 'day' | 'version') => {
    const sums = new Map<string, number>();
    cells.forEach((cell, i) => sums.set(cell[by], (sums.get(cell[by]) ?? 0) + table[i]!));
    return sums;
  };
  const daysOfVersions = (table: number[]) => {
    const byDay = new Map<Day, Map<string, number>>();
    cells.forEach(({ day, version }, i) => byDay.set(day, (byDay.get(day) ?? new Map()).set(version, table[i]!)));
    return byDay;
  };
  const month = { from: '2026-11-01', to: '2026-11-30' };
  const look = (table: number[], isGuarded: boolean) => {
    const byDay = sumsOf(table, 'day');
    const shown = new ShownCounts(byDay, SMALL);
    const counts = sumsOf(table, 'version');
    const split = { counts, month: shown.of('month', month), isComplete: true, smallest: SMALL };
    const values = isGuarded ? shownVersions(split, daysOfVersions(table), byDay) : shownValues(split);
    return [
      everything(byDay, days, SMALL).map((answer) => answer.shown),
      ['1', '2', '3'].map((version) => shownValue(version, split, values)),
    ];
  };
  /** What a reader knows of a small number although it is hidden. */
  function* known(isGuarded: boolean): Generator<string> {
    for (const group of alike(tablesUpTo(13, cells.length), (table) => look(table, isGuarded))) {
      if (group[0]!.reduce((a, b) => a + b, 0) > 10) continue;
      const sums: [string, (table: number[]) => number][] = [
        ...cells.map(({ day, version }, i): [string, (table: number[]) => number] => [
          `${version} on ${day}`,
          (table) => table[i]!,
        ]),
        ['before', (table) => table[0]! + table[1]!],
        ...(['1', '2'] as const).map((version): [string, (table: number[]) => number] => [
          version,
          (table) => sumsOf(table, 'version').get(version)!,
        ]),
      ];
      for (const [name, of] of sums)
        if (isSmall(of(group[0]!)) && group.every((table) => of(table) === of(group[0]!)))
          yield `${name} is known to be ${of(group[0]!)} in ${JSON.stringify(group)}`;
    }
  }

  it('leaves every small number open to a reader who knows when each came', () => expect([...known(true)]).toEqual([]));
  it('would not if a month in which one came were split like any other', () =>
    expect([...known(false)].length).toBeGreaterThan(10));
});

/** What follows by adding and subtracting: the span of vectors, over a field that is large enough. */
class Span {
  private static readonly PRIME = 32_749;
  private readonly rows = new Map<number, number[]>();

  add(vector: readonly number[]): void {
    const [rest, lead] = this.reduced(vector);
    if (lead < 0) return;
    const inverse = power(rest[lead]!, Span.PRIME - 2, Span.PRIME);
    this.rows.set(
      lead,
      rest.map((value) => (value * inverse) % Span.PRIME),
    );
  }

  holds(vector: readonly number[]): boolean {
    return this.reduced(vector)[1] < 0;
  }

  /** What is left of it, and where that begins; -1 where nothing is. */
  private reduced(vector: readonly number[]): [number[], number] {
    const rest = [...vector];
    for (let i = 0; i < rest.length; i++) {
      if (rest[i] === 0) continue;
      const row = this.rows.get(i);
      if (!row) return [rest, i];
      const factor = rest[i]!;
      for (let j = i; j < rest.length; j++) rest[j] = (rest[j]! + (Span.PRIME - factor) * row[j]!) % Span.PRIME;
    }
    return [rest, -1];
  }
}

function power(base: number, exponent: number, prime: number): number {
  let result = 1;
  for (let [b, e] = [base % prime, exponent]; e > 0; e >>= 1, b = (b * b) % prime)
    if (e & 1) result = (result * b) % prime;
  return result;
}
