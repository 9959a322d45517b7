import { ownRulesOf, type Catalogue } from '../catalogue/index.js';
import type { SiteRules } from '../policy/index.js';

/** What sites have made of the law stands in their catalogues, of which the law knows nothing. */
export const siteRules = (catalogue: Catalogue): SiteRules => ({
  of: (scope) => ownRulesOf(catalogue.of(scope)),
  reached: (position, ms) => catalogue.reached(position, ms),
});
