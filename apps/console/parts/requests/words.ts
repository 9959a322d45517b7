import { named, wordsOf } from '../../words.js';
import table from './words.json';

/** Words for requests of people, wherever a screen names one. */
export const requestWords = wordsOf(table);

export const requestType = (type: string): string => named(requestWords, table, 'type.', type);
export const requestState = (state: string): string => named(requestWords, table, 'state.', state);

/** Where the law says how long an answer may take; the short name of the act where no article is known. */
export function lawOf(regulation: string | null, type: string): string {
  if (regulation === null) return requestWords('law.none');
  const key = regulation.replaceAll('-', '_');
  const special =
    key === 'CCPA' && type === 'LIMIT_SENSITIVE' ? '.limit' : type.startsWith('OPT_OUT') ? '.opt-out' : '';
  const exact = named(requestWords, table, 'law.', key + special);
  if (exact !== key + special) return exact;
  const general = named(requestWords, table, 'law.', key);
  return general === key ? regulation.replaceAll('_', ' ') : general;
}

/** `one month`, `45 days`. */
export const periodOf = (n: number, unit: string): string =>
  requestWords(`period.${unit as 'MONTHS' | 'CALENDAR_DAYS' | 'BUSINESS_DAYS' | 'PERIODS_OF_24_HOURS'}`, { n });
