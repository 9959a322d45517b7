import type { OperationDeclaration } from '../../access/index.js';
import { STRING_HEADERS, STRING_OF_SUBJECT, STRING_REFUSALS, STRING_UNCHANGED } from '../read/operations.js';
import { GppStringDto } from './dto.js';
import { TO_READ_PERSONS } from '../../context/roles.js';

export const GPP_OPERATIONS: readonly OperationDeclaration[] = [
  {
    ...STRING_OF_SUBJECT,
    headers: [...STRING_OF_SUBJECT.headers],
    id: 'getGppString',
    roles: TO_READ_PERSONS,
    path: '/v1/consent/gpp',
    summary: 'GPP string of IAB',
    description:
      'What the subject chose, for the Global Privacy Platform: the sections that the law of the place names (`gppSections` of the policy), in the United States that of the state or, where the site says so (`frameworks.gpp.approach`), the national one; in Europe the TC string, as `GET /v1/consent/tcstring` answers it. What purposes do with data their `frameworks.us` says. The string states an opt-out as soon as one purpose of its kind is blocked, by a refusal or by Global Privacy Control where it binds, and only where notice was given: the banner shows the purpose, or the person decided on it. It states a consent only where the person gave it.',
    answers: [
      {
        status: 200,
        description: 'The string.',
        contract: GppStringDto,
        example: {
          gppString: 'DBABBg~BVQUAACA.YA',
          sectionIds: [8],
          applicableSections: [8],
          parsed: {
            usca: {
              Version: 1,
              SaleOptOutNotice: 1,
              SharingOptOutNotice: 1,
              SensitiveDataLimitUseNotice: 0,
              SaleOptOut: 1,
              SharingOptOut: 1,
              SensitiveDataProcessing: [0, 0, 0, 0, 0, 0, 0, 0, 0],
              KnownChildSensitiveDataConsents: [0, 0],
              PersonalDataConsents: 0,
              MspaCoveredTransaction: 2,
              MspaOptOutOptionMode: 0,
              MspaServiceProviderMode: 0,
              Gpc: true,
            },
          },
          gpc: true,
        },
        headers: STRING_HEADERS,
      },
      STRING_UNCHANGED,
    ],
    refusals: [...STRING_REFUSALS],
  },
];
