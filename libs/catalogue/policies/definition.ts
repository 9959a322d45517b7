import type { PolicyOverride } from '../../policy/index.js';

/** The site's own legal rules, as its operator wrote them. */
export interface PoliciesDefinition {
  policies: readonly PolicyOverride[];
}
