import type { PurposeStanding, Standing } from '../standing/standing.js';

/** Purposes that must not be based on legitimate interest (policies of TCF since 2.2). */
export const CONSENT_ONLY: readonly number[] = [1, 3, 4, 5, 6];

/** Room of a TC string for ids of purposes, of special features, and of the site's own purposes. */
export const PURPOSES_MAX = 24;
export const SPECIAL_FEATURES_MAX = 12;
export const OWN_PURPOSES_MAX = 63;

/** A grant that stands and that nothing blocks. Only this is ever written as consent. */
export const isGranted = ({ state, effective }: PurposeStanding): boolean =>
  state === 'GRANTED' && effective === 'ALLOWED';

/** Whether the person was informed of a legitimate interest and did not object. */
export const isUnopposed = ({ state, effective }: PurposeStanding): boolean =>
  (state === 'GRANTED' || state === 'ACKNOWLEDGED') && effective === 'ALLOWED';

/** False for an empty list. */
const areAll = (purposes: readonly PurposeStanding[], is: (purpose: PurposeStanding) => boolean): boolean =>
  purposes.length > 0 && purposes.every(is);

/** The purposes that a TC string states, by their ids. */
export interface PurposeBits {
  /** Of IAB TCF. */
  consents: readonly number[];
  legitimateInterests: readonly number[];
  specialFeatures: readonly number[];
  /** The site's own, by their places, from 1. */
  ownConsents: readonly number[];
  ownLegitimateInterests: readonly number[];
  /** Number of the site's own purposes. */
  own: number;
}

/** An id is written only if every purpose that is mapped to it allows it. */
export function purposeBits({ purposes, ownPurposes }: Standing): PurposeBits {
  const byConsent = purposes.filter(({ legalBasis }) => legalBasis === 'CONSENT');
  const byInterest = purposes.filter(({ legalBasis }) => legalBasis === 'LEGITIMATE_INTERESTS');
  const mapped = (of: readonly PurposeStanding[], id: number) =>
    of.filter(({ frameworks }) => frameworks.tcf.purposes.includes(id));
  const own = ownPurposes.slice(0, OWN_PURPOSES_MAX);
  const named = (of: readonly PurposeStanding[], place: number) => of.filter(({ key }) => key === own[place - 1]);
  return {
    consents: idsTo(PURPOSES_MAX, (id) => areAll(mapped(byConsent, id), isGranted)),
    legitimateInterests: idsTo(
      PURPOSES_MAX,
      (id) => !CONSENT_ONLY.includes(id) && areAll(mapped(byInterest, id), isUnopposed),
    ),
    specialFeatures: idsTo(SPECIAL_FEATURES_MAX, (id) =>
      areAll(
        purposes.filter(({ frameworks }) => frameworks.tcf.specialFeatures.includes(id)),
        isGranted,
      ),
    ),
    ownConsents: idsTo(own.length, (place) => areAll(named(byConsent, place), isGranted)),
    ownLegitimateInterests: idsTo(own.length, (place) => areAll(named(byInterest, place), isUnopposed)),
    own: own.length,
  };
}

function idsTo(last: number, isSet: (id: number) => boolean): number[] {
  const ids: number[] = [];
  for (let id = 1; id <= last; id++) if (isSet(id)) ids.push(id);
  return ids;
}
