import type { Connection } from './sending/connection.js';
import { getConsentMode } from './frameworks.js';
import { watch } from './watching.js';

/** Google’s function that takes commands for its tags. */
export type Gtag = (command: 'consent', action: 'default' | 'update', standing: object) => void;

/** The standing of each type of storage and use until the visitor chooses. */
const DENIED = {
  ad_storage: 'denied',
  analytics_storage: 'denied',
  ad_user_data: 'denied',
  ad_personalization: 'denied',
  functionality_storage: 'denied',
  personalization_storage: 'denied',
  security_storage: 'denied',
};
/** How long tags wait for the answer of the service, in ms. */
const WAIT_FOR_UPDATE_MS = 500;

/**
 * Keeps Google’s consent mode as the subject wants it. The default, all denied, goes out before this function returns,
 * so call it before the script of any tag; the subject's choices follow, and again after each `notifyConsentChanged`.
 * `standing`: another default, such as `google.default` of the banner. Resolves after the first update with a function
 * that ends it. Rejects if the service does not answer: then the default holds until the next change.
 */
export async function applyConsentMode(
  connection: Connection,
  subject: string,
  gtag: Gtag,
  standing: object = DENIED,
): Promise<() => void> {
  gtag('consent', 'default', { ...standing, wait_for_update: WAIT_FOR_UPDATE_MS });
  const update = async (fresh: boolean): Promise<void> =>
    gtag('consent', 'update', (await getConsentMode(connection, subject, { fresh })).update);
  const stop = watch(connection, (fresh) => update(fresh).catch(console.error));
  await update(false);
  return stop;
}
