import { happened, isRefusal, refusal, type Decision, type Instant } from '../../kernel/index.js';
import { applyCatalogue } from '../decide.js';
import type { CatalogueFolderDto } from '../dto.js';
import type { CatalogueEvent } from '../events.js';
import { filesOf } from '../files/files-of-input.js';
import { catalogueVersion, type CatalogueState } from '../state.js';
import { changedMeanwhile, draftTag, openDraft, type DraftState } from './draft.js';
import { issuesIn, type DraftFiles } from './draft-files.js';
import { editingOf } from './settings.js';

export interface PublishDraft {
  drafts: DraftState;
  /** Of the draft; null where its text is no longer there. */
  files: DraftFiles | null;
  /** The tag of the draft that the operator saw. */
  seen: string;
  /** Who publishes: an actor. */
  by: string;
  /** Whether the operator may decide what is published, and not only draft it. */
  mayDecide: boolean;
}

/** Publishes the draft that the operator saw. Refuses one that others would have to look at first, or that is behind. */
export function publishDraft(
  { drafts, files, seen, by, mayDecide }: PublishDraft,
  state: CatalogueState,
  at: Instant,
): Decision<CatalogueEvent> {
  const draft = openDraft(drafts, state);
  if (!draft)
    return refusal(
      'state_conflict',
      'There is no draft to publish.',
      'Save one first with PUT …/catalogue/draft. One that was published or discarded is gone.',
    );
  if (seen !== draftTag(draft, state) || files === null) return changedMeanwhile(draft);
  const { owner, approval } = editingOf(state);
  if (owner === 'FILES')
    return refusal(
      'catalogue_owned_by_files',
      'The catalogue of this site and environment is edited in files.',
      'Take the files of the draft into your folder and apply it (assent catalogue draft show --out <folder>), or let an administrator make CONSOLE the owner: assent catalogue settings --owner console.',
    );
  const version = catalogueVersion(state);
  if (draft.base !== version)
    return refusal(
      'state_conflict',
      `The draft was made from version ${draft.base} of the catalogue; version ${version} is published.`,
      `Look at what was published since then (GET …/catalogue/versions/${version}/diff?from=${draft.base}), bring it into the draft where it belongs, and save the draft with "base": ${version}.`,
      [{ path: 'base', message: `is ${draft.base}, and version ${version} is published` }],
    );
  if (approval === 'FOUR_EYES' && !mayDecide)
    return refusal(
      'approval_missing',
      'Drafts of this catalogue need four eyes, and your role lets you write drafts, not approve them.',
      'Ask an operator with the role PRIVACY or ADMIN to publish it.',
    );
  if (approval === 'FOUR_EYES' && draft.editedBy === by)
    return refusal(
      'approval_missing',
      'Another operator has to publish this draft: you edited it last.',
      'Ask an operator with the role PRIVACY or ADMIN to look at it and publish it.',
    );
  const issues = issuesIn(files, state, at);
  if (issues.length > 0)
    return refusal(
      'validation_failed',
      'The draft is not finished.',
      'Mend the named entries and save the draft again; nothing was published.',
      issues,
    );
  const decided = applyCatalogue(filesOf(files as CatalogueFolderDto), state, at);
  if (isRefusal(decided)) return decided;
  if (decided.events.length === 0)
    return refusal(
      'state_conflict',
      'The draft says what is published already.',
      'Change it, or discard it with DELETE …/catalogue/draft.',
    );
  const { revision, filesHash, editedBy, editedAt } = draft;
  return happened(
    {
      type: 'CatalogueDraftPublished',
      data: { draft: revision, filesHash, editedBy, editedAt, approval, publishedAt: at },
    },
    ...decided.events,
  );
}
