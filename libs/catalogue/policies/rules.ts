import type { OwnRules } from '../../policy/index.js';
import type { CatalogueState } from '../state.js';

const NONE: readonly OwnRules[] = [];

/** Every version of `policies.yaml`, in the order of publication: the same list as long as nothing is published. */
export const ownRulesOf = ({ documents }: CatalogueState): readonly OwnRules[] => documents.policies ?? NONE;
