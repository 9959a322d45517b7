import type { PageOfInterfaces } from './following.js';

/** Loads what the page switched on, each by itself. */
export function offer(page: PageOfInterfaces): void {
  const { offers } = page.settings;
  const failed = (error: unknown): void => page.problem(error);
  if (offers.includes('consentMode'))
    import('./consent-mode.js').then(({ offerConsentMode }) => offerConsentMode(page), failed);
  if (offers.includes('gpp')) import('./gpp.js').then(({ offerGpp }) => offerGpp(page), failed);
  if (offers.includes('tcf')) import('./tcf.js').then(({ offerTcf }) => offerTcf(page), failed);
}
