import type { Instant } from '../../kernel/index.js';
import type { CatalogueOwner } from './settings.js';

/** One object that a publication changed. */
export interface PublishedObject {
  /** `purpose`, or the name of the kind of document in diffs. */
  object: string;
  key: string;
  action: 'PUBLISH' | 'RETIRE';
  /** That is current afterwards. */
  version: number;
}

/** What was published together: a version of the catalogue. Its number is its place in the list, from 1. */
export interface Publication {
  at: Instant;
  /** Actor, such as `operator:opt_…`; null where the state is only supposed. */
  by: string | null;
  /** Where it was written. */
  source: CatalogueOwner;
  /** Who edited the draft last; null for files. */
  editedBy: string | null;
  changes: readonly PublishedObject[];
}

/** Adds a change to its publication: all events of one have the same moment and actor. */
export function withPublished(
  publications: readonly Publication[],
  { at, by }: Pick<Publication, 'at' | 'by'>,
  change: PublishedObject,
): Publication[] {
  const last = publications.at(-1);
  if (last && last.at === at && last.by === by)
    return [...publications.slice(0, -1), { ...last, changes: [...last.changes, change] }];
  return [...publications, { at, by, source: 'FILES', editedBy: null, changes: [change] }];
}
