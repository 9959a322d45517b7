import { canonicalJson, type Instant } from '../kernel/index.js';
import { inForceAt, ruleAt, type Whereabouts } from './look-up.js';
import { overridden, overridesOf, type PolicyOverride } from './override.js';
import { PLACES } from './places.js';
import { timelineOf, type DatedRule } from './timeline.js';

/** A list of own rules that a site published. It holds from its moment on, until that of one that was published after it. */
export interface OwnRules {
  effectiveFrom: Instant;
  definition: { policies: readonly PolicyOverride[] };
}

/** The timelines of the places that were asked about, by the lists that they are made of, and forgotten with them. */
const made = new WeakMap<readonly OwnRules[], Map<string, readonly DatedRule[]>>();

/**
 * The rules of a place through all time as a site has them, the oldest first and without a gap. A new one begins where the
 * law changes, where another list of the site takes effect, and where an entry of a list begins; but only where another
 * rule, or another explanation of it, is the answer. `own`: every list, in the order of publication.
 */
export function siteTimeline(own: readonly OwnRules[], where: Whereabouts): readonly DatedRule[] {
  const place = knownPlace(own, where);
  if (!own.some(({ definition }) => overridesOf(definition.policies, place).length > 0))
    return timelineOf(where.country, where.region);
  let timelines = made.get(own);
  if (!timelines) made.set(own, (timelines = new Map<string, readonly DatedRule[]>()));
  const name = `${place.country ?? ''} ${place.region ?? ''}`;
  let timeline = timelines.get(name);
  if (!timeline) timelines.set(name, (timeline = make(own, place)));
  return timeline;
}

/** The rule that holds at a place and time as a site has it. */
export const siteRuleAt = (own: readonly OwnRules[], where: Whereabouts, at: Instant): DatedRule =>
  inForceAt(siteTimeline(own, where), at);

/** When another rule begins at a place as a site has it, in their order. */
export const siteRuleStarts = (own: readonly OwnRules[], where: Whereabouts): Instant[] =>
  siteTimeline(own, where).flatMap(({ from }) => from ?? []);

/** The place without a region that neither the law nor the site has rules for: callers may send any code. */
function knownPlace(own: readonly OwnRules[], { country, region }: Whereabouts): Whereabouts {
  if (region === null || PLACES.has(region)) return { country, region };
  const isNamed = own.some(({ definition }) => definition.policies.some((each) => each.region === region));
  return { country: country ?? region.slice(0, 2), region: isNamed ? region : null };
}

function make(own: readonly OwnRules[], place: Whereabouts): readonly DatedRule[] {
  const starts = [
    ...timelineOf(place.country, place.region).map(({ from }) => from ?? ALWAYS),
    ...own.flatMap(({ effectiveFrom, definition }) => [
      effectiveFrom,
      ...overridesOf(definition.policies, place).map((each) => each.effectiveFrom ?? ALWAYS),
    ]),
  ];
  const rules = [...new Set([ALWAYS, ...starts])].sort().map((start) => {
    const list = own.findLast(({ effectiveFrom }) => effectiveFrom <= start)?.definition.policies ?? [];
    return { start, dated: overridden(ruleAt(place, start), overridesOf(list, place), start) };
  });
  const different = rules.filter(({ dated }, i) => i === 0 || contentOf(dated) !== contentOf(rules[i - 1]!.dated));
  return different.map(({ start, dated }, i) => ({
    ...dated,
    from: start === ALWAYS ? null : start,
    to: different[i + 1]?.start ?? null,
  }));
}

/** Before every instant, as texts are compared. */
const ALWAYS = '';

const contentOf = ({ id, rule, overriddenBy = [] }: DatedRule): string => canonicalJson([id, rule, overriddenBy]);
