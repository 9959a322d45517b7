export { AS_OF as POLICY_AS_OF } from './acts.js';
export { allRuleStarts, ruleAt, ruleStarts, type Whereabouts } from './look-up.js';
export { overridden, type PolicyOverride, type RuleChanges } from './override.js';
export { dataDigest } from './places.js';
export { policyRefusals } from './refusals.js';
export { RULE_FIELDS, type OverriddenBy, type Rule, type RuleField } from './rule.js';
export { type DatedRule } from './timeline.js';
export { silenceUnder, type Silence } from './view.js';
