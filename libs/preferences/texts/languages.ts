import { lookUpLocale } from '../../catalogue/index.js';
import { de } from './de.js';
import { en } from './en.js';
import type { Words } from './words.js';

export const WORDS = { en, de } satisfies Record<string, Words>;

export type Language = keyof typeof WORDS;
export const LANGUAGES = Object.keys(WORDS) as Language[];
const RIGHT_TO_LEFT: readonly string[] = ['ar', 'he'];

/** The best language that the texts exist in (RFC 4647 look-up); English where none was wished for. */
export const languageOf = (wishes: readonly string[]): Language => (lookUpLocale(wishes, LANGUAGES) ?? 'en') as Language;
export const directionOf = (language: Language): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr');
