export { AS_OF as POLICY_AS_OF } from './acts.js';
export { dueAt, type BusinessCalendar, type Pause } from './due-date.js';
export { allRuleStarts, nameOfRule, ruleAt, ruleStarts, secondsKept, type Whereabouts } from './look-up.js';
export type { PolicyOverride, RuleChanges } from './override.js';
export {
  EFFECTIVE,
  EFFECTIVE_REASONS,
  permissionFor,
  silenceOn,
  type Effective,
  type EffectiveReason,
  type Permission,
  type Stand,
} from './permission.js';
export { dataDigest, placesKnown } from './places.js';
export { policyRefusals } from './refusals.js';
export { refusalDemandedBy, type RefusalDemand } from './refusal-demands.js';
export {
  DOUBLE_OPT_IN,
  GPC_STANDINGS,
  PERIOD_UNITS,
  POLICY_MODELS,
  RULE_FIELDS,
  type OverriddenBy,
  type Period,
  type PeriodUnit,
  type RequestPeriods,
  type Rule,
  type RuleField,
} from './rule.js';
export { SITE_RULES, type SiteRules } from './site-rules.js';
export { siteRuleAt, siteRuleStarts, type OwnRules } from './site-timeline.js';
export { type DatedRule } from './timeline.js';
export { policyView, silenceUnder, type PolicyView, type Silence } from './view.js';
export { weekendOf } from './weekends.js';
