import { canonicalJson, didYouMean } from '../../kernel/index.js';
import { defineDocument, type Surroundings } from '../document.js';
import { twice, type Say } from '../texts/texts.js';
import type { Vendor, VendorRestriction, VendorsDefinition } from './definition.js';

/** The vendors, `vendors.yaml`: parties that cookies and framework strings name. */
export const VENDORS = defineDocument({
  name: 'vendors',
  object: 'vendors',
  event: 'VendorsPublished',
  title: 'list of vendors',
  contradictions: ({ vendors }: VendorsDefinition, around) => {
    const found: { path: string; message: string }[] = [];
    const say: Say = (path, message) => void found.push({ path, message });
    twice(
      named(vendors, 'key', ({ key }) => key),
      say,
    );
    twice(
      named(vendors, 'frameworks.tcf', ({ frameworks }) => frameworks.tcf),
      say,
    );
    twice(
      named(vendors, 'frameworks.google', ({ frameworks }) => frameworks.google),
      say,
    );
    vendors.forEach(({ key, purposeKeys, restrictions, frameworks }, v) => {
      if (key in Object.prototype) say(`vendors[${v}].key`, 'is a name that cannot be used as a key');
      unknownPurposes(purposeKeys, `vendors[${v}].purposeKeys`, around, say);
      if (restrictions) wrongRestrictions(restrictions, `vendors[${v}].restrictions`, frameworks.tcf, say);
    });
    return found;
  },
  /** `vendors.demo_statistics`. */
  partsOf: ({ vendors }) => vendors.map((vendor) => [`vendors.${vendor.key}`, canonicalJson(vendor)] as const),
});

/** TCF purposes that must not be based on legitimate interest (policies of TCF since 2.2). */
const CONSENT_ONLY: readonly number[] = [1, 3, 4, 5, 6];

function wrongRestrictions(
  restrictions: readonly VendorRestriction[],
  at: string,
  tcfId: number | null,
  say: Say,
): void {
  if (tcfId === null) say(at, 'needs frameworks.tcf: restrictions are sent to vendors of IAB TCF');
  restrictions.forEach(({ purpose, type }, r) => {
    if (type === 'REQUIRE_LEGITIMATE_INTEREST' && CONSENT_ONLY.includes(purpose))
      say(`${at}[${r}].type`, `cannot be ${type}: purposes 1, 3, 4, 5 and 6 need consent`);
  });
  twice(
    restrictions.map(({ purpose }, r) => [`${at}[${r}].purpose`, String(purpose)] as const),
    say,
  );
}

/** Reports keys that name no purpose, each with the likeliest one. */
export function unknownPurposes(keys: readonly string[], path: string, around: Surroundings, say: Say): void {
  keys.forEach((key, k) => {
    if (!around.purposeOf(key))
      say(
        `${path}[${k}]`,
        `names no purpose of the catalogue or of this folder${didYouMean(key, around.purposeKeys())}`,
      );
  });
  twice(
    keys.map((key, k) => [`${path}[${k}]`, key] as const),
    say,
  );
}

/** Reports keys that name no vendor, each with the likeliest one. */
export function unknownVendors(
  keys: readonly string[],
  place: (index: number) => string,
  around: Surroundings,
  say: Say,
): void {
  const known = (around.documentOf(VENDORS)?.vendors ?? []).map(({ key }) => key);
  keys.forEach((key, k) => {
    if (!known.includes(key)) say(place(k), `names no vendor of vendors.yaml${didYouMean(key, known)}`);
  });
  twice(
    keys.map((key, k) => [place(k), key] as const),
    say,
  );
}

const named = (
  vendors: readonly Vendor[],
  member: string,
  nameOf: (vendor: Vendor) => string | number | null,
): [string, string][] =>
  vendors.flatMap((vendor, v): [string, string][] => {
    const name = nameOf(vendor);
    return name === null ? [] : [[`vendors[${v}].${member}`, String(name)]];
  });
