import { useLocation } from 'preact-iso';
import { at } from '../../addresses.js';
import type { Split } from '../../api/statistics.js';
import { daysBefore } from '../../parts/plot/dates.js';
import type { Place } from '../../session.js';

export const RANGES = ['30', '90', '365'] as const;
export const BYS = ['day', 'week', 'month'] as const;
export const SPLITS = [
  'country',
  'surface',
  'method',
  'locale',
  'bannerVersion',
  'purposeVersion',
] as const satisfies readonly Split[];

/** What the address of the screen asks for. It is a bookmark. */
export interface Asked {
  /** Key; absent: all. */
  readonly purpose?: string;
  /** Days. */
  readonly range: (typeof RANGES)[number];
  readonly by: (typeof BYS)[number];
  readonly split: Split;
}

/** What periods are by default, so that most of them have enough to be shown. */
const BY: Readonly<Record<Asked['range'], Asked['by']>> = { '30': 'day', '90': 'week', '365': 'month' };

const oneOf = <T extends string>(values: readonly T[], text: string | undefined, otherwise: T): T =>
  values.find((value) => value === text) ?? otherwise;

/** First day, of UTC. */
export const firstDay = (asked: Asked): string =>
  daysBefore(new Date().toISOString().slice(0, 10), Number(asked.range) - 1);

export function useAsked(place: Place): readonly [Asked, (change: Partial<Asked>) => void] {
  const { query, route } = useLocation();
  const range = oneOf(RANGES, query['range'], '90');
  const asked: Asked = {
    ...(query['purpose'] && { purpose: query['purpose'] }),
    range,
    by: oneOf(BYS, query['by'], BY[range]),
    split: oneOf(SPLITS, query['split'], 'country'),
  };
  const ask = (change: Partial<Asked>) => {
    // Another range has another period by default.
    const next = { ...asked, ...(change.range && { by: BY[change.range] }), ...change };
    const words = new URLSearchParams(Object.entries(next).filter(([, value]) => value !== ''));
    route(`${at(place, 'statistics')}?${words}`, true);
  };
  return [asked, ask];
}
