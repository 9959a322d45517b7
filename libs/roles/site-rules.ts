import { policyOverridesOf, type Catalogue } from '../catalogue/index.js';
import type { SiteRules } from '../policy/index.js';

/** What sites have made of the law stands in their catalogues, of which the law knows nothing. */
export const siteRules = (catalogue: Catalogue): SiteRules => ({
  of: (scope, at) => policyOverridesOf(catalogue.of(scope), at),
  reached: (position, ms) => catalogue.reached(position, ms),
});
