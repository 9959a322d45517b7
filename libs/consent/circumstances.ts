import { assignedCode, type Instant, type PurposeCategory } from '../kernel/index.js';
import { ruleAt, ruleStarts, silenceUnder, type DatedRule, type Silence, type Whereabouts } from '../policy/index.js';
import { expiryInstants, type ConsentDecisions, type KnownPlace } from './purposes.js';

/** How the place is known, the strongest first. */
export type PlacedBy = 'REQUEST' | 'PROXY' | 'RECORD' | 'NOTHING';

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

/** The place decides: of the request, else of the subject's newest record that names one, else the strictest rule. */
export function circumstancesOf(at: Instant, asked: Asked, { place }: ConsentDecisions): Circumstances {
  const where = asked.place ?? (place ? whereaboutsOf(place) : NOWHERE);
  const dated = ruleAt(where, at);
  return {
    at,
    gpcOnRequest: asked.gpcOnRequest,
    dated,
    placedBy: asked.place?.by ?? (place ? 'RECORD' : 'NOTHING'),
    silence: silenceUnder(dated.rule),
  };
}

/** Records may name codes that are none: `UK` is read as `GB`, and of `EU` nothing is known but that the strictest holds. */
export function whereaboutsOf({ country, region }: Pick<KnownPlace, 'country' | 'region'>): Whereabouts {
  const assigned = assignedCode(country);
  return { country: assigned, region: assigned === null ? null : (region ?? null) };
}

/** The moments at which the clock alone changes the answer: grants end, and rules begin where the subject was last known to be. */
export function turningPointsOf(state: ConsentDecisions): Instant[] {
  const ends = expiryInstants(state);
  return state.place ? [...ends, ...ruleStarts(whereaboutsOf(state.place))].sort() : ends;
}
