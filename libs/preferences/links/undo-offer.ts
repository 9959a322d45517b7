import type { PreferenceLinks, UndoClaim } from './links.js';
import type { UndoOffer } from '../pages/model.js';
import type { Undoable } from './undo-standing.js';

/** The button for what can be undone; null where nothing can. */
export const undoOffer = (
  links: PreferenceLinks,
  claim: Omit<UndoClaim, 'recordId'>,
  undoable: Undoable | null,
): UndoOffer | null =>
  undoable && { token: links.undo({ ...claim, recordId: undoable.recordId }), expiresAt: undoable.until };
