import type { CatalogueVersion } from '../api/published.js';
import { named, wordsOf } from '../words.js';
import table from './published.json';

const t = wordsOf(table);
/** Changes that a title names; the others are counted. */
const NAMED_MAX = 2;

/** What a version of the catalogue changed, in few words: `Banner, version 4 · Marketing, version 2 and 3 more`. */
export function publishedTitle({ version: n, changes }: CatalogueVersion, names: ReadonlyMap<string, string>): string {
  if (n === 1 && changes.length > NAMED_MAX) return t('first', { n: changes.length });
  const titles = changes.map(({ object, key, action, version }) => {
    const name = object === 'purpose' ? (names.get(key) ?? key) : named(t, table, 'document.', object);
    return action === 'RETIRE' ? t('retired', { name }) : t('version', { name, n: String(version) });
  });
  const shown = titles.slice(0, NAMED_MAX).join(' · ');
  return titles.length <= NAMED_MAX ? shown : t('more', { shown, n: titles.length - NAMED_MAX });
}
