import type { Mark, Period } from './figures.js';

/** Rows of labels above a plot. */
const ROWS_MAX = 3;
/** Pixels between a mark's line and its label, and between labels. */
const SPACE = 6;

/** What happened in a period, and how often. */
export interface PeriodMarks {
  /** Index of the period. */
  readonly i: number;
  readonly texts: readonly string[];
}

/** Marks by the period that they are in, earliest first. Marks outside of all periods are left out. */
export function marksByPeriod(marks: readonly Mark[], periods: readonly Period[]): PeriodMarks[] {
  return periods.flatMap(({ from, to }, i) => {
    const inside = marks.filter(({ at }) => at.slice(0, 10) >= from && at.slice(0, 10) <= to);
    const texts = [...inside].sort((a, b) => a.at.localeCompare(b.at)).map(({ text }) => text);
    return texts.length > 0 ? [{ i, texts }] : [];
  });
}

/** Where a label stands. `x` counts from the side where reading begins. */
export interface PlacedLabel {
  readonly x: number;
  readonly row: number;
  /** At its mark it begins, or ends. */
  readonly anchor: 'start' | 'end';
}

/**
 * Places labels beside their marks so that none lies on another, in as few rows as there can be; null: no room, the table
 * says it. Pixels.
 */
export function placedLabels(
  labels: readonly { readonly x: number; readonly width: number }[],
  [first, last]: readonly [number, number],
): (PlacedLabel | null)[] {
  const taken: [from: number, to: number, row: number][] = [];
  const isFree = (from: number, to: number, row: number) =>
    from >= first && to <= last && taken.every(([a, b, r]) => r !== row || to + SPACE < a || from > b + SPACE);
  return labels.map(({ x, width }) => {
    for (let row = 0; row < ROWS_MAX; row++) {
      for (const anchor of ['start', 'end'] as const) {
        const at = anchor === 'start' ? x + SPACE : x - SPACE;
        const [from, to] = anchor === 'start' ? [at, at + width] : [at - width, at];
        if (!isFree(from, to, row)) continue;
        taken.push([from, to, row]);
        return { x: at, row, anchor };
      }
    }
    return null;
  });
}
