import { epochMs, type Instant } from '../kernel/index.js';
import { PLACES } from './places.js';
import { timelineOf, type DatedRule } from './timeline.js';

/** A place; null: not known. A region belongs to its country. */
export interface Whereabouts {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** ISO 3166-2. */
  region: string | null;
}

/** The rule that holds at a place and time: that of the region, else of the country, else the strictest. */
export const ruleAt = ({ country, region }: Whereabouts, at: Instant): DatedRule =>
  inForceAt(timelineOf(country, region), at);

/** The rule of a timeline that holds at a moment. */
export function inForceAt(timeline: readonly DatedRule[], at: Instant): DatedRule {
  let i = timeline.length - 1;
  // From the newest, which callers ask for most.
  while (i > 0 && timeline[i]!.from! > at) i--;
  return timeline[i]!;
}

/** When another rule begins at a place, in their order. */
export const ruleStarts = ({ country, region }: Whereabouts): Instant[] =>
  timelineOf(country, region).flatMap(({ from }) => from ?? []);

let everywhere: readonly Instant[] | undefined;

/** When another rule begins anywhere, in their order. Made at the first call: zones are costly. */
export const allRuleStarts = (): readonly Instant[] =>
  (everywhere ??= [
    ...new Set([...PLACES.values()].flatMap(({ code }) => timelineOf(code, null).flatMap(({ from }) => from ?? []))),
  ].sort());

/** Tells apart the rules that hold as long as a site publishes nothing, with the country that was asked about. */
export const nameOfRule = ({ place, from, to, overriddenBy = [] }: DatedRule, country: string | null): string =>
  [country ?? '', place?.code ?? '', from ?? '', to ?? '', ...overriddenBy.map((each) => each.place)].join(' ');

/** How long an answer may be kept where its rule goes on, in seconds. */
const KEPT_S = 300;

/** How long an answer that a rule is part of may be kept from a moment on, in whole seconds: not beyond its last day. */
export const secondsKept = ({ to }: Pick<DatedRule, 'to'>, at: Instant): number =>
  to === null ? KEPT_S : Math.min(KEPT_S, Math.floor((epochMs(to) - epochMs(at)) / 1000));
