import type { UsCategory } from '../../catalogue/index.js';
import type { UsSection } from './us-sections.js';

/** What a US section has to know of a purpose. */
export interface UsPurpose {
  /** What it does with data, by its `frameworks.us`. */
  categories: readonly UsCategory[];
  /** Whether the person was told of it, and how to refuse. */
  isNoticed: boolean;
  /** Whether it may be done: the effective state. */
  isAllowed: boolean;
  /** Whether it may be done because the person said so. */
  isConsented: boolean;
}

/** Of the Multi-State Privacy Agreement: whether the site is a signatory whose transactions are covered, and in which mode. */
export interface Mspa {
  covered: boolean;
  mode: 'OPT_OUT' | 'SERVICE_PROVIDER' | null;
}

/** All that a US section says. */
export interface UsFacts {
  purposes: readonly UsPurpose[];
  /** Whether the browser sends Global Privacy Control, wherever it binds. */
  gpc: boolean;
  mspa: Mspa;
}

export type UsValue = number | readonly number[] | boolean;
/** By the names of the specification. */
export type UsValues = Readonly<Record<string, UsValue>>;

const NOT_APPLICABLE = 0;
/** Of a notice: given. Of an opt-out: opted out. Of a consent: none given. Of the MSPA: yes. */
const ONE = 1;
/** Of a notice: not given. Of an opt-out: did not opt out. Of a consent: given. Of the MSPA: no. */
const TWO = 2;

/**
 * What a section says of a subject. One is the refusing value throughout, and two the permitting one, which no purpose
 * that is blocked ever leads to. An opt-out is told only where its notice was given (the libraries do not check that).
 * A consent is told only where the person gave it: that a purpose is allowed by default is none.
 */
export function usValues(section: UsSection, facts: UsFacts): UsValues {
  const values: Record<string, UsValue> = {};
  for (const { name } of section.core) values[name] = valueOf(name, section, facts);
  if (section.behind === 'SENSITIVE') values['SensitiveDataProcessing'] = sensitiveData(section, facts);
  if (section.behind === 'GPC') values['Gpc'] = facts.gpc;
  return values;
}

function valueOf(name: string, section: UsSection, facts: UsFacts): UsValue {
  switch (name) {
    case 'Version':
      return section.version;
    case 'MspaVersion':
      return section.version;
    case 'ProcessingNotice':
      return noticeOf(facts.purposes);
    case 'SharingNotice':
      if (section.sharingNoticeOf === 'PROCESSING') return noticeOf(facts.purposes);
      return noticeOf(having(facts, ['SALE', 'SHARING', 'TARGETED_ADVERTISING']));
    case 'SaleOptOutNotice':
    case 'SharingOptOutNotice':
    case 'TargetedAdvertisingOptOutNotice':
      return noticeOf(having(facts, OPT_OUT_OF[name.slice(0, -'Notice'.length) as OptOut](section)));
    case 'SaleOptOut':
    case 'SharingOptOut':
    case 'TargetedAdvertisingOptOut':
      return optOutOf(having(facts, OPT_OUT_OF[name](section)));
    case 'SensitiveDataProcessingOptOutNotice':
    case 'SensitiveDataOptOutNotice':
    case 'SensitiveDataLimitUseNotice':
      return noticeOf(sensitivePurposes(facts));
    case 'SensitiveDataProcessing':
      return sensitiveData(section, facts);
    case 'KnownChildSensitiveDataConsents':
      // The service keeps nothing by which a child would be known.
      return section.children.length > 1 ? section.children.map(() => NOT_APPLICABLE) : NOT_APPLICABLE;
    case 'PersonalDataConsents':
    case 'AdditionalDataProcessingConsent':
      return consentTo(having(facts, ['ADDITIONAL_PROCESSING']));
    default:
      return mspaValue(name, facts.mspa);
  }
}

type OptOut = 'SaleOptOut' | 'SharingOptOut' | 'TargetedAdvertisingOptOut';

const hasField = ({ core }: UsSection, name: string): boolean => core.some((field) => field.name === name);

/**
 * Which categories an opt-out is about. California calls "sharing" what is targeted advertising elsewhere: where a section
 * knows one of the two only, that one stands for both, so that no refusal is lost.
 */
const OPT_OUT_OF: Readonly<Record<OptOut, (section: UsSection) => readonly UsCategory[]>> = {
  SaleOptOut: () => ['SALE'],
  SharingOptOut: (section) =>
    hasField(section, 'TargetedAdvertisingOptOut') ? ['SHARING'] : ['SHARING', 'TARGETED_ADVERTISING'],
  TargetedAdvertisingOptOut: (section) =>
    hasField(section, 'SharingOptOut') ? ['TARGETED_ADVERTISING'] : ['TARGETED_ADVERTISING', 'SHARING'],
};

const having = ({ purposes }: UsFacts, wanted: readonly UsCategory[]): UsPurpose[] =>
  purposes.filter(({ categories }) => categories.some((category) => wanted.includes(category)));

const sensitivePurposes = ({ purposes }: UsFacts): UsPurpose[] =>
  purposes.filter(({ categories }) => categories.some((category) => category.startsWith('SENSITIVE_')));

/** Of a kind of use: the notice tells of the kind, not of single purposes. */
function noticeOf(purposes: readonly UsPurpose[]): number {
  if (purposes.length === 0) return NOT_APPLICABLE;
  return purposes.some(({ isNoticed }) => isNoticed) ? ONE : TWO;
}

function optOutOf(purposes: readonly UsPurpose[]): number {
  if (noticeOf(purposes) !== ONE) return NOT_APPLICABLE;
  return purposes.every(({ isAllowed }) => isAllowed) ? TWO : ONE;
}

function consentTo(purposes: readonly UsPurpose[]): number {
  if (purposes.length === 0) return NOT_APPLICABLE;
  return purposes.every(({ isAllowed, isConsented }) => isAllowed && isConsented) ? TWO : ONE;
}

function sensitiveData({ sensitive, sensitiveBy }: UsSection, facts: UsFacts): number[] {
  // The notice is one for all kinds.
  const isNoticed = noticeOf(sensitivePurposes(facts)) === ONE;
  return sensitive.map((kinds) => {
    const purposes = having(
      facts,
      kinds.map((kind) => `SENSITIVE_${kind}` as const),
    );
    if (sensitiveBy === 'CONSENT') return consentTo(purposes);
    if (purposes.length === 0 || !isNoticed) return NOT_APPLICABLE;
    return purposes.every(({ isAllowed }) => isAllowed) ? TWO : ONE;
  });
}

/** Whether a transaction is covered is said in any case: 0 is no value of it, and libraries take yes by default. */
function mspaValue(name: string, { covered, mode }: Mspa): number {
  const isOptOut = mode === 'OPT_OUT';
  const isProvider = mode === 'SERVICE_PROVIDER';
  if (name === 'MspaCoveredTransaction') return covered ? ONE : TWO;
  if (!covered || mode === null) return NOT_APPLICABLE;
  if (name === 'MspaMode') return isOptOut ? ONE : TWO;
  return (name === 'MspaOptOutOptionMode' ? isOptOut : isProvider) ? ONE : TWO;
}
