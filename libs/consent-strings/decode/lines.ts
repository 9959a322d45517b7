import type { IdRanges } from './id-ranges.js';

/** One thing that a string says, in the terms of its specification and in words. */
export interface StringLine {
  /** `core`, `disclosedVendors`, `publisherTC`; in a GPP string the section: `usca`, `tcfeuv2.core`. */
  part: string;
  /** As its specification calls it: `SaleOptOut`, `PurposesConsent[1]`. */
  field: string;
  /** As it stands there; of vendors their ids. */
  value: string;
  text: string;
  /** CHOICE: what the person is said to have chosen or been told. CONTEXT: who made the string, when, and under which rules. */
  kind: 'CHOICE' | 'CONTEXT';
}

/** A line about vendors, before it is shown. */
export interface VendorsLine extends StringLine {
  vendors: IdRanges;
}

/** What a string says, and what in it breaks the rules of its framework. */
export interface SaidByString {
  lines: readonly (StringLine | VendorsLine)[];
  warnings: readonly string[];
}

/** What numbers stand for; null where nobody knows. */
export interface Names {
  purpose(id: number): string | null;
  specialFeature(id: number): string | null;
  vendor(id: number): string | null;
}

export const NO_NAMES: Names = { purpose: () => null, specialFeature: () => null, vendor: () => null };
