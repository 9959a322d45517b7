import { lookUpLocale } from './locale.js';

/** Languages of mails and pages. Each area has a file of texts in every one of them. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'tr', 'uk', 'ja', 'ar', 'he'] as const;
export type Language = (typeof LANGUAGES)[number];
const RIGHT_TO_LEFT: readonly string[] = ['ar', 'he'];

/** The best language that the texts exist in (RFC 4647 look-up); English where none was wished for. */
export const languageOf = (wishes: readonly string[]): Language =>
  (lookUpLocale(wishes, LANGUAGES) ?? 'en') as Language;
export const directionOf = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr');
