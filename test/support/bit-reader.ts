/**
 * Reads strings of frameworks bit by bit, by the text of their specifications and with no code of those who write them:
 * what tests hold strings against. Throws where a string ends before its fields do.
 */
export class BitReader {
  private readonly bits: string;
  private place = 0;

  /** One segment, base64url. */
  constructor(segment: string) {
    if (!/^[A-Za-z0-9_-]+$/.test(segment)) throw new Error(`no base64url: ${segment}`);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    this.bits = [...segment].map((sign) => alphabet.indexOf(sign).toString(2).padStart(6, '0')).join('');
  }

  /** A number of so many bits. */
  int(bits: number): number {
    if (this.place + bits > this.bits.length) throw new Error('the string ends within a field');
    const text = this.bits.slice(this.place, this.place + bits);
    this.place += bits;
    return bits === 0 ? 0 : Number.parseInt(text, 2);
  }

  flag(): boolean {
    return this.int(1) === 1;
  }

  /** Two letters of six bits. */
  letters(): string {
    return String.fromCharCode(65 + this.int(6), 65 + this.int(6));
  }

  /** The ids whose bit is set, of so many from 1. */
  field(length: number): number[] {
    const ids: number[] = [];
    for (let id = 1; id <= length; id++) if (this.flag()) ids.push(id);
    return ids;
  }

  /** Tenths of seconds since 1970. */
  moment(): Date {
    return new Date(this.int(36) * 100);
  }

  /** Ids in entries of one or of a range, after their number. */
  entries(): number[] {
    const ids: number[] = [];
    for (let left = this.int(12); left > 0; left--) {
      const isRange = this.flag();
      const first = this.int(16);
      const last = isRange ? this.int(16) : first;
      for (let id = first; id <= last; id++) ids.push(id);
    }
    return ids;
  }

  /** Vendors: a field or entries, whichever whoever wrote them found shorter. */
  vendors(): number[] {
    const highest = this.int(16);
    return this.flag() ? this.entries() : this.field(highest);
  }

  /** Whether nothing is left but zeros that fill the last byte. */
  get isAtEnd(): boolean {
    const rest = this.bits.slice(this.place);
    return rest.length < 24 && !rest.includes('1');
  }
}

export interface ReadTcString {
  core: {
    version: number;
    created: Date;
    lastUpdated: Date;
    cmpId: number;
    cmpVersion: number;
    consentScreen: number;
    consentLanguage: string;
    vendorListVersion: number;
    policyVersion: number;
    isServiceSpecific: boolean;
    useNonStandardTexts: boolean;
    specialFeatures: number[];
    purposeConsents: number[];
    purposeLegitimateInterests: number[];
    purposeOneTreatment: boolean;
    publisherCountry: string;
    vendorConsents: number[];
    vendorLegitimateInterests: number[];
    restrictions: { purpose: number; type: number; vendors: number[] }[];
  };
  disclosed: number[] | null;
  allowed: number[] | null;
  publisher: {
    consents: number[];
    legitimateInterests: number[];
    customPurposes: number;
    customConsents: number[];
    customLegitimateInterests: number[];
  } | null;
  /** Types of the segments behind the core, in their order. */
  segments: number[];
}

/** A TC string of version 2: "Consent string and vendor list formats v2" of IAB Tech Lab. */
export function readTcString(text: string): ReadTcString {
  const [first, ...others] = text.split('.');
  const read: ReadTcString = { core: core(first!), disclosed: null, allowed: null, publisher: null, segments: [] };
  for (const segment of others) {
    const bits = new BitReader(segment);
    const type = bits.int(3);
    read.segments.push(type);
    if (type === 1) read.disclosed = bits.vendors();
    else if (type === 2) read.allowed = bits.vendors();
    else if (type === 3) read.publisher = publisher(bits);
    else throw new Error(`a segment of type ${type}`);
    if (!bits.isAtEnd) throw new Error(`something stands behind the fields of a segment of type ${type}`);
  }
  return read;
}

function core(segment: string): ReadTcString['core'] {
  const bits = new BitReader(segment);
  const read = {
    version: bits.int(6),
    created: bits.moment(),
    lastUpdated: bits.moment(),
    cmpId: bits.int(12),
    cmpVersion: bits.int(12),
    consentScreen: bits.int(6),
    consentLanguage: bits.letters(),
    vendorListVersion: bits.int(12),
    policyVersion: bits.int(6),
    isServiceSpecific: bits.flag(),
    useNonStandardTexts: bits.flag(),
    specialFeatures: bits.field(12),
    purposeConsents: bits.field(24),
    purposeLegitimateInterests: bits.field(24),
    purposeOneTreatment: bits.flag(),
    publisherCountry: bits.letters(),
    vendorConsents: bits.vendors(),
    vendorLegitimateInterests: bits.vendors(),
    restrictions: Array.from({ length: bits.int(12) }, () => ({
      purpose: bits.int(6),
      type: bits.int(2),
      vendors: bits.entries(),
    })),
  };
  if (!bits.isAtEnd) throw new Error('something stands behind the fields of the core');
  return read;
}

function publisher(bits: BitReader): ReadTcString['publisher'] {
  const [consents, legitimateInterests] = [bits.field(24), bits.field(24)];
  const customPurposes = bits.int(6);
  return {
    consents,
    legitimateInterests,
    customPurposes,
    customConsents: bits.field(customPurposes),
    customLegitimateInterests: bits.field(customPurposes),
  };
}

/** Fibonacci code, as the GPP specification describes it: the bits in front of `11` stand for 1, 2, 3, 5, 8 and so on. */
export function fibonacci(bits: BitReader): number {
  const numbers = [1, 2];
  let value = 0;
  for (let i = 0, before = false; ; i++) {
    const isSet = bits.flag();
    if (isSet && before) return value;
    if (isSet) value += numbers[i]!;
    numbers.push(numbers.at(-1)! + numbers.at(-2)!);
    before = isSet;
  }
}

/** Ids of the sections that the header of a GPP string names: "Global Privacy Platform String" of IAB Tech Lab. */
export function readGppHeader(header: string): number[] {
  const bits = new BitReader(header);
  if (bits.int(6) !== 3 || bits.int(6) !== 1) throw new Error('no header of a GPP string');
  const ids: number[] = [];
  for (let left = bits.int(12); left > 0; left--) {
    const isRange = bits.flag();
    const first = (ids.at(-1) ?? 0) + fibonacci(bits);
    const last = isRange ? first + fibonacci(bits) : first;
    for (let id = first; id <= last; id++) ids.push(id);
  }
  if (!bits.isAtEnd) throw new Error('something stands behind the header');
  return ids;
}
