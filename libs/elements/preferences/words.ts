import files from 'assent:words';
import type OWN from './own-words.json';
import type USED from './words-used.json';

type Tables = 'answers' | 'kinds' | 'states';

/** The words of the portal that the element uses (`words-used.json`), and its own, in one language. */
export type Words = Readonly<
  Record<Exclude<keyof typeof USED, Tables> | keyof (typeof OWN)['en'], string> &
    Record<Tables, Readonly<Record<string, string>>>
>;

/** The language of the words for a wanted one, BCP 47; English where there are none. */
export function languageFor(locale: string): string {
  const [language] = locale.toLowerCase().split('-') as [string];
  return language in files ? language : 'en';
}

/** Loads the words of one of the languages that `languageFor` answers. */
export const wordsOf = async (language: string): Promise<Words> => (await files[language]!()).default as Words;

/** Day before month, as everywhere but in the United States, who understand it too. */
const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

/** A moment as people of a language write it, in the time zone of the device. */
export const dayAndTime = (at: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeStyle: 'short' }).format(new Date(at));

export const day = (at: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long' }).format(new Date(at));

const UNITS: Readonly<Record<string, string>> = { Y: 'year', M: 'month', W: 'week', D: 'day' };

/** An ISO 8601 duration of one unit in words, `P14M` as 14 months; any other as it stands. */
export function span(duration: string, language: string): string {
  const [, count, unit] = /^P(\d{1,6})([YMWD])$/.exec(duration) ?? [];
  if (count === undefined) return duration;
  return new Intl.NumberFormat(localeOf(language), { style: 'unit', unit: UNITS[unit!]!, unitDisplay: 'long' }).format(
    Number(count),
  );
}

/** Puts names into a text, in whichever direction they run. */
export const filled = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => `\u2068${names[name] ?? ''}\u2069`);
