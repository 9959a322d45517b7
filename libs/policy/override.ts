import type { Instant, PurposeCategory } from '../kernel/index.js';
import type { Whereabouts } from './look-up.js';
import type { GpcStanding, OverriddenBy, PolicyModel, Rule, RuleField } from './rule.js';
import type { DatedRule } from './timeline.js';

/** Changes of a site to a rule. An absent field stays as the law says; null removes a limit. */
export interface RuleChanges extends Partial<Record<RuleField, unknown>> {
  model?: PolicyModel;
  /** What holds until the person chooses. NECESSARY is no choice and cannot be changed. */
  categories?: Partial<Record<Exclude<PurposeCategory, 'NECESSARY'>, 'GRANTED' | 'DENIED'>>;
  bannerRequired?: boolean;
  rejectRequired?: boolean;
  consentValidityDays?: number | null;
  refusalCooldownDays?: number | null;
  signals?: { gpc: GpcStanding };
  doubleOptIn?: Rule['doubleOptIn'];
  ageOfDigitalConsent?: number | null;
}

/** A site's own rule for a place: tighter than the law, or looser, for which `who` answers. */
export interface PolicyOverride {
  /** ISO 3166-1 alpha-2. Holds in every region of the country, also in those that have a rule of their own. */
  country: string;
  /** ISO 3166-2. Holds there only, and is stronger than an override of the country. */
  region?: string;
  changes: RuleChanges;
  /** Who decided it. */
  who: string;
  why: string;
  /** Absent: always. It ends where a later override of the same place changes the same field. */
  effectiveFrom?: Instant;
}

/** The overrides that are about a place: those of its country, and of the region itself. */
export function overridesOf(overrides: readonly PolicyOverride[], { country, region }: Whereabouts): PolicyOverride[] {
  const inCountry = country ?? region?.slice(0, 2);
  return overrides.filter(
    (each) => each.country === inCountry && (each.region === undefined || each.region === region),
  );
}

/**
 * A rule with those overrides of its place that are in force at a moment. The region is stronger than the country, the
 * later than the earlier, and of two of the same moment the one that stands later in the list. Without one it is the rule
 * itself.
 */
export function overridden(dated: DatedRule, ofPlace: readonly PolicyOverride[], at: Instant): DatedRule {
  const inForce = ofPlace.filter(({ effectiveFrom = '' }) => effectiveFrom <= at).sort(byStrength);
  if (inForce.length === 0) return dated;
  return {
    ...dated,
    rule: inForce.reduce((rule, { changes }) => changed(rule, changes), dated.rule),
    overriddenBy: inForce.map(shown),
  };
}

/** The weakest first: each one is applied over those before it. Sorting keeps the order of the list where two are equal. */
function byStrength(a: PolicyOverride, b: PolicyOverride): number {
  const ofRegion = Number(a.region !== undefined) - Number(b.region !== undefined);
  if (ofRegion !== 0) return ofRegion;
  const [fromA, fromB] = [a.effectiveFrom ?? '', b.effectiveFrom ?? ''];
  return fromA < fromB ? -1 : Number(fromA > fromB);
}

/** A change of model drops the law's exceptions from its own model: GB's free statistics are an exception to OPT_IN. */
function changed(rule: Rule, { categories, signals, ...rest }: RuleChanges): Rule {
  const hasOtherModel = rest.model !== undefined && rest.model !== rule.model;
  return {
    ...rule,
    ...rest,
    defaults: { ...(hasOtherModel ? {} : rule.defaults), ...categories },
    gpc: signals?.gpc ?? rule.gpc,
  };
}

const shown = ({ country, region, changes, who, why, effectiveFrom }: PolicyOverride): OverriddenBy => ({
  place: region ?? country,
  fields: (Object.keys(changes) as RuleField[]).sort(),
  who,
  why,
  effectiveFrom: effectiveFrom ?? null,
});
