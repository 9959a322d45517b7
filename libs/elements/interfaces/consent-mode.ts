import type { ConsentMode } from '../../client/types.js';
import { dataLayer, DENIED, gtag } from './data-layer.js';
import { follow, said, type PageOfInterfaces } from './following.js';

/**
 * Google’s consent mode, as the service says it of the place and the visitor: an update before the first event and after
 * each choice. The events `assent_ready` and `assent_choice` come behind the update, so that tags which wait for them
 * find it done.
 */
export function offerConsentMode(page: PageOfInterfaces): void {
  let last = '';
  let isReady = false;
  const update = (types: object): void => {
    const text = JSON.stringify(types);
    if (text !== last) gtag('consent', 'update', types);
    last = text;
  };
  const happened = (event: string, more: object): void => void dataLayer().push({ event, ...more });
  // A no holds at once; what is left is in the answer of the service.
  page.allowed.onChange((refused) => {
    if (refused.length > 0) update(DENIED);
  });
  follow(
    page,
    () => said<ConsentMode>(page, 'google-consent-mode'),
    ({ update: types }, chosen) => {
      update({ ...types });
      if (!isReady) happened('assent_ready', { assent_consent: types });
      isReady = true;
      if (chosen)
        happened('assent_choice', {
          assent_method: chosen.method,
          assent_decisions: chosen.decisions,
          assent_consent: types,
        });
    },
  );
}
