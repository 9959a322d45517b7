import { hashOf, PURPOSE_CATEGORIES, type Instant, type PurposeCategory } from '../kernel/index.js';
import { AS_OF } from './acts.js';
import type { Doubt, GpcStanding, OverriddenBy, PolicyModel, Regulation, RequestPeriods, Rule } from './rule.js';
import { isRegion, type DatedRule, type MatchedBy } from './timeline.js';

export interface CategoryPolicy {
  category: PurposeCategory;
  /** What holds until the person chooses. */
  default: 'GRANTED' | 'DENIED';
  /** Whether it is no choice at all. */
  locked: boolean;
}

export interface PolicyView {
  id: string;
  object: 'policy';
  country: string | null;
  region: string | null;
  regulation: string | null;
  regulations: readonly Regulation[];
  model: PolicyModel;
  bannerRequired: boolean;
  rejectRequired: boolean;
  categories: readonly CategoryPolicy[];
  signals: { gpc: GpcStanding };
  consentValidityDays: number | null;
  refusalCooldownDays: number | null;
  ageOfDigitalConsent: number | null;
  doubleOptIn: Rule['doubleOptIn'];
  dataRequests: RequestPeriods;
  frameworks: Rule['frameworks'];
  gppSections: readonly number[];
  matchedBy: MatchedBy;
  effectiveFrom: Instant | null;
  effectiveTo: Instant | null;
  /** Hash of the demands: the same for all places and times with the same demands. */
  fingerprint: string;
  /** What the site changed, the weakest first. */
  overriddenBy: readonly OverriddenBy[];
  asOf: string;
  review: boolean;
  doubts: readonly Doubt[];
  notLegalAdvice: true;
}

/** What holds until the person chooses. */
export type Silence = CategoryPolicy['default'];

const silences = new WeakMap<Rule, Readonly<Record<PurposeCategory, Silence>>>();

/** What silence means under a rule, by category. Made once for each rule. */
export function silenceUnder(rule: Rule): Readonly<Record<PurposeCategory, Silence>> {
  let silence = silences.get(rule);
  if (!silence) {
    const entries = categoriesOf(rule).map((each) => [each.category, each.default] as const);
    silences.set(rule, (silence = Object.fromEntries(entries) as Record<PurposeCategory, Silence>));
  }
  return silence;
}

export function categoriesOf({ model, defaults }: Rule): CategoryPolicy[] {
  return PURPOSE_CATEGORIES.map((category) => {
    if (category === 'NECESSARY') return { category, default: 'GRANTED', locked: true };
    const bySilence = model === 'OPT_IN' || category === 'SENSITIVE' ? 'DENIED' : 'GRANTED';
    return { category, default: defaults[category] ?? bySilence, locked: false };
  });
}

/** The demands of a rule as an answer shows them. `country`: the one that the caller named, also without an own rule. */
export function policyView(
  { id, rule, place, matchedBy, from, to, overriddenBy = [] }: DatedRule,
  country: string | null,
): PolicyView {
  const demands = {
    regulation: rule.regulations[0]?.key ?? null,
    regulations: rule.regulations,
    model: rule.model,
    // Under OPT_IN people see a banner before anything happens, and can refuse as easily as agree.
    bannerRequired: rule.bannerRequired ?? rule.model === 'OPT_IN',
    rejectRequired: rule.rejectRequired ?? rule.model === 'OPT_IN',
    categories: categoriesOf(rule),
    signals: { gpc: rule.gpc },
    consentValidityDays: rule.consentValidityDays,
    refusalCooldownDays: rule.refusalCooldownDays,
    ageOfDigitalConsent: rule.ageOfDigitalConsent,
    doubleOptIn: rule.doubleOptIn,
    dataRequests: rule.dataRequests,
    frameworks: rule.frameworks,
    gppSections: rule.gppSections,
  };
  return {
    id,
    object: 'policy',
    country: country ?? place?.code.slice(0, 2) ?? null,
    region: place !== null && isRegion(place) ? place.code : null,
    ...demands,
    matchedBy,
    effectiveFrom: from,
    effectiveTo: to,
    fingerprint: hashOf(demands),
    overriddenBy,
    asOf: AS_OF,
    review: rule.doubts.length > 0,
    doubts: rule.doubts,
    notLegalAdvice: true,
  };
}
