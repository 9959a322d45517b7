import type { Instant } from '../../kernel/index.js';
import type { CatalogueState } from '../state.js';
import type { PublishedObject } from './publications.js';

/** A version of a purpose or document, as it was published or retired. */
export interface LastPublished {
  /** `purpose`, or what document it is, such as `banner`. */
  what: string;
  /** Key of the purpose; of a document what it is. */
  key: string;
  action: PublishedObject['action'];
  version: number;
  at: Instant;
  /** Actor, such as `operator:opt_…`. */
  by: string | null;
}

/** What was published or retired last, newest first. */
export function lastPublished({ publications = [] }: CatalogueState, most: number): LastPublished[] {
  const found: LastPublished[] = [];
  for (let i = publications.length - 1; i >= 0 && found.length < most; i--) {
    const { at, by, changes } = publications[i]!;
    for (const { object: what, key, action, version } of changes) found.push({ what, key, action, version, at, by });
  }
  return found.slice(0, most);
}
