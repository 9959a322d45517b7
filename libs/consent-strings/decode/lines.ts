import type { IdRanges } from './id-ranges.js';

/** One statement of a string, in the terms of its specification and in words. */
export interface StringLine {
  /** `core`, `disclosedVendors`, `publisherTC`; in a GPP string the section: `usca`, `tcfeuv2.core`. */
  part: string;
  /** Name in its specification: `SaleOptOut`, `PurposesConsent[1]`. */
  field: string;
  /** The value in the string; for vendors their ids. */
  value: string;
  text: string;
  /** CHOICE: what the person chose, or what was disclosed to them. CONTEXT: maker, time and rules of the string. */
  kind: 'CHOICE' | 'CONTEXT';
}

/** A line about vendors, before it is shown. */
export interface VendorsLine extends StringLine {
  vendors: IdRanges;
}

/** The statements of a string, and warnings where it breaks the rules of its framework. */
export interface SaidByString {
  lines: readonly (StringLine | VendorsLine)[];
  warnings: readonly string[];
}

/** Names of ids; null for an unknown id. */
export interface Names {
  purpose(id: number): string | null;
  specialFeature(id: number): string | null;
  vendor(id: number): string | null;
}

export const NO_NAMES: Names = { purpose: () => null, specialFeature: () => null, vendor: () => null };
