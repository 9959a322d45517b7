import type { Instant } from '../../kernel/index.js';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `22 November 2026, 09:30:12 UTC`. By a list of our own, since a machine's locale data may change. */
export function inWords(at: Instant): string {
  const [year, month, day] = at.slice(0, 10).split('-').map(Number) as [number, number, number];
  return `${day} ${MONTHS[month - 1]} ${year}, ${at.slice(11, 19)} UTC`;
}

/** `SAVE_CHOICES` as `save choices`. */
export const plain = (code: string): string => code.toLowerCase().replaceAll('_', ' ');
