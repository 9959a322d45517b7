/** What the layer shows of a list of IAB, specification version 3 and, in TCF 2.4, `standardTexts`. */
export interface VendorListOfLayer {
  purposes: Texts;
  specialPurposes: Texts;
  features: Texts;
  specialFeatures: Texts;
  dataCategories: Texts;
  standardTexts?: { features?: string };
  vendors: Readonly<Record<string, VendorOfLayer>>;
}

type Texts = Readonly<Record<string, { name: string; description: string; illustrations?: readonly string[] }>>;

export interface VendorOfLayer {
  id: number;
  name: string;
  purposes: readonly number[];
  legIntPurposes: readonly number[];
  specialPurposes: readonly number[];
  features: readonly number[];
  specialFeatures: readonly number[];
  deletedDate?: string;
  /** Null or not above 0: no cookie outlives the visit. */
  cookieMaxAgeSeconds?: number | null;
  usesCookies?: boolean;
  cookieRefresh?: boolean;
  usesNonCookieAccess?: boolean;
  dataRetention?: {
    stdRetention?: number;
    purposes?: Readonly<Record<string, number>>;
    specialPurposes?: Readonly<Record<string, number>>;
  };
  dataDeclaration?: readonly number[];
  urls?: readonly { langId: string; privacy?: string; legIntClaim?: string }[];
  deviceStorageDisclosureUrl?: string;
}

/** Those that are disclosed and on the list, by name. A vendor that has left the list must not be named any more. */
export function disclosed(list: VendorListOfLayer, ids: readonly number[], nowMs = Date.now()): VendorOfLayer[] {
  return ids
    .flatMap((id) => list.vendors[id] ?? [])
    .filter(({ deletedDate }) => deletedDate === undefined || Date.parse(deletedDate) > nowMs)
    .sort((a, b) => a.name.localeCompare(b.name));
}
