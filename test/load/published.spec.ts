import { published } from './published.mjs';

const row = (part: string, name: string, value: number): { part: string; name: string; value: number } => ({
  part,
  name,
  value,
});
const table = (part: string, title: string, value: number): { part: string; title: string; value: number } => ({
  part,
  title,
  value,
});
/** What there is to measure, and which of it a run measured whole. */
const parts = (...whole: string[]): { name: string; isWhole: boolean }[] =>
  ['rates', 'start', 'memory'].map((name) => ({ name, isWhole: whole.includes(name) }));

const before = {
  results: [row('rates', 'recorded', 1), row('rates', 'save', 1), row('memory', 'flat', 1)],
  tables: [table('memory', 'bytes', 1)],
};

describe('what is published of a bench', () => {
  it('is what was measured, where nothing was published before', () => {
    const run = { results: [row('memory', 'flat', 2), row('rates', 'save', 2)], tables: [table('start', 'times', 2)] };
    expect(published({}, run, parts())).toEqual({
      results: [row('rates', 'save', 2), row('memory', 'flat', 2)],
      tables: [table('start', 'times', 2)],
    });
  });

  it('takes the place of the same rows and tables, and leaves the others as they are', () => {
    const run = { results: [row('rates', 'save', 2)], tables: [table('memory', 'bytes', 2)] };
    expect(published(before, run, parts())).toEqual({
      results: [row('rates', 'recorded', 1), row('rates', 'save', 2), row('memory', 'flat', 1)],
      tables: [table('memory', 'bytes', 2)],
    });
  });

  it('loses the rows of a case that a part, measured whole, does not have any more', () => {
    const run = { results: [row('rates', 'recorded', 2)], tables: [] };
    expect(published(before, run, parts('rates'))).toEqual({
      results: [row('rates', 'recorded', 2), row('memory', 'flat', 1)],
      tables: before.tables,
    });
  });

  it('loses what belongs to a part that is no more', () => {
    const old = { results: [...before.results, row('gone', 'old', 1)], tables: [table('gone', 'old', 1)] };
    expect(published(old, { results: [], tables: [] }, parts())).toEqual({ results: before.results, tables: [] });
  });
});
