import { createHash } from 'node:crypto';
import { canonicalJson, parseInstant } from '../../kernel/index.js';
import type { OfferedList, UnfitList } from './decide.js';
import type { GlobalVendorList } from './gvl.js';
import { textsFault } from './read-texts.js';

/** Limit of a list as JSON. That of IAB Europe is below 2 MB. */
export const LIST_BYTES_MAX = 8 * 1024 * 1024;
const VENDORS_MAX = 20_000;
/** Highest ids, by the bits that TCF strings have for each. */
const MOST = { version: 4_095, policy: 63, vendor: 65_535, purpose: 24, specialFeature: 12, other: 64 } as const;
const DETAIL_MAX = 200;

export interface ReadList {
  offered: OfferedList;
  content: GlobalVendorList;
}

/** Reads a list from its bytes, or says why they are none. Pure; accepts at most LIST_BYTES_MAX. */
export function readList(bytes: Uint8Array): ReadList | UnfitList {
  const unfit = (reason: UnfitList['reason'], detail: string | null = null): UnfitList => ({
    reason,
    detail: detail && detail.slice(0, DETAIL_MAX),
    digest: sha256(bytes),
  });
  if (bytes.length > LIST_BYTES_MAX) return unfit('TOO_LARGE', `more than ${LIST_BYTES_MAX} bytes`);
  let content: GlobalVendorList;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as GlobalVendorList;
  } catch {
    return unfit('NOT_JSON');
  }
  if (!isObject(content)) return unfit('NOT_A_LIST', 'it is no object');
  if (content.gvlSpecificationVersion !== 3)
    return unfit('OTHER_SPECIFICATION', `gvlSpecificationVersion is ${String(content.gvlSpecificationVersion)}, not 3`);
  const fault = listFault(content);
  if (fault !== null) return unfit('NOT_A_LIST', fault);
  return { content, offered: offeredOf(content) };
}

/** The part of a valid list that is recorded. */
export const offeredOf = (content: GlobalVendorList): OfferedList => ({
  version: content.vendorListVersion,
  digest: digestOf(content),
  tcfPolicyVersion: content.tcfPolicyVersion,
  lastUpdated: parseInstant(content.lastUpdated)!,
  vendors: Object.keys(content.vendors).length,
});

export const digestOf = (content: unknown): string => sha256(canonicalJson(content));
const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Why an object is no list, with the place; null: it is one. Ignores further members. */
function listFault(list: GlobalVendorList): string | null {
  if (!isWhole(list.vendorListVersion, 1, MOST.version)) return 'vendorListVersion is no number from 1 to 4095';
  if (!isWhole(list.tcfPolicyVersion, 1, MOST.policy)) return 'tcfPolicyVersion is no number from 1 to 63';
  if (typeof list.lastUpdated !== 'string' || parseInstant(list.lastUpdated) === null)
    return 'lastUpdated is no time of RFC 3339';
  const texts = textsFault(list);
  if (texts !== null) return texts;
  if (!isObject(list.vendors)) return 'vendors is no object';
  const vendors = Object.entries(list.vendors);
  if (vendors.length === 0 || vendors.length > VENDORS_MAX) return `vendors has ${vendors.length} entries`;
  for (const [key, vendor] of vendors) {
    const fault = vendorFault(key, vendor, list);
    if (fault !== null) return `vendors.${key.slice(0, 20)}: ${fault}`;
  }
  return null;
}

function vendorFault(key: string, vendor: unknown, list: GlobalVendorList): string | null {
  if (!isObject(vendor)) return 'it is no object';
  const { id, name, deletedDate } = vendor;
  if (!isWhole(id, 1, MOST.vendor) || String(id) !== key) return 'its id is not its key, from 1 to 65535';
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (deletedDate !== undefined && (typeof deletedDate !== 'string' || parseInstant(deletedDate) === null))
    return 'deletedDate is no time of RFC 3339';
  for (const [member, of, max] of [
    ['purposes', list.purposes, MOST.purpose],
    ['legIntPurposes', list.purposes, MOST.purpose],
    ['flexiblePurposes', list.purposes, MOST.purpose],
    ['specialPurposes', list.specialPurposes, MOST.other],
    ['features', list.features, MOST.other],
    ['specialFeatures', list.specialFeatures, MOST.specialFeature],
  ] as const) {
    const ids = vendor[member];
    if (!Array.isArray(ids) || !ids.every((each) => isWhole(each, 1, max) && Object.hasOwn(of, String(each))))
      return `${member} names what the list does not have`;
    if (new Set(ids).size < ids.length) return `${member} names something twice`;
  }
  const { purposes, legIntPurposes } = vendor as { purposes: number[]; legIntPurposes: number[] };
  return purposes.some((each) => legIntPurposes.includes(each)) ? 'a purpose has two legal bases' : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
