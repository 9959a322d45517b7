import type { OwnRules } from '../../policy/index.js';
import type { CatalogueState } from '../state.js';

const NONE: readonly OwnRules[] = [];

/**
 * Every version of `policies.yaml`, in the order of publication. Returns the same list until a new version is
 * published.
 */
export const ownRulesOf = ({ documents }: CatalogueState): readonly OwnRules[] => documents.policies ?? NONE;
