import type { SensitiveKind } from '../../catalogue/index.js';

/** A field in the first part of a section. */
export interface UsField {
  name: string;
  /** Bits of each value. */
  bits: 2 | 6;
  /** Number of values; null: one value, not a list. */
  count: number | null;
}

/**
 * Layout of a US section of IAB GPP: "GPP Extension: … Privacy Technical Specification" of each state, and of the nation.
 * Field names are those of the specifications, as in `parsed`.
 */
export interface UsSection {
  id: number;
  /** Prefix of the client side interface: `usca`. */
  name: string;
  version: number;
  core: readonly UsField[];
  /** Kinds of sensitive data by place in SensitiveDataProcessing; one place may stand for several. */
  sensitive: readonly (readonly SensitiveKind[])[];
  /** Meaning of a refusing value of SensitiveDataProcessing: the person opted out, or gave no consent. */
  sensitiveBy: 'OPT_OUT' | 'CONSENT';
  /** Subject of each place of KnownChildSensitiveDataConsents. */
  children: readonly string[];
  /** Subject of its SharingNotice. Two sections use that name for what others call ProcessingNotice. */
  sharingNoticeOf: 'SHARING' | 'PROCESSING';
  /** The part behind the dot: the signal, consents to sensitive data, or nothing. */
  behind: 'GPC' | 'SENSITIVE' | null;
}

const CHILD = 'processing sensitive data of a known child';
/** For sections that ask for consent to any use of the child's data. */
const ANY_OF_CHILD = 'processing personal data of a known child';
const TEENS = [
  CHILD,
  'selling personal data of people from 13 to 15',
  'targeted advertising with personal data of people from 13 to 15',
];
const TEENS_AND = (elder: string): string[] => [
  ...TEENS,
  `selling personal data of ${elder}`,
  `targeted advertising with personal data of ${elder}`,
];
const MSPA = ['MspaCoveredTransaction', 'MspaOptOutOptionMode', 'MspaServiceProviderMode'];

const eachOwn = (...kinds: SensitiveKind[]): SensitiveKind[][] => kinds.map((kind) => [kind]);
const EIGHT = eachOwn('RACE', 'RELIGION', 'HEALTH', 'SEX_LIFE', 'CITIZENSHIP', 'GENETIC', 'BIOMETRIC', 'GEOLOCATION');
const SIXTEEN = [
  ...EIGHT,
  ...eachOwn(
    'IDENTIFICATION',
    'ACCOUNT_ACCESS',
    'UNION',
    'MESSAGES',
    'CONSUMER_HEALTH',
    'CRIME_VICTIM',
    'NATIONAL_ORIGIN',
    'TRANSGENDER',
  ),
];

type Given = Pick<UsSection, 'id' | 'name'> & Partial<Omit<UsSection, 'core'>> & { core: readonly string[] };

function section({ core, ...given }: Given): UsSection {
  const { sensitive = EIGHT, children = [CHILD] } = given;
  const lists: Record<string, number> = {
    SensitiveDataProcessing: sensitive.length,
    // A single value is not written as a list.
    ...(children.length > 1 && { KnownChildSensitiveDataConsents: children.length }),
  };
  return {
    version: 1,
    sensitiveBy: 'CONSENT',
    sharingNoticeOf: 'SHARING',
    behind: 'GPC',
    ...given,
    sensitive,
    children,
    core: core.map((name) => ({ name, bits: /Version$/.test(name) ? 6 : 2, count: lists[name] ?? null })),
  };
}

interface StateGiven extends Partial<Omit<UsSection, 'core' | 'id' | 'name'>> {
  notice?: 'SharingNotice';
  sensitiveNotice?: string;
  /** False in the first sections, which had no AdditionalDataProcessingConsent. */
  hasAdditional?: false;
}

const state = (
  id: number,
  name: string,
  { notice, sensitiveNotice, hasAdditional, ...given }: StateGiven = {},
): UsSection =>
  section({
    id,
    name,
    ...given,
    core: [
      'Version',
      notice ?? 'ProcessingNotice',
      'SaleOptOutNotice',
      'TargetedAdvertisingOptOutNotice',
      ...(sensitiveNotice === undefined ? [] : [sensitiveNotice]),
      'SaleOptOut',
      'TargetedAdvertisingOptOut',
      'SensitiveDataProcessing',
      'KnownChildSensitiveDataConsents',
      ...(hasAdditional === false ? [] : ['AdditionalDataProcessingConsent']),
      ...MSPA,
    ],
  });

/** The layout of the field's libraries. The specifications demand a header before it, which no library writes. */
const unsettled = (id: number, name: string, isMaryland = false): UsSection =>
  section({
    id,
    name,
    behind: isMaryland ? 'GPC' : 'SENSITIVE',
    ...(isMaryland ? { children: [], sensitive: [] } : { children: [ANY_OF_CHILD] }),
    core: [
      'MspaVersion',
      'MspaCoveredTransaction',
      'MspaMode',
      'ProcessingNotice',
      'SaleOptOutNotice',
      'TargetedAdvertisingOptOutNotice',
      'SaleOptOut',
      'TargetedAdvertisingOptOut',
      ...(isMaryland ? [] : ['KnownChildSensitiveDataConsents']),
      'AdditionalDataProcessingConsent',
    ],
  });

const NATIONAL_CORE = [
  'Version',
  'SharingNotice',
  'SaleOptOutNotice',
  'SharingOptOutNotice',
  'TargetedAdvertisingOptOutNotice',
  'SensitiveDataProcessingOptOutNotice',
  'SensitiveDataLimitUseNotice',
  'SaleOptOut',
  'SharingOptOut',
  'TargetedAdvertisingOptOut',
  'SensitiveDataProcessing',
  'KnownChildSensitiveDataConsents',
  'PersonalDataConsents',
  ...MSPA,
];

const FROM_13 = 'processing personal data of people from 13 to 16';
const BELOW_13 = 'processing personal data of children below 13';

export const US_NATIONAL = section({
  id: 7,
  name: 'usnat',
  version: 2,
  sharingNoticeOf: 'PROCESSING',
  sensitive: SIXTEEN,
  children: [FROM_13, BELOW_13, 'processing personal data of people from 16 to 17'],
  core: NATIONAL_CORE,
});

/** The layout until August 2024. Such strings still exist; this release only reads them. */
export const US_NATIONAL_V1 = section({
  id: 7,
  name: 'usnat',
  version: 1,
  sensitive: SIXTEEN.slice(0, 12),
  children: [FROM_13, BELOW_13],
  core: NATIONAL_CORE,
});

const FIRST = { notice: 'SharingNotice', hasAdditional: false } as const;

/** Every US section by its id. */
export const US_SECTIONS: ReadonlyMap<number, UsSection> = new Map(
  [
    US_NATIONAL,
    section({
      id: 8,
      name: 'usca',
      sensitiveBy: 'OPT_OUT',
      sensitive: [
        ['IDENTIFICATION'],
        ['ACCOUNT_ACCESS'],
        ['GEOLOCATION'],
        ['RACE', 'RELIGION', 'UNION'],
        ['MESSAGES'],
        ['GENETIC'],
        ['BIOMETRIC'],
        ['HEALTH'],
        ['SEX_LIFE'],
      ],
      children: ['selling personal data of people below 16', 'sharing personal data of people below 16'],
      core: [
        'Version',
        'SaleOptOutNotice',
        'SharingOptOutNotice',
        'SensitiveDataLimitUseNotice',
        'SaleOptOut',
        'SharingOptOut',
        'SensitiveDataProcessing',
        'KnownChildSensitiveDataConsents',
        'PersonalDataConsents',
        ...MSPA,
      ],
    }),
    state(9, 'usva', { ...FIRST, behind: null }),
    state(10, 'usco', { ...FIRST, sensitive: EIGHT.slice(0, 7) }),
    state(11, 'usut', {
      ...FIRST,
      behind: null,
      sensitiveBy: 'OPT_OUT',
      sensitiveNotice: 'SensitiveDataProcessingOptOutNotice',
      sensitive: eachOwn(
        'RACE',
        'RELIGION',
        'SEX_LIFE',
        'CITIZENSHIP',
        'HEALTH',
        'GENETIC',
        'BIOMETRIC',
        'GEOLOCATION',
      ),
    }),
    state(12, 'usct', { ...FIRST, children: TEENS }),
    state(13, 'usfl', {
      behind: null,
      children: [
        'processing sensitive data of a known child below 13',
        'processing sensitive data of people from 13 to 15',
        'processing sensitive data of people from 16 to 17',
      ],
    }),
    state(14, 'usmt', { notice: 'SharingNotice', sharingNoticeOf: 'PROCESSING', children: TEENS }),
    state(15, 'usor', {
      children: TEENS,
      sensitive: eachOwn(
        'RACE',
        'RELIGION',
        'HEALTH',
        'SEX_LIFE',
        'TRANSGENDER',
        'CITIZENSHIP',
        'NATIONAL_ORIGIN',
        'CRIME_VICTIM',
        'GENETIC',
        'BIOMETRIC',
        'GEOLOCATION',
      ),
    }),
    state(16, 'ustx'),
    // By the corrected text; the first one of July 2024 had TRANSGENDER in the fifth place.
    state(17, 'usde', { children: TEENS_AND('people from 16 to 17'), sensitive: [...EIGHT, ['TRANSGENDER']] }),
    state(18, 'usia', { hasAdditional: false, sensitiveBy: 'OPT_OUT', sensitiveNotice: 'SensitiveDataOptOutNotice' }),
    state(19, 'usne', { children: [ANY_OF_CHILD] }),
    state(20, 'usnh', { children: TEENS }),
    state(21, 'usnj', {
      children: TEENS_AND('people of 16'),
      sensitive: [...EIGHT, ...eachOwn('TRANSGENDER', 'ACCOUNT_ACCESS')],
    }),
    state(22, 'ustn'),
    state(23, 'usmn', { children: [ANY_OF_CHILD] }),
    unsettled(24, 'usmd', true),
    unsettled(25, 'usin'),
    unsettled(26, 'usky'),
    unsettled(27, 'usri'),
  ].map((each) => [each.id, each]),
);
