import type { UsCategory } from '../../catalogue/index.js';
import type { UsSection } from './us-sections.js';

/** What a US section needs of a purpose. */
export interface UsPurpose {
  /** What the purpose does with data, by its `frameworks.us`. */
  categories: readonly UsCategory[];
  /** Whether the person was informed of it, and of how to refuse. */
  isNoticed: boolean;
  /** Whether it may be done: the effective state. */
  isAllowed: boolean;
  /** Whether it may be done because the person agreed. */
  isConsented: boolean;
}

/**
 * The Multi-State Privacy Agreement: whether the site is a signatory whose transactions are covered, and in which mode.
 */
export interface Mspa {
  covered: boolean;
  mode: 'OPT_OUT' | 'SERVICE_PROVIDER' | null;
}

/** The facts that a US section states. */
export interface UsFacts {
  purposes: readonly UsPurpose[];
  /** Whether the browser sends Global Privacy Control, whether or not it binds at the place. */
  gpc: boolean;
  mspa: Mspa;
}

export type UsValue = number | readonly number[] | boolean;
/** By the names of the specification. */
export type UsValues = Readonly<Record<string, UsValue>>;

const NOT_APPLICABLE = 0;
/** Notice: given. Opt-out: opted out. Consent: none given. MSPA: yes. */
const ONE = 1;
/** Notice: not given. Opt-out: did not opt out. Consent: given. MSPA: no. */
const TWO = 2;

/**
 * The values of a section for a subject. One always refuses and two always permits; a blocked purpose never leads to
 * two. An opt-out is written only where its notice was given (the libraries do not check that). A consent is written
 * only where the person gave it: a purpose that is allowed by default has none.
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
      // The service stores nothing that identifies a child.
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
 * The categories of each opt-out. California calls "sharing" what other states call targeted advertising. A section with
 * only one of the two takes both categories, so that no refusal is lost.
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

/** Notice of a kind of use: it covers the kind, not single purposes. */
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
  // One notice covers all kinds.
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

/** Always states whether a transaction is covered: 0 is no valid value, and libraries default to yes. */
function mspaValue(name: string, { covered, mode }: Mspa): number {
  const isOptOut = mode === 'OPT_OUT';
  const isProvider = mode === 'SERVICE_PROVIDER';
  if (name === 'MspaCoveredTransaction') return covered ? ONE : TWO;
  if (!covered || mode === null) return NOT_APPLICABLE;
  if (name === 'MspaMode') return isOptOut ? ONE : TWO;
  return (name === 'MspaOptOutOptionMode' ? isOptOut : isProvider) ? ONE : TWO;
}
