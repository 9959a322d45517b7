import type { PolicyOverride } from '../../policy/index.js';

/** The rules of law that a site has made its own, as its operator wrote them. */
export interface PoliciesDefinition {
  policies: readonly PolicyOverride[];
}
