import { BY_ANY_KEY, type OperationDeclaration } from '../../access/index.js';
import { AdditionalConsentDto, FrameworkQuery, GoogleConsentModeDto, TcStringDto, TcStringQuery } from '../dto.js';
import { TC_SEGMENTS } from '../tcf/segments.js';
import { TO_READ_PERSONS } from '../../context/roles.js';

/** The query names the subject. */
const SUBJECT_IN_QUERY = { in: 'query', name: 'subject' } as const;

/** Parts that all operations for framework strings share, also in other folders. */
export const STRING_OF_SUBJECT = {
  ...BY_ANY_KEY,
  method: 'GET',
  scope: 'consent:read',
  subject: SUBJECT_IN_QUERY,
  tag: 'Frameworks',
  query: FrameworkQuery,
  headers: [
    {
      name: 'X-Log-Position',
      description: 'As a write answered it: the answer reflects at least that write.',
      required: false,
      example: '42',
    },
    {
      name: 'If-None-Match',
      description: 'ETag of the answer at hand; a list or `*`.',
      required: false,
      example: 'W/"c5.2.0-1.1b-t1"',
    },
    {
      name: 'Cache-Control',
      description: '`no-cache` is the same as `fresh=true`.',
      required: false,
      example: 'no-cache',
    },
  ],
} as const;

export const STRING_HEADERS = { ETag: 'Weak tag of this answer.' };
export const STRING_UNCHANGED = {
  status: 304,
  description: 'The answer at hand is current.',
  headers: { ETag: 'Its tag.' },
} as const;
export const STRING_REFUSALS = [
  'subject_ref_invalid',
  'identifier_kind_unknown',
  'subject_erased',
  'validation_failed',
] as const;

const DAY = '2026-11-21T00:00:00.000Z';

export const FRAMEWORK_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...STRING_OF_SUBJECT,
    headers: [...STRING_OF_SUBJECT.headers],
    query: TcStringQuery,
    id: 'getTcString',
    roles: TO_READ_PERSONS,
    path: '/v1/consent/tcstring',
    summary: 'TC string of IAB TCF 2.4',
    description:
      'What the subject chose, for vendors of IAB TCF: core, disclosed vendors and publisher. Consent is written only where a grant stands and nothing blocks it, legitimate interest only where the person was informed of it and did not object, special features only by grant. An id is written where every purpose that is mapped to it (`frameworks.tcf`) allows it. Only vendors that the banner discloses and that the vendor list has; restrictions are those of `vendors.yaml`. Dated by the day of the last choice. The string of a person who never chose anything has no bit set. With `format=tcdata` the answer also has what the string says, as pages hand it to vendors.',
    answers: [
      {
        status: 200,
        description: 'The string.',
        contract: TcStringDto,
        example: {
          tcString: 'CQbQ0AAQbQ0AAEsAEBENB7FgAKAAAEAAAAYgAAAAAAAA.IAAA.YAAAAAAAAAA',
          gdprApplies: true,
          cmpId: 300,
          cmpVersion: 4,
          cmpRegistered: true,
          policyVersion: 5,
          vendorListVersion: 177,
          vendorListSynthetic: false,
          created: DAY,
          lastUpdated: DAY,
          segments: [...TC_SEGMENTS],
          customPurposes: ['newsletter'],
        },
        headers: STRING_HEADERS,
      },
      STRING_UNCHANGED,
    ],
    refusals: [...STRING_REFUSALS],
  },
  {
    ...STRING_OF_SUBJECT,
    headers: [...STRING_OF_SUBJECT.headers],
    id: 'getGoogleConsentMode',
    roles: TO_READ_PERSONS,
    path: '/v1/consent/google-consent-mode',
    summary: 'Google’s consent mode',
    description:
      'The seven types of consent mode v2. A type is granted where every purpose that names it (`frameworks.google`) may be used. Where none names it, the purposes of IAB TCF decide as Google’s own tags read them: ad_storage by 1, ad_user_data by 1 and 7, ad_personalization by 3 and 4; functionality_storage and security_storage are granted for what is strictly necessary.',
    answers: [
      {
        status: 200,
        description: 'What to hand to Google’s tags.',
        contract: GoogleConsentModeDto,
        example: {
          default: {
            ad_storage: 'denied',
            analytics_storage: 'denied',
            ad_user_data: 'denied',
            ad_personalization: 'denied',
            functionality_storage: 'granted',
            personalization_storage: 'denied',
            security_storage: 'granted',
          },
          update: {
            ad_storage: 'denied',
            analytics_storage: 'granted',
            ad_user_data: 'denied',
            ad_personalization: 'denied',
            functionality_storage: 'granted',
            personalization_storage: 'denied',
            security_storage: 'granted',
          },
          region: ['AT', 'DE', 'FR'],
          waitForUpdate: 500,
        },
        headers: STRING_HEADERS,
      },
      STRING_UNCHANGED,
    ],
    refusals: [...STRING_REFUSALS],
  },
  {
    ...STRING_OF_SUBJECT,
    headers: [...STRING_OF_SUBJECT.headers],
    id: 'getAdditionalConsent',
    roles: TO_READ_PERSONS,
    path: '/v1/consent/google-additional-consent',
    summary: 'Google’s additional consent',
    description:
      'For ad technology providers of Google that are no vendors of IAB TCF (`frameworks.google` of `vendors.yaml`). Version 2: those with consent, then those that were only disclosed. A provider has consent where each purpose that it serves (`purposeKeys`) is granted and the person did not refuse the provider itself. It says nothing without the TC string beside it.',
    answers: [
      {
        status: 200,
        description: 'The string.',
        contract: AdditionalConsentDto,
        example: {
          addtlConsent: '2~35.89~dv.7.21',
          providerListVersion: '3f1c9d2ab47e6058',
          providerListSynthetic: false,
        },
        headers: STRING_HEADERS,
      },
      STRING_UNCHANGED,
    ],
    refusals: [...STRING_REFUSALS],
  },
];
