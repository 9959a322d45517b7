import type { ConfirmationText } from '../events.js';

/** What stands behind a link that confirms. `confirmed`: by a click within the last 24 hours. */
export interface ConfirmPageModel {
  state: 'open' | 'confirmed' | 'expired' | 'invalid';
  /** As it was stored when the link was made; null where the link is not valid. */
  text: ConfirmationText | null;
  token: string;
  /** Where the person goes on to; checked against the site's domains as they are now, null where it may not be used. */
  redirectUrl: string | null;
}

/** What stands behind a link that unsubscribes. */
export interface UnsubscribePageModel {
  state: 'open' | 'done' | 'invalid';
  /** See unsubscribeText; null where the link is not valid. */
  text: ConfirmationText | null;
  token: string;
}
