/**
 * A figure of a plot. `hidden`: the service shows no count that tells of fewer than ten decisions, and none from which one
 * could be computed. `none`: there is nothing to count, such as a share of no answers. Neither is drawn as a zero.
 */
export type Figure = number | 'hidden' | 'none';

/** Whole days of UTC, both ends included, such as `2026-11-29`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Colour of a series. Its dash and its sign tell it from others, too. */
export type SeriesTone = 'accent' | 'no' | 'info' | 'wait' | 'off' | 'ink';
export const SERIES_TONES: readonly SeriesTone[] = ['accent', 'info', 'wait', 'ink', 'off', 'no'];

/** One line, or one set of bars: a figure for each period. */
export interface Series {
  readonly name: string;
  readonly figures: readonly Figure[];
  readonly tone?: SeriesTone;
}

/** Something that happened while figures were counted, such as a publication. */
export interface Mark {
  /** Moment. */
  readonly at: string;
  readonly text: string;
}

/** `share`: from 0 to 1. `count`: whole numbers. */
export type Measure = 'share' | 'count';

export interface PlotColumn {
  readonly title: string;
  readonly measure: Measure;
}

/** What a plot shows, in words and numbers. */
export interface PlotTable {
  /** What a row is, such as "Day". */
  readonly rowsAre: string;
  readonly columns: readonly PlotColumn[];
  readonly rows: readonly {
    readonly key: string;
    /** As people read it. */
    readonly name: string;
    readonly figures: readonly Figure[];
    /** What was published in this row's time. */
    readonly remark?: string;
  }[];
}

export const isShown = (figure: Figure | undefined): figure is number => typeof figure === 'number';

/** Sum of those that are shown; null: none is. */
export function sumOf(figures: readonly Figure[]): number | null {
  const shown = figures.filter(isShown);
  return shown.length === 0 ? null : shown.reduce((sum, each) => sum + each, 0);
}

/**
 * A count as the service answers it. `isHidden`: it is hidden, of several purposes for one of them; what is then a zero or
 * null is hidden, and no zero.
 */
export const figureOf = (value: number | null, isHidden: boolean): Figure =>
  isHidden && !value ? 'hidden' : (value ?? 'none');

/** Periods in which no series shows a figure. */
export interface Gap {
  /** Index of the first period. */
  readonly first: number;
  readonly last: number;
  /** Whether a figure is hidden there, or there is none. */
  readonly isHidden: boolean;
}

export function gapsOf(series: readonly Series[], length: number): Gap[] {
  const gaps: Gap[] = [];
  for (let i = 0; i < length; i++) {
    if (series.some(({ figures }) => isShown(figures[i]))) continue;
    const isHidden = series.some(({ figures }) => figures[i] === 'hidden');
    const before = gaps.at(-1);
    if (before?.last === i - 1 && before.isHidden === isHidden) gaps[gaps.length - 1] = { ...before, last: i };
    else gaps.push({ first: i, last: i, isHidden });
  }
  return gaps;
}
