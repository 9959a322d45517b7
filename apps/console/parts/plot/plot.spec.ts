import { describe, expect, it } from '@jest/globals';
import { figureOf, gapsOf } from './figures.js';
import { marksByPeriod, placedLabels } from './marks.js';
import { csvOf } from './save.js';
import { ticksTo } from './ticks.js';

describe('a figure', () => {
  it('that is hidden is no zero, even of several purposes', () => {
    expect([
      figureOf(null, true),
      figureOf(0, true),
      figureOf(0, false),
      figureOf(null, false),
      figureOf(12, true),
    ]).toEqual(['hidden', 'hidden', 0, 'none', 12]);
  });

  it('is missing where no series shows one, for one reason at a time', () => {
    const series = [
      { name: 'a', figures: ['none', 'hidden', 0.5, 'hidden', 'hidden'] as const },
      { name: 'b', figures: ['none', 'none', 'hidden', 'none', 'hidden'] as const },
    ];
    expect(gapsOf(series, 5)).toEqual([
      { first: 0, last: 0, isHidden: false },
      { first: 1, last: 1, isHidden: true },
      { first: 3, last: 4, isHidden: true },
    ]);
  });
});

describe('marks', () => {
  const periods = [
    { from: '2026-11-02', to: '2026-11-08' },
    { from: '2026-11-09', to: '2026-11-15' },
  ];

  it('stand in the period that they happened in, and nowhere else', () => {
    const marks = [
      { at: '2026-11-08T23:59:59.000Z', text: 'late' },
      { at: '2026-11-02T00:00:00.000Z', text: 'early' },
      { at: '2026-11-20T00:00:00.000Z', text: 'after' },
    ];
    expect(marksByPeriod(marks, periods)).toEqual([{ i: 0, texts: ['early', 'late'] }]);
  });

  it('have labels that do not lie on each other, or none', () => {
    const labels = Array.from({ length: 4 }, () => ({ x: 50, width: 40 }));
    expect(placedLabels(labels, [0, 100])).toEqual([
      { x: 56, row: 0, anchor: 'start' },
      { x: 44, row: 0, anchor: 'end' },
      { x: 56, row: 1, anchor: 'start' },
      { x: 44, row: 1, anchor: 'end' },
    ]);
    expect(placedLabels([{ x: 50, width: 60 }], [0, 100])).toEqual([null]);
  });
});

describe('the file of a plot', () => {
  it('says what is hidden, quotes what must be, and holds no formula', () => {
    const table = {
      rowsAre: 'Day',
      columns: [{ title: '=SUM(A1)', measure: 'share' as const }],
      rows: [
        { key: '2026-11-02', name: '2 Nov', figures: [0.25] },
        { key: '2026-11-03', name: '3 Nov', figures: ['hidden' as const], remark: 'Banner, version "2"' },
        { key: '2026-11-04', name: '4 Nov', figures: ['none' as const] },
      ],
    };
    expect(csvOf(table, 'Published')).toBe(
      `Day,'=SUM(A1),Published\r\n2026-11-02,0.25,\r\n2026-11-03,hidden,"Banner, version ""2"""\r\n2026-11-04,,\r\n`,
    );
  });
});

it('an axis counts in whole steps up to what it shows', () => {
  expect([ticksTo(0), ticksTo(1), ticksTo(7), ticksTo(24), ticksTo(1204)]).toEqual([
    [0, 1],
    [0, 1],
    [0, 2, 4, 6, 8],
    [0, 10, 20, 30],
    [0, 500, 1000, 1500],
  ]);
});
