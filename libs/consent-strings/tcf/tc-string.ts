import { GVL, PurposeRestriction, Segment, SegmentEncoder, TCModel, type VendorList } from '@iabtechlabtcf/core';
import type { Cmp } from '../../access/index.js';
import { epochMs, instantOf, type Instant } from '../../kernel/index.js';
import type { Standing } from '../standing/standing.js';
import type { GlobalVendorList, GvlVendor } from '../vendor-list/gvl.js';
import { order } from './declared.js';
import { tcChoices, type TcChoices } from './tc-choices.js';

/** In the order of TC_SEGMENTS. */
const SEGMENTS = [Segment.CORE, Segment.VENDORS_DISCLOSED, Segment.PUBLISHER_TC];

/** A TC string with its metadata. */
export interface TcString {
  tcString: string;
  policyVersion: number;
  vendorListVersion: number;
  /** Midnight of a day in UTC. The specification demands that both are the same. */
  created: Instant;
  lastUpdated: Instant;
}

const DAY_MS = 86_400_000;

/**
 * The TC string of a subject (IAB Tech Lab, "Consent string and vendor list formats v2", for TCF 2.4). Its date is that
 * of the last choice and not of the clock: the same choices give the same string.
 */
export function tcStringOf(standing: Standing, list: GlobalVendorList, cmp: Cmp): TcString {
  const said = standing.lastChangedAt ?? instantOf(Date.parse(list.lastUpdated));
  const day = new Date(Math.floor(epochMs(said) / DAY_MS) * DAY_MS);
  const choices = tcChoices(standing, list);
  const created = instantOf(day.getTime());
  return {
    tcString: written(modelOf(choices, standing, list, cmp, day)),
    policyVersion: list.tcfPolicyVersion,
    vendorListVersion: list.vendorListVersion,
    created,
    lastUpdated: created,
  };
}

/**
 * Encodes segment by segment instead of calling TCString.encode, which clones the model with the whole list on each call
 * (160 strings a second with 692 vendors) to strip bits that contradict the list. TcChoices has no such bits.
 */
const written = (model: TCModel): string => SEGMENTS.map((segment) => SegmentEncoder.encode(model, segment)).join('.');

/** The library's model of a TC string. */
export function modelOf(choices: TcChoices, standing: Standing, list: GlobalVendorList, cmp: Cmp, day: Date): TCModel {
  const model = new TCModel(gvlOf(list));
  model.cmpId = cmp.id;
  model.cmpVersion = cmp.version;
  model.consentLanguage = languageOf(standing.locale);
  model.isServiceSpecific = true;
  if (standing.publisherCountry !== null) model.publisherCountryCode = standing.publisherCountry;
  model.purposeConsents.set([...choices.consents]);
  model.purposeLegitimateInterests.set([...choices.legitimateInterests]);
  model.specialFeatureOptins.set([...choices.specialFeatures]);
  model.vendorConsents.set([...choices.vendorConsents]);
  model.vendorLegitimateInterests.set([...choices.vendorLegitimateInterests]);
  model.vendorsDisclosed.set([...choices.vendorsDisclosed]);
  for (const restriction of choices.restrictions)
    model.publisherRestrictions.add(
      restriction.vendorId,
      new PurposeRestriction(restriction.purpose, order(restriction)),
    );
  // The site's own purposes are mapped to those of TCF, so their choices are the publisher's.
  model.publisherConsents.set([...choices.consents]);
  model.publisherLegitimateInterests.set([...choices.legitimateInterests]);
  model.numCustomPurposes = choices.own;
  model.publisherCustomConsents.set([...choices.ownConsents]);
  model.publisherCustomLegitimateInterests.set([...choices.ownLegitimateInterests]);
  model.created = day;
  model.lastUpdated = day;
  return model;
}

/** ISO 639-1, which a TC string has room for; `EN` for languages without such a code. */
function languageOf(locale: string): string {
  const [language = ''] = locale.split('-');
  return /^[a-z]{2}$/.test(language) ? language.toUpperCase() : 'EN';
}

const lists = new WeakMap<GlobalVendorList, GVL>();

/**
 * The list in the form of the library, with only the members that it reads: a whole one takes megabytes, and the library
 * keeps each for ever. The library treats a vendor with a deletion day as deleted even before that day; TcChoices decides
 * which vendors are deleted.
 */
function gvlOf(list: GlobalVendorList): GVL {
  let gvl = lists.get(list);
  if (!gvl) lists.set(list, (gvl = new GVL(slim(list) as unknown as VendorList)));
  return gvl;
}

function slim(list: GlobalVendorList): object {
  const { gvlSpecificationVersion, vendorListVersion, tcfPolicyVersion, lastUpdated } = list;
  const { purposes, specialPurposes, features, specialFeatures } = list;
  const vendors = Object.fromEntries(Object.values(list.vendors).map((vendor) => [vendor.id, slimVendor(vendor)]));
  return {
    ...{ gvlSpecificationVersion, vendorListVersion, tcfPolicyVersion, lastUpdated },
    ...{ purposes, specialPurposes, features, specialFeatures, stacks: {}, dataCategories: {}, vendors },
  };
}

const slimVendor = ({ id, purposes, legIntPurposes, flexiblePurposes, specialPurposes }: GvlVendor): object => ({
  ...{ id, purposes, legIntPurposes, flexiblePurposes, specialPurposes },
  ...{ features: [], specialFeatures: [] },
});
