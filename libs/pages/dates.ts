import type { Instant } from '../kernel/index.js';
import type { Language } from './languages.js';

/** Day before month, as everywhere but in the United States, who understand it too. */
const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);

/** `23 November 2026 at 16:18 UTC` as people of a language write it. */
export const dayAndTime = (at: Instant, language: Language): string =>
  `${new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(new Date(at))} UTC`;

/** `16:18 UTC`. */
export const timeOfDay = (at: Instant, language: Language): string =>
  `${new Intl.DateTimeFormat(localeOf(language), { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' }).format(
    new Date(at),
  )} UTC`;

/** Day and time to the second, with the name of the zone as the language has it. */
export const dayAndSecond = (at: Instant, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(
    new Date(at),
  );

/** The day in UTC. */
export const day = (at: Instant, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at));

const UNITS = { Y: 'year', M: 'month', W: 'week', D: 'day' } as const;

/** An ISO 8601 duration of one unit in words, `P14M` as 14 months; any other as it stands. */
export function span(duration: string, language: Language): string {
  const [, count, unit] = /^P(\d{1,6})([YMWD])$/.exec(duration) ?? [];
  if (count === undefined) return duration;
  const style = { style: 'unit', unit: UNITS[unit as keyof typeof UNITS], unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(localeOf(language), style).format(Number(count));
}
