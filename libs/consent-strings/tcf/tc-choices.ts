import type { VendorStanding } from '../../consent/index.js';
import type { Standing } from '../standing/standing.js';
import type { GlobalVendorList } from '../vendor-list/gvl.js';
import { knownDeclared, maskOf, type DeclaredRestriction } from './declared.js';
import { purposeBits, type PurposeBits } from './purposes.js';

/** Every choice that a TC string states. Ids are in ascending order. */
export interface TcChoices extends PurposeBits {
  vendorConsents: readonly number[];
  vendorLegitimateInterests: readonly number[];
  vendorsDisclosed: readonly number[];
  restrictions: readonly DeclaredRestriction[];
}

/**
 * The choices in the TC string of a subject. A vendor has consent if the person granted one of the purposes that it
 * asks consent for, and legitimate interest if the person did not object to one of those that it bases on it; a
 * decision against the vendor itself takes both away. A vendor with special purposes only has no bit: since TCF 2.4 it is
 * known from the disclosed vendors alone. The library of IAB Tech Lab (1.5.21) still keeps such a bit where it is set.
 */
export function tcChoices(standing: Standing, list: GlobalVendorList): TcChoices {
  const purposes = purposeBits(standing);
  const { vendors, restrictions } = knownDeclared(standing.vendors, list, standing.at);
  const [consents, interests] = [maskOf(purposes.consents), maskOf(purposes.legitimateInterests)];
  const [withConsent, withInterest, disclosed]: number[][] = [[], [], []];
  for (const { id, consent, legitimateInterest } of standing.hasChosen ? vendors : []) {
    disclosed!.push(id);
    if (!isOpen(standing.decided.TCF.get(id))) continue;
    if ((consent & consents) !== 0) withConsent!.push(id);
    if ((legitimateInterest & interests) !== 0) withInterest!.push(id);
  }
  return {
    ...purposes,
    vendorConsents: withConsent!,
    vendorLegitimateInterests: withInterest!,
    vendorsDisclosed: disclosed!,
    restrictions,
  };
}

/** A vendor that was refused, or whose own grant has ended, has nothing, whatever holds for purposes. */
const isOpen = (decided: VendorStanding | undefined): boolean => decided === undefined || decided === 'GRANTED';
