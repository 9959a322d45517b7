import { hashOf } from '../kernel/index.js';
import { AFRICA } from './laws/africa.js';
import { ASIA_PACIFIC } from './laws/asia-pacific.js';
import { CANADA } from './laws/canada.js';
import { EUROPE } from './laws/europe.js';
import { LATIN_AMERICA } from './laws/latin-america.js';
import { MIDDLE_EAST } from './laws/middle-east.js';
import { UNITED_STATES } from './laws/united-states.js';
import { optIn, period, requests } from './acts.js';
import type { PolicyPlace, Rule } from './rule.js';

/** Every jurisdiction that the data know, by the part of the world. */
export const PLACES_BY_WORLD_REGION: Readonly<Record<string, readonly PolicyPlace[]>> = {
  Europe: EUROPE,
  'United States': UNITED_STATES,
  Canada: CANADA,
  'Latin America': LATIN_AMERICA,
  'Asia and the Pacific': ASIA_PACIFIC,
  'Middle East': MIDDLE_EAST,
  Africa: AFRICA,
};

/** By code. */
export const PLACES: ReadonlyMap<string, PolicyPlace> = new Map(
  Object.values(PLACES_BY_WORLD_REGION)
    .flat()
    .map((place) => [place.code, place]),
);

/**
 * The rule of places without a known one: opt-in, a signal that binds, the shortest life of a grant and the longest pause
 * after a refusal of all places, and the GDPR's period for requests without its extension.
 */
export const FALLBACK: Rule = optIn({
  regulations: [],
  gpc: 'BINDING',
  consentValidityDays: 180,
  refusalCooldownDays: 180,
  ageOfDigitalConsent: 16,
  doubleOptIn: 'REQUIRED',
  dataRequests: requests(period(1, 'MONTHS'), [
    'ACCESS',
    'RECTIFICATION',
    'ERASURE',
    'RESTRICTION',
    'PORTABILITY',
    'OBJECTION',
    'WITHDRAW_ALL',
    'OPT_OUT_SALE_SHARE',
    'OPT_OUT_TARGETED_ADS',
  ]),
  frameworks: ['TCF', 'GPP', 'GOOGLE'],
  gppSections: [2],
});

/** Every place with rules of its own, by its codes. */
export const placesKnown = (): { country: string; region: string | null }[] =>
  [...PLACES.keys()].sort().map((code) => ({ country: code.slice(0, 2), region: code.includes('-') ? code : null }));

let digest: string | undefined;

/** Digest of all data, eight characters: a release with other data has another one. Made at the first call. */
export const dataDigest = (): string => (digest ??= hashOf([...PLACES.values(), FALLBACK]).slice(-8));
