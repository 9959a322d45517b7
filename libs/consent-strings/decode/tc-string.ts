import { Bits } from './bits.js';
import { idRanges, rangesOfIds, type IdRanges } from './id-ranges.js';
import { StringFault } from './string-fault.js';

/** The fields of a TC string, with the names of "TC String and Vendor List Formats" 2. Days are epoch ms. */
export interface TcString {
  version: number;
  created: number;
  lastUpdated: number;
  cmpId: number;
  cmpVersion: number;
  consentScreen: number;
  consentLanguage: string;
  vendorListVersion: number;
  policyVersion: number;
  isServiceSpecific: boolean;
  useNonStandardTexts: boolean;
  specialFeatureOptIns: readonly number[];
  purposeConsents: readonly number[];
  purposeLegitimateInterests: readonly number[];
  purposeOneTreatment: boolean;
  publisherCountry: string;
  vendorConsents: IdRanges;
  vendorLegitimateInterests: IdRanges;
  restrictions: readonly TcRestriction[];
  /** Null: there is no such segment. */
  disclosedVendors: IdRanges | null;
  allowedVendors: IdRanges | null;
  publisher: TcPublisher | null;
}

export interface TcRestriction {
  purpose: number;
  /** 0: not allowed; 1: consent only; 2: legitimate interest only. */
  type: number;
  vendors: IdRanges;
}

export interface TcPublisher {
  consents: readonly number[];
  legitimateInterests: readonly number[];
  customConsents: readonly number[];
  customLegitimateInterests: readonly number[];
}

/** Deciseconds since 1970: 36 bits. */
const DECISECOND_MS = 100;
const PURPOSES = 24;
const SPECIAL_FEATURES = 12;
/** Core, and one of each other segment. */
const SEGMENTS_MAX = 4;

/** Throws a StringFault if the text is no TC string of version 2. `path`: of the string. */
export function readTcString(text: string, path: string): TcString {
  if (text.startsWith('D'))
    throw new StringFault(
      `${path}.core.Version`,
      'is that of a GPP string',
      'Send it to /v1/consent/gpp/decode. A TC string begins with C.',
    );
  const [first, ...others] = text.split('.', SEGMENTS_MAX + 1);
  if (others.length >= SEGMENTS_MAX)
    throw new StringFault(path, 'has more segments than there are kinds', 'A TC string has at most four segments.');
  const core = new Bits(first!, `${path}.core`);
  const read = readCore(core);
  const segments: Pick<TcString, 'disclosedVendors' | 'allowedVendors' | 'publisher'> = {
    disclosedVendors: null,
    allowedVendors: null,
    publisher: null,
  };
  others.forEach((segment, i) => readSegment(new Bits(segment, `${path}.segments[${i + 1}]`), segments));
  return { ...read, ...segments };
}

function readCore(core: Bits): Omit<TcString, 'disclosedVendors' | 'allowedVendors' | 'publisher'> {
  const version = core.int(6, 'Version');
  if (version !== 2)
    throw core.fault(
      'Version',
      `is ${version}, and not 2`,
      version === 1
        ? 'Strings of TCF 1 have been invalid since 2020; ask the person again.'
        : 'A TC string begins with C.',
    );
  const read = {
    version,
    created: core.int(36, 'Created') * DECISECOND_MS,
    lastUpdated: core.int(36, 'LastUpdated') * DECISECOND_MS,
    cmpId: core.int(12, 'CmpId'),
    cmpVersion: core.int(12, 'CmpVersion'),
    consentScreen: core.int(6, 'ConsentScreen'),
    consentLanguage: letters(core, 'ConsentLanguage'),
    vendorListVersion: core.int(12, 'VendorListVersion'),
    policyVersion: core.int(6, 'TcfPolicyVersion'),
    isServiceSpecific: core.flag('IsServiceSpecific'),
    useNonStandardTexts: core.flag('UseNonStandardTexts'),
    specialFeatureOptIns: core.set(SPECIAL_FEATURES, 'SpecialFeatureOptIns'),
    purposeConsents: core.set(PURPOSES, 'PurposesConsent'),
    purposeLegitimateInterests: core.set(PURPOSES, 'PurposesLITransparency'),
    purposeOneTreatment: core.flag('PurposeOneTreatment'),
    publisherCountry: letters(core, 'PublisherCC'),
    vendorConsents: vendors(core, 'VendorConsents'),
    vendorLegitimateInterests: vendors(core, 'VendorLegitimateInterests'),
    restrictions: restrictions(core),
  };
  core.end();
  return read;
}

/** Segments name their own type, and stand in any order. */
function readSegment(bits: Bits, into: Pick<TcString, 'disclosedVendors' | 'allowedVendors' | 'publisher'>): void {
  const type = bits.int(3, 'SegmentType');
  const once = (isThere: boolean): void => {
    if (isThere) throw bits.fault('SegmentType', `is ${type} a second time`);
  };
  switch (type) {
    case 1:
      once(into.disclosedVendors !== null);
      into.disclosedVendors = vendors(bits, 'DisclosedVendors');
      break;
    case 2:
      once(into.allowedVendors !== null);
      into.allowedVendors = vendors(bits, 'AllowedVendors');
      break;
    case 3:
      once(into.publisher !== null);
      into.publisher = publisher(bits);
      break;
    default:
      throw bits.fault('SegmentType', `is ${type}, which no version knows`);
  }
  bits.end();
}

function publisher(bits: Bits): TcPublisher {
  const consents = bits.set(PURPOSES, 'PubPurposesConsent');
  const legitimateInterests = bits.set(PURPOSES, 'PubPurposesLITransparency');
  const custom = bits.int(6, 'NumCustomPurposes');
  return {
    consents,
    legitimateInterests,
    customConsents: bits.set(custom, 'CustomPurposesConsent'),
    customLegitimateInterests: bits.set(custom, 'CustomPurposesLITransparency'),
  };
}

/** A to Z, six bits each. */
function letters(bits: Bits, field: string): string {
  const codes = [bits.int(6, field), bits.int(6, field)];
  if (codes.some((code) => code > 25)) throw bits.fault(field, 'is not two letters');
  return String.fromCharCode(...codes.map((code) => 65 + code));
}

/** Vendors as bits or as ranges; the encoder chose the shorter form. */
function vendors(bits: Bits, field: string): IdRanges {
  const highest = bits.int(16, `${field}.MaxVendorId`);
  if (!bits.flag(`${field}.IsRangeEncoding`)) return rangesOfIds(bits.set(highest, `${field}.BitField`));
  return ranges(bits, field, highest);
}

/** `highest`: no id may be above it. Every entry takes 17 bits or more, so the text bounds their number. */
function ranges(bits: Bits, field: string, highest: number): IdRanges {
  const entries = bits.int(12, `${field}.NumEntries`);
  const found: [number, number][] = [];
  for (let i = 0; i < entries; i++) {
    const isRange = bits.flag(`${field}[${i}].IsARange`);
    const first = bits.int(16, `${field}[${i}].StartOrOnlyVendorId`);
    const last = isRange ? bits.int(16, `${field}[${i}].EndVendorId`) : first;
    if (first === 0) throw bits.fault(`${field}[${i}]`, 'names vendor 0, which does not exist');
    if (last < first) throw bits.fault(`${field}[${i}]`, `runs backwards, from ${first} to ${last}`);
    if (last > highest) throw bits.fault(`${field}[${i}]`, `names vendor ${last}, above the highest id ${highest}`);
    found.push([first, last]);
  }
  return idRanges(found);
}

const VENDOR_ID_MAX = 0xffff;

function restrictions(bits: Bits): TcRestriction[] {
  const count = bits.int(12, 'NumPubRestrictions');
  const found: TcRestriction[] = [];
  for (let i = 0; i < count; i++) {
    const field = `PubRestrictions[${i}]`;
    const purpose = bits.int(6, `${field}.PurposeId`);
    const type = bits.int(2, `${field}.RestrictionType`);
    if (purpose === 0 || purpose > PURPOSES)
      throw bits.fault(`${field}.PurposeId`, `is ${purpose}, which is no purpose`);
    if (type === 3) throw bits.fault(`${field}.RestrictionType`, 'is 3, which is undefined');
    found.push({ purpose, type, vendors: ranges(bits, `${field}.Vendors`, VENDOR_ID_MAX) });
  }
  return found;
}
