import { figureOf, sumOf, type Figure, type Series } from '../parts/plot/figures.js';
import type { Place } from '../session.js';
import { answered, api } from './client.js';
import type { components, operations } from './schema.js';

export type Statistics = components['schemas']['ConsentStatistics'];
export type StatisticsPeriod = components['schemas']['StatisticsPeriod'];
export type Split = NonNullable<Query['split']>;
type Query = NonNullable<operations['getSiteConsentStatistics']['parameters']['query']>;
export type Counted = 'grants' | 'refusals' | 'withdrawals' | 'expiries' | 'shown';

/** Counts of decisions, at most 750 periods. */
export const statisticsOf = ({ site, env }: Place, query: Query): Promise<Statistics> =>
  answered(api.GET('/admin/v1/sites/{site}/{env}/statistics/consent', { params: { path: { site, env }, query } }));

export const counted = (period: StatisticsPeriod, what: Counted): Figure =>
  figureOf(period[what], period.suppressed.includes(what));

/** Grants of grants and refusals, from 0 to 1. */
export const shareOf = (period: StatisticsPeriod): Figure =>
  figureOf(
    period.grantShare,
    period.suppressed.some((what) => what === 'grants' || what === 'refusals'),
  );

export const figuresOf = (periods: readonly StatisticsPeriod[], name: string, what: Counted): Series => ({
  name,
  figures: periods.map((period) => counted(period, what)),
});

/** What is shown of some periods together. */
export interface Answers {
  readonly granted: number;
  readonly refused: number;
}

/** Grants and refusals of the periods in which both are shown; null: there are none. */
export function answersOf(periods: readonly StatisticsPeriod[]): Answers | null {
  const both = periods.filter(({ grantShare }) => grantShare !== null);
  const [granted, refused] = [sumOf(both.map(({ grants }) => grants!)), sumOf(both.map(({ refusals }) => refusals!))];
  return granted === null || refused === null ? null : { granted, refused };
}

/** How often the banner was shown and answered in the periods in which both are shown; null: there are none. */
export function shownAndAnswered(periods: readonly StatisticsPeriod[]): { shown: number; answered: number } | null {
  const both = periods.filter(({ unanswered, shown }) => unanswered !== null && shown !== 0);
  const shown = sumOf(both.map((period) => period.shown!));
  const unanswered = sumOf(both.map((period) => period.unanswered!));
  return shown === null || unanswered === null ? null : { shown, answered: shown - unanswered };
}

/** Share of the banners of a period that were answered. */
export const answeredOf = ({ shown, unanswered }: StatisticsPeriod): Figure =>
  shown && unanswered !== null ? 1 - unanswered / shown : 'none';

/** Shares of those who agreed, and of the others who answered. */
export function sharesOf(periods: readonly StatisticsPeriod[], granted: string, refused: string): Series[] {
  const shares = periods.map(shareOf);
  return [
    { name: granted, tone: 'accent', figures: shares },
    { name: refused, tone: 'no', figures: shares.map((share) => (typeof share === 'number' ? 1 - share : share)) },
  ];
}
