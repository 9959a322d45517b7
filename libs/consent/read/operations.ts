import { BY_ANY_KEY, BY_SECRET_KEY, REF_IN_PATH, type OperationDeclaration } from '../../access/index.js';
import {
  ConsentHistoryDto,
  ConsentHistoryQuery,
  ConsentStateDto,
  ConsentStateQuery,
  ExplainQuery,
  ExplanationDto,
} from './dto.js';
import { TO_READ_PERSONS } from '../../context/roles.js';

const POSITION = {
  name: 'X-Log-Position',
  description: 'As a write answered it: the answer reflects at least that write.',
  required: false,
  example: '42',
};
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  description: 'ETag of the answer at hand; a list or `*`.',
  required: false,
  example: 'W/"2.0-1.1b-"',
};
const REF = {
  ref: {
    description: 'Whose consent: `<kind>:<value>`, percent-encoded as one path segment.',
    example: 'visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90',
  },
};
const SUBJECT = { id: 'sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T' };
const AT = '2026-11-21T12:00:00.000Z';

export const CONSENT_READ_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...BY_ANY_KEY,
    id: 'getConsentState',
    roles: TO_READ_PERSONS,
    method: 'GET',
    path: '/v1/subjects/{ref}/consent',
    scope: 'consent:read',
    subject: REF_IN_PATH,
    tag: 'Consent',
    summary: 'Current state of consent',
    description:
      'What was said (`state`) and what may be done (`effective`), for every published purpose. The place decides with: of the query, else of the proxy in front, else of the newest record that names one, else the strictest rule. A reference that was never seen answers NOT_COLLECTED everywhere. Weak ETag made of the subject’s revision, the catalogue, the law, the place and the filters; a grant that runs out and a rule that begins change it at that instant.',
    pathParameters: REF,
    query: ConsentStateQuery,
    headers: [
      POSITION,
      IF_NONE_MATCH,
      {
        name: 'Cache-Control',
        description: '`no-cache` is the same as `fresh=true`.',
        required: false,
        example: 'no-cache',
      },
    ],
    answers: [
      {
        status: 200,
        description: 'The state.',
        contract: ConsentStateDto,
        example: {
          subject: SUBJECT,
          revision: 2,
          asOf: AT,
          purposes: {
            analytics: {
              state: 'GRANTED',
              effective: 'ALLOWED',
              effectiveReason: 'EXPLICIT',
              purposeVersion: 1,
              givenAt: AT,
              recordedAt: AT,
              expiresAt: null,
              source: 'API',
              renewal: { required: false, reason: null },
              receiptId: 'rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
            },
          },
        },
        headers: { ETag: 'Weak tag of this answer.' },
      },
      { status: 304, description: 'The answer at hand is current.', headers: { ETag: 'Its tag.' } },
    ],
    refusals: [
      'subject_ref_invalid',
      'identifier_kind_unknown',
      'subject_erased',
      'purpose_unknown',
      'validation_failed',
    ],
  },
  {
    ...BY_ANY_KEY,
    id: 'explainConsent',
    roles: TO_READ_PERSONS,
    method: 'GET',
    path: '/v1/subjects/{ref}/consent/explain',
    scope: 'consent:read',
    subject: REF_IN_PATH,
    tag: 'Consent',
    summary: 'Why a purpose is allowed or blocked',
    description:
      'The ordered list of purpose, record, rule of the place, signal, version and clock that led to ALLOWED or BLOCKED, made from the event stream. The last step is the result, the same as the state answers.',
    pathParameters: REF,
    query: ExplainQuery,
    answers: [
      {
        status: 200,
        description: 'The reasons.',
        contract: ExplanationDto,
        example: {
          subject: SUBJECT,
          purpose: 'analytics',
          asOf: AT,
          effective: 'BLOCKED',
          effectiveReason: 'NEVER_ASKED',
          because: [
            { step: 'PURPOSE', text: 'Version 1, legal basis CONSENT, model OPT_IN.' },
            { step: 'RECORD', text: 'No decision was recorded.' },
            {
              step: 'POLICY',
              text: 'Rule DE.2018-05-25, of Germany, which the request names (GDPR: art. 6, 7, 12 to 22, 99(2); read on 2026-11-21). Whatever it says, an OPT_IN purpose needs a grant in every place.',
            },
            { step: 'RESULT', text: 'BLOCKED (NEVER_ASKED).' },
          ],
        },
      },
    ],
    refusals: [
      'subject_ref_invalid',
      'identifier_kind_unknown',
      'subject_erased',
      'purpose_unknown',
      'validation_failed',
    ],
  },
  {
    ...BY_SECRET_KEY,
    id: 'getConsentHistory',
    roles: TO_READ_PERSONS,
    method: 'GET',
    path: '/v1/subjects/{ref}/consent/history',
    scope: 'history:read',
    subject: REF_IN_PATH,
    tag: 'Consent',
    summary: 'Every decision, newest first',
    description:
      'Replayed from the event stream; nothing is ever changed or left out. Pages join without gap or repeat while writes go on.',
    pathParameters: REF,
    query: ConsentHistoryQuery,
    answers: [
      {
        status: 200,
        description: 'A page of history.',
        contract: ConsentHistoryDto,
        example: {
          data: [
            {
              object: 'consent_expiry',
              id: 'rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S',
              sequence: 3,
              eventId: '0b5d6d0e-5b0a-5d3c-9a5e-7c1b2d4e8f90',
              receiptId: null,
              mergedFrom: null,
              purpose: 'analytics',
              state: 'EXPIRED',
              recordedAt: AT,
              expiresAt: AT,
            },
          ],
          nextCursor: null,
          hasMore: false,
        },
        headers: { Link: 'Address of the next page, `rel="next"`.' },
      },
    ],
    refusals: ['subject_ref_invalid', 'identifier_kind_unknown', 'subject_erased', 'validation_failed'],
  },
];
