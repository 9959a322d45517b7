import { BY_SECRET_KEY, type OperationDeclaration } from '../../access/index.js';
import { ExplainedStringDto, ExplainStringQuery, ExplainTcStringQuery } from './dto.js';
import { TO_LOOK } from '../../context/roles.js';

const STRING_TO_EXPLAIN = {
  ...BY_SECRET_KEY,
  method: 'GET',
  scope: 'consent:read',
  subject: { in: 'query', name: 'subject' },
  tag: 'Frameworks',
} as const;

const REFUSALS = [
  'consent_string_invalid',
  'subject_ref_invalid',
  'identifier_kind_unknown',
  'subject_erased',
  'validation_failed',
] as const;

const COMPARED =
  'Compared with the state of a subject today, folded from its stream, where `subject` is sent. What cannot be read is refused at its field, and nothing behind it is read.';

export const DECODE_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...STRING_TO_EXPLAIN,
    id: 'explainTcString',
    roles: TO_LOOK,
    path: '/v1/consent/tcstring/decode',
    query: ExplainTcStringQuery,
    summary: 'What a TC string says',
    description: `A TC string of version 2 in words, field by field, vendors by the names of the vendor list that it was made with, and what in it breaks the rules. ${COMPARED}`,
    answers: [
      {
        status: 200,
        description: 'What it says.',
        contract: ExplainedStringDto,
        example: {
          object: 'explained_string',
          framework: 'TCF',
          vendorListVersion: 177,
          vendorListKnown: true,
          says: [
            {
              part: 'core',
              field: 'PurposesConsent[1]',
              value: '1',
              text: 'Consent to purpose 1 (Store and/or access information on a device).',
              kind: 'CHOICE',
            },
          ],
          warnings: [],
          matches: null,
          differences: [],
        },
      },
    ],
    refusals: [...REFUSALS],
  },
  {
    ...STRING_TO_EXPLAIN,
    id: 'explainGppString',
    roles: TO_LOOK,
    path: '/v1/consent/gpp/decode',
    query: ExplainStringQuery,
    summary: 'What a GPP string says',
    description: `A GPP string in words, section by section, and what in it breaks the rules. A section that this release cannot read is named. ${COMPARED}`,
    answers: [
      {
        status: 200,
        description: 'What it says.',
        contract: ExplainedStringDto,
        example: {
          object: 'explained_string',
          framework: 'GPP',
          vendorListVersion: null,
          vendorListKnown: null,
          says: [
            {
              part: 'usca',
              field: 'SaleOptOut',
              value: '2',
              text: 'Did not opt out of the sale of personal data.',
              kind: 'CHOICE',
            },
          ],
          warnings: [],
          matches: false,
          differences: [
            {
              part: 'usca',
              field: 'SaleOptOut',
              said: '2',
              holds: '1',
              text: 'Did not opt out of the sale of personal data. Today: Opted out of the sale of personal data.',
            },
          ],
        },
      },
    ],
    refusals: [...REFUSALS],
  },
];
