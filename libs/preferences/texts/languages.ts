import { lookUpLocale } from '../../catalogue/index.js';
import { ar } from './ar.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { he } from './he.js';
import { it } from './it.js';
import { ja } from './ja.js';
import { nl } from './nl.js';
import { pl } from './pl.js';
import { pt } from './pt.js';
import { sv } from './sv.js';
import { tr } from './tr.js';
import { uk } from './uk.js';
import type { Words } from './words.js';

export const WORDS = { en, de, fr, es, it, nl, pt, pl, sv, tr, uk, ja, ar, he } satisfies Record<string, Words>;

export type Language = keyof typeof WORDS;
export const LANGUAGES = Object.keys(WORDS) as Language[];
const RIGHT_TO_LEFT: readonly string[] = ['ar', 'he'];

/** The best language that the texts exist in (RFC 4647 look-up); English where none was wished for. */
export const languageOf = (wishes: readonly string[]): Language =>
  (lookUpLocale(wishes, LANGUAGES) ?? 'en') as Language;
export const directionOf = (language: Language): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr');
