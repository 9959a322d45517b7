import type { Instant } from '../../kernel/index.js';
import type { ShownBrand } from '../../pages/brand.js';
import type { ConfirmationText } from '../events.js';

/** The button that takes back what a link did. */
export interface UndoOffer {
  token: string;
  expiresAt: Instant;
}

/** Topics of a link as people know them: those that are sent now, and those that are not. */
export interface StandingTopics {
  gets: readonly string[];
  getsNot: readonly string[];
}

/**
 * What stands behind a link that confirms. `confirmed`: by a click within the last 24 hours; `changed`: and something else
 * was chosen since; `undone`: and taken back; `ended`: taken back before anybody clicked.
 */
export interface ConfirmPageModel {
  state: 'open' | 'confirmed' | 'changed' | 'undone' | 'expired' | 'ended' | 'invalid';
  /** As it was stored when the link was made; null where the link is not valid. */
  text: ConfirmationText | null;
  token: string;
  /** Where the person goes on to; checked against the site's domains as they are now, null where it may not be used. */
  redirectUrl: string | null;
  /** Null where the link is not valid. */
  brand: ShownBrand | null;
  undo: UndoOffer | null;
  /** Null where the link is not valid. */
  standing: StandingTopics | null;
}

/** What stands behind a link that unsubscribes. */
export interface UnsubscribePageModel {
  state: 'open' | 'done' | 'invalid';
  /** See unsubscribeText; null where the link is not valid. */
  text: ConfirmationText | null;
  token: string;
  /** Null where the link is not valid. */
  brand: ShownBrand | null;
  undo: UndoOffer | null;
}
