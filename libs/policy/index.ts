export { gpcBinds } from './look-up.js';
export { overridden, type PolicyOverride, type RuleChanges } from './override.js';
export { RULE_FIELDS, type OverriddenBy, type RuleField } from './rule.js';
