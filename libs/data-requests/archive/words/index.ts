import type { Language } from '../../../preferences/texts/index.js';
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
import type { ArchiveWords } from './words.js';

export type { ArchiveWords } from './words.js';

/** The languages of mails and pages. */
export const ARCHIVE_WORDS = { en, de, fr, es, it, nl, pt, pl, sv, tr, uk, ja, ar, he } satisfies Record<
  Language,
  ArchiveWords
>;

/** A moment as people of a language write it, in UTC. */
export const timeIn = (language: Language, at: string): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(at));
