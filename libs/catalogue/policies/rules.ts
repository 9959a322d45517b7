import type { Instant } from '../../kernel/index.js';
import type { PolicyOverride } from '../../policy/index.js';
import { documentInForce, type CatalogueState } from '../state.js';
import { POLICIES } from './document.js';

const NONE: readonly PolicyOverride[] = [];

/** The rules that a site has made its own, by the version of `policies.yaml` that is in force. The same list as long as it is. */
export const policyOverridesOf = (state: CatalogueState, at: Instant): readonly PolicyOverride[] =>
  documentInForce(state, POLICIES, at)?.definition.policies ?? NONE;
