import {
  happened,
  refusal,
  type Decision,
  type DomainEvent,
  type Fold,
  type Instant,
  type Refusal,
} from '../../kernel/index.js';
import { defineEvent } from '../../streams/codec.js';
import { catalogueVersion, type CatalogueState } from '../state.js';

/*
 * Drafts have a stream of their own, `draft-<site>.<env>`. Its events say who saved when, and name the text by its
 * hash; the text itself is a row that goes when another text is saved. So the log has every edit, the
 * revision of the stream keeps two editors apart, and neither the log nor the catalogue's stream grows with what was
 * never published. What is published stands in the catalogue's stream, as it always did.
 */

export interface DraftSavedData {
  /** SHA-256 of the files as canonical JSON, `sha256:<hex>`. */
  filesHash: string;
  /** Length of that JSON. */
  bytes: number;
  /** The version of the catalogue that it was made from; 0: an empty one. */
  base: number;
}

export type CatalogueDraftSaved = DomainEvent<'CatalogueDraftSaved', DraftSavedData>;
export type CatalogueDraftDiscarded = DomainEvent<'CatalogueDraftDiscarded', Record<string, never>>;
export type DraftEvent = CatalogueDraftSaved | CatalogueDraftDiscarded;

export const DRAFT_EVENTS = (['CatalogueDraftSaved', 'CatalogueDraftDiscarded'] as const).map((type) =>
  defineEvent({ type, version: 1, personal: [] }),
);

export interface Draft extends DraftSavedData {
  /** Of its last edit, in the stream of drafts. */
  revision: number;
  /** Who saved it last: an actor such as `operator:opt_…`. */
  editedBy: string;
  editedAt: Instant;
}

export interface DraftState {
  /** Null before the first one, and after it was discarded. */
  draft: Draft | null;
}

export const draftFold: Fold<
  DraftState,
  DraftEvent & { revision: number; metadata: { actor: string; recordedAt: Instant } }
> = {
  initial: () => ({ draft: null }),
  evolve: (_, { type, data, revision, metadata: { actor, recordedAt } }) => ({
    draft:
      type === 'CatalogueDraftSaved'
        ? { ...(data as DraftSavedData), revision, editedBy: actor, editedAt: recordedAt }
        : null,
  }),
};

/** The draft that waits to be published; null where the last one was published or discarded. */
export const openDraft = ({ draft }: DraftState, { draftPublished = -1 }: CatalogueState): Draft | null =>
  draft !== null && draft.revision > draftPublished ? draft : null;

/** Strong entity tag: of the draft, or of the published files that a first draft is made from. */
export const draftTag = (draft: Draft | null, catalogue: CatalogueState): string =>
  draft ? `"draft-${draft.revision}"` : `"published-${catalogueVersion(catalogue)}"`;

export interface SaveDraft extends Pick<DraftSavedData, 'filesHash' | 'bytes'> {
  /** The tag of what was edited, as it was answered. */
  seen: string;
  /** The version of the catalogue that the editor has brought the files up to. Left out: as before. */
  base?: number;
}

/** Saves a draft over the one that the editor saw. No event where it says the same, so that a repeat succeeds. */
export function saveDraft(
  { filesHash, bytes, seen, base }: SaveDraft,
  state: DraftState,
  catalogue: CatalogueState,
): Decision<DraftEvent> {
  const draft = openDraft(state, catalogue);
  const version = catalogueVersion(catalogue);
  if (draft?.filesHash === filesHash && draft.base === (base ?? draft.base)) return happened();
  // Made from published files. Others may have published since then: the draft is behind from its beginning.
  const published = /^"published-(\d{1,9})"$/.exec(seen);
  const before = draft ? draft.base : published && Number(published[1]);
  if (before === null || before > version || (draft !== null && seen !== draftTag(draft, catalogue)))
    return changedMeanwhile(draft);
  const after = base ?? before;
  if (after < before || after > version)
    return refusal(
      'validation_failed',
      'The draft cannot be made from that version.',
      `Name a version of the catalogue from ${before} to ${version}, or leave base out.`,
      [{ path: 'base', message: `must be from ${before} to ${version}` }],
    );
  return happened({ type: 'CatalogueDraftSaved', data: { filesHash, bytes, base: after } });
}

/** Throws the draft away that the editor saw. */
export function discardDraft(seen: string, state: DraftState, catalogue: CatalogueState): Decision<DraftEvent> {
  const draft = openDraft(state, catalogue);
  if (!draft) return happened();
  if (seen !== draftTag(draft, catalogue)) return changedMeanwhile(draft);
  return happened({ type: 'CatalogueDraftDiscarded', data: {} });
}

export const changedMeanwhile = (draft: Draft | null): Refusal =>
  refusal(
    'state_conflict',
    draft
      ? `The draft was saved by ${draft.editedBy} at ${draft.editedAt}, after it was read.`
      : 'The draft that was read is no longer there: it was published or discarded.',
    'Read it again with GET, bring your changes into what is answered, and send that with its ETag as If-Match.',
    [{ path: 'If-Match', message: 'is not the tag of the present draft' }],
  );
