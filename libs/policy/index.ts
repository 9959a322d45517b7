export { AS_OF as POLICY_AS_OF } from './acts.js';
export { allRuleStarts, ruleAt, ruleStarts, secondsKept, type Whereabouts } from './look-up.js';
export { overridden, type PolicyOverride, type RuleChanges } from './override.js';
export { dataDigest } from './places.js';
export { policyRefusals } from './refusals.js';
export { refusalDemandedBy, type RefusalDemand } from './refusal-demands.js';
export { RULE_FIELDS, type OverriddenBy, type Rule, type RuleField } from './rule.js';
export { type DatedRule } from './timeline.js';
export { policyView, silenceUnder, type PolicyView, type Silence } from './view.js';
