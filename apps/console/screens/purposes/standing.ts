import { may, session, type Place } from '../../session.js';
import type { Draft } from './catalogue.js';

/** Where a draft stands on its way to being published. */
export type Standing =
  | 'NONE'
  /** Something in it is missing or wrong. */
  | 'UNFINISHED'
  /** Others published since it was begun. */
  | 'BEHIND'
  /** It says what is published already. */
  | 'SAME'
  /** Files own the catalogue: it is to be copied into them. */
  | 'TO_COPY'
  /** This operator may publish it. */
  | 'READY'
  /** This operator may approve what another one edited last. */
  | 'YOURS_TO_APPROVE'
  /** Another operator has to approve it. */
  | 'WAITS';

export function standingOf(draft: Draft, place: Place): Standing {
  const { owner, approval } = draft.settings;
  if (draft.state === 'NONE') return 'NONE';
  if (draft.base !== draft.version) return 'BEHIND';
  if (draft.issues.length > 0) return 'UNFINISHED';
  if (draft.changes.every(({ action }) => action === 'NONE')) return 'SAME';
  if (owner === 'FILES') return 'TO_COPY';
  if (approval !== 'FOUR_EYES') return may('publishCatalogueDraft', place) ? 'READY' : 'WAITS';
  // Who may apply files may decide what is published; an editor may only draft it.
  const isOwn = draft.editedBy === `operator:${session.value?.operator.id}`;
  return may('applyCatalogue', place) && !isOwn ? 'YOURS_TO_APPROVE' : 'WAITS';
}

export const TONE_OF = {
  NONE: 'off',
  UNFINISHED: 'no',
  BEHIND: 'no',
  SAME: 'off',
  TO_COPY: 'info',
  READY: 'info',
  YOURS_TO_APPROVE: 'wait',
  WAITS: 'wait',
} as const satisfies Record<Standing, string>;
