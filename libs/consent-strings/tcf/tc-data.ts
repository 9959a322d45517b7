import type { Cmp } from '../../access/index.js';
import type { TcDataDto } from '../dto.js';
import type { Standing } from '../standing/standing.js';
import type { GlobalVendorList } from '../vendor-list/gvl.js';
import { order } from './declared.js';
import { tcChoices } from './tc-choices.js';
import type { TcString } from './tc-string.js';

/** What the library writes into a string whose publisher named no country. */
const NO_COUNTRY = 'AA';

/** What a TC string says, in the form in which pages hand it to vendors (IAB Tech Lab, "CMP API v2", TCData). */
export function tcDataOf(
  { tcString, policyVersion }: TcString,
  standing: Standing,
  list: GlobalVendorList,
  cmp: Cmp,
): TcDataDto {
  const choices = tcChoices(standing, list);
  const purpose = { consents: bitsOf(choices.consents), legitimateInterests: bitsOf(choices.legitimateInterests) };
  const restrictions: Record<string, Record<string, number>> = {};
  for (const { vendorId, ...restriction } of choices.restrictions)
    (restrictions[restriction.purpose] ??= {})[vendorId] = order(restriction);
  return {
    tcString,
    tcfPolicyVersion: policyVersion,
    cmpId: cmp.id,
    cmpVersion: cmp.version,
    gdprApplies: standing.dated.rule.frameworks.includes('TCF'),
    isServiceSpecific: true,
    useNonStandardTexts: false,
    publisherCC: standing.publisherCountry ?? NO_COUNTRY,
    purposeOneTreatment: false,
    purpose,
    vendor: {
      consents: bitsOf(choices.vendorConsents),
      legitimateInterests: bitsOf(choices.vendorLegitimateInterests),
      disclosedVendors: bitsOf(choices.vendorsDisclosed),
    },
    specialFeatureOptins: bitsOf(choices.specialFeatures),
    publisher: {
      ...purpose,
      customPurpose: {
        consents: bitsOf(choices.ownConsents),
        legitimateInterests: bitsOf(choices.ownLegitimateInterests),
      },
      restrictions,
    },
  };
}

/** Every id up to the highest that is set, as the library of IAB Tech Lab answers pages. */
function bitsOf(ids: readonly number[]): Record<string, boolean> {
  const set = new Set(ids);
  return Object.fromEntries(Array.from({ length: Math.max(0, ...ids) }, (_, i) => [i + 1, set.has(i + 1)]));
}
