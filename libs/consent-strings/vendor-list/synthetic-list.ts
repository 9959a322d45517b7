import type { GlobalVendorList, GvlText, GvlVendor } from './gvl.js';
import { SYNTHETIC_TEXTS } from './synthetic-texts.js';

/** Declarations of a vendor of the synthetic list; those left out it does not make. */
type Declared = Partial<
  Pick<
    GvlVendor,
    | 'purposes'
    | 'legIntPurposes'
    | 'flexiblePurposes'
    | 'specialPurposes'
    | 'features'
    | 'specialFeatures'
    | 'deletedDate'
  >
>;

/**
 * An invented vendor list in the form of a list of IAB Europe: its vendors do not exist, and all texts are our own. It
 * is in use if no list is configured, so that strings can be tried. A list with `synthetic` is this one. A released
 * version never changes: to change anything here, raise `vendorListVersion` and keep the version before in
 * `SYNTHETIC_LISTS`.
 */
const FIRST: GlobalVendorList & { synthetic: true } = {
  synthetic: true,
  gvlSpecificationVersion: 3,
  vendorListVersion: 1,
  tcfPolicyVersion: 5,
  lastUpdated: '2026-11-19T16:00:00Z',
  ...SYNTHETIC_TEXTS,
  vendors: byId([
    vendor(8, 'Consent Only', { purposes: [1, 3, 4], features: [1], specialFeatures: [1] }),
    vendor(28, 'Legitimate Interest Only', { legIntPurposes: [2, 7, 8, 9, 10, 11], features: [2] }),
    vendor(42, 'Special Purposes Only', { specialPurposes: [1, 2, 3] }),
    vendor(77, 'Every Purpose', {
      purposes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      specialPurposes: [1, 2, 3],
      features: [1, 2, 3],
      specialFeatures: [1, 2],
    }),
    vendor(131, 'Flexible Consent', { purposes: [1, 2, 7, 9, 10], flexiblePurposes: [2, 7, 9, 10] }),
    vendor(202, 'Flexible Interest', {
      purposes: [1],
      legIntPurposes: [2, 7, 8, 10],
      flexiblePurposes: [2, 7, 8, 10],
      specialPurposes: [1],
    }),
    vendor(333, 'Left The List', { purposes: [1, 2, 3, 4], deletedDate: '2026-06-01T00:00:00Z' }),
    vendor(404, 'Special Features', { purposes: [1, 3], specialPurposes: [2], specialFeatures: [1, 2] }),
    // Ids that the demo catalogue names. In a list of IAB Europe 755 is Google, whose declarations these resemble.
    vendor(755, 'Demo Statistics Ltd', {
      purposes: [1, 3, 4],
      legIntPurposes: [2, 7, 8, 9, 10],
      flexiblePurposes: [2, 7, 8, 9, 10],
      specialPurposes: [1, 2, 3],
      features: [1, 2],
    }),
    vendor(793, 'Demo Ads Inc', {
      purposes: [1, 2, 3, 4, 7],
      legIntPurposes: [10],
      flexiblePurposes: [2, 7],
      specialPurposes: [1, 2],
      features: [2, 3],
    }),
    vendor(1100, 'Highest Id', { purposes: [1, 2], legIntPurposes: [7], specialPurposes: [1] }),
  ]),
};

/** Every synthetic list that a release ever brought, oldest first. */
export const SYNTHETIC_LISTS: readonly GlobalVendorList[] = [FIRST];

function vendor(id: number, name: string, declared: Declared): GvlVendor {
  const { purposes = [], legIntPurposes = [], specialPurposes = [] } = declared;
  const days = (ids: readonly number[]): Record<string, number> => Object.fromEntries(ids.map((each) => [each, 90]));
  return {
    id,
    name: `${name} (synthetic)`,
    flexiblePurposes: [],
    features: [],
    specialFeatures: [],
    ...declared,
    purposes,
    legIntPurposes,
    specialPurposes,
    cookieMaxAgeSeconds: purposes.includes(1) ? 7_776_000 : null,
    usesCookies: purposes.includes(1),
    cookieRefresh: false,
    usesNonCookieAccess: purposes.includes(1),
    dataRetention: {
      stdRetention: 90,
      purposes: days([...purposes, ...legIntPurposes]),
      specialPurposes: days(specialPurposes),
    },
    urls: [
      {
        langId: 'en',
        privacy: `https://vendor-${id}.example/privacy`,
        legIntClaim: `https://vendor-${id}.example/legitimate-interest`,
      },
    ],
    dataDeclaration: [1, 2, 6, 8],
    deviceStorageDisclosureUrl: `https://vendor-${id}.example/device-storage.json`,
  };
}

function byId<T extends Pick<GvlText, 'id'>>(entries: readonly T[]): Record<string, T> {
  return Object.fromEntries(entries.map((entry) => [entry.id, entry]));
}
