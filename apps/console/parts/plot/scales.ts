import type { Series } from './figures.js';

/** Where things stand in a plot over time: pixels. */
export interface Scales {
  /** Middle of a period. */
  readonly x: (i: number) => number;
  readonly y: (value: number) => number;
  /** Of a period. */
  readonly step: number;
  readonly top: number;
  readonly bottom: number;
}

/** What lines and bars are drawn of. */
export interface Drawn {
  readonly series: readonly Series[];
  readonly scales: Scales;
  readonly isRtl: boolean;
  /** The period that is pointed at. */
  readonly at: number | null;
  /** Id of the pattern where figures are hidden. */
  readonly stripes: string;
}
