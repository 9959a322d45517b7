import type { Instant } from '../kernel/index.js';
import { startOfDay } from './local-date.js';
import { FALLBACK, PLACES } from './places.js';
import type { OverriddenBy, PolicyPlace, Rule } from './rule.js';

export const MATCHED_BY = ['REGION', 'COUNTRY', 'FALLBACK'] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];

/** A rule with the time in which it holds: `from` inclusive, `to` exclusive; null: no such end. */
export interface DatedRule {
  /** `US-CA.2023-01-01`: the place and the first day, `always` where that is not known, or `fallback`. */
  id: string;
  rule: Rule;
  /** Null for the fallback. */
  place: PolicyPlace | null;
  matchedBy: MatchedBy;
  from: Instant | null;
  to: Instant | null;
  /** What the site changed in it, the weakest first; absent where it is the law's own. */
  overriddenBy?: readonly OverriddenBy[];
}

const ALWAYS_FALLBACK: readonly DatedRule[] = [
  { id: 'fallback', rule: FALLBACK, place: null, matchedBy: 'FALLBACK', from: null, to: null },
];

const timelines = new Map<string, readonly DatedRule[]>();

/**
 * The rules of a place through all time, the oldest first and without a gap. Before its first own rule a region has those
 * of its country, and a country the fallback. An unknown country has only the fallback. Made at the first call: zones are
 * costly.
 */
export function timelineOf(country: string | null, region: string | null): readonly DatedRule[] {
  const place = placeOf(country, region);
  if (place === null) return ALWAYS_FALLBACK;
  let timeline = timelines.get(place.code);
  if (!timeline) timelines.set(place.code, (timeline = make(place)));
  return timeline;
}

/** The place of a country or region; null for a region of another country. */
function placeOf(country: string | null, region: string | null): PolicyPlace | null {
  const isInside = region !== null && (country === null || region.startsWith(`${country}-`));
  const own = isInside ? PLACES.get(region) : undefined;
  return own ?? PLACES.get(country ?? region?.slice(0, 2) ?? '') ?? null;
}

export const isRegion = ({ code }: PolicyPlace): boolean => code.includes('-');

function make(place: PolicyPlace): readonly DatedRule[] {
  const starts = place.rules.map(({ from }) => (from === null ? null : startOfDay(from, place.zone)));
  const own = place.rules.map((rule, i) => ({
    id: `${place.code}.${rule.from ?? 'always'}`,
    rule,
    place,
    matchedBy: isRegion(place) ? ('REGION' as const) : ('COUNTRY' as const),
    from: starts[i]!,
    to: starts[i + 1] ?? null,
  }));
  const [first] = starts;
  if (first === null || first === undefined) return own;
  const before = isRegion(place) ? timelineOf(place.code.slice(0, 2), null) : ALWAYS_FALLBACK;
  return [...endedAt(before, first), ...own];
}

/** The part of a timeline before a moment. */
const endedAt = (timeline: readonly DatedRule[], end: Instant): DatedRule[] =>
  timeline
    .filter(({ from }) => from === null || from < end)
    .map((dated) => (dated.to === null || dated.to > end ? { ...dated, to: end } : dated));
