import type { Language } from '../../preferences/texts/index.js';
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
import type { PortalWords } from './words.js';

/** In every language that mails and pages have. */
export const PORTAL_WORDS: Readonly<Record<Language, PortalWords>> = {
  ...{ ar, de, en, es, fr, he, it, ja, nl, pl, pt, sv, tr, uk },
};

export type { PortalWords, Said } from './words.js';
