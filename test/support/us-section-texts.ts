/*
 * What stands in which place of each US section of IAB GPP, written off by hand from the texts of the sections in the
 * repository of the specification ("Sections/US-States", "Sections/US-National"). Libraries carry no meanings, so that
 * writing and reading again with any of them never shows that a meaning stands in the wrong place.
 */

/** The words of the texts, shortened: with the kind of the catalogue, and what a decoded string says of it. */
export const SENSITIVE_WORDS = {
  race: ['RACE', 'racial or ethnic origin'],
  religion: ['RELIGION', 'beliefs'],
  health: ['HEALTH', 'health'],
  sex: ['SEX_LIFE', 'sex life or sexual orientation'],
  citizenship: ['CITIZENSHIP', 'citizenship or immigration status'],
  genetic: ['GENETIC', 'genetic data'],
  biometric: ['BIOMETRIC', 'biometric data'],
  geolocation: ['GEOLOCATION', 'precise geolocation'],
  identification: ['IDENTIFICATION', 'numbers of identity documents'],
  account: ['ACCOUNT_ACCESS', 'access to accounts'],
  union: ['UNION', 'union membership'],
  messages: ['MESSAGES', 'contents of messages'],
  consumerHealth: ['CONSUMER_HEALTH', 'consumer health data'],
  victim: ['CRIME_VICTIM', 'having been the victim of a crime'],
  nationalOrigin: ['NATIONAL_ORIGIN', 'national origin'],
  transgender: ['TRANSGENDER', 'being transgender or nonbinary'],
} as const;
export type SensitiveWord = keyof typeof SENSITIVE_WORDS;

export interface UsSectionText {
  id: number;
  name: string;
  version: number;
  /** SensitiveDataProcessing, from place 1 on; words joined by + share a place. */
  sensitive: string;
  /** What 1 and 2 in it say: opted out and not, or no consent and consent. */
  by: 'OPT_OUT' | 'CONSENT';
  /** KnownChildSensitiveDataConsents, from place 1 on. */
  children: readonly string[];
  /** Of SharingNotice: what it is a notice of. */
  sharingNotice?: 'sharing' | 'processing';
}

const SENSITIVE_OF_CHILD = 'processing sensitive data of a known child';
const ANY_OF_CHILD = 'processing personal data of a known child';
const TEENS = [
  SENSITIVE_OF_CHILD,
  'selling personal data of people from 13 to 15',
  'targeted advertising with personal data of people from 13 to 15',
];
const FROM_13 = 'processing personal data of people from 13 to 16';
const BELOW_13 = 'processing personal data of children below 13';

export const US_SECTION_TEXTS: readonly UsSectionText[] = [
  {
    ...{ id: 7, name: 'usnat', version: 1, by: 'CONSENT', sharingNotice: 'sharing' },
    sensitive:
      'race religion health sex citizenship genetic biometric geolocation identification account union messages',
    children: [FROM_13, BELOW_13],
  },
  {
    ...{ id: 7, name: 'usnat', version: 2, by: 'CONSENT', sharingNotice: 'processing' },
    sensitive:
      'race religion health sex citizenship genetic biometric geolocation identification account union messages consumerHealth victim nationalOrigin transgender',
    children: [FROM_13, BELOW_13, 'processing personal data of people from 16 to 17'],
  },
  {
    ...{ id: 8, name: 'usca', version: 1, by: 'OPT_OUT' },
    sensitive: 'identification account geolocation race+religion+union messages genetic biometric health sex',
    children: ['selling personal data of people below 16', 'sharing personal data of people below 16'],
  },
  {
    ...{ id: 9, name: 'usva', version: 1, by: 'CONSENT', sharingNotice: 'sharing' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: [SENSITIVE_OF_CHILD],
  },
  {
    ...{ id: 10, name: 'usco', version: 1, by: 'CONSENT', sharingNotice: 'sharing' },
    sensitive: 'race religion health sex citizenship genetic biometric',
    children: [SENSITIVE_OF_CHILD],
  },
  {
    ...{ id: 11, name: 'usut', version: 1, by: 'OPT_OUT', sharingNotice: 'sharing' },
    sensitive: 'race religion sex citizenship health genetic biometric geolocation',
    children: [SENSITIVE_OF_CHILD],
  },
  {
    ...{ id: 12, name: 'usct', version: 1, by: 'CONSENT', sharingNotice: 'sharing' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: TEENS,
  },
  {
    ...{ id: 13, name: 'usfl', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: [
      'processing sensitive data of a known child below 13',
      'processing sensitive data of people from 13 to 15',
      'processing sensitive data of people from 16 to 17',
    ],
  },
  {
    ...{ id: 14, name: 'usmt', version: 1, by: 'CONSENT', sharingNotice: 'processing' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: TEENS,
  },
  {
    ...{ id: 15, name: 'usor', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex transgender citizenship nationalOrigin victim genetic biometric geolocation',
    children: TEENS,
  },
  {
    ...{ id: 16, name: 'ustx', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: [SENSITIVE_OF_CHILD],
  },
  {
    ...{ id: 17, name: 'usde', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation transgender',
    children: [
      ...TEENS,
      'selling personal data of people from 16 to 17',
      'targeted advertising with personal data of people from 16 to 17',
    ],
  },
  {
    ...{ id: 18, name: 'usia', version: 1, by: 'OPT_OUT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: [SENSITIVE_OF_CHILD],
  },
  {
    ...{ id: 19, name: 'usne', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: [ANY_OF_CHILD],
  },
  {
    ...{ id: 20, name: 'usnh', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: TEENS,
  },
  {
    ...{ id: 21, name: 'usnj', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation transgender account',
    children: [
      ...TEENS,
      'selling personal data of people of 16',
      'targeted advertising with personal data of people of 16',
    ],
  },
  {
    ...{ id: 22, name: 'ustn', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: [SENSITIVE_OF_CHILD],
  },
  {
    ...{ id: 23, name: 'usmn', version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: [ANY_OF_CHILD],
  },
  { ...{ id: 24, name: 'usmd', version: 1, by: 'CONSENT' }, sensitive: '', children: [] },
  ...(
    [
      [25, 'usin'],
      [26, 'usky'],
      [27, 'usri'],
    ] as const
  ).map(([id, name]): UsSectionText => ({
    ...{ id, name, version: 1, by: 'CONSENT' },
    sensitive: 'race religion health sex citizenship genetic biometric geolocation',
    children: [ANY_OF_CHILD],
  })),
];
