import type { GppSection } from './gpp-string.js';
import type { Names, SaidByString, StringLine } from './lines.js';
import { tcLines } from './tc-lines.js';
import { usLines } from './us-lines.js';

const PRIVACY: readonly [field: string, what: string][] = [
  ['Notice', 'notice and opportunity to opt out was given'],
  ['OptOutSale', 'opted out of the sale of personal data'],
  ['LspaCovered', 'covered by the Limited Service Provider Agreement'],
];
const ANSWERS: Readonly<Record<string, string>> = { Y: 'yes', N: 'no', '-': 'does not apply' };

/** A GPP string in words. `names`: for the vendor list of its TC string. */
export function gppLines(sections: readonly GppSection[], names: Names): SaidByString {
  const said = sections.map((section) => linesOf(section, names));
  return { lines: said.flatMap(({ lines }) => lines), warnings: said.flatMap(({ warnings }) => warnings) };
}

function linesOf(section: GppSection, names: Names): SaidByString {
  switch (section.kind) {
    case 'US':
      return usLines(section.layout, section.values);
    case 'TCF':
      return tcLines(section.tc, names, `${section.name}.`);
    case 'USP':
      return { lines: privacyLines(section.text), warnings: [] };
    case 'UNREAD': {
      const text = 'This release cannot read the section.';
      const line: StringLine = { part: section.name, field: 'text', value: section.text, text, kind: 'CONTEXT' };
      return { lines: [line], warnings: [`${section.name}: this release cannot read the section.`] };
    }
  }
}

/** The US Privacy String, `1YNN`. */
const privacyLines = (text: string): StringLine[] =>
  PRIVACY.map(([field, what], i) => ({
    part: 'uspv1',
    field,
    value: text[i + 1]!,
    text: `${what[0]!.toUpperCase()}${what.slice(1)}: ${ANSWERS[text[i + 1]!]}.`,
    kind: field === 'LspaCovered' ? 'CONTEXT' : 'CHOICE',
  }));
