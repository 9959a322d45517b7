import {
  countryOf,
  isForgotten,
  openSealed,
  regionOf,
  type FieldCipher,
  type Instant,
  type PurposeCategory,
} from '../kernel/index.js';
import {
  allRuleStarts,
  ruleStarts,
  silenceUnder,
  siteRuleAt,
  type DatedRule,
  type OwnRules,
  type Silence,
  type Whereabouts,
} from '../policy/index.js';
import { expiryInstants, type ConsentDecisions, type KnownPlace } from './purposes.js';
import type { ConsentState } from './state.js';
import { vendorEnds } from './vendors.js';

/** How the place is known, the strongest first. */
export type PlacedBy = 'REQUEST' | 'PROXY' | 'RECORD' | 'SUBJECT' | 'NOTHING';

/** Where and with which signal the question is asked. */
export interface Asked {
  /** The place that the query names, else the one that the proxy in front names; null where neither does. */
  place: (Whereabouts & { by: 'REQUEST' | 'PROXY' }) | null;
  /** The signal on this very request, which is applied without being recorded. */
  gpcOnRequest: boolean;
}

/** All that an answer is made of and that is not in the log. */
export interface Circumstances {
  at: Instant;
  gpcOnRequest: boolean;
  dated: DatedRule;
  placedBy: PlacedBy;
  /** What silence means under the rule, for each category. */
  silence: Readonly<Record<PurposeCategory, Silence>>;
}

const NOWHERE: Whereabouts = { country: null, region: null };

/**
 * The place decides: of the request, else of the subject's newest record that names one, else the subject's own country,
 * else the strictest rule; what the site has made of it holds instead. `ownCountry`: in clear, as `openedCountry` answers it
 * where it is needed.
 */
export function circumstancesOf(
  at: Instant,
  asked: Asked,
  { place }: ConsentDecisions,
  ownCountry: string | null = null,
  ownRules: readonly OwnRules[] = [],
): Circumstances {
  const where = asked.place ?? lastKnownPlace({ place }, ownCountry);
  const dated = siteRuleAt(ownRules, where, at);
  return {
    at,
    gpcOnRequest: asked.gpcOnRequest,
    dated,
    placedBy: asked.place?.by ?? (place ? 'RECORD' : ownCountry ? 'SUBJECT' : 'NOTHING'),
    silence: silenceUnder(dated.rule),
  };
}

/** Where a subject was last known to be: by the newest record that names a place, else by the subject's own country. */
export function lastKnownPlace({ place }: Pick<ConsentDecisions, 'place'>, ownCountry: string | null): Whereabouts {
  if (place) return whereaboutsOf(place);
  return ownCountry === null ? NOWHERE : whereaboutsOf({ country: ownCountry });
}

/** Whether the subject's own country decides, which is personal and therefore opened only then. */
export const needsOwnCountry = ({ place, ownCountry }: ConsentState, asked?: Asked): boolean =>
  !asked?.place && !place && ownCountry !== undefined;

/** The subject's own country in clear; null where it is not known, or its key is gone. */
export function openedCountry({ ownCountry }: ConsentState, cipher: FieldCipher): string | null {
  const opened = openSealed(ownCountry, () => cipher);
  return isForgotten(opened) ? null : ((opened as string | null | undefined) ?? null);
}

/** Older records name codes that are none: `UK` is read as `GB`, and of `EU` nothing is known but that the strictest holds. */
export function whereaboutsOf({ country, region }: Pick<KnownPlace, 'country' | 'region'>): Whereabouts {
  const known = countryOf(country);
  return { country: known, region: known === null || region === undefined ? null : regionOf(region) };
}

/** The place of a record for those who count and list: by the codes that are known here, else as it was recorded. */
export const announcedPlace = (recorded: Pick<KnownPlace, 'country' | 'region'> | undefined) => ({
  country: recorded ? (countryOf(recorded.country) ?? recorded.country) : null,
  region: recorded?.region === undefined ? null : (regionOf(recorded.region) ?? recorded.region),
});

/**
 * The moments at which the clock alone changes the answer: grants end, also those to vendors, and rules of law begin where
 * the subject was last known to be. A sealed country may be any country, so then rules that begin anywhere count. The
 * catalogue says when rules of the site begin.
 */
export function turningPointsOf(state: ConsentState): Instant[] {
  const ends = [...expiryInstants(state), ...vendorEnds(state.vendors)].sort();
  if (state.place) return [...ends, ...ruleStarts(whereaboutsOf(state.place))].sort();
  return needsOwnCountry(state) ? [...ends, ...allRuleStarts()].sort() : ends;
}
