import { SYNTHETIC_LISTS } from './synthetic-list.js';
import { SYNTHETIC_TEXTS_DE } from './synthetic-texts.de.js';
import type { GvlTexts } from './gvl.js';
import { digestOf } from './read-list.js';
import type { VendorList } from './vendor-lists.js';

/** Every synthetic list that a release ever brought, oldest first. */
export const SYNTHETIC: readonly VendorList[] = SYNTHETIC_LISTS.map((content) => ({
  version: content.vendorListVersion,
  digest: digestOf(content),
  isSynthetic: true,
  content,
}));

/** Their texts in other languages, by language. */
export const SYNTHETIC_TRANSLATIONS: ReadonlyMap<string, { digest: string; words: GvlTexts }> = new Map(
  Object.entries({ de: SYNTHETIC_TEXTS_DE }).map(([locale, words]) => [locale, { digest: digestOf(words), words }]),
);
