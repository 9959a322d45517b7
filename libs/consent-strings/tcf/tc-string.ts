import { GVL, PurposeRestriction, Segment, SegmentEncoder, TCModel, type VendorList } from '@iabtechlabtcf/core';
import type { Cmp } from '../../access/index.js';
import { epochMs, instantOf, type Instant } from '../../kernel/index.js';
import type { Standing } from '../standing/standing.js';
import type { GlobalVendorList, GvlVendor } from '../vendor-list/gvl.js';
import { order } from './declared.js';
import { tcChoices, type TcChoices } from './tc-choices.js';

/** In the order of TC_SEGMENTS. */
const SEGMENTS = [Segment.CORE, Segment.VENDORS_DISCLOSED, Segment.PUBLISHER_TC];

/** A TC string, and what it says of itself. */
export interface TcString {
  tcString: string;
  policyVersion: number;
  vendorListVersion: number;
  /** Midnight of a day in UTC. Both are the same by the specification. */
  created: Instant;
  lastUpdated: Instant;
}

const DAY_MS = 86_400_000;

/**
 * The TC string of a subject (IAB Tech Lab, "Consent string and vendor list formats v2", for TCF 2.3). It is dated by what
 * was said last and not by the clock: the same choices are the same string.
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
 * Segment by segment, and not by TCString.encode: that clones the model with the whole list on each call (160 strings a
 * second with 692 vendors) to strip bits that contradict the list, of which TcChoices has none.
 */
const written = (model: TCModel): string => SEGMENTS.map((segment) => SegmentEncoder.encode(model, segment)).join('.');

/** What the library writes. */
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
  // The site's own purposes are mapped to those of TCF: what holds of them holds of the publisher.
  model.publisherConsents.set([...choices.consents]);
  model.publisherLegitimateInterests.set([...choices.legitimateInterests]);
  model.numCustomPurposes = choices.own;
  model.publisherCustomConsents.set([...choices.ownConsents]);
  model.publisherCustomLegitimateInterests.set([...choices.ownLegitimateInterests]);
  model.created = day;
  model.lastUpdated = day;
  return model;
}

/** ISO 639-1, as a TC string has room for; `EN` for languages that have none. */
function languageOf(locale: string): string {
  const [language = ''] = locale.split('-');
  return /^[a-z]{2}$/.test(language) ? language.toUpperCase() : 'EN';
}

const lists = new WeakMap<GlobalVendorList, GVL>();

/**
 * The list as the library knows it, with no more than it reads: a whole one takes megabytes, and it keeps each for ever.
 * It takes whoever has a day of deletion for deleted, also before that day; who is deleted, TcChoices knows.
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
