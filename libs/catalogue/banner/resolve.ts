import type { Instant } from '../../kernel/index.js';
import type { PolicyView } from '../../policy/index.js';
import { documentInForce, isRetired, versionInForce, type CatalogueState } from '../state.js';
import { purposeView, type PurposeView } from '../view.js';
import { purposesOfBanner } from './disclosed-purposes.js';
import { BANNER } from './document.js';
import { shownToPeople } from './shown-to-people.js';
import { bannerView, noBanner, type BannerView, type FrameworksOfSite } from './view.js';

/** The banner that is in force at a moment, for the policy of a place, in a language that it has. */
export function resolvedBanner(
  state: CatalogueState,
  policy: PolicyView,
  locale: string,
  at: Instant,
  site?: FrameworksOfSite,
): BannerView {
  const published = documentInForce(state, BANNER, at);
  if (!published) return noBanner(policy, site);
  const purposes = purposesOf(state, published.definition.purposeKeys, locale, at);
  return bannerView(published, policy, purposes, locale, shownToPeople(state, at).vendors, site);
}

/** Purposes in the form that people see, without retired and future ones. */
function purposesOf(state: CatalogueState, keys: readonly string[] | null, locale: string, at: Instant): PurposeView[] {
  return purposesOfBanner(state, keys, at).flatMap((purpose) => {
    const version = versionInForce(purpose, at);
    return version && !isRetired(purpose, at) ? [purposeView(purpose, version, [locale], at)] : [];
  });
}
