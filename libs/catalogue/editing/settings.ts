import { happened, refusal, type Decision, type DomainEvent } from '../../kernel/index.js';

/** Where the catalogue is written: in files that are applied, or in drafts that are published. */
export const CATALOGUE_OWNERS = ['FILES', 'CONSOLE'] as const;
export type CatalogueOwner = (typeof CATALOGUE_OWNERS)[number];
/** FOUR_EYES: a draft is published by another operator than the last one who edited it. */
export const APPROVALS = ['NONE', 'FOUR_EYES'] as const;
export type Approval = (typeof APPROVALS)[number];

/**
 * Who writes the catalogue of a site and environment. It stands in the catalogue's own stream and not among the settings
 * of the site: a publication is decided on the same state, so none can slip through while the owner changes, and taking
 * over is one append with what is published.
 */
export interface CatalogueEditing {
  owner: CatalogueOwner;
  approval: Approval;
}

export type CatalogueEditingChanged = DomainEvent<'CatalogueEditingChanged', CatalogueEditing>;

/** Until an operator changes it. */
export const EDITED_IN_FILES: CatalogueEditing = { owner: 'FILES', approval: 'NONE' };

/** The state of a catalogue, as far as these decisions need it. */
interface Edited {
  editing?: CatalogueEditing;
}

export const editingOf = ({ editing = EDITED_IN_FILES }: Edited): CatalogueEditing => editing;

/** Changes the named settings. No event where they are so already. */
export function changeEditing(wanted: Partial<CatalogueEditing>, state: Edited): Decision<CatalogueEditingChanged> {
  const before = editingOf(state);
  const after = { ...before, ...wanted };
  return after.owner === before.owner && after.approval === before.approval
    ? happened()
    : happened({ type: 'CatalogueEditingChanged', data: after });
}

/**
 * Whether files may be applied. `takeOver` makes FILES the owner again, with an event; not where drafts need four eyes,
 * because applying files would be a way around them.
 */
export function letFilesWrite(state: Edited, takeOver: boolean): Decision<CatalogueEditingChanged> {
  const { owner, approval } = editingOf(state);
  if (owner === 'FILES') return happened();
  if (!takeOver)
    return refusal(
      'catalogue_owned_by_console',
      'The catalogue of this site and environment is edited in the console.',
      'Publish a draft. To edit in files again: bring what is published into your folder (assent catalogue export <folder> --force), then apply it with --take-over (`takeOver`).',
    );
  if (approval === 'FOUR_EYES')
    return refusal(
      'approval_missing',
      'Drafts of this catalogue need four eyes, and applying files would pass them by.',
      'An administrator makes FILES the owner first: assent catalogue settings --owner files.',
    );
  return changeEditing({ owner: 'FILES' }, state);
}
