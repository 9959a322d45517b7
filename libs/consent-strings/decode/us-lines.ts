import { UNSETTLED_SECTIONS, type SensitiveKind } from '../../catalogue/index.js';
import type { UsSection } from '../gpp/us-sections.js';
import type { UsValues } from '../gpp/us-values.js';
import type { SaidByString, StringLine } from './lines.js';

/** The subject of each notice, in words. */
const NOTICES: Readonly<Record<string, string>> = {
  ProcessingNotice: 'the processing of personal data',
  SharingNotice: 'the sharing of personal data with others',
  SaleOptOutNotice: 'the right to opt out of the sale of personal data',
  SharingOptOutNotice: 'the right to opt out of the sharing of personal data',
  TargetedAdvertisingOptOutNotice: 'the right to opt out of targeted advertising',
  SensitiveDataProcessingOptOutNotice: 'the right to opt out of the processing of sensitive data',
  SensitiveDataOptOutNotice: 'the right to opt out of the processing of sensitive data',
  SensitiveDataLimitUseNotice: 'the right to limit the use of sensitive data',
};
const OPT_OUTS: Readonly<Record<string, string>> = {
  SaleOptOut: 'the sale of personal data',
  SharingOptOut: 'the sharing of personal data',
  TargetedAdvertisingOptOut: 'targeted advertising',
};
const CONSENTS: Readonly<Record<string, string>> = {
  PersonalDataConsents: 'uses that do not fit what personal data were collected for',
  AdditionalDataProcessingConsent: 'uses that do not fit what personal data were collected for',
};
const KINDS: Readonly<Record<SensitiveKind, string>> = {
  RACE: 'racial or ethnic origin',
  RELIGION: 'beliefs',
  HEALTH: 'health',
  SEX_LIFE: 'sex life or sexual orientation',
  CITIZENSHIP: 'citizenship or immigration status',
  GENETIC: 'genetic data',
  BIOMETRIC: 'biometric data',
  GEOLOCATION: 'precise geolocation',
  IDENTIFICATION: 'numbers of identity documents',
  ACCOUNT_ACCESS: 'access to accounts',
  UNION: 'union membership',
  MESSAGES: 'contents of messages',
  CONSUMER_HEALTH: 'consumer health data',
  CRIME_VICTIM: 'having been the victim of a crime',
  NATIONAL_ORIGIN: 'national origin',
  TRANSGENDER: 'being transgender or nonbinary',
};

type Words = readonly [notApplicable: string, one: string, two: string];

const noticeOf = (what: string): Words => [
  `Notice of ${what}: does not apply.`,
  `Notice of ${what} was given.`,
  `Notice of ${what} was not given.`,
];
const optOutOf = (what: string): Words => [
  `Opting out of ${what}: does not apply, or was not offered.`,
  `Opted out of ${what}.`,
  `Did not opt out of ${what}.`,
];
const consentTo = (what: string): Words => [
  `Consent to ${what}: does not apply.`,
  `No consent to ${what}.`,
  `Consent to ${what}.`,
];
const MSPA: Readonly<Record<string, Words>> = {
  MspaCoveredTransaction: [
    'Whether the Multi-State Privacy Agreement covers the transaction is not said.',
    'Covered by the Multi-State Privacy Agreement.',
    'Not covered by the Multi-State Privacy Agreement.',
  ],
  MspaOptOutOptionMode: [
    'Opt-out option mode: does not apply.',
    'In opt-out option mode.',
    'Not in opt-out option mode.',
  ],
  MspaServiceProviderMode: [
    'Service provider mode: does not apply.',
    'In service provider mode.',
    'Not in service provider mode.',
  ],
  MspaMode: ['No mode of the agreement.', 'In opt-out option mode.', 'In service provider mode.'],
};

/** A US section in words. */
export function usLines(layout: UsSection, values: UsValues): SaidByString {
  const part = layout.name;
  const lines = Object.entries(values).flatMap(([name, value]): StringLine[] => {
    const kind = /Version$|^Mspa/.test(name) ? 'CONTEXT' : 'CHOICE';
    if (typeof value === 'boolean') return [{ part, field: name, value: value ? '1' : '0', text: signal(value), kind }];
    if (typeof value === 'number')
      return [{ part, field: name, value: String(value), text: textOf(layout, name, 0, value), kind }];
    return value.map((each, i) => ({
      part,
      field: `${name}[${i + 1}]`,
      value: String(each),
      text: textOf(layout, name, i, each),
      kind,
    }));
  });
  return { lines, warnings: warningsOf(layout, values) };
}

const signal = (isOn: boolean): string =>
  isOn ? 'The browser sends Global Privacy Control.' : 'The browser sends no Global Privacy Control.';

function textOf(layout: UsSection, name: string, i: number, value: number): string {
  if (name === 'Version') return `Version ${value} of the section.`;
  if (name === 'MspaVersion') return `Version ${value} of the Multi-State Privacy Agreement.`;
  return wordsOf(layout, name, i)[value] ?? `${value}, which is undefined.`;
}

function wordsOf(layout: UsSection, name: string, i: number): Words {
  const { sensitive, sensitiveBy, children, sharingNoticeOf } = layout;
  if (name === 'SharingNotice' && sharingNoticeOf === 'PROCESSING') return wordsOf(layout, 'ProcessingNotice', i);
  const [notice, optOut, consent] = [NOTICES[name], OPT_OUTS[name], CONSENTS[name]];
  if (notice !== undefined) return noticeOf(notice);
  if (optOut !== undefined) return optOutOf(optOut);
  if (consent !== undefined) return consentTo(consent);
  if (name === 'KnownChildSensitiveDataConsents') return consentTo(children[i]!);
  if (name !== 'SensitiveDataProcessing') return MSPA[name]!;
  const what = `the use of sensitive data: ${sensitive[i]!.map((kind) => KINDS[kind]).join('; ')}`;
  return sensitiveBy === 'OPT_OUT' ? optOutOf(what) : consentTo(what);
}

function warningsOf(layout: UsSection, values: UsValues): string[] {
  const { name: part } = layout;
  const undefinedValues = Object.entries(values).filter(([, value]) => [value].flat().includes(3));
  const withoutNotice = Object.keys(OPT_OUTS).filter(
    (name) => (values[name] ?? 0) !== 0 && values[`${name}Notice`] !== 1,
  );
  const version = values['Version'] ?? layout.version;
  return [
    ...(version === layout.version
      ? []
      : [
          `${part}: Version is ${String(version)}, and the section has the length of version ${layout.version}. It was read by its length, as the official libraries do: some of them wrote the wrong version.`,
        ]),
    ...undefinedValues.map(([name]) => `${part}: ${name} has the value 3, which is undefined.`),
    ...withoutNotice.map((name) => `${part}: ${name} is ${String(values[name])} although no notice of it was given.`),
    ...(values['MspaCoveredTransaction'] === 0
      ? [`${part}: MspaCoveredTransaction is 0, which is no value of it.`]
      : []),
    ...(Object.values(UNSETTLED_SECTIONS).includes(layout.id)
      ? [`${part}: the layout of this section is not settled; other readers may read it otherwise.`]
      : []),
  ];
}
