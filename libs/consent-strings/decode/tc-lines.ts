import { countOf, firstIds, idRanges, rangesText, type IdRanges } from './id-ranges.js';
import type { Names, SaidByString, StringLine, VendorsLine } from './lines.js';
import type { TcString } from './tc-string.js';

/** Purposes and special features of TCF 2.4. Higher numbers get a line only if they are set. */
const PURPOSES = 11;
const SPECIAL_FEATURES = 2;
/** Purposes that must not be based on legitimate interest. */
const CONSENT_ONLY = [1, 3, 4, 5, 6];
const NAMED_MAX = 20;
const DAY_MS = 86_400_000;

/** A TC string in words. `within`: prefix of the parts' names, if it is a section of another string. */
export function tcLines(tc: TcString, names: Names, within = ''): SaidByString {
  return {
    lines: [
      ...contextLines(tc, `${within}core`),
      ...choiceLines(tc, names, `${within}core`),
      ...restrictionLines(tc, names, `${within}core`),
      ...segmentLines(tc, names, within),
    ],
    warnings: tcWarnings(tc),
  };
}

function contextLines(tc: TcString, part: string): StringLine[] {
  const context = (field: string, value: string | number, text: string): StringLine => ({
    ...{ part, field, text },
    value: String(value),
    kind: 'CONTEXT',
  });
  return [
    context('Created', day(tc.created), `Made on ${day(tc.created)}.`),
    context('LastUpdated', day(tc.lastUpdated), `Changed last on ${day(tc.lastUpdated)}.`),
    context('CmpId', tc.cmpId, `Made by consent tool ${tc.cmpId} of the list of IAB Europe.`),
    context('CmpVersion', tc.cmpVersion, `Version ${tc.cmpVersion} of that tool.`),
    context('ConsentScreen', tc.consentScreen, `On screen ${tc.consentScreen} of the tool.`),
    context('ConsentLanguage', tc.consentLanguage, `In the language ${tc.consentLanguage}.`),
    context('VendorListVersion', tc.vendorListVersion, `With vendor list ${tc.vendorListVersion}.`),
    context('TcfPolicyVersion', tc.policyVersion, `Under version ${tc.policyVersion} of the policies.`),
    context(
      'IsServiceSpecific',
      bit(tc.isServiceSpecific),
      tc.isServiceSpecific ? 'For this site alone.' : 'For several sites together.',
    ),
    context(
      'UseNonStandardTexts',
      bit(tc.useNonStandardTexts),
      tc.useNonStandardTexts ? 'Shown with texts of the publisher.' : 'Shown with the texts of the framework.',
    ),
    context(
      'PurposeOneTreatment',
      bit(tc.purposeOneTreatment),
      tc.purposeOneTreatment ? 'Purpose 1 was not shown.' : 'Purpose 1 was shown like the others.',
    ),
    context('PublisherCC', tc.publisherCountry, `The publisher is under the law of ${tc.publisherCountry}.`),
  ];
}

function choiceLines(tc: TcString, names: Names, part: string): (StringLine | VendorsLine)[] {
  const purpose = (id: number): string => named(`purpose ${id}`, names.purpose(id));
  const feature = (id: number): string => named(`special feature ${id}`, names.specialFeature(id));
  return [
    ...bitLines(part, 'PurposesConsent', tc.purposeConsents, PURPOSES, (id, isSet) =>
      isSet ? `Consent to ${purpose(id)}.` : `No consent to ${purpose(id)}.`,
    ),
    ...bitLines(part, 'PurposesLITransparency', tc.purposeLegitimateInterests, PURPOSES, (id, isSet) =>
      isSet
        ? `Legitimate interest in ${purpose(id)}: disclosed, and not objected to.`
        : `No legitimate interest in ${purpose(id)}.`,
    ).filter(({ value, field }) => value === '1' || !CONSENT_ONLY.some((id) => field.endsWith(`[${id}]`))),
    ...bitLines(part, 'SpecialFeatureOptIns', tc.specialFeatureOptIns, SPECIAL_FEATURES, (id, isSet) =>
      isSet ? `Opted in to ${feature(id)}.` : `Not opted in to ${feature(id)}.`,
    ),
    vendorsLine(part, 'VendorConsents', tc.vendorConsents, names, 'Consent for'),
    vendorsLine(part, 'VendorLegitimateInterests', tc.vendorLegitimateInterests, names, 'Legitimate interest of'),
  ];
}

/** A line for every defined number, and for those above that are set. */
function bitLines(
  part: string,
  field: string,
  set: readonly number[],
  defined: number,
  text: (id: number, isSet: boolean) => string,
): StringLine[] {
  const ids = [...Array.from({ length: defined }, (_, i) => i + 1), ...set.filter((id) => id > defined)];
  return ids.map((id) => {
    const isSet = set.includes(id);
    return { part, field: `${field}[${id}]`, value: bit(isSet), text: text(id, isSet), kind: 'CHOICE' };
  });
}

const RESTRICTIONS = ['is not allowed to', 'needs consent for', 'needs legitimate interest for'];

function restrictionLines({ restrictions }: TcString, names: Names, part: string): VendorsLine[] {
  const byName = new Map<string, { purpose: number; type: number; vendors: IdRanges }>();
  for (const { purpose, type, vendors } of restrictions) {
    const name = `PubRestrictions[${purpose}][${type}]`;
    byName.set(name, { purpose, type, vendors: idRanges([...(byName.get(name)?.vendors ?? []), ...vendors]) });
  }
  return [...byName].map(([field, { purpose, type, vendors }]) => {
    const what = named(`Purpose ${purpose}`, names.purpose(purpose));
    return vendorsLine(part, field, vendors, names, `${what} ${RESTRICTIONS[type]}`);
  });
}

function segmentLines(tc: TcString, names: Names, within: string): (StringLine | VendorsLine)[] {
  const { disclosedVendors, allowedVendors, publisher } = tc;
  const [disclosed, allowed, part] = [`${within}disclosedVendors`, `${within}allowedVendors`, `${within}publisherTC`];
  const purpose = (id: number): string => named(`purpose ${id}`, names.purpose(id));
  return [
    ...(disclosedVendors ? [vendorsLine(disclosed, 'DisclosedVendors', disclosedVendors, names, 'Shown were')] : []),
    ...(allowedVendors ? [vendorsLine(allowed, 'AllowedVendors', allowedVendors, names, 'Allowed are')] : []),
    ...(publisher
      ? [
          ...bitLines(part, 'PubPurposesConsent', publisher.consents, PURPOSES, (id, isSet) =>
            isSet ? `The publisher has consent to ${purpose(id)}.` : `The publisher has no consent to ${purpose(id)}.`,
          ),
          ...bitLines(
            part,
            'PubPurposesLITransparency',
            publisher.legitimateInterests,
            0,
            (id) => `The publisher has a legitimate interest in ${purpose(id)}, not objected to.`,
          ),
          ...bitLines(
            part,
            'CustomPurposesConsent',
            publisher.customConsents,
            0,
            (id) => `The publisher has consent to its own purpose ${id}.`,
          ),
          ...bitLines(
            part,
            'CustomPurposesLITransparency',
            publisher.customLegitimateInterests,
            0,
            (id) => `The publisher has a legitimate interest in its own purpose ${id}, not objected to.`,
          ),
        ]
      : []),
  ];
}

function vendorsLine(part: string, field: string, vendors: IdRanges, names: Names, what: string): VendorsLine {
  return {
    ...{ part, field, vendors },
    value: rangesText(vendors),
    text: `${what} ${vendorsText(vendors, names)}.`,
    kind: 'CHOICE',
  };
}

/** `3 vendors: Alpha (2), Beta (8), 28`. */
export function vendorsText(vendors: IdRanges, names: Names): string {
  const count = countOf(vendors);
  if (count === 0) return 'no vendor';
  const shown = firstIds(vendors, NAMED_MAX).map((id) => {
    const name = names.vendor(id);
    return name === null ? String(id) : `${name} (${id})`;
  });
  const more = count - shown.length;
  return `${count === 1 ? '1 vendor' : `${count} vendors`}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function tcWarnings(tc: TcString): string[] {
  const warnings = [
    !tc.isServiceSpecific && 'IsServiceSpecific is 0: since TCF 2.2 strings are for one service.',
    tc.disclosedVendors === null &&
      'There is no segment of disclosed vendors: since 1 March 2026 a string without it is invalid.',
    tc.created !== tc.lastUpdated && 'Created and LastUpdated differ, and have to be the same.',
    (tc.created % DAY_MS !== 0 || tc.lastUpdated % DAY_MS !== 0) && 'Times have to be whole days of UTC.',
    tc.cmpId < 2 && `CmpId ${tc.cmpId} is no registered consent tool.`,
    ...CONSENT_ONLY.map(
      (id) => tc.purposeLegitimateInterests.includes(id) && `Legitimate interest is no ground for purpose ${id}.`,
    ),
    tc.purposeConsents.some((id) => id > PURPOSES) && 'There is consent to purposes that are not defined.',
  ];
  return warnings.filter((warning) => warning !== false);
}

const named = (what: string, name: string | null): string => (name === null ? what : `${what} (${name})`);
const bit = (isSet: boolean): string => (isSet ? '1' : '0');
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
