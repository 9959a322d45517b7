import { signal } from '@preact/signals';

export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

/** A sentence with `{name}` where a value goes; by plural category where it counts `{n}`. */
type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;
/** A text in each language. Languages other than English may lack it. */
export type Table<K extends string> = Readonly<Record<K, { readonly en: Text } & Partial<Record<Language, Text>>>>;
export type Values = Readonly<Record<string, string | number>>;
/** A text in the operator's language. */
export type Words<K extends string> = (key: K, values?: Values) => string;

const KEPT = 'assent-console-language';

const isLanguage = (text: string): text is Language => Object.hasOwn(LANGUAGES, text);

/** The operator's language: what was chosen here, else the first of the browser that the console speaks. */
export const language = signal<Language>(chosen());

function chosen(): Language {
  const wanted = [localStorage.getItem(KEPT) ?? '', ...navigator.languages];
  return wanted.map((each) => each.slice(0, 2)).find(isLanguage) ?? 'en';
}

export function speak(wanted: Language): void {
  localStorage.setItem(KEPT, wanted);
  language.value = wanted;
}

/** The words of a screen, of a file beside it. A component that calls them is drawn anew when the language changes. */
export function wordsOf<const K extends string>(table: Table<K>): Words<K> {
  return (key, values = {}) => {
    const text = table[key][language.value] ?? table[key].en;
    return filled(typeof text === 'string' ? text : pluralOf(text, Number(values['n'] ?? 0)), values);
  };
}

function pluralOf(text: Exclude<Text, string>, n: number): string {
  return text[new Intl.PluralRules(language.value).select(n)] ?? text.other ?? '';
}

const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
  });

/** A word of the service, such as a state, in the operator's language; as the service writes it where there is no word. */
export const named = <K extends string>(words: Words<K>, table: Table<K>, prefix: string, value: string): string =>
  Object.hasOwn(table, prefix + value) ? words((prefix + value) as K) : value;

const formats = new Map<string, Intl.DateTimeFormat>();
function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language.value + JSON.stringify(options);
  const kept = formats.get(key) ?? new Intl.DateTimeFormat(language.value === 'en' ? 'en-GB' : language.value, options);
  formats.set(key, kept);
  return kept;
}

/** `28 Nov 2026` */
export const day = (at: string | Date): string => format({ dateStyle: 'medium' }).format(new Date(at));
/** `28 Nov 2026, 12:31` */
export const moment = (at: string | Date): string =>
  format({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at));
/** `28 November 2026 at 11:31:07 UTC` */
export const inUtc = (at: string | Date): string =>
  format({ dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(new Date(at));

const DAY_FORMS = {
  short: { day: 'numeric', month: 'short' },
  medium: { dateStyle: 'medium' },
  month: { month: 'short', year: 'numeric' },
  'long-month': { month: 'long', year: 'numeric' },
} as const;
export type DayForm = keyof typeof DAY_FORMS;
/** A day of the calendar, such as `2026-10-29`, wherever the operator is: `29 Oct`, `29 Oct 2026`, `October 2026`; up to `to`: `2–8 Nov 2026`. */
export function calendarDay(from: string, to = from, form: DayForm = 'medium'): string {
  const shown = format({ ...DAY_FORMS[form], timeZone: 'UTC' });
  return from === to ? shown.format(new Date(from)) : shown.formatRange(new Date(from), new Date(to));
}
export const number = (value: number): string => new Intl.NumberFormat(language.value).format(value);
/** `66.4 %`, of a share from 0 to 1. */
export const percent = (share: number): string =>
  new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 1 }).format(share);

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** `in 3 days`, `2 hours ago`, `now`. */
export function distance(at: string, now = Date.now()): string {
  const ms = Date.parse(at) - now;
  const relative = new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' });
  const [unit, length] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? ['second', 1_000];
  return relative.format(Math.abs(ms) < 60_000 ? 0 : Math.round(ms / length), unit);
}
/** Name of a country, a region as it is written, or a language. */
export const countryName = (code: string): string =>
  new Intl.DisplayNames(language.value, { type: 'region' }).of(code.slice(0, 2)) ?? code;
export const languageName = (code: string): string =>
  new Intl.DisplayNames(language.value, { type: 'language' }).of(code) ?? code;
