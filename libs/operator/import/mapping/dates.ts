import { instantOf, parseInstant, type Instant } from '../../../kernel/index.js';
import { utcOf } from './zones.js';

/** How dates of a file are written, and the zone of those that name none. */
export interface DateRule {
  /** `iso`, `unix`, `unix-ms`, or a pattern such as `dd.MM.yyyy HH:mm:ss`. The first that fits counts. */
  formats: readonly string[];
  /** IANA name, such as `Europe/Berlin`; null: a date without a zone is refused. */
  zone: string | null;
}

export const DEFAULT_DATES: DateRule = { formats: ['iso'], zone: null };

/** A date as it stands on a wall, as if it were UTC; `offset`: minutes to UTC, where the text names them. */
interface WallTime {
  ms: number;
  offset: number | null;
}

/** The moment that a text names, or why it names none. */
export function dateIn(text: string, { formats, zone }: DateRule): Instant | { fault: string } {
  for (const format of formats) {
    // Nearly all files have it, and it needs no zone.
    const exact = format === 'iso' ? parseInstant(text) : null;
    if (exact !== null) return exact;
    const wall = readerOf(format)(text);
    if (wall === null) continue;
    if (wall.offset !== null) return inRange(wall.ms - wall.offset * 60_000);
    if (zone === null)
      return { fault: `the date "${shortened(text)}" names no zone: say it with --zone, such as --zone Europe/Berlin` };
    const at = utcOf(wall.ms, zone);
    return at === null
      ? { fault: `the time "${shortened(text)}" does not exist in ${zone}: the clock was put forward over it` }
      : inRange(at);
  }
  return {
    fault: `"${shortened(text)}" is no date of the form ${formats.join(' or ')}: say the form with --date-format`,
  };
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
const inRange = (ms: number): Instant | { fault: string } =>
  Number.isFinite(ms) && Math.abs(ms) < 8.64e15 && parseInstant(instantOf(ms)) !== null
    ? instantOf(ms)
    : { fault: 'the date is before 1970 or after 9998' };

/** Why a format cannot be read; null where it can. */
export function formatFault(format: string): string | null {
  if (NAMED.has(format)) return null;
  const tokens = new Set(format.match(TOKEN) ?? []);
  for (const needed of [['yyyy'], ['MM', 'M', 'MMM'], ['dd', 'd']])
    if (!needed.some((token) => tokens.has(token))) return `has no ${needed[0]}`;
  if ((tokens.has('hh') || tokens.has('h')) !== tokens.has('a')) return 'needs both hh and a, for hours with AM and PM';
  return null;
}

type Reader = (text: string) => WallTime | null;

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?([Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/;
const NAMED: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  [
    'iso',
    (text) => {
      const parts = ISO.exec(text);
      if (!parts) return null;
      const [, year, month, day, hour, minute, second, fraction, zone] = parts;
      return wallTime({ year, month, day, hour, minute, second, fraction }, zone);
    },
  ],
  // The length decides which of the two it is: UNIX time of the years 1973 to 5138.
  ['unix', (text) => (/^\d{1,11}(\.\d{1,9})?$/.test(text) ? ofNumber(text, 1000) : null)],
  ['unix-ms', (text) => (/^\d{12,14}$/.test(text) ? ofNumber(text, 1) : null)],
]);

const ofNumber = (text: string, ms: number): WallTime => ({ ms: Math.round(Number(text) * ms), offset: 0 });

const TOKEN = /yyyy|MMM|MM|M|dd|d|HH|H|hh|h|mm|ss|SSS|a|XXX/g;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TOKENS: Readonly<Record<string, [string, string]>> = {
  yyyy: ['year', '\\d{4}'],
  MMM: ['monthName', '[A-Za-z]{3}'],
  MM: ['month', '\\d{2}'],
  M: ['month', '\\d{1,2}'],
  dd: ['day', '\\d{2}'],
  d: ['day', '\\d{1,2}'],
  HH: ['hour', '\\d{2}'],
  H: ['hour', '\\d{1,2}'],
  hh: ['hour', '\\d{2}'],
  h: ['hour', '\\d{1,2}'],
  mm: ['minute', '\\d{2}'],
  ss: ['second', '\\d{2}'],
  SSS: ['fraction', '\\d{1,9}'],
  a: ['half', '[AaPp]\\.?[Mm]\\.?'],
  XXX: ['zone', 'Z|[+-]\\d{2}(?::?\\d{2})?'],
};

const patterns = new Map<string, Reader>();

function readerOf(format: string): Reader {
  const known = NAMED.get(format) ?? patterns.get(format);
  if (known) return known;
  const source = format
    .split(new RegExp(`(${TOKEN.source})`))
    .map((part, i) => (i % 2 === 1 ? `(?<${TOKENS[part]![0]}>${TOKENS[part]![1]})` : literal(part)))
    .join('');
  const pattern = new RegExp(`^${source}$`);
  const reader: Reader = (text) => {
    const groups: Parts | undefined = pattern.exec(text)?.groups;
    if (!groups) return null;
    const { zone, monthName, half, ...parts } = groups;
    const month = monthName === undefined ? parts['month'] : String(MONTHS.indexOf(monthName.toLowerCase()) + 1);
    const hour = half === undefined ? parts['hour'] : hourOfHalf(parts['hour']!, half);
    return hour === null ? null : wallTime({ ...parts, month, hour }, zone);
  };
  patterns.set(format, reader);
  return reader;
}

const literal = (text: string): string => text.replaceAll("'", '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const hourOfHalf = (hour: string, half: string): string | null =>
  Number(hour) >= 1 && Number(hour) <= 12 ? String((Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0)) : null;

type Parts = Readonly<Record<string, string | undefined>>;

/** Null where the calendar has no such day, or the day no such time. */
function wallTime({ year, month, day, hour, minute, second, fraction }: Parts, zone?: string): WallTime | null {
  const two = (text: string | undefined): string => (text ?? '0').padStart(2, '0');
  const ms3 = (fraction ?? '').slice(0, 3).padEnd(3, '0');
  const at = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}.${ms3}Z`;
  const checked = parseInstant(at);
  if (checked === null) return null;
  return { ms: Date.parse(checked), offset: zone === undefined ? null : minutesOf(zone) };
}

function minutesOf(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
