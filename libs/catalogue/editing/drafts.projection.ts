import { defineProjection } from '../../following/projections/projection.js';
import type { Instant } from '../../kernel/index.js';
import { draftFold, type Draft, type DraftEvent } from './draft.js';

/** Prefix of the streams of drafts; `<site>.<env>` follows. */
export const DRAFT_PREFIX = 'draft-';

/**
 * `read.catalogue_drafts`: one row for each site and environment with a draft that was not discarded. It waits to be
 * published if its revision is above `draftPublished` of the catalogue.
 */
export const catalogueDraftsProjection = defineProjection<Draft | null, DraftEvent>({
  name: 'catalogue_drafts',
  version: 1,
  on: ['CatalogueDraftSaved', 'CatalogueDraftDiscarded'],
  streams: [DRAFT_PREFIX],
  key: (event) => event.stream.slice(DRAFT_PREFIX.length),
  initial: () => null,
  evolve: (draft, event) => draftFold.evolve({ draft }, event).draft,
  rows: (scope, draft) =>
    draft
      ? [
          {
            scope,
            revision: BigInt(draft.revision),
            files_hash: draft.filesHash,
            bytes: BigInt(draft.bytes),
            base: BigInt(draft.base),
            edited_by: draft.editedBy,
            edited_at: draft.editedAt,
          },
        ]
      : [],
  load: (_, [row]) => ({
    revision: Number(row!.revision),
    filesHash: row!.files_hash as string,
    bytes: Number(row!.bytes),
    base: Number(row!.base),
    editedBy: row!.edited_by as string,
    editedAt: row!.edited_at as Instant,
  }),
  table: {
    columns: {
      scope: 'text collate "C" not null',
      revision: 'bigint not null',
      files_hash: 'text collate "C" not null',
      bytes: 'bigint not null',
      base: 'bigint not null',
      edited_by: 'text collate "C" not null',
      edited_at: 'timestamptz not null',
    },
    keyColumn: 'scope',
    primaryKey: ['scope'],
  },
});
