import { language, wordsOf } from '../../words.js';
import table from './words.json';

export const words = wordsOf(table);

const UNITS = { Y: 'year', M: 'month', W: 'week', D: 'day' } as const;

/** `14 months`, of an ISO 8601 duration in years, months, weeks and days; another one as it is written. */
export function duration(iso: string): string {
  const parts = [...iso.matchAll(/(\d+)([YMWD])/g)].map(([, n, unit]) =>
    new Intl.NumberFormat(language.value, {
      style: 'unit',
      unit: UNITS[unit as keyof typeof UNITS],
      unitDisplay: 'long',
    }).format(Number(n)),
  );
  return parts.length === 0 ? iso : new Intl.ListFormat(language.value, { type: 'unit' }).format(parts);
}
