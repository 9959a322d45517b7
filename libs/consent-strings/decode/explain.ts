import type { Refusal } from '../../kernel/index.js';
import type { GlobalVendorList } from '../vendor-list/gvl.js';
import { differencesOf, type Difference } from './differences.js';
import { gppLines } from './gpp-lines.js';
import { readGppString } from './gpp-string.js';
import { NO_NAMES, type Names, type SaidByString, type StringLine } from './lines.js';
import { noSuchString } from './refusals.js';
import { StringFault } from './string-fault.js';
import { tcLines } from './tc-lines.js';
import { readTcString } from './tc-string.js';

export type StringFramework = 'TCF' | 'GPP';

/** Longest accepted text. A TC string that names every vendor has some 2,000 characters. */
export const STRING_LENGTH_MAX = 8000;

/** A parsed string, before its numbers have names. */
export interface ReadString {
  /** Version of the vendor list that it was made with; null if it has no TC string. */
  vendorListVersion: number | null;
  inWords: (names: Names) => SaidByString;
}

/** Time and memory are proportional to the text, whatever lengths it claims. */
export function readString(framework: StringFramework, text: string): ReadString | Refusal {
  try {
    if (framework === 'TCF') {
      const tc = readTcString(text, 'string');
      return { vendorListVersion: tc.vendorListVersion, inWords: (names) => tcLines(tc, names) };
    }
    const sections = readGppString(text, 'string');
    const tcf = sections.find((section) => section.kind === 'TCF');
    return { vendorListVersion: tcf?.tc.vendorListVersion ?? null, inWords: (names) => gppLines(sections, names) };
  } catch (error) {
    if (error instanceof StringFault) return noSuchString(error);
    throw error;
  }
}

/** A string in words, and its differences from the string of today. */
export interface ExplainedString {
  object: 'explained_string';
  framework: StringFramework;
  vendorListVersion: number | null;
  /** Whether this installation knows that list, and so the names of vendors; null if the string has no TC string. */
  vendorListKnown: boolean | null;
  says: StringLine[];
  warnings: readonly string[];
  /** Null if the caller named no subject. */
  matches: boolean | null;
  differences: Difference[];
}

/**
 * `today`: the string of today, of the same framework; null if the caller named no subject. `list`: the vendor list of
 * the string; null if unknown.
 */
export function explainString(
  framework: StringFramework,
  read: ReadString,
  list: GlobalVendorList | null,
  today: ReadString | null,
): ExplainedString {
  const names = list === null ? NO_NAMES : namesIn(list);
  const said = read.inWords(names);
  const { vendorListVersion } = read;
  const differences = today === null ? [] : differencesOf(said.lines, today.inWords(names).lines, names);
  return {
    object: 'explained_string',
    framework,
    vendorListVersion,
    vendorListKnown: vendorListVersion === null ? null : list !== null,
    says: said.lines.map(({ part, field, value, text, kind }) => ({ part, field, value, text, kind })),
    warnings: said.warnings,
    matches: today === null ? null : differences.length === 0,
    differences,
  };
}

const namesIn = ({ purposes, specialFeatures, vendors }: GlobalVendorList): Names => {
  const nameIn =
    (texts: Readonly<Record<string, { name: string }>>) =>
    (id: number): string | null =>
      texts[id]?.name ?? null;
  return { purpose: nameIn(purposes), specialFeature: nameIn(specialFeatures), vendor: nameIn(vendors) };
};
